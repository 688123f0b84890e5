//! Lists the reasons why a table is not written.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_rules::Colour;
use thiserror::Error;

use crate::error::{ProbeError, TableError};

/// The errors of writing a table.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The file could not be written.
    #[error("{}could not {action}: {source}", prefix(path))]
    Io {
        /// The file or folder; empty if it is none.
        path: PathBuf,
        /// The action that failed, in words.
        action: &'static str,
        /// The error of the system.
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
        /// The index of the value.
        index: u64,
        /// The side to move.
        turn: Colour,
    },
    /// The values cannot be packed by [`Codec::Learned`](crate::format::Codec::Learned).
    #[error("the values cannot be packed: {0}")]
    Pack(#[from] retrograde_pack_learned::PackError),
    /// The written file reads back as something else.
    #[error("index {index}, {} to move, reads back as another value", .turn.name())]
    ReadBack {
        /// The side to move.
        turn: Colour,
        /// The index.
        index: u64,
    },
    /// A table that the values depend on cannot be read.
    #[error(transparent)]
    Ground(ProbeError),
    /// The written file cannot be read back.
    #[error("what was written cannot be read back: {0}; a disk is failing, or this is a bug")]
    Unreadable(Arc<TableError>),
    /// The options cannot be met.
    #[error("tables cannot be packed like that: {0}")]
    Options(&'static str),
}

impl WriteError {
    /// Whether a value reads back as another one.
    pub fn is_other_value(&self) -> bool {
        use retrograde_pack_learned::PackError;
        matches!(
            self,
            WriteError::ReadBack { .. } | WriteError::Pack(PackError::ReadBack(_))
        )
    }

    /// The error of a table, just written to `path`, that cannot be read with those that it depends
    /// on.
    pub fn on_proof(path: Option<&Path>, error: ProbeError) -> WriteError {
        match error {
            ProbeError::Table { error, .. } if error.path.as_deref() == path => {
                WriteError::Unreadable(error)
            }
            error => WriteError::Ground(error),
        }
    }

    pub(super) fn unreadable(error: TableError) -> WriteError {
        WriteError::Unreadable(Arc::new(error))
    }
}

fn prefix(path: &Path) -> String {
    match path.as_os_str().is_empty() {
        true => String::new(),
        false => format!("{}: ", path.display()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::TableFault;
    use retrograde_rules::{Game, Material};

    #[test]
    fn what_was_written_is_told_apart_from_what_it_rests_on() {
        let game = Game::default();
        let material = Material::parse(game, "KQvK").expect("it exists");
        let written = Path::new("KQvK.dtm.1.partial");
        let fault = |path: &Path| {
            let error = ProbeError::Table {
                error: Arc::new(TableFault::Checksum.at(Some(path))),
                game: game.id(),
                material,
            };
            WriteError::on_proof(Some(written), error)
        };
        assert!(matches!(fault(written), WriteError::Unreadable(_)));
        assert!(matches!(
            fault(Path::new("KQvK.wdl")),
            WriteError::Ground(_)
        ));
    }

    #[test]
    fn errors_without_a_file_name_none() {
        let error = |path: &str| WriteError::Io {
            path: path.into(),
            action: "pack a block",
            source: io::ErrorKind::OutOfMemory.into(),
        };
        let text = error("").to_string();
        assert_eq!(text, "could not pack a block: out of memory");
        assert_eq!(error("a").to_string(), format!("a: {text}"));
    }
}
