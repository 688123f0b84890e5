//! The positions whose values matter, and their symbols: found once, then gone through often.

use std::ops::Range;

use rayon::prelude::*;

use crate::batch::Batch;
use crate::pack::PackError;
use crate::source::Source;

/// The indices of a run.
const RUN: usize = Batch::RUN;
/// The runs that are gone through together.
const GROUP: u64 = 1 << 10;
/// The bits of a word of the set of indices.
const WORD: usize = u64::BITS as usize;

/// The positions of a source whose values matter, in the order of their indices.
#[derive(Clone, Debug)]
pub struct Positions {
    /// Their indices, as a set.
    indices: Vec<u64>,
    /// Their symbols.
    symbols: Vec<u16>,
    /// How many there are before each run of indices, and in all.
    starts: Vec<usize>,
    /// How many there are of each symbol, up to the highest that occurs.
    counts: Vec<u64>,
}

/// Those of one run.
struct Run {
    indices: [u64; RUN / WORD],
    symbols: Vec<u16>,
    counts: Vec<u32>,
}

impl Positions {
    /// Finds the positions of a source.
    ///
    /// # Errors
    /// [`PackError::Size`] if the source has no indices.
    pub fn of(source: &impl Source) -> Result<Positions, PackError> {
        let indices = source.indices();
        if indices == 0 {
            return Err(PackError::Size(0));
        }
        let runs = indices.div_ceil(RUN as u64);
        let mut positions = Positions {
            indices: Vec::with_capacity(runs as usize * (RUN / WORD)),
            symbols: Vec::with_capacity(indices as usize),
            starts: vec![0],
            counts: Vec::new(),
        };
        let mut group = Vec::new();
        for first in (0..runs).step_by(GROUP as usize) {
            let numbers = first as usize..runs.min(first + GROUP) as usize;
            numbers
                .into_par_iter()
                .map_init(Vec::new, |cells, run| Run::of(source, run as u64, cells))
                .collect_into_vec(&mut group);
            for run in &group {
                positions.add(run);
            }
        }
        positions.symbols.shrink_to_fit();
        Ok(positions)
    }

    fn add(&mut self, run: &Run) {
        self.indices.extend(run.indices);
        self.symbols.extend(&run.symbols);
        self.starts.push(self.symbols.len());
        if self.counts.len() < run.counts.len() {
            self.counts.resize(run.counts.len(), 0);
        }
        for (sum, &count) in self.counts.iter_mut().zip(&run.counts) {
            *sum += u64::from(count);
        }
    }

    /// How many there are.
    pub(crate) fn total(&self) -> u64 {
        self.symbols.len() as u64
    }

    /// How many there are of each symbol, up to the highest that occurs.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// How many runs of indices there are.
    pub(crate) fn runs(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    /// Where those of some runs are among all.
    pub(crate) fn range(&self, runs: Range<u64>) -> Range<usize> {
        self.starts[runs.start as usize]..self.starts[runs.end as usize]
    }

    /// The symbols of all.
    pub(crate) fn symbols(&self) -> &[u16] {
        &self.symbols
    }

    /// The symbols of those of a run.
    pub(crate) fn symbols_of(&self, run: u64) -> &[u16] {
        &self.symbols[self.range(run..run + 1)]
    }

    /// The indices of those of a run.
    pub(crate) fn indices_of(&self, run: u64) -> impl Iterator<Item = u64> {
        let words = &self.indices[run as usize * (RUN / WORD)..][..RUN / WORD];
        let firsts = (run * RUN as u64..).step_by(WORD);
        words.iter().zip(firsts).flat_map(|(&word, first)| {
            let mut left = word;
            std::iter::from_fn(move || {
                let next = (left != 0).then(|| first + u64::from(left.trailing_zeros()));
                left &= left.wrapping_sub(1);
                next
            })
        })
    }

    /// Whether there is one at each place of a run.
    pub(crate) fn places_of(&self, run: u64) -> impl Fn(usize) -> bool {
        let words = &self.indices[run as usize * (RUN / WORD)..][..RUN / WORD];
        |place| words[place / WORD] >> (place % WORD) & 1 != 0
    }
}

impl Run {
    /// The positions of a run, given room for its cells.
    fn of(source: &impl Source, run: u64, cells: &mut Vec<Option<u16>>) -> Run {
        let first = run * RUN as u64;
        cells.clear();
        cells.resize((source.indices() - first).min(RUN as u64) as usize, None);
        source.cells(first, cells);
        let mut run = Run {
            indices: [0; RUN / WORD],
            symbols: vec![0; cells.len()],
            counts: Vec::new(),
        };
        let mut count = 0;
        for (word, cells) in run.indices.iter_mut().zip(cells.chunks(WORD)) {
            for (place, cell) in cells.iter().enumerate() {
                // The next one takes the place of a symbol that is none.
                run.symbols[count] = cell.unwrap_or_default();
                count += usize::from(cell.is_some());
                *word |= u64::from(cell.is_some()) << place;
            }
        }
        run.symbols.truncate(count);
        for &symbol in &run.symbols {
            let symbol = usize::from(symbol);
            if run.counts.len() <= symbol {
                run.counts.resize(symbol + 1, 0);
            }
            run.counts[symbol] += 1;
        }
        run
    }
}
