//! Board: the pieces on their squares, also as a set of squares for each colour and type.

use crate::geometry::Geometry;
use crate::piece::{Colour, Piece, PieceType};
use crate::square::{Square, SquareSet};

/// Pieces on squares, as a set for each colour and each piece type. A board does not
/// know its [`Geometry`]; the game does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Board {
    colours: [SquareSet; 2],
    piece_types: [SquareSet; PieceType::COUNT],
}

impl Board {
    /// A board without pieces.
    #[inline]
    pub const fn empty() -> Board {
        Board {
            colours: [SquareSet::EMPTY; 2],
            piece_types: [SquareSet::EMPTY; PieceType::COUNT],
        }
    }

    /// The board of these sets, of which no two of colours and no two of types share a
    /// square, and of which colours and types have the same squares.
    #[inline]
    pub(crate) const fn of_sets(
        colours: [SquareSet; 2],
        piece_types: [SquareSet; PieceType::COUNT],
    ) -> Board {
        Board {
            colours,
            piece_types,
        }
    }

    /// Puts a piece on a square, or empties it (`None`).
    /// The square must be one of the 128 that a [`SquareSet`] holds.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.take(square);
        if let Some(piece) = piece {
            self.put(square, piece);
        }
    }

    /// Puts a piece on an empty square.
    #[inline]
    pub(crate) fn put(&mut self, square: Square, piece: Piece) {
        self.colours[piece.colour.index()].insert(square);
        self.piece_types[piece.piece_type.index()].insert(square);
    }

    /// Takes a piece off a square where it stands.
    #[inline]
    pub(crate) fn lift(&mut self, square: Square, piece: Piece) {
        self.colours[piece.colour.index()].remove(square);
        self.piece_types[piece.piece_type.index()].remove(square);
    }

    /// Moves a piece from where it stands to an empty square.
    #[inline]
    pub(crate) fn shift(&mut self, piece: Piece, from: Square, to: Square) {
        let both = SquareSet::of(from) ^ SquareSet::of(to);
        for set in [
            &mut self.colours[piece.colour.index()],
            &mut self.piece_types[piece.piece_type.index()],
        ] {
            *set = *set ^ both;
        }
    }

    /// The king on `king` goes one square towards its partner on the same
    /// rank, who goes to where the king stood (C7).
    pub(crate) fn castle(&mut self, colour: Colour, king: Square, partner: Square) {
        let Some(piece_type) = self.piece_type_at(partner) else {
            return;
        };
        let beside = if partner > king {
            Square(king.0 + 1)
        } else {
            Square(king.0 - 1)
        };
        // Off the board first: with a neighbour the two swap.
        self.take(partner);
        self.shift(Piece::new(colour, PieceType::King), king, beside);
        self.put(king, Piece::new(colour, piece_type));
    }

    /// The king goes from `king` to `to`, and the next piece beyond that, its
    /// rook, to the square beside it on the side that it came from (X1-X3).
    pub(crate) fn castle_by_right(&mut self, colour: Colour, king: Square, to: Square) {
        let after = SquareSet(u128::MAX << to.0) - SquareSet::of(to);
        let (rook, beside) = if to > king {
            ((self.occupied() & after).first(), to.0.wrapping_sub(1))
        } else {
            let before = !after - SquareSet::of(to);
            ((self.occupied() & before).last(), to.0.wrapping_add(1))
        };
        let Some(rook) = rook else { return };
        self.shift(Piece::new(colour, PieceType::King), king, to);
        if let Some(piece) = self.piece_at(rook) {
            self.shift(piece, rook, Square(beside));
        }
    }

    /// Empties a square.
    #[inline]
    pub(crate) fn take(&mut self, square: Square) {
        let rest = !SquareSet::of(square);
        for set in self.colours.iter_mut().chain(&mut self.piece_types) {
            *set &= rest;
        }
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let colour = if self.by(Colour::White).contains(square) {
            Colour::White
        } else if self.by(Colour::Black).contains(square) {
            Colour::Black
        } else {
            return None;
        };
        Some(Piece::new(colour, self.piece_type_at(square)?))
    }

    /// The type of the piece on a square.
    #[inline]
    pub fn piece_type_at(&self, square: Square) -> Option<PieceType> {
        PieceType::ALL
            .into_iter()
            .find(|piece_type| self.piece_types[piece_type.index()].contains(square))
    }

    /// The squares of all pieces.
    #[inline]
    pub fn occupied(&self) -> SquareSet {
        self.colours[0] | self.colours[1]
    }

    /// The squares of one side's pieces.
    #[inline]
    pub fn by(&self, colour: Colour) -> SquareSet {
        self.colours[colour.index()]
    }

    /// The squares of both sides' pieces of one piece type.
    #[inline]
    pub fn piece_type(&self, piece_type: PieceType) -> SquareSet {
        self.piece_types[piece_type.index()]
    }

    /// The squares of the pieces of one colour and piece type.
    #[inline]
    pub fn of(&self, piece: Piece) -> SquareSet {
        self.by(piece.colour) & self.piece_type(piece.piece_type)
    }

    /// Every piece with its square, in the order of
    /// [`Material::pieces`](crate::Material::pieces), identical pieces by ascending square.
    pub fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        Colour::BOTH.into_iter().flat_map(move |colour| {
            PieceType::ALL.into_iter().flat_map(move |piece_type| {
                let piece = Piece::new(colour, piece_type);
                self.of(piece).map(move |square| (piece, square))
            })
        })
    }

    /// The board with the colours swapped and the ranks mirrored.
    pub(crate) fn mirrored(&self, geometry: Geometry) -> Board {
        let mut board = Board::empty();
        for (piece, square) in self.pieces() {
            let square = geometry.apply(crate::Transform::FLIP_RANKS, square);
            board.put(square, Piece::new(piece.colour.other(), piece.piece_type));
        }
        board
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_put_moved_and_counted() {
        let mut board = Board::empty();
        let king = Piece::new(Colour::White, PieceType::King);
        let rook = Piece::new(Colour::Black, PieceType::Rook);
        board.set(Square(80), Some(rook));
        board.set(Square(3), Some(rook));
        board.set(Square(3), Some(king));
        assert_eq!(board.piece_at(Square(3)), Some(king));
        assert_eq!(board.piece_at(Square(80)), Some(rook));
        assert_eq!(board.piece_at(Square(4)), None);
        assert_eq!(board.occupied().len(), 2);
        assert_eq!(board.material(&PieceType::ALL).to_string(), "KvR");
        let pieces: Vec<_> = board.pieces().collect();
        assert_eq!(pieces, [(king, Square(3)), (rook, Square(80))]);
        board.set(Square(3), None);
        board.set(Square(80), None);
        assert_eq!(board, Board::empty());
    }

    /// Pawns are all counted, and of other pieces 15; the counts of other types are not touched.
    #[test]
    fn more_pieces_of_a_kind_than_tables_have_are_counted() {
        for piece_type in PieceType::ALL {
            let (piece, other) = match piece_type {
                PieceType::Rook => (PieceType::Rook, PieceType::Bishop),
                piece_type => (piece_type, PieceType::Rook),
            };
            for count in [1, 15, 16, 17, 40] {
                let mut board = Board::empty();
                for square in 0..count {
                    board.put(Square(square), Piece::new(Colour::White, piece));
                    board.put(Square(64 + square), Piece::new(Colour::Black, piece));
                }
                board.put(Square(127), Piece::new(Colour::White, other));
                let counted = match piece {
                    PieceType::Pawn => count.into(),
                    _ => usize::from(count).min(15),
                };
                let material = board.material(&PieceType::ALL);
                for colour in Colour::BOTH {
                    assert_eq!(material.count(Piece::new(colour, piece)), counted);
                }
                assert_eq!(material.count(Piece::new(Colour::White, other)), 1);
                assert_eq!(material.side_len(Colour::White), counted + 1);
                assert_eq!(material.side_len(Colour::Black), counted);
            }
        }
    }
}
