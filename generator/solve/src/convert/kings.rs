//! Evaluates captures of the king (C2): whether the captor's own king is attacked afterwards.

use retrograde_rules::{CaptureInCheck, Colour, Goal, PieceType};

use super::super::layout::{Layout, Role, RowAt};
use super::super::score::{self, Score};
use super::super::sight::Sight;
use super::super::word::Word;

/// The value of capturing the king while one's own is attacked, where that does not just win;
/// [`score::NONE`] if it is no move.
pub(super) fn value_in_check(layout: &Layout) -> Option<Score> {
    match layout.game.goal() {
        Goal::KingCapture(CaptureInCheck::Draw) => Some(score::DRAW),
        Goal::KingCapture(CaptureInCheck::Loss) => Some(score::LOST),
        Goal::KingCapture(CaptureInCheck::Illegal) => Some(score::NONE),
        Goal::KingCapture(CaptureInCheck::Win) | Goal::Mate | Goal::Reach(_) | Goal::Extinction => {
            None
        }
    }
}

/// The positions of a row in which the king of `side` is attacked once the piece `mover` has
/// captured the other king. May include positions that do not exist.
#[inline(never)]
pub(super) fn attacked_afterwards<W: Word>(
    layout: &Layout,
    sight: Sight<'_, W>,
    at: &RowAt<W>,
    side: Colour,
    mover: usize,
) -> W::Row {
    let mut attacked = W::EMPTY_ROW;
    // The captor has left its square and stands on that of the king.
    let king = match layout.pieces[mover].piece_type {
        PieceType::King => at.leaders[side.other().index()],
        _ => at.leaders[side.index()],
    };
    let sight = sight.without(layout.role(at, mover));
    for (place, &guard) in layout.pieces.iter().enumerate() {
        if guard.colour != side && guard.piece_type != PieceType::King {
            let from = layout.role(at, place);
            sight.add_attacks(layout, guard, (from, Role::Fixed(king)), attacked.as_mut());
        }
    }
    attacked
}
