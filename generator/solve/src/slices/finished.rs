//! Keeps a finished slice in a file, so that it can leave memory, and reads it where needed.
//!
//! The file has no name, so nothing of it outlives the process.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::marker::PhantomData;
use std::path::Path;

use memmap2::Mmap;

use super::super::depth::Depth;
use super::super::gather::Values;
use super::super::read::UNUSED;
use super::super::word::Word;

/// A file that is being written.
pub(super) struct Writer {
    file: BufWriter<File>,
    len: usize,
}

/// A file that is complete.
pub(super) struct Kept {
    map: Mmap,
}

/// The place in a file of the words of a plane.
pub(super) struct KeptPlane<W> {
    first: usize,
    word: PhantomData<W>,
}

/// The place in a file of cells: the number of the first byte, and whether each has two.
pub(super) struct KeptCells {
    first: usize,
    wide: bool,
}

impl Writer {
    /// A file in a folder.
    pub(super) fn new(folder: &Path) -> io::Result<Writer> {
        let file = BufWriter::with_capacity(1 << 20, tempfile::tempfile_in(folder)?);
        Ok(Writer { file, len: 0 })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.len += bytes.len();
        self.file.write_all(bytes)
    }

    /// Adds a plane.
    pub(super) fn plane<W: Word>(&mut self, words: &[W]) -> io::Result<KeptPlane<W>> {
        let first = self.len;
        let mut bytes = [0; size_of::<u128>()];
        let bytes = &mut bytes[..size_of::<W>()];
        for word in words {
            for (n, byte) in bytes.iter_mut().enumerate() {
                *byte = word.byte(n);
            }
            self.write(bytes)?;
        }
        Ok(KeptPlane {
            first,
            word: PhantomData,
        })
    }

    /// Adds cells.
    pub(super) fn cells<D: Depth>(&mut self, cells: &[D]) -> io::Result<KeptCells> {
        let first = self.len;
        let wide = size_of::<D>() > 1;
        let mut bytes = Vec::new();
        for cells in cells.chunks(1 << 16) {
            bytes.clear();
            for &cell in cells {
                let plies = match cell == D::NONE {
                    true => u16::MAX,
                    false => cell.plies() as u16,
                };
                let plies = plies.to_le_bytes();
                bytes.extend_from_slice(if wide { &plies } else { &plies[..1] });
            }
            self.write(&bytes)?;
        }
        Ok(KeptCells { first, wide })
    }

    /// The complete file.
    pub(super) fn finish(self) -> io::Result<Kept> {
        let file = self.file.into_inner().map_err(|error| error.into_error())?;
        // SAFETY: the file has no name, so nobody else can change it.
        #[expect(unsafe_code, reason = "mapping a file is unsafe in itself")]
        let map = unsafe { Mmap::map(&file)? };
        Ok(Kept { map })
    }
}

impl Kept {
    /// Eight squares of a word of a plane, as [`Word::byte`].
    #[inline(always)]
    pub(super) fn byte<W: Word>(&self, plane: &KeptPlane<W>, word: usize, n: usize) -> u8 {
        self.map[plane.first + word * size_of::<W>() + n]
    }

    /// A plane of so many words.
    pub(super) fn words<W: Word>(&self, plane: &KeptPlane<W>, count: usize) -> Vec<W> {
        let bytes = &self.map[plane.first..][..count * size_of::<W>()];
        bytes
            .chunks_exact(size_of::<W>())
            .map(W::of_bytes)
            .collect()
    }

    /// Eight cells, as plies; [`UNUSED`] for those without any. Those beyond the last mean
    /// nothing.
    #[inline(always)]
    pub(super) fn plies(&self, cells: &KeptCells, first: usize) -> Values {
        match cells.wide {
            false => match self.map[cells.first + first..].first_chunk::<8>() {
                Some(bytes) => bytes.map(narrow),
                None => std::array::from_fn(|n| {
                    let byte = self.map.get(cells.first + first + n);
                    byte.map_or(UNUSED, |&byte| narrow(byte))
                }),
            },
            true => std::array::from_fn(|n| {
                let at = cells.first + 2 * (first + n);
                let bytes = self.map.get(at..at + 2).and_then(<[u8]>::first_chunk);
                bytes.map_or(UNUSED, |&bytes| match u16::from_le_bytes(bytes) {
                    u16::MAX => UNUSED,
                    plies => plies as i16,
                })
            }),
        }
    }

    /// Reads `count` cells of the type that they were written with, or a wider one.
    pub(super) fn cells<D: Depth>(&self, cells: &KeptCells, count: usize) -> Vec<D> {
        let mut all = Vec::with_capacity(count);
        for first in (0..count).step_by(8) {
            let plies = self.plies(cells, first);
            all.extend(
                plies[..8.min(count - first)]
                    .iter()
                    .map(|&plies| match plies {
                        UNUSED => D::NONE,
                        plies => D::of(plies as usize),
                    }),
            );
        }
        all
    }
}

/// A cell of one byte.
#[inline(always)]
fn narrow(byte: u8) -> i16 {
    match byte {
        u8::MAX => UNUSED,
        byte => byte.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::word128::Word128;

    #[test]
    fn what_is_kept_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let mut writer = Writer::new(folder.path()).unwrap();
        let narrow: Vec<u8> = (0..=255).chain(0..13).collect();
        let wide: Vec<u16> = vec![0, 7, 300, 29_000, u16::NONE, 1];
        let words: Vec<u64> = vec![0, 1, u64::MAX, 0x0123_4567_89ab_cdef];
        let long: Vec<Word128> = [3, 64, 99].map(Word128::of).to_vec();
        let cells = [writer.cells(&narrow).unwrap(), writer.cells(&wide).unwrap()];
        let plane = writer.plane(&words).unwrap();
        let long_plane = writer.plane(&long).unwrap();
        let kept = writer.finish().unwrap();
        assert_eq!(kept.cells::<u8>(&cells[0], narrow.len()), narrow);
        assert_eq!(kept.cells::<u16>(&cells[1], wide.len()), wide);
        assert_eq!(kept.cells::<u16>(&cells[0], 3), [0, 1, 2]);
        assert_eq!(kept.plies(&cells[0], 250)[4..7], [254, UNUSED, 0]);
        assert_eq!(kept.words(&plane, words.len()), words);
        assert_eq!(kept.words(&long_plane, long.len()), long);
        assert_eq!(kept.byte(&plane, 3, 1), 0xcd);
        assert_eq!(kept.byte(&long_plane, 2, 12), 8);
        // The file has no name.
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
