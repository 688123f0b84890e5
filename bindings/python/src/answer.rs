//! What is said about positions and moves, as objects of Python. Names are those
//! of `retrograde probe --json`.

mod moves;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use retrograde_probe::Wdl;
use retrograde_probe::object::{AnswerObject, ErrorObject, RoyalObject, VitalityObject};
use serde_json::to_string;

use crate::array::array;
pub(crate) use moves::{PyLine, PyMove};

/// Everything that is said about a position.
#[pyclass(name = "Answer", module = "retrograde", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyAnswer {
    object: AnswerObject,
}

impl PyAnswer {
    pub(crate) fn new(object: AnswerObject) -> PyAnswer {
        PyAnswer { object }
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
    #[getter]
    fn fen(&self) -> &str {
        &self.object.fen
    }

    #[getter]
    fn game(&self) -> &str {
        &self.object.game
    }

    #[getter]
    fn material(&self) -> &str {
        &self.object.material
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
    fn clock(&self) -> Option<u32> {
        self.object.clock
    }

    #[getter]
    fn category_at_clock_0(&self) -> Option<&'static str> {
        self.object.category_at_clock_0.flatten()
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
    fn vitality(&self) -> Option<PyVitality> {
        let object = self.object.vitality.clone()??;
        Some(PyVitality { object })
    }

    #[getter]
    fn win_by(&self) -> Option<&'static str> {
        self.object.win_by.flatten()
    }

    #[getter]
    fn check(&self) -> bool {
        self.object.check
    }

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

    #[getter]
    fn double_check(&self) -> Option<bool> {
        self.object.double_check
    }

    #[getter]
    fn checkmate(&self) -> bool {
        self.object.checkmate
    }

    #[getter]
    fn stalemate(&self) -> bool {
        self.object.stalemate
    }

    #[getter]
    fn royal<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        royal(py, self.object.royal.as_ref())
    }

    #[getter]
    fn dead(&self) -> Option<bool> {
        self.object.dead
    }

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

    #[getter]
    fn end(&self) -> Option<&'static str> {
        self.object.end
    }

    /// The legal moves, best first; None if they were not asked for.
    #[getter]
    fn moves(&self) -> Option<Vec<PyMove>> {
        let moves = self.object.moves.as_ref()?;
        Some(moves.iter().cloned().map(PyMove::from).collect())
    }

    /// Best play; None if it was not asked for, or a table is missing.
    #[getter]
    fn line(&self) -> Option<PyLine> {
        let moves = self.object.line.as_ref()?.clone()?;
        let end = self.object.line_end.flatten();
        Some(PyLine::of(moves, end))
    }

    /// Why the category is unknown; None if it is not.
    #[getter]
    fn error(&self) -> Option<PyFault> {
        let error = self.object.error.clone()?;
        Some(PyFault { error })
    }

    /// The line that `retrograde probe --json` prints.
    fn to_json(&self) -> PyResult<String> {
        to_string(&self.object).map_err(not_written)
    }

    /// The same as a dictionary.
    fn as_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        dictionary(py, &self.to_json()?)
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

/// Why a position has no answer.
#[pyclass(name = "Fault", module = "retrograde", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyFault {
    error: ErrorObject,
}

#[pymethods]
impl PyFault {
    #[getter]
    fn kind(&self) -> &'static str {
        self.error.kind
    }

    #[getter]
    fn message(&self) -> &str {
        &self.error.message
    }

    fn __str__(&self) -> &str {
        &self.error.message
    }

    fn __repr__(&self) -> String {
        format!("<Fault {}: {}>", self.error.kind, self.error.message)
    }
}

/// The counters of High Chess, and what each side needs.
#[pyclass(name = "Vitality", module = "retrograde", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PyVitality {
    object: VitalityObject,
}

#[pymethods]
impl PyVitality {
    #[getter]
    fn white(&self) -> u8 {
        self.object.white
    }

    #[getter]
    fn black(&self) -> u8 {
        self.object.black
    }

    /// For each vitality of Black from 1, the least with which White wins: an array
    /// of numpy.
    #[getter]
    fn thresholds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.object.thresholds)
    }

    #[getter]
    fn white_needs(&self) -> u8 {
        self.object.white_needs
    }

    #[getter]
    fn black_needs(&self) -> u8 {
        self.object.black_needs
    }

    #[getter]
    fn white_mates(&self) -> Option<u8> {
        self.object.white_mates
    }

    #[getter]
    fn black_mates(&self) -> Option<u8> {
        self.object.black_mates
    }

    fn __repr__(&self) -> String {
        let VitalityObject {
            white,
            black,
            white_needs,
            black_needs,
            ..
        } = &self.object;
        format!("<Vitality {white}+{black}, White needs {white_needs}, Black {black_needs}>")
    }
}
