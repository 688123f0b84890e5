//! Gathers the positions of a section with their symbols, once, for all passes of the packer.

use std::ops::Range;

use rayon::prelude::*;
use retrograde_learned::{Features, LearnedError, Row, Rows};

use crate::PackError;

/// The values of a material for one side to move.
pub trait Source: Sync {
    /// The features of its positions.
    fn features(&self) -> &Features;

    /// The number of indices, 1 or more.
    fn indices(&self) -> u64;

    /// The number of symbols, 1 to 65536; each is below it.
    fn symbols(&self) -> u32;

    /// Fills in the symbols of the indices from `first` on, as many as there is room for.
    /// `None`, with which the room is filled before, is for an index that stands for no
    /// position, or whose value does not matter: it may read back as any symbol.
    fn cells(&self, first: u64, cells: &mut [Option<u16>]);

    /// The piece that moves within [rows](Source::rows).
    fn moving_piece(&self) -> usize;

    /// Adds the rows of some consecutive indices, and fills in a column of values for each
    /// context, which are any for indices without a symbol.
    fn rows(&self, indices: Range<u64>, rows: &mut Vec<Row>, contexts: &mut [u8]);
}

/// The indices of a run. The features of so many positions stay in the cache.
pub(crate) const RUN: usize = 4096;
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
    /// The number of positions before each run of indices, and in all.
    starts: Vec<usize>,
    /// The number of positions with each symbol, up to the highest that occurs.
    counts: Vec<u64>,
}

/// The positions of one run.
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

    /// The number of positions.
    pub(crate) fn total(&self) -> u64 {
        self.symbols.len() as u64
    }

    /// The number of positions with each symbol, up to the highest that occurs.
    pub(crate) fn counts(&self) -> &[u64] {
        &self.counts
    }

    /// The number of runs of indices.
    pub(crate) fn runs(&self) -> u64 {
        self.starts.len() as u64 - 1
    }

    /// The places among all positions of those of some runs.
    pub(crate) fn range(&self, runs: Range<u64>) -> Range<usize> {
        self.starts[runs.start as usize]..self.starts[runs.end as usize]
    }

    /// The symbols of all.
    pub(crate) fn symbols(&self) -> &[u16] {
        &self.symbols
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

    /// The indices and the symbols of those of a run.
    pub(crate) fn of_run(&self, run: u64) -> impl Iterator<Item = (u64, u16)> {
        let symbols = &self.symbols[self.range(run..run + 1)];
        self.indices_of(run).zip(symbols.iter().copied())
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

/// The rows of a run of indices; the memory is reused.
pub(crate) struct RunRows {
    rows: Rows,
    list: Vec<Row>,
    contexts: Vec<u8>,
}

impl RunRows {
    /// Room for the runs of a source.
    pub(crate) fn new(source: &impl Source) -> Result<RunRows, LearnedError> {
        Ok(RunRows {
            rows: Rows::new(source.features(), source.moving_piece())?,
            list: Vec::new(),
            contexts: Vec::new(),
        })
    }

    /// The rows of a run, whose positions are asked for if their values matter.
    pub(crate) fn look(&mut self, source: &impl Source, positions: &Positions, run: u64) -> &Rows {
        let (features, first) = (source.features(), run * RUN as u64);
        let end = source.indices().min(first + RUN as u64);
        let len = (end - first) as usize;
        self.contexts.clear();
        self.contexts.resize(features.contexts().len() * len, 0);
        self.list.clear();
        source.rows(first..end, &mut self.list, &mut self.contexts);
        let is_asked = positions.places_of(run);
        self.rows.fill(&self.list, &self.contexts, is_asked);
        &self.rows
    }
}
