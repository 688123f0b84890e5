//! Makes all tables of a plan: solves and writes missing ones, successors first; keeps sound ones.

mod depths;
mod fifty_moves;
mod helpmates;
mod material;
mod successors;
mod vitality;

use std::io;
use std::path::{Path, PathBuf};

use retrograde_folder::{
    LockError, ReadError, address_space_left, bytes, free_memory, is_exhausted,
};
use retrograde_probe::write::WriteError;
use retrograde_probe::{Metric, ProbeError, TableError, game_folder, table_path};
use retrograde_rules::{Game, Material};
use retrograde_solve::{Longest, SolveError};
use thiserror::Error;

use crate::LOOK_AGAIN;
use crate::leftovers::remove_leftovers;
use crate::plan::{Plan, PlannedTable};

/// The options of [`generate`]: the folders to read and write, and the limits on that.
#[derive(Clone, Debug, Default)]
pub struct GenerateOptions {
    /// The table folder that is written to; it is also read.
    pub out: PathBuf,
    /// Further table folders that are read, in order.
    pub tables: Vec<PathBuf>,
    /// The most bytes of memory to use; by default what is free.
    pub memory: Option<u64>,
    /// Make every table of the plan again, even if it exists and is sound.
    pub force: bool,
    /// The metrics to make, [on request](Metric::on_request) too; by default those of
    /// [`Metric::of`]. What solving other tables of the plan takes is made as well.
    pub metrics: Option<Vec<Metric>>,
    /// The limit of the fifty-move rule in plies, in place of
    /// [`Game::zeroing_limit`]. The files do not record it, so this is for tests
    /// only.
    pub limit: Option<u32>,
}

/// A step in making one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Waiting for another process, which is making this table; nothing else can
    /// be made before it.
    Waiting,
    /// Reading the tables of successors.
    Reading,
    /// Solving the material.
    Solving,
    /// Solving it again with the fifty-move rule.
    Zeroing,
    /// Packing and writing a metric.
    Writing(Metric),
}

/// The outcome of one planned table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOutcome {
    /// The material.
    pub material: Material,
    /// Whether sound files existed already.
    pub kept: bool,
    /// The size in bytes of the files that were made; if all were kept, of the kept ones.
    pub bytes: u64,
    /// The plies of the longest win or loss; `None` if no DTM was made.
    pub longest_depth: Option<usize>,
    /// The longest distances to a zeroing move; `None` if the files were kept,
    /// and in games that do not count them.
    pub longest: Option<Longest>,
}

/// Follows the work and may end it. Called from one thread, except
/// [`GenerateObserver::progress`] and [`GenerateObserver::interrupted`].
pub trait GenerateObserver: Sync {
    /// Table `place` (from 0) of `of` is next; called again after waiting for
    /// another process.
    fn begin(&self, _place: usize, _of: usize, _table: &PlannedTable) {}
    /// The current table enters a phase.
    fn phase(&self, _phase: Phase) {}
    /// `done` of `total` of the phase is done.
    fn progress(&self, _done: u64, _total: u64) {}
    /// A damaged file is about to be made again.
    fn replacing(&self, _path: &Path, _why: &str) {}
    /// The current table is done.
    fn end(&self, _outcome: &TableOutcome) {}
    /// Whether to stop; asked between tables, while waiting, and while the tables of
    /// successors are read.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Ignores everything.
impl GenerateObserver for () {}

/// A summary of the work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The outcomes, one for each planned table that was reached.
    pub outcomes: Vec<TableOutcome>,
    /// Whether the observer stopped the work early.
    pub interrupted: bool,
}

/// The errors of making tables.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The material could not be solved.
    #[error("{material}: {source}")]
    Solve {
        /// The material.
        material: String,
        /// Why.
        source: SolveError,
    },
    /// A file is damaged, or is not what its name says.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A table that another depends on is missing, or is another one.
    #[error(transparent)]
    Ground(#[from] ProbeError),
    /// A file could not be written.
    #[error(transparent)]
    Write(WriteError),
    /// A folder or lock could not be used.
    #[error("{}: could not {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The action that failed, in words.
        action: &'static str,
        /// The error of the system.
        source: io::Error,
    },
    /// See [`LockError`].
    #[error(transparent)]
    Lock(#[from] LockError),
    /// There is too little memory.
    #[error(
        "{material} needs {} of memory, but only {} is {}",
        bytes(*.needed), bytes(*.limit),
        if *.given { "allowed" } else { "free" }
    )]
    Memory {
        /// The material.
        material: String,
        /// The bytes that the table takes.
        needed: u64,
        /// The bytes that are free or allowed.
        limit: u64,
        /// Whether the limit was given as an option.
        given: bool,
    },
}

impl From<WriteError> for GenerateError {
    fn from(error: WriteError) -> GenerateError {
        match error {
            WriteError::Ground(error) => GenerateError::Ground(error),
            error => GenerateError::Write(error),
        }
    }
}

impl From<ReadError> for GenerateError {
    fn from(error: ReadError) -> GenerateError {
        match error {
            ReadError::Table(error) => GenerateError::Table(error),
            ReadError::Ground(error) => GenerateError::Ground(error),
        }
    }
}

impl GenerateError {
    /// Whether memory or disk ran out.
    pub fn is_exhausted(&self) -> bool {
        match self {
            GenerateError::Memory { .. } => true,
            _ => self.io_error().is_some_and(is_exhausted),
        }
    }

    /// The error of the system, if a file or folder could not be written or locked.
    pub fn io_error(&self) -> Option<&io::Error> {
        match self {
            GenerateError::Io { source, .. }
            | GenerateError::Lock(LockError { source, .. })
            | GenerateError::Write(WriteError::Io { source, .. }) => Some(source),
            _ => None,
        }
    }
}

/// Makes the tables of a plan that are missing. Runs in the current rayon pool;
/// the files do not depend on the number of threads. Tables that another process
/// is making are left to it, and waited for only when nothing else can be made.
///
/// # Errors
/// See [`GenerateError`]. Tables finished before the error remain.
pub fn generate(
    game: Game,
    plan: &Plan,
    options: &GenerateOptions,
    observer: &dyn GenerateObserver,
) -> Result<Summary, GenerateError> {
    let tables = plan.tables();
    check_memory(plan, options)?;
    remove_leftovers(&game_folder(&options.out, game), game);
    let begin = |place: usize| observer.begin(place, tables.len(), &tables[place]);
    let mut summary = Summary::default();
    let mut left: Vec<usize> = (0..tables.len()).collect();
    let mut waiting = false;
    while let Some(&first) = left.first() {
        let is_left = |material: &Material| left.iter().any(|&n| tables[n].material == *material);
        let mut made = None;
        for &place in left
            .iter()
            .filter(|&&n| !tables[n].needs.iter().any(is_left))
        {
            if observer.interrupted() {
                summary.interrupted = true;
                return Ok(summary);
            }
            let begin = || begin(place);
            let metrics = metrics_of(plan, &tables[place], options);
            match material::make(game, (&tables[place], &metrics), options, observer, &begin) {
                Ok(None) => {}
                Ok(Some(outcome)) => {
                    made = Some((place, outcome));
                    break;
                }
                Err(GenerateError::Ground(ProbeError::Stopped)) => {
                    summary.interrupted = true;
                    return Ok(summary);
                }
                Err(error) => return Err(error),
            }
        }
        let Some((place, outcome)) = made else {
            // The first of those left needs none of the others, so it is being made.
            if !waiting {
                begin(first);
                observer.phase(Phase::Waiting);
            }
            waiting = true;
            std::thread::sleep(LOOK_AGAIN);
            continue;
        };
        observer.end(&outcome);
        summary.outcomes.push(outcome);
        left.retain(|&n| n != place);
        waiting = false;
    }
    Ok(summary)
}

/// The metrics of a table of a plan that are to be made, in the order of
/// [`Metric::known`].
fn metrics_of(plan: &Plan, table: &PlannedTable, options: &GenerateOptions) -> Vec<Metric> {
    let Some(wanted) = &options.metrics else {
        return Metric::of(plan.game()).to_vec();
    };
    let is_needed = plan
        .tables()
        .iter()
        .any(|other| other.needs.contains(&table.material));
    let taken = match is_needed {
        true => taken(plan.game(), wanted),
        false => Vec::new(),
    };
    Metric::known(plan.game())
        .filter(|metric| wanted.contains(metric) || taken.contains(metric))
        .collect()
}

/// The metrics of its successors that making some metrics of a material takes. Those on
/// request take no others, and others do not take them.
fn taken(game: Game, wanted: &[Metric]) -> Vec<Metric> {
    let default = Metric::of(game);
    let wants = |metric: &Metric| wanted.contains(metric);
    match game.vitality() {
        Some(_) if default.iter().any(wants) => default.to_vec(),
        Some(_) => Vec::new(),
        // WDL and DTZ rest on WDL. But if there is to be DTM, it says who wins; with the
        // fifty-move rule, WDL is asked too.
        None => {
            let others = default.iter().any(|m| *m != Metric::Dtm && wants(m));
            let wdl = match wants(&Metric::Dtm) {
                true => others && game.zeroing_limit().is_some(),
                false => others,
            };
            let taken = [(Metric::Wdl, wdl), (Metric::Dtm, wants(&Metric::Dtm))];
            taken.into_iter().filter(|t| t.1).map(|t| t.0).collect()
        }
    }
}

/// Whether any file of a table of a plan is missing, or made again anyway. What is there
/// takes no memory, and a larger machine may have made it; if it turns out to be damaged,
/// memory is checked again.
fn is_absent(plan: &Plan, table: &PlannedTable, options: &GenerateOptions) -> bool {
    let folders = || [&options.out].into_iter().chain(&options.tables);
    options.force
        || metrics_of(plan, table, options).iter().any(|&metric| {
            let path = |folder| table_path(folder, plan.game(), &table.material, metric);
            !folders().any(|folder| path(folder).exists())
        })
}

/// Refuses the tables before any work is done if the largest does not fit.
fn check_memory(plan: &Plan, options: &GenerateOptions) -> Result<(), GenerateError> {
    let absent = |table: &&PlannedTable| is_absent(plan, table, options);
    let tables = plan.tables().iter().filter(absent);
    let needed = |table: &&PlannedTable| least_memory(table, &metrics_of(plan, table, options));
    match tables.max_by_key(needed) {
        Some(table) => solve_mode(table, &metrics_of(plan, table, options), options).map(|_| ()),
        None => Ok(()),
    }
}

/// The way in which a material is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SolveMode {
    /// The whole material is in memory.
    AtOnce,
    /// One slice is in memory at a time, which takes longer.
    InSlices {
        /// The bytes of memory that are left for successors that are needed again.
        spare: u64,
    },
}

/// The way to make some metrics of a table in the memory that there is.
fn solve_mode(
    table: &PlannedTable,
    metrics: &[Metric],
    options: &GenerateOptions,
) -> Result<SolveMode, GenerateError> {
    let addresses = address_space_left();
    let given = options.memory.is_some_and(|memory| memory <= addresses);
    let limit = options.memory.unwrap_or_else(free_memory).min(addresses);
    let needed = least_memory(table, metrics);
    // Finished slices are mapped. They give way where memory is short, but take addresses.
    let addressed = needed.saturating_add(kept_bytes(table));
    match table.memory_bytes <= limit {
        true => Ok(SolveMode::AtOnce),
        false if needed <= limit && addressed <= addresses => Ok(SolveMode::InSlices {
            spare: (limit - needed).min(addresses - addressed),
        }),
        // It is the addresses that are short.
        false if needed <= limit => Err(GenerateError::Memory {
            material: table.name(),
            needed: addressed,
            limit: addresses,
            given: false,
        }),
        false => Err(GenerateError::Memory {
            material: table.name(),
            needed,
            limit,
            given,
        }),
    }
}

/// About how many bytes of a table are kept in a file while it is made in slices.
fn kept_bytes(table: &PlannedTable) -> u64 {
    let mut pieces = table.material.pieces();
    let has_identical_pieces = pieces.any(|piece| table.material.count(piece) > 1);
    table
        .positions
        .saturating_mul(if has_identical_pieces { 4 } else { 2 })
}

/// The least memory in which some metrics of a table can be made.
fn least_memory(table: &PlannedTable, metrics: &[Metric]) -> u64 {
    match metrics.contains(&Metric::Helpmate) {
        true => table.memory_bytes,
        false => table.least_memory_bytes,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "tests may panic")]
mod tests;
