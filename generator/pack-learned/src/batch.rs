//! Positions by the few thousand, as they are worked on.

use rayon::prelude::*;
use retrograde_learned::{Columns, LearnedError, Row, Rows};

use crate::source::Source;

/// Some positions out of a run of indices.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// Their indices, ascending.
    pub(crate) indices: Vec<u64>,
    /// Their symbols, once [`Batch::take`] was called.
    pub(crate) symbols: Vec<u16>,
    /// Their features, once [`Batch::look`] was called.
    pub(crate) columns: Columns,
    squares: Vec<u8>,
    contexts: Vec<u8>,
    run: Vec<Option<u16>>,
}

impl Batch {
    /// The indices of a run. The features of so many positions stay in the cache.
    pub(crate) const RUN: usize = 4096;

    /// The symbols of a run of indices, if their values matter.
    pub(crate) fn run(&mut self, source: &impl Source, first: u64) -> &[Option<u16>] {
        let len = (source.indices() - first).min(Batch::RUN as u64) as usize;
        self.run.clear();
        self.run.resize(len, None);
        source.cells(first, &mut self.run);
        &self.run
    }

    /// Takes the positions of a run whose value matters and that pass a test.
    pub(crate) fn take(
        &mut self,
        source: &impl Source,
        first: u64,
        test: impl Fn(u64, u16) -> bool,
    ) {
        self.run(source, first);
        self.indices.clear();
        self.symbols.clear();
        for (index, &cell) in (first..).zip(&self.run) {
            if let Some(symbol) = cell.filter(|&symbol| test(index, symbol)) {
                self.indices.push(index);
                self.symbols.push(symbol);
            }
        }
    }

    /// Works out the features of positions whose value matters, at most [`Columns::MOST`].
    pub(crate) fn look_at(&mut self, source: &impl Source, indices: &[u64]) {
        self.indices.clear();
        self.indices.extend_from_slice(indices);
        self.look(source);
    }

    /// Works out the features of the positions.
    pub(crate) fn look(&mut self, source: &impl Source) {
        let (features, len) = (source.features(), self.indices.len());
        self.squares.clear();
        self.squares.resize(features.pieces() * len, 0);
        self.contexts.clear();
        self.contexts.resize(features.contexts().len() * len, 0);
        source.placements(&self.indices, &mut self.squares, &mut self.contexts);
        self.columns
            .fill(features, len, &self.squares, &self.contexts);
    }
}

/// A run of indices by rows.
pub(crate) struct RowBatch {
    rows: Rows,
    list: Vec<Row>,
    contexts: Vec<u8>,
    cells: Vec<Option<u16>>,
}

impl RowBatch {
    /// Room for the runs of a source.
    pub(crate) fn new(source: &impl Source) -> Result<RowBatch, LearnedError> {
        Ok(RowBatch {
            rows: Rows::new(source.features(), source.moving_piece())?,
            list: Vec::new(),
            contexts: Vec::new(),
            cells: Vec::new(),
        })
    }

    /// The rows of a run, whose positions are asked for if their values matter, and the symbols
    /// of these.
    pub(crate) fn look(&mut self, source: &impl Source, first: u64) -> (&Rows, &mut [Option<u16>]) {
        let (features, end) = (source.features(), source.indices());
        let end = end.min(first + Batch::RUN as u64);
        let len = (end - first) as usize;
        self.cells.clear();
        self.cells.resize(len, None);
        source.cells(first, &mut self.cells);
        self.contexts.clear();
        self.contexts.resize(features.contexts().len() * len, 0);
        self.list.clear();
        source.rows(first..end, &mut self.list, &mut self.contexts);
        let is_asked = |place: usize| self.cells[place].is_some();
        self.rows.fill(&self.list, &self.contexts, is_asked);
        (&self.rows, &mut self.cells)
    }
}

/// The first index of each run of a source.
pub(crate) fn runs(source: &impl Source) -> impl IndexedParallelIterator<Item = u64> {
    let count = source.indices().div_ceil(Batch::RUN as u64);
    (0..count as usize)
        .into_par_iter()
        .map(|number| number as u64 * Batch::RUN as u64)
}
