//! Positions that are finished because a king has reached its goal (T2). They are lost for
//! the side to move, whatever moves there would be.

use retrograde_rules::{Colour, Goal, Square};

use super::layout::Layout;

/// Whether a side has reached its goal with the leaders, its kings, on these
/// squares, White's first.
#[inline(always)]
pub(crate) fn reached(layout: &Layout, leaders: [usize; 2], side: Colour) -> bool {
    match layout.game.goal() {
        Goal::Reach(squares) => squares[side.index()].contains(Square(leaders[side.index()] as u8)),
        Goal::Mate | Goal::KingCapture(_) | Goal::Extinction => false,
    }
}
