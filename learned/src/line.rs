//! A line: the bits of some consecutive positions, as the solution of linear
//! equations over GF(2).
//!
//! ```text
//! columns  0 .. split      filter bits
//!          split .. 500    corrections and codes
//! bits     500 .. 509      split
//!          509 .. 512      seed
//! ```
//!
//! A bit of a position is the parity of some columns of its region: those selected
//! by a window of 64 bits that begins at one of the columns. Both come from a hash
//! of the index, the seed and the number of the bit.

use crate::error::LearnedError;

/// The most levels that a code has.
pub const LEVELS: usize = 3;

/// The bytes of a line.
pub const LINE: usize = 64;

/// The columns of a line.
pub(crate) const COLUMNS: u32 = 500;

/// The window of an equation and where it begins in its region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The first column, counted from that of the region.
    pub start: u32,
    /// The columns from there on that count. It ends within the region.
    pub window: u64,
}

/// The columns of a line that hold bits of one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Region {
    /// The first column.
    pub first: u32,
    /// The number of columns.
    pub columns: u32,
}

impl Equation {
    /// Equation `number` of a key in a region of `columns`.
    #[inline]
    pub fn new(key: u64, number: u32, columns: u32) -> Equation {
        let salt = u64::from(number + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let product = u128::from(key ^ salt) * 0xD1B5_4A32_D192_ED03;
        let (low, high) = (product as u64, (product >> 64) as u64);
        let window = low ^ high.rotate_left(32);
        if columns <= 64 {
            let kept = u64::MAX.checked_shr(64 - columns).unwrap_or(0);
            return Equation {
                start: 0,
                window: window & kept,
            };
        }
        // Windows that would begin before the region or end after it are pushed
        // inside, so that its ends are as full as its middle.
        let drawn = (((low >> 32) * u64::from(columns)) >> 32) as u32;
        Equation {
            start: drawn.saturating_sub(32).min(columns - 64),
            window,
        }
    }
}

/// A line, ready for decoding.
#[derive(Clone, Copy, Debug)]
pub struct Line {
    words: [u64; 9],
    split: u32,
    seed: u32,
}

impl Line {
    /// Parses a line.
    ///
    /// # Errors
    /// [`LearnedError::Line`] if the split is after the last column.
    #[inline]
    pub fn new(bytes: &[u8; LINE]) -> Result<Line, LearnedError> {
        let mut words = [0; 9];
        let (parts, _) = bytes.as_chunks::<8>();
        for (word, &part) in words.iter_mut().zip(parts) {
            *word = u64::from_le_bytes(part);
        }
        let head = (words[7] >> 52) as u32;
        let (split, seed) = (head & 511, head >> 9);
        if split > COLUMNS {
            return Err(LearnedError::Line("its split is after its last column"));
        }
        Ok(Line { words, split, seed })
    }

    /// Builds a line from its columns (the last 12 bits are ignored), the number of
    /// filter columns and the seed.
    pub fn to_bytes(mut columns: [u64; 8], split: u32, seed: u32) -> [u8; LINE] {
        columns[7] = columns[7] << 12 >> 12 | u64::from(split & 511 | seed << 9) << 52;
        let mut bytes = [0; LINE];
        for (part, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(columns) {
            *part = word.to_le_bytes();
        }
        bytes
    }

    /// The columns of filter bits, and those of values.
    pub fn regions(split: u32) -> [Region; 2] {
        let split = split.min(COLUMNS);
        [
            Region {
                first: 0,
                columns: split,
            },
            Region {
                first: split,
                columns: COLUMNS - split,
            },
        ]
    }

    /// A line of which some columns may still be undetermined.
    pub fn of_columns(columns: &[u64; 9], split: u32, seed: u32) -> Line {
        Line {
            words: *columns,
            split: split.min(COLUMNS),
            seed,
        }
    }

    /// The number of a filter bit of a level.
    #[inline]
    pub const fn filter_number(level: u32, bit: u32) -> u32 {
        16 * level + bit
    }

    /// The number of the correction of a level.
    #[inline]
    pub const fn correction_number(level: u32) -> u32 {
        48 + level
    }

    /// The number of a bit of a code, counted from 0.
    #[inline]
    pub const fn rest_number(bit: u32) -> u32 {
        48 + LEVELS as u32 + bit
    }

    /// The hash of an index, which determines its equations.
    #[inline]
    pub fn key_of(index: u64, seed: u32) -> u64 {
        let mut x = (index ^ u64::from(seed) << 56).wrapping_add(0x9E37_79B9_7F4A_7C15);
        x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ x >> 31
    }

    #[inline]
    pub(crate) fn key(&self, index: u64) -> u64 {
        Line::key_of(index, self.seed)
    }

    /// The filter bit of a key.
    #[inline]
    pub fn filter(&self, key: u64, number: u32) -> bool {
        self.parity(0, Equation::new(key, number, self.split))
    }

    #[inline]
    pub(crate) fn value(&self, key: u64, number: u32) -> bool {
        let columns = COLUMNS - self.split;
        self.parity(self.split, Equation::new(key, number, columns))
    }

    #[inline]
    fn parity(&self, first: u32, equation: Equation) -> bool {
        let at = first + equation.start;
        let (word, bit) = ((at >> 6 & 7) as usize, at & 63);
        let seen = self.words[word] >> bit | self.words[word + 1] << 1 << (63 - bit);
        (seen & equation.window).count_ones() & 1 != 0
    }
}
