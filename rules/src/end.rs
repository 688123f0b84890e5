//! How games end.

use std::fmt;

use crate::piece::Colour;

/// How a game has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The side to move is attacked and has no legal move: it has lost (O3).
    Checkmate,
    /// The side to move is not attacked and has no legal move: usually a draw (O3).
    Stalemate {
        /// The winner, in games where that is no draw.
        winner: Option<Colour>,
    },
    /// The side that has just moved was Low, spent its last point of vitality and
    /// did not mate: it has lost (H6).
    Exhaustion,
    /// The side to move has no move at all, in a game where check forbids none:
    /// a draw (C4, E6).
    Blocked,
    /// A side has lost its last piece of a type (E6), or its last piece of all, which ends the
    /// game.
    Extinction {
        /// The winner: usually the side that has just moved, but not if it promoted
        /// its last pawn.
        winner: Colour,
    },
    /// The side that has just moved has its king on the hill: it has won, whatever
    /// else is true of the position (T1, T2).
    Hill,
    /// The king of the side to move has been captured: it has lost (C2).
    KingCapture,
    /// The king of the side to move has been captured by a side whose own king
    /// is attacked: a draw (C2).
    KingCaptureDraw,
    /// The king of the side to move has been captured by a side whose own king
    /// is attacked, in games where that loses (C2).
    KingCaptureLoss,
}

/// [`End::name`].
impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl End {
    /// The word used on the command line and in JSON.
    pub const fn name(self) -> &'static str {
        match self {
            End::Checkmate => "checkmate",
            End::Stalemate { .. } => "stalemate",
            End::Exhaustion => "exhaustion",
            End::Blocked => "blocked",
            End::Extinction { .. } => "extinction",
            End::Hill => "hill",
            End::KingCapture => "king-capture",
            End::KingCaptureDraw => "king-capture-draw",
            End::KingCaptureLoss => "king-capture-loss",
        }
    }

    /// Who has won, given the side to move in the final position; `None` for
    /// a draw.
    pub const fn winner(self, turn: Colour) -> Option<Colour> {
        match self {
            End::Checkmate | End::Hill | End::KingCapture => Some(turn.other()),
            End::Stalemate { winner } => winner,
            End::Blocked | End::KingCaptureDraw => None,
            End::Exhaustion | End::KingCaptureLoss => Some(turn),
            End::Extinction { winner } => Some(winner),
        }
    }
}
