//! Sampling the positions that a tree is grown on.

use std::collections::BTreeMap;

use rayon::prelude::*;
use retrograde_learned::Columns;

use crate::source::{Batch, Cell, Source};

/// The cells that occur, except free ones, and how often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette {
    /// In ascending order.
    pub(crate) cells: Vec<Cell>,
    /// How many positions have each.
    pub(crate) counts: Vec<u64>,
}

impl Palette {
    /// Counts the cells of a source.
    pub(crate) fn of(source: &impl Source) -> Palette {
        let counts = batches(source)
            .map_init(Batch::default, |batch, first| {
                read(source, first, batch);
                let mut counts = BTreeMap::<Cell, u64>::new();
                let mut run: (Cell, u64) = (Cell::FREE, 0);
                for &cell in &batch.cells {
                    if cell != run.0 {
                        *counts.entry(run.0).or_default() += run.1;
                        run = (cell, 0);
                    }
                    run.1 += 1;
                }
                *counts.entry(run.0).or_default() += run.1;
                counts
            })
            .reduce(BTreeMap::new, |mut all, more| {
                for (cell, count) in more {
                    *all.entry(cell).or_default() += count;
                }
                all
            });
        let (cells, counts) = counts
            .into_iter()
            .filter(|&(cell, count)| cell != Cell::FREE && count > 0)
            .unzip();
        Palette { cells, counts }
    }

    /// The place of a cell; `None` for a free one.
    pub(crate) fn place(&self, cell: Cell) -> Option<u16> {
        let place = self.cells.binary_search(&cell).ok()?;
        Some(place as u16)
    }

    /// The number of positions whose value matters.
    pub(crate) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The first index of each batch of a source.
pub(crate) fn batches(source: &impl Source) -> impl IndexedParallelIterator<Item = u64> {
    let count = source.indices().div_ceil(Batch::MOST as u64);
    (0..count as usize)
        .into_par_iter()
        .map(|number| number as u64 * Batch::MOST as u64)
}

/// Reads the positions of a batch whose value matters and that pass a test, and
/// returns their indices.
pub(crate) fn read_some(
    source: &impl Source,
    first: u64,
    batch: &mut Batch,
    test: impl Fn(u64) -> bool,
) -> Vec<u64> {
    read(source, first, batch);
    let places: Vec<u16> = (0..batch.len as u16)
        .filter(|&place| {
            batch.cells[usize::from(place)] != Cell::FREE && test(first + u64::from(place))
        })
        .collect();
    if places.len() < batch.len {
        batch.keep(&places);
    }
    places
        .iter()
        .map(|&place| first + u64::from(place))
        .collect()
}

/// Reads a batch.
pub(crate) fn read(source: &impl Source, first: u64, batch: &mut Batch) {
    let len = (source.indices() - first).min(Batch::MOST as u64) as usize;
    batch.reset(source.features(), len);
    source.read(first, batch);
}

/// A pseudorandom number that depends only on the arguments.
pub(crate) fn scramble(number: u64, salt: u64) -> u64 {
    let mut x = number.wrapping_add(salt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// Sampled positions: their features and their cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    /// The number of features in a row.
    pub(crate) stride: usize,
    /// The features, a row for each position.
    pub(crate) rows: Vec<u8>,
    /// Places in the palette.
    pub(crate) cells: Vec<u16>,
}

impl Samples {
    /// All positions whose value matters, or about `most` of them picked at random.
    pub(crate) fn take(source: &impl Source, palette: &Palette, most: u64) -> Samples {
        let total = palette.total();
        let limit = if total <= most {
            u64::MAX
        } else {
            (u128::from(u64::MAX) * u128::from(most) / u128::from(total)) as u64
        };
        let stride = source.features().list().len();
        let parts: Vec<(Vec<u8>, Vec<u16>)> = batches(source)
            .map_init(
                || (Batch::default(), Columns::new()),
                |(batch, columns), first| {
                    let drawn = |index| scramble(index, 1) <= limit;
                    if read_some(source, first, batch, drawn).is_empty() {
                        return (vec![], vec![]);
                    }
                    columns.fill(
                        source.features(),
                        batch.len,
                        &batch.squares,
                        &batch.contexts,
                    );
                    let mut rows = vec![0; stride * batch.len];
                    for feature in 0..stride {
                        let column = columns.column(feature);
                        for (row, &value) in rows.chunks_exact_mut(stride).zip(column) {
                            row[feature] = value;
                        }
                    }
                    let cells = batch.cells.iter();
                    (
                        rows,
                        cells
                            .map(|&cell| palette.place(cell).unwrap_or(0))
                            .collect(),
                    )
                },
            )
            .collect();
        let mut samples = Samples {
            stride,
            ..Samples::default()
        };
        samples
            .rows
            .reserve_exact(parts.iter().map(|(rows, _)| rows.len()).sum());
        for (rows, cells) in parts {
            samples.rows.extend_from_slice(&rows);
            samples.cells.extend_from_slice(&cells);
        }
        samples
    }

    /// The places of all samples in pseudorandom order.
    pub(crate) fn shuffled(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.cells.len() as u32).collect();
        for last in (1..order.len()).rev() {
            let drawn = (u128::from(scramble(last as u64, 2)) * (last as u128 + 1)) >> 64;
            order.swap(last, drawn as usize);
        }
        order
    }

    /// Copies of some samples.
    pub(crate) fn pick(&self, samples: &[u32]) -> Samples {
        let mut rows = Vec::with_capacity(samples.len() * self.stride);
        for &sample in samples {
            rows.extend_from_slice(self.row(sample));
        }
        Samples {
            stride: self.stride,
            rows,
            cells: samples.iter().map(|&s| self.cells[s as usize]).collect(),
        }
    }

    /// The features of a sample.
    #[inline]
    pub(crate) fn row(&self, sample: u32) -> &[u8] {
        &self.rows[sample as usize * self.stride..][..self.stride]
    }
}
