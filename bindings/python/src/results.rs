//! Turns answers into Python's result objects, by way of JSON and `retrograde._results`.
//!
//! Users see what `retrograde._results` makes of these JSON objects, and what the rules know about
//! them.

use std::collections::BTreeMap;

use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use retrograde_probe::object::AnswerObject;
use retrograde_rules::{Game, Position};
use serde_json::to_string;

use crate::array::array;
use crate::errors::{Trouble, find_game};
use crate::position::legal;

/// Makes a result, an instance of a class of `retrograde._results`, or calls a function there.
pub(crate) fn result<'py>(
    py: Python<'py>,
    class: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyResult<Bound<'py, PyAny>> {
    let results = py.import("retrograde._results")?;
    results.getattr(class)?.call1(arguments)
}

/// An object that was written as JSON, in Python's types.
pub(crate) fn parsed<'py>(
    py: Python<'py>,
    json: serde_json::Result<String>,
) -> PyResult<Bound<'py, PyAny>> {
    let json = json.map_err(not_written)?;
    py.import("json")?.call_method1("loads", (json,))
}

fn not_written(error: serde_json::Error) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// The game and the FEN of a position, which a result keeps.
pub(crate) fn origin(position: &Position) -> (String, String) {
    (pickled_game(position.game()), position.fen())
}

/// A game as it is pickled: one that is built in by its id, others by the text of their rules.
pub(crate) fn pickled_game(game: Game) -> String {
    match game.is_built_in() {
        true => game.id(),
        false => format!("name = \"{}\"\n{}", game.name(), game.normal()),
    }
}

/// An answer about a position.
pub(crate) fn answer<'py>(
    py: Python<'py>,
    position: &Position,
    object: &AnswerObject,
) -> PyResult<Bound<'py, PyAny>> {
    let json = to_string(object).map_err(not_written)?;
    result(py, "Answer", (origin(position), json))
}

fn position(game: &str, fen: &str) -> PyResult<Position> {
    let position = Position::from_fen(find_game(game, None, Vec::new())?, fen);
    Ok(position.map_err(Trouble::from)?)
}

/// The FEN after each legal move of a position, by the move in UCI's long form.
#[pyfunction(name = "_afters")]
pub(crate) fn afters(game: &str, fen: &str) -> PyResult<BTreeMap<String, String>> {
    let position = position(game, fen)?;
    let moves = position.legal_moves();
    let after = |&mv| (position.uci(mv), position.play(mv).fen());
    Ok(moves.iter().map(after).collect())
}

/// The moves of a line, given in UCI's long form, in algebraic notation.
#[pyfunction(name = "_san")]
pub(crate) fn san(game: &str, fen: &str, moves: Vec<String>) -> PyResult<Vec<String>> {
    let mut position = position(game, fen)?;
    let name = |uci: &String| {
        let mv = legal(&position, uci)?;
        let san = position.san(mv);
        position = position.play(mv);
        Ok(san)
    };
    moves.iter().map(name).collect()
}

/// An array of numpy.
#[pyfunction(name = "_bytes")]
pub(crate) fn bytes<'py>(py: Python<'py>, values: Vec<u8>) -> PyResult<Bound<'py, PyAny>> {
    array(py, &values)
}
