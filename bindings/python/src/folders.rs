//! Turns the paths that Python gives into lists of table folders.

use std::path::PathBuf;

use pyo3::exceptions::{PyFileNotFoundError, PyTypeError};
use pyo3::prelude::*;
use retrograde_probe::{default_folders, locate_game};
use retrograde_rules::Game;

/// The folders that `paths` names: one, or several.
pub(crate) fn folders(paths: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<PathBuf>> {
    let Some(paths) = paths.filter(|paths| !paths.is_none()) else {
        return Ok(default_folders());
    };
    if let Ok(path) = paths.extract::<PathBuf>() {
        return Ok(vec![path]);
    }
    let several =
        || -> PyResult<Vec<PathBuf>> { paths.try_iter()?.map(|path| path?.extract()).collect() };
    several().map_err(|_| {
        PyTypeError::new_err("paths is a folder (str or os.PathLike) or a list of folders")
    })
}

/// A table folder; the folder of the game inside it will do as well.
pub(crate) fn table_folder(game: Game, path: PathBuf) -> PyResult<PathBuf> {
    if !path.is_dir() {
        let text = format!("{}: there is no such folder", path.display());
        return Err(PyFileNotFoundError::new_err(text));
    }
    Ok(match locate_game(&path) {
        Some((parent, found)) if found == game => parent,
        _ => path,
    })
}

/// Adds a folder to others, unless it is one of them.
pub(crate) fn add_folder(folders: &mut Vec<PathBuf>, folder: PathBuf) {
    let real = |folder: &PathBuf| folder.canonicalize().ok();
    let found = real(&folder);
    let is_there = |other: &PathBuf| *other == folder || (found.is_some() && real(other) == found);
    if !folders.iter().any(is_there) {
        folders.push(folder);
    }
}

pub(crate) fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}
