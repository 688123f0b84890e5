//! Moves, and lines of them.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyTuple};
use retrograde_probe::object::{LineObject, MoveObject};
use serde_json::to_string;

use super::{dictionary, not_written, number, royal};

/// A legal move and what it leads to, from the view of the side that makes it.
#[pyclass(name = "Move", module = "retrograde", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyMove {
    object: MoveObject,
}

impl From<MoveObject> for PyMove {
    fn from(object: MoveObject) -> PyMove {
        PyMove { object }
    }
}

#[pymethods]
impl PyMove {
    #[getter]
    fn uci(&self) -> &str {
        &self.object.uci
    }

    #[getter]
    fn san(&self) -> &str {
        &self.object.san
    }

    #[getter]
    fn category(&self) -> &'static str {
        self.object.category
    }

    /// The category as a number, 2 to -2; None if it is unknown.
    #[getter]
    fn wdl(&self) -> Option<i8> {
        number(self.object.category)
    }

    #[getter]
    fn winner(&self) -> Option<&'static str> {
        self.object.winner
    }

    #[getter]
    fn depth_plies(&self) -> Option<u32> {
        self.object.depth_plies
    }

    #[getter]
    fn dtz_plies(&self) -> Option<u32> {
        self.object.dtz_plies
    }

    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.object.end
    }

    #[getter]
    fn white(&self) -> Option<u8> {
        self.object.white
    }

    #[getter]
    fn black(&self) -> Option<u8> {
        self.object.black
    }

    #[getter]
    fn vital(&self) -> Option<bool> {
        self.object.vital
    }

    #[getter]
    fn zeroing(&self) -> Option<bool> {
        self.object.zeroing
    }

    #[getter]
    fn double_check(&self) -> Option<bool> {
        self.object.double_check
    }

    #[getter]
    fn royal_after<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        royal(py, self.object.royal_after.as_ref())
    }

    /// The object that `retrograde probe --json --moves` prints.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, &to_string(&self.object).map_err(not_written)?)
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
#[pyclass(name = "Line", module = "retrograde", frozen, eq, sequence)]
#[derive(PartialEq)]
pub(crate) struct PyLine {
    moves: Vec<String>,
    end: Option<&'static str>,
}

impl PyLine {
    pub(crate) fn new(line: LineObject) -> PyLine {
        PyLine::of(line.moves, line.end)
    }

    pub(super) fn of(moves: Vec<String>, end: Option<&'static str>) -> PyLine {
        PyLine { moves, end }
    }

    /// A list, which can do all that a sequence can.
    fn list<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(PyList::new(py, &self.moves)?.into_any())
    }
}

#[pymethods]
impl PyLine {
    /// The moves in UCI's long form; none for a draw.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.moves.clone()
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
    fn count<'py>(&self, value: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.list(value.py())?.call_method1("count", (value,))
    }

    fn __repr__(&self) -> String {
        let end = self.end.unwrap_or("draw");
        format!("<Line {} ({end})>", self.moves.join(" "))
    }
}
