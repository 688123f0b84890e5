//! Reads the arguments of Python calls; its exceptions name the wrong one and say what to give.

use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyString;

type Given<'a, 'py> = &'a Bound<'py, PyAny>;

/// An argument, which should be what `wanted` says of it.
fn read<'a, 'py, T: FromPyObject<'a, 'py>>(
    given: Given<'a, 'py>,
    wanted: &str,
) -> PyResult<Option<T>> {
    if given.is_none() {
        return Ok(None);
    }
    given.extract().map(Some).map_err(|error: T::Error| {
        let error: PyErr = error.into();
        let text = match given.repr() {
            Ok(found) => format!("{wanted}, not {found}"),
            Err(error) => return error,
        };
        match error.is_instance_of::<PyTypeError>(given.py()) {
            true => PyTypeError::new_err(text),
            // A number that is too large, or negative.
            false => PyValueError::new_err(text),
        }
    })
}

/// A text that cannot be left out.
fn text<'a>(given: Given<'a, '_>, wanted: &str) -> PyResult<&'a str> {
    match given.cast::<PyString>() {
        Ok(text) => text.to_str(),
        Err(_) => Err(PyTypeError::new_err(format!(
            "{wanted}, not {}",
            given.repr()?
        ))),
    }
}

pub(crate) fn memory(given: Given) -> PyResult<Option<u64>> {
    read(given, "memory is a number of bytes, such as 2 * 2**30")
}

pub(crate) fn bytes(given: Given) -> PyResult<u64> {
    let wanted = "bytes is a number of bytes, such as 2 * 2**30";
    read(given, wanted)?.ok_or_else(|| PyTypeError::new_err(format!("{wanted}, not None")))
}

pub(crate) fn threads(given: Given) -> PyResult<Option<usize>> {
    read(given, "threads is a number of threads, such as 2")
}

pub(crate) fn men(given: Given) -> PyResult<Option<usize>> {
    read(given, "men is a number of pieces, such as 4")
}

pub(crate) fn out(given: Given) -> PyResult<Option<PathBuf>> {
    read(given, "out is a folder (str or os.PathLike)")
}

pub(crate) fn path(given: Given) -> PyResult<PathBuf> {
    let wanted = "path is a folder (str or os.PathLike)";
    read(given, wanted)?.ok_or_else(|| PyTypeError::new_err(format!("{wanted}, not None")))
}

pub(crate) fn game(given: Given) -> PyResult<String> {
    let wanted = "game is a game's id, such as \"orthodox\", or the path of a definition";
    match given.cast::<PyString>() {
        Ok(text) => Ok(text.to_str()?.to_owned()),
        Err(_) => {
            let path: Option<PathBuf> = read(given, wanted)?;
            let path = path.ok_or_else(|| PyTypeError::new_err(format!("{wanted}, not None")))?;
            // Only a path has a separator.
            Ok(PathBuf::from(".").join(path).display().to_string())
        }
    }
}

/// Folders of definitions: one, or several; `None` if they are left out.
pub(crate) fn games(given: Given) -> PyResult<Option<Vec<PathBuf>>> {
    let wanted = "games is a folder (str or os.PathLike) or a list of folders";
    if given.is_none() {
        return Ok(None);
    }
    if let Ok(folder) = given.extract::<PathBuf>() {
        return Ok(Some(vec![folder]));
    }
    let wrong = || PyTypeError::new_err(wanted);
    let folders = given.try_iter().map_err(|_| wrong())?;
    let folders = folders.map(|folder| folder?.extract().map_err(|_| wrong()));
    folders.collect::<PyResult<_>>().map(Some)
}

pub(crate) fn pack<'a>(given: Given<'a, '_>) -> PyResult<&'a str> {
    text(given, "pack is \"fast\" or \"small\"")
}

pub(crate) fn material<'a>(given: Given<'a, '_>) -> PyResult<&'a str> {
    text(given, "material is a name, such as \"KQvKR\"")
}

pub(crate) fn metric<'a>(given: Given<'a, '_>) -> PyResult<&'a str> {
    text(given, "metric is a name, such as \"dtm\"")
}

pub(crate) fn uci<'a>(given: Given<'a, '_>) -> PyResult<&'a str> {
    text(given, "uci is a move, such as \"e2e4\"")
}

/// The names of materials: one, or several; none if it is left out.
pub(crate) fn materials(given: Option<Given>) -> PyResult<Vec<String>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(Vec::new());
    };
    names(
        given,
        "materials is a name or a list of names, such as [\"KQvKR\"]",
        true,
    )
}

/// The names of metrics; `None` if it is left out.
pub(crate) fn metrics(given: Option<Given>) -> PyResult<Option<Vec<String>>> {
    let given = given.filter(|given| !given.is_none());
    let read = |given| {
        names(
            given,
            "metrics is a list of names, such as [\"wdl\"]",
            false,
        )
    };
    given.map(read).transpose()
}

/// A list of names, or one name if that may stand for a list.
fn names(given: Given, wanted: &str, one: bool) -> PyResult<Vec<String>> {
    let wrong = || PyTypeError::new_err(wanted.to_owned());
    if let Ok(name) = given.cast::<PyString>() {
        return match one {
            true => Ok(vec![name.to_str()?.to_owned()]),
            false => Err(wrong()),
        };
    }
    let names = given.try_iter().map_err(|_| wrong())?;
    names
        .map(|name| name?.extract().map_err(|_| wrong()))
        .collect()
}
