//! Retracts quiet moves within a row: those of the inner piece and of the lane piece.
//!
//! The inner piece moves by fills in words, the lane piece by running accumulators over the lanes.

use retrograde_rules::{Colour, Piece, PieceType};

use super::super::lanes::{leap_lanes, slide_lane, slide_lanes, step_lane_back};
use super::super::layout::RowAt;
use super::super::plane::FEW;
use super::super::squares::{beyond, double_rank, forward, members, room};
use super::super::steps::Way;
use super::super::word::{BoardShape, Word};
use super::{Mover, Source};

impl<W: Word> Mover<'_, W> {
    /// The inner piece, if it is of `side`: fills within each word.
    #[inline(always)]
    pub(super) fn retract_inner(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        if let Some(piece) = from.moving(self.layout.inner_piece(), side) {
            self.retract_inner_as(at, piece, from, out);
        }
    }

    /// The inner piece, moving as `piece`.
    #[inline(always)]
    pub(super) fn retract_inner_as(
        &self,
        at: &RowAt<W>,
        piece: Piece,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let side = piece.colour;
        let back = at.board.moves().of_piece(piece, Way::Retracted);
        let pawn = self.layout.coordinates.last().map(|c| c.piece);
        let any = from.plane.any[at.row] | from.arrived(pawn, at.row);
        if any.is_empty() {
            return;
        }
        let (lanes, board) = (self.layout.lanes, at.board);
        let free = |lane: usize| {
            let lane_piece = if lanes > 1 { W::of(lane) } else { W::ZERO };
            !(at.occupied | lane_piece)
        };
        if (any & from.wanted).count() <= FEW && self.moves_lane_by_lane(piece, from) {
            for (lane, word) in from.plane.entries_in(self.layout, at.row, from.wanted) {
                let mut to = W::ZERO;
                if piece.piece_type == PieceType::Pawn {
                    let back = -forward(side);
                    let back = W::step(board, 0, back);
                    let two = match board.moves().double_steps {
                        true => word & W::rank(board, double_rank(board, side)),
                        false => W::ZERO,
                    };
                    to = word.shift(back) | (two.shift(back) & free(lane)).shift(back);
                }
                for &(files, ranks) in &back.leaps {
                    to |= word.shift(W::step(board, files, ranks));
                }
                for &(files, ranks) in &back.slides {
                    to |= word.slide(free(lane), W::step(board, files, ranks));
                }
                for &((files, ranks), most) in &back.rides {
                    to |= word.ride(free(lane), W::step(board, files, ranks), most);
                }
                out[lane] |= to;
            }
            return;
        }
        if piece.piece_type == PieceType::Pawn {
            match &board.moves().own_pawns {
                None => self.retract_inner_pawn(at, side, from, free, out),
                Some(pawns) => self.retract_own_inner_pawn(at, piece, pawns, from, free, out),
            }
            return;
        }
        let source = from.plane.row(self.layout, at.row);
        for &(files, ranks) in &back.leaps {
            let step = W::step(board, files, ranks);
            for lane in 0..lanes {
                out[lane] |= source[lane].shift(step);
            }
        }
        for &(files, ranks) in &back.slides {
            let step = W::step(board, files, ranks);
            for lane in 0..lanes {
                out[lane] |= source[lane].slide(free(lane), step);
            }
        }
        for &((files, ranks), most) in &back.rides {
            let step = W::step(board, files, ranks);
            for lane in 0..lanes {
                out[lane] |= source[lane].ride(free(lane), step, most);
            }
        }
    }

    /// The lane piece, if it is of `side`: moves over the words of the row.
    #[inline(always)]
    pub(super) fn retract_lane(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        if let Some(piece) = from.moving(self.layout.lane_piece(), side) {
            self.retract_lane_as(at, piece, from, out);
        }
    }

    /// The lane piece, moving as `piece`.
    #[inline(always)]
    pub(super) fn retract_lane_as(
        &self,
        at: &RowAt<W>,
        piece: Piece,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let side = piece.colour;
        let back = at.board.moves().of_piece(piece, Way::Retracted);
        let pawn = self.layout.coordinates.iter().rev().nth(1).map(|c| c.piece);
        let any = from.plane.any[at.row] | from.arrived(pawn, at.row);
        if any.is_empty() {
            return;
        }
        let board = at.board;
        let out = &mut out[..board.squares()];
        if any.count() <= FEW && self.moves_lane_by_lane(piece, from) {
            for (lane, word) in from.plane.entries(self.layout, at.row) {
                if piece.piece_type == PieceType::Pawn {
                    step_lane_back(board, word, lane, at.occupied, side, out);
                }
                for &(files, ranks) in &back.leaps {
                    if room(board, lane, files, ranks) > 0 {
                        out[beyond(board, lane, files, ranks)] |= word;
                    }
                }
                for &step in &back.slides {
                    slide_lane(board, word, lane, at.occupied, (step, usize::MAX), out);
                }
                for &(step, most) in &back.rides {
                    slide_lane(board, word, lane, at.occupied, (step, most.into()), out);
                }
            }
            return;
        }
        let source = &from.plane.row(self.layout, at.row)[..board.squares()];
        if piece.piece_type == PieceType::Pawn {
            match &board.moves().own_pawns {
                None => {
                    let arrivals = pawn.and_then(|pawn| from.arrivals_of(pawn));
                    self.retract_lane_pawn(at, side, source, from, arrivals, out);
                }
                Some(pawns) => self.retract_own_lane_pawn(at, piece, pawns, from, out),
            }
            return;
        }
        for &(files, ranks) in &back.leaps {
            leap_lanes(board, source, (files, ranks), out);
        }
        for &(step, most) in &back.rides {
            for lane in members(any) {
                let ways = (step, most.into());
                slide_lane(board, source[lane], lane, at.occupied, ways, out);
            }
        }
        if back.slides.is_empty() {
            return;
        }
        // What may pass a lane: all positions but those with the inner piece on that
        // square; none if a piece outside the row stands there.
        let mut row = W::EMPTY_ROW;
        let pass = &mut row.as_mut()[..board.squares()];
        for lane in 0..board.squares() {
            pass[lane] = if at.occupied.has(lane) {
                W::ZERO
            } else {
                !W::of(lane)
            };
        }
        for &(files, ranks) in &back.slides {
            slide_lanes(board, source, pass, (files, ranks), out);
        }
    }
}
