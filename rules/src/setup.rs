//! A diagram, unchecked.

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::piece::Colour;
use crate::square::Square;
use crate::vitality::Vitality;

/// Pieces on a board, the side to move and the rest of a FEN, unchecked.
/// [`Position::new`](crate::Position::new) checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Colour,
    /// Who may still castle, and with what (X1-X3).
    pub castling: CastlingRights,
    /// The square that a pawn has just passed over with a double step.
    pub ep: Option<Square>,
    /// The vitality; `None` means full (H3), and is the only choice in games without
    /// vitality.
    pub vitality: Option<Vitality>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the move, counted from 1, raised after Black's move.
    pub fullmoves: u32,
}

impl Setup {
    /// A board without pieces, White to move, as at the start of a game.
    pub const fn empty() -> Setup {
        Setup {
            board: Board::empty(),
            turn: Colour::White,
            castling: CastlingRights::NONE,
            ep: None,
            vitality: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// The same diagram with the colours swapped and the ranks mirrored.
    pub fn mirrored(&self, geometry: crate::Geometry) -> Setup {
        Setup {
            board: self.board.mirrored(geometry),
            turn: self.turn.other(),
            castling: self.castling.swapped(),
            ep: self
                .ep
                .map(|square| geometry.apply(crate::Transform::FLIP_RANKS, square)),
            vitality: self.vitality.map(Vitality::swapped),
            ..*self
        }
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::empty()
    }
}
