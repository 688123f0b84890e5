//! Positions by the few thousand, as they are worked on.

use retrograde_learned::{Columns, LearnedError, Row, Rows};

use crate::positions::Positions;
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
}

impl Batch {
    /// The indices of a run. The features of so many positions stay in the cache.
    pub(crate) const RUN: usize = 4096;

    /// Takes the positions of a run that pass a test.
    pub(crate) fn take(
        &mut self,
        positions: &Positions,
        run: u64,
        test: impl Fn(u64, u16) -> bool,
    ) {
        self.indices.clear();
        self.symbols.clear();
        let symbols = positions.symbols_of(run).iter();
        for (index, &symbol) in positions.indices_of(run).zip(symbols) {
            if test(index, symbol) {
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
}

impl RowBatch {
    /// Room for the runs of a source.
    pub(crate) fn new(source: &impl Source) -> Result<RowBatch, LearnedError> {
        Ok(RowBatch {
            rows: Rows::new(source.features(), source.moving_piece())?,
            list: Vec::new(),
            contexts: Vec::new(),
        })
    }

    /// The rows of a run, whose positions are asked for if their values matter.
    pub(crate) fn look(&mut self, source: &impl Source, positions: &Positions, run: u64) -> &Rows {
        let (features, first) = (source.features(), run * Batch::RUN as u64);
        let end = source.indices().min(first + Batch::RUN as u64);
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
