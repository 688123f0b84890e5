//! The reasons why a material cannot be solved.

use std::io;
use std::path::{Path, PathBuf};

use retrograde_index::IndexError;
use thiserror::Error;

use super::depth::{Depth, TooDeep};

/// The errors of solving a material.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SolveError {
    /// The game has no helpmate tables.
    #[error("{0} has no helpmate tables")]
    Game(String),
    /// The material has no index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A successor was not given.
    #[error("the successor {0} is needed first")]
    Missing(String),
    /// A win takes more plies than a table can hold.
    #[error(
        "a win takes more than {0} plies, which is more than tables can hold",
        u16::MOST
    )]
    TooDeep,
    /// The positions have more different threshold curves than a table can hold.
    #[error(
        "its positions have {0} different threshold curves, which is more than a table can hold"
    )]
    TooManyCurves(usize),
    /// A finished slice could not be kept in its file.
    #[error("{}: could not keep what is solved: {message}", folder.display())]
    Keep {
        /// The folder of the file.
        folder: PathBuf,
        /// The kind of what went wrong.
        kind: io::ErrorKind,
        /// The message of the system.
        message: String,
    },
}

impl SolveError {
    pub(super) fn keep(folder: &Path, error: &io::Error) -> SolveError {
        SolveError::Keep {
            folder: folder.to_owned(),
            kind: error.kind(),
            message: error.to_string(),
        }
    }
}

impl From<TooDeep> for SolveError {
    fn from(_: TooDeep) -> SolveError {
        SolveError::TooDeep
    }
}
