//! Samples the positions that a tree is grown on, and picks those with rare symbols more often.

use rayon::prelude::*;
use retrograde_learned::{FeatureRow, LearnedError};

use crate::positions::{Positions, Source};

/// A pseudorandom number that depends only on the arguments.
pub(crate) fn scramble(number: u64, salt: u64) -> u64 {
    let mut x = number.wrapping_add(salt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// The number of positions that a sample stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rates {
    /// The symbol that nearly all positions have, if there is one: so that there
    /// are enough of the others, these are picked more often.
    common: Option<u16>,
    /// The positions that a sample with the common symbol, and any other, stands for, with
    /// 8 bits after the point.
    scales: [u64; 2],
}

impl Rates {
    /// A symbol is common if at most one position in this many has another one.
    const COMMON: u64 = 8;

    /// The rates at which each sample stands for one position.
    pub(crate) fn each_once() -> Rates {
        Rates {
            common: None,
            scales: [1 << 8; 2],
        }
    }

    /// The number of positions that a sample with this symbol stands for.
    #[inline]
    pub(crate) fn scale(&self, symbol: u16) -> u64 {
        self.scales[usize::from(self.common != Some(symbol))]
    }

    /// The number that all samples stand for, if it is the same for all.
    pub(crate) fn same(&self) -> Option<u64> {
        let [common, others] = self.scales;
        (self.common.is_none() || common == others).then_some(others)
    }
}

/// A choice of the positions that become samples.
pub(crate) struct Picks {
    common: Option<u16>,
    /// The number of positions with the common symbol, and with others.
    positions: [u64; 2],
    /// The highest number with which a position of each kind becomes a sample.
    limits: [u64; 2],
}

impl Picks {
    /// Picks all positions whose value matters, or about `most` of them, half of which at most have
    /// another symbol than a common one.
    pub(crate) fn new(positions: &Positions, most: u64) -> Picks {
        let total = positions.total();
        let counts = (0..=u16::MAX).zip(positions.counts());
        match counts.max_by_key(|&(symbol, count)| (count, !symbol)) {
            Some((symbol, &count)) if total - count <= total / Rates::COMMON => {
                let others = (total - count).min(most / 2);
                Picks::of(
                    Some(symbol),
                    [(count, most - others), (total - count, others)],
                )
            }
            _ => Picks::even(positions, most),
        }
    }

    /// Picks all positions whose value matters, or about `most` of them, all of them equally
    /// likely.
    pub(crate) fn even(positions: &Positions, most: u64) -> Picks {
        Picks::of(None, [(0, 0), (positions.total(), most)])
    }

    /// Picks some of the positions with the common symbol, and of the others.
    fn of(common: Option<u16>, parts: [(u64, u64); 2]) -> Picks {
        let limit = |(all, picked): (u64, u64)| match picked < all {
            true => (u128::from(u64::MAX) * u128::from(picked) / u128::from(all)) as u64,
            false => u64::MAX,
        };
        Picks {
            common,
            positions: parts.map(|(all, _)| all),
            limits: parts.map(limit),
        }
    }

    /// Whether the position of an index becomes a sample, if it has this symbol.
    pub(crate) fn has(&self, index: u64, symbol: u16) -> bool {
        scramble(index, 1) <= self.limits[usize::from(self.common != Some(symbol))]
    }

    /// The number of positions that samples stand for, given their symbols.
    pub(crate) fn rates(&self, symbols: &[u16]) -> Rates {
        let mut picked = [0u64; 2];
        for &symbol in symbols {
            picked[usize::from(self.common != Some(symbol))] += 1;
        }
        Rates {
            common: self.common,
            scales: std::array::from_fn(|part| (self.positions[part] << 8) / picked[part].max(1)),
        }
    }
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
    pub(crate) fn take(
        source: &impl Source,
        positions: &Positions,
        picks: &Picks,
    ) -> Result<Samples, LearnedError> {
        let parts: Vec<Samples> = (0..positions.runs())
            .into_par_iter()
            .map(|run| {
                let of_run = positions.of_run(run);
                let picked = of_run.filter(|&(index, symbol)| picks.has(index, symbol));
                let (indices, symbols): (Vec<u64>, Vec<u16>) = picked.unzip();
                Samples::of_positions(source, &indices, symbols)
            })
            .collect::<Result<_, _>>()?;
        let len = parts.iter().map(Samples::len).sum();
        let stride = source.features().list().len();
        let mut samples = Samples {
            stride,
            rows: Vec::with_capacity(stride * len),
            symbols: Vec::with_capacity(len),
            rates: Rates::default(),
        };
        for part in parts {
            samples.rows.extend(part.rows);
            samples.symbols.extend(part.symbols);
        }
        samples.rates = picks.rates(&samples.symbols);
        Ok(samples)
    }

    /// The samples of some positions, given their indices in ascending order and their symbols.
    pub(crate) fn of_positions(
        source: &impl Source,
        indices: &[u64],
        symbols: Vec<u16>,
    ) -> Result<Samples, LearnedError> {
        let stride = source.features().list().len();
        let mut rows = Vec::with_capacity(stride * indices.len());
        each_row(source, indices, |row| {
            rows.extend_from_slice(&row[..stride])
        })?;
        Ok(Samples {
            stride,
            rows,
            symbols,
            rates: Rates::each_once(),
        })
    }

    /// The number of positions that they stand for.
    pub(crate) fn rates(&self) -> &Rates {
        &self.rates
    }

    /// The number of samples.
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

/// Calls `each` with the features of positions whose value matters, by their indices in ascending
/// order.
fn each_row(
    source: &impl Source,
    indices: &[u64],
    mut each: impl FnMut(&FeatureRow),
) -> Result<(), LearnedError> {
    let (features, moving) = (source.features(), source.moving_piece());
    let mut contexts = vec![0; features.contexts().len()];
    let (mut rows, mut columns, mut values) = (Vec::new(), Vec::new(), [0; 256]);
    let near = |a: &u64, b: &u64| a / NEAR == b / NEAR;
    for indices in indices.chunk_by(near) {
        let first = indices[0];
        let len = (indices[indices.len() - 1] + 1 - first) as usize;
        rows.clear();
        columns.clear();
        columns.resize(contexts.len() * len, 0);
        source.rows(first..first + len as u64, &mut rows, &mut columns);
        let (mut start, mut left) = (first, indices.iter().peekable());
        for row in &rows {
            let end = start + u64::from(row.len);
            while let Some(&index) = left.next_if(|&&index| index < end) {
                let mut squares = row.squares;
                squares[moving] += (index - start) as u8;
                let place = (index - first) as usize;
                let columns = columns.chunks_exact(len);
                let both = contexts.iter_mut().zip(columns);
                both.for_each(|(context, column)| *context = column[place]);
                features.row(&squares[..features.pieces()], &contexts, &mut values)?;
                each(&values);
            }
            start = end;
        }
    }
    Ok(())
}

/// Stretches of so many indices have few rows.
const NEAR: u64 = 64;
