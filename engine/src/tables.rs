//! Opens the tables of an engine session, and goes on without files that turn out to be damaged.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retrograde_probe::advice::has_no_files_left;
use retrograde_probe::{ProbeError, TableFault, Tablebase};
use retrograde_rules::Game;

/// The tables of a game in some folders.
pub(crate) struct Tables {
    folders: Vec<PathBuf>,
    sound: Mutex<Sound>,
}

/// The tables without those that have been found to be damaged.
struct Sound {
    tables: Arc<Tablebase>,
    damaged: HashSet<PathBuf>,
}

impl Tables {
    /// The tables in some folders; also what is wrong with folders that cannot be read, which
    /// are as good as empty.
    pub(crate) fn open(game: Game, folders: &[PathBuf]) -> (Tables, Vec<String>) {
        let (mut readable, mut faults) = (Vec::new(), Vec::new());
        // One by one, since all together would tell of the first fault only.
        for folder in folders {
            if folder.is_file() {
                faults.push(format!("{} is not a folder", folder.display()));
            } else if let Err(error) = Tablebase::open(game, [folder]) {
                faults.push(error.to_string());
            } else {
                readable.push(folder.clone());
            }
        }
        let tables = Tablebase::open(game, &readable).unwrap_or_else(|error| {
            faults.push(error.to_string());
            Tablebase::empty(game)
        });
        let sound = Sound {
            tables: Arc::new(tables),
            damaged: HashSet::new(),
        };
        let tables = Tables {
            folders: readable,
            sound: Mutex::new(sound),
        };
        (tables, faults)
    }

    /// The folders that can be read.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The number of tables.
    pub(crate) fn count(&self) -> usize {
        self.sound().tables.tables().count()
    }

    fn sound(&self) -> MutexGuard<'_, Sound> {
        self.sound.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a question to the tables. If a file is found to be damaged this is told, once in a
    /// session, and the question is put again to the others.
    ///
    /// # Errors
    /// Those of the question; that a file is damaged only if its folder cannot be read either.
    pub(crate) fn ask<T>(
        &self,
        mut tell: impl FnMut(String),
        mut question: impl FnMut(&Tablebase) -> Result<T, ProbeError>,
    ) -> Result<T, ProbeError> {
        loop {
            // A question may take long, and others be put meanwhile.
            let tables = Arc::clone(&self.sound().tables);
            let answer = question(&tables);
            let Err(ProbeError::Table { error, .. }) = &answer else {
                return answer;
            };
            // Such a file may be sound, and there when it is asked for again.
            if is_passing(&error.fault) {
                return answer;
            }
            let mut sound = self.sound();
            let is_new = match &error.path {
                Some(path) => sound.damaged.insert(path.clone()),
                None => false,
            };
            if is_new {
                let is_left_out = |path: &Path| sound.damaged.contains(path);
                match Tablebase::open_except(tables.game(), &self.folders, is_left_out) {
                    Ok(tables) => sound.tables = Arc::new(tables),
                    Err(_) => return answer,
                }
            }
            // Another question may have come upon the same file in the meantime.
            if Arc::ptr_eq(&sound.tables, &tables) {
                return answer;
            }
            drop(sound);
            if is_new {
                tell(format!("going on without a table: {error}"));
            }
        }
    }
}

/// Whether a file could not be read for want of memory or of files that may be open.
fn is_passing(fault: &TableFault) -> bool {
    match fault {
        TableFault::Io(error) => {
            has_no_files_left(error)
                || matches!(
                    error.kind(),
                    ErrorKind::OutOfMemory | ErrorKind::Interrupted
                )
        }
        _ => false,
    }
}
