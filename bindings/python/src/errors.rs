//! Errors of the libraries as Python's exceptions.

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use retrograde_probe::object::ErrorObject;
use retrograde_probe::{Advice, ProbeError, TableError, TableFault, Unsupported};
use retrograde_rules::{BitboardsError, Game, GameError, Material, MaterialError, ReadError};

/// The module in which the package's own exceptions are.
const MODULE: &str = "retrograde._errors";

/// Why there is no answer.
pub(crate) enum Trouble {
    /// The tables do not have it.
    Probe(Box<ProbeError>),
    /// What was given is no position.
    Read(Box<ReadError>),
    /// The tablebase has been closed.
    Closed,
    /// Python refuses.
    Python(PyErr),
}

impl Trouble {
    /// Whether the tables just do not have the position, which is Python's
    /// `KeyError`.
    pub(crate) fn is_absence(&self) -> bool {
        matches!(self, Trouble::Probe(error) if error.is_unknown())
    }

    /// A position with castling rights.
    pub(crate) fn castling() -> Trouble {
        Trouble::from(ProbeError::Unsupported(Unsupported::CastlingRights))
    }

    /// Something that is neither a FEN nor a board.
    pub(crate) fn not_a_position(given: &Bound<'_, PyAny>) -> Trouble {
        let found = given.get_type().name();
        let found = found.map_or_else(|_| "that".to_owned(), |name| name.to_string());
        Trouble::Python(PyTypeError::new_err(format!(
            "a position is a FEN (str) or a chess.Board, not {found}"
        )))
    }
}

impl From<ProbeError> for Trouble {
    fn from(error: ProbeError) -> Trouble {
        Trouble::Probe(Box::new(error))
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Trouble {
        Trouble::Read(Box::new(error))
    }
}

impl From<BitboardsError> for Trouble {
    fn from(error: BitboardsError) -> Trouble {
        match error {
            BitboardsError::Position(error) => Trouble::from(ReadError::from(error)),
            error => Trouble::Python(PyValueError::new_err(error.to_string())),
        }
    }
}

impl From<PyErr> for Trouble {
    fn from(error: PyErr) -> Trouble {
        Trouble::Python(error)
    }
}

impl From<Trouble> for PyErr {
    fn from(trouble: Trouble) -> PyErr {
        match trouble {
            Trouble::Probe(error) => probe_error(&error),
            Trouble::Read(error) => read_error(&error),
            Trouble::Closed => PyValueError::new_err("the tablebase is closed; open it again"),
            Trouble::Python(error) => error,
        }
    }
}

/// An exception of the package, with these arguments.
fn raise<A>(class: &PyOnceLock<Py<PyType>>, name: &str, arguments: A) -> PyErr
where
    A: pyo3::PyErrArguments + Send + Sync + 'static,
{
    Python::attach(|py| match class.import(py, MODULE, name) {
        Ok(class) => PyErr::from_type(class.clone(), arguments),
        Err(error) => error,
    })
}

fn read_error(error: &ReadError) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let ErrorObject {
        kind,
        message,
        offset,
    } = ErrorObject::from(error);
    raise(&CLASS, "PositionError", (message, kind, offset))
}

/// The advice to users of Python.
pub(crate) struct UsePython;

impl Advice for UsePython {
    fn missing(&self, game: &str, material: &Material) -> String {
        format!("make it with: retrograde.generate(\"{game}\", [\"{material}\"])")
    }
}

pub(crate) fn probe_error(error: &ProbeError) -> PyErr {
    static MISSING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static UNSUPPORTED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let message = error.with_advice(&UsePython);
    match error {
        ProbeError::Missing {
            game,
            material,
            metric,
            ..
        } => {
            let metric = metric.map(|metric| metric.name());
            let arguments = (message, game.clone(), material.to_string(), metric);
            raise(&MISSING, "MissingTableError", arguments)
        }
        ProbeError::Unsupported(_) => raise(&UNSUPPORTED, "UnsupportedPositionError", (message,)),
        ProbeError::Table { error, .. } => table_error(error),
        _ => corrupt(message, None),
    }
}

/// What is wrong with a file.
pub(crate) fn table_error(error: &TableError) -> PyErr {
    let message = error.with_advice(&UsePython);
    let path = error.path.as_ref().map(|path| path.display().to_string());
    match &error.fault {
        TableFault::Io(source) => match source.raw_os_error() {
            // Python picks the subclass by the number.
            Some(number) => PyOSError::new_err((number, source.to_string(), path)),
            None => PyOSError::new_err(message),
        },
        _ => corrupt(message, path),
    }
}

fn corrupt(message: String, path: Option<String>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(&CLASS, "CorruptTableError", (message, path))
}

/// Why no tables could be made.
pub(crate) fn generate_error(message: String, is_exhausted: bool) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static EXHAUSTED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match is_exhausted {
        true => raise(&EXHAUSTED, "ResourceError", (message,)),
        false => raise(&CLASS, "GenerateError", (message,)),
    }
}

/// A game id.
pub(crate) fn parse_game(id: &str) -> PyResult<Game> {
    Game::parse(id).map_err(|error: GameError| PyValueError::new_err(error.to_string()))
}

/// A material's name that cannot be read.
pub(crate) fn material_error(error: &MaterialError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
