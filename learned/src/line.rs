//! Reads the bits of some consecutive positions from a line, and finds the line of an index.
//!
//! A line is the solution of linear equations over GF(2).
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

use std::ops::Range;

use crate::LearnedError;

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

/// The directory of a section, over bytes stored anywhere: which line holds an index.
///
/// ```text
/// 4 bytes per stretch, and 4 more   lines that begin before the stretch
/// 2 to 4 bytes per line             its first index, counted from the
///                                   start of its stretch
/// ```
///
/// A stretch is `2^bits` indices; with up to 16 bits a first index takes 2 bytes, with up
/// to 24 bits 3, with more 4.
#[derive(Clone, Debug)]
pub struct Directory<B> {
    bytes: B,
    bits: u32,
    stretches: usize,
    lines: u32,
}

impl<B: AsRef<[u8]>> Directory<B> {
    /// The size of a directory in bytes; `None` if there can be none.
    pub fn size(indices: u64, bits: u32, lines: u32) -> Option<u64> {
        (4..=32).contains(&bits).then_some(())?;
        let stretches = (indices.checked_sub(1)? >> bits) + 1;
        Some((stretches + 1) * 4 + u64::from(lines) * first_bytes(bits) as u64)
    }

    /// A directory of the lines of a number of indices.
    ///
    /// # Errors
    /// The number of bytes is wrong, or there are no indices.
    pub fn new(
        bytes: B,
        indices: u64,
        bits: u32,
        lines: u32,
    ) -> Result<Directory<B>, LearnedError> {
        let size = Directory::<B>::size(indices, bits, lines);
        if size != Some(bytes.as_ref().len() as u64) {
            return Err(LearnedError::Directory("its length is wrong"));
        }
        let stretches = ((indices - 1) >> bits) as usize + 1;
        Ok(Directory {
            bytes,
            bits,
            stretches,
            lines,
        })
    }

    /// The number of lines.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// The line of an index: the last one that begins at or before it.
    ///
    /// # Errors
    /// The index does not exist, or the directory contradicts itself.
    #[inline]
    pub fn find(&self, index: u64) -> Result<u32, LearnedError> {
        Ok(self.find_range(index)?.0)
    }

    /// The line of an index, and an index up to which (exclusively) it certainly is
    /// the line of those that follow.
    ///
    /// # Errors
    /// As [`Directory::find`].
    #[inline]
    pub(crate) fn find_range(&self, index: u64) -> Result<(u32, u64), LearnedError> {
        let stretch = index >> self.bits;
        if stretch >= self.stretches as u64 {
            return Err(LearnedError::Question("the index does not exist"));
        }
        let bytes = self.bytes.as_ref();
        let (before, firsts) = bytes
            .split_at_checked((self.stretches + 1) * 4)
            .ok_or(LearnedError::Directory("it is truncated"))?;
        let before = before.as_chunks::<4>().0;
        let at = |stretch: usize| before.get(stretch).map(|&count| u32::from_le_bytes(count));
        let (Some(from), Some(to)) = (at(stretch as usize), at(stretch as usize + 1)) else {
            return Err(LearnedError::Directory("it is truncated"));
        };
        let lines = from as usize..to as usize;
        let low = (index & ((1 << self.bits) - 1)) as u32;
        let found = match first_bytes(self.bits) {
            2 => among(
                firsts.as_chunks().0,
                lines,
                |first: [u8; 2]| u32::from(u16::from_le_bytes(first)),
                low,
            ),
            3 => among(
                firsts.as_chunks().0,
                lines,
                |[a, b, c]: [u8; 3]| u32::from_le_bytes([a, b, c, 0]),
                low,
            ),
            _ => among(firsts.as_chunks().0, lines, u32::from_le_bytes, low),
        };
        let (count, next) = found.ok_or(LearnedError::Directory("its counts do not ascend"))?;
        let line = (from + count as u32)
            .checked_sub(1)
            .ok_or(LearnedError::Directory("no line begins at the first index"))?;
        let after = next.map_or(1 << self.bits, u64::from);
        Ok((line, (stretch << self.bits) + after))
    }
}

/// The bytes of a first index.
const fn first_bytes(bits: u32) -> usize {
    match bits {
        0..=16 => 2,
        17..=24 => 3,
        _ => 4,
    }
}

/// Among some first indices, in ascending order: how many are at most `low`, and the next
/// one. `None` if these lines do not exist.
#[inline(always)]
fn among<const N: usize>(
    firsts: &[[u8; N]],
    lines: Range<usize>,
    number: impl Fn([u8; N]) -> u32,
    low: u32,
) -> Option<(usize, Option<u32>)> {
    let inside = firsts.get(lines)?;
    let count = inside.partition_point(|&first| number(first) <= low);
    Some((count, inside.get(count).map(|&first| number(first))))
}

/// Writes a directory from the first index of each line, ascending from 0.
pub fn write_directory(firsts: &[u64], indices: u64, bits: u32) -> Vec<u8> {
    let stretches = ((indices.max(1) - 1) >> bits) + 1;
    let mut bytes = Vec::new();
    for stretch in 0..=stretches {
        let before = firsts.partition_point(|&first| first >> bits < stretch);
        bytes.extend_from_slice(&(before as u32).to_le_bytes());
    }
    let mask = (1u64 << bits) - 1;
    for first in firsts {
        bytes.extend_from_slice(&(first & mask).to_le_bytes()[..first_bytes(bits)]);
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_found_in_stretches_of_any_length() -> Result<(), LearnedError> {
        let indices = (1 << 33) + 5;
        let firsts = [0, 1, 200, 65_535, 65_536, 70_000, 1 << 24, 1 << 32, 1 << 33];
        for bits in [16, 17, 20, 24, 25, 31, 32] {
            let bytes = write_directory(&firsts, indices, bits);
            let directory = Directory::new(&bytes, indices, bits, firsts.len() as u32)?;
            for (line, &first) in firsts.iter().enumerate() {
                let next = firsts.get(line + 1).copied().unwrap_or(indices);
                for index in [first, (first + next) / 2, next - 1] {
                    let (found, end) = directory.find_range(index)?;
                    assert_eq!(found as usize, line, "index {index}, {bits} bits");
                    assert!(index < end && (end <= next || next == indices));
                }
            }
            assert!(directory.find(1 << 34).is_err());
        }
        Ok(())
    }
}
