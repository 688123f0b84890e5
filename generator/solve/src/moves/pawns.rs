//! Retracts quiet moves of pawns: steps, and double steps that may give an e.p. right.

use retrograde_rules::{Colour, Piece, PieceType, Transform};

use super::super::lanes::leap_lanes;
use super::super::layout::{Layout, RowAt};
use super::super::movement::targets;
use super::super::plane::Plane;
use super::super::squares::{
    ahead, double_arrivals, double_step, double_step_by, forward, is_for_pawns, members, open_rank,
    open_square, thrice,
};
use super::super::steps::{OwnPawns, Step, Way};
use super::super::word::{BoardShape, Word};
use super::{Mover, Source};

/// The arrivals of a pawn that can be captured en passant (C6): its double steps lead not to the
/// placement, but to the placement with the right.
#[derive(Clone, Copy)]
pub(crate) struct Arrivals<'a, W> {
    /// The pawn's place among the pieces of the material.
    pub(crate) pawn: usize,
    /// The step that its double step is made of.
    pub(crate) step: Step,
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
        let special = self.layout.beside || self.layout.moves.own_pawns.is_some();
        let special = piece.piece_type == PieceType::Pawn && special;
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
        if let Some(pawns) = &self.layout.moves.own_pawns {
            self.retract_own_outer_pawn(at, place, side, pawns, from, out);
            return;
        }
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
            self.add_arrivals(from, arrivals, row, passed, out);
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

    /// Adds the positions of a row that double steps of an outer pawn lead to, over the square in
    /// `passed`, if the pawn can be captured there.
    #[inline(always)]
    fn add_arrivals(
        &self,
        from: Source<'_, W>,
        arrivals: &Arrivals<'_, W>,
        row: usize,
        passed: W,
        out: &mut [W],
    ) {
        let plain = from.plane.row(self.layout, row);
        for lane in 0..self.layout.lanes {
            if !(self.layout.lanes > 1 && passed.has(lane)) {
                out[lane] |= arrivals.word(self.layout, plain[lane], row, lane) & !passed;
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

/// Moves of pawns that move in another way than orthodox ones. Their e.p. rights are never in the
/// grid.
impl<W: Word> Mover<'_, W> {
    /// The outer pawn of `side` at this place among the coordinates.
    #[inline(never)]
    fn retract_own_outer_pawn(
        &self,
        at: &RowAt<W>,
        place: usize,
        side: Colour,
        pawns: &OwnPawns,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let (board, square) = (at.board, at.outer[place]);
        let pawn = self.layout.outer()[place].piece;
        let piece = Piece::new(side, PieceType::Pawn);
        let stands = self.layout.squares_of::<W>(piece) & !at.occupied;
        let steps = targets::<W>(board, piece, square, at.occupied) & stands;
        for one in members(steps) {
            if let Some(row) = self.row_with(at, place, one) {
                self.add_row(from, row, Transform::IDENTITY, W::ZERO, out);
            }
        }
        for &step in &pawns.doubled[side.index()] {
            let Some((one, two)) = double_step_by(board, square, side, step) else {
                continue;
            };
            if at.occupied.has(one) || !stands.has(two) {
                continue;
            }
            let Some(row) = self.row_with(at, place, two) else {
                continue;
            };
            let passed = W::of(one);
            match from.arrivals_by(pawn, step) {
                Some(arrivals) => self.add_arrivals(from, arrivals, row, passed, out),
                None => self.add_row(from, row, Transform::IDENTITY, passed, out),
            }
        }
    }

    /// The inner piece, a pawn; `free` says for each lane which squares a double step may pass over.
    #[inline(never)]
    pub(super) fn retract_own_inner_pawn(
        &self,
        at: &RowAt<W>,
        piece: Piece,
        pawns: &OwnPawns,
        from: Source<'_, W>,
        free: impl Fn(usize) -> W,
        out: &mut [W],
    ) {
        let (board, side) = (at.board, piece.colour);
        let back = board.moves().of_piece(piece, Way::Retracted);
        let arrival = double_arrivals::<W>(board, side);
        let source = from.plane.row(self.layout, at.row);
        let pawn = self.layout.coordinates.last().map(|c| c.piece);
        for (lane, out) in out[..self.layout.lanes].iter_mut().enumerate() {
            for &(files, ranks) in &back.leaps {
                *out |= source[lane].shift(W::step(board, files, ranks));
            }
            for &(files, ranks) in &pawns.doubled[side.index()] {
                let mut two = source[lane];
                if let Some(arrivals) = pawn.and_then(|p| from.arrivals_by(p, (files, ranks))) {
                    two = arrivals.word(self.layout, two, at.row, lane);
                }
                let step = W::step(board, -files, -ranks);
                *out |= ((two & arrival).shift(step) & free(lane)).shift(step);
            }
        }
    }

    /// The lane piece, a pawn.
    #[inline(never)]
    pub(super) fn retract_own_lane_pawn(
        &self,
        at: &RowAt<W>,
        piece: Piece,
        pawns: &OwnPawns,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let (board, side) = (at.board, piece.colour);
        let source = &from.plane.row(self.layout, at.row)[..board.squares()];
        let pawn = self.layout.coordinates.iter().rev().nth(1).map(|c| c.piece);
        for &step in &board.moves().of_piece(piece, Way::Retracted).leaps {
            leap_lanes(board, source, step, out);
        }
        for square in 0..board.squares() {
            for &step in &pawns.doubled[side.index()] {
                let Some((one, two)) = double_step_by(board, square, side, step) else {
                    continue;
                };
                if at.occupied.has(one) {
                    continue;
                }
                let mut arrived = source[two];
                if let Some(arrivals) = pawn.and_then(|pawn| from.arrivals_by(pawn, step)) {
                    arrived = arrivals.word(self.layout, arrived, at.row, two);
                }
                out[square] |= arrived & !W::of(one);
            }
        }
    }
}

/// The squares that a pawn may go to without promoting, if nothing stands in the way, where pawns
/// move in another way than orthodox ones.
fn own_pawn_steps<W: Word>(board: W::Board, from: usize, side: Colour, pawns: &OwnPawns) -> W {
    let piece = Piece::new(side, PieceType::Pawn);
    let mut all = targets::<W>(board, piece, from, W::ZERO);
    for &step in &pawns.doubled[side.index()] {
        let two = double_step_by(board, from, side, step);
        all |= two.map_or(W::ZERO, |(_, two)| W::of(two));
    }
    let steps = members(all).filter(|&to| is_for_pawns(board, to, side));
    steps.fold(W::ZERO, |set, to| set | W::of(to))
}

/// The squares that a pawn may step to without promoting, if nothing stands in the way.
pub(super) fn pawn_steps<W: Word>(board: W::Board, from: usize, side: Colour) -> W {
    if let Some(pawns) = &board.moves().own_pawns {
        return own_pawn_steps(board, from, side, pawns);
    }
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
