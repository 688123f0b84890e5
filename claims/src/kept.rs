//! Answers of earlier runs, so that interrupted work goes on where it stopped.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use retrograde_folder::{Lock, Seal, replace};
use retrograde_rules::Game;
use serde::{Deserialize, Serialize};

use crate::claim::{Claim, Outcome};
use crate::error::ClaimError;

/// The folder of kept answers inside that of the report.
const FOLDER: &str = ".claims";

/// What an answer depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    men: usize,
    game: Option<String>,
    /// The tables that the claim takes, with hashes of their files.
    files: Vec<String>,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    key: Key,
    outcome: Outcome,
}

/// The kept answers of a folder.
pub(crate) struct Kept {
    folder: PathBuf,
    /// Nobody else's answers are believed; `None` if there can be no seal, and nothing is kept.
    seal: Option<Seal>,
    men: usize,
    game: Option<String>,
}

impl Kept {
    /// The answers kept for reports in `out`, which is made if it is not there.
    /// `secrets` is the folder of the user's secret.
    pub(crate) fn new(
        out: &Path,
        secrets: Option<&Path>,
        men: usize,
        game: Option<Game>,
    ) -> Result<Kept, ClaimError> {
        let folder = out.join(FOLDER);
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        Ok(Kept {
            folder,
            seal: secrets.and_then(|folder| Seal::open(folder).ok()),
            men,
            // A game without options asks for some claims, but changes none of them.
            game: game.map(Game::id).filter(|id| id.contains(':')),
        })
    }

    fn path(&self, claim: &Claim) -> PathBuf {
        self.folder.join(format!("{}.json", claim.tag))
    }

    fn key(&self, files: &[String]) -> Key {
        Key {
            men: self.men,
            game: self.game.clone(),
            files: files.to_vec(),
        }
    }

    /// The answer of an earlier run, if nothing that it depends on has changed.
    pub(crate) fn read(&self, claim: &Claim, files: &[String]) -> Option<Outcome> {
        let entry: Entry = self.seal.as_ref()?.read(&self.path(claim)).ok()??;
        (entry.key == self.key(files)).then_some(entry.outcome)
    }

    /// Keeps an answer.
    pub(crate) fn write(
        &self,
        claim: &Claim,
        files: &[String],
        outcome: &Outcome,
    ) -> Result<(), ClaimError> {
        let Some(seal) = &self.seal else {
            return Ok(());
        };
        let entry = Entry {
            key: self.key(files),
            outcome: outcome.clone(),
        };
        let path = self.path(claim);
        let _lock = lock(&self.folder)?;
        seal.write(&path, &entry).map_err(at(&path))
    }
}

/// Writes a file, which is either there completely or not at all.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), ClaimError> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let _lock = lock(folder)?;
    replace(path, |file| file.write_all(text.as_bytes())).map_err(at(path))
}

/// Waits for the lock of a folder; nobody holds it for long.
fn lock(folder: &Path) -> Result<Lock, ClaimError> {
    loop {
        let lock = Lock::take(folder, "claims");
        match lock.map_err(|error| at(&error.path)(error.source))? {
            Some(lock) => return Ok(lock),
            None => thread::sleep(Duration::from_millis(10)),
        }
    }
}

/// An error at a path.
pub(crate) fn at(path: &Path) -> impl FnOnce(io::Error) -> ClaimError {
    let path = path.to_owned();
    |source| ClaimError::Io { path, source }
}
