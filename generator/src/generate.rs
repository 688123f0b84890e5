//! Making tables: what is missing is solved and written, successors
//! first; what is there and sound is kept.

mod depths;
mod fifty_moves;
mod high_chess;
mod load;
mod make;

use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use retrograde_folder::{LockError, free_memory, is_exhausted};
use retrograde_probe::write::WriteError;
use retrograde_probe::{Metric, TableError};
use retrograde_rules::{Game, Material};
use retrograde_solve::{Longest, SolveError};
use thiserror::Error;

use crate::plan::{Plan, PlannedTable};

/// Where tables are read and written, and within which limits.
#[derive(Clone, Debug, Default)]
pub struct GenerateOptions {
    /// The table folder that is written to; it is also read.
    pub out: PathBuf,
    /// Further table folders that are read, in order.
    pub tables: Vec<PathBuf>,
    /// The most bytes of memory to use; what is free if not given.
    pub memory: Option<u64>,
    /// Make every table of the plan anew, even where sound ones are there.
    pub force: bool,
    /// The plies that a real win may take to its next zeroing move, in place
    /// of [`Game::zeroing_limit`]. The files do not say it, so anything else
    /// is for tests.
    pub limit: Option<u32>,
}

/// A step in the making of one table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Another process is making this table, and nothing else can be made
    /// before it: it is waited for.
    Waiting,
    /// The tables of successors are read.
    Reading,
    /// The material is solved.
    Solving,
    /// The fifty-move rule is counted.
    Zeroing,
    /// A metric is packed and written.
    Writing(Metric),
}

/// What became of one planned table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableOutcome {
    /// The material.
    pub material: Material,
    /// Whether sound files were there already.
    pub kept: bool,
    /// Bytes of its files.
    pub bytes: u64,
    /// The ply of the longest_win position; `None` if the files were kept, and in
    /// games whose tables have no depth.
    pub longest_win: Option<usize>,
    /// The longest distances to a zeroing move; `None` if the files were kept,
    /// and in games that do not count them.
    pub longest: Option<Longest>,
}

/// Follows the work and may end it. Called from one thread but for
/// [`GenerateObserver::progress`] and [`GenerateObserver::interrupted`].
pub trait GenerateObserver: Sync {
    /// Table number `place` (from 0) of `of` is next; again if it was waited
    /// for.
    fn begin(&self, _place: usize, _of: usize, _table: &PlannedTable) {}
    /// The current table goes into a new phase.
    fn phase(&self, _phase: Phase) {}
    /// So much of the phase is done.
    fn progress(&self, _done: u64, _total: u64) {}
    /// A file that is not sound is about to be made anew.
    fn replacing(&self, _path: &Path, _why: &str) {}
    /// The current table is done.
    fn end(&self, _outcome: &TableOutcome) {}
    /// Asked between tables and while waiting: whether to stop there.
    fn interrupted(&self) -> bool {
        false
    }
}

/// Looks away.
impl GenerateObserver for () {}

/// What was done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// One for every planned table that was reached.
    pub outcomes: Vec<TableOutcome>,
    /// Whether the observer stopped the work before its end.
    pub interrupted: bool,
}

/// Why tables could not be made.
#[derive(Debug, Error)]
pub enum GenerateError {
    /// The material could not be solved.
    #[error("{material}: {source}")]
    Solve {
        /// The material.
        material: Material,
        /// Why.
        source: SolveError,
    },
    /// A smaller table is not in any folder.
    #[error("{0} of {1} is needed first, and there is no table of it")]
    Missing(Material, String),
    /// A file is damaged, or is not what its name says.
    #[error(transparent)]
    Table(#[from] TableError),
    /// A file could not be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A folder or lock could not be used.
    #[error("{}: could not {action}: {source}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried.
        action: &'static str,
        /// What went wrong.
        source: io::Error,
    },
    /// See [`LockError`].
    #[error(transparent)]
    Lock(#[from] LockError),
    /// There is not enough memory.
    #[error(
        "{material} takes {} MiB of memory, and {} MiB are {}",
        .needed >> 20, .limit >> 20,
        if *.given { "allowed" } else { "free" }
    )]
    Memory {
        /// The material.
        material: Material,
        /// Bytes that it takes.
        needed: u64,
        /// Bytes that there are.
        limit: u64,
        /// Whether the limit was given.
        given: bool,
    },
}

impl GenerateError {
    /// Whether memory or disk ran out.
    pub fn is_exhausted(&self) -> bool {
        match self {
            GenerateError::Memory { .. } => true,
            GenerateError::Io { source, .. }
            | GenerateError::Lock(LockError { source, .. })
            | GenerateError::Write(WriteError::Io { source, .. }) => is_exhausted(source),
            _ => false,
        }
    }
}

/// How long to wait before another look at what other processes make.
const LOOK_AGAIN: Duration = Duration::from_millis(100);

/// Makes the tables of a plan that are missing. Runs in the current rayon
/// pool; the files do not depend on the number of threads. What another
/// process is making is left to it, and waited for only when nothing else can
/// be made.
///
/// # Errors
/// See [`GenerateError`]. Tables that were finished before stay.
pub fn generate(
    game: Game,
    plan: &Plan,
    options: &GenerateOptions,
    observer: &dyn GenerateObserver,
) -> Result<Summary, GenerateError> {
    check_memory(plan.tables(), options)?;
    let tables = plan.tables();
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
            if let Some(outcome) = make::make(game, &tables[place], options, observer, &begin)? {
                made = Some((place, outcome));
                break;
            }
        }
        let Some((place, outcome)) = made else {
            // The first of those left needs none of them: it is being made.
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

/// Refuses tables before anything is done if the largest does not fit.
fn check_memory<'a>(
    tables: impl IntoIterator<Item = &'a PlannedTable>,
    options: &GenerateOptions,
) -> Result<(), GenerateError> {
    let given = options.memory.is_some();
    let limit = options.memory.unwrap_or_else(free_memory);
    match tables.into_iter().max_by_key(|t| t.memory_bytes) {
        Some(table) if table.memory_bytes > limit => Err(GenerateError::Memory {
            material: table.material,
            needed: table.memory_bytes,
            limit,
            given,
        }),
        _ => Ok(()),
    }
}
