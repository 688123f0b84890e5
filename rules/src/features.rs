//! What a game is made of: features that the rules, the index, the solver, the
//! verifier and the prober implement once each, and that every game picks
//! from. Nothing outside `games/` asks which game it has before it.

use crate::games::CaptureInCheck;
use crate::geometry::Geometry;
use crate::piece::{Colour, PieceType};
use crate::square::SquareSet;

/// Which pieces of a side must not be left attacked by its move. It depends on the
/// placement alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Royalty {
    /// The one king of each side (O3).
    King,
    /// Of each side's kings the one that comes first (K1).
    FirstKing(KingOrder),
    /// Every piece that is the only one of its type on its side (E2).
    OnlyOfType,
    /// None: no move is forbidden because of check (C1, E6).
    None,
}

/// In which order a side's kings are royal, and how the others move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KingOrder {
    /// For each side, whether a lower file comes first (1) or a higher (-1).
    pub files: [i8; 2],
    /// Likewise the ranks, where kings share a file.
    pub ranks: [i8; 2],
    /// What a king that is not royal moves like, besides as a king; `None` if
    /// like a king alone (K6).
    pub spare: Option<PieceType>,
}

/// What a side plays for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Goal {
    /// To mate (O3).
    Mate,
    /// To mate, or to have its king on one of these squares after its own move
    /// (T1). Such a position is finished, whatever else is true of it.
    Hill(SquareSet),
    /// To capture the king (C2), and what that is worth to a side whose own king
    /// is attacked then.
    KingCapture(CaptureInCheck),
    /// To take the last piece of a piece type (E6).
    Extinction,
}

/// What it means that a side has only one piece of a type left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LastOfType {
    /// Nothing: it may be taken, and a pawn may promote.
    Free,
    /// It stays: it is never left to be taken, and a pawn may not promote (O6,
    /// E2).
    Stays,
    /// The game ends when it goes, and its side has lost; as a rule (C2, E6).
    Decides,
}

/// From where pawns may step twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DoubleStep {
    /// From the rank where they stand when a game begins.
    FromHome,
    /// From every rank (C5).
    FromAnywhere,
}

/// What pawns may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Pawns {
    /// The first and the last rank, counted from 0, that pawns may stand on:
    /// White's and Black's.
    pub ranks: [(u8, u8); 2],
    /// From where they may step twice.
    pub double_step: DoubleStep,
    /// Whether a pawn may wait on its last rank and promote later, with a move
    /// (C5). If not, it promotes on arrival.
    pub wait: bool,
}

impl Pawns {
    /// As in orthodox chess, on any board: `home` is the rank that White's stand
    /// on when a game begins, counted from 0, and from where they step twice.
    pub const fn orthodox(geometry: Geometry, home: u8) -> Pawns {
        let ranks = geometry.ranks;
        Pawns {
            ranks: [(home, ranks - 2), (1, ranks - 1 - home)],
            double_step: DoubleStep::FromHome,
            wait: false,
        }
    }

    /// Whether a pawn of a side may stand on a rank, counted from 0.
    pub const fn may_stand(self, colour: Colour, rank: u8) -> bool {
        let (first, last) = self.ranks[colour.index()];
        first <= rank && rank <= last
    }
}

/// What positions of two kings alone are worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BareKings {
    /// All are drawn, so that there is no table.
    Drawn,
    /// As above, but a king that can be taken at once is; it can be avoided, so
    /// that all others are drawn (E6).
    DrawnUnlessTaken,
    /// They have a table like other material.
    Table,
}

/// How moves are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Notation {
    /// As usual: `e2e4`, `Nf3`.
    Plain,
    /// With marks for moves that would read like others: `f1=nd2` for a pawn that
    /// waited and moves as a knight, `e1&h1` for castling, and a star behind
    /// captures en passant.
    Marked,
}
