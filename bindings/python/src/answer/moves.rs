//! Moves, and lines of them.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use retrograde_probe::object::{LineObject, MoveObject};
use retrograde_rules::Position;
use serde_json::to_string;

use super::{dictionary, not_written, number, royal};
use crate::pickle::{Reduced, pickled_game, reduced};
use crate::position::{after, legal};

/// A legal move and what it leads to, from the view of the side that makes it: `win` is a win
/// for that side. Plies are counted from the position after the move.
///
/// Moves can be compared, hashed, copied and pickled.
#[pyclass(name = "Move", module = "retrograde", frozen, eq, hash)]
#[derive(PartialEq)]
pub(crate) struct PyMove {
    /// The position before it.
    before: Position,
    object: MoveObject,
}

impl PyMove {
    pub(crate) fn new(before: Position, object: MoveObject) -> PyMove {
        PyMove { before, object }
    }
}

impl Hash for PyMove {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let MoveObject { uci, category, .. } = &self.object;
        (self.before, uci, category).hash(state);
    }
}

#[pymethods]
impl PyMove {
    /// The move in UCI's long form.
    #[getter]
    fn uci(&self) -> &str {
        &self.object.uci
    }

    /// The move in algebraic notation.
    #[getter]
    fn san(&self) -> &str {
        &self.object.san
    }

    /// Who wins after it, for the side that makes it, at the half-move clock that it leaves:
    /// `win`, `cursed-win`, `draw`, `blessed-loss`, `loss` or `unknown`.
    #[getter]
    fn category(&self) -> &'static str {
        self.object.category
    }

    /// The category as a number, 2 to -2; None if it is unknown.
    #[getter]
    fn wdl(&self) -> Option<i8> {
        number(self.object.category)
    }

    /// Who wins: `white` or `black`; None for a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.object.winner
    }

    /// Plies from the position after it to the end, not negative; 0 if it mates. None for a
    /// draw, in games with vitality, and without a depth table.
    #[getter]
    fn depth_plies(&self) -> Option<u32> {
        self.object.depth_plies
    }

    /// Plies from the position after it to the next capture, pawn move or mate, not negative;
    /// None for a draw and in games without the fifty-move rule.
    #[getter]
    fn dtz_plies(&self) -> Option<u32> {
        self.object.dtz_plies
    }

    /// How the move ends the game; None if it goes on.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.object.end
    }

    /// With vitality: White's points after it.
    #[getter]
    fn white(&self) -> Option<u8> {
        self.object.white
    }

    /// With vitality: Black's points after it.
    #[getter]
    fn black(&self) -> Option<u8> {
        self.object.black
    }

    /// With vitality: whether it restores vitality (H7).
    #[getter]
    fn vital(&self) -> Option<bool> {
        self.object.vital
    }

    /// Orthodox chess: whether it is a capture or a pawn move.
    #[getter]
    fn zeroing(&self) -> Option<bool> {
        self.object.zeroing
    }

    /// Where kings are captured: whether it leaves both kings attacked.
    #[getter]
    fn double_check(&self) -> Option<bool> {
        self.object.double_check
    }

    /// Games with several kings: the squares of the royal pieces of each side after it.
    #[getter]
    fn royal_after<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        royal(py, self.object.royal_after.as_ref())
    }

    /// The FEN of the position after it.
    #[getter]
    fn fen(&self) -> PyResult<String> {
        after(&self.before, &self.object.uci)
    }

    /// The object that `retrograde probe --json --moves` prints.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, &to_string(&self.object).map_err(not_written)?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String, String, String)> {
        let (game, fen) = (pickled_game(self.before.game()), self.before.fen());
        let json = to_string(&self.object).map_err(not_written)?;
        reduced(py, "_move", (game, fen, json))
    }

    fn __repr__(&self) -> String {
        let MoveObject {
            uci,
            san,
            category,
            depth_plies,
            ..
        } = &self.object;
        match depth_plies {
            Some(plies) => format!("<Move {uci} {san}: {category}, depth {plies} plies>"),
            None => format!("<Move {uci} {san}: {category}>"),
        }
    }
}

/// Best play to the end.
///
/// A sequence of its moves in UCI's long form. Lines can be compared, hashed, copied and
/// pickled.
#[pyclass(name = "Line", module = "retrograde", frozen, eq, hash, sequence)]
#[derive(PartialEq, Hash)]
pub(crate) struct PyLine {
    /// Where it begins.
    start: Position,
    moves: Vec<String>,
    end: Option<&'static str>,
}

impl PyLine {
    pub(crate) fn new(start: Position, line: LineObject) -> PyLine {
        PyLine::of(start, line.moves, line.end)
    }

    pub(crate) fn of(start: Position, moves: Vec<String>, end: Option<&'static str>) -> PyLine {
        PyLine { start, moves, end }
    }

    /// A list, which can do all that a sequence can.
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, &self.moves)?.into_any())
    }
}

/// What a line is made anew from: the game, the first position, the moves, and the end.
type Parts = (String, String, Vec<String>, Option<&'static str>);

#[pymethods]
impl PyLine {
    /// The moves in UCI's long form; none for a draw.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.moves.clone()
    }

    /// The moves in algebraic notation.
    #[getter]
    fn san(&self) -> PyResult<Vec<String>> {
        let mut position = self.start;
        let name = |uci: &String| {
            let mv = legal(&position, uci)?;
            let san = position.san(mv);
            position = position.play(mv);
            Ok(san)
        };
        self.moves.iter().map(name).collect()
    }

    /// How the line ends; None for a draw that is not the end of the game.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.end
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __getitem__<'py>(&self, place: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.list(place.py())?.get_item(place)
    }

    /// The first place of a move, as `list.index`.
    #[pyo3(signature = (*arguments))]
    fn index<'py>(&self, arguments: &Bound<'py, PyTuple>) -> PyResult<Bound<'py, PyAny>> {
        self.list(arguments.py())?.call_method1("index", arguments)
    }

    /// How often a move is played.
    #[pyo3(signature = (value, /))]
    fn count<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.list(value.py())?.call_method1("count", (value,))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, Parts> {
        let (game, fen) = (pickled_game(self.start.game()), self.start.fen());
        reduced(py, "_line", (game, fen, self.moves.clone(), self.end))
    }

    fn __repr__(&self) -> String {
        let end = self.end.unwrap_or("draw");
        format!("<Line {} ({end})>", self.moves.join(" "))
    }
}
