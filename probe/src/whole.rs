//! Reads whole tables, for programs that ask about every position: packing, proving, counting.
//!
//! Tables that are asked about again and again are loaded into memory, where they stay as long as
//! the [`Tablebase`]. Long work runs in the current rayon pool and asks a [`Stop`] whether to
//! give up, which is [`ProbeError::Stopped`].

use retrograde_index::Metric;
use retrograde_rules::{Colour, Material};

use crate::error::ProbeError;
use crate::format::{Need, Table};
use crate::lookup::range;
pub use crate::lookup::range::{Stop, turns_after};
use crate::tablebase::Tablebase;

/// Checks that a table can be used, if it is there: it is what its name says, and all that its
/// values depend on is there and has the values that it was packed with. Blocks are not read.
///
/// # Errors
/// [`ProbeError::Table`] and [`ProbeError::Missing`].
pub fn check_usable(
    tables: &Tablebase,
    material: &Material,
    metric: Metric,
) -> Result<(), ProbeError> {
    tables.store.check_usable(material, metric)
}

/// Makes [`Tablebase::read_range`] quick for all of a table: loads what its values depend on,
/// and if the table lacks a side to move, the other. Does nothing for a table that depends on no
/// other.
///
/// # Errors
/// See [`ProbeError`].
pub fn prepare(tables: &Tablebase, table: &Table, stop: Stop<'_>) -> Result<(), ProbeError> {
    range::prepare(&tables.store, table, stop)
}

/// The sides to move of a table that another depends on, as `need` says, which a search for the
/// side that the other does not store may ask for.
pub fn turns_asked_for(table: &Table, need: &Need) -> Vec<Colour> {
    range::turns_asked_for(table, need)
}

/// Loads some sides to move of a table into memory; does nothing if there is no such table.
///
/// # Errors
/// See [`ProbeError`].
pub fn load(
    tables: &Tablebase,
    material: &Material,
    metric: Metric,
    turns: &[Colour],
    stop: Stop<'_>,
) -> Result<(), ProbeError> {
    range::load(&tables.store, material, metric, turns, stop)
}

/// Reads all values of a table for a side to move, even if the table does not store it.
/// [`prepare`] makes this quick.
///
/// # Errors
/// See [`ProbeError`].
pub fn read_side(
    tables: &Tablebase,
    table: &Table,
    turn: Colour,
    stop: Stop<'_>,
) -> Result<Vec<i16>, ProbeError> {
    range::read_side(&tables.store, table, turn, stop)
}

/// Reads the values of those indices from `first` on that are asked for, by their places in
/// `values`; others may get any value. See [`Tablebase::read_range`].
///
/// # Errors
/// See [`ProbeError`].
pub fn read_some(
    tables: &Tablebase,
    table: &Table,
    turn: Colour,
    first: u64,
    values: &mut [i16],
    is_asked: impl Fn(usize) -> bool,
) -> Result<(), ProbeError> {
    range::read_some(&tables.store, table, turn, first, values, is_asked)
}
