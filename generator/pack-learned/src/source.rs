//! What is packed: positions with the symbols that each may have.

use retrograde_learned::{Columns, Features};

/// Which symbols an index may have: all from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cell {
    /// The lowest symbol.
    pub low: u16,
    /// The highest symbol.
    pub high: u16,
}

impl Cell {
    /// Nobody asks: any symbol will do, even one that does not exist.
    pub const FREE: Cell = Cell {
        low: 0,
        high: u16::MAX,
    };

    /// One symbol and no other.
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

    /// Whether a symbol will do.
    pub const fn allows(self, symbol: u16) -> bool {
        self.low <= symbol && symbol <= self.high
    }

    /// Whether only one symbol will do.
    pub const fn is_exact(self) -> bool {
        self.low == self.high
    }
}

/// Consecutive positions, a column of values a piece.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// How many positions.
    pub len: usize,
    /// For each piece a column of squares.
    pub squares: Vec<u8>,
    /// For each context a column of values.
    pub contexts: Vec<u8>,
    /// The symbols that each may have.
    pub cells: Vec<Cell>,
}

impl Batch {
    /// The most positions in a batch.
    pub const MOST: usize = Columns::MOST;

    /// Makes room for `len` positions of a material; columns are zero, cells
    /// free.
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

/// The values of one side to move of a material.
pub trait Source: Sync {
    /// What its positions look like.
    fn features(&self) -> &Features;

    /// How many indices there are, 1 or more.
    fn indices(&self) -> u64;

    /// How many symbols there are, 1 to 65536; cells that are not free allow
    /// only those.
    fn symbols(&self) -> u32;

    /// Fills a batch with the positions from `first` on: `batch.len` of them,
    /// room having been made. An index that stands for no position is free and
    /// may have any squares.
    fn read(&self, first: u64, batch: &mut Batch);
}
