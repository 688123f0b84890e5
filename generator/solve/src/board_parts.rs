//! Parts of the board in which a move may begin or end: all of it, the last ranks, or the rest.
//!
//! The last ranks are those on which the pawns of a side promote.

use retrograde_rules::Colour;

use super::squares::{promotes_on, promotion_squares};
use super::word::{BoardShape, Word};

/// A part of the board in which a piece may stand before a move, or arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    All,
    Last,
    AllButLast,
}

impl Part {
    /// Whether a square is in the part for `side`.
    #[inline(always)]
    pub(crate) fn has(self, board: impl BoardShape, side: Colour, square: usize) -> bool {
        match self {
            Part::All => true,
            Part::Last => promotes_on(board, square, side),
            Part::AllButLast => !promotes_on(board, square, side),
        }
    }

    /// The squares of the part for `side`.
    #[inline(always)]
    pub(crate) fn squares<W: Word>(self, board: W::Board, side: Colour) -> W {
        match self {
            Part::All => W::ALL,
            Part::Last => promotion_squares(board, side),
            Part::AllButLast => !promotion_squares::<W>(board, side),
        }
    }
}
