//! Making the files of one material.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_probe::index::Group;
use retrograde_probe::write::{self, Pending, Watch, remove_partials};
use retrograde_probe::{
    Index, Metric, ProbeError, Stop, Table, TableFault, game_folder, table_path,
};
use retrograde_rules::{Colour, Game, Material, Piece};

use super::load::Successors;
use super::{
    GenerateError, GenerateObserver, GenerateOptions, Phase, SolveMode, TableOutcome, solve_mode,
};
use crate::packing::Packing;
use crate::plan::PlannedTable;
use retrograde_folder::{Lock, ReadError, Reader, check_bytes, open, open_needed};
use retrograde_solve::{Count, Solution, SolveError, solve, solve_in_slices};

/// Makes some metrics of one material, unless sound files of them exist; `None` if
/// another process is making them. Calls `begin` before doing anything that takes time.
pub(super) fn make(
    game: Game,
    (planned, metrics): (&PlannedTable, &[Metric]),
    options: &GenerateOptions,
    observer: &dyn GenerateObserver,
    begin: &dyn Fn(),
) -> Result<Option<TableOutcome>, GenerateError> {
    let material = planned.material;
    let mut folders = vec![options.out.as_path()];
    let others = options.tables.iter().map(|folder| folder.as_path());
    folders.extend(others.filter(|folder| *folder != options.out));
    let find = |is_locked, begin: &dyn Fn()| match options.force {
        true => {
            // That a file cannot or must not be replaced is better found out before it is made.
            for &metric in metrics {
                let path = table_path(&options.out, game, &material, metric);
                if let Err(error) = Table::open(&path)
                    && (path.is_dir() || matches!(error.fault, TableFault::NotATable))
                {
                    return Err(error.into());
                }
            }
            Ok(Files::Missing(metrics.to_vec()))
        }
        false => find(
            game,
            (planned, metrics),
            &folders,
            &options.out,
            is_locked,
            begin,
        ),
    };
    let kept = |bytes| {
        Ok(Some(TableOutcome {
            material,
            kept: true,
            bytes,
            longest_depth: None,
            longest: None,
        }))
    };
    let folder = game_folder(&options.out, game);
    if let Files::Sound(bytes) = find(false, begin)? {
        return kept(bytes);
    }
    let Some(_lock) = Lock::take(&folder, &material.to_string())? else {
        return Ok(None);
    };
    begin();
    // Another process may have made them just now. Only the holder of the lock
    // may remove damaged files.
    let mut missing = Vec::new();
    loop {
        match find(true, &|| ())? {
            Files::Sound(bytes) if missing.is_empty() => return kept(bytes),
            Files::Sound(_) => break,
            Files::Missing(metrics) => {
                missing.extend(metrics);
                break;
            }
            Files::Damaged(metric, path, why) => {
                // It is made again even if there is a sound one in another folder.
                missing.push(metric);
                observer.replacing(&path, &why);
                fs::remove_file(&path).map_err(|source| GenerateError::Io {
                    path,
                    action: "remove the damaged file",
                    source,
                })?;
            }
        }
    }
    let missing: Vec<Metric> = metrics
        .iter()
        .copied()
        .filter(|m| missing.contains(m))
        .collect();
    // Other processes may have taken memory since the plan was checked.
    let mode = solve_mode(planned, &missing, options)?;
    // The process that left partial files of this material held the lock, so it
    // is gone.
    let _ = remove_partials(&folder, &material);

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

/// A material to make.
pub(super) struct Job<'a> {
    pub(super) game: Game,
    pub(super) planned: &'a PlannedTable,
    /// The metrics to make.
    metrics: &'a [Metric],
    mode: SolveMode,
    /// Where the tables of successors are.
    pub(super) folders: &'a [&'a Path],
    out: &'a Path,
    pub(super) observer: &'a dyn GenerateObserver,
}

/// The files of a material.
enum Files {
    /// Every metric exists and is sound: the size in bytes.
    Sound(u64),
    /// These are missing; the others exist and are sound.
    Missing(Vec<Metric>),
    /// One in the output folder is damaged, for this reason, and will be made
    /// again. Elsewhere that is an error, and so is a file that is not a table of
    /// this material at all.
    Damaged(Metric, PathBuf, String),
}

/// Looks for the files of a material; calls `begin` before reading them whole, which is done if
/// the lock is held or none is missing.
fn find(
    game: Game,
    (planned, metrics): (&PlannedTable, &[Metric]),
    folders: &[&Path],
    out: &Path,
    is_locked: bool,
    begin: &dyn Fn(),
) -> Result<Files, GenerateError> {
    let mut tables: Vec<Reader> = Vec::new();
    let mut problem = None;
    for &metric in metrics {
        match open(game, &planned.material, metric, folders.iter().copied()) {
            Ok(table) => tables.extend(table),
            // Even if another metric is missing: a file that must not be replaced
            // stays an error.
            Err(error) => problem = problem.or(Some((metric, error))),
        }
    }
    let is_there = |metric| tables.iter().any(|table| table.header().metric == metric);
    let mut missing = metrics.to_vec();
    missing.retain(|&metric| !is_there(metric));
    if problem.is_none() && !tables.is_empty() && (is_locked || missing.is_empty()) {
        begin();
        problem = tables.iter().find_map(|table| {
            let error = check_bytes(table).err()?;
            Some((table.header().metric, error))
        });
    }
    let Some((metric, problem)) = problem else {
        if !missing.is_empty() {
            return Ok(Files::Missing(missing));
        }
        let bytes = tables.iter().map(|table| table.header().file_len).sum();
        return Ok(Files::Sound(bytes));
    };
    let target = table_path(out, game, &planned.material, metric);
    if problem.fault.is_corrupt() && problem.path.as_deref() == Some(target.as_path()) {
        return Ok(Files::Damaged(metric, target, problem.to_string()));
    }
    Err(problem.into())
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
            outcome = Some(match (game.vitality_rules(), game.zeroing_limit()) {
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
                material: self.planned.material,
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
            SolveMode::AtOnce => successors.load_all(),
            SolveMode::InSlices { spare } => Ok(successors.keep(spare)),
        }
    }

    /// What the plies of the solution are to count. Who wins is found sooner without DTM, and
    /// takes no DTM of successors.
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
        let in_slices = match self.mode {
            SolveMode::AtOnce => Ok(None),
            SolveMode::InSlices { .. } => {
                let folder = game_folder(self.out, game);
                solve_in_slices(game, material, count, &find, &folder)
            }
        };
        let solution = match in_slices {
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

    fn begin_writing(&self, metric: Metric) {
        if self.wants(metric) {
            self.observer.phase(Phase::Writing(metric));
        }
    }

    /// The plan of a table with the groups of pieces in the order that seems best.
    /// `describe` completes it; `values` makes the source of values for an index.
    pub(super) fn ordered<F>(
        &self,
        metric: Metric,
        describe: impl FnOnce(write::TablePlan) -> write::TablePlan,
        values: impl Fn(&Index) -> F,
    ) -> Result<write::TablePlan, GenerateError>
    where
        F: Fn(Colour, Range<u64>, &mut [i16]) + Sync,
    {
        self.begin_writing(metric);
        let plan = describe(self.plan(metric)?);
        let options = Packing::Fast.options(metric, plan.index().len());
        Ok(write::best_order(
            &plan,
            &options,
            Watch::default(),
            values,
        )?)
    }

    /// Packs and writes a metric, to be published later, if it is wanted.
    pub(super) fn write<F>(
        &self,
        plan: &write::TablePlan,
        values: impl Fn(&Index) -> F,
    ) -> Result<Option<Pending>, GenerateError>
    where
        F: Fn(Colour, Range<u64>, &mut [i16]) + Sync,
    {
        match self.wants(plan.metric()) {
            true => self.pack(plan, &values(plan.index()), None).map(Some),
            false => Ok(None),
        }
    }

    /// The same of a metric whose values do not say who wins: `results` does.
    pub(super) fn write_with_results<F, R>(
        &self,
        plan: &write::TablePlan,
        values: impl Fn(&Index) -> F,
        results: impl Fn(&Index) -> R,
    ) -> Result<Option<Pending>, GenerateError>
    where
        F: Fn(Colour, Range<u64>, &mut [i16]) + Sync,
        R: Fn(Colour, Range<u64>, &mut [i16]) + Sync,
    {
        if !self.wants(plan.metric()) {
            return Ok(None);
        }
        let results = results(plan.index());
        let pending = self.pack(plan, &values(plan.index()), Some(&results));
        pending.map(Some)
    }

    /// The plan of a table with the groups of pieces in the order of another metric.
    pub(super) fn in_order(
        &self,
        metric: Metric,
        order: &write::TablePlan,
    ) -> Result<write::TablePlan, GenerateError> {
        self.begin_writing(metric);
        let groups: Vec<Piece> = order.index().groups().iter().map(Group::piece).collect();
        let plan = self.plan(metric)?.order(&groups);
        plan.map_err(|e| self.solve_error(e))
    }

    fn plan(&self, metric: Metric) -> Result<write::TablePlan, GenerateError> {
        let plan = write::TablePlan::new(self.game, &self.planned.material, metric);
        plan.map_err(|e| self.solve_error(e))
    }

    fn pack(
        &self,
        plan: &write::TablePlan,
        values: &write::Fill<'_>,
        results: Option<&write::Fill<'_>>,
    ) -> Result<Pending, GenerateError> {
        let most = AtomicU64::new(0);
        let progress = |done, total| {
            // Tasks report out of order; the bar should not go back.
            if most.fetch_max(done, Ordering::Relaxed) <= done {
                self.observer.progress(done, total);
            }
        };
        let watch = Watch {
            stop: None,
            progress: Some(&progress),
        };
        let path = table_path(self.out, self.game, &self.planned.material, plan.metric());
        let options = Packing::Fast.options(plan.metric(), plan.index().len());
        let pending = write::prepare_with_results(&path, plan, &options, watch, values, results)?;
        Ok(pending)
    }

    /// Gives the files of the material their names once all are complete, and
    /// returns their size in bytes. WDL comes first, because the other metrics are
    /// of no use without it to anyone who looks in between.
    pub(super) fn publish(
        &self,
        files: impl IntoIterator<Item = Option<Pending>>,
    ) -> Result<u64, GenerateError> {
        let mut bytes = 0;
        for file in files.into_iter().flatten() {
            bytes += file.publish()?.file_len;
        }
        Ok(bytes)
    }
}
