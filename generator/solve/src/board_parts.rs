//! Parts of the board in which a move may begin or end: all of it, the last rank, or the rest.
//!
//! The last rank is that from the point of view of a side.

use retrograde_rules::Colour;

use super::squares::first_rank;
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
        let is_last = board.rank(square) == first_rank(board, side.other());
        match self {
            Part::All => true,
            Part::Last => is_last,
            Part::AllButLast => !is_last,
        }
    }

    /// The squares of the part for `side`.
    #[inline(always)]
    pub(crate) fn squares<W: Word>(self, board: W::Board, side: Colour) -> W {
        match self {
            Part::All => W::ALL,
            Part::Last => W::rank(board, first_rank(board, side.other())),
            Part::AllButLast => !W::rank(board, first_rank(board, side.other())),
        }
    }
}
