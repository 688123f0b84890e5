//! Sampling the positions that a tree is grown on.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::batch::{Batch, runs};
use crate::source::{Cell, Source};

/// The cells that occur, except free ones, and how often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette {
    /// In ascending order.
    pub(crate) cells: Vec<Cell>,
    /// How many positions have each.
    pub(crate) counts: Vec<u64>,
    /// How many positions of each run of indices have any.
    pub(crate) runs: Vec<u32>,
    /// The place of each symbol's exact cell.
    exact: Vec<u16>,
}

impl Palette {
    /// Counts the cells of a source.
    pub(crate) fn of(source: &impl Source) -> Palette {
        type Counts = BTreeMap<Cell, u64>;
        let (sums, runs): (Vec<Counts>, Vec<u32>) = runs(source)
            .map_init(Batch::default, |batch, first| {
                let mut counts = Counts::new();
                let mut same: (Cell, u64) = (Cell::FREE, 0);
                for &cell in batch.run(source, first) {
                    if cell != same.0 {
                        *counts.entry(same.0).or_default() += same.1;
                        same = (cell, 0);
                    }
                    same.1 += 1;
                }
                *counts.entry(same.0).or_default() += same.1;
                counts.remove(&Cell::FREE);
                let cared = counts.values().sum::<u64>() as u32;
                (counts, cared)
            })
            .unzip();
        let mut counts = Counts::new();
        for (cell, count) in sums.into_iter().flatten() {
            *counts.entry(cell).or_default() += count;
        }
        let (cells, counts): (Vec<Cell>, Vec<u64>) = counts.into_iter().unzip();
        let mut exact = Vec::new();
        for (place, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.is_exact()) {
            exact.resize(usize::from(cell.low) + 1, 0);
            exact[usize::from(cell.low)] = place as u16;
        }
        Palette {
            cells,
            counts,
            runs,
            exact,
        }
    }

    /// The place of a cell that occurs.
    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> u16 {
        match self.exact.get(usize::from(cell.low)) {
            Some(&place) if cell.is_exact() => place,
            _ => self.cells.binary_search(&cell).unwrap_or(0) as u16,
        }
    }

    /// The number of positions whose value matters.
    pub(crate) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
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
        let parts: Vec<(Vec<u8>, Vec<u16>)> = runs(source)
            .map_init(Batch::default, |batch, first| {
                batch.take(source, first, |index| scramble(index, 1) <= limit);
                if batch.indices.is_empty() {
                    return (vec![], vec![]);
                }
                batch.look(source);
                let mut rows = vec![0; stride * batch.indices.len()];
                for feature in 0..stride {
                    let column = batch.columns.column(feature);
                    for (row, &value) in rows.chunks_exact_mut(stride).zip(column) {
                        row[feature] = value;
                    }
                }
                let cells = batch.cells.iter();
                (rows, cells.map(|&cell| palette.place(cell)).collect())
            })
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
