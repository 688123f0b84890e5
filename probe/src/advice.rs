//! What to do about errors, in words that fit where they are read.

use std::io::{self, ErrorKind};

use retrograde_rules::Material;

use crate::error::{ProbeError, TableError, TableFault, Unsupported};

/// What to do about a file that is in its folder and yet not found.
pub const LEADS_NOWHERE: &str =
    "remove the file if it is a link that leads nowhere, or bring back what it leads to";

/// What to do where too many files are open.
pub const MORE_FILES: &str = "allow more files to be open, as with ulimit -n";

/// Whether something failed because too many files are open, in the process or in the
/// whole system.
pub fn has_no_files_left(error: &io::Error) -> bool {
    #[cfg(unix)]
    return matches!(error.raw_os_error(), Some(libc::EMFILE | libc::ENFILE));
    #[cfg(not(unix))]
    {
        const ERROR_TOO_MANY_OPEN_FILES: i32 = 4;
        error.raw_os_error() == Some(ERROR_TOO_MANY_OPEN_FILES)
    }
}

/// How the users of a library or program help themselves. Only the way to a missing
/// table differs everywhere; the rest is the same for all who have files.
pub trait Advice {
    /// What to do about a missing table: `make it with: …`.
    fn missing(&self, game: &str, material: &Material) -> String;

    /// What to do about a file that cannot be read or used.
    fn table(&self, error: &TableError) -> String {
        let text = match &error.fault {
            TableFault::Io(error) if error.kind() == ErrorKind::IsADirectory => "move it away",
            TableFault::Io(error) if error.kind() == ErrorKind::NotFound => LEADS_NOWHERE,
            TableFault::Io(error) if error.kind() == ErrorKind::InvalidFilename => {
                "name a folder with a shorter path"
            }
            TableFault::Io(error) if error.kind() == ErrorKind::OutOfMemory => {
                "free some memory, then ask again"
            }
            TableFault::Io(error) if has_no_files_left(error) => MORE_FILES,
            TableFault::Io(_) => "make it readable, or name another folder",
            fault if fault.is_corrupt() => "remove the file and make the table again",
            _ => "move the file away and make the table again",
        };
        text.to_owned()
    }

    /// What to do about tables that contradict each other.
    fn contradiction(&self, game: &str) -> String {
        format!("find the wrong one with the command: retrograde verify {game}")
    }
}

/// The advice to use the program itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct UseTheProgram;

impl Advice for UseTheProgram {
    fn missing(&self, game: &str, material: &Material) -> String {
        format!("make it with: retrograde generate {game} {material}")
    }
}

impl ProbeError {
    /// Why a position has no answer, and what to do about it.
    pub fn with_advice(&self, advice: &dyn Advice) -> String {
        let advice = match self {
            ProbeError::Missing { game, material, .. } => advice.missing(game, material),
            ProbeError::Table { error, .. } => advice.table(error),
            ProbeError::Contradiction { game, .. } => advice.contradiction(game),
            ProbeError::Unsupported(Unsupported::CastlingRights) => {
                "leave the rights out if none is meant".to_owned()
            }
            ProbeError::Unsupported(_) | ProbeError::Stopped => return self.to_string(),
        };
        format!("{self}; {advice}")
    }
}

impl TableError {
    /// What is wrong with a file, and what to do about it.
    pub fn with_advice(&self, advice: &dyn Advice) -> String {
        format!("{self}; {}", advice.table(self))
    }
}
