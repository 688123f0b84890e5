//! Advises users what to do about errors, in words that fit where they are read.

use std::io::{self, ErrorKind};
use std::path::Path;

use retrograde_rules::Material;

use crate::error::{ProbeError, TableError, TableFault, Unsupported};
use crate::folders::is_address;

/// The advice about a file that is in its folder and yet not found.
pub const LEADS_NOWHERE: &str =
    "remove the file if it is a link that leads nowhere, or bring back what it leads to";

/// The advice where too many files are open.
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

/// Whether something that is not a file has the name of a table: a folder or a pipe.
pub fn is_no_file(error: &io::Error) -> bool {
    let kind = error.kind();
    matches!(kind, ErrorKind::IsADirectory | ErrorKind::InvalidInput)
}

/// The characters that mean nothing to a shell, apart from letters and digits.
const PLAIN: &str = if cfg!(windows) {
    r"\/._-+=:"
} else {
    "/._-+=:,@%"
};

/// A path as a shell takes it for one argument, and the program for no option.
pub fn quoted(path: &Path) -> String {
    let mut text = path.display().to_string();
    if text.starts_with('-') {
        text.insert_str(0, "./");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || PLAIN.contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    match cfg!(windows) {
        // No path contains quotes, but one that ends with a backslash would escape the last.
        true if text.ends_with('\\') => format!("\"{text}\\\""),
        true => format!("\"{text}\""),
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
}

/// Advice on errors for the users of a library or program. Only the way to a missing table differs
/// everywhere; the rest is common to all who have files.
pub trait Advice {
    /// The advice about a missing table: `make it with: …`.
    fn missing(&self, game: &str, material: &Material) -> String;

    /// The advice about a file that cannot be read or used.
    fn table(&self, error: &TableError) -> String {
        let text = match &error.fault {
            _ if error.path.as_deref().is_some_and(is_address) => of_address(error),
            TableFault::Io(error) if is_no_file(error) => "move it away",
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

    /// The advice about tables that contradict each other.
    fn contradiction(&self, game: &str) -> String {
        format!("find the wrong one with the command: retrograde verify {game}")
    }
}

/// The advice about a table at an address.
pub fn of_address(error: &TableError) -> &'static str {
    match &error.fault {
        TableFault::Io(error) if error.kind() == ErrorKind::Unsupported => {
            "build it with --features http"
        }
        TableFault::Io(_) => "look at the address, or name another folder",
        _ => "have the file on the server replaced, or name another folder",
    }
}

/// The advice to use the program itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct UseTheProgram;

impl Advice for UseTheProgram {
    fn missing(&self, game: &str, material: &Material) -> String {
        let material = material.name_in(game);
        format!("make it with: retrograde generate {game} {material}")
    }
}

impl ProbeError {
    /// The reason why a position has no answer, and advice on it.
    pub fn with_advice(&self, advice: &dyn Advice) -> String {
        let advice = match self {
            ProbeError::Missing { game, material, .. } => advice.missing(game, material),
            ProbeError::Table { error, .. } => advice.table(error),
            ProbeError::Contradiction { game, .. } => advice.contradiction(game),
            ProbeError::Unsupported(Unsupported::CastlingRights) => {
                "write - in place of the rights if none is meant".to_owned()
            }
            ProbeError::Unsupported(_) | ProbeError::Stopped => return self.to_string(),
        };
        format!("{self}; {advice}")
    }
}

impl TableError {
    /// The fault of a file, and advice on it.
    pub fn with_advice(&self, advice: &dyn Advice) -> String {
        format!("{self}; {}", advice.table(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_pipes_are_in_the_way() {
        for kind in [ErrorKind::IsADirectory, ErrorKind::InvalidInput] {
            let error = TableFault::Io(kind.into()).at(None);
            assert_eq!(UseTheProgram.table(&error), "move it away");
        }
    }

    #[test]
    #[cfg(windows)]
    fn arguments_for_a_shell() {
        for (text, shown) in [
            (r"C:\tables\my-own_1.0", r"C:\tables\my-own_1.0"),
            (r"C:\my tables", r#""C:\my tables""#),
            (r"C:\my tables\", r#""C:\my tables\\""#),
            ("a,b", r#""a,b""#),
            ("-x", "./-x"),
        ] {
            assert_eq!(quoted(Path::new(text)), shown);
        }
    }

    #[test]
    #[cfg(not(windows))]
    fn arguments_for_a_shell() {
        for (text, shown) in [
            ("tables/my-own_1.0", "tables/my-own_1.0"),
            ("", "''"),
            ("my tables", "'my tables'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("-x", "./-x"),
            ("-x y", "'./-x y'"),
            ("x/-y", "x/-y"),
        ] {
            assert_eq!(quoted(Path::new(text)), shown);
        }
    }
}
