//! The progress of an interrupted run, kept beside the tables until a run
//! completes.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use retrograde_probe::{Metric, game_folder};
use retrograde_rules::{Game, Material};
use serde::{Deserialize, Serialize};

use super::{MaterialReport, Wrong};
use retrograde_folder::{Lock, open_own, remove, replace};

/// The progress of a material.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct State {
    material: String,
    /// Of the files with the values of the material and its successors.
    checksums: Vec<u64>,
    /// How many indices are done, both sides to move together.
    pub(super) done: u64,
    pub(super) positions: u64,
    pub(super) wrong: u64,
    /// Whether a material of High Chess is finished.
    pub(super) settled: bool,
    /// Whether the helpmates of a material are finished.
    pub(super) helpmates: bool,
    /// The metrics whose statistics are wrong.
    statistics: Vec<String>,
    examples: Vec<(String, String, String, String)>,
}

impl State {
    /// The same material, with nothing done.
    pub(super) fn anew(self) -> State {
        State {
            material: self.material,
            checksums: self.checksums,
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

    pub(super) fn push(&mut self, wrong: &Wrong) {
        if self.examples.len() < super::MOST_EXAMPLES {
            let Wrong {
                fen,
                metric,
                stored,
                derived,
            } = wrong;
            self.examples.push((
                fen.clone(),
                metric.name().to_owned(),
                stored.clone(),
                derived.clone(),
            ));
        }
    }

    /// Adds what was found wrong in another table of the material.
    pub(super) fn add_wrong(&mut self, other: &State) {
        self.wrong += other.wrong;
        let room = super::MOST_EXAMPLES.saturating_sub(self.examples.len());
        self.examples
            .extend(other.examples.iter().take(room).cloned());
    }

    pub(super) fn report(&self, material: Material) -> MaterialReport {
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
            wrong: self.wrong,
            statistics: (self.statistics.iter())
                .filter_map(|name| Metric::parse(name))
                .collect(),
            examples: examples.collect(),
        }
    }
}

/// The file.
#[derive(Serialize, Deserialize)]
struct Contents {
    sample: Option<u64>,
    materials: BTreeMap<String, State>,
}

pub(super) struct Journal {
    path: Option<PathBuf>,
    contents: Contents,
    /// Why nothing is kept, until it has been reported.
    why: Option<String>,
    /// Held while this run keeps its progress.
    _lock: Option<Lock>,
}

impl Journal {
    /// The journal of an earlier run with the same options, or a new one. Only
    /// one run at a time keeps its progress in a folder.
    pub(super) fn open(game: Game, folders: &[&Path], sample: Option<u64>) -> Journal {
        let mut journal = Journal {
            path: None,
            contents: Contents {
                sample,
                materials: BTreeMap::new(),
            },
            why: None,
            _lock: None,
        };
        let folders = folders.iter().map(|folder| game_folder(folder, game));
        let Some(folder) = folders.into_iter().find(|folder| folder.is_dir()) else {
            return journal;
        };
        match Lock::take(&folder, "verify") {
            Err(error) => journal.why = Some(error.to_string()),
            Ok(None) => {
                let folder = folder.display();
                journal.why = Some(format!("another run keeps its progress in {folder}"));
            }
            Ok(lock) => {
                let path = folder.join(".verify.json");
                journal._lock = lock;
                match open_own(File::options().read(true), &path) {
                    Ok(file) => {
                        let earlier = serde_json::from_reader(BufReader::new(file)).ok();
                        if let Some(earlier) = earlier.filter(|c: &Contents| c.sample == sample) {
                            journal.contents = earlier;
                        }
                    }
                    Err(error) if error.kind() == ErrorKind::NotFound => {}
                    Err(error) => {
                        journal.why = Some(format!("{}: {error}", path.display()));
                        return journal;
                    }
                }
                journal.path = Some(path);
            }
        }
        journal
    }

    /// The state to continue from; a new one if the files have changed.
    pub(super) fn resume(&self, material: &Material, checksums: Vec<u64>) -> State {
        let name = material.to_string();
        match self.contents.materials.get(&name) {
            Some(state) if state.checksums == checksums => state.clone(),
            _ => State {
                material: name,
                checksums,
                ..State::default()
            },
        }
    }

    /// Saves a state, or tells why it cannot be saved.
    pub(super) fn save(&mut self, state: &State) -> Result<(), String> {
        self.contents
            .materials
            .insert(state.material.clone(), state.clone());
        let Some(path) = &self.path else {
            return self.why.take().map_or(Ok(()), Err);
        };
        let written = replace(path, |file| {
            Ok(serde_json::to_writer(file, &self.contents)?)
        });
        match written {
            Ok(()) => Ok(()),
            Err(error) => {
                let why = format!("{}: {error}", path.display());
                self.path = None;
                Err(why)
            }
        }
    }

    /// Removes the journal, so that a later run starts from the beginning.
    pub(super) fn remove(self) {
        if let Some(path) = self.path {
            remove(&path);
        }
    }
}
