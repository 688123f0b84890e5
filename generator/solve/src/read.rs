//! From the grid of a solved class to the values of its tables.

use std::marker::PhantomData;
use std::ops::Range;

use retrograde_index::Index;
use retrograde_rules::Colour;

use super::grid::GridMap;
use super::layout::Layout;
use super::solution::UNUSED;
use super::word::Word;

/// Values by place in the grid.
pub(super) trait Values: Send + Sync {
    /// Writes the values of a range of numbers.
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]);
}

/// Values by word and bit, as a function says.
pub(super) struct FromGrid<W, F> {
    value: F,
    word: PhantomData<fn() -> W>,
}

impl<W: Word, F: Fn(Colour, usize, usize) -> i16 + Send + Sync> FromGrid<W, F> {
    pub(super) fn new(value: F) -> FromGrid<W, F> {
        FromGrid {
            value,
            word: PhantomData,
        }
    }
}

impl<W: Word, F: Fn(Colour, usize, usize) -> i16 + Send + Sync> Values for FromGrid<W, F> {
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let mut out = out.iter_mut();
        map.gather(range, |position| {
            if let Some(out) = out.next() {
                *out = (self.value)(turn, position / W::SQUARES, position % W::SQUARES);
            }
        });
    }
}

/// Reads values of a solved class in the order of an index.
pub struct Reader<'a> {
    map: GridMap,
    /// If some of its numbers stand for nothing.
    index: Option<Index>,
    values: Box<dyn Values + 'a>,
}

impl<'a> Reader<'a> {
    pub(super) fn new(layout: &Layout, index: &Index, values: Box<dyn Values + 'a>) -> Reader<'a> {
        Reader {
            map: GridMap::with_index(layout, index),
            index: index.has_equal_leaders().then(|| index.clone()),
            values,
        }
    }

    /// Writes the values of a range of numbers as tables store them, or
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
