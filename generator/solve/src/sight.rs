//! Finds the positions of a row in which a piece attacks given squares, with some blockers ignored.
//!
//! So it tells which pieces attack which, when some pieces are ignored as blockers.

use retrograde_rules::{Piece, PieceType};

use super::board_parts::Part;
use super::layout::{Layout, Role, RowAt};
use super::movement::{Between, attackers, attacks};
use super::squares::members;
use super::steps::Way;
use super::word::Word;

/// The pieces of a row that block lines.
#[derive(Clone, Copy)]
pub(crate) struct Sight<'a, W: Word> {
    pub(crate) between: &'a Between<W>,
    pub(crate) lanes: usize,
    /// The pieces outside the row that block.
    pub(crate) occupied: W,
    /// Whether the lane piece blocks, and the inner piece.
    pub(crate) lane_blocks: bool,
    pub(crate) inner_blocks: bool,
}

impl<'a, W: Word> Sight<'a, W> {
    /// The sight in a row in which all pieces block.
    #[inline(always)]
    pub(crate) fn new(layout: &Layout, between: &'a Between<W>, at: &RowAt<W>) -> Sight<'a, W> {
        Sight {
            between,
            lanes: layout.lanes,
            occupied: at.occupied,
            lane_blocks: true,
            inner_blocks: true,
        }
    }

    /// Adds the positions in which a piece attacks another, given the roles of both. A pawn that
    /// waits on its last rank attacks as each piece that it may become (C5).
    #[inline(always)]
    pub(crate) fn add_attacks(
        &self,
        layout: &Layout,
        piece: Piece,
        (from, to): (Role, Role),
        out: &mut [W],
    ) {
        let squares = |part: Part| part.squares::<W>(self.between.board, piece.colour);
        let (mut acts, mut squares_of, mut rest) = (piece, W::ALL, [].as_slice());
        if piece.piece_type == PieceType::Pawn && !layout.moves.waiting.is_empty() {
            (squares_of, rest) = (squares(Part::AllButLast), &layout.moves.waiting);
        }
        // A single call, because it is inlined.
        loop {
            self.add(acts, (from, squares_of), (to, W::ALL), out);
            let Some((&next, more)) = rest.split_first() else {
                return;
            };
            (acts, squares_of, rest) = (Piece::new(piece.colour, next), squares(Part::Last), more);
        }
    }

    /// This sight without one piece as a blocker.
    pub(crate) fn without(self, role: Role) -> Sight<'a, W> {
        match role {
            Role::Fixed(square) => Sight {
                occupied: self.occupied & !W::of(square),
                ..self
            },
            Role::Lane => Sight {
                lane_blocks: false,
                ..self
            },
            Role::Inner => Sight {
                inner_blocks: false,
                ..self
            },
        }
    }

    /// Adds the positions in which `piece`, standing on one of the squares
    /// `from_squares`, attacks what stands on one of `to_squares`. May add
    /// positions that do not exist.
    #[inline(always)]
    pub(crate) fn add(
        &self,
        piece: Piece,
        (from, from_squares): (Role, W),
        (to, to_squares): (Role, W),
        out: &mut [W],
    ) {
        let lanes = self.lanes;
        let beside = |lane: usize| {
            if lanes > 1 && self.lane_blocks {
                W::of(lane)
            } else {
                W::ZERO
            }
        };
        let past = |line: W| if self.inner_blocks { !line } else { W::ALL };
        match (from, to) {
            (Role::Fixed(q), Role::Fixed(t)) => {
                if from_squares.has(q)
                    && to_squares.has(t)
                    && attacks::<W>(self.between.board, piece, q, self.occupied).has(t)
                {
                    let line = self.between.passed(piece, Way::Capture, q, t);
                    for (lane, out) in out[..lanes].iter_mut().enumerate() {
                        if (line & beside(lane)).is_empty() {
                            *out |= past(line);
                        }
                    }
                }
            }
            (Role::Fixed(q), Role::Lane) => {
                if from_squares.has(q) {
                    let targets =
                        attacks::<W>(self.between.board, piece, q, self.occupied) & to_squares;
                    for lane in members(targets) {
                        out[lane] |= past(self.between.passed(piece, Way::Capture, q, lane));
                    }
                }
            }
            (Role::Fixed(q), Role::Inner) => {
                if from_squares.has(q) {
                    for (lane, out) in out[..lanes].iter_mut().enumerate() {
                        *out |= attacks::<W>(
                            self.between.board,
                            piece,
                            q,
                            self.occupied | beside(lane),
                        ) & to_squares;
                    }
                }
            }
            (Role::Lane, Role::Fixed(t)) => {
                if to_squares.has(t) {
                    let froms =
                        attackers::<W>(self.between.board, piece, t, self.occupied) & from_squares;
                    for lane in members(froms) {
                        out[lane] |= past(self.between.passed(piece, Way::Capture, lane, t));
                    }
                }
            }
            (Role::Lane, _) => {
                for lane in members(from_squares & W::full(self.between.board)) {
                    out[lane] |=
                        attacks::<W>(self.between.board, piece, lane, self.occupied) & to_squares;
                }
            }
            (Role::Inner, Role::Fixed(t)) => {
                if to_squares.has(t) {
                    for (lane, out) in out[..lanes].iter_mut().enumerate() {
                        *out |= attackers::<W>(
                            self.between.board,
                            piece,
                            t,
                            self.occupied | beside(lane),
                        ) & from_squares;
                    }
                }
            }
            (Role::Inner, _) => {
                for lane in members(to_squares & W::full(self.between.board)) {
                    out[lane] |= attackers::<W>(self.between.board, piece, lane, self.occupied)
                        & from_squares;
                }
            }
        }
    }
}
