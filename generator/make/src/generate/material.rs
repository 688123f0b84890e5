//! Makes the files of one material: finds what is there, solves, packs and publishes.

mod find;
mod pack;

use std::fs;
use std::io;
use std::path::Path;

use retrograde_probe::whole::Stop;
use retrograde_probe::write::remove_partials;
use retrograde_probe::{Metric, ProbeError, Table, TableFault, game_folder, table_path};
use retrograde_rules::{Game, Material};

use super::successors::Successors;
use super::{
    GenerateError, GenerateObserver, GenerateOptions, Phase, SolveMode, TableOutcome, solve_mode,
};
use crate::plan::PlannedTable;
use find::{Files, find};
use retrograde_folder::{Lock, ReadError, Reader, open_needed};
use retrograde_solve::{Count, Solution, SolveError, solve, solve_counted, solve_in_slices};

/// Makes some metrics of one material, unless sound files of them exist; `None` if
/// another process is making them. Calls `begin` before doing anything that takes time.
pub(super) fn make(
    game: Game,
    (planned, metrics): (&PlannedTable, &[Metric]),
    options: &GenerateOptions,
    observer: &dyn GenerateObserver,
    begin: &dyn Fn(),
) -> Result<Option<TableOutcome>, GenerateError> {
    let mut folders = vec![options.out.as_path()];
    let others = options.tables.iter().map(|folder| folder.as_path());
    folders.extend(others.filter(|folder| *folder != options.out));
    let wanted = Wanted {
        game,
        planned,
        metrics,
        options,
        folders: &folders,
    };
    let kept = |bytes| {
        Ok(Some(TableOutcome {
            material: planned.material,
            kept: true,
            bytes,
            longest_depth: None,
            longest: None,
        }))
    };
    if let Files::Sound(bytes) = wanted.find(false, begin)? {
        return kept(bytes);
    }
    let folder = game_folder(&options.out, game);
    let Some(_lock) = Lock::take(&folder, &planned.name())? else {
        return Ok(None);
    };
    begin();
    // Another process may have made them just now.
    let missing = match wanted.clear(observer)? {
        Cleared::Sound(bytes) => return kept(bytes),
        Cleared::Missing(missing) => missing,
    };
    // Other processes may have taken memory since the plan was checked.
    let mode = solve_mode(planned, &missing, options)?;
    // The process that left partial files of this material held the lock, so it
    // is gone.
    let _ = remove_partials(&folder, game, &planned.material);

    let job = Job {
        game,
        planned,
        metrics: &missing,
        mode,
        folders: &folders,
        out: &options.out,
        observer,
    };
    job.run(options.limit)
}

/// The files that are wanted of a material.
struct Wanted<'a> {
    game: Game,
    planned: &'a PlannedTable,
    metrics: &'a [Metric],
    options: &'a GenerateOptions,
    /// The folders that they may be in.
    folders: &'a [&'a Path],
}

/// The files of a material once damaged ones are gone.
enum Cleared {
    /// Sound files, of so many bytes.
    Sound(u64),
    /// The metrics that have to be made.
    Missing(Vec<Metric>),
}

impl Wanted<'_> {
    fn find(&self, is_locked: bool, begin: &dyn Fn()) -> Result<Files, GenerateError> {
        let out = &self.options.out;
        if !self.options.force {
            let wanted = (self.planned, self.metrics);
            return find(self.game, wanted, self.folders, out, is_locked, begin);
        }
        // That a file cannot or must not be replaced is better found out before it is made.
        for &metric in self.metrics {
            let path = table_path(out, self.game, &self.planned.material, metric);
            if let Err(error) = Table::open(&path)
                && (path.is_dir() || matches!(error.fault, TableFault::NotATable))
            {
                return Err(error.into());
            }
        }
        Ok(Files::Missing(self.metrics.to_vec()))
    }

    /// Removes damaged files, which only the holder of the lock may.
    fn clear(&self, observer: &dyn GenerateObserver) -> Result<Cleared, GenerateError> {
        let mut missing = Vec::new();
        loop {
            match self.find(true, &|| ())? {
                Files::Sound(bytes) if missing.is_empty() => return Ok(Cleared::Sound(bytes)),
                Files::Sound(_) => break,
                Files::Missing(metrics) => {
                    missing.extend(metrics);
                    break;
                }
                Files::Damaged(metrics, path, why) => {
                    // It is made again even if there is a sound one in another folder.
                    missing.extend(metrics);
                    observer.replacing(&path, &why);
                    fs::remove_file(&path).map_err(|source| GenerateError::Io {
                        path,
                        action: "remove the damaged file",
                        source,
                    })?;
                }
            }
        }
        let wanted = self.metrics.iter().copied();
        Ok(Cleared::Missing(
            wanted.filter(|m| missing.contains(m)).collect(),
        ))
    }
}

/// A material to make.
pub(super) struct Job<'a> {
    pub(super) game: Game,
    pub(super) planned: &'a PlannedTable,
    /// The metrics to make.
    metrics: &'a [Metric],
    mode: SolveMode,
    /// The folders with the tables of successors.
    pub(super) folders: &'a [&'a Path],
    out: &'a Path,
    pub(super) observer: &'a dyn GenerateObserver,
}

impl Job<'_> {
    /// Solves the material and writes its files. `limit` is that of the fifty-move rule, if
    /// it is not that of the game.
    fn run(&self, limit: Option<u32>) -> Result<Option<TableOutcome>, GenerateError> {
        let game = self.game;
        let (requested, default): (Vec<Metric>, Vec<Metric>) = self
            .metrics
            .iter()
            .partition(|metric| Metric::on_request(game).contains(metric));
        let of = |metrics| Job { metrics, ..*self };
        let mut outcome = None;
        if !default.is_empty() {
            let job = of(&default);
            outcome = Some(match (game.vitality(), game.zeroing_limit()) {
                (Some(rules), _) => job.with_vitality(rules)?,
                (None, Some(usual)) => job.with_fifty_moves(limit.unwrap_or(usual))?,
                (None, None) => job.depths()?,
            });
        }
        if requested.contains(&Metric::Helpmate) {
            let made = of(&requested).helpmates()?;
            let bytes = outcome.as_ref().map_or(0, |outcome| outcome.bytes);
            outcome = Some(TableOutcome {
                bytes: bytes + made.bytes,
                ..outcome.unwrap_or(made)
            });
        }
        Ok(outcome)
    }

    /// Opens a table of a successor, which must exist.
    pub(super) fn open_needed(
        &self,
        material: &Material,
        metric: Metric,
    ) -> Result<Reader, ReadError> {
        open_needed(self.game, material, metric, self.folders)
    }

    /// Gives up if that is wanted, before anything is solved.
    pub(super) fn go_on(&self) -> Result<(), GenerateError> {
        match self.observer.interrupted() {
            true => Err(ProbeError::Stopped.into()),
            false => Ok(()),
        }
    }

    pub(super) fn solve_error(&self, source: impl Into<SolveError>) -> GenerateError {
        match source.into() {
            SolveError::Keep {
                folder,
                kind,
                message,
            } => GenerateError::Io {
                path: folder,
                action: "keep what is solved",
                source: io::Error::new(kind, message),
            },
            source => GenerateError::Solve {
                material: self.planned.name(),
                source,
            },
        }
    }

    /// The successors' tables of a metric. `stop` says whether to give up reading them.
    pub(super) fn successors<'s>(
        &'s self,
        metric: Metric,
        stop: Stop<'s>,
    ) -> Result<Successors<'s>, GenerateError> {
        let larger = (&self.planned.material, self.planned.needs.as_slice());
        let successors = Successors::new(self.game, larger, self.folders, metric, stop);
        match self.mode {
            _ if self.game.checks() > 0 => Ok(successors),
            SolveMode::AtOnce => successors.load_all(),
            SolveMode::InSlices { spare } => Ok(successors.keep(spare)),
        }
    }

    /// The plies that the solution is to count. The winner is found sooner without DTM, and needs
    /// no DTM of successors.
    fn count(&self) -> Result<Count, GenerateError> {
        if self.wants(Metric::Dtm) {
            return Ok(Count::ToMate);
        }
        Ok(Count::ToConversion {
            cursed: self.any_cursed()?,
        })
    }

    /// Solves the material: the depths, or who wins if nobody wants depths.
    pub(super) fn solve(&self) -> Result<Solution, GenerateError> {
        let (game, material) = (self.game, &self.planned.material);
        self.observer.phase(Phase::Reading);
        self.go_on()?;
        // Where they are read while solving, what has been solved is not thrown away.
        let stop = || self.mode == SolveMode::AtOnce && self.observer.interrupted();
        let count = self.count()?;
        let metric = match count {
            Count::ToMate => Metric::Dtm,
            Count::ToConversion { .. } => Metric::Wdl,
        };
        let successors = self.successors(metric, &stop)?;
        self.observer.phase(Phase::Solving);
        let find = |material: &Material| successors.find(material);
        let find_counted =
            |material: &Material, counters| successors.find_counted(material, counters);
        let in_slices = match self.mode {
            SolveMode::AtOnce => Ok(None),
            SolveMode::InSlices { .. } => {
                let folder = game_folder(self.out, game);
                solve_in_slices(game, material, count, &find, &folder)
            }
        };
        let solution = match in_slices {
            Ok(None) if game.checks() > 0 => solve_counted(game, material, count, &find_counted),
            Ok(None) => solve(game, material, count, &find),
            Ok(Some(solution)) => Ok(solution),
            Err(error) => Err(error),
        };
        // A table that could not be read may be the cause of another error.
        match successors.failure() {
            Some(error) => Err(error),
            None => solution.map_err(|error| self.solve_error(error)),
        }
    }

    /// Whether a metric is to be made.
    pub(super) fn wants(&self, metric: Metric) -> bool {
        self.metrics.contains(&metric)
    }
}
