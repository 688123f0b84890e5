//! Defines the exit codes of the commands, and errors that carry one with their message.

use std::fmt::Display;
use std::io;

use retrograde::plan::PlanError;
use retrograde_folder::is_exhausted;
use retrograde_probe::{ProbeError, TableFault};
use retrograde_rules::MaterialError;

use super::terminal::message;

/// The exit codes of commands. In a batch, the largest counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// No failure.
    Fine = 0,
    /// The answer is no: something is wrong with a table.
    Negative = 1,
    /// Wrong usage, a bad FEN, an illegal or unsupported position.
    Usage = 2,
    /// A table is missing.
    Missing = 3,
    /// A file is corrupt or foreign.
    Corrupt = 4,
    /// Reading or writing failed.
    Io = 5,
    /// Too little memory or disk.
    Resources = 6,
    /// Interrupted; the next run continues.
    Interrupted = 75,
}

/// The failure by which a command stops early.
#[derive(Debug)]
pub(crate) struct Failure {
    status: Status,
    message: Option<String>,
}

/// The result of a command.
pub(crate) type CommandResult = Result<Status, Failure>;

impl Failure {
    /// A failure with a message, which must say what to do.
    pub(crate) fn new(status: Status, message: impl Display) -> Failure {
        Failure {
            status,
            message: Some(message.to_string()),
        }
    }

    /// Wrong usage.
    pub(crate) fn usage(message: impl Display) -> Failure {
        Failure::new(Status::Usage, message)
    }

    /// Writing to stdout failed. That nobody reads any more is not an error.
    pub(crate) fn stdout(error: &io::Error) -> Failure {
        if error.kind() == io::ErrorKind::BrokenPipe {
            Failure {
                status: Status::Fine,
                message: None,
            }
        } else {
            let status = match is_exhausted(error) {
                true => Status::Resources,
                false => Status::Io,
            };
            let text =
                format!("cannot write to stdout: {error}; redirect it to a disk that has room");
            Failure::new(status, text)
        }
    }

    /// The exit code.
    pub(crate) fn status(&self) -> Status {
        self.status
    }

    /// The message; empty if there is none.
    pub(crate) fn text(&self) -> &str {
        self.message.as_deref().unwrap_or_default()
    }

    /// Prints the message, and returns the exit code.
    pub(crate) fn end(self) -> Status {
        if let Some(text) = self.message {
            message(&format!("error: {text}"));
        }
        self.status
    }
}

/// The exit code for what is wrong with a table.
pub(crate) fn status_of_fault(fault: &TableFault) -> Status {
    match fault {
        TableFault::Io(error) if is_exhausted(error) => Status::Resources,
        TableFault::Io(_) => Status::Io,
        _ => Status::Corrupt,
    }
}

/// The exit code for a position without an answer.
pub(crate) fn status_of_probe(error: &ProbeError) -> Status {
    match error {
        ProbeError::Missing { .. } => Status::Missing,
        ProbeError::Table { error, .. } => status_of_fault(&error.fault),
        ProbeError::Unsupported(_) => Status::Usage,
        _ => Status::Corrupt,
    }
}

impl From<MaterialError> for Failure {
    fn from(error: MaterialError) -> Failure {
        Failure::usage(error)
    }
}

impl From<PlanError> for Failure {
    fn from(error: PlanError) -> Failure {
        Failure::usage(error)
    }
}
