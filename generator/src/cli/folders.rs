//! Where tables are looked for.

use std::env;
use std::path::PathBuf;

use retrograde_probe::Tablebase;
use retrograde_rules::Game;

use super::failure::Failure;

/// The environment variable with table folders, separated as in `PATH`.
const VARIABLE: &str = "RETROGRADE_TABLES";

/// The table folder if none is named.
const DEFAULT: &str = "tables";

/// The option that names table folders.
#[derive(clap::Args)]
pub(crate) struct Folders {
    /// A folder to look for tables in; may be given several times [default:
    /// the folders of RETROGRADE_TABLES, else ./tables]
    #[arg(long, value_name = "DIR")]
    tables: Vec<PathBuf>,
}

impl Folders {
    /// The folders, at least one; what is in an earlier one is preferred.
    pub(crate) fn list(&self) -> Vec<PathBuf> {
        if !self.tables.is_empty() {
            return self.tables.clone();
        }
        let named: Vec<PathBuf> = env::var_os(VARIABLE)
            .map(|list| env::split_paths(&list).collect())
            .unwrap_or_default();
        let named: Vec<PathBuf> = named
            .into_iter()
            .filter(|folder| !folder.as_os_str().is_empty())
            .collect();
        if named.is_empty() {
            vec![PathBuf::from(DEFAULT)]
        } else {
            named
        }
    }

    /// The tables of a game in the folders.
    pub(crate) fn open(&self, game: Game) -> Result<Tablebase, Failure> {
        Ok(Tablebase::open(game, self.list())?)
    }
}
