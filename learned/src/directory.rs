//! The directory: which line holds an index.
//!
//! ```text
//! 4 bytes per stretch, and 4 more   lines that begin before the stretch
//! 2 bytes per line                  its first index, counted from the
//!                                   start of its stretch
//! ```
//!
//! A stretch is `2^bits` indices.

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
        (4..=16).contains(&bits).then_some(())?;
        let stretches = indices.checked_sub(1)?.checked_shr(bits)? + 1;
        Some((stretches + 1) * 4 + u64::from(lines) * 2)
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
    pub fn find_range(&self, index: u64) -> Result<(u32, u64), LearnedError> {
        let stretch = index >> self.bits;
        if stretch >= self.stretches as u64 {
            return Err(LearnedError::Question("the index does not exist"));
        }
        let bytes = self.bytes.as_ref();
        let (before, firsts) = bytes
            .split_at_checked((self.stretches + 1) * 4)
            .ok_or(LearnedError::Directory("it is truncated"))?;
        let before = before.as_chunks::<4>().0;
        let firsts = firsts.as_chunks::<2>().0;
        let at = |stretch: usize| before.get(stretch).map(|&count| u32::from_le_bytes(count));
        let (Some(from), Some(to)) = (at(stretch as usize), at(stretch as usize + 1)) else {
            return Err(LearnedError::Directory("it is truncated"));
        };
        let Some(inside) = firsts.get(from as usize..to as usize) else {
            return Err(LearnedError::Directory("its counts do not ascend"));
        };
        let low = (index & ((1 << self.bits) - 1)) as u16;
        let count = inside.partition_point(|&first| u16::from_le_bytes(first) <= low);
        let line = (from + count as u32)
            .checked_sub(1)
            .ok_or(LearnedError::Directory("no line begins at the first index"))?;
        let after = match inside.get(count) {
            Some(&first) => u64::from(u16::from_le_bytes(first)),
            None => 1 << self.bits,
        };
        Ok((line, (stretch << self.bits) + after))
    }
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
        bytes.extend_from_slice(&((first & mask) as u16).to_le_bytes());
    }
    bytes
}
