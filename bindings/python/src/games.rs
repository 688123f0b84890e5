//! The games and their options.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use retrograde_probe::GameFinder;
use retrograde_probe::object::GameObject;
use retrograde_rules::Game;

use crate::arguments;

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

/// The games that are built in, with their rule options, then those whose definitions are in the
/// folders `games`, else in those of the environment variable RETROGRADE_GAMES.
///
/// >>> retrograde.games()[0]
/// <Game orthodox, 8x8, KQRBNP>
#[pyfunction]
#[pyo3(signature = (games=None))]
pub(crate) fn games(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::games)] games: Option<Vec<PathBuf>>,
) -> PyResult<Vec<PyGame>> {
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
    let mut finder = GameFinder::from_environment();
    finder.folders = games.unwrap_or(finder.folders);
    let mut all = Game::all().to_vec();
    for (_, found) in finder.all() {
        let found = found.map_err(|error| PyValueError::new_err(error.to_string()))?;
        if !all.contains(&found) {
            all.push(found);
        }
    }
    all.iter().map(game).collect()
}
