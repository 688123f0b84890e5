//! From the grid of a solved material to the values of its tables.

use std::ops::Range;

use retrograde_index::Index;
use retrograde_rules::Colour;

use super::grid::GridMap;
use super::layout::Layout;
use super::word::{BoardShape, Word};

/// Marks indices without a position: a table may hold anything there.
pub const UNUSED: i16 = i16::MIN;

/// Values by place in the grid.
pub(super) trait GridValues: Send + Sync {
    /// Writes the values of a range of indices.
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]);
}

/// Values by word and bit, given by a function.
pub(super) struct FromGrid<W: Word, F> {
    board: W::Board,
    value: F,
}

impl<W: Word, F: Fn(Colour, usize, usize) -> i16 + Send + Sync> FromGrid<W, F> {
    pub(super) fn new(board: W::Board, value: F) -> FromGrid<W, F> {
        FromGrid { board, value }
    }
}

impl<W: Word, F: Fn(Colour, usize, usize) -> i16 + Send + Sync> GridValues for FromGrid<W, F> {
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let squares = self.board.squares();
        let mut out = out.iter_mut();
        map.gather(range, |position| {
            if let Some(out) = out.next() {
                *out = (self.value)(turn, position / squares, position % squares);
            }
        });
    }
}

/// Reads values of a solved material in the order of an index.
pub struct GridReader<'a> {
    map: GridMap,
    /// If some of its indices stand for nothing.
    index: Option<Index>,
    values: Box<dyn GridValues + 'a>,
}

impl<'a> GridReader<'a> {
    pub(super) fn new(
        layout: &Layout,
        index: &Index,
        values: Box<dyn GridValues + 'a>,
    ) -> GridReader<'a> {
        GridReader {
            map: GridMap::with_index(layout, index),
            index: index.has_equal_leaders().then(|| index.clone()),
            values,
        }
    }

    /// Writes the values of a range of indices as tables store them, or
    /// [`UNUSED`](super::UNUSED) where a table may hold anything. `out` is as
    /// long as the range.
    pub fn fill(&self, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        self.values.fill(&self.map, turn, range.clone(), out);
        if let Some(index) = &self.index {
            let mut out = out.iter_mut();
            index.each_canonical(range, |canonical| {
                if let Some(out) = out.next()
                    && !canonical
                {
                    *out = UNUSED;
                }
            });
        }
    }
}
