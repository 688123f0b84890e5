//! Reads positions from what Python gives: a FEN, or a board as python-chess has it.

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyString;
use retrograde_probe::{ProbeError, Unsupported};
use retrograde_rules::{Bitboards, Colour, Game, Geometry, Move, Position, Square};

use crate::errors::Trouble;

/// The python-chess variant whose boards may stand for positions of any game on 8x8.
const CHESS: &str = "chess";

/// The variants of python-chess that are one game here, with one value or another of a rule option.
const VARIANTS: [(&str, &str); 3] = [
    ("antichess", "antichess"),
    ("giveaway", "antichess"),
    ("suicide", "antichess:stalemate=fewer-men"),
];

/// A position as given, with its clocks.
pub(crate) fn read(game: Game, given: &Bound<'_, PyAny>) -> Result<Position, Trouble> {
    if let Ok(fen) = given.cast::<PyString>() {
        return Ok(Position::from_fen(game, fen.to_str()?)?);
    }
    let diagram = Diagram::of(game, given)?;
    let clock = |name: &Bound<'_, PyString>| {
        let number = given.getattr(name)?;
        match number.extract::<u32>() {
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                let text = format!("the {name} of a board is a number from 0, not {number}");
                Err(PyValueError::new_err(text))
            }
            number => number,
        }
    };
    let halfmoves = clock(intern!(given.py(), "halfmove_clock"))?;
    let fullmoves = clock(intern!(given.py(), "fullmove_number"))?;
    if diagram.has_castling_rights {
        return with_castling_rights(game, given);
    }
    let bitboards = Bitboards {
        halfmoves,
        fullmoves,
        ..diagram.bitboards
    };
    Ok(Position::from_bitboards(game, &bitboards)?)
}

/// A board that says it has castling rights. Its FEN leaves out those that mean nothing.
#[cold]
fn with_castling_rights(game: Game, given: &Bound<'_, PyAny>) -> Result<Position, Trouble> {
    let fen = given.call_method0(intern!(given.py(), "fen"))?;
    let fen = fen.cast::<PyString>().map_err(PyErr::from)?;
    Ok(Position::from_fen(game, fen.to_str()?)?)
}

/// A legal move of a position, given in UCI's long form.
pub(crate) fn legal(position: &Position, uci: &str) -> PyResult<Move> {
    let mv = position.parse_uci(uci);
    mv.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The FEN of the position after a legal move.
pub(crate) fn after(position: &Position, uci: &str) -> PyResult<String> {
    Ok(position.play(legal(position, uci)?).fen())
}

/// Reads a position with the half-move clock at 0, for questions to tables alone.
#[inline]
pub(crate) fn read_at_clock_0(game: Game, given: &Bound<'_, PyAny>) -> Result<Position, Trouble> {
    if let Ok(fen) = given.cast::<PyString>() {
        return fen_at_clock_0(game, fen.to_str()?);
    }
    let diagram = Diagram::of(game, given)?;
    if diagram.has_castling_rights {
        return Ok(with_castling_rights(game, given)?.with_halfmoves(0));
    }
    Ok(Position::from_bitboards(game, &diagram.bitboards)?)
}

/// A FEN with the half-move clock at 0.
pub(crate) fn fen_at_clock_0(game: Game, fen: &str) -> Result<Position, Trouble> {
    Ok(Position::from_fen(game, fen)?.with_halfmoves(0))
}

/// A board of python-chess.
struct Diagram {
    /// The pieces, with the clocks of the start of a game.
    bitboards: Bitboards,
    has_castling_rights: bool,
}

impl Diagram {
    fn of(game: Game, board: &Bound<'_, PyAny>) -> Result<Diagram, Trouble> {
        let py = board.py();
        let Ok(kings) = board.getattr(intern!(py, "kings")) else {
            return Err(Trouble::not_a_position(board));
        };
        if game.geometry() != Geometry::EIGHT {
            let Geometry { files, ranks, .. } = game.geometry();
            return Err(Trouble::Python(PyTypeError::new_err(format!(
                "a chess.Board has 8x8 squares, {game} has {files}x{ranks}; give a FEN"
            ))));
        }
        expect_variant(game, board)?;
        let set = |name: &Bound<'_, PyString>| Ok::<u64, Trouble>(board.getattr(name)?.extract()?);
        let sets = [
            kings.extract()?,
            set(intern!(py, "queens"))?,
            set(intern!(py, "rooks"))?,
            set(intern!(py, "bishops"))?,
            set(intern!(py, "knights"))?,
            set(intern!(py, "pawns"))?,
        ];
        let white = board.getattr(intern!(py, "occupied_co"))?.get_item(1)?;
        let white: u64 = white.extract()?;
        let castling: u64 = set(intern!(py, "castling_rights"))?;
        let ep = board.getattr(intern!(py, "ep_square"))?;
        let bitboards = Bitboards {
            white,
            black: sets.iter().fold(0, |all, set| all | set) & !white,
            sets,
            turn: match board.getattr(intern!(py, "turn"))?.is_truthy()? {
                true => Colour::White,
                false => Colour::Black,
            },
            ep: match ep.is_none() {
                true => None,
                false => Some(square(ep.extract()?)?),
            },
            halfmoves: 0,
            fullmoves: 1,
        };
        Ok(Diagram {
            bitboards,
            has_castling_rights: castling != 0,
        })
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
    let known = VARIANTS.iter().find(|&&(variant, _)| variant == name);
    let is_of_game = || known.map_or_else(|| game.is_called(name), |&(_, id)| game.id() == id);
    if name == CHESS || is_of_game() {
        return Ok(());
    }
    Err(Trouble::from(ProbeError::Unsupported(Unsupported::Game {
        position: name.to_owned(),
        tables: game.id(),
    })))
}

/// A side by its name.
pub(crate) fn parse_side(side: &Bound<'_, PyAny>) -> PyResult<Colour> {
    // python-chess has True for White.
    if let Ok(is_white) = side.extract::<bool>() {
        return Ok(if is_white {
            Colour::White
        } else {
            Colour::Black
        });
    }
    let name = side.cast::<PyString>().ok().map(|name| name.to_string());
    match name.as_deref() {
        Some("white" | "w") => Ok(Colour::White),
        Some("black" | "b") => Ok(Colour::Black),
        _ => Err(PyValueError::new_err("a side is \"white\" or \"black\"")),
    }
}
