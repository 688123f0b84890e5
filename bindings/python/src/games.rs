//! The games and their options.

use pyo3::prelude::*;
use retrograde_probe::Metric;
use retrograde_rules::Game;

/// A game that there can be tables of.
#[pyclass(name = "Game", module = "retrograde", frozen, get_all)]
pub(crate) struct PyGame {
    id: String,
    board: String,
    pieces: String,
    metrics: Vec<&'static str>,
    options: Vec<Py<PyGameOption>>,
}

/// A rule option of a game.
#[pyclass(name = "GameOption", module = "retrograde", frozen, get_all)]
pub(crate) struct PyGameOption {
    name: &'static str,
    values: Vec<String>,
    default: String,
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
    let game = |game: &Game| {
        let geometry = game.geometry();
        let options = game.offers().iter().map(|option| {
            let option = PyGameOption {
                name: option.name,
                values: option.values.list(),
                default: option.default.to_string(),
            };
            Py::new(py, option)
        });
        Ok(PyGame {
            id: game.id(),
            board: format!("{}x{}", geometry.files, geometry.ranks),
            pieces: game.piece_types().iter().map(|p| p.letter()).collect(),
            metrics: Metric::of(*game)
                .iter()
                .map(|metric| metric.name())
                .collect(),
            options: options.collect::<PyResult<_>>()?,
        })
    };
    Game::ALL.iter().map(game).collect()
}
