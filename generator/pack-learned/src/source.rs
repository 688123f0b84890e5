//! The input of packing: positions with the symbols that each may have.

use retrograde_learned::{Columns, Features};

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

/// Consecutive positions, by columns.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The number of positions.
    pub len: usize,
    /// A column of squares for each piece.
    pub squares: Vec<u8>,
    /// A column of values for each context.
    pub contexts: Vec<u8>,
    /// The symbols that each position may have.
    pub cells: Vec<Cell>,
}

impl Batch {
    /// The most positions in a batch.
    pub const MOST: usize = Columns::MOST;

    /// Makes room for `len` positions of a material, with zero columns and free
    /// cells.
    pub fn reset(&mut self, features: &Features, len: usize) {
        self.len = len;
        self.squares.clear();
        self.squares.resize(features.pieces() * len, 0);
        self.contexts.clear();
        self.contexts.resize(features.contexts().len() * len, 0);
        self.cells.clear();
        self.cells.resize(len, Cell::FREE);
    }

    /// Keeps only the positions at the given places.
    pub(crate) fn keep(&mut self, places: &[u16]) {
        fn pick(column: &mut Vec<u8>, len: usize, places: &[u16]) {
            let mut kept = 0;
            for start in (0..column.len()).step_by(len.max(1)) {
                for &place in places {
                    column[kept] = column[start + usize::from(place)];
                    kept += 1;
                }
            }
            column.truncate(kept);
        }
        pick(&mut self.squares, self.len, places);
        pick(&mut self.contexts, self.len, places);
        self.cells = places.iter().map(|&p| self.cells[usize::from(p)]).collect();
        self.len = places.len();
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

    /// Fills a batch, which has room, with `batch.len` positions from `first` on. An
    /// index that stands for no position is free and may have any squares.
    fn read(&self, first: u64, batch: &mut Batch);
}
