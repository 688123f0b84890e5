//! The input of packing: positions with the symbols that each may have.

use retrograde_learned::Features;

/// The symbols that an index may have: all from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The lowest symbol.
    pub low: u16,
    /// The highest symbol.
    pub high: u16,
}

impl Cell {
    /// Any symbol will do, even one that does not exist.
    pub const FREE: Cell = Cell {
        low: 0,
        high: u16::MAX,
    };

    /// Exactly one symbol.
    pub const fn exact(symbol: u16) -> Cell {
        Cell {
            low: symbol,
            high: symbol,
        }
    }

    /// Any symbol up to this one.
    pub const fn up_to(symbol: u16) -> Cell {
        Cell {
            low: 0,
            high: symbol,
        }
    }

    /// Whether a symbol is allowed.
    pub const fn allows(self, symbol: u16) -> bool {
        self.low <= symbol && symbol <= self.high
    }

    /// Whether only one symbol is allowed.
    pub const fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// The values of a material for one side to move.
pub trait Source: Sync {
    /// The features of its positions.
    fn features(&self) -> &Features;

    /// The number of indices, 1 or more.
    fn indices(&self) -> u64;

    /// The number of symbols, 1 to 65536; cells that are not free allow only these.
    fn symbols(&self) -> u32;

    /// Fills in what the indices from `first` on may have, as many as there is room
    /// for. An index that stands for no position is free.
    fn cells(&self, first: u64, cells: &mut [Cell]);

    /// Fills in the placements of some indices that are not free, in ascending order: a
    /// column of squares for each piece, and one of values for each context.
    fn placements(&self, indices: &[u64], squares: &mut [u8], contexts: &mut [u8]);
}
