//! How often each symbol occurs, and where.

use rayon::prelude::*;

use crate::batch::{Batch, runs};
use crate::source::Source;

/// The positions whose value matters, counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Census {
    /// How many there are of each symbol, up to the highest that occurs.
    pub(crate) symbols: Vec<u64>,
    /// How many there are in each run of indices.
    pub(crate) runs: Vec<u32>,
}

impl Census {
    /// Counts the positions of a source.
    pub(crate) fn of(source: &impl Source) -> Census {
        let runs: Vec<Vec<u32>> = runs(source)
            .map_init(Batch::default, |batch, first| {
                let mut counts = Vec::new();
                for symbol in batch.run(source, first).iter().flatten() {
                    let symbol = usize::from(*symbol);
                    if counts.len() <= symbol {
                        counts.resize(symbol + 1, 0);
                    }
                    counts[symbol] += 1;
                }
                counts
            })
            .collect();
        let highest = runs.iter().map(Vec::len).max().unwrap_or(0);
        let mut symbols = vec![0; highest];
        for counts in &runs {
            for (sum, &count) in symbols.iter_mut().zip(counts) {
                *sum += u64::from(count);
            }
        }
        Census {
            symbols,
            runs: runs.iter().map(|counts| counts.iter().sum()).collect(),
        }
    }

    /// The number of positions whose value matters.
    pub(crate) fn total(&self) -> u64 {
        self.symbols.iter().sum()
    }
}
