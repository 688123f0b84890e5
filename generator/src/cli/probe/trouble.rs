//! Why a position has no answer, as programs are told.

use retrograde_pgn::StartError;
use retrograde_probe::{ProbeError, TableError};
use retrograde_rules::{Material, ReadError};

use crate::cli::failure::{Status, status_of_fault, status_of_probe};
use crate::cli::folders::Folders;

/// Why a position has no answer.
pub(in crate::cli) struct Trouble {
    pub(in crate::cli) status: Status,
    /// The word for it in JSON.
    pub(in crate::cli) kind: &'static str,
    pub(in crate::cli) message: String,
    /// The material of the table that is missing, if that is why.
    pub(in crate::cli) missing: Option<Material>,
    /// The byte offset in the FEN.
    pub(in crate::cli) offset: Option<usize>,
}

impl Trouble {
    /// The input is wrong.
    pub(in crate::cli) fn usage(kind: &'static str, message: String) -> Trouble {
        Trouble {
            status: Status::Usage,
            kind,
            message,
            missing: None,
            offset: None,
        }
    }

    pub(super) fn bad_fen(message: String, offset: usize) -> Trouble {
        Trouble {
            offset: Some(offset),
            ..Trouble::usage("bad-fen", message)
        }
    }

    /// A table or a folder of tables cannot be used.
    pub(super) fn of_table(folders: &Folders, error: &TableError) -> Trouble {
        Trouble {
            status: status_of_fault(&error.fault),
            kind: error.kind(),
            message: error.with_advice(folders),
            missing: None,
            offset: None,
        }
    }

    pub(in crate::cli) fn of_probe(folders: &Folders, error: &ProbeError) -> Trouble {
        Trouble {
            status: status_of_probe(error),
            kind: error.kind(),
            message: error.with_advice(folders),
            missing: match error {
                ProbeError::Missing { material, .. } => Some(*material),
                _ => None,
            },
            offset: None,
        }
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Trouble {
        match error {
            ReadError::Fen(error) => Trouble::bad_fen(error.to_string(), error.offset),
            ReadError::Position(error) => Trouble::usage("illegal-position", error.to_string()),
        }
    }
}

/// A record of a game has no start.
impl From<StartError> for Trouble {
    fn from(error: StartError) -> Trouble {
        let message = error.to_string();
        match error {
            StartError::Fen(error) => Trouble {
                message,
                ..Trouble::from(error)
            },
            StartError::Variant { .. } => Trouble::usage("unsupported", message),
        }
    }
}
