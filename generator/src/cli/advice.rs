//! Advises what to do about missing, damaged or wrong tables, as whole commands to type.
//!
//! The commands have the folders that were given.

use std::io::{self, ErrorKind};
use std::path::Path;

pub(super) use retrograde::out_of_memory::MORE_MEMORY;
use retrograde::values::ValuesError;
use retrograde_probe::advice::{
    Advice, LEADS_NOWHERE, MORE_FILES, has_no_files_left, is_no_file, of_address,
};
use retrograde_probe::{Expected, Metric, ProbeError, TableError, TableFault, is_address, locate};
use retrograde_rules::Material;

use super::failure::{Failure, status_of_fault, status_of_probe};
use super::folders::{Folders, option};
use super::games::as_named;

/// The advice where something failed for want of files or memory.
pub(super) fn of_limits(error: &io::Error) -> Option<&'static str> {
    if has_no_files_left(error) {
        return Some(MORE_FILES);
    }
    (error.kind() == ErrorKind::OutOfMemory).then_some(MORE_MEMORY)
}

/// The command that makes tables.
pub(crate) fn generate(
    game: &str,
    materials: impl IntoIterator<Item = Material>,
    options: &str,
) -> String {
    let mut command = format!("retrograde generate {}", as_named(game));
    for material in materials {
        command.push_str(&format!(" {}", material.name_in(game)));
    }
    command + options
}

/// The command that makes a table that a file should have been; `None` if its game has no
/// table of this material. Help-mates are made only if they are named.
pub(crate) fn remake(expected: &Expected, folders: &str) -> Option<String> {
    let Expected {
        game,
        material,
        metric,
    } = expected;
    if game.needs_no_table(material) {
        return None;
    }
    let options = metric_option(*metric) + folders;
    Some(generate(&game.id(), [*material], &options))
}

/// The option of `generate` without which it makes no table of a metric.
pub(crate) fn metric_option(metric: Metric) -> String {
    match metric {
        Metric::Helpmate => format!(" --metric {metric}"),
        _ => String::new(),
    }
}

impl Folders {
    /// The option that makes `generate` write to a folder; the options that were
    /// given, if they lead there anyway.
    pub(crate) fn option_for(&self, folder: &Path) -> String {
        match self.list().first() {
            Some(first) if first == folder => self.option(),
            _ => option(folder),
        }
    }

    /// The failure of a command whose position has no answer, with the reason and advice.
    pub(crate) fn probe_failure(&self, error: &ProbeError) -> Failure {
        Failure::new(status_of_probe(error), error.with_advice(self))
    }

    /// The failure of a command that cannot read the values of a material, with the reason and
    /// advice.
    pub(crate) fn values_failure(&self, error: &ValuesError) -> Failure {
        match error {
            ValuesError::Probe(error) => self.probe_failure(error),
            _ => Failure::usage(error),
        }
    }

    /// The failure of a command at a faulty table, with the fault and advice.
    pub(crate) fn table_failure(&self, error: &TableError) -> Failure {
        Failure::new(status_of_fault(&error.fault), error.with_advice(self))
    }
}

impl Advice for Folders {
    fn missing(&self, game: &str, material: &Material) -> String {
        let command = generate(game, [*material], &self.option());
        format!("make it with: {command}")
    }

    fn table(&self, error: &TableError) -> String {
        let make = || {
            let (folder, expected) = locate(error.path.as_deref()?)?;
            remake(&expected, &self.option_for(&folder))
        };
        match (&error.fault, make()) {
            _ if error.path.as_deref().is_some_and(is_address) => of_address(error).to_owned(),
            (TableFault::Io(error), _) if is_no_file(error) => "move it away".to_owned(),
            (TableFault::Io(error), _) => of_limits(error)
                .unwrap_or(match error.kind() {
                    ErrorKind::NotFound => LEADS_NOWHERE,
                    ErrorKind::NotADirectory => "name another folder with --tables",
                    ErrorKind::InvalidFilename => {
                        "use --tables to name a folder with a shorter path"
                    }
                    _ => "make it readable, or name another folder with --tables",
                })
                .to_owned(),
            (fault, Some(command)) if fault.is_corrupt() => {
                format!("make it again with: {command}")
            }
            (_, Some(command)) => {
                format!("move the file away, then make the table with: {command}")
            }
            (_, None) => "move the file away".to_owned(),
        }
    }

    fn contradiction(&self, game: &str) -> String {
        let folders = self.option();
        format!(
            "find the wrong one with: retrograde verify {}{folders}",
            as_named(game)
        )
    }
}
