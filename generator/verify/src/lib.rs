//! Proves tables: derives each value again from the rules and compares it with what is stored.
//!
//! Every position's value is derived from the rules and the values one ply further on.
//!
//! Depths that agree everywhere with those of the next positions are right: by
//! induction over the plies, wins and losses are exactly those that can be forced,
//! and from a draw some move keeps the draw. The same holds for WDL and DTZ with
//! the fifty-move rule (O4), by induction over zeroing moves and then over plies.
//! Help-mates are cooperative, so sets of positions that lead only to each other would
//! agree as well: there every stored mate is also reached from a mate.
//! The code shares with the solver only the rules, the index and the reader.

mod distances;
mod helpmate;
mod journal;
mod placements;
mod statistics;
mod traversal;
mod values;
mod vitality;

use std::path::{Path, PathBuf};

use retrograde_probe::whole::Stop;
use retrograde_probe::{Metric, ProbeError, TableError, Tablebase, whole};
use retrograde_rules::{Colour, Game, Material};
use thiserror::Error;

use journal::Journal;
pub use journal::JournalFile;
use placements::successors;
use retrograde_folder::{FileHashes, ReadError, bytes, free_memory, open};

/// The options of [`verify`]: the tables to prove, and how thoroughly.
#[derive(Clone, Debug, Default)]
pub struct VerifyOptions {
    /// The table folders, in order of search.
    pub tables: Vec<PathBuf>,
    /// Verify this many indices of each material instead of all. They are picked
    /// evenly at random, but always the same.
    pub sample: Option<u64>,
    /// The limit of the fifty-move rule in plies, in place of
    /// [`Game::zeroing_limit`]: for tables that tests have made with it.
    pub limit: Option<u32>,
    /// The bytes that unpacked values may take; by default most of the free
    /// memory. What does not fit is looked up block by block, which is slower. With
    /// vitality, and for helpmates, a material must fit if all its positions are to be
    /// proved.
    pub memory: Option<u64>,
    /// The files that keep progress; by default none.
    pub journal: Option<JournalFile>,
}

impl VerifyOptions {
    /// The bytes that unpacked values may take.
    fn memory(&self) -> u64 {
        self.memory.unwrap_or_else(|| free_memory() / 10 * 9)
    }
}

/// A stored value that does not follow from the rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The position.
    pub fen: String,
    /// The metric that is wrong.
    pub metric: Metric,
    /// The value in the table, in words.
    pub stored: String,
    /// The value that follows from the rules, in words.
    pub derived: String,
}

/// The verdict on one material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MaterialReport {
    /// The material.
    pub material: Material,
    /// The number of positions that were derived, including those of interrupted earlier
    /// runs.
    pub positions: u64,
    /// The number of positions that earlier runs have derived.
    pub resumed: u64,
    /// The number of wrong values; a position has one of each metric.
    pub wrong: u64,
    /// The metrics whose files keep statistics that are not those of their values.
    pub statistics: Vec<Metric>,
    /// The first wrong ones, at most [`MOST_EXAMPLES`].
    pub examples: Vec<Wrong>,
}

impl MaterialReport {
    /// Whether nothing is wrong.
    pub fn is_sound(&self) -> bool {
        self.wrong == 0 && self.statistics.is_empty()
    }
}

/// The most wrong positions of a material that are listed.
pub const MOST_EXAMPLES: usize = 10;

/// The findings of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VerifyReport {
    /// The reports on the materials that were finished.
    pub materials: Vec<MaterialReport>,
    /// Whether the observer stopped the work; the next run continues.
    pub interrupted: bool,
}

impl VerifyReport {
    /// Whether every value that was derived agrees, and the statistics of all.
    pub fn is_sound(&self) -> bool {
        self.materials.iter().all(MaterialReport::is_sound)
    }

    /// The number of positions that were derived.
    pub fn positions(&self) -> u64 {
        self.materials.iter().map(|m| m.positions).sum()
    }

    /// The number of positions that earlier runs have derived.
    pub fn resumed(&self) -> u64 {
        self.materials.iter().map(|m| m.resumed).sum()
    }
}

/// Follows the work and may end it.
pub trait VerifyObserver: Sync {
    /// Material `place` (from 0) of `of` is next.
    fn begin(&self, _place: usize, _of: usize, _material: &Material) {}
    /// `done` of `total` indices of the material are done.
    fn progress(&self, _done: u64, _total: u64) {}
    /// The current material is done.
    fn end(&self, _report: &MaterialReport) {}
    /// Progress cannot be kept, so an interrupted run would start again.
    fn not_resumable(&self, _why: &str) {}
    /// Whether to stop; asked several times a second.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Ignores everything.
impl VerifyObserver for () {}

/// The errors of verifying tables.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// A file is damaged, or is not what its name says.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table is missing, or one that another rests on is another one.
    #[error(transparent)]
    Ground(#[from] retrograde_probe::ProbeError),
    /// A material is too large for a proof of all its positions that has to be in memory as
    /// a whole: of games with vitality, or of helpmates.
    #[error(
        "proving {material} as a whole needs {} of memory, but only {} may be used",
        bytes(*.needed), bytes(*.limit)
    )]
    Memory {
        /// The material.
        material: String,
        /// The number of bytes that it takes.
        needed: u64,
        /// The number of bytes that may be used: those that are free, unless the options say.
        limit: u64,
    },
    /// The material has no index.
    #[error(transparent)]
    Index(#[from] retrograde_probe::IndexError),
}

impl From<ReadError> for VerifyError {
    fn from(error: ReadError) -> VerifyError {
        match error {
            ReadError::Table(error) => VerifyError::Table(error),
            ReadError::Ground(error) => VerifyError::Ground(error),
        }
    }
}

/// Verifies the tables of the given materials, in this order. Runs in the current
/// rayon pool. Nothing beside the tables is believed; progress is kept where the options
/// say, so that an interrupted run can be continued.
///
/// # Errors
/// A table is missing, foreign or damaged. Wrong values are not an error; they are
/// in the [`VerifyReport`].
pub fn verify(
    game: Game,
    materials: &[Material],
    options: &VerifyOptions,
    observer: &dyn VerifyObserver,
) -> Result<VerifyReport, VerifyError> {
    let folders: Vec<&Path> = options.tables.iter().map(PathBuf::as_path).collect();
    let mut journal = Journal::open(game, options);
    let mut hashes = FileHashes::default();
    let mut report = VerifyReport::default();
    for (place, material) in materials.iter().enumerate() {
        let mut done = None;
        if !observer.interrupted() {
            observer.begin(place, materials.len(), material);
            let (journal, hashes) = (&mut journal, &mut hashes);
            done = verify_material(game, material, &folders, options, journal, hashes, observer)?;
        }
        let Some(done) = done else {
            report.interrupted = true;
            return Ok(report);
        };
        observer.end(&done);
        report.materials.push(done);
    }
    journal.forget(materials.iter().map(|material| material.name(game)));
    Ok(report)
}

/// Verifies the tables of one material; `None` if the observer stopped the work.
fn verify_material(
    game: Game,
    material: &Material,
    folders: &[&Path],
    options: &VerifyOptions,
    journal: &mut Journal,
    hashes: &mut FileHashes,
    observer: &dyn VerifyObserver,
) -> Result<Option<MaterialReport>, VerifyError> {
    let tables = Tablebase::open(game, folders)?;
    for metric in Metric::known(game) {
        whole::check_usable(&tables, material, metric)?;
    }
    let helpmates = helpmate::HelpmateProof::open(game, material, folders, options)?;
    let proof = match helpmates.is_some() && !any_default(game, material, folders)? {
        true => None,
        false => {
            let stop = || observer.interrupted();
            match Proof::open(game, material, folders, options, &stop) {
                Err(VerifyError::Ground(ProbeError::Stopped)) => return Ok(None),
                proof => Some(proof?),
            }
        }
    };
    let files = match journal.keeps() {
        true => {
            let materials = [*material].into_iter().chain(successors(game, material));
            let metrics = |material| Metric::known(game).map(move |metric| (material, metric));
            hashes.of(game, materials.flat_map(metrics), folders)?
        }
        false => Vec::new(),
    };
    let mut state = journal.resume(&material.name(game), files);
    let resumed = state.positions;
    let mut finished = true;
    let mut save = |state: &journal::State| {
        if let Err(why) = journal.save(state) {
            observer.not_resumable(&why);
        }
    };
    if let Some(proof) = &proof {
        (state, finished) = proof.verify(state, options.sample, observer, &mut save)?;
        save(&state);
    }
    if let Some(helpmates) = helpmates.filter(|_| finished && !state.helpmates) {
        let (found, all) = helpmates.verify(options.sample, observer)?;
        finished = all;
        if finished {
            state.add_wrong(&found);
            // Each position counts once, whatever is derived of it.
            state.positions += if proof.is_none() { found.positions } else { 0 };
            state.helpmates = true;
            save(&state);
        }
    }
    if !finished {
        return Ok(None);
    }
    if options.sample.is_none() {
        // What no value depends on is right, too.
        for metric in Metric::known(game) {
            if let Some(table) = open(game, material, metric, folders.iter().copied())? {
                table.check_bytes()?;
            }
        }
    }
    Ok(Some(state.report(*material, resumed.min(state.positions))))
}

/// Whether there is a table of a metric that is made by default.
fn any_default(game: Game, material: &Material, folders: &[&Path]) -> Result<bool, TableError> {
    for &metric in Metric::of(game) {
        if open(game, material, metric, folders.iter().copied())?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// A material to verify, by the kind of its values.
enum Proof {
    Plain(Box<distances::ScoreProof>),
    Counters(Box<vitality::VitalityProof<{ vitality::SMALL }>>),
    LargeCounters(Box<vitality::VitalityProof<{ vitality::LARGE }>>),
}

impl Proof {
    /// Opens the tables that are made by default; gives up if `stop` says so.
    fn open(
        game: Game,
        material: &Material,
        folders: &[&Path],
        options: &VerifyOptions,
        stop: Stop<'_>,
    ) -> Result<Proof, VerifyError> {
        Ok(match game.vitality() {
            Some(rules) => {
                use vitality::VitalityProof;
                match rules.counters().count(Colour::Black) < vitality::SMALL {
                    true => Proof::Counters(Box::new(VitalityProof::open(
                        game, rules, material, folders, options,
                    )?)),
                    false => Proof::LargeCounters(Box::new(VitalityProof::open(
                        game, rules, material, folders, options,
                    )?)),
                }
            }
            None => {
                let proof = distances::ScoreProof::open(game, material, folders, options, stop)?;
                Proof::Plain(Box::new(proof))
            }
        })
    }

    fn verify(
        &self,
        state: journal::State,
        sample: Option<u64>,
        observer: &dyn VerifyObserver,
        save: &mut dyn FnMut(&journal::State),
    ) -> Result<(journal::State, bool), VerifyError> {
        match self {
            Proof::Plain(proof) => proof.verify(state, sample, observer, save),
            Proof::Counters(proof) => proof.verify(state, sample, observer, save),
            Proof::LargeCounters(proof) => proof.verify(state, sample, observer, save),
        }
    }
}
