//! Quiet moves within a row: those of the inner man by fills in words, those
//! of the lane man by running accumulators over the lanes.

use retrograde_rules::{Colour, Kind, Man};

use super::super::lanes::{leap_lanes, slide_lane, slide_lanes, step_lane_back};
use super::super::layout::RowAt;
use super::super::movement::{forward, leaps, slides};
use super::super::plane::FEW;
use super::super::squares::{beyond, double_rank, room};
use super::super::word::{BoardShape, Word};
use super::{Mover, Source};

impl<W: Word> Mover<'_, W> {
    /// The inner man, if it is of `side`: fills within each word.
    #[inline(always)]
    pub(super) fn pull_inner(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        if let Some(man) = from.moving(self.layout.inner_man(), side) {
            self.pull_inner_as(at, man, from, out);
        }
    }

    /// The inner man, moving as `man`.
    #[inline(always)]
    pub(super) fn pull_inner_as(
        &self,
        at: &RowAt<W>,
        man: Man,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let side = man.colour;
        let pawn = self.layout.coordinates.last().map(|c| c.man);
        let any = from.plane.any[at.row] | from.arrived(pawn, at.row);
        if any.is_empty() {
            return;
        }
        let (lanes, board) = (self.layout.lanes, at.board);
        let free = |lane: usize| {
            let lane_man = if lanes > 1 { W::of(lane) } else { W::ZERO };
            !(at.occupied | lane_man)
        };
        if (any & from.wanted).count() <= FEW && self.moves_lane_by_lane(man, from) {
            for (lane, word) in from.plane.entries_in(self.layout, at.row, from.wanted) {
                let mut to = W::ZERO;
                if man.kind == Kind::Pawn {
                    let back = -forward(side);
                    let back = W::step(board, 0, back);
                    let two = word & W::rank(board, double_rank(board, side));
                    to = word.shift(back) | (two.shift(back) & free(lane)).shift(back);
                }
                for &(files, ranks) in leaps(man.kind) {
                    to |= word.shift(W::step(board, files, ranks));
                }
                for &(files, ranks) in slides(man.kind) {
                    to |= word.slide(free(lane), W::step(board, files, ranks));
                }
                out[lane] |= to;
            }
            return;
        }
        if man.kind == Kind::Pawn {
            self.pull_inner_pawn(at, side, from, free, out);
            return;
        }
        let source = from.plane.row(self.layout, at.row);
        for &(files, ranks) in leaps(man.kind) {
            let step = W::step(board, files, ranks);
            for lane in 0..lanes {
                out[lane] |= source[lane].shift(step);
            }
        }
        for &(files, ranks) in slides(man.kind) {
            let step = W::step(board, files, ranks);
            for lane in 0..lanes {
                out[lane] |= source[lane].slide(free(lane), step);
            }
        }
    }

    /// The lane man, if it is of `side`: moves over the words of the row.
    #[inline(always)]
    pub(super) fn pull_lane(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        if let Some(man) = from.moving(self.layout.lane_man(), side) {
            self.pull_lane_as(at, man, from, out);
        }
    }

    /// The lane man, moving as `man`.
    #[inline(always)]
    pub(super) fn pull_lane_as(&self, at: &RowAt<W>, man: Man, from: Source<'_, W>, out: &mut [W]) {
        let side = man.colour;
        let pawn = self.layout.coordinates.iter().rev().nth(1).map(|c| c.man);
        let any = from.plane.any[at.row] | from.arrived(pawn, at.row);
        if any.is_empty() {
            return;
        }
        let board = at.board;
        let out = &mut out[..board.squares()];
        if any.count() <= FEW && self.moves_lane_by_lane(man, from) {
            for (lane, word) in from.plane.entries(self.layout, at.row) {
                if man.kind == Kind::Pawn {
                    step_lane_back(board, word, lane, at.occupied, side, out);
                }
                for &(files, ranks) in leaps(man.kind) {
                    if room(board, lane, files, ranks) > 0 {
                        out[beyond(board, lane, files, ranks)] |= word;
                    }
                }
                for &(files, ranks) in slides(man.kind) {
                    slide_lane(board, word, lane, at.occupied, (files, ranks), out);
                }
            }
            return;
        }
        let source = &from.plane.row(self.layout, at.row)[..board.squares()];
        if man.kind == Kind::Pawn {
            let arrivals = pawn.and_then(|pawn| from.arrivals_of(pawn));
            self.pull_lane_pawn(at, side, source, from, arrivals, out);
            return;
        }
        for &(files, ranks) in leaps(man.kind) {
            leap_lanes(board, source, (files, ranks), out);
        }
        if slides(man.kind).is_empty() {
            return;
        }
        // What may pass a lane: all but the inner man on that square, nothing
        // where a man outside the row stands.
        let mut row = W::EMPTY_ROW;
        let pass = &mut row.as_mut()[..board.squares()];
        for lane in 0..board.squares() {
            pass[lane] = if at.occupied.has(lane) {
                W::ZERO
            } else {
                !W::of(lane)
            };
        }
        for &(files, ranks) in slides(man.kind) {
            slide_lanes(board, source, pass, (files, ranks), out);
        }
    }
}
