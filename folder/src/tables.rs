//! Finds and opens tables in folders, checks their bytes, and reads them whole.

use std::io::ErrorKind;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use rayon::prelude::*;
use retrograde_probe::whole::{self, Stop};
use retrograde_probe::{
    Expected, Metric, ProbeError, Table, TableError, TableFault, Tablebase, is_dangling, table_path,
};
use retrograde_rules::{Colour, Game, Material};
use thiserror::Error;

/// Opens the first table of a material and metric in the folders; `None`
/// if there is none.
///
/// # Errors
/// The table cannot be read, or is not what its name says.
pub fn open<'a>(
    game: Game,
    material: &Material,
    metric: Metric,
    folders: impl IntoIterator<Item = &'a Path>,
) -> Result<Option<Reader>, TableError> {
    let folders: Vec<&Path> = folders.into_iter().collect();
    let expected = Expected {
        game,
        material: *material,
        metric,
    };
    for folder in &folders {
        let path = table_path(folder, game, material, metric);
        match Table::open_as(&path, &expected) {
            // Another process may have removed it just now.
            Err(TableError {
                fault: TableFault::Io(error),
                ..
            }) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory)
                && !leads_nowhere(&path) => {}
            table => {
                let table = table?;
                let sections = &table.header().sections;
                let is_whole = sections.len() == 2 && !sections.iter().any(|s| s.asks_result);
                let ground = match is_whole {
                    true => None,
                    false => Some(Arc::new(Tablebase::open(game, &folders)?)),
                };
                return Ok(Some(Reader { table, ground }));
            }
        }
    }
    Ok(None)
}

/// Whether a table, the folder of its game or the table folder is a link to where nothing is.
fn leads_nowhere(path: &Path) -> bool {
    path.ancestors().take(3).any(is_dangling)
}

/// Whether every byte of a table is as it was written; if not, what is wrong first.
///
/// # Errors
/// The table is damaged, or cannot be read.
pub fn check_bytes(table: &Table) -> Result<(), TableError> {
    table.check_bytes().map_err(|error| {
        // The first fault says more than that some byte is another one.
        let first = table.check().faults.into_iter().next();
        TableError {
            path: table.path().map(Path::to_owned),
            fault: first.unwrap_or(error.fault),
        }
    })
}

/// Reads the values of a table for one side to move.
///
/// # Errors
///
/// A block is damaged, or a table that the values depend on is missing.
pub fn read_side(table: &Reader, turn: Colour) -> Result<Vec<i16>, ReadError> {
    if let Some(ground) = &table.ground {
        let never: Stop<'_> = &|| false;
        table.prepare(never)?;
        return Ok(whole::read_side(ground, table, turn, never)?);
    }
    let mut values = vec![0; table.header().positions as usize];
    let block = table.block_len(turn)?.max(1);
    // Whole blocks per task, so that none is unpacked twice.
    let chunk = block * (1_u64 << 16).div_ceil(block);
    values
        .par_chunks_mut(chunk as usize)
        .enumerate()
        .try_for_each(|(place, out)| table.read(turn, place as u64 * chunk, out))?;
    Ok(values)
}

/// A table with those that its values depend on.
pub struct Reader {
    table: Table,
    /// The tables that the values depend on, if any.
    ground: Option<Arc<Tablebase>>,
}

impl Reader {
    /// The tables that its values depend on, itself among them; `None` if on none.
    pub fn ground(&self) -> Option<&Tablebase> {
        self.ground.as_deref()
    }

    /// Makes reading all of it quick, unless `stop` says to give up: see
    /// [`whole::prepare`].
    ///
    /// # Errors
    /// See [`ReadError`].
    pub fn prepare(&self, stop: Stop<'_>) -> Result<(), ReadError> {
        match &self.ground {
            None => Ok(()),
            Some(ground) => Ok(whole::prepare(ground, &self.table, stop)?),
        }
    }

    /// Reads the values of the indices from `first` on: see [`Table::read`].
    ///
    /// # Errors
    /// As that has; [`ReadError::Ground`] if it takes another table, and that is
    /// missing or not the one that this was packed with.
    pub fn read(&self, turn: Colour, first: u64, values: &mut [i16]) -> Result<(), ReadError> {
        match &self.ground {
            None => Ok(self.table.read(turn, first, values)?),
            Some(ground) => Ok(ground.read_range(&self.table, turn, first, values)?),
        }
    }

    /// The value of an index.
    ///
    /// # Errors
    /// As [`Reader::read`].
    #[inline]
    pub fn get(&self, turn: Colour, index: u64) -> Result<i16, ReadError> {
        if self.ground.is_none() {
            return Ok(self.table.get(turn, index)?);
        }
        let mut value = [0];
        self.read(turn, index, &mut value)?;
        Ok(value[0])
    }
}

impl Deref for Reader {
    type Target = Table;

    fn deref(&self) -> &Table {
        &self.table
    }
}

/// Opens a table that must exist: see [`open`].
///
/// # Errors
/// See [`ReadError`]; [`ProbeError::Missing`] if it does not.
pub fn open_needed<F: AsRef<Path>>(
    game: Game,
    material: &Material,
    metric: Metric,
    folders: &[F],
) -> Result<Reader, ReadError> {
    let table = open(game, material, metric, folders.iter().map(AsRef::as_ref))?;
    let missing = || ProbeError::missing(game, material, Some(metric), folders);
    table.ok_or_else(|| missing().into())
}

/// The errors of reading a value.
#[derive(Debug, Error)]
pub enum ReadError {
    /// The table is damaged.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table that the value depends on is damaged, missing, or another one.
    #[error(transparent)]
    Ground(#[from] ProbeError),
}
