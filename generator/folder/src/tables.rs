//! Finding tables, and reading them whole.

use std::io::ErrorKind;
use std::path::Path;

use rayon::prelude::*;
use retrograde_probe::{Expected, Metric, Table, TableError, TableFault, table_path};
use retrograde_rules::{Colour, Game, Material};

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
) -> Result<Option<Table>, TableError> {
    let expected = Expected {
        game,
        material: *material,
        metric,
    };
    for folder in folders {
        let path = table_path(folder, game, material, metric);
        match Table::open_as(&path, &expected) {
            // Another process may have removed it just now.
            Err(TableError {
                fault: TableFault::Io(error),
                ..
            }) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            table => return table.map(Some),
        }
    }
    Ok(None)
}

/// All values of a table for one side to move.
///
/// # Errors
/// A block is damaged, or the table does not have that side.
pub fn read_side(table: &Table, turn: Colour) -> Result<Vec<i16>, TableError> {
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
