//! Where the bytes of a table are.

use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use memmap2::Mmap;

/// The bytes of a table: a mapped file, or memory.
pub(crate) enum Source {
    File(Mmap),
    Memory(Arc<[u8]>),
}

impl Source {
    /// Maps a file.
    pub(crate) fn map(path: &Path) -> io::Result<Source> {
        // Asked before opening: to open a pipe would wait for its writer.
        if !std::fs::metadata(path)?.is_file() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "this is not a file",
            ));
        }
        let file = File::open(path)?;
        // Empty files cannot be mapped everywhere.
        if file.metadata()?.len() == 0 {
            return Ok(Source::Memory(Arc::new([])));
        }
        // SAFETY: the map is only ever read, as bytes, and everything that is
        // read out of it is checked. A file that another program changes or
        // cuts while it is mapped is outside what tables promise; they are
        // written under another name and renamed when they are whole.
        #[expect(unsafe_code, reason = "mapping a file is unsafe in itself")]
        let map = unsafe { Mmap::map(&file)? };
        Ok(Source::File(map))
    }
}

impl Deref for Source {
    type Target = [u8];

    #[inline]
    fn deref(&self) -> &[u8] {
        match self {
            Source::File(map) => map,
            Source::Memory(bytes) => bytes,
        }
    }
}
