//! Finds those positions in a row of the index in which a pawn may promote without capturing.

use retrograde_rules::Colour;

use super::layout::{Layout, Role, RowAt};
use super::squares::{beyond, promotion_squares, room};
use super::steps::Step;
use super::word::Word;

/// The positions of a row in which a pawn may make a step to where it promotes; returns
/// the role of the pawn after the step.
#[inline(always)]
pub(super) fn step_mask<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    side: Colour,
    (files, ranks): Step,
    from: Role,
    mask: &mut [W],
) -> Option<Role> {
    let back = W::step(at.board, -files, -ranks);
    let origins = promotion_squares::<W>(at.board, side).shift(back);
    let lanes = layout.lanes;
    let beyond = |square| {
        (room(at.board, square, files, ranks) > 0)
            .then(|| beyond(at.board, square, files, ranks))
            .filter(|&to| origins.has(square) && !at.occupied.has(to))
    };
    match from {
        Role::Fixed(square) => {
            let to = beyond(square)?;
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
                if let Some(to) = beyond(lane) {
                    *mask = !W::of(to);
                }
            }
            Some(Role::Lane)
        }
        Role::Inner => {
            for (lane, mask) in mask[..lanes].iter_mut().enumerate() {
                let lane_piece = if lanes > 1 { W::of(lane) } else { W::ZERO };
                *mask = origins & !(at.occupied | lane_piece).shift(back);
            }
            Some(Role::Inner)
        }
    }
}
