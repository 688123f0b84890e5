//! What is said about positions and moves, as objects of Python. Names are those
//! of `retrograde probe --json`.

mod fault;
mod moves;
mod vitality;

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::PyDict;
use retrograde_probe::Wdl;
use retrograde_probe::object::{AnswerObject, RoyalObject};
use retrograde_rules::Position;
use serde_json::to_string;

use crate::pickle::{Reduced, pickled_game, reduced};
pub(crate) use fault::PyFault;
pub(crate) use moves::{PyLine, PyMove};
pub(crate) use vitality::PyVitality;

/// Everything that is said about a position.
///
/// The names are those of `retrograde probe --json`; what a game does not have, and what is
/// not known, is None. Answers can be compared, hashed, copied and pickled.
#[pyclass(name = "Answer", module = "retrograde", frozen, eq, hash)]
#[derive(PartialEq)]
pub(crate) struct PyAnswer {
    position: Position,
    object: AnswerObject,
}

impl PyAnswer {
    pub(crate) fn new(position: Position, object: AnswerObject) -> PyAnswer {
        PyAnswer { position, object }
    }
}

impl Hash for PyAnswer {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let AnswerObject {
            fen,
            game,
            category,
            depth_plies,
            dtz_plies,
            line,
            ..
        } = &self.object;
        (fen, game, category, depth_plies, dtz_plies, line).hash(state);
    }
}

/// The number of a category; None if it is unknown.
fn number(category: &str) -> Option<i8> {
    let wdl = Wdl::ALL.into_iter().find(|wdl| wdl.name() == category);
    wdl.map(Wdl::number)
}

fn royal<'py>(
    py: Python<'py>,
    royal: Option<&RoyalObject>,
) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(royal) = royal else {
        return Ok(None);
    };
    let sides = PyDict::new(py);
    sides.set_item("white", &royal.white)?;
    sides.set_item("black", &royal.black)?;
    Ok(Some(sides))
}

/// A line of JSON as a dictionary.
fn dictionary<'py>(py: Python<'py>, json: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (json,))
}

fn not_written(error: serde_json::Error) -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err(error.to_string())
}

#[pymethods]
impl PyAnswer {
    /// The position as it was understood.
    #[getter]
    fn fen(&self) -> &str {
        &self.object.fen
    }

    /// The id of the game with its options.
    #[getter]
    fn game(&self) -> &str {
        &self.object.game
    }

    /// The material in normal form, such as `KQvKR`.
    #[getter]
    fn material(&self) -> &str {
        &self.object.material
    }

    /// Who wins, for the side to move, at the half-move clock of the position: `win`,
    /// `cursed-win`, `draw`, `blessed-loss`, `loss` or `unknown`.
    #[getter]
    fn category(&self) -> &'static str {
        self.object.category
    }

    /// The category as a number, 2 to -2, which holds at the half-move clock, unlike
    /// `Tablebase.probe_wdl`; None if it is unknown.
    #[getter]
    fn wdl(&self) -> Option<i8> {
        number(self.object.category)
    }

    /// The half-move clock; None in games without the fifty-move rule.
    #[getter]
    fn clock(&self) -> Option<u32> {
        self.object.clock
    }

    /// The category with the half-move clock at 0; None also in games without the
    /// fifty-move rule.
    #[getter]
    fn category_at_clock_0(&self) -> Option<&'static str> {
        self.object.category_at_clock_0.flatten()
    }

    /// Who wins: `white` or `black`; None for a draw.
    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.object.winner
    }

    /// Plies to the end with best play, not negative. They leave the fifty-move rule and
    /// the clock out of account. None for a draw, in games with vitality, and without a depth
    /// table.
    #[getter]
    fn depth_plies(&self) -> Option<u32> {
        self.object.depth_plies
    }

    /// Plies to the next capture, pawn move or mate with the clock at 0, not negative; None
    /// for a draw and in games without the fifty-move rule.
    #[getter]
    fn dtz_plies(&self) -> Option<u32> {
        self.object.dtz_plies
    }

    /// With vitality: the counters, and what each side needs.
    #[getter]
    fn vitality(&self) -> Option<PyVitality> {
        let object = self.object.vitality.clone()??;
        Some(PyVitality::new(object))
    }

    /// With vitality: `mate` or `exhaustion`.
    #[getter]
    fn win_by(&self) -> Option<&'static str> {
        self.object.win_by.flatten()
    }

    /// Whether the side to move is attacked.
    #[getter]
    fn check(&self) -> bool {
        self.object.check
    }

    /// Where kings are captured: whose king is attacked.
    #[getter]
    fn checks<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(checks) = self.object.checks else {
            return Ok(None);
        };
        let sides = PyDict::new(py);
        sides.set_item("white", checks.white)?;
        sides.set_item("black", checks.black)?;
        Ok(Some(sides))
    }

    /// Where kings are captured: whether both kings are attacked.
    #[getter]
    fn double_check(&self) -> Option<bool> {
        self.object.double_check
    }

    /// Whether the side to move is mated.
    #[getter]
    fn checkmate(&self) -> bool {
        self.object.checkmate
    }

    /// Whether the side to move is stalemated.
    #[getter]
    fn stalemate(&self) -> bool {
        self.object.stalemate
    }

    /// Games with several kings: the squares of the royal pieces of each side.
    #[getter]
    fn royal<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        royal(py, self.object.royal.as_ref())
    }

    /// Orthodox chess: whether the pieces alone make it a draw.
    #[getter]
    fn dead(&self) -> Option<bool> {
        self.object.dead
    }

    /// Orthodox chess: whether either side can be mated by any moves of both; None also
    /// without a helpmate table, unless the rules alone tell.
    #[getter]
    fn helpmate<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(helpmate) = self.object.helpmate.flatten() else {
            return Ok(None);
        };
        let fields = PyDict::new(py);
        fields.set_item("white", helpmate.white)?;
        fields.set_item("black", helpmate.black)?;
        Ok(Some(fields))
    }

    /// With vitality: which side is High, and how far the kings are from the centre.
    #[getter]
    fn high<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Some(high) = self.object.high else {
            return Ok(None);
        };
        let fields = PyDict::new(py);
        fields.set_item("side", high.side)?;
        fields.set_item("white_distance", high.white_distance)?;
        fields.set_item("black_distance", high.black_distance)?;
        Ok(Some(fields))
    }

    /// How the game has ended; None if it goes on.
    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.object.end
    }

    /// The legal moves, best first; None if they were not asked for.
    #[getter]
    fn moves(&self) -> Option<Vec<PyMove>> {
        let moves = self.object.moves.as_ref()?;
        let moves = moves.iter().cloned();
        Some(moves.map(|mv| PyMove::new(self.position, mv)).collect())
    }

    /// Best play; None if it was not asked for, or a table is missing.
    #[getter]
    fn line(&self) -> Option<PyLine> {
        let moves = self.object.line.as_ref()?.clone()?;
        let end = self.object.line_end.flatten();
        Some(PyLine::of(self.position, moves, end))
    }

    /// Why the category is unknown; None if it is not.
    #[getter]
    fn error(&self) -> Option<PyFault> {
        let error = self.object.error.clone()?;
        Some(PyFault::new(error))
    }

    /// The line that `retrograde probe --json` prints.
    fn to_json(&self) -> PyResult<String> {
        to_string(&self.object).map_err(not_written)
    }

    /// The same as a dictionary.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, &self.to_json()?)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String, String, String)> {
        let (game, fen) = (pickled_game(self.position.game()), self.position.fen());
        reduced(py, "_answer", (game, fen, self.to_json()?))
    }

    fn __repr__(&self) -> String {
        let AnswerObject {
            fen,
            category,
            depth_plies,
            dtz_plies,
            ..
        } = &self.object;
        let mut text = format!("<Answer \"{fen}\": {category}");
        if let Some(plies) = depth_plies {
            text.push_str(&format!(", depth {plies} plies"));
        }
        if let Some(plies) = dtz_plies {
            text.push_str(&format!(", DTZ {plies}"));
        }
        text + ">"
    }
}
