//! The positions of a row in which a conversion is possible.

use retrograde_rules::{Colour, Piece, PieceType};

use super::layout::{Layout, Role, RowAt};
use super::movement::{Between, attackers, attacks, forward};
use super::squares::{ahead, first_rank};
use super::word::Word;

/// A piece that may attack another, and on which squares.
#[derive(Clone, Copy)]
pub(super) struct Attack<W> {
    /// What it moves like.
    pub(super) piece: Piece,
    pub(super) from: Role,
    pub(super) target: Role,
    /// Where it may stand: see [`origins`].
    pub(super) origins: W,
    /// The only square on which the other may stand, if there is only one.
    pub(super) only: Option<usize>,
}

/// The positions of a row in which a piece attacks another.
#[inline(always)]
pub(super) fn attack_mask<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    at: &RowAt<W>,
    attack: Attack<W>,
) -> W::Row {
    let Attack {
        piece,
        from,
        target,
        origins,
        only,
    } = attack;
    let lanes = layout.lanes;
    let beside = |lane: usize| if lanes > 1 { W::of(lane) } else { W::ZERO };
    let mut row = W::EMPTY_ROW;
    let mask = row.as_mut();
    // A line between two pieces other than the inner piece must not be blocked by it, nor
    // by the lane piece if that is not one of the two.
    match (from, target) {
        (Role::Fixed(q), Role::Fixed(t)) => {
            if origins.has(q) && attacks::<W>(at.board, piece, q, at.occupied).has(t) {
                let line = between.get(q, t);
                for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                    if lanes == 1 || !line.has(lane) {
                        *mask = !line;
                    }
                }
            }
        }
        (Role::Fixed(q), Role::Lane) => {
            let mut targets = attacks::<W>(at.board, piece, q, at.occupied);
            if !origins.has(q) {
                return row;
            }
            if let Some(square) = only {
                targets &= W::of(square);
            }
            while !targets.is_empty() {
                let lane = targets.pop();
                mask[lane] = !between.get(q, lane);
            }
        }
        (Role::Fixed(q), Role::Inner) => {
            if !origins.has(q) {
                return row;
            }
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                *mask = attacks::<W>(at.board, piece, q, at.occupied | beside(lane));
                if let Some(square) = only {
                    *mask &= W::of(square);
                }
            }
        }
        (Role::Lane, Role::Fixed(t)) => {
            let mut froms = attackers::<W>(at.board, piece, t, at.occupied) & origins;
            while !froms.is_empty() {
                let lane = froms.pop();
                mask[lane] = !between.get(lane, t);
            }
        }
        (Role::Lane, _) => {
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                if origins.has(lane) {
                    *mask = attacks::<W>(at.board, piece, lane, at.occupied);
                }
            }
        }
        (Role::Inner, Role::Fixed(t)) => {
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                *mask = attackers::<W>(at.board, piece, t, at.occupied | beside(lane)) & origins;
            }
        }
        (Role::Inner, _) => {
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                *mask = attackers::<W>(at.board, piece, lane, at.occupied) & origins;
            }
        }
    }
    row
}

/// Where a piece may stand before a conversion: pawns promote only from the last rank but
/// one.
#[inline(always)]
pub(super) fn origins<W: Word>(board: W::Board, piece: Piece, promotes: bool) -> W {
    if piece.piece_type != PieceType::Pawn {
        return W::ALL;
    }
    let last = first_rank(board, piece.colour.other());
    let before = match piece.colour {
        Colour::White => last - 1,
        Colour::Black => last + 1,
    };
    let promoting = W::rank(board, before);
    if promotes { promoting } else { !promoting }
}

/// The positions of a row in which a pawn may step to the last rank; returns
/// the role of the pawn after the step.
#[inline(always)]
pub(super) fn step_mask<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    side: Colour,
    from: Role,
    mask: &mut [W],
) -> Option<Role> {
    let origins = origins::<W>(at.board, Piece::new(side, PieceType::Pawn), true);
    let lanes = layout.lanes;
    let forward = forward(side);
    match from {
        Role::Fixed(square) => {
            let to = ahead(at.board, square, side, 1)
                .filter(|&to| origins.has(square) && !at.occupied.has(to))?;
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                if layout.coordinates.is_empty() {
                    // The one bit is not the square of a piece.
                    *mask = W::ALL;
                } else if lanes == 1 || lane != to {
                    *mask = !W::of(to);
                }
            }
            Some(Role::Fixed(to))
        }
        Role::Lane => {
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                if let Some(to) = ahead(at.board, lane, side, 1)
                    && origins.has(lane)
                    && !at.occupied.has(to)
                {
                    *mask = !W::of(to);
                }
            }
            Some(Role::Lane)
        }
        Role::Inner => {
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                let lane_piece = if lanes > 1 { W::of(lane) } else { W::ZERO };
                *mask = origins & !(at.occupied | lane_piece).shift(W::step(at.board, 0, -forward));
            }
            Some(Role::Inner)
        }
    }
}
