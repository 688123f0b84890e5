//! The directory: which line holds an index.
//!
//! ```text
//! 4 bytes per stretch, and 4 more   lines that begin before the stretch
//! 2 to 4 bytes per line             its first index, counted from the
//!                                   start of its stretch
//! ```
//!
//! A stretch is `2^bits` indices; with up to 16 bits a first index takes 2 bytes, with up
//! to 24 bits 3, with more 4.

use std::ops::Range;

use crate::error::LearnedError;

/// The directory of a section, over bytes stored anywhere.
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
