//! Lists the table folders to search, from the option, `RETROGRADE_TABLES` or the default.

use std::path::{Path, PathBuf};

use clap::error::ErrorKind;
use clap::{ArgMatches, Error};
use retrograde_probe::advice::quoted;
use retrograde_probe::{Tablebase, default_folders, environment_folders, is_address};
use retrograde_rules::Game;

use super::failure::{Failure, Status};

/// The option that names table folders.
#[derive(clap::Args)]
pub(crate) struct Folders {
    /// A folder to search for tables, for probe also the address of one on a web server; may be
    /// given several times [default: the folders of RETROGRADE_TABLES, else ./tables]
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
}

impl Folders {
    /// The folders, at least one; a table in an earlier one takes precedence.
    pub(crate) fn list(&self) -> Vec<PathBuf> {
        match self.tables.is_empty() {
            true => default_folders(),
            false => self.tables.clone(),
        }
    }

    /// The folders that the option or the variable names; `None` if neither
    /// does.
    pub(crate) fn named(&self) -> Option<Vec<PathBuf>> {
        match self.tables.is_empty() {
            true => environment_folders(),
            false => Some(self.tables.clone()),
        }
    }

    /// The folders that were named but do not exist.
    pub(crate) fn absent(&self) -> Vec<PathBuf> {
        let named = self.named().unwrap_or_default();
        named
            .into_iter()
            .filter(|folder| !is_address(folder) && !folder.exists())
            .collect()
    }

    /// The folders that do not exist, that of tables by default among them.
    fn missing(&self) -> Vec<PathBuf> {
        let mut folders = self.list();
        folders.retain(|folder| !is_address(folder) && !folder.exists());
        folders
    }

    /// The failure that there are no tables to `what`, such as to check.
    pub(crate) fn nothing(&self, what: &str) -> Failure {
        let absent = self.absent_words();
        let text =
            format!("no tables there to {what}{absent}; give a folder of tables with --tables");
        Failure::new(Status::Missing, text)
    }

    /// ` (there is no folder x)`, if any do not exist.
    pub(crate) fn absent_words(&self) -> String {
        let missing = self.missing();
        let names: Vec<String> = missing.iter().map(|f| f.display().to_string()).collect();
        match names.as_slice() {
            [] => String::new(),
            names => format!(" (there is no folder {})", names.join(", ")),
        }
    }

    /// The option as it was given, for a command that is to use the same
    /// folders, but without addresses; begins with a space unless it is empty.
    pub(crate) fn option(&self) -> String {
        let folders = self.tables.iter().filter(|folder| !is_address(folder));
        folders.map(|folder| option(folder)).collect()
    }

    /// The tables of a game in the folders.
    pub(crate) fn open(&self, game: Game) -> Result<Tablebase, Failure> {
        Tablebase::open(game, self.list()).map_err(|error| self.table_failure(&error))
    }
}

/// Refuses addresses of tables except where positions are looked up.
pub(crate) fn refuse_addresses(matches: &ArgMatches) -> Result<(), Error> {
    let Some((name, matches)) = matches.subcommand() else {
        return Ok(());
    };
    let named = matches.try_get_many::<PathBuf>("tables").ok().flatten();
    let mut addresses = named
        .into_iter()
        .flatten()
        .filter(|folder| is_address(folder));
    match addresses.next() {
        Some(address) if name != "probe" => {
            let text = format!(
                "{name} takes tables from folders; {} is an address, which probe takes\n",
                address.display()
            );
            Err(Error::raw(ErrorKind::ValueValidation, text))
        }
        _ => Ok(()),
    }
}

/// The option that names one folder.
pub(crate) fn option(folder: &Path) -> String {
    format!(" --tables {}", quoted(folder))
}
