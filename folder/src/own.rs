//! The files that this project keeps for itself beside the tables.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

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

/// Replaces such a file, so that it is the new one or still the old one if the process is
/// killed. While it is written it has another name, always the same, so that what a killed
/// process has left is written over: whoever calls this holds a lock.
///
/// # Errors
/// The file cannot be written; nothing of it is left then.
pub fn replace(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>,
) -> io::Result<()> {
    let partial = partial(path);
    let mut options = File::options();
    let options = options.create(true).truncate(true).write(true);
    let written = open_own(options, &partial).and_then(|file| {
        let mut file = BufWriter::new(file);
        write(&mut file)?;
        file.into_inner()?;
        fs::rename(&partial, path)
    });
    written.inspect_err(|_| drop(fs::remove_file(&partial)))
}

/// Removes such a file, and what a killed process may have left of it.
pub fn remove(path: &Path) {
    for path in [path, &partial(path)] {
        let _ = fs::remove_file(path);
    }
}

/// The name of a file while it is written.
fn partial(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".partial");
    path.with_file_name(name)
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
