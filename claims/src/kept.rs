//! Answers of earlier runs, so that interrupted work goes on where it stopped.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use retrograde_folder::{Lock, open_own, replace};
use retrograde_rules::Game;
use serde::{Deserialize, Serialize};

use crate::claim::{Claim, Outcome};
use crate::error::ClaimError;

/// The folder of kept answers inside that of the report.
const FOLDER: &str = ".claims";

/// What an answer depends on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Key {
    /// Of the program: another one may answer otherwise.
    program: Option<u64>,
    men: usize,
    game: Option<String>,
    /// Of the contents of all tables that the claim takes.
    digest: u64,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    key: Key,
    outcome: Outcome,
}

/// The kept answers of a folder.
pub(crate) struct Kept {
    folder: PathBuf,
    /// `None` if it cannot be read: then no answer is known to be its own.
    program: Option<u64>,
    men: usize,
    game: Option<String>,
}

impl Kept {
    /// The answers kept for reports in `out`, which is made if it is not there.
    pub(crate) fn new(out: &Path, men: usize, game: Option<Game>) -> Result<Kept, ClaimError> {
        let folder = out.join(FOLDER);
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let program = std::env::current_exe().and_then(fs::read);
        Ok(Kept {
            folder,
            program: program.ok().map(|bytes| xxhash_rust::xxh3::xxh3_64(&bytes)),
            men,
            // A game without options asks for some claims, but changes none of them.
            game: game.map(Game::id).filter(|id| id.contains(':')),
        })
    }

    fn path(&self, claim: &Claim) -> PathBuf {
        self.folder.join(format!("{}.json", claim.tag))
    }

    fn key(&self, digest: u64) -> Key {
        Key {
            program: self.program,
            men: self.men,
            game: self.game.clone(),
            digest,
        }
    }

    /// The answer of an earlier run, if nothing that it depends on has changed.
    pub(crate) fn read(&self, claim: &Claim, digest: u64) -> Option<Outcome> {
        self.program?;
        let file = open_own(File::options().read(true), &self.path(claim)).ok()?;
        let entry: Entry = serde_json::from_reader(BufReader::new(file)).ok()?;
        (entry.key == self.key(digest)).then_some(entry.outcome)
    }

    /// Keeps an answer.
    pub(crate) fn write(
        &self,
        claim: &Claim,
        digest: u64,
        outcome: &Outcome,
    ) -> Result<(), ClaimError> {
        let entry = Entry {
            key: self.key(digest),
            outcome: outcome.clone(),
        };
        let text = serde_json::to_string(&entry).map_err(|error| ClaimError::Io {
            path: self.path(claim),
            source: error.into(),
        })?;
        write(&self.path(claim), &text)
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
