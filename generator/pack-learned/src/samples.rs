//! Sampling the positions that a tree is grown on.

use rayon::prelude::*;

use crate::batch::{Batch, runs};
use crate::grow::TASK;
use crate::palette::Palette;
use crate::rates::{Picks, Rates};
use crate::source::Source;

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
    stride: usize,
    /// The features, a row for each position: a few samples are looked at whole.
    rows: Vec<u8>,
    /// The same by columns: many samples are parted by one feature. Copies have none.
    columns: Vec<u8>,
    /// Places in the palette.
    pub(crate) cells: Vec<u16>,
    rates: Rates,
}

impl Samples {
    /// The positions that are picked.
    pub(crate) fn take(source: &impl Source, palette: &Palette, picks: &Picks) -> Samples {
        let symbol = |place: u16| palette.symbols[usize::from(place)];
        let stride = source.features().list().len();
        let parts: Vec<(Vec<u8>, Vec<u16>)> = runs(source)
            .map_init(Batch::default, |batch, first| {
                batch.take(source, first, |index, cell| {
                    picks.has(index, symbol(palette.place(cell)))
                });
                if batch.indices.is_empty() {
                    return (vec![], vec![]);
                }
                batch.look(source);
                let columns = (0..stride).flat_map(|feature| batch.columns.column(feature));
                let cells = batch.cells.iter();
                (
                    columns.copied().collect(),
                    cells.map(|&cell| palette.place(cell)).collect(),
                )
            })
            .collect();
        let len = parts.iter().map(|(_, cells)| cells.len()).sum();
        let mut samples = Samples {
            stride,
            rows: vec![0; stride * len],
            columns: vec![0; stride * len],
            cells: Vec::with_capacity(len),
            rates: Rates::default(),
        };
        let mut rows_left = &mut samples.rows[..];
        let mut jobs = Vec::with_capacity(parts.len());
        for (columns, cells) in &parts {
            let first = samples.cells.len();
            samples.cells.extend_from_slice(cells);
            let here = first..samples.cells.len();
            let (rows, after) = rows_left.split_at_mut(columns.len());
            rows_left = after;
            for (all, part) in (samples.columns.chunks_exact_mut(len.max(1)))
                .zip(columns.chunks_exact(cells.len().max(1)))
            {
                all[here.clone()].copy_from_slice(part);
            }
            jobs.push((rows, columns, cells.len()));
        }
        jobs.into_par_iter().for_each(|(rows, columns, len)| {
            for (feature, column) in columns.chunks_exact(len.max(1)).enumerate() {
                for (row, &value) in rows.chunks_exact_mut(stride.max(1)).zip(column) {
                    row[feature] = value;
                }
            }
        });
        samples.rates = picks.rates(samples.cells.iter().map(|&place| symbol(place)));
        samples
    }

    /// All of some positions, by their indices in ascending order and their places in the
    /// palette.
    pub(crate) fn of_positions(source: &impl Source, indices: &[u64], cells: Vec<u16>) -> Samples {
        let stride = source.features().list().len();
        let len = indices.len();
        let mut samples = Samples {
            stride,
            rows: vec![0; stride * len],
            // Few samples are not parted by columns.
            columns: vec![0; if len > TASK { stride * len } else { 0 }],
            cells,
            rates: Rates::each_once(),
        };
        let mut batch = Batch::default();
        for (number, indices) in indices.chunks(Batch::RUN).enumerate() {
            batch.look_at(source, indices);
            let first = number * Batch::RUN;
            let rows = &mut samples.rows[stride * first..];
            for feature in 0..stride {
                let column = batch.columns.column(feature);
                for (row, &value) in rows.chunks_exact_mut(stride).zip(column) {
                    row[feature] = value;
                }
                if len > TASK {
                    let from = feature * len + first;
                    samples.columns[from..from + indices.len()].copy_from_slice(column);
                }
            }
        }
        samples
    }

    /// How many positions they stand for.
    pub(crate) fn rates(&self) -> &Rates {
        &self.rates
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The place of each sample in a pseudorandom order of all.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.cells.len() as u32).collect();
        for last in (1..order.len()).rev() {
            let drawn = (u128::from(scramble(last as u64, 2)) * (last as u128 + 1)) >> 64;
            order.swap(last, drawn as usize);
        }
        let mut ranks = vec![0; order.len()];
        for (rank, &sample) in (0..).zip(&order) {
            ranks[sample as usize] = rank;
        }
        ranks
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
            columns: Vec::new(),
            cells: samples.iter().map(|&s| self.cells[s as usize]).collect(),
            rates: self.rates,
        }
    }

    /// The features of a sample.
    #[inline]
    pub(crate) fn row(&self, sample: u32) -> &[u8] {
        &self.rows[sample as usize * self.stride..][..self.stride]
    }

    /// A feature of all samples; nothing in copies.
    pub(crate) fn column(&self, feature: u8) -> &[u8] {
        let start = usize::from(feature) * self.len();
        self.columns.get(start..start + self.len()).unwrap_or(&[])
    }
}
