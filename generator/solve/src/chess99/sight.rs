//! Which pieces attack which in the positions of a row, when some pieces are ignored as
//! blockers.

use retrograde_rules::Piece;

use super::super::layout::Role;
use super::super::movement::{Between, attackers, attacks};
use super::super::squares::members;
use super::super::word::Word;

/// What blocks lines.
#[derive(Clone, Copy)]
pub(super) struct Sight<'a, W: Word> {
    pub(super) between: &'a Between<W>,
    pub(super) lanes: usize,
    /// The pieces outside the row that block.
    pub(super) occupied: W,
    /// Whether the lane piece blocks, and the inner piece.
    pub(super) lane_blocks: bool,
    pub(super) inner_blocks: bool,
}

impl<'a, W: Word> Sight<'a, W> {
    /// The same, without a piece as a blocker.
    pub(super) fn without(self, role: Role) -> Sight<'a, W> {
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
    pub(super) fn add(
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
                    let line = self.between.get(q, t);
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
                        out[lane] |= past(self.between.get(q, lane));
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
                        out[lane] |= past(self.between.get(lane, t));
                    }
                }
            }
            (Role::Lane, _) => {
                for lane in members(from_squares) {
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
                for lane in members(to_squares) {
                    out[lane] |= attackers::<W>(self.between.board, piece, lane, self.occupied)
                        & from_squares;
                }
            }
        }
    }
}
