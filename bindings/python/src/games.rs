//! The games and their options.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use retrograde_probe::object::GameObject;
use retrograde_probe::{FindError, GameFinder};
use retrograde_rules::Game;

use crate::arguments;

/// A game that there can be tables of.
#[pyclass(name = "Game", module = "retrograde", frozen, get_all)]
pub(crate) struct PyGame {
    /// The id, without options; `NAME@DIGEST` if the game is not built in.
    id: String,
    /// The name that a definition in a folder is found by, that of its file.
    file: Option<String>,
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
    let game = |(file, game): (Option<String>, Game)| {
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
            file,
            board: object.board,
            pieces: object.pieces,
            metrics: object.metrics,
            options: options.collect::<PyResult<_>>()?,
        })
    };
    let mut finder = GameFinder::from_environment();
    let refused = |error: FindError| PyValueError::new_err(error.to_string());
    if let Some(folders) = games {
        finder.folders = folders;
        finder.check_folders().map_err(refused)?;
    }
    let mut all: Vec<(Option<String>, Game)> = Game::all().iter().map(|&g| (None, g)).collect();
    for (file, found) in finder.all() {
        all.push((Some(file), found.map_err(refused)?));
    }
    all.into_iter().map(game).collect()
}
