//! Replaces and removes the project's own files beside tables, and locks materials of a folder.
//!
//! The files are those that this project keeps for itself. A lock admits one process at a time for
//! each material of a folder.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter, ErrorKind};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use thiserror::Error;

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
        io::Error::new(ErrorKind::InvalidInput, text)
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
        ErrorKind::StorageFull
            | ErrorKind::QuotaExceeded
            | ErrorKind::FileTooLarge
            | ErrorKind::OutOfMemory
    )
}

/// A folder or lock could not be used.
#[derive(Debug, Error)]
#[error("{}: could not {action}: {source}", path.display())]
pub struct LockError {
    /// The lock file, or the folder.
    pub path: PathBuf,
    /// The action that was tried.
    pub action: &'static str,
    /// The error of the system.
    pub source: io::Error,
}

/// A lock that is held while the files of a material, or others that only one process may write,
/// are being made. The system releases it when the process ends, however it ends.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// The names of the locks in a folder whose files are there: somebody holds them, or was
    /// killed. Empty if the folder cannot be read.
    pub fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let name = |entry: fs::DirEntry| {
            let name = entry.file_name().into_string().ok()?;
            Some(name.strip_prefix('.')?.strip_suffix(EXTENSION)?.to_owned())
        };
        entries.filter_map(name).collect()
    }

    /// Takes the lock of this name, such as that of a material; `None` if another
    /// process holds it.
    ///
    /// # Errors
    /// See [`LockError`].
    pub fn take(folder: &Path, name: &str) -> Result<Option<Lock>, LockError> {
        let path = lock_path(folder, name);
        let error = |action| {
            let path = path.clone();
            move |source| LockError {
                path,
                action,
                source,
            }
        };
        fs::create_dir_all(folder).map_err(|source| LockError {
            path: folder.to_owned(),
            action: "make the folder",
            source,
        })?;
        let mut tries = 0;
        loop {
            let file = open_lock(&path);
            // On Windows, a file that was removed while somebody had it open may be in the way
            // for a moment.
            let is_there = || !matches!(path.try_exists(), Ok(false));
            if cfg!(windows) && file.as_ref().is_err_and(is_refused) && is_there() {
                tries += 1;
                if tries < MOST_TRIES {
                    thread::sleep(Duration::from_millis(10));
                    continue;
                }
            }
            let file = file.map_err(|source| match is_refused(&source) {
                // The lock is not the problem.
                true if !path.exists() => LockError {
                    path: folder.to_owned(),
                    action: "write to the folder",
                    source,
                },
                _ => error("open the lock")(source),
            })?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Ok(None),
                Err(TryLockError::Error(source)) => return Err(error("take the lock")(source)),
            }
            // The previous holder removed the file, so the name may belong to a
            // new file by now, which others lock.
            if is_current(&file, &path).map_err(error("look at the lock"))? {
                return Ok(Some(Lock { path, _file: file }));
            }
            tries += 1;
            if tries >= MOST_TRIES {
                return Ok(None);
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed before it is released, so that waiting processes can tell. A
        // file left behind does no harm.
        if cfg!(any(unix, windows)) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The most attempts to open the file of a lock that others remove at the same time.
const MOST_TRIES: u32 = 100;

/// The end of the names of the files of locks.
const EXTENSION: &str = ".lock";

/// The path of the file of a lock.
fn lock_path(folder: &Path, name: &str) -> PathBuf {
    folder.join(format!(".{name}{EXTENSION}"))
}

/// Opens a file, creating it if necessary. A file left behind by another user can
/// be locked without write access.
fn open_lock(path: &Path) -> io::Result<File> {
    let file = open_own(
        File::options().create(true).truncate(false).write(true),
        path,
    );
    match file {
        Err(error) if is_refused(&error) => {
            open_own(File::options().read(true), path).or(Err(error))
        }
        file => file,
    }
}

/// Whether the system refuses write access.
fn is_refused(error: &io::Error) -> bool {
    let kind = error.kind();
    matches!(
        kind,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
    )
}

/// Whether the file is the one at this path. It is not if it has been removed, which a network
/// file system may say in its own way.
#[cfg(unix)]
fn is_current(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    let both = file
        .metadata()
        .and_then(|held| Ok(id(held) == id(fs::symlink_metadata(path)?)));
    match both {
        Err(error) if is_gone(&error) => Ok(false),
        both => both,
    }
}

/// Whether a file was removed after it was opened.
#[cfg(unix)]
fn is_gone(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::NotFound | ErrorKind::StaleNetworkFileHandle
    )
}

#[cfg(windows)]
fn is_current(file: &File, path: &Path) -> io::Result<bool> {
    use same_file::Handle;
    match Handle::from_path(path) {
        Ok(there) => Ok(Handle::from_file(file.try_clone()?)? == there),
        Err(error) if is_refused(&error) || error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether a lock file is still current; always, since such files are never removed here.
#[cfg(not(any(unix, windows)))]
fn is_current(_file: &File, _path: &Path) -> io::Result<bool> {
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn one_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let mut taken = 0;
                    while taken < 50 {
                        let Some(lock) = Lock::take(folder.path(), "KQvK").unwrap() else {
                            std::thread::yield_now();
                            continue;
                        };
                        taken += 1;
                        assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0);
                        std::thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
