//! Reads the values of a material's tables, in the order of an index, from the solved grid.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use retrograde_index::Index;
use retrograde_rules::Colour;

use super::gather::Values;
use super::grid::GridMap;
use super::layout::Layout;

/// Marks indices without a position: a table may hold anything there.
pub const UNUSED: i16 = i16::MIN;

/// Values by place in the grid.
pub(super) trait GridValues: Send + Sync {
    /// Writes the values of a range of indices, one by one.
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]);

    /// Writes the values of all places from a word on. This is much faster for each of
    /// them.
    fn words(&self, turn: Colour, first: usize, out: &mut [i16]);
}

/// Values by word and byte of it, given by a function; another finds the words.
pub(super) struct FromGrid<L, F> {
    words: Words,
    locate: L,
    value: F,
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

impl<P, L, F> FromGrid<L, F>
where
    P: Copy,
    L: Fn(usize) -> P + Send + Sync,
    F: Fn(Colour, P, usize) -> Values + Send + Sync,
{
    /// The values of the eight squares from 8n on of a word are
    /// `value(turn, locate(word), n)`.
    pub(super) fn new(squares: usize, locate: L, value: F) -> FromGrid<L, F> {
        FromGrid {
            words: Words::new(squares),
            locate,
            value,
        }
    }
}

impl<P, L, F> GridValues for FromGrid<L, F>
where
    P: Copy,
    L: Fn(usize) -> P + Send + Sync,
    F: Fn(Colour, P, usize) -> Values + Send + Sync,
{
    fn fill(&self, map: &GridMap, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let words = self.words;
        let mut out = out.iter_mut();
        map.gather(range, |position| {
            if let Some(out) = out.next() {
                let (word, bit) = words.split(position);
                *out = (self.value)(turn, (self.locate)(word), bit / 8)[bit % 8];
            }
        });
    }

    fn words(&self, turn: Colour, first: usize, out: &mut [i16]) {
        let words = out.chunks_exact_mut(self.words.squares);
        for (word, out) in (first..).zip(words) {
            let word = (self.locate)(word);
            for (n, out) in out.chunks_mut(8).enumerate() {
                let values = (self.value)(turn, word, n);
                match out.first_chunk_mut() {
                    Some(out) => *out = values,
                    None => out.copy_from_slice(&values[..out.len()]),
                }
            }
        }
    }
}

/// The least part of a block for which all of it is read.
const LEAST_PART: usize = 16;

/// The values of a block by place.
#[derive(Default)]
struct Block {
    /// The side to move, the layer and the number of the block.
    of: Option<(Colour, usize, usize)>,
    values: Vec<i16>,
}

/// Reads values of a solved material in the order of an index.
pub struct GridReader<'a> {
    map: GridMap,
    squares: usize,
    /// Blocks that were read last, as many as there are threads: the next range is often
    /// of the same block.
    blocks: Mutex<Vec<Block>>,
    /// The index, if some of its indices stand for nothing.
    index: Option<Index>,
    /// The number of indices of a layer.
    layer_len: u64,
    /// The values of each layer of the index.
    layers: Vec<Box<dyn GridValues + 'a>>,
}

impl<'a> GridReader<'a> {
    pub(super) fn new(
        layout: &Layout,
        index: &Index,
        layers: Vec<Box<dyn GridValues + 'a>>,
    ) -> GridReader<'a> {
        GridReader {
            map: GridMap::with_index(layout, index),
            squares: layout.squares,
            blocks: Mutex::default(),
            index: index.has_equal_leaders().then(|| index.clone()),
            layer_len: index.layer_len(),
            layers,
        }
    }

    /// Writes the values of a range of indices as tables store them, or
    /// [`UNUSED`](super::UNUSED) where a table may hold anything. `out` is as
    /// long as the range.
    pub fn fill(&self, turn: Colour, range: Range<u64>, out: &mut [i16]) {
        let (mut next, mut rest) = (range.start, out);
        while next < range.end {
            let before = next - next % self.layer_len;
            let end = range.end.min(before + self.layer_len);
            let (part, after) = rest.split_at_mut((end - next) as usize);
            let layer = (before / self.layer_len) as usize;
            self.fill_part(turn, layer, next - before..end - before, part);
            (next, rest) = (end, after);
        }
    }

    /// Writes the values of a range of indices of a layer.
    fn fill_part(&self, turn: Colour, layer: usize, range: Range<u64>, out: &mut [i16]) {
        match self.map.block_places() {
            Some(places) if out.len() * LEAST_PART >= places => {
                self.fill_by_blocks(turn, layer, range.clone(), places, out);
            }
            _ => self.layers[layer].fill(&self.map, turn, range.clone(), out),
        }
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

    fn fill_by_blocks(
        &self,
        turn: Colour,
        layer: usize,
        range: Range<u64>,
        places: usize,
        out: &mut [i16],
    ) {
        let mut out = out;
        for (block, part) in self.map.blocks(range) {
            let kept = self.block(turn, layer, block, places);
            let (here, rest) = out.split_at_mut((part.end - part.start) as usize);
            self.map.gather_values(block, part, &kept.values, here);
            out = rest;
            let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
            blocks.push(kept);
        }
    }

    /// The values of a block, for the caller alone.
    fn block(&self, turn: Colour, layer: usize, block: usize, places: usize) -> Block {
        let of = Some((turn, layer, block));
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let same = blocks.iter().position(|kept| kept.of == of);
        let any = same.or_else(|| blocks.len().checked_sub(1));
        let mut kept = any.map_or_else(Block::default, |any| blocks.swap_remove(any));
        drop(blocks);
        if same.is_none() {
            kept.of = of;
            kept.values.resize(places, UNUSED);
            let first = block * (places / self.squares);
            self.layers[layer].words(turn, first, &mut kept.values);
        }
        kept
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
