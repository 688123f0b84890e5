//! Retracts quiet moves of pawns: steps, and double steps that may give an e.p. right.

use retrograde_rules::{Colour, Piece, PieceType, Transform};

use super::super::layout::{Layout, RowAt};
use super::super::movement::forward;
use super::super::plane::Plane;
use super::super::squares::{
    ahead, double_arrivals, double_step, is_for_pawns, open_rank, open_square, thrice,
};
use super::super::word::{BoardShape, Word};
use super::{Mover, Source};

/// The arrivals of a pawn that can be captured en passant (C6): its double steps lead not to the
/// placement, but to the placement with the right.
#[derive(Clone, Copy)]
pub(crate) struct Arrivals<'a, W> {
    /// The pawn's place among the pieces of the material.
    pub(crate) pawn: usize,
    /// The placements in which it can be captured if it has just arrived.
    pub(crate) rights: &'a Plane<W>,
    /// The placements with the right from which to retract.
    pub(crate) plane: &'a Plane<W>,
}

impl<W: Word> Arrivals<'_, W> {
    /// The positions of a lane after the double step, given those without
    /// rights.
    #[inline(always)]
    pub(crate) fn word(&self, layout: &Layout, plain: W, row: usize, lane: usize) -> W {
        let word = row * layout.lanes + lane;
        (plain & !self.rights.words[word]) | self.plane.words[word]
    }
}

impl<W: Word> Mover<'_, W> {
    /// Whether the moves of a piece can be retracted one lane at a time: those of pawns with
    /// e.p. rights need other lanes.
    #[inline(always)]
    pub(super) fn moves_lane_by_lane(&self, piece: Piece, from: Source<'_, W>) -> bool {
        let special = piece.piece_type == PieceType::Pawn && self.layout.beside;
        from.en_passant.is_none() && !special
    }

    /// The outer pawn of `side` at this place among the coordinates.
    #[inline(always)]
    pub(super) fn retract_outer_pawn(
        &self,
        at: &RowAt<W>,
        place: usize,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let pawn = self.layout.outer()[place].piece;
        let square = at.outer[place];
        let row_with = |square| self.row_with(at, place, square);
        let Some(one) = ahead(at.board, square, side, 1).filter(|&s| !at.occupied.has(s)) else {
            return;
        };
        if !is_for_pawns(at.board, one, side) {
            return; // a promotion
        }
        if let Some(row) = row_with(one) {
            self.add_row(from, row, Transform::IDENTITY, W::ZERO, out);
        }
        let two = double_step(at.board, square, side);
        let Some(two) = two.filter(|&s| !at.occupied.has(s)) else {
            return;
        };
        let Some(row) = row_with(two) else { return };
        let passed = W::of(one);
        if let Some(arrivals) = from.arrivals_of(pawn) {
            let plain = from.plane.row(self.layout, row);
            for lane in 0..self.layout.lanes {
                if !(self.layout.lanes > 1 && passed.has(lane)) {
                    out[lane] |= arrivals.word(self.layout, plain[lane], row, lane) & !passed;
                }
            }
            return;
        }
        match from.en_passant {
            None => self.add_row(from, row, Transform::IDENTITY, passed, out),
            Some(counts) => {
                let Some(open) = row_with(open_square(at.board, two, side)) else {
                    return;
                };
                let (plain, open_words) = (
                    from.plane.row(self.layout, row),
                    from.plane.row(self.layout, open),
                );
                let counts = counts.row(self.layout, open);
                for lane in 0..self.layout.lanes {
                    if !(self.layout.lanes > 1 && passed.has(lane)) {
                        out[lane] |= ((plain[lane] & !counts[lane]) | open_words[lane]) & !passed;
                    }
                }
            }
        }
    }

    /// The inner piece, a pawn of `side`; `free` says for each lane which squares a double
    /// step may pass over.
    #[inline(always)]
    pub(super) fn retract_inner_pawn(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        free: impl Fn(usize) -> W,
        out: &mut [W],
    ) {
        let back = -forward(side);
        let arrival = double_arrivals::<W>(at.board, side);
        let source = from.plane.row(self.layout, at.row);
        let pawn = self.layout.coordinates.last().map(|c| c.piece);
        let arrivals = pawn.and_then(|pawn| from.arrivals_of(pawn));
        for lane in 0..self.layout.lanes {
            out[lane] |= source[lane].shift(W::step(at.board, 0, back));
            let mut two = source[lane] & arrival;
            if let Some(arrivals) = arrivals {
                two = arrivals.word(self.layout, source[lane], at.row, lane) & arrival;
            } else if let Some(counts) = from.en_passant {
                let first = W::rank(at.board, open_rank(at.board, side));
                let counts = counts.row(self.layout, at.row)[lane] & first;
                two = (two & !thrice(at.board, counts, -back))
                    | thrice(at.board, source[lane] & first, -back);
            }
            out[lane] |= (two.shift(W::step(at.board, 0, back)) & free(lane))
                .shift(W::step(at.board, 0, back));
        }
    }

    /// The lane piece, a pawn of `side`.
    #[inline(always)]
    pub(super) fn retract_lane_pawn(
        &self,
        at: &RowAt<W>,
        side: Colour,
        source: &[W],
        from: Source<'_, W>,
        arrivals: Option<&Arrivals<'_, W>>,
        out: &mut [W],
    ) {
        let counts = from.en_passant.map(|c| c.row(self.layout, at.row));
        for square in 0..at.board.squares() {
            let Some(one) = ahead(at.board, square, side, 1) else {
                continue;
            };
            if !is_for_pawns(at.board, one, side) || at.occupied.has(one) {
                continue;
            }
            out[square] |= source[one];
            let Some(two) = double_step(at.board, square, side) else {
                continue;
            };
            let mut arrived = source[two];
            if let Some(arrivals) = arrivals {
                arrived = arrivals.word(self.layout, arrived, at.row, two);
            }
            if let Some(counts) = counts {
                let open = open_square(at.board, two, side);
                arrived = (arrived & !counts[open]) | source[open];
            }
            out[square] |= arrived & !W::of(one);
        }
    }
}

/// The squares that a pawn may step to without promoting, if nothing stands in the way.
pub(super) fn pawn_steps<W: Word>(board: W::Board, from: usize, side: Colour) -> W {
    let mut steps = W::ZERO;
    if let Some(one) = ahead(board, from, side, 1)
        && is_for_pawns(board, one, side)
    {
        steps |= W::of(one);
        if let Some(two) = double_step(board, from, side) {
            steps |= W::of(two);
        }
    }
    steps
}
