//! Describes why a position has no answer, with an exit code and an error object.

use retrograde_pgn::StartError;
use retrograde_probe::object::ErrorObject;
use retrograde_probe::{ProbeError, TableError};
use retrograde_rules::{Material, ReadError};

use crate::cli::failure::{Status, status_of_fault, status_of_probe};
use crate::cli::folders::Folders;

/// The reason why a position has no answer.
pub(in crate::cli) struct Trouble {
    pub(in crate::cli) status: Status,
    pub(in crate::cli) error: ErrorObject,
    /// The material of the table that is missing, if that is why.
    pub(in crate::cli) missing: Option<Material>,
    /// The name of the position in EPD, its `id`.
    pub(in crate::cli) id: Option<String>,
}

impl Trouble {
    /// The input is wrong.
    pub(in crate::cli) fn usage(kind: &'static str, message: String) -> Trouble {
        Trouble::of_input(ErrorObject {
            kind,
            message,
            offset: None,
        })
    }

    pub(super) fn bad_fen(message: String, offset: usize) -> Trouble {
        Trouble::of_input(ErrorObject {
            kind: "bad-fen",
            message,
            offset: Some(offset),
        })
    }

    fn of_input(error: ErrorObject) -> Trouble {
        Trouble {
            status: Status::Usage,
            error,
            missing: None,
            id: None,
        }
    }

    /// A table or a folder of tables cannot be used.
    pub(super) fn of_table(folders: &Folders, error: &TableError) -> Trouble {
        Trouble {
            status: status_of_fault(&error.fault),
            error: ErrorObject {
                kind: error.kind(),
                message: error.with_advice(folders),
                offset: None,
            },
            missing: None,
            id: None,
        }
    }

    pub(in crate::cli) fn of_probe(folders: &Folders, error: &ProbeError) -> Trouble {
        Trouble {
            status: status_of_probe(error),
            error: ErrorObject::with_advice(error, folders),
            missing: match error {
                ProbeError::Missing { material, .. } => Some(*material),
                _ => None,
            },
            id: None,
        }
    }
}

impl From<ReadError> for Trouble {
    fn from(error: ReadError) -> Trouble {
        Trouble::of_input(ErrorObject::from(&error))
    }
}

/// A record of a game has no start.
impl From<StartError> for Trouble {
    fn from(error: StartError) -> Trouble {
        let message = error.to_string();
        match error {
            StartError::Fen(error) => Trouble::of_input(ErrorObject {
                message,
                ..ErrorObject::from(&error)
            }),
            StartError::Variant { .. } => Trouble::usage("unsupported", message),
        }
    }
}
