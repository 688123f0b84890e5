//! Between the indices of files, where identical pieces are interchangeable, and the grid,
//! where every piece has a coordinate of its own.

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
    /// For every digit, its place in the grid in each way.
    offsets: Vec<u32>,
}

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
        let groups = index
            .groups()
            .iter()
            .map(|group| {
                let coordinates: Vec<_> = layout
                    .coordinates
                    .iter()
                    .filter(|c| group.places().contains(&c.piece))
                    .collect();
                let count = coordinates.len();
                let ways = permutations(count);
                let mut offsets = Vec::with_capacity(group.size() as usize * ways.len());
                let mut squares = vec![Square(0); count];
                for idx in 0..group.size() {
                    group.squares_of(idx, &mut squares);
                    offsets.extend(ways.iter().map(|way| {
                        let place = |(slot, c): (usize, &&Coordinate)| {
                            (squares[way[slot]].index() - c.low) * c.stride
                        };
                        coordinates.iter().enumerate().map(place).sum::<usize>() as u32
                    }));
                }
                Places {
                    size: group.size() as usize,
                    ways: ways.len(),
                    offsets,
                }
            })
            .collect();
        GridMap {
            groups,
            block_indices: index.indices_per_pair() as usize,
            block_positions: layout.block_positions(),
            leaderless: None,
        }
    }

    /// Writes `value(index)` to every place in the grid of each index of a
    /// block; `out` is the block. Indices count from 0 over the whole material.
    /// The grid must have leaders.
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
        // There are few identical pieces: each way to place a group is walked separately,
        // starting again at the index where the group began.
        let Some(places) = self.groups.get(group) else {
            out[position] = value(*index);
            *index += 1;
            return;
        };
        for ways in places.offsets.chunks_exact(places.ways) {
            let start = *index;
            for &offset in ways {
                *index = start;
                self.scatter_from(group + 1, position + offset as usize, index, out, value);
            }
        }
    }

    /// Calls `visit` with the place in the whole grid of every index of a
    /// range, in ascending order.
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
        let mut idx = range.start as usize;
        let end = range.end as usize;
        while idx < end {
            let block = idx / self.block_indices;
            let within = idx % self.block_indices;
            let base = block * self.block_positions;
            // All but the last group stay the same for a run of indices.
            let Some((last, leading)) = self.groups.split_last() else {
                visit(base);
                idx += 1;
                continue;
            };
            let mut rest = within / last.size;
            let mut position = base;
            for places in leading.iter().rev() {
                position += places.offsets[rest % places.size * places.ways] as usize;
                rest /= places.size;
            }
            let from = within % last.size;
            let to = last.size.min(from + end - idx);
            for offset in last.offsets[from * last.ways..to * last.ways]
                .iter()
                .step_by(last.ways)
            {
                visit(position + *offset as usize);
            }
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
            "KQvK", "KRvKB", "KNNvK", "KPPvK", "KPvKP", "KRRPvK", "KNNNvK",
        ] {
            let material = Material::parse(Game::Orthodox, name).unwrap();
            let layout = Layout::new(Game::Orthodox, &material).unwrap();
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
}
