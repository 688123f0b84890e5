//! Finds, for each position of a material, the first of some sets that a quiet move leads to.
//!
//! This is one ply of search for a whole material at once: the positions after the quiet moves of a
//! side are divided into sets.

use std::sync::atomic::{AtomicBool, Ordering};

use retrograde_index::Index;
use retrograde_rules::Colour;

use super::attack::legal_in_row;
use super::depth::Depth;
use super::grid::GridMap;
use super::layout::{Layout, RowAt};
use super::movement::Between;
use super::moves::{Mover, Movers, Source};
use super::parallel::each;
use super::plane::Plane;
use super::schedule::falling;
use super::squares::{filled, members};
use super::vector::{Work, vectorized};
use super::word::Word;
use super::words::with_word;

/// Sets of positions that a side may move to, in the order in which they are tried.
pub(super) struct Sets<'a> {
    /// The positions that each set counts for, by their kinds: a set is only reached by
    /// positions of its kind.
    pub(super) kinds_of_sets: &'a [u8],
    /// Writes the set of each index, the other side to move; [`Sets::NO_SET`] for none. Indices
    /// that stand for no position may have any.
    pub(super) of: &'a (dyn Fn(std::ops::Range<u64>, &mut [u16]) + Sync),
}

impl Sets<'_> {
    /// The set of positions that are in none, and what is said of those that reach none.
    pub(super) const NO_SET: u16 = u16::MAX;
}

/// The most sets that can be told apart.
pub(super) const MOST_SETS: usize = <u16 as Depth>::MOST;

/// The first of some sets that a quiet move of a position leads to, for each index of
/// `index` with `turn` to move, or [`Sets::NO_SET`]. `kinds` has the kind of each position, 0 for
/// those that are of no interest. The leaders of the layout must be kings that differ. Runs in
/// the current rayon pool.
///
/// A double step leads to the position without an e.p. right, even if the pawn may be
/// captured.
pub(super) fn first_reached(
    layout: &Layout,
    index: &Index,
    turn: Colour,
    movers: Movers,
    kinds: &[u8],
    sets: &Sets<'_>,
) -> Vec<u16> {
    let search = Search {
        layout,
        map: &GridMap::with_index(layout, index),
        indices: index.indices_per_pair() as usize,
        turn,
        movers,
        sets,
    };
    with_word!(layout.game, W => match sets.kinds_of_sets.len() <= <u8 as Depth>::MOST {
        true => search.run::<W, u8>(kinds),
        false => search.run::<W, u16>(kinds),
    })
}

/// The input of a search.
struct Search<'a> {
    layout: &'a Layout,
    map: &'a GridMap,
    /// The number of indices of a block.
    indices: usize,
    turn: Colour,
    movers: Movers,
    sets: &'a Sets<'a>,
}

/// The positions of a kind that have reached nothing yet.
struct Asked<W> {
    words: Vec<W>,
    /// The lanes of each row that hold any.
    any: Vec<W>,
}

impl Search<'_> {
    fn run<W: Word, D: Depth>(&self, kinds: &[u8]) -> Vec<u16> {
        let layout = self.layout;
        let between = Between::<W>::new(layout.board::<W>());
        let mover = Mover::new(layout, &between);
        let (cells, mut due) = self.cells::<W, D>(&between);
        let most = self.sets.kinds_of_sets.iter().copied().max().unwrap_or(0);
        let mut asked: Vec<Asked<W>> = (1..=most).map(|kind| self.asked(kinds, kind)).collect();
        let mut found = vec![D::NONE; layout.words() * layout.squares];
        let mut plane = Plane::new(layout);
        for (set, &kind) in self.sets.kinds_of_sets.iter().enumerate() {
            let Some(asked) = kind
                .checked_sub(1)
                .and_then(|k| asked.get_mut(usize::from(k)))
            else {
                continue;
            };
            if self.select(D::of(set), &cells, &mut due, &mut plane) {
                self.search(&mover, D::of(set), &plane, asked, &mut found);
            }
        }
        drop((cells, due, asked, plane));
        self.by_index(&found)
    }

    /// The set of every place of the grid, and the first that each word has.
    fn cells<W: Word, D: Depth>(&self, between: &Between<W>) -> (Vec<D>, Vec<D>) {
        let layout = self.layout;
        let mut cells = vec![D::NONE; layout.words() * layout.squares];
        let mut due = vec![D::NONE; layout.words()];
        let blocks = cells.chunks_mut(layout.block_positions());
        let blocks = blocks.zip(due.chunks_mut(layout.block_words()));
        each(blocks.enumerate(), |(block, (cells, due))| {
            let first = block * self.indices;
            let mut sets = vec![Sets::NO_SET; self.indices];
            (self.sets.of)(first as u64..(first + self.indices) as u64, &mut sets);
            self.map
                .scatter(block, cells, |index| match sets[index - first] {
                    Sets::NO_SET => D::NONE,
                    set => D::of(usize::from(set)),
                });
            let rows = cells.chunks_exact_mut(layout.row_positions());
            for (row, (cells, due)) in rows.zip(due.chunks_exact_mut(layout.lanes)).enumerate() {
                let at = RowAt::<W>::new(layout, block, row);
                // Of a game that is finished (T2), too, there is no position after a move.
                let legal = legal_in_row(layout, between, &at, self.turn.other());
                let words = cells.chunks_exact_mut(layout.squares).zip(due);
                for ((cells, due), legal) in words.zip(legal.as_ref()) {
                    for (bit, cell) in cells.iter_mut().enumerate() {
                        if !legal.has(bit) {
                            *cell = D::NONE;
                        }
                        *due = (*cell).min(*due);
                    }
                }
            }
        });
        (cells, due)
    }

    /// The positions of a kind.
    fn asked<W: Word>(&self, kinds: &[u8], kind: u8) -> Asked<W> {
        let layout = self.layout;
        let mut words = vec![W::ZERO; layout.words()];
        let mut any = vec![W::ZERO; layout.blocks() * layout.rows];
        let blocks = words.chunks_mut(layout.block_words());
        let blocks = blocks.zip(any.chunks_mut(layout.rows)).enumerate();
        each(blocks, |(block, (words, any))| {
            let mut places = vec![0; layout.block_positions()];
            self.map.scatter(block, &mut places, |index| {
                kinds.get(index).copied().unwrap_or(0)
            });
            for (word, places) in words.iter_mut().zip(places.chunks_exact(layout.squares)) {
                for (bit, &place) in places.iter().enumerate() {
                    if place == kind {
                        *word |= W::of(bit);
                    }
                }
            }
            for (any, words) in any.iter_mut().zip(words.chunks_exact(layout.lanes)) {
                *any = filled(words);
            }
        });
        Asked { words, any }
    }

    /// Puts the positions of a set into a plane; returns whether there are any. Sets are
    /// asked for in ascending order.
    fn select<W: Word, D: Depth>(
        &self,
        set: D,
        cells: &[D],
        due: &mut [D],
        plane: &mut Plane<W>,
    ) -> bool {
        let layout = self.layout;
        let words = layout.block_words();
        let blocks = plane.words.chunks_mut(words);
        let blocks = blocks.zip(plane.any.chunks_mut(layout.rows));
        let blocks = blocks.zip(cells.chunks(words * layout.squares));
        let found = AtomicBool::new(false);
        each(
            blocks.zip(due.chunks_mut(words)),
            |(((words, any), cells), due)| {
                if vectorized(Select {
                    layout,
                    set,
                    words,
                    any,
                    cells,
                    due,
                }) {
                    found.store(true, Ordering::Relaxed);
                }
            },
        );
        plane.find_busy(layout);
        found.into_inner()
    }

    /// Finds the positions that have a quiet move to a position of the plane.
    fn search<W: Word, D: Depth>(
        &self,
        mover: &Mover<'_, W>,
        set: D,
        plane: &Plane<W>,
        asked: &mut Asked<W>,
        found: &mut [D],
    ) {
        let layout = self.layout;
        let words = layout.block_words();
        let blocks = asked.words.chunks_mut(words);
        let blocks = blocks.zip(asked.any.chunks_mut(layout.rows));
        let blocks = blocks.zip(found.chunks_mut(words * layout.squares));
        each(blocks.enumerate(), |(block, ((words, any), found))| {
            let mut out = W::EMPTY_ROW;
            let out = &mut out.as_mut()[..layout.lanes];
            let rows = words.chunks_exact_mut(layout.lanes).zip(any);
            let rows = rows.zip(found.chunks_exact_mut(layout.row_positions()));
            for (row, ((words, any), found)) in rows.enumerate() {
                if any.is_empty() {
                    continue;
                }
                let at = RowAt::new(layout, block, row);
                let from = Source {
                    plane,
                    en_passant: None,
                    arrivals: &[],
                    movers: self.movers,
                    wanted: *any,
                };
                out.fill(W::ZERO);
                mover.retract(&at, self.turn, from, out);
                for lane in members(*any & filled(out)) {
                    let reached = words[lane] & out[lane];
                    words[lane] &= !reached;
                    let cells = &mut found[lane * layout.squares..][..layout.squares];
                    members(reached).for_each(|bit| cells[bit] = set);
                    if words[lane].is_empty() {
                        *any &= !W::of(lane);
                    }
                }
            }
        });
    }

    /// The findings by index.
    fn by_index<D: Depth>(&self, found: &[D]) -> Vec<u16> {
        let mut all = vec![Sets::NO_SET; self.layout.blocks() * self.indices];
        each(all.chunks_mut(self.indices).enumerate(), |(block, out)| {
            let first = (block * self.indices) as u64;
            let mut next = out.iter_mut();
            self.map
                .gather(first..first + self.indices as u64, |place| {
                    if let Some(out) = next.next().filter(|_| found[place] != D::NONE) {
                        *out = found[place].plies() as u16;
                    }
                });
        });
        all
    }
}

/// The positions of a block that are in a set.
struct Select<'a, W, D> {
    layout: &'a Layout,
    set: D,
    words: &'a mut [W],
    any: &'a mut [W],
    cells: &'a [D],
    /// The first set from this one on that each word has.
    due: &'a mut [D],
}

impl<W: Word, D: Depth> Work for Select<'_, W, D> {
    const VECTORS: bool = W::VECTORS && D::VECTORS;
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let (lanes, squares) = (self.layout.lanes, self.layout.squares);
        let mut found = false;
        let rows = self.words.chunks_exact_mut(lanes).zip(self.any);
        let rows = rows.zip(self.due.chunks_exact_mut(lanes));
        for (row, ((words, any), due)) in rows.enumerate() {
            // What is left of the set before.
            for lane in members(*any) {
                words[lane] = W::ZERO;
            }
            *any = W::ZERO;
            // Sets that nobody asked for are passed over.
            let due = due.iter_mut().enumerate();
            for (lane, due) in due.filter(|(_, due)| **due <= self.set) {
                let cells = &self.cells[(row * lanes + lane) * squares..][..squares];
                let (word, next): (W, D) = falling(cells, self.set);
                *due = next;
                if !word.is_empty() {
                    words[lane] = word;
                    *any |= W::of(lane);
                    found = true;
                }
            }
        }
        found
    }
}
