//! Keeps the progress of an interrupted verification, so that it can be continued.
//!
//! The file is kept by and for whoever verifies until a run completes.

use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use retrograde_folder::{Lock, Seal, remove};
use retrograde_probe::Metric;
use retrograde_rules::{Game, Material};
use serde::{Deserialize, Serialize};

use super::{MOST_EXAMPLES, MaterialReport, VerifyOptions, Wrong};

/// The files that keep progress, so that an interrupted run can be continued.
#[derive(Clone, Debug)]
pub struct JournalFile {
    /// The file. Nothing in it is believed but what this user and this program have written
    /// about the files that are verified, as [`Seal`] and hashes of whole files prove.
    pub path: PathBuf,
    /// The folder of the user's secret.
    pub secrets: PathBuf,
    /// Whether what earlier runs have found is ignored.
    pub fresh: bool,
}

/// The findings of a task.
#[derive(Default)]
pub(super) struct Found {
    pub(super) positions: u64,
    pub(super) wrong: u64,
    pub(super) examples: Vec<Wrong>,
}

impl Found {
    /// Counts a wrong value, and keeps the first few as examples.
    pub(super) fn push(&mut self, wrong: impl FnOnce() -> Wrong) {
        self.wrong += 1;
        if self.examples.len() < MOST_EXAMPLES {
            self.examples.push(wrong());
        }
    }
}

/// The progress of a material.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct State {
    material: String,
    /// The files that the verdict relies on, with their hashes.
    files: Vec<String>,
    /// The number of indices that are done, both sides to move together.
    pub(super) done: u64,
    pub(super) positions: u64,
    pub(super) wrong: u64,
    /// Whether a material with vitality is finished.
    pub(super) settled: bool,
    /// Whether the helpmates of a material are finished.
    pub(super) helpmates: bool,
    /// The metrics whose statistics are wrong.
    statistics: Vec<String>,
    examples: Vec<(String, String, String, String)>,
}

impl State {
    /// The state of a material of which nothing is done, and the files that its verdict relies
    /// on.
    pub(super) fn anew(self) -> State {
        State {
            material: self.material,
            files: self.files,
            ..State::default()
        }
    }

    /// Adds which statistics are wrong, unless that is not known, and says whether it is.
    pub(super) fn with_statistics(mut self, wrong: Option<Vec<Metric>>) -> (State, bool) {
        let finished = wrong.is_some();
        let names = wrong
            .into_iter()
            .flatten()
            .map(|metric| metric.name().to_owned());
        self.statistics = names.collect();
        (self, finished)
    }

    /// Adds what was found.
    pub(super) fn add(&mut self, found: Found) {
        self.positions += found.positions;
        self.wrong += found.wrong;
        let room = MOST_EXAMPLES.saturating_sub(self.examples.len());
        let wrong = found.examples.into_iter().take(room);
        self.examples.extend(wrong.map(|wrong| {
            let metric = wrong.metric.name().to_owned();
            (wrong.fen, metric, wrong.stored, wrong.derived)
        }));
    }

    /// Adds what was found wrong in another table of the material.
    pub(super) fn add_wrong(&mut self, other: &State) {
        self.wrong += other.wrong;
        let room = MOST_EXAMPLES.saturating_sub(self.examples.len());
        self.examples
            .extend(other.examples.iter().take(room).cloned());
    }

    /// The verdict, given how many positions earlier runs have derived.
    pub(super) fn report(&self, material: Material, resumed: u64) -> MaterialReport {
        let examples = self
            .examples
            .iter()
            .filter_map(|(fen, metric, stored, derived)| {
                Some(Wrong {
                    fen: fen.clone(),
                    metric: Metric::parse(metric)?,
                    stored: stored.clone(),
                    derived: derived.clone(),
                })
            });
        MaterialReport {
            material,
            positions: self.positions,
            resumed,
            wrong: self.wrong,
            statistics: (self.statistics.iter())
                .filter_map(|name| Metric::parse(name))
                .collect(),
            examples: examples.collect(),
        }
    }
}

/// The contents of the file.
#[derive(Default, PartialEq, Serialize, Deserialize)]
struct Contents {
    game: String,
    sample: Option<u64>,
    limit: Option<u32>,
    materials: BTreeMap<String, State>,
}

#[derive(Default)]
pub(super) struct Journal {
    /// The file that keeps progress, and the seal of its contents.
    file: Option<(PathBuf, Seal)>,
    contents: Contents,
    /// The reason why nothing is kept, until it has been reported.
    why: Option<String>,
    /// The lock that is held while this run keeps its progress.
    _lock: Option<Lock>,
}

impl Journal {
    /// The journal of an earlier run with the same options, or a new one. Only one run at a
    /// time keeps its progress in a file.
    pub(super) fn open(game: Game, options: &VerifyOptions) -> Journal {
        let mut journal = Journal {
            contents: Contents {
                game: game.id(),
                sample: options.sample,
                limit: options.limit,
                ..Contents::default()
            },
            ..Journal::default()
        };
        if let Some(place) = &options.journal {
            journal.why = journal.use_file(place).err();
        }
        journal
    }

    /// Keeps progress in a file, beginning with what is in it; the error says why not.
    fn use_file(&mut self, place: &JournalFile) -> Result<(), String> {
        let path = &place.path;
        let seal = Seal::open(&place.secrets).map_err(|error| error.to_string())?;
        let folder = path.parent().filter(|parent| *parent != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let lock = Lock::take(folder, &name).map_err(|error| error.to_string())?;
        let Some(lock) = lock else {
            let path = path.display();
            return Err(format!("another run keeps its progress in {path}"));
        };
        self._lock = Some(lock);
        let at = |error: io::Error| format!("{}: {error}", path.display());
        let earlier: Option<Contents> = match seal.read(path) {
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            earlier => earlier.map_err(at)?,
        };
        if let Some(earlier) = earlier.filter(|_| !place.fresh) {
            let materials = earlier.materials;
            let contents = Contents {
                materials: BTreeMap::new(),
                ..earlier
            };
            if contents == self.contents {
                self.contents.materials = materials;
            }
        }
        self.file = Some((path.clone(), seal));
        Ok(())
    }

    /// Whether there is or may be progress to keep.
    pub(super) fn keeps(&self) -> bool {
        self.file.is_some()
    }

    /// The state to continue from; a new one if the files have changed.
    pub(super) fn resume(&self, material: &str, files: Vec<String>) -> State {
        match self.contents.materials.get(material) {
            Some(state) if state.files == files => state.clone(),
            _ => State {
                material: material.to_owned(),
                files,
                ..State::default()
            },
        }
    }

    /// Saves a state, or tells why it cannot be saved.
    pub(super) fn save(&mut self, state: &State) -> Result<(), String> {
        self.contents
            .materials
            .insert(state.material.clone(), state.clone());
        let Some((path, seal)) = &self.file else {
            return self.why.take().map_or(Ok(()), Err);
        };
        let written = seal.write(path, &self.contents);
        let written = written.map_err(|error| format!("{}: {error}", path.display()));
        if written.is_err() {
            self.file = None;
        }
        written
    }

    /// Forgets some materials, so that a later run starts from the beginning.
    pub(super) fn forget(mut self, materials: impl Iterator<Item = String>) {
        for material in materials {
            self.contents.materials.remove(&material);
        }
        let Some((path, seal)) = &self.file else {
            return;
        };
        if self.contents.materials.is_empty() || seal.write(path, &self.contents).is_err() {
            remove(path);
        }
    }
}
