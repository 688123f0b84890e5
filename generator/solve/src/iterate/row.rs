//! Finds the positions of one row that are won and lost at a ply, step by step.
//!
//! This is the first pass of a ply.

use std::ops::Range;

use retrograde_rules::Colour;

use super::super::attack;
use super::super::depth::Depth;
use super::super::goal::{Over, keep_unfinished, over_by_arrival};
use super::super::layout::{Layout, RowAt};
use super::super::moves::{Arrivals, Source};
use super::super::plane::{Plane, write_row};
use super::super::schedule::falling;
use super::super::squares::{filled, members};
use super::super::word::Word;
use super::{Known, New, Ply};

/// Forgets what was found in a row two plies ago, which its buffers still hold.
#[inline(always)]
pub(super) fn forget<W: Word, D>(layout: &Layout, new: &mut New<'_, W, D>, row: usize) {
    let first = row * layout.lanes;
    let won = std::mem::replace(&mut new.won_any[row], W::ZERO);
    let lost = std::mem::replace(&mut new.lost_any[row], W::ZERO);
    if layout.plain_rows {
        // The words of other rows are read whatever the flags say.
        for lane in members(won) {
            new.won[first + lane] = W::ZERO;
        }
        for lane in members(lost) {
            new.lost[first + lane] = W::ZERO;
        }
    }
}

/// A row with open positions, and what is known of it.
pub(super) struct RowPass<'p, W: Word, D> {
    ply: &'p Ply<'p, W, D>,
    side: Colour,
    mine: &'p Known<'p, W, D>,
    theirs: &'p Known<'p, W, D>,
    pub(super) at: RowAt<W>,
    /// The row among those of its block.
    row: usize,
    /// The words of the row among those of its block.
    words: Range<usize>,
    /// The first word of the row among those of the side.
    first: usize,
    open: &'p [W],
    /// The lanes with open positions.
    open_lanes: W,
}

impl<'p, W: Word, D: Depth> RowPass<'p, W, D> {
    /// `None` if no position of the row is open.
    #[inline(always)]
    pub(super) fn new(
        ply: &'p Ply<'p, W, D>,
        side: Colour,
        block: usize,
        row: usize,
    ) -> Option<RowPass<'p, W, D>> {
        let layout = ply.mover.layout;
        let mine = &ply.known[side.index()];
        let open_lanes = mine.open.any[block * layout.rows + row];
        if open_lanes.is_empty() {
            return None;
        }
        let first = (block * layout.rows + row) * layout.lanes;
        Some(RowPass {
            ply,
            side,
            mine,
            theirs: &ply.known[side.other().index()],
            at: RowAt::new(layout, block, row),
            row,
            words: row * layout.lanes..(row + 1) * layout.lanes,
            first,
            open: &mine.open.words[first..][..layout.lanes],
            open_lanes,
        })
    }

    /// The source of moves to positions of the other side that a plane holds.
    #[inline(always)]
    fn to(&self, plane: &'p Plane<W>, arrivals: &'p [Arrivals<'p, W>]) -> Source<'p, W> {
        Source {
            plane,
            en_passant: self.theirs.en_passant,
            arrivals,
            movers: self.ply.movers,
            wanted: self.open_lanes,
        }
    }

    /// The source of moves to open positions.
    #[inline(always)]
    fn to_open(&self) -> Source<'p, W> {
        let arrivals = &self.ply.arrivals[self.side.other().index()];
        self.to(self.theirs.open, &arrivals.open)
    }

    /// Adds the positions whose best conversion falls due at this ply. Returns
    /// whether there are any.
    #[inline(always)]
    pub(super) fn fall_due(
        &self,
        new: &mut New<'_, W, D>,
        won: &mut [W],
        may_lose: &mut [W],
    ) -> bool {
        if self.ply.number > self.ply.last_due {
            return false;
        }
        let squares = self.ply.mover.layout.squares;
        let now = D::of(self.ply.number);
        let mut lanes = W::ZERO;
        for (lane, due) in new.due[self.words.clone()].iter().enumerate() {
            if *due == now {
                lanes |= W::of(lane);
            }
        }
        let mut any = false;
        for lane in members(lanes & self.open_lanes) {
            let cells = &self.mine.depth[(self.first + lane) * squares..][..squares];
            let (mut fallen, next): (W, D) = falling(cells, now);
            new.due[self.words.start + lane] = next;
            fallen &= self.open[lane];
            let winning = self.mine.winning[self.first + lane];
            won[lane] = fallen & winning;
            may_lose[lane] = fallen & !winning;
            new.can_lose[self.words.start + lane] |= may_lose[lane];
            any |= !fallen.is_empty();
        }
        any
    }

    /// Finds, at ply 0, the positions that may be lost for want of moves: usually those in check;
    /// and those that are won for want of them. Where rights to take en passant are kept, notes
    /// the stalemates, too.
    #[inline(always)]
    pub(super) fn find_mated(&self, new: &mut New<'_, W, D>, won: &mut [W], may_lose: &mut [W]) {
        let (layout, between) = (self.ply.mover.layout, self.ply.mover.between);
        let lanes = layout.lanes;
        let checks = attack::attacked(layout, between, &self.at, self.side.other());
        let of =
            |winner| [false, true].map(|check| layout.won_by_stuck(self.side, check) == winner);
        let loses = of(Some(self.side.other()));
        match loses {
            [false, true] => may_lose.copy_from_slice(&checks.as_ref()[..lanes]),
            [true, true] => may_lose.copy_from_slice(self.open),
            [true, false] => {
                for (lane, may_lose) in may_lose.iter_mut().enumerate() {
                    *may_lose = self.open[lane] & !checks.as_ref()[lane];
                }
            }
            [false, false] => {}
        }
        if let Some(over) = Over::new(layout, between, &self.at, self.side) {
            for (lane, may_lose) in may_lose.iter_mut().enumerate() {
                *may_lose |= self.open[lane] & over.pending.as_ref()[lane];
            }
        }
        let wins = of(Some(self.side));
        if !layout.en_passant && new.pushed.is_empty() && wins == [false; 2] {
            return;
        }
        // A mate that wins counts as a stalemate.
        let mut row = W::EMPTY_ROW;
        let quiet = &mut row.as_mut()[..lanes];
        for (lane, quiet) in quiet.iter_mut().enumerate() {
            *quiet = self.open[lane] & new.can_lose[self.words.start + lane];
            if !wins[1] {
                *quiet &= !checks.as_ref()[lane];
            }
        }
        if self
            .ply
            .mover
            .remove_predecessors(&self.at, self.side, self.to_open(), quiet)
        {
            if wins != [false; 2] {
                keep_unfinished(layout, between, &self.at, self.side, quiet);
                for (lane, won) in won.iter_mut().enumerate() {
                    let rights = self.mine.en_passant;
                    let rights = rights.map_or(W::ZERO, |plane| plane.words[self.first + lane]);
                    let checks = checks.as_ref()[lane];
                    let [stalemates, mates] = wins.map(|wins| if wins { W::ALL } else { W::ZERO });
                    let wins = (stalemates & !checks) | (mates & checks);
                    *won |= quiet[lane] & wins & !rights;
                }
            }
            if layout.en_passant {
                new.stalemate[self.words.clone()].copy_from_slice(quiet);
            } else if !new.pushed.is_empty()
                && let Ok(mut blocked) = self.ply.blocked[self.side.index()].lock()
            {
                let words = quiet.iter().enumerate();
                let words = words.filter(|(_, word)| !word.is_empty());
                blocked.extend(words.map(|(lane, word)| (self.first + lane, *word)));
            }
        }
    }

    /// Adds to `won` the positions with a quiet move to a position lost at the
    /// ply before, and to `may_lose` those with one to a position won then.
    #[inline(always)]
    pub(super) fn retract(&self, won: &mut [W], may_lose: &mut [W]) {
        let (mover, them) = (self.ply.mover, self.side.other().index());
        let arrivals = &self.ply.arrivals[them];
        if self.ply.any_lost[them] {
            let lost = self.to(self.theirs.lost, &arrivals.lost);
            mover.retract(&self.at, self.side, lost, won);
        }
        if self.ply.any_won[them] {
            let won = self.to(self.theirs.won, &arrivals.won);
            mover.retract(&self.at, self.side, won, may_lose);
        }
    }

    // Most rows found nothing, and most others little: the planes, which are
    // far away in memory, are read only where something was found.

    /// Keeps those of `won` that are open, and writes them down. Returns whether
    /// there are any.
    #[inline(always)]
    pub(super) fn note_won(&self, new: &mut New<'_, W, D>, won: &mut [W]) -> bool {
        let mut any = false;
        for lane in members(filled(won)) {
            won[lane] &= self.open[lane];
            any |= !won[lane].is_empty();
        }
        if any {
            let out = &mut new.won[self.words.clone()];
            new.won_any[self.row] = write_row(self.mine.won.packed, won, out);
        }
        any
    }

    /// Keeps those of the positions in which the other side has reached its goal that are lost
    /// whatever the moves would be: all, unless the side may reply, or has got there before (R2).
    fn keep_over(&self, finished: &mut [W]) {
        let (layout, between) = (self.ply.mover.layout, self.ply.mover.between);
        let Some(answered) = Over::new(layout, between, &self.at, self.side) else {
            return;
        };
        for (lane, finished) in finished.iter_mut().enumerate() {
            *finished &= !answered.drawn.as_ref()[lane];
            let pending = answered.pending.as_ref()[lane];
            if !pending.is_empty() {
                // Lost if that is known, when distances to a zeroing move are counted.
                let cells = &self.mine.depth[(self.first + lane) * layout.squares..];
                let (over, _): (W, D) = falling(&cells[..layout.squares], D::of(0));
                *finished &= !pending | over;
            }
        }
    }

    /// Writes down those of `may_lose` that are lost: open, not `won`, without a
    /// conversion that saves them or a quiet move to an open position; and at ply 0 those in
    /// which the game is over, whatever the moves would be. Returns whether there are any.
    #[inline(always)]
    pub(super) fn note_lost(&self, new: &mut New<'_, W, D>, won: &[W], may_lose: &mut [W]) -> bool {
        let mut any = false;
        for lane in members(filled(may_lose)) {
            let can_lose = new.can_lose[self.words.start + lane];
            let mut found = may_lose[lane] & self.open[lane] & can_lose & !won[lane];
            if let Some(rights) = self.mine.en_passant {
                found &= !rights.words[self.first + lane];
            }
            may_lose[lane] = found;
            any |= !found.is_empty();
        }
        let mut lost = any
            && self
                .ply
                .mover
                .remove_predecessors(&self.at, self.side, self.to_open(), may_lose);
        if self.ply.number == 0
            && let Some(mut finished) = over_by_arrival(
                self.ply.mover.layout,
                self.ply.mover.between,
                &self.at,
                self.side,
            )
        {
            let finished = &mut finished.as_mut()[..may_lose.len()];
            self.keep_over(finished);
            for (lane, finished) in finished.iter().enumerate() {
                let finished = *finished & self.open[lane];
                may_lose[lane] |= finished;
                lost |= !finished.is_empty();
            }
        }
        if lost {
            let out = &mut new.lost[self.words.clone()];
            new.lost_any[self.row] = write_row(self.mine.lost.packed, may_lose, out);
        }
        lost
    }
}
