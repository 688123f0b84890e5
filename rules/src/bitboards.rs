//! Makes positions from the sets of squares in 64 bits that chess programs have.

use thiserror::Error;

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::fault::{Forgive, PositionError};
use crate::fen::Setup;
use crate::game::Game;
use crate::geometry::Geometry;
use crate::piece::{Colour, PieceType};
use crate::position::Position;
use crate::square::{Square, SquareSet};

/// A diagram on 8x8 without castling rights, as sets of squares: bit 0 is a1, bit 1 b1,
/// bit 63 h8.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bitboards {
    /// White's pieces.
    pub white: u64,
    /// Black's pieces.
    pub black: u64,
    /// The pieces of both sides by type, in the order of [`Bitboards::PIECE_TYPES`].
    pub sets: [u64; 6],
    /// The side to move.
    pub turn: Colour,
    /// The square that a pawn may have passed over with a double step. One that means
    /// nothing is forgiven: many programs set it after every double step.
    pub ep: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the move, counted from 1.
    pub fullmoves: u32,
}

/// The errors of making a position from bitboards.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BitboardsError {
    /// The board of the game has another size.
    #[error("bitboards have 8x8 squares, {game} has {files}x{ranks}; give a FEN")]
    Geometry {
        /// The game's id.
        game: String,
        /// The number of files.
        files: u8,
        /// The number of ranks.
        ranks: u8,
    },
    /// A square has two pieces, or one without a colour.
    #[error("the bitboards contradict each other: every piece has one colour and one type")]
    Contradiction,
    /// The diagram is not a position of the game.
    #[error(transparent)]
    Position(#[from] PositionError),
}

impl Bitboards {
    /// The types of the sets.
    pub const PIECE_TYPES: [PieceType; 6] = [
        PieceType::King,
        PieceType::Queen,
        PieceType::Rook,
        PieceType::Bishop,
        PieceType::Knight,
        PieceType::Pawn,
    ];

    /// The board; `None` if the sets contradict each other.
    #[inline]
    fn board(&self) -> Option<Board> {
        let (mut all, mut twice) = (0, self.white & self.black);
        for set in self.sets {
            twice |= all & set;
            all |= set;
        }
        if twice != 0 || all != self.white | self.black {
            return None;
        }
        let mut piece_types = [SquareSet::EMPTY; PieceType::COUNT];
        for (piece_type, set) in Bitboards::PIECE_TYPES.into_iter().zip(self.sets) {
            piece_types[piece_type.index()] = SquareSet(set.into());
        }
        let colours = [self.white, self.black].map(|set| SquareSet(set.into()));
        Some(Board::of_sets(colours, piece_types))
    }
}

impl Position {
    /// A position of a game on 8x8 with full counters, from bitboards.
    ///
    /// # Errors
    /// See [`BitboardsError`].
    #[inline]
    pub fn from_bitboards(game: Game, bitboards: &Bitboards) -> Result<Position, BitboardsError> {
        if game.geometry().filled() != Geometry::EIGHT {
            let Geometry { files, ranks, .. } = game.geometry();
            let game = game.id();
            return Err(BitboardsError::Geometry { game, files, ranks });
        }
        let board = bitboards.board().ok_or(BitboardsError::Contradiction)?;
        let plain = match bitboards.ep {
            None => Position::from_board(game, &board, bitboards.turn),
            Some(_) => None,
        };
        if let Some(position) = plain {
            return Ok(Position {
                halfmoves: bitboards.halfmoves,
                fullmoves: bitboards.fullmoves.max(1),
                ..position
            });
        }
        bitboards.checked(game, board)
    }
}

impl Bitboards {
    /// The checked position, for boards with an e.p. right or with a fault.
    #[cold]
    fn checked(&self, game: Game, board: Board) -> Result<Position, BitboardsError> {
        let setup = Setup {
            board,
            turn: self.turn,
            castling: CastlingRights::NONE,
            ep: self.ep,
            ep_pawn: None,
            counters: None,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        };
        Ok(Position::forgiving(game, &setup, Forgive::EN_PASSANT)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The bitboards of a position.
    fn bitboards(position: &Position) -> Bitboards {
        let board = position.board();
        let bits = |set: SquareSet| set.0 as u64;
        Bitboards {
            white: bits(board.by(Colour::White)),
            black: bits(board.by(Colour::Black)),
            sets: Bitboards::PIECE_TYPES.map(|piece_type| bits(board.piece_type(piece_type))),
            turn: position.turn(),
            ep: position.ep(),
            halfmoves: position.halfmoves(),
            fullmoves: position.fullmoves(),
        }
    }

    #[test]
    fn positions_are_the_same_as_from_fen() {
        for (game, fen) in [
            ("orthodox", "8/8/8/3k4/8/8/1P6/KQRBN3 w - - 7 30"),
            ("orthodox", "8/8/8/8/3pP3/8/8/K6k b - e3 0 1"),
            ("high-chess", "8/8/8/3k4/8/8/8/K6R w - - 50+50 0 1"),
            ("kings", "8/8/8/k2k4/8/8/8/K6K b - - 0 1"),
            ("extinction", "8/8/8/3p4/8/8/8/Q7 w - - 0 1"),
        ] {
            let game = Game::parse(game).unwrap();
            let position = Position::from_fen(game, fen).unwrap();
            let found = Position::from_bitboards(game, &bitboards(&position));
            assert_eq!(found, Ok(position), "{fen}");
        }
    }

    #[test]
    fn what_is_no_position_is_refused_with_a_reason() {
        let game = Game::default();
        let position = Position::from_fen(game, "8/8/8/3k4/8/8/8/KQ6 b - -").unwrap();
        let sound = bitboards(&position);
        let refused = |change: fn(&mut Bitboards)| {
            let mut changed = sound;
            change(&mut changed);
            Position::from_bitboards(game, &changed).unwrap_err()
        };
        let contradiction = BitboardsError::Contradiction;
        assert_eq!(refused(|b| b.black |= b.white), contradiction);
        assert_eq!(refused(|b| b.white |= 1 << 40), contradiction);
        assert_eq!(refused(|b| b.sets[1] |= b.sets[0]), contradiction);
        assert_eq!(refused(|b| b.sets[3] |= 1 << 50), contradiction);
        let is_position = |error| matches!(error, BitboardsError::Position(_));
        // Black's king would be taken.
        let check = Position::from_fen(game, "8/8/8/1k6/8/8/8/KQ6 b - -").unwrap();
        let mut changed = bitboards(&check);
        changed.turn = Colour::White;
        let error = Position::from_bitboards(game, &changed).unwrap_err();
        assert!(is_position(error));
        assert!(is_position(refused(|b| {
            b.white &= !1;
            b.sets[0] &= !1;
        })));
        let queens = "name = \"queens\"\npieces.order = \"KQP\"";
        let none = |name: &str, _: &str| Err(format!("there is no {name}"));
        let queens = Game::define("test.toml", queens, "", &[], &none).unwrap();
        assert!(Position::from_bitboards(queens, &sound).is_ok());
        let mut rook = sound;
        rook.sets.swap(1, 2);
        let error = Position::from_bitboards(queens, &rook).unwrap_err();
        assert!(is_position(error));
        let nine = Game::parse("chess99").unwrap();
        let error = Position::from_bitboards(nine, &sound).unwrap_err();
        assert!(matches!(error, BitboardsError::Geometry { files: 9, .. }));
        // An e.p. square that means nothing is forgiven.
        let changed = Bitboards {
            ep: Some(Square(20)),
            ..sound
        };
        assert_eq!(Position::from_bitboards(game, &changed), Ok(position));
        // There is no move 0; some programs have it, in other ways, too.
        let mut setup = position.setup();
        setup.fullmoves = 0;
        assert_eq!(Position::new(game, &setup).unwrap(), position);
        let changed = Bitboards {
            fullmoves: 0,
            ..sound
        };
        assert_eq!(Position::from_bitboards(game, &changed), Ok(position));
    }
}
