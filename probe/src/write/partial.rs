//! Writes files under a temporary name until they are finished, and removes unfinished ones.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use retrograde_rules::{Game, Material};

use super::WriteError;

/// The extension of unfinished files; that of tables is the name of their metric.
const EXTENSION: &str = "partial";

/// The suffix of the name of a table while another one takes its place.
const OLD: &str = ".old.partial";

/// A file that is removed unless it is finished.
pub(super) struct Partial {
    path: PathBuf,
    finished: bool,
}

impl Partial {
    /// Creates the unfinished file for a table, and the folders on the way. Processes do
    /// not get in each other's way: the name contains their id.
    pub(super) fn create(table: &Path) -> Result<(Partial, File), WriteError> {
        if let Some(folder) = table.parent() {
            fs::create_dir_all(folder).map_err(|source| WriteError::Io {
                path: folder.to_owned(),
                action: "make the folder",
                source,
            })?;
        }
        let mut name = table.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.{EXTENSION}", std::process::id()));
        let partial = Partial {
            path: table.with_file_name(name),
            finished: false,
        };
        // Left behind by an earlier process with the same id. If something else has the
        // name, a link is not followed and a pipe not waited for.
        let _ = fs::remove_file(&partial.path);
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&partial.path);
        let file = partial.io("make the file", file)?;
        Ok((partial, file))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds the name of the file to an error.
    pub(super) fn io<T>(
        &self,
        action: &'static str,
        result: io::Result<T>,
    ) -> Result<T, WriteError> {
        result.map_err(|source| WriteError::Io {
            path: self.path.clone(),
            action,
            source,
        })
    }

    /// Gives the file, which must be complete and synced, its final name.
    pub(super) fn finish(mut self, table: &Path) -> Result<(), WriteError> {
        self.io("rename the file", replace(&self.path, table))?;
        self.finished = true;
        // The new name is durable only once the folder is synced, too. Only Unix allows
        // opening a folder for that.
        #[cfg(unix)]
        {
            let folder = match table.parent() {
                Some(folder) if !folder.as_os_str().is_empty() => folder,
                _ => Path::new("."),
            };
            File::open(folder)
                .and_then(|folder| folder.sync_all())
                .map_err(|source| WriteError::Io {
                    path: folder.to_owned(),
                    action: "write the folder to the disk",
                    source,
                })?;
        }
        Ok(())
    }
}

/// Renames a file to one that may exist.
#[cfg(not(windows))]
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

/// Renames a file to one that may exist. Not every version of Windows can replace a file that
/// somebody has open, such as the table that is being packed anew; but all of them can give it
/// another name. In between there is no table: if the process is killed there, [`remove_partials`]
/// gives the old one its name back.
#[cfg(windows)]
fn replace(from: &Path, to: &Path) -> io::Result<()> {
    match fs::rename(from, to) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied && to.is_file() => {
            let mut old = to.as_os_str().to_owned();
            old.push(OLD);
            fs::rename(to, &old).map_err(|_| error)?;
            fs::rename(from, to).inspect_err(|_| drop(fs::rename(&old, to)))?;
            // It is gone when whoever has it open closes it.
            let _ = fs::remove_file(&old);
            Ok(())
        }
        renamed => renamed,
    }
}

impl Drop for Partial {
    fn drop(&mut self) {
        if !self.finished {
            // An error is being reported already; a file left behind is harmless.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Removes the unfinished files of a material that killed processes left in a game's
/// folder; a table that was about to be replaced gets its name back if there is no other. The
/// caller must know that nobody is writing the material now.
///
/// # Errors
/// The folder cannot be read, or a file cannot be removed. A folder that does not exist is
/// not an error.
pub fn remove_partials(folder: &Path, game: Game, material: &Material) -> io::Result<()> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let stem = format!("{}.", material.name(game));
    let mut outcome = Ok(());
    for entry in entries {
        let path = entry?.path();
        let is_partial = path.extension().is_some_and(|e| e == EXTENSION);
        let name = path.file_name().and_then(|name| name.to_str());
        let Some(name) = name.filter(|name| is_partial && name.starts_with(&stem)) else {
            continue;
        };
        let replaced = name.strip_suffix(OLD).map(|table| folder.join(table));
        let removed = match replaced.filter(|table| !table.exists()) {
            Some(table) => fs::rename(&path, table),
            None => fs::remove_file(&path),
        };
        outcome = outcome.and(removed);
    }
    outcome
}
