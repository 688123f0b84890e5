//! Answers about vitality.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use retrograde_probe::object::VitalityObject;
use serde_json::to_string;

use super::not_written;
use crate::array::array;
use crate::pickle::{Reduced, reduced};

/// The counters of vitality, and what each side needs.
#[pyclass(name = "Vitality", module = "retrograde", frozen, eq, hash)]
#[derive(PartialEq)]
pub(crate) struct PyVitality {
    object: VitalityObject,
}

impl PyVitality {
    pub(crate) fn new(object: VitalityObject) -> PyVitality {
        PyVitality { object }
    }
}

impl Hash for PyVitality {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.object.white, self.object.black).hash(state);
        self.object.thresholds.hash(state);
    }
}

#[pymethods]
impl PyVitality {
    /// White's points.
    #[getter]
    fn white(&self) -> u8 {
        self.object.white
    }

    /// Black's points.
    #[getter]
    fn black(&self) -> u8 {
        self.object.black
    }

    /// For each vitality of Black from the fewest points that it can have, the least with which
    /// White wins: an array of numpy.
    #[getter]
    fn thresholds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.object.thresholds)
    }

    /// The points that White needs to win; one more than all for never.
    #[getter]
    fn white_needs(&self) -> u8 {
        self.object.white_needs
    }

    /// The points that Black needs to win; likewise.
    #[getter]
    fn black_needs(&self) -> u8 {
        self.object.black_needs
    }

    /// The points with which White forces mate; None without a table of mates.
    #[getter]
    fn white_mates(&self) -> Option<u8> {
        self.object.white_mates
    }

    /// The points with which Black forces mate; likewise.
    #[getter]
    fn black_mates(&self) -> Option<u8> {
        self.object.black_mates
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (String,)> {
        reduced(
            py,
            "_vitality",
            (to_string(&self.object).map_err(not_written)?,),
        )
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
