//! Why tables are not written.

use std::io;
use std::path::PathBuf;

use retrograde_rules::Colour;
use thiserror::Error;

use crate::error::{ProbeError, TableError};

/// Why a table is not written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be written.
    #[error("{}: could not {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What went wrong.
        source: io::Error,
    },
    /// The caller wanted it to stop.
    #[error("stopped before the table was whole")]
    Stopped,
    /// A value that the metric cannot hold, or that was another one when the
    /// same index was asked for again.
    #[error("the value {value} at index {index}, {} to move, cannot be in a table", .turn.name())]
    Value {
        /// The value.
        value: i16,
        /// Its index.
        index: u64,
        /// The side to move.
        turn: Colour,
    },
    /// The values cannot be packed by [`Codec::Learned`](crate::format::Codec::Learned).
    #[error("the values cannot be packed: {0}")]
    Pack(#[from] retrograde_pack_learned::PackError),
    /// What was written reads back as something else.
    #[error("index {index}, {} to move, reads back as another value; this is a bug", .turn.name())]
    ReadBack {
        /// The side to move.
        turn: Colour,
        /// The index.
        index: u64,
    },
    /// What the values rest on cannot be read.
    #[error(transparent)]
    Ground(ProbeError),
    /// What was written cannot be read back.
    #[error("what was written cannot be read back: {0}")]
    Unreadable(TableError),
    /// The options cannot be met.
    #[error("tables cannot be packed like that: {0}")]
    Options(&'static str),
}
