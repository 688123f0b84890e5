//! Maps the indices of tables to places in the solver's grid, and back.
//!
//! In files identical pieces are interchangeable. In the grid pieces have coordinates: each its
//! own, but outer ones that are identical may share one.

use std::ops::Range;

use retrograde_index::Index;
use retrograde_rules::Square;

use super::layout::{Coordinate, Layout};

/// The places in the grid of one group of identical pieces.
struct Places {
    /// The number of digits of the group.
    size: usize,
    /// The number of ways to assign the squares to the pieces.
    ways: usize,
    /// The place in the grid of every digit in each way, or [`OUTSIDE`].
    offsets: Vec<u32>,
    /// The number of indices for each digit: those of the later groups.
    rest: usize,
}

/// The grid leaves this square out.
const OUTSIDE: u32 = u32::MAX;

/// Translates indices within a block to positions within a block.
pub(crate) struct GridMap {
    groups: Vec<Places>,
    block_indices: usize,
    block_positions: usize,
    /// The index, and the contribution of each piece's square to a place, if the grid has
    /// no leaders: then every index is looked up separately.
    leaderless: Option<Box<(Index, Vec<Coordinate>)>>,
}

impl GridMap {
    /// The map for the indices of an index of the same material, whatever the
    /// order of its groups.
    pub(crate) fn with_index(layout: &Layout, index: &Index) -> GridMap {
        if !layout.is_led() {
            return GridMap {
                groups: Vec::new(),
                block_indices: 1,
                block_positions: layout.block_positions(),
                leaderless: Some(Box::new((index.clone(), layout.coordinates.clone()))),
            };
        }
        let mut groups: Vec<Places> = index
            .groups()
            .iter()
            .map(|group| {
                let all = layout.coordinates.iter().enumerate();
                let coordinates: Vec<usize> = all
                    .filter(|(_, c)| group.places().contains(&c.piece))
                    .map(|(coordinate, _)| coordinate)
                    .collect();
                let count = coordinates.len();
                let ways = permutations(count);
                let mut offsets = Vec::with_capacity(group.size() as usize * ways.len());
                let mut squares = vec![Square(0); count];
                for idx in 0..group.size() {
                    group.squares_of(idx, &mut squares);
                    offsets.extend(ways.iter().map(|way| {
                        let square = |slot: usize| squares[way[slot]].index();
                        let slots = coordinates.iter().enumerate();
                        let pieces: Vec<_> = slots.map(|(slot, &c)| (c, square(slot))).collect();
                        let offset = layout.place_of(&pieces);
                        offset.map_or(OUTSIDE, |offset| offset as u32)
                    }));
                }
                Places {
                    size: group.size() as usize,
                    ways: ways.len(),
                    offsets,
                    rest: 0,
                }
            })
            .collect();
        let mut rest = 1;
        for places in groups.iter_mut().rev() {
            places.rest = rest;
            rest *= places.size;
        }
        GridMap {
            groups,
            block_indices: index.indices_per_pair() as usize,
            block_positions: layout.block_positions(),
            leaderless: None,
        }
    }

    /// Writes `value(index)` to every place in the grid of each index of a
    /// block; `out` is the block. Indices count from 0 over the whole material.
    /// The grid must have leaders; it may leave squares out.
    pub(crate) fn scatter<T: Copy>(&self, block: usize, out: &mut [T], value: impl Fn(usize) -> T) {
        let mut index = block * self.block_indices;
        self.scatter_from(0, 0, &mut index, out, &value);
    }

    fn scatter_from<T: Copy>(
        &self,
        group: usize,
        position: usize,
        index: &mut usize,
        out: &mut [T],
        value: &impl Fn(usize) -> T,
    ) {
        let Some(places) = self.groups.get(group) else {
            out[position] = value(*index);
            *index += 1;
            return;
        };
        if group + 1 == self.groups.len() {
            for (digit, ways) in places.offsets.chunks_exact(places.ways).enumerate() {
                for &offset in ways {
                    if offset != OUTSIDE {
                        out[position + offset as usize] = value(*index + digit);
                    }
                }
            }
            *index += places.size;
            return;
        }
        // There are few identical pieces: each way to place a group is walked separately,
        // starting again at the index where the group began.
        for ways in places.offsets.chunks_exact(places.ways) {
            let start = *index;
            for &offset in ways {
                *index = start;
                if offset != OUTSIDE {
                    self.scatter_from(group + 1, position + offset as usize, index, out, value);
                }
            }
            *index = start + places.rest;
        }
    }

    /// The number of places in a block; `None` if the grid has no leaders, and so no blocks
    /// that indices share.
    pub(crate) fn block_places(&self) -> Option<usize> {
        self.leaderless.is_none().then_some(self.block_positions)
    }

    /// The blocks of a range of indices, each with its part of the range. The grid must
    /// have leaders.
    pub(crate) fn blocks(&self, range: Range<u64>) -> impl Iterator<Item = (usize, Range<u64>)> {
        let indices = self.block_indices as u64;
        let all = range.start / indices..range.end.div_ceil(indices);
        all.map(move |block| {
            let part = block * indices..(block + 1) * indices;
            let part = part.start.max(range.start)..part.end.min(range.end);
            (block as usize, part)
        })
    }

    /// Calls `visit` with the place in the whole grid of every index of a
    /// range, in ascending order. The grid must have a place for all of them.
    #[inline]
    pub(crate) fn gather(&self, range: Range<u64>, mut visit: impl FnMut(usize)) {
        if let Some((index, coordinates)) = self.leaderless.as_deref() {
            let mut squares = vec![Square(0); coordinates.len()];
            for idx in range {
                index.decode(idx, &mut squares);
                let place = |c: &Coordinate| c.place_of(squares[c.piece].index());
                visit(coordinates.iter().map(place).sum());
            }
            return;
        }
        for (block, part) in self.blocks(range) {
            let base = block * self.block_positions;
            self.runs(block, part, |first, offsets, ways| {
                for &offset in offsets.iter().step_by(ways) {
                    visit(base + first + offset as usize);
                }
            });
        }
    }

    /// Writes the values of a range of indices of a block, `values` being those of its
    /// places. The grid must have leaders.
    pub(crate) fn gather_values<T: Copy>(
        &self,
        block: usize,
        part: Range<u64>,
        values: &[T],
        out: &mut [T],
    ) {
        let mut out = out;
        self.runs(block, part, |first, offsets, ways| {
            let (run, rest) = std::mem::take(&mut out).split_at_mut(offsets.len() / ways);
            out = rest;
            let values = &values[first..];
            match ways {
                // The loop is tighter if it knows.
                1 => run.iter_mut().zip(offsets).for_each(|(out, &offset)| {
                    *out = values[offset as usize];
                }),
                _ => {
                    let offsets = offsets.iter().step_by(ways);
                    run.iter_mut().zip(offsets).for_each(|(out, &offset)| {
                        *out = values[offset as usize];
                    });
                }
            }
        });
    }

    /// Calls `visit` for every run of indices of a block that differ in the last group
    /// only, with the place in the block of the other groups, the offsets of the last one,
    /// and its number of ways, of which the first is meant.
    #[inline]
    fn runs(&self, block: usize, part: Range<u64>, mut visit: impl FnMut(usize, &[u32], usize)) {
        let first = block * self.block_indices;
        let mut idx = part.start as usize - first;
        let end = part.end as usize - first;
        let Some((last, leading)) = self.groups.split_last() else {
            (idx..end).for_each(|_| visit(0, &[0], 1));
            return;
        };
        while idx < end {
            let mut rest = idx / last.size;
            let mut position = 0;
            for places in leading.iter().rev() {
                position += places.offsets[rest % places.size * places.ways] as usize;
                rest /= places.size;
            }
            let from = idx % last.size;
            let to = last.size.min(from + end - idx);
            let offsets = &last.offsets[from * last.ways..to * last.ways];
            visit(position, offsets, last.ways);
            idx += to - from;
        }
    }
}

/// All orders of `count` things, the identity first.
fn permutations(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        all = all
            .into_iter()
            .flat_map(|order: Vec<usize>| {
                (0..count)
                    .filter(|next| !order.contains(next))
                    .map(|next| order.iter().copied().chain([next]).collect())
                    .collect::<Vec<_>>()
            })
            .collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Game, Material};

    use super::*;

    #[test]
    fn gathering_what_was_scattered_gives_it_back() {
        for name in [
            "KQvK", "KRvKB", "KNNvK", "KPPvK", "KPvKP", "KRRPvK", "KNNNvK", "KRRRvKN", "KNNvKRR",
        ] {
            let material = Material::parse(Game::default(), name).unwrap();
            let layout = Layout::to_solve(Game::default(), &material).unwrap();
            let map = GridMap::with_index(&layout, &layout.index);
            let mut grid = vec![usize::MAX; 3 * layout.block_positions()];
            for (block, out) in grid.chunks_mut(layout.block_positions()).enumerate() {
                map.scatter(block, out, |index| index);
            }
            let range = 5..3 * layout.index.indices_per_pair() - 7;
            let mut next = range.start as usize;
            map.gather(range.clone(), |position| {
                assert_eq!(grid[position], next, "{name}");
                next += 1;
            });
            assert_eq!(next, range.end as usize);
        }
    }

    #[test]
    fn only_promoted_pieces_on_the_last_rank_are_scattered() {
        for (name, letter, place, rank) in [
            ("KQPvKP", 'Q', 1, 7),
            ("KQQPvK", 'Q', 2, 7),
            ("KRPvKN", 'n', 4, 0),
        ] {
            let material = Material::parse(Game::default(), name).unwrap();
            let promoted = retrograde_rules::Piece::from_letter(letter);
            let layout = Layout::of_successor(Game::default(), &material, promoted).unwrap();
            let all = Layout::new(Game::default(), &material).unwrap();
            assert_eq!(8 * layout.coordinates[0].squares, 64, "{name}");
            assert!(5 * layout.words() < all.words(), "{name}");
            let map = GridMap::with_index(&layout, &layout.index);
            let block = 3;
            let mut grid = vec![u64::MAX; layout.block_positions()];
            map.scatter(block, &mut grid, |index| index as u64);
            let pair = layout.index.indices_per_pair();
            let mut squares = vec![Square(0); layout.pieces.len()];
            let mut found = 0;
            for index in block as u64 * pair..(block as u64 + 1) * pair {
                layout.index.decode(index, &mut squares);
                // Of identical pieces each may be the promoted one.
                let piece = layout.pieces[place];
                let equals = (0..squares.len()).filter(|&n| layout.pieces[n] == piece);
                for other in equals {
                    let mut squares = squares.clone();
                    squares.swap(place, other);
                    if squares[place].index() / 8 != rank {
                        continue;
                    }
                    let coordinates = layout.coordinates.iter();
                    let at = |c: &Coordinate| c.place_of(squares[c.piece].index());
                    assert_eq!(grid[coordinates.map(at).sum::<usize>()], index, "{name}");
                    found += 1;
                }
            }
            assert_eq!(
                grid.iter().filter(|&&n| n != u64::MAX).count(),
                found,
                "{name}"
            );
        }
    }
}
