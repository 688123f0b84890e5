//! Lists what can be wrong with a table file, and why a position has no answer.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_index::Metric;
use retrograde_rules::{Colour, Game, Material};
use thiserror::Error;

use crate::folders::is_address;

/// A fault of a table, with the file that has it.
#[derive(Debug)]
pub struct TableError {
    /// The file; `None` for bytes in memory.
    pub path: Option<PathBuf>,
    /// The fault.
    pub fault: TableFault,
}

/// The faults of tables.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TableFault {
    /// The bytes are no table at all.
    #[error("this is not a Retrograde table")]
    NotATable,
    /// The file has another version of the format.
    #[error("the file has format version {found}, this program reads version {known}")]
    Version {
        /// The version of the file.
        found: u16,
        /// The version that this program knows.
        known: u16,
    },
    /// Packed small when the format still left out what captures and promotions tell.
    #[error(
        "the file was packed small by an earlier version of this program, and can no longer be read"
    )]
    Earlier,
    /// The file needs a feature of the format that this program lacks.
    #[error("the file uses a feature of the format that this program does not know: {0}")]
    Unknown(&'static str),
    /// The table of another game, or of the game with other options.
    #[error("the table is for the game \"{found}\", not for \"{wanted}\"")]
    Game {
        /// The game id in the file.
        found: String,
        /// The game asked for; empty if any game of this program would do.
        wanted: String,
    },
    /// The table was made by another revision of the game's rules.
    #[error("the table was made by revision {found} of the rules of {game}; they are at {wanted}")]
    Revision {
        /// The game.
        game: String,
        /// The revision in the file.
        found: u16,
        /// The revision of this program.
        wanted: u16,
    },
    /// The table of another material.
    #[error("the table is for {found}, not for {wanted}")]
    Material {
        /// The material in the file.
        found: String,
        /// The material asked for.
        wanted: String,
    },
    /// A table of another metric.
    #[error("the table holds the metric \"{found}\", not \"{wanted}\"")]
    Metric {
        /// The metric in the file.
        found: &'static str,
        /// The metric asked for.
        wanted: &'static str,
    },
    /// The file is shorter than it should be.
    #[error("the file is cut off: {found} of {expected} bytes")]
    Truncated {
        /// The number of bytes that there should be, as far as is known.
        expected: u64,
        /// The number of bytes that there are.
        found: u64,
    },
    /// The header or the block table is damaged.
    #[error("the header is damaged: {0}")]
    Header(&'static str),
    /// A block is damaged.
    #[error("block {block} ({} to move) is damaged: {what}", .turn.name())]
    Block {
        /// The side to move that the block is for.
        turn: Colour,
        /// The block's number in the file, from 0.
        block: u64,
        /// The part that does not fit.
        what: &'static str,
    },
    /// The statistics that the file keeps are damaged; its values are not.
    #[error("the statistics are damaged: {0}")]
    Statistics(&'static str),
    /// The checksum at the end of the file is wrong, and everything else is sound.
    #[error("the checksum of the whole file does not fit")]
    Checksum,
    /// The values depend on those of other tables.
    #[error("its values rest on other tables, without which they cannot be read")]
    Rests,
    /// The values depend on another table, which is not the one that they were made
    /// with.
    #[error(
        "its values rest on {needed}, and {}",
        if *.remade { "that has other values than when this was packed" }
        else { "that was made by an older version of this program" }
    )]
    Need {
        /// The file name of the table.
        needed: String,
        /// Whether its values are known to be others.
        remade: bool,
    },
    /// The table holds the other side to move only.
    #[error("the table has no values for {} to move", .0.name())]
    Side(Colour),
    /// The material has no such index.
    #[error("the material has {positions} indices a side, there is no index {index}")]
    NoSuchIndex {
        /// The index asked for.
        index: u64,
        /// The number of indices that there are.
        positions: u64,
    },
    /// The file could not be read.
    #[error("{0}")]
    Io(#[from] io::Error),
}

impl TableFault {
    /// The fault with the file's name.
    pub(crate) fn at(self, path: Option<&Path>) -> TableError {
        TableError {
            path: path.map(Path::to_owned),
            fault: self,
        }
    }

    /// Whether the file is sound as far as is known, but not the one asked
    /// for: no table, of another game, material, metric, revision or version.
    pub fn is_foreign(&self) -> bool {
        matches!(
            self,
            TableFault::NotATable
                | TableFault::Version { .. }
                | TableFault::Earlier
                | TableFault::Unknown(_)
                | TableFault::Game { .. }
                | TableFault::Revision { .. }
                | TableFault::Material { .. }
                | TableFault::Metric { .. }
                | TableFault::Need { .. }
        )
    }

    /// Whether the file is damaged.
    pub fn is_corrupt(&self) -> bool {
        matches!(
            self,
            TableFault::Truncated { .. }
                | TableFault::Header(_)
                | TableFault::Block { .. }
                | TableFault::Statistics(_)
                | TableFault::Checksum
        )
    }
}

impl TableError {
    /// The word for the kind of error in JSON: `unreadable-table`, `corrupt-table`, also for
    /// a table of another game, or `unsupported` if the table does not have what was asked for.
    pub fn kind(&self) -> &'static str {
        match self.fault {
            TableFault::Io(_) => "unreadable-table",
            TableFault::Rests | TableFault::Side(_) | TableFault::NoSuchIndex { .. } => {
                "unsupported"
            }
            _ => "corrupt-table",
        }
    }
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(path) = &self.path {
            write!(f, "{}: ", path.display())?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for TableError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.fault)
    }
}

/// The reasons why no table can answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// The position is of another game than the tables, or of the game with
    /// other options.
    #[error("it is one of {position}, and the tables are of {tables}")]
    Game {
        /// The game of the position.
        position: String,
        /// The game of the tables.
        tables: String,
    },
    /// The game has no tables of what is asked for.
    #[error("{game} has no tables of {metric}")]
    Metric {
        /// The game with its options.
        game: String,
        /// The metric that is asked for.
        metric: Metric,
    },
    /// A side may still castle (O1).
    #[error("it has castling rights, and tables are of chess without castling")]
    CastlingRights,
    /// The position has more pieces than tables can have.
    #[error("it has {pieces} pieces, and tables have at most {most}")]
    Pieces {
        /// The number of pieces of the position.
        pieces: usize,
        /// The most pieces that a table can have.
        most: usize,
    },
    /// The pieces stand as the index of the material does not know them.
    #[error("its pieces stand where no table has them")]
    Placement,
}

/// The reasons why a position has no answer.
///
/// The text says all there is to say; [`source`](std::error::Error::source) leads to the parts of
/// it.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ProbeError {
    /// A table is in none of the folders.
    #[error(
        "{} of {game} is missing{}",
        table(.game, .material, .metric), searched(.folders, .absent)
    )]
    Missing {
        /// The game with its options.
        game: String,
        /// The material that is needed, in normal form.
        material: Material,
        /// The metric that is needed beside those that are there; `None` if
        /// there is no table of the material.
        metric: Option<Metric>,
        /// The folders that were searched.
        folders: Vec<PathBuf>,
        /// The folders among them that do not exist.
        absent: Vec<PathBuf>,
    },
    /// A table cannot be read, is damaged, or is not the one that its name
    /// says.
    #[error("{error}")]
    Table {
        /// The fault, with the file that has it.
        #[source]
        error: Arc<TableError>,
        /// The game with its options.
        game: String,
        /// The material.
        material: Material,
    },
    /// No table can have the position.
    #[error("this position is in no table: {0}")]
    Unsupported(#[source] Unsupported),
    /// Two tables do not agree, so one of them is wrong.
    #[error("the tables of {game} contradict each other at \"{fen}\"")]
    Contradiction {
        /// The position where they do.
        fen: String,
        /// The game with its options.
        game: String,
    },
    /// The caller stopped work on whole tables.
    #[error("stopped before all of it was read")]
    Stopped,
}

fn table(game: &str, material: &Material, metric: &Option<Metric>) -> String {
    let material = material.name_in(game);
    match metric {
        None => format!("the table {material}"),
        Some(metric) => format!("the {metric} table of {material}"),
    }
}

fn searched(folders: &[PathBuf], absent: &[PathBuf]) -> String {
    let name = |folder: &PathBuf| match absent.contains(folder) {
        true => format!("{}: no such folder", folder.display()),
        false => folder.display().to_string(),
    };
    match folders {
        [] => String::new(),
        _ => {
            let names: Vec<String> = folders.iter().map(name).collect();
            format!(" (looked in {})", names.join(", "))
        }
    }
}

impl ProbeError {
    /// The error that none of these folders has a table of some material, or none of this metric.
    pub fn missing<F: AsRef<Path>>(
        game: Game,
        material: &Material,
        metric: Option<Metric>,
        folders: &[F],
    ) -> ProbeError {
        let folders: Vec<PathBuf> = folders.iter().map(|f| f.as_ref().to_owned()).collect();
        let absent = folders
            .iter()
            .filter(|folder| !is_address(folder) && !folder.exists());
        let absent = absent.cloned().collect();
        ProbeError::missing_from(game, (material, metric), folders, absent)
    }

    /// The error that folders have no table, given those that do not exist.
    pub(crate) fn missing_from(
        game: Game,
        (material, metric): (&Material, Option<Metric>),
        folders: Vec<PathBuf>,
        absent: Vec<PathBuf>,
    ) -> ProbeError {
        ProbeError::Missing {
            game: game.id(),
            material: material.normal(game).0,
            metric,
            folders,
            absent,
        }
    }

    /// Whether it only says that no table here has the answer.
    pub fn is_unknown(&self) -> bool {
        matches!(
            self,
            ProbeError::Missing { .. } | ProbeError::Unsupported(_)
        )
    }

    /// The word for the kind of error in JSON: `missing-table`,
    /// `corrupt-table` (also for a table of another game and for tables that
    /// contradict each other), `unreadable-table`, `unsupported` or `stopped`.
    pub fn kind(&self) -> &'static str {
        match self {
            ProbeError::Missing { .. } => "missing-table",
            ProbeError::Table { error, .. } => error.kind(),
            ProbeError::Unsupported(_) => "unsupported",
            ProbeError::Contradiction { .. } => "corrupt-table",
            ProbeError::Stopped => "stopped",
        }
    }
}

/// Takes an answer that no table here has for none at all, so that only true errors are left.
///
/// # Errors
/// Those for which [`ProbeError::is_unknown`] is false.
pub fn if_known<T>(found: Result<T, ProbeError>) -> Result<Option<T>, ProbeError> {
    match found {
        Err(error) if error.is_unknown() => Ok(None),
        found => found.map(Some),
    }
}
