//! Sampling the positions that a tree is grown on.

use rayon::prelude::*;
use retrograde_learned::Columns;

use crate::batch::Batch;
use crate::positions::Positions;
use crate::rates::{Picks, Rates};
use crate::source::Source;

/// A pseudorandom number that depends only on the arguments.
pub(crate) fn scramble(number: u64, salt: u64) -> u64 {
    let mut x = number.wrapping_add(salt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// Sampled positions: their features and their symbols.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    /// The number of features in a row.
    stride: usize,
    /// The features, a row for each position.
    rows: Vec<u8>,
    pub(crate) symbols: Vec<u16>,
    rates: Rates,
}

impl Samples {
    /// The positions that are picked.
    pub(crate) fn take(source: &impl Source, positions: &Positions, picks: &Picks) -> Samples {
        let stride = source.features().list().len();
        let parts: Vec<(Vec<u8>, Vec<u16>)> = (0..positions.runs() as usize)
            .into_par_iter()
            .map_init(Batch::default, |batch, run| {
                batch.take(positions, run as u64, |index, symbol| {
                    picks.has(index, symbol)
                });
                let mut rows = vec![0; stride * batch.indices.len()];
                if !rows.is_empty() {
                    batch.look(source);
                    to_rows(&batch.columns, stride, &mut rows);
                }
                (rows, batch.symbols.clone())
            })
            .collect();
        let len = parts.iter().map(|(_, symbols)| symbols.len()).sum();
        let mut samples = Samples {
            stride,
            rows: Vec::with_capacity(stride * len),
            symbols: Vec::with_capacity(len),
            rates: Rates::default(),
        };
        for (rows, symbols) in parts {
            samples.rows.extend(rows);
            samples.symbols.extend(symbols);
        }
        samples.rates = picks.rates(&samples.symbols);
        samples
    }

    /// All of some positions, by their indices in ascending order and their symbols.
    pub(crate) fn of_positions(
        source: &impl Source,
        indices: &[u64],
        symbols: Vec<u16>,
    ) -> Samples {
        let stride = source.features().list().len();
        let mut rows = vec![0; stride * indices.len()];
        let mut batch = Batch::default();
        let rows_of = rows.chunks_mut(stride * Batch::RUN);
        for (indices, rows) in indices.chunks(Batch::RUN).zip(rows_of) {
            batch.look_at(source, indices);
            to_rows(&batch.columns, stride, rows);
        }
        Samples {
            stride,
            rows,
            symbols,
            rates: Rates::each_once(),
        }
    }

    /// How many positions they stand for.
    pub(crate) fn rates(&self) -> &Rates {
        &self.rates
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.symbols.len()
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
            symbols: samples.iter().map(|&s| self.symbols[s as usize]).collect(),
            rates: self.rates,
        }
    }

    /// A feature of a sample.
    #[inline]
    pub(crate) fn value(&self, sample: u32, feature: usize) -> u8 {
        self.rows[sample as usize * self.stride + feature]
    }

    /// The features of a sample.
    #[inline]
    pub(crate) fn row(&self, sample: u32) -> &[u8] {
        &self.rows[sample as usize * self.stride..][..self.stride]
    }
}

/// Writes features that are there by columns as rows, a few rows at a time, which stay in the
/// cache.
fn to_rows(columns: &Columns, stride: usize, rows: &mut [u8]) {
    const FEW: usize = 64;
    for (part, rows) in rows.chunks_mut(stride * FEW).enumerate() {
        let (first, count) = (part * FEW, rows.len() / stride);
        if count < SIDE || stride < SIDE {
            for feature in 0..stride {
                let column = columns.column(feature).iter().skip(first);
                for (row, &value) in rows.chunks_exact_mut(stride).zip(column) {
                    row[feature] = value;
                }
            }
            continue;
        }
        for feature in squares(stride) {
            for row in squares(count) {
                let square = std::array::from_fn(|beside| {
                    let column = &columns.column(feature + beside)[first + row..];
                    column.first_chunk().copied().unwrap_or_default()
                });
                for (below, values) in transposed(square).into_iter().enumerate() {
                    rows[(row + below) * stride + feature..][..SIDE].copy_from_slice(&values);
                }
            }
        }
    }
}

/// The side of the squares by which columns become rows.
const SIDE: usize = 8;

/// Where squares begin that cover a side of `len`, at least [`SIDE`]; the last one may overlap.
fn squares(len: usize) -> impl Iterator<Item = usize> {
    (0..len).step_by(SIDE).map(move |at| at.min(len - SIDE))
}

/// Columns as rows: first single values change places, then squares of two, then of four.
fn transposed(columns: [[u8; SIDE]; SIDE]) -> [[u8; SIDE]; SIDE] {
    let mut words = columns.map(u64::from_le_bytes);
    for (apart, mask) in [
        (1, 0x00FF_00FF_00FF_00FF),
        (2, 0x0000_FFFF_0000_FFFF),
        (4, 0x0000_0000_FFFF_FFFF),
    ] {
        for word in (0..SIDE).filter(|word| word & apart == 0) {
            let change = (words[word] >> (8 * apart) ^ words[word + apart]) & mask;
            words[word + apart] ^= change;
            words[word] ^= change << (8 * apart);
        }
    }
    words.map(u64::to_le_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_become_rows() {
        let value = |column: usize, row: usize| (SIDE * column + row) as u8;
        let columns = std::array::from_fn(|column| std::array::from_fn(|row| value(column, row)));
        let rows = std::array::from_fn(|row| std::array::from_fn(|column| value(column, row)));
        assert_eq!(transposed(columns), rows);
        assert_eq!(squares(8).collect::<Vec<_>>(), [0]);
        assert_eq!(squares(18).collect::<Vec<_>>(), [0, 8, 10]);
    }
}
