//! One maker at a time for every material of a folder, also among processes.

use std::fs::{self, File, TryLockError};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::own::open_own;

/// A folder or lock could not be used.
#[derive(Debug, Error)]
#[error("{}: could not {action}: {source}", path.display())]
pub struct LockError {
    /// The lock file, or the folder.
    pub path: PathBuf,
    /// What was tried.
    pub action: &'static str,
    /// What went wrong.
    pub source: io::Error,
}

/// Held while the files of a material are made, or others that only one process
/// may write. The system frees it when the process ends, however it ends.
pub struct Lock {
    path: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock of this name, that of a material; `None` if another process
    /// holds it.
    ///
    /// # Errors
    /// See [`LockError`].
    pub fn take(folder: &Path, name: &str) -> Result<Option<Lock>, LockError> {
        let path = folder.join(format!(".{name}.lock"));
        let error = |action| {
            let path = path.clone();
            move |source| LockError {
                path,
                action,
                source,
            }
        };
        fs::create_dir_all(folder).map_err(error("make its folder"))?;
        loop {
            let file = open(&path).map_err(|source| match is_refused(&source) {
                // It is not the lock that is wrong.
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
            // The holder before removed the file: its name may stand for
            // another one now, which others lock.
            if is_current(&file, &path) {
                return Ok(Some(Lock { path, _file: file }));
            }
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // Removed before it is freed, so that who waits can tell. A file that
        // stays behind does no harm.
        if cfg!(unix) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Opens a file, making it if it is not there. One that another user has left
/// behind can be locked without writing to it.
fn open(path: &Path) -> io::Result<File> {
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

/// Whether the system does not let anything be written there.
fn is_refused(error: &io::Error) -> bool {
    let kind = error.kind();
    matches!(
        kind,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem
    )
}

/// Whether the file is the one that has this path. Where that cannot be told
/// (a file system over the network may have lost sight of it), it is not.
#[cfg(unix)]
fn is_current(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let id = |metadata: fs::Metadata| (metadata.dev(), metadata.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(held), Ok(there)) => id(held) == id(there),
        _ => false,
    }
}

#[cfg(not(unix))]
fn is_current(_file: &File, _path: &Path) -> bool {
    true
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
