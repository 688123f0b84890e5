//! Python's function `games()`: a dictionary for each game, with its rule options.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use retrograde_probe::object::GameObject;
use retrograde_probe::{FindError, GameFinder};
use retrograde_rules::Game;
use serde_json::to_string;

use crate::arguments;
use crate::results::{parsed, result};

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
) -> PyResult<Vec<Bound<'_, PyAny>>> {
    let mut finder = GameFinder::from_environment();
    let refused = |error: FindError| PyValueError::new_err(error.to_string());
    if let Some(folders) = games {
        finder.folders = folders;
        finder.check_folders().map_err(refused)?;
    }
    let mut all: Vec<GameObject> = Game::all().iter().map(|&g| GameObject::new(g)).collect();
    for (file, found) in finder.all() {
        let mut object = GameObject::new(found.map_err(refused)?);
        object.file = Some(file);
        all.push(object);
    }
    let game = |object| result(py, "Game", (parsed(py, to_string(object))?,));
    all.iter().map(game).collect()
}
