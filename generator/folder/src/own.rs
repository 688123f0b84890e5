//! The files that this project keeps for itself beside the tables.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens such a file. If something else has its name, a link is not followed and
/// a pipe is not waited for.
///
/// # Errors
/// The file cannot be opened, or is not a regular file.
pub fn open_own(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK);
    }
    let other = || {
        let text = "something that is not a file has its name; remove it";
        io::Error::new(io::ErrorKind::InvalidInput, text)
    };
    match options.open(path) {
        Ok(file) if file.metadata()?.is_file() => Ok(file),
        Ok(_) => Err(other()),
        Err(error) => Err(match fs::symlink_metadata(path) {
            Ok(metadata) if !metadata.is_file() => other(),
            _ => error,
        }),
    }
}

/// Whether something failed for lack of room, on the disk, in memory, or within the limits of
/// the process.
pub fn is_exhausted(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::StorageFull
            | io::ErrorKind::QuotaExceeded
            | io::ErrorKind::FileTooLarge
            | io::ErrorKind::OutOfMemory
    )
}
