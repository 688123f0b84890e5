//! Advises what to do about the files that `retrograde check` complains about.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use retrograde_probe::advice::{has_no_files_left, is_no_file, quoted};
use retrograde_probe::{Expected, TableFault, is_dangling, locate};
use retrograde_rules::{Game, Material};

use crate::cli::advice;
use crate::cli::folders::Folders;
use crate::cli::terminal::message;

/// The kinds of complaints about files, in the order in which people are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Complaint {
    /// No such file exists.
    Absent,
    /// The file cannot be read.
    Unreadable,
    /// The path is too long.
    TooLong,
    /// Too many files are open.
    TooMany,
    /// A table that is damaged.
    Damaged,
    /// A link to where nothing is.
    Dangling,
    /// A folder where a file should be.
    Folder,
    /// A pipe or the like where a file should be.
    NoFile,
    /// The file is another table than its name says, or not a table.
    Foreign,
}

impl Complaint {
    /// The kind of a fault of a file.
    pub(super) fn of(path: &Path, fault: &TableFault) -> Complaint {
        match fault {
            TableFault::Io(_) if is_dangling(path) => Complaint::Dangling,
            TableFault::Io(error) if is_no_file(error) => match path.is_dir() {
                true => Complaint::Folder,
                false => Complaint::NoFile,
            },
            TableFault::Io(error) => match error.kind() {
                ErrorKind::NotFound => Complaint::Absent,
                ErrorKind::InvalidFilename => Complaint::TooLong,
                _ if has_no_files_left(error) => Complaint::TooMany,
                _ => Complaint::Unreadable,
            },
            fault if fault.is_foreign() => Complaint::Foreign,
            _ => Complaint::Damaged,
        }
    }

    /// The action that has to come before a table can be made in this place, if any.
    fn first(self) -> Option<&'static str> {
        Some(match self {
            Complaint::Absent => "name files that exist; there is none of this name",
            Complaint::Unreadable => "make these readable, or name others",
            Complaint::TooLong => "name files with shorter paths than these",
            Complaint::Damaged => return None,
            Complaint::Dangling => {
                "remove links that lead nowhere, or bring back what they lead to"
            }
            Complaint::Folder => "move away folders that are in the way of tables",
            Complaint::NoFile => "move away what is not a file",
            Complaint::TooMany => "allow more files to be open, as with ulimit -n, to read these",
            Complaint::Foreign => "move away what is not the table that its name says",
        })
    }
}

/// Says what to do: first about what is in the way, since `generate` leaves that alone, then
/// how to make the tables again.
pub(super) fn advise(bad: &[(PathBuf, Complaint)], folders: &Folders) {
    let kinds: BTreeSet<Complaint> = bad.iter().map(|&(_, kind)| kind).collect();
    for kind in kinds {
        if let Some(words) = kind.first() {
            say(
                words,
                bad.iter().filter(|(_, complaint)| *complaint == kind),
            );
        }
    }
    let again = bad.iter().filter(|(_, kind)| {
        use Complaint::{TooLong, TooMany, Unreadable};
        !matches!(kind, Unreadable | TooLong | TooMany)
    });
    let (located, lost): (Vec<_>, Vec<_>) = again.partition(|(path, _)| locate(path).is_some());
    let damaged = |entry: &&&(PathBuf, Complaint)| entry.1 == Complaint::Damaged;
    say(
        "get these files anew, or make their tables in a table folder with retrograde generate",
        lost.iter().filter(damaged).copied(),
    );
    make_again(&located, folders);
}

/// A message about some files; none if there are none.
fn say<'a>(words: &str, files: impl Iterator<Item = &'a (PathBuf, Complaint)>) {
    let paths: Vec<String> = files.map(|(path, _)| quoted(path)).collect();
    if !paths.is_empty() {
        message(&format!("{words}: {}", paths.join(" ")));
    }
}

/// Says how to make tables again that lie where a table folder has them.
fn make_again(files: &[&(PathBuf, Complaint)], folders: &Folders) {
    let is_gone = |kind| matches!(kind, Complaint::Absent | Complaint::Dangling);
    let words = match files.iter().all(|&&(_, kind)| is_gone(kind)) {
        // Maybe only a name was mistyped.
        true => "or make the tables with",
        false => "make the tables again with",
    };
    let mut tables: Vec<(PathBuf, Game, String, Vec<Material>)> = Vec::new();
    for (path, complaint) in files {
        let Some((folder, expected)) = locate(path) else {
            continue;
        };
        let Expected {
            game,
            material,
            metric,
        } = expected;
        if game.needs_no_table(&material) {
            if *complaint == Complaint::Damaged {
                message(&format!(
                    "{} needs no table: move away {}",
                    material.name(game),
                    quoted(path)
                ));
            }
            continue;
        }
        let option = advice::metric_option(metric);
        let known = tables
            .iter_mut()
            .find(|(f, g, o, _)| (&**f, *g, &**o) == (&*folder, game, &*option));
        match known {
            None => tables.push((folder, game, option, vec![material])),
            Some((.., list)) if list.contains(&material) => {}
            Some((.., list)) => list.push(material),
        }
    }
    for (folder, game, option, materials) in tables {
        let options = option + &folders.option_for(&folder);
        let command = advice::generate(&game.id(), materials, &options);
        message(&format!("{words}: {command}"));
    }
}
