//! Turns errors of the Rust libraries into the exceptions of the Python package.

use std::io;
use std::path::PathBuf;

use pyo3::exceptions::{PyOSError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use retrograde_probe::advice::Advice;
use retrograde_probe::object::ErrorObject;
use retrograde_probe::{FindError, GameFinder, ProbeError, TableError, TableFault};
use retrograde_rules::{BitboardsError, Game, Material, MaterialError, ReadError};

/// The module in which the package's own exceptions are.
const MODULE: &str = "retrograde._errors";

/// The reason why there is no answer.
pub(crate) enum Trouble {
    /// The tables do not have it.
    Probe(Box<ProbeError>),
    /// A text or board that is no position.
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

    /// The error of an object that is neither a FEN nor a board.
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

/// The advice to users of Python, with the folders in which a table was looked for.
struct UsePython<'a>(&'a [PathBuf]);

impl Advice for UsePython<'_> {
    fn missing(&self, game: &str, material: &Material) -> String {
        // As Python writes a text, but for what no folder is called.
        let name = |folder: &PathBuf| format!("{:?}", folder.display().to_string());
        let folders: Vec<String> = self.0.iter().map(name).collect();
        let folders = match folders.as_slice() {
            [] => String::new(),
            [out] => format!(", out={out}"),
            [out, ..] => format!(", out={out}, tables=[{}]", folders.join(", ")),
        };
        let material = material.name_in(game);
        format!(
            "make it with: retrograde.generate(\"{game}\", [\"{material}\"]{folders}), \
             then open the tablebase again"
        )
    }
}

/// The reason why there is no answer, and advice on it.
pub(crate) fn advised(error: &ProbeError) -> ErrorObject {
    let folders = match error {
        ProbeError::Missing { folders, .. } => folders.as_slice(),
        _ => &[],
    };
    ErrorObject::with_advice(error, &UsePython(folders))
}

pub(crate) fn probe_error(error: &ProbeError) -> PyErr {
    static MISSING: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static UNSUPPORTED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    let ErrorObject { message, .. } = advised(error);
    match error {
        ProbeError::Missing {
            game,
            material,
            metric,
            ..
        } => {
            let metric = metric.map(|metric| metric.name());
            let arguments = (message, game.clone(), material.name_in(game), metric);
            raise(&MISSING, "MissingTableError", arguments)
        }
        ProbeError::Unsupported(_) => raise(&UNSUPPORTED, "UnsupportedPositionError", (message,)),
        ProbeError::Table { error, .. } => table_error(error),
        _ => corrupt(message, None),
    }
}

/// The exception for a faulty file.
pub(crate) fn table_error(error: &TableError) -> PyErr {
    let message = error.with_advice(&UsePython(&[]));
    let path = error.path.as_ref().map(|path| path.display().to_string());
    match &error.fault {
        TableFault::Io(source) => match source.raw_os_error() {
            // Python picks the subclass by the number, and says the number and the path.
            Some(number) => {
                let advice = UsePython(&[]).table(error);
                let text = format!("{}; {advice}", without_number(&source.to_string()));
                PyOSError::new_err((number, text, path))
            }
            None => PyOSError::new_err(message),
        },
        _ => corrupt(message, path),
    }
}

/// The message of the system, without the number that Python says itself.
fn without_number(text: &str) -> &str {
    text.split_once(" (os error ")
        .map_or(text, |(text, _)| text)
}

fn corrupt(message: String, path: Option<String>) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    raise(&CLASS, "CorruptTableError", (message, path))
}

/// The exception for tables that could not be made; `source` is the error of the system, if that is
/// why.
pub(crate) fn generate_error(
    message: String,
    is_exhausted: bool,
    source: Option<&io::Error>,
) -> PyErr {
    static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static EXHAUSTED: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    static OF_SYSTEM: PyOnceLock<Py<PyType>> = PyOnceLock::new();
    match source.and_then(io::Error::raw_os_error) {
        _ if is_exhausted => raise(&EXHAUSTED, "ResourceError", (message,)),
        Some(number) => raise(&OF_SYSTEM, "WriteError", (number, message)),
        None => raise(&CLASS, "GenerateError", (message,)),
    }
}

/// A game by its id, the path, name or text of its definition, or by tables in some folders;
/// definitions are looked for in the folders `games`, else in those of RETROGRADE_GAMES.
pub(crate) fn find_game(
    game: &str,
    games: Option<Vec<PathBuf>>,
    tables: Vec<PathBuf>,
) -> PyResult<Game> {
    let mut finder = GameFinder::from_environment();
    let refused = |error: FindError| PyValueError::new_err(error.to_string());
    if let Some(folders) = games {
        finder.folders = folders;
        finder.check_folders().map_err(refused)?;
    }
    finder.tables = tables;
    finder.find(game).map_err(refused)
}

/// A material's name that cannot be read.
pub(crate) fn material_error(error: &MaterialError) -> PyErr {
    PyValueError::new_err(error.to_string())
}
