//! Reads ranges of a table's bytes from a file, a mapping or memory.

use std::borrow::Cow;
use std::cell::Cell;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

#[cfg(any(unix, windows))]
use memmap2::Mmap;

use crate::error::TableFault;
#[cfg(feature = "remote")]
use crate::remote::RemoteFile;

/// The promise that files are neither changed nor truncated while they are mapped.
#[derive(Clone, Copy)]
pub(crate) struct Unchanging(());

impl Unchanging {
    /// Makes the promise.
    ///
    /// # Safety
    /// It must be kept for every file that is opened with it, by all
    /// processes, as long as its [`Source`] lives.
    #[expect(unsafe_code, reason = "nothing here can see to it")]
    pub(crate) const unsafe fn promised() -> Unchanging {
        Unchanging(())
    }
}

/// The way in which the bytes of a file are read.
#[derive(Clone, Copy)]
pub(crate) enum Access {
    /// Reads at offsets, when needed.
    Read,
    /// Through a map of the whole file.
    Map(Unchanging),
}

/// The bytes of a table.
pub(crate) enum Source {
    /// A file, and its length when it was opened.
    #[cfg_attr(
        not(any(unix, windows)),
        expect(dead_code, reason = "files are read whole there")
    )]
    File(File, u64),
    /// A file mapped into memory.
    #[cfg(any(unix, windows))]
    Mapped(Mmap),
    /// Bytes in memory.
    Memory(Arc<[u8]>),
    /// A file far away.
    #[cfg(feature = "remote")]
    Remote(RemoteFile),
}

thread_local! {
    /// A buffer for reads from files; in the long run as large as a block.
    static BUFFER: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

impl Source {
    /// Opens a file.
    pub(crate) fn open(path: &Path, access: Access) -> io::Result<Source> {
        let is_file = |metadata: std::fs::Metadata| match metadata.is_file() {
            true => Ok(metadata.len()),
            false if metadata.is_dir() => Err(io::Error::new(
                io::ErrorKind::IsADirectory,
                "this is a folder, not a file",
            )),
            false => Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "this is not a file",
            )),
        };
        // Checked before opening, because opening a pipe would wait for its writer.
        is_file(std::fs::metadata(path)?)?;
        let file = File::open(path)?;
        let length = is_file(file.metadata()?)?;
        match access {
            Access::Read => Source::by_position(file, length),
            // Some systems cannot map empty files.
            Access::Map(_) if length == 0 => Ok(Source::Memory(Arc::new([]))),
            Access::Map(promise) => Source::mapped(file, length, promise),
        }
    }

    #[cfg(any(unix, windows))]
    fn mapped(file: File, _length: u64, Unchanging(()): Unchanging) -> io::Result<Source> {
        // SAFETY: the map is only ever read, as bytes, and that these stay as they
        // are has been promised.
        #[expect(unsafe_code, reason = "mapping a file is unsafe in itself")]
        let map = unsafe { Mmap::map(&file)? };
        Ok(Source::Mapped(map))
    }

    /// Other systems cannot map files.
    #[cfg(not(any(unix, windows)))]
    fn mapped(file: File, length: u64, _promise: Unchanging) -> io::Result<Source> {
        Source::by_position(file, length)
    }

    #[cfg(any(unix, windows))]
    fn by_position(file: File, length: u64) -> io::Result<Source> {
        Ok(Source::File(file, length))
    }

    /// Other systems have no way to read by position that threads can share.
    #[cfg(not(any(unix, windows)))]
    fn by_position(mut file: File, _length: u64) -> io::Result<Source> {
        let mut bytes = Vec::new();
        io::Read::read_to_end(&mut file, &mut bytes)?;
        Ok(Source::Memory(bytes.into()))
    }

    /// Whether the bytes come from afar, so that each read takes long.
    pub(crate) fn is_remote(&self) -> bool {
        #[cfg(feature = "remote")]
        if let Source::Remote(_) = self {
            return true;
        }
        false
    }

    /// Whether the bytes are in memory or look as if they were, so that [`Source::borrow`] gives
    /// them.
    pub(crate) fn is_in_place(&self) -> bool {
        !matches!(self, Source::File(..)) && !self.is_remote()
    }

    /// The number of bytes, for files when they were opened.
    pub(crate) fn len(&self) -> u64 {
        match self {
            Source::File(_, length) => *length,
            #[cfg(any(unix, windows))]
            Source::Mapped(map) => map.len() as u64,
            Source::Memory(bytes) => bytes.len() as u64,
            #[cfg(feature = "remote")]
            Source::Remote(file) => file.len(),
        }
    }

    /// Reads a range of the bytes.
    ///
    /// # Errors
    ///
    /// There are not that many bytes, or not any more ([`TableFault::Truncated`]), or the file
    /// cannot be read.
    pub(crate) fn bytes(&self, range: Range<u64>) -> Result<Cow<'_, [u8]>, TableFault> {
        let file = match self {
            Source::File(file, _) => file,
            #[cfg(any(unix, windows))]
            Source::Mapped(map) => return slice(map, range).map(Cow::Borrowed),
            Source::Memory(bytes) => return slice(bytes, range).map(Cow::Borrowed),
            #[cfg(feature = "remote")]
            Source::Remote(file) => return file.bytes(range).map(Cow::Owned),
        };
        let mut bytes = Vec::new();
        read(file, range, self.len(), &mut bytes)?;
        Ok(Cow::Owned(bytes))
    }

    /// Passes some of the bytes to `task`.
    ///
    /// # Errors
    /// As [`Source::bytes`].
    pub(crate) fn with<T>(
        &self,
        range: Range<u64>,
        task: impl FnOnce(&[u8]) -> T,
    ) -> Result<T, TableFault> {
        let file = match self {
            Source::File(file, _) => file,
            #[cfg(any(unix, windows))]
            Source::Mapped(map) => return slice(map, range).map(task),
            Source::Memory(bytes) => return slice(bytes, range).map(task),
            #[cfg(feature = "remote")]
            Source::Remote(file) => return file.bytes(range).map(|bytes| task(&bytes)),
        };
        // A thread that is ending may have lost its buffer already.
        let mut buffer = BUFFER.try_with(Cell::take).unwrap_or_default();
        let result = read(file, range, self.len(), &mut buffer).map(|()| task(&buffer));
        let _ = BUFFER.try_with(|place| place.set(buffer));
        result
    }

    /// Borrows a range of the bytes, if that is possible.
    #[inline]
    pub(crate) fn borrow(&self, range: Range<u64>) -> Option<&[u8]> {
        match self {
            Source::File(..) => None,
            #[cfg(feature = "remote")]
            Source::Remote(_) => None,
            #[cfg(any(unix, windows))]
            Source::Mapped(map) => slice(map, range).ok(),
            Source::Memory(bytes) => slice(bytes, range).ok(),
        }
    }
}

fn slice(bytes: &[u8], range: Range<u64>) -> Result<&[u8], TableFault> {
    let place = |at: u64| usize::try_from(at).ok();
    let part = place(range.start).zip(place(range.end));
    let part = part.and_then(|(start, end)| bytes.get(start..end));
    part.ok_or(TableFault::Truncated {
        expected: range.end,
        found: bytes.len() as u64,
    })
}

/// Reads some bytes of a file, which had `length` of them, and replaces the contents of the
/// buffer with them.
fn read(
    file: &File,
    range: Range<u64>,
    length: u64,
    buffer: &mut Vec<u8>,
) -> Result<(), TableFault> {
    let cut = |found| TableFault::Truncated {
        expected: range.end.max(length),
        found,
    };
    let count = range.end.saturating_sub(range.start);
    let count = usize::try_from(count)
        .ok()
        .filter(|_| range.end <= length)
        .ok_or(cut(length))?;
    buffer.resize(count, 0);
    read_exact_at(file, buffer, range.start).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => cut(file.metadata().map_or(0, |m| m.len())),
        _ => TableFault::Io(error),
    })
}

#[cfg(unix)]
fn read_exact_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, buffer, at)
}

#[cfg(windows)]
fn read_exact_at(file: &File, mut buffer: &mut [u8], mut at: u64) -> io::Result<()> {
    use std::os::windows::fs::FileExt;
    while !buffer.is_empty() {
        match file.seek_read(buffer, at) {
            Ok(0) => return Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => {
                buffer = &mut buffer[count..];
                at += count as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_exact_at(_file: &File, _buffer: &mut [u8], _at: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
