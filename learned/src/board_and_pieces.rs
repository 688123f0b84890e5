//! Describes a material to the codec: the size of the board, and how its pieces move.

use std::ops::BitOr;

use crate::LearnedError;

/// A rectangular board of up to 128 squares, which are numbered rank by
/// rank: `rank * files + file`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodecBoard {
    files: u8,
    ranks: u8,
}

impl CodecBoard {
    /// A board of 1 to 16 files and ranks and at most 128 squares.
    ///
    /// # Errors
    /// The board is larger or empty.
    pub const fn new(files: u8, ranks: u8) -> Result<CodecBoard, LearnedError> {
        let fits = 1 <= files && files <= 16 && 1 <= ranks && ranks <= 16;
        if fits && files as u16 * ranks as u16 <= 128 {
            Ok(CodecBoard { files, ranks })
        } else {
            Err(LearnedError::Material(
                "a board has at most 16 by 16 and 128 squares",
            ))
        }
    }

    /// The number of files.
    pub const fn files(self) -> u8 {
        self.files
    }

    /// The number of ranks.
    pub const fn ranks(self) -> u8 {
        self.ranks
    }

    /// The number of squares.
    pub const fn squares(self) -> u8 {
        self.files * self.ranks
    }

    /// King steps of a royal piece to the square where a pawn promotes, less the steps of the
    /// pawn, plus 15. The pawn moves down the board or up.
    #[inline]
    pub(crate) fn race(self, down: bool, pawn: u8, royal: u8) -> u8 {
        let ((pawn_file, pawn_rank), (file, rank)) = (self.place(pawn), self.place(royal));
        let goal = if down { 0 } else { self.ranks - 1 };
        let king = pawn_file.abs_diff(file).max(goal.abs_diff(rank));
        15 + king - goal.abs_diff(pawn_rank)
    }

    /// The file and the rank of a square, counted from 0.
    pub(crate) const fn place(self, square: u8) -> (u8, u8) {
        (square % self.files, square / self.files)
    }
}

/// The ways in which a piece moves and captures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Moves(u8);

impl Moves {
    /// The moves of a king: one step in each of eight directions.
    pub const KING: Moves = Moves(1);
    /// Two squares in one direction and one in the other.
    pub const KNIGHT: Moves = Moves(2);
    /// Along files and ranks up to the first piece.
    pub const STRAIGHT: Moves = Moves(4);
    /// Along diagonals up to the first piece.
    pub const DIAGONAL: Moves = Moves(8);
    /// Captures one square diagonally ahead, and promotes on the last rank.
    pub const PAWN: Moves = Moves(16);

    /// Whether these include all of `other`.
    pub const fn has(self, other: Moves) -> bool {
        self.0 & other.0 == other.0
    }

    pub(crate) const fn bits(self) -> u8 {
        self.0
    }
}

impl BitOr for Moves {
    type Output = Moves;
    fn bitor(self, other: Moves) -> Moves {
        Moves(self.0 | other.0)
    }
}

/// A piece of a material, as far as it matters for features.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CodecPiece {
    /// Whether it is black; black pawns move down the board.
    pub black: bool,
    /// The ways in which it moves.
    pub moves: Moves,
    /// Whether the game can end by what happens to this piece: a king, or a piece
    /// that may be royal.
    pub royal: bool,
}

/// A pawn that moves up the board attacks the other square.
pub(crate) const UP: u8 = 16;
/// A pawn that moves down the board attacks the other square.
pub(crate) const DOWN: u8 = 32;
/// The ways to move that other pieces can block.
pub(crate) const SLIDES: u8 = Moves::STRAIGHT.0 | Moves::DIAGONAL.0;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_have_limits() {
        for (files, ranks) in [(8, 8), (9, 9), (10, 8), (10, 10), (11, 11), (1, 1), (16, 8)] {
            assert!(CodecBoard::new(files, ranks).is_ok());
        }
        for (files, ranks) in [(0, 8), (8, 0), (17, 1), (12, 11), (255, 255)] {
            assert!(CodecBoard::new(files, ranks).is_err());
        }
    }
}
