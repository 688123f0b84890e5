//! The games and their options.

use pyo3::prelude::*;
use retrograde_probe::object::GameObject;
use retrograde_rules::Game;

/// A game that there can be tables of.
#[pyclass(name = "Game", module = "retrograde", frozen, get_all)]
pub(crate) struct PyGame {
    /// The id, without options.
    id: &'static str,
    /// Its files and ranks: `8x8`.
    board: String,
    /// The letters of its pieces.
    pieces: String,
    /// The names of its metrics.
    metrics: Vec<&'static str>,
    /// The rule options.
    options: Vec<Py<PyGameOption>>,
}

/// A rule option of a game.
#[pyclass(name = "GameOption", module = "retrograde", frozen, get_all)]
pub(crate) struct PyGameOption {
    /// The name.
    name: &'static str,
    /// What it can be.
    values: Vec<String>,
    /// What it is unless an id says otherwise.
    default: &'static str,
}

#[pymethods]
impl PyGame {
    fn __repr__(&self) -> String {
        format!("<Game {}, {}, {}>", self.id, self.board, self.pieces)
    }
}

#[pymethods]
impl PyGameOption {
    fn __repr__(&self) -> String {
        let values = self.values.join(" | ");
        format!(
            "<GameOption {} = {values}, default {}>",
            self.name, self.default
        )
    }
}

/// The games that exist, with their rule options.
///
/// >>> retrograde.games()[0]
/// <Game orthodox, 8x8, KQRBNP>
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Vec<PyGame>> {
    let game = |&game: &Game| {
        let object = GameObject::new(game);
        let options = object.options.into_iter().map(|option| {
            let option = PyGameOption {
                name: option.name,
                values: option.values,
                default: option.default,
            };
            Py::new(py, option)
        });
        Ok(PyGame {
            id: object.id,
            board: object.board,
            pieces: object.pieces,
            metrics: object.metrics,
            options: options.collect::<PyResult<_>>()?,
        })
    };
    Game::all().iter().map(game).collect()
}
