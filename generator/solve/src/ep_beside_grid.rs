//! Solves the positions with an e.p. right that are kept beside the grid (C6), a set per pawn.
//!
//! In them a pawn has just made a double step and can be taken en passant.
//!
//! The value of such a position, the *placement* with the right, is the better of that of
//! the placement without it and of the best capture. It is won as soon as one of them is,
//! and lost as soon as both are. Only the double step leads to it.

use retrograde_rules::{Colour, EnPassant, Piece, PieceType};

use super::attack::legal_in_row;
use super::convert::{Conversions, occupied_at, squares_at, where_on};
use super::depth::Depth;
use super::depth::TooDeep;
use super::goal::keep_unfinished;
use super::layout::{Layout, RowAt};
use super::movement::Between;
use super::parallel::{each, map};
use super::plane::{Plane, new_and_old};
use super::schedule::{self, falling};
use super::score::{self, Verdict};
use super::squares::{beyond, doubled_steps, ep_arrivals, filled, members, room};
use super::steps::Step;
use super::word::{BoardShape, Word};

/// The positions in which one pawn of the side not to move can be captured en passant.
pub(crate) struct Pushed<W, D> {
    /// The pawn's place among the pieces of the material.
    pub(crate) pawn: usize,
    /// The step that its double step is made of.
    pub(crate) step: Step,
    /// The placements in which it could be captured if it had just arrived.
    pub(crate) rights: Plane<W>,
    /// The undecided ones among them.
    pub(crate) open: Plane<W>,
    /// The placements in which the best capture wins.
    winning: Vec<W>,
    /// The placements in which all captures are known to lose.
    fallen: Vec<W>,
    /// The ply at which the best capture falls due.
    depth: Vec<D>,
    /// The first coming ply in the depths of each word.
    due: Vec<D>,
    /// The placements found won and found lost at the current ply and the previous one, by parity
    /// of the ply.
    pub(crate) won: [Plane<W>; 2],
    pub(crate) lost: [Plane<W>; 2],
}

/// The input of the first pass of a ply for one pawn.
pub(crate) struct KnownPushed<'a, W, D> {
    pub(crate) pawn: usize,
    pub(crate) step: Step,
    pub(crate) rights: &'a Plane<W>,
    pub(crate) open: &'a Plane<W>,
    pub(crate) won: &'a Plane<W>,
    pub(crate) lost: &'a Plane<W>,
    winning: &'a [W],
    depth: &'a [D],
}

/// The output of the first pass of a ply for one pawn and one block.
pub(crate) struct NewPushed<'a, W, D> {
    due: &'a mut [D],
    fallen: &'a mut [W],
    won: &'a mut [W],
    won_any: &'a mut [W],
    lost: &'a mut [W],
    lost_any: &'a mut [W],
}

/// The output of the first pass of a ply for one block, by pawn.
pub(crate) type NewOfBlock<'a, W, D> = Vec<NewPushed<'a, W, D>>;

/// The input of a ply, by pawn, and its output, by block.
pub(crate) type KnownAndNew<'a, W, D> = (Vec<KnownPushed<'a, W, D>>, Vec<NewOfBlock<'a, W, D>>);

/// The findings of a ply about the placements of a row without rights.
pub(crate) struct PushedFound<'a, W> {
    pub(crate) block: usize,
    pub(crate) row: usize,
    pub(crate) ply: usize,
    pub(crate) won: &'a [W],
    pub(crate) won_any: W,
    pub(crate) lost: &'a [W],
    pub(crate) lost_any: W,
    /// The planes as they were before the ply, whole.
    pub(crate) open: &'a [W],
    pub(crate) winning: &'a [W],
    pub(crate) blocked: &'a std::collections::HashMap<usize, W>,
}

impl<W: Word, D: Depth> Pushed<W, D> {
    /// The sets for the side to move, initialised for the first ply, and the ply at which
    /// the last capture falls due.
    pub(crate) fn start(
        layout: &Layout,
        between: &Between<W>,
        conversions: &Conversions<'_>,
        mover: Colour,
    ) -> Result<(Vec<Pushed<W, D>>, usize), TooDeep> {
        if !between.board.moves().double_steps || layout.game.ep_by() == EnPassant::Off {
            return Ok((Vec::new(), 0));
        }
        let pushers = layout.pieces.iter().enumerate();
        let pushers = pushers.filter(|(_, m)| **m == Piece::new(mover.other(), PieceType::Pawn));
        let mut last_due = 0;
        let mut list = Vec::new();
        let steps = doubled_steps(between.board, mover.other());
        let pushers = pushers.flat_map(|(pawn, _)| steps.iter().map(move |&step| (pawn, step)));
        for (pawn, step) in pushers {
            let words = layout.words();
            let mut pushed = Pushed {
                pawn,
                step,
                rights: Plane::new(layout),
                open: Plane::new(layout),
                winning: vec![W::ZERO; words],
                fallen: vec![W::ZERO; words],
                depth: vec![D::NONE; words * layout.squares],
                due: vec![D::NONE; words],
                won: [0, 1].map(|_| Plane::new(layout)),
                lost: [0, 1].map(|_| Plane::new(layout)),
            };
            last_due = last_due.max(pushed.fill_in(layout, between, conversions, mover)?);
            pushed.open.words.copy_from_slice(&pushed.rights.words);
            pushed.open.any.copy_from_slice(&pushed.rights.any);
            list.push(pushed);
        }
        Ok((list, last_due))
    }

    fn fill_in(
        &mut self,
        layout: &Layout,
        between: &Between<W>,
        conversions: &Conversions<'_>,
        mover: Colour,
    ) -> Result<usize, TooDeep> {
        let (words, rows) = (layout.block_words(), layout.rows);
        let pawn = (self.pawn, self.step);
        let rights = self.rights.words.chunks_mut(words);
        let rights = rights.zip(self.rights.any.chunks_mut(rows));
        let times = self.depth.chunks_mut(words * layout.squares);
        let times = times.zip(self.due.chunks_mut(words));
        let blocks = rights.zip(self.winning.chunks_mut(words)).zip(times);
        let plies = map(
            blocks.enumerate(),
            |(block, (((rights, any), winning), (depth, due)))| {
                let parts = Parts {
                    rights,
                    any,
                    winning,
                    depth,
                    due,
                };
                parts.fill_in((layout, between), conversions, mover, pawn, block)
            },
        );
        plies
            .into_iter()
            .try_fold(0, |last, ply| Ok(ply?.max(last)))
    }

    /// Splits the sets of a side into what a ply reads and, block by block, writes.
    pub(crate) fn split<'a>(
        layout: &Layout,
        all: &'a mut [Pushed<W, D>],
        ply: usize,
    ) -> KnownAndNew<'a, W, D> {
        let mut known = Vec::new();
        let mut new: Vec<NewOfBlock<'a, W, D>> = Vec::new();
        new.resize_with(layout.blocks(), Vec::new);
        let (words, rows) = (layout.block_words(), layout.rows);
        for pushed in all {
            let (won_new, won) = new_and_old(&mut pushed.won, ply);
            let (lost_new, lost) = new_and_old(&mut pushed.lost, ply);
            known.push(KnownPushed {
                pawn: pushed.pawn,
                step: pushed.step,
                rights: &pushed.rights,
                open: &pushed.open,
                won,
                lost,
                winning: &pushed.winning,
                depth: &pushed.depth,
            });
            let parts = pushed
                .fallen
                .chunks_mut(words)
                .zip(pushed.due.chunks_mut(words))
                .zip(won_new.words.chunks_mut(words))
                .zip(won_new.any.chunks_mut(rows))
                .zip(lost_new.words.chunks_mut(words))
                .zip(lost_new.any.chunks_mut(rows));
            for (block, parts) in new.iter_mut().zip(parts) {
                let (((((fallen, due), won), won_any), lost), lost_any) = parts;
                block.push(NewPushed {
                    due,
                    fallen,
                    won,
                    won_any,
                    lost,
                    lost_any,
                });
            }
        }
        (known, new)
    }

    /// The second pass of a ply: stores what was found.
    pub(crate) fn write_down(&mut self, layout: &Layout, ply: usize) {
        let (words, rows, lanes) = (layout.block_words(), layout.rows, layout.lanes);
        let found = [&self.won[ply % 2], &self.lost[ply % 2]];
        let blocks = self.open.words.chunks_mut(words);
        let blocks = blocks.zip(self.open.any.chunks_mut(rows)).enumerate();
        each(blocks, |(block, (open, any))| {
            let open = open.chunks_exact_mut(lanes).zip(any);
            for (row, (open, any)) in (block * rows..).zip(open) {
                for plane in found {
                    for lane in members(plane.any[row]) {
                        open[lane] &= !plane.words[row * lanes + lane];
                        if open[lane].is_empty() {
                            *any &= !W::of(lane);
                        }
                    }
                }
            }
        });
    }
}

/// The parts of the sets for one pawn that belong to one block.
struct Parts<'a, W, D> {
    rights: &'a mut [W],
    any: &'a mut [W],
    winning: &'a mut [W],
    depth: &'a mut [D],
    due: &'a mut [D],
}

impl<W: Word, D: Depth> Parts<'_, W, D> {
    /// Finds the captures in one block; returns the ply at which the last
    /// falls due.
    fn fill_in(
        self,
        (layout, between): (&Layout, &Between<W>),
        conversions: &Conversions<'_>,
        mover: Colour,
        (pawn, (files, ranks)): (usize, Step),
        block: usize,
    ) -> Result<usize, TooDeep> {
        let takers = conversions.en_passants_in_block::<W>(block);
        let lanes = layout.lanes;
        let arrivals = ep_arrivals::<W>(between.board, mover.other());
        let mut last_due = 0;
        for row in 0..layout.rows {
            let at = RowAt::<W>::new(layout, block, row);
            let mut placed = legal_in_row(layout, between, &at, mover);
            // A finished game has no rights.
            keep_unfinished(layout, between, &at, mover, &mut placed.as_mut()[..lanes]);
            let role = layout.role(&at, pawn);
            for lane in 0..lanes {
                let word = row * lanes + lane;
                let positions = placed.as_ref()[lane] & where_on(role, lane, arrivals);
                for bit in members(positions) {
                    let squares = squares_at(layout, &at, lane, bit);
                    let arrival = squares[pawn];
                    if room(at.board, arrival, -files, -ranks) < 2 {
                        continue;
                    }
                    let passed = beyond(at.board, arrival, -files, -ranks);
                    let origin = beyond(at.board, passed, -files, -ranks);
                    let mut occupied = occupied_at(layout, &at, lane, bit);
                    if occupied.has(passed) || occupied.has(origin) {
                        continue;
                    }
                    if layout.game.ep_vacates() {
                        occupied &= !W::of(arrival);
                    }
                    let best = takers.best_capture(pawn, passed, occupied, &squares);
                    let plies = match score::verdict(best) {
                        Verdict::None => continue,
                        Verdict::Draw => None,
                        Verdict::Win(plies) => {
                            self.winning[word] |= W::of(bit);
                            Some(plies)
                        }
                        Verdict::Loss(plies) => Some(plies),
                    };
                    self.rights[word] |= W::of(bit);
                    let Some(plies) = plies else { continue };
                    if plies > D::MOST {
                        return Err(TooDeep);
                    }
                    self.depth[word * at.board.squares() + bit] = D::of(plies);
                    schedule::note(&mut self.due[word], plies);
                    last_due = last_due.max(plies);
                }
            }
            self.any[row] = filled(&self.rights[row * lanes..][..lanes]);
        }
        Ok(last_due)
    }
}

impl<W: Word, D: Depth> KnownPushed<'_, W, D> {
    /// The first pass over one row: what is won and what is lost at this ply.
    /// Returns whether anything is.
    #[inline(always)]
    pub(crate) fn collect(
        &self,
        layout: &Layout,
        found: &PushedFound<'_, W>,
        new: &mut NewPushed<'_, W, D>,
    ) -> (bool, bool) {
        let (row, lanes) = (found.row, layout.lanes);
        let squares = layout.board::<W>().squares();
        // Words of other rows are read whatever the flags say, so those of two plies ago
        // must be cleared.
        for lane in members(std::mem::replace(&mut new.won_any[row], W::ZERO)) {
            new.won[row * lanes + lane] = W::ZERO;
        }
        for lane in members(std::mem::replace(&mut new.lost_any[row], W::ZERO)) {
            new.lost[row * lanes + lane] = W::ZERO;
        }
        let number = found.block * layout.rows + row;
        let is_due = |due: &D| *due != D::NONE && due.plies() == found.ply;
        let due = new.due[row * lanes..][..lanes].iter().any(is_due);
        if found.won_any.is_empty() && found.lost_any.is_empty() && !due {
            return (false, false);
        }
        for lane in members(self.open.any[number]) {
            let (word, place) = (row * lanes + lane, number * lanes + lane);
            let open = self.open.words[place];
            let when = |any: W, words: &[W]| if any.has(lane) { words[word] } else { W::ZERO };
            let mut won = when(found.won_any, found.won);
            if found.ply == 0 {
                // Won by stalemate, which it is not if there is a capture.
                won = W::ZERO;
            }
            let base_lost = when(found.lost_any, found.lost);
            let mut lost = W::ZERO;
            if is_due(&new.due[word]) {
                let cells = &self.depth[place * squares..][..squares];
                let (fallen, next): (W, D) = falling(cells, new.due[word]);
                new.due[word] = next;
                won |= fallen & self.winning[place];
                let fallen = fallen & !self.winning[place];
                new.fallen[word] |= fallen;
                if !fallen.is_empty() {
                    let mut decided = !found.open[place] & !found.winning[place];
                    if let Some(&blocked) = found.blocked.get(&place) {
                        // The capture is the only move.
                        decided |= blocked;
                    }
                    lost |= fallen & decided;
                }
            }
            won &= open;
            lost = (lost | base_lost & new.fallen[word]) & open & !won;
            if !won.is_empty() {
                new.won[word] = won;
                new.won_any[row] |= W::of(lane);
            }
            if !lost.is_empty() {
                new.lost[word] = lost;
                new.lost_any[row] |= W::of(lane);
            }
        }
        (!new.won_any[row].is_empty(), !new.lost_any[row].is_empty())
    }
}
