//! Why a position has no answer.

use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use retrograde_probe::object::ErrorObject;

use crate::pickle::{Reduced, reduced};

/// Why a position has no answer.
#[pyclass(name = "Fault", module = "retrograde", frozen, eq, hash)]
#[derive(PartialEq)]
pub(crate) struct PyFault {
    error: ErrorObject,
}

impl PyFault {
    pub(crate) fn new(error: ErrorObject) -> PyFault {
        PyFault { error }
    }
}

impl Hash for PyFault {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.error.kind, &self.error.message).hash(state);
    }
}

#[pymethods]
impl PyFault {
    /// `missing-table`, or `unsupported` if no table can have the position.
    #[getter]
    fn kind(&self) -> &'static str {
        self.error.kind
    }

    /// What is wrong, and what to do about it.
    #[getter]
    fn message(&self) -> &str {
        &self.error.message
    }

    fn __str__(&self) -> &str {
        &self.error.message
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&'static str, String)> {
        let ErrorObject { kind, message, .. } = &self.error;
        reduced(py, "_fault", (kind, message.clone()))
    }

    fn __repr__(&self) -> String {
        format!("<Fault {}: {}>", self.error.kind, self.error.message)
    }
}
