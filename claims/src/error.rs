//! Lists the reasons why claims are not answered and a report is not written.

use std::io;
use std::path::PathBuf;

use retrograde_folder::ReadError;
use retrograde_probe::index::IndexError;
use retrograde_probe::{ProbeError, TableError};
use thiserror::Error;

/// The errors of making a report.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ClaimError {
    /// The observer stopped the work; the next run continues.
    #[error("interrupted")]
    Interrupted,
    /// The supplier could not make the tables, and knows why.
    #[error("the tables could not be made")]
    Unsupplied,
    /// A table is damaged, or is not what its name says.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table is missing, or a position has no answer.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// A material has no index.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A file of the report could not be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The error of the operating system.
        source: io::Error,
    },
    /// A claim in the definition of a game is wrong.
    #[error("line {line}, `{key}`: {message}")]
    Definition {
        /// The line of the definition, from 1.
        line: usize,
        /// The key, or what stands there.
        key: String,
        /// The error, and how to mend it.
        message: String,
    },
    /// Two games have no placements in common.
    #[error("{0}")]
    Boards(String),
    /// The values read whole and those probed for differ, so one of the two readers is
    /// wrong; nothing is reported.
    #[error("{game}: \"{fen}\" was counted as {counted}, but probing says {probed}")]
    Contradiction {
        /// The game's id.
        game: String,
        /// The position.
        fen: String,
        /// The category that it was counted under.
        counted: String,
        /// The answer of probing.
        probed: String,
    },
}

impl From<ReadError> for ClaimError {
    fn from(error: ReadError) -> ClaimError {
        match error {
            ReadError::Table(error) => ClaimError::Table(error),
            ReadError::Ground(error) => ClaimError::Probe(error),
        }
    }
}
