//! Finds those positions in a row of the index in which a pawn may promote without capturing.

use retrograde_rules::Colour;

use super::layout::{Layout, Role, RowAt};
use super::movement::forward;
use super::squares::{ahead, promotion_squares};
use super::word::Word;

/// The squares from which pawns promote by a step.
#[inline(always)]
fn origins<W: Word>(board: W::Board, side: Colour) -> W {
    promotion_squares::<W>(board, side).shift(W::step(board, 0, -forward(side)))
}

/// The positions of a row in which a pawn may step to where it promotes; returns
/// the role of the pawn after the step.
#[inline(always)]
pub(super) fn step_mask<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    side: Colour,
    from: Role,
    mask: &mut [W],
) -> Option<Role> {
    let origins = origins::<W>(at.board, side);
    let lanes = layout.lanes;
    let forward = forward(side);
    match from {
        Role::Fixed(square) => {
            let to = ahead(at.board, square, side, 1)
                .filter(|&to| origins.has(square) && !at.occupied.has(to))?;
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                if layout.inner_piece().is_none() {
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
