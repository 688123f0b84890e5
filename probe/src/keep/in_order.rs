//! The values of a side that are kept in memory, in the order of some index.

use std::ops::Range;

use retrograde_index::{Index, Reindexing};
use retrograde_rules::Colour;

use crate::format::{SideValues, Table};

/// The values of a side in the order of an index.
pub(super) struct InOrder<'a> {
    values: &'a SideValues,
    /// Unless they are in that order.
    order: Option<Reindexing>,
}

impl<'a> InOrder<'a> {
    /// Those that are kept in memory of a table.
    pub(super) fn kept(table: &'a Table, turn: Colour, index: &Index) -> Option<InOrder<'a>> {
        let order = match index.order().eq(table.index().order()) {
            true => None,
            false => Some(Reindexing::new(index, table.index())?),
        };
        let values = table.kept(turn)?;
        Some(InOrder { values, order })
    }

    /// Calls `visit` with the values of some indices.
    pub(super) fn each(&self, range: Range<u64>, visit: impl FnMut(i16)) {
        self.values.each(self.order.as_ref(), range, visit);
    }
}
