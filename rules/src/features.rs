//! Features that games are composed of, such as goals and kinds of kings, and how games end.
//!
//! The rules, the index, the solver, the verifier and the prober implement each of them once.
//! Nothing asks which game it is dealing with.

use std::fmt;

use crate::betza::Mover;
use crate::board::Board;
pub use crate::keys::CaptureInCheck;
use crate::piece::{Colour, Piece, PieceType};
use crate::square::SquareSet;

/// The royal pieces of a side: those that must not be attacked after its move. They depend on the
/// placement alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Royalty {
    /// The one king of the side (O3).
    King,
    /// The first of each side's kings in an order (K1).
    FirstKing(KingOrder),
    /// Every piece that is the only one of its type on its side (E2).
    OnlyOfType,
    /// No piece is royal: no move is forbidden because of check (C1, E6).
    None,
}

/// The order that tells which of a side's kings is royal, and how the others move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingOrder {
    /// The direction of files for each side: 1 if a lower file comes first, -1 if a higher one
    /// does.
    pub files: [i8; 2],
    /// The direction of ranks for each side, for kings on the same file: 1 if a lower rank comes
    /// first, -1 if a higher one does.
    pub ranks: [i8; 2],
    /// The moves of the other kings (K6).
    pub spare: Mover,
}

/// The goal of a game: the event that wins it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// Mate (O3).
    Mate,
    /// Mate, or a piece on a square that such pieces are to reach, after a move of its own side
    /// (T1). Such a position is finished, whatever else is true of it.
    Reach(Destination),
    /// Capturing the king (C2); the field says what that achieves if the captor's own
    /// king is then attacked.
    KingCapture(CaptureInCheck),
    /// Extinction (E6): the other side loses its last piece of a type or, where that is good, the
    /// own side does.
    Extinction,
}

/// The squares on which pieces of some types win the game by standing there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Destination {
    /// Whether pieces of each type do, by [`PieceType::index`].
    pub piece_types: [bool; PieceType::COUNT],
    /// The squares, White's and Black's.
    pub squares: [SquareSet; 2],
    /// The squares on which pawns may stand, White's and Black's.
    pub(crate) pawn_squares: [SquareSet; 2],
    /// Whether Black may still get there at once after White, which is a draw (R2).
    pub reply: bool,
    /// The number of pieces of a side that have to be there (D12).
    pub count: usize,
    /// Whether pieces win by being safe there (D13).
    pub safe: bool,
    /// Whether pieces win by being there when their side is to move (D14). If neither this nor
    /// `safe` holds, they win by arriving.
    pub stays: bool,
}

impl Destination {
    /// The squares on which a piece wins by standing there.
    pub fn squares_of(&self, piece: Piece) -> SquareSet {
        let side = piece.colour.index();
        match piece.piece_type {
            piece_type if !self.piece_types[piece_type.index()] => SquareSet::EMPTY,
            PieceType::Pawn => self.squares[side] & self.pawn_squares[side],
            _ => self.squares[side],
        }
    }

    /// The pieces of a side that have arrived; none as long as there are too few.
    #[inline]
    pub fn arrived(&self, board: &Board, colour: Colour) -> SquareSet {
        let there = board.by(colour) & self.squares[colour.index()];
        if there.is_empty() {
            return there;
        }
        let types = PieceType::ALL.into_iter().zip(self.piece_types);
        let meant = types.filter(|&(_, is_meant)| is_meant);
        let arrived = meant.fold(SquareSet::EMPTY, |all, (piece_type, _)| {
            all | there & board.piece_type(piece_type)
        });
        match arrived.len() < self.count {
            true => SquareSet::EMPTY,
            false => arrived,
        }
    }

    /// Whether a game goes on although pieces have arrived: they are not safe, or have to stay
    /// (D13, D14).
    #[inline]
    pub fn lingers(&self) -> bool {
        self.safe || self.stays
    }
}

impl Goal {
    /// Whether check forbids moves. Where it forbids none, a side without any move is
    /// blocked, which is a draw (C4, E6).
    pub const fn check_forbids_moves(self) -> bool {
        match self {
            Goal::Mate | Goal::Reach(_) => true,
            Goal::KingCapture(_) | Goal::Extinction => false,
        }
    }
}

/// The meaning of a piece that is its side's last of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LastOfType {
    /// Nothing: it may be captured, and a pawn may promote.
    Free,
    /// The piece stays: it may never be left attacked, and a pawn may not promote (O6, E2).
    Stays,
    /// The game ends when it goes, and usually its side has lost (C2, E6).
    Decides,
}

/// The ranks from which pawns may make a double step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoubleStep {
    /// Nowhere.
    None,
    /// The rank where they stand when a game begins.
    FromHome,
    /// Every rank (C5).
    FromAnywhere,
    /// The ranks of [`Game::double_step_ranks`](crate::Game::double_step_ranks).
    FromRanks,
}

/// The rights of pawns: where they stand, step twice, and promote.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pawns {
    /// The first and the last rank, counted from 0, that White's and Black's pawns may
    /// stand on.
    pub ranks: [(u8, u8); 2],
    /// The ranks from which they may make a double step.
    pub double_step: DoubleStep,
    /// The number of last ranks on which pawns promote, or that hold all squares where they do.
    pub promotion_ranks: u8,
    /// Whether they promote on some squares of these ranks alone, and not on all.
    pub on_squares: bool,
    /// Whether a pawn may arrive there and stay a pawn.
    pub stay: bool,
    /// Whether a pawn that has stayed waits there, and promotes later as part of a move (C5). If
    /// not, it goes on as a pawn, and may promote as it arrives on the next rank.
    pub wait: bool,
    /// Whether a pawn may promote as it arrives where pawns promote; if not, it waits there.
    pub promote_on_arrival: bool,
}

/// The value of positions with two bare kings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BareKings {
    /// Every such position is drawn, so there is no table.
    Drawn,
    /// Every such position is drawn unless a king can be captured at once. That can be avoided
    /// (E6), so there is no table.
    DrawnUnlessTaken,
    /// Bare kings have a table like other material.
    Table,
}

/// The end of a game, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum End {
    /// The side to move is attacked and has no legal move: it has lost (O3).
    Checkmate,
    /// The side to move is attacked and has no legal move, in a game in which that wins (D4).
    CheckmateWins,
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
    /// A side has a single piece left, usually the royal one, which has decided the game; or both
    /// have, which is a draw (S2, D10).
    Bare {
        /// The winner.
        winner: Option<Colour>,
    },
    /// The side that has just moved has given its last check: it has won, whatever moves there
    /// would be (V1).
    Checks,
    /// The royal piece of the side to move has exploded: it has lost (M2).
    Explosion,
    /// The side that has just moved has a piece on a square that it is to reach, such as a king on
    /// the hill: it has won, whatever else is true of the position (T1, T2).
    Hill,
    /// Both sides have got there, Black right after White (R2), or both safely (D13): a draw.
    HillShared,
    /// The side to move has got there by an earlier move, and the other has not answered (R2, D14),
    /// or has made its pieces safe (D13): it has won.
    HillUnanswered,
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
            End::Checkmate | End::CheckmateWins => "checkmate",
            End::Stalemate { .. } => "stalemate",
            End::Exhaustion => "exhaustion",
            End::Blocked => "blocked",
            End::Extinction { .. } => "extinction",
            End::Bare { .. } => "bare",
            End::Checks => "checks",
            End::Explosion => "explosion",
            End::Hill | End::HillShared | End::HillUnanswered => "hill",
            End::KingCapture => "king-capture",
            End::KingCaptureDraw => "king-capture-draw",
            End::KingCaptureLoss => "king-capture-loss",
        }
    }

    /// The winner, given the side to move in the final position; `None` for a draw.
    pub const fn winner(self, turn: Colour) -> Option<Colour> {
        match self {
            End::Checkmate | End::Checks | End::Explosion | End::Hill | End::KingCapture => {
                Some(turn.other())
            }
            End::Bare { winner } | End::Stalemate { winner } => winner,
            End::Blocked | End::HillShared | End::KingCaptureDraw => None,
            End::CheckmateWins | End::Exhaustion | End::HillUnanswered | End::KingCaptureLoss => {
                Some(turn)
            }
            End::Extinction { winner } => Some(winner),
        }
    }
}
