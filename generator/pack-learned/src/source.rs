//! The input of packing: positions with their symbols.

use std::ops::Range;

use retrograde_learned::{Features, Row};

/// The values of a material for one side to move.
pub trait Source: Sync {
    /// The features of its positions.
    fn features(&self) -> &Features;

    /// The number of indices, 1 or more.
    fn indices(&self) -> u64;

    /// The number of symbols, 1 to 65536; each is below it.
    fn symbols(&self) -> u32;

    /// Fills in the symbols of the indices from `first` on, as many as there is room for.
    /// `None`, with which the room is filled before, is for an index that stands for no
    /// position, or whose value does not matter: it may read back as any symbol.
    fn cells(&self, first: u64, cells: &mut [Option<u16>]);

    /// The piece that moves within [rows](Source::rows).
    fn moving_piece(&self) -> usize;

    /// Adds the rows of some consecutive indices, and fills in a column of values for each
    /// context, which are any for indices without a symbol.
    fn rows(&self, indices: Range<u64>, rows: &mut Vec<Row>, contexts: &mut [u8]);

    /// Fills in the placements of some indices that have a symbol, in ascending order: a
    /// column of squares for each piece, and one of values for each context.
    fn placements(&self, indices: &[u64], squares: &mut [u8], contexts: &mut [u8]);
}
