//! From the grid of a solved material to the values of its tables.

use std::marker::PhantomData;
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
    words: Words,
    value: F,
    word: PhantomData<W>,
}

/// Splits places into words and bits. A division for every value would take longer than
/// all else.
#[derive(Clone, Copy)]
struct Words {
    squares: usize,
    /// 2^64 over the number of squares, rounded up: multiplied by a place of less than 2^57,
    /// it errs by less than the 128th part of 2^64, so that the quotient is exact.
    reciprocal: u64,
}

impl Words {
    fn new(squares: usize) -> Words {
        debug_assert!((2..=128).contains(&squares));
        Words {
            squares,
            reciprocal: u64::MAX / squares as u64 + 1,
        }
    }

    #[inline(always)]
    fn split(self, place: usize) -> (usize, usize) {
        let word = ((place as u128 * u128::from(self.reciprocal)) >> 64) as usize;
        (word, place - word * self.squares)
    }
}

impl<W: Word, F: Fn(Colour, usize, usize) -> i16 + Send + Sync> FromGrid<W, F> {
    pub(super) fn new(board: W::Board, value: F) -> FromGrid<W, F> {
        FromGrid {
            words: Words::new(board.squares()),
            value,
            word: PhantomData,
        }
    }
}

impl<W: Word, F: Fn(Colour, usize, usize) -> i16 + Send + Sync> GridValues for FromGrid<W, F> {
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let words = self.words;
        let mut out = out.iter_mut();
        map.gather(range, |position| {
            if let Some(out) = out.next() {
                let (word, bit) = words.split(position);
                *out = (self.value)(turn, word, bit);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_split_as_a_division_does() {
        for squares in [64, 80, 81, 99, 100, 127, 128] {
            let words = Words::new(squares);
            let edges = [1 << 32, 1 << 40, (1 << 57) - 1];
            for near in edges.into_iter().chain([0, 10_000]) {
                for place in (near / squares).saturating_sub(2)..near / squares + 2 {
                    for place in [place * squares, (place + 1) * squares - 1] {
                        assert_eq!(words.split(place), (place / squares, place % squares));
                    }
                }
            }
        }
    }
}
