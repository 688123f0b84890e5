//! Positions from what Python gives: a FEN, or a board as python-chess has it.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;
use retrograde_probe::{ProbeError, Unsupported};
use retrograde_rules::{
    Board, CastlingRights, Colour, Forgive, Game, Geometry, Piece, PieceType, Position, ReadError,
    Setup, Square, SquareSet,
};

use crate::errors::Trouble;

/// The variants whose boards may stand for positions of any game on 8x8.
const CHESS: &str = "chess";

/// A position as given, with its clocks.
pub(crate) fn read(game: Game, given: &Bound<'_, PyAny>) -> Result<Position, Trouble> {
    if let Ok(fen) = given.cast::<PyString>() {
        return Ok(Position::from_fen(game, fen.to_str()?)?);
    }
    let diagram = Diagram::of(game, given)?;
    let clock = |name| Ok::<u32, Trouble>(given.getattr(name)?.extract()?);
    let halfmoves = clock(intern!(given.py(), "halfmove_clock"))?;
    let fullmoves = clock(intern!(given.py(), "fullmove_number"))?;
    if diagram.has_castling_rights {
        let fen = given.call_method0(intern!(given.py(), "fen"))?;
        let fen = fen.cast::<PyString>().map_err(PyErr::from)?;
        return Ok(Position::from_fen(game, fen.to_str()?)?);
    }
    diagram.slowly(game, halfmoves, fullmoves)
}

/// The same with the half-move clock at 0, for what is asked of tables alone.
#[inline]
pub(crate) fn read_at_clock_0(game: Game, given: &Bound<'_, PyAny>) -> Result<Position, Trouble> {
    if let Ok(fen) = given.cast::<PyString>() {
        return fen_at_clock_0(game, fen.to_str()?);
    }
    let diagram = Diagram::of(game, given)?;
    if diagram.has_castling_rights {
        return Err(Trouble::castling());
    }
    diagram.quickly(game)
}

/// A FEN with the half-move clock at 0.
pub(crate) fn fen_at_clock_0(game: Game, fen: &str) -> Result<Position, Trouble> {
    let mut setup = Setup::from_fen(game, fen).map_err(ReadError::from)?;
    setup.halfmoves = 0;
    let position = Position::new(game, &setup).map_err(ReadError::from)?;
    Ok(position)
}

/// What a board of python-chess says.
struct Diagram {
    /// By [`PieceType::index`].
    piece_types: [u64; PieceType::COUNT],
    /// White's squares.
    white: u64,
    turn: Colour,
    ep: Option<Square>,
    has_castling_rights: bool,
}

impl Diagram {
    fn of(game: Game, board: &Bound<'_, PyAny>) -> Result<Diagram, Trouble> {
        let py = board.py();
        let Ok(kings) = board.getattr(intern!(py, "kings")) else {
            return Err(Trouble::not_a_position(board));
        };
        if game.geometry() != Geometry::EIGHT {
            let Geometry { files, ranks } = game.geometry();
            return Err(Trouble::Python(PyTypeError::new_err(format!(
                "a chess.Board has 8x8 squares, {game} has {files}x{ranks}; give a FEN"
            ))));
        }
        expect_variant(game, board)?;
        let set = |name: &Bound<'_, PyString>| Ok::<u64, Trouble>(board.getattr(name)?.extract()?);
        let mut piece_types = [0; PieceType::COUNT];
        piece_types[PieceType::King.index()] = kings.extract()?;
        piece_types[PieceType::Queen.index()] = set(intern!(py, "queens"))?;
        piece_types[PieceType::Rook.index()] = set(intern!(py, "rooks"))?;
        piece_types[PieceType::Bishop.index()] = set(intern!(py, "bishops"))?;
        piece_types[PieceType::Knight.index()] = set(intern!(py, "knights"))?;
        piece_types[PieceType::Pawn.index()] = set(intern!(py, "pawns"))?;
        let white = board.getattr(intern!(py, "occupied_co"))?.get_item(1)?;
        let castling: u64 = set(intern!(py, "castling_rights"))?;
        let ep = board.getattr(intern!(py, "ep_square"))?;
        Ok(Diagram {
            piece_types,
            white: white.extract()?,
            turn: match board.getattr(intern!(py, "turn"))?.is_truthy()? {
                true => Colour::White,
                false => Colour::Black,
            },
            ep: match ep.is_none() {
                true => None,
                false => Some(square(ep.extract()?)?),
            },
            has_castling_rights: castling != 0,
        })
    }

    fn pieces(&self) -> impl Iterator<Item = (Piece, Square)> + '_ {
        PieceType::ALL.into_iter().flat_map(move |piece_type| {
            let set = self.piece_types[piece_type.index()];
            SquareSet(set.into()).map(move |square| {
                let colour = match self.white >> square.0 & 1 {
                    0 => Colour::Black,
                    _ => Colour::White,
                };
                (Piece::new(colour, piece_type), square)
            })
        })
    }

    /// The position at the clocks of the start of a game.
    #[inline]
    fn quickly(&self, game: Game) -> Result<Position, Trouble> {
        if self.ep.is_none()
            && let Some(position) = Position::from_pieces(game, self.pieces(), self.turn)
        {
            return Ok(position);
        }
        self.slowly(game, 0, 1)
    }

    /// The same with an e.p. right, clocks, and a reason if it is no position. A
    /// board may have an e.p. square that means nothing, so that is forgiven.
    #[cold]
    fn slowly(&self, game: Game, halfmoves: u32, fullmoves: u32) -> Result<Position, Trouble> {
        let mut board = Board::empty();
        for (piece, square) in self.pieces() {
            if board.piece_at(square).is_some() {
                return Err(PyValueError::new_err("two pieces of the board share a square").into());
            }
            board.set(square, Some(piece));
        }
        let setup = Setup {
            board,
            turn: self.turn,
            castling: CastlingRights::NONE,
            ep: self.ep,
            vitality: None,
            halfmoves,
            fullmoves,
        };
        let position = Position::forgiving(game, &setup, Forgive::EN_PASSANT);
        Ok(position.map_err(ReadError::from)?)
    }
}

/// A square of a board of 64.
fn square(number: u8) -> Result<Square, Trouble> {
    if number < 64 {
        return Ok(Square(number));
    }
    Err(PyValueError::new_err(format!("there is no square {number}")).into())
}

/// Boards of plain chess stand for every game on 8x8, those of another variant for
/// that game alone.
#[inline]
fn expect_variant(game: Game, board: &Bound<'_, PyAny>) -> Result<(), Trouble> {
    let Ok(variant) = board.getattr(intern!(board.py(), "uci_variant")) else {
        return Ok(());
    };
    let Ok(name) = variant.cast::<PyString>() else {
        return Ok(());
    };
    let name = name.to_str()?;
    if name == CHESS || game.is_called(name) {
        return Ok(());
    }
    Err(Trouble::from(ProbeError::Unsupported(Unsupported::Game {
        position: name.to_owned(),
        tables: game.id(),
    })))
}
