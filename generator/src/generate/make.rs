//! Making the files of one class.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_probe::write::{self, PackOptions, Watch, remove_partials};
use retrograde_probe::{Index, Metric, TableError, table_path};
use retrograde_rules::Game;

use super::load::{load_smaller, open};
use super::lock::Lock;
use super::{GenerateError, METRICS, Observer, Options, Outcome, Phase};
use crate::plan::PlannedTable;
use crate::solve::{self, Solution, UNUSED};

/// Makes the files of one class, unless sound ones are there.
pub(super) fn make(
    game: Game,
    planned: &PlannedTable,
    options: &Options,
    observer: &dyn Observer,
) -> Result<Outcome, GenerateError> {
    let material = planned.material;
    let anew = options.force;
    let mut folders = vec![options.out.as_path()];
    folders.extend(
        options
            .tables
            .iter()
            .map(|f| f.as_path())
            .filter(|f| *f != options.out),
    );
    if !anew && let Some(bytes) = sound_files(game, planned, &folders, &options.out, observer)? {
        return Ok(Outcome {
            material,
            kept: true,
            bytes,
            deepest: None,
        });
    }

    let target = table_path(&options.out, game, &material, Metric::Depth);
    let folder = target.parent().unwrap_or(&options.out);
    let _lock = Lock::take(folder, &material.to_string(), || {
        observer.phase(Phase::Waiting)
    })?;
    // Another process may have made them while this one waited.
    if !anew && let Some(bytes) = sound_files(game, planned, &folders, &options.out, observer)? {
        return Ok(Outcome {
            material,
            kept: true,
            bytes,
            deepest: None,
        });
    }
    // Whoever left partial files of this class behind is gone: it held the
    // lock.
    let _ = remove_partials(folder, &material);

    observer.phase(Phase::Reading);
    let exits = solve::exits(game, &material);
    let smaller = load_smaller(game, &planned.needs, &exits, &folders)?;
    observer.phase(Phase::Solving);
    let solution = solve::solve(game, &material, &smaller)
        .map_err(|source| GenerateError::Solve { material, source })?;
    drop(smaller);

    let mut bytes = 0;
    for metric in METRICS {
        observer.phase(Phase::Writing(metric));
        bytes += write_metric(game, planned, &solution, metric, &options.out, observer)?;
    }
    Ok(Outcome {
        material,
        kept: false,
        bytes,
        deepest: Some(solution.deepest()),
    })
}

/// The bytes of a class's files if every metric is there and sound. A damaged
/// file in the output folder will be made anew; anywhere else it is an error,
/// as is one that is not a table of this class at all.
fn sound_files(
    game: Game,
    planned: &PlannedTable,
    folders: &[&Path],
    out: &Path,
    observer: &dyn Observer,
) -> Result<Option<u64>, GenerateError> {
    let mut bytes = 0;
    for metric in METRICS {
        let opened = open(game, &planned.material, metric, folders.iter().copied());
        let problem = match opened {
            Ok(None) => return Ok(None),
            Ok(Some(table)) => {
                bytes += table.header().file_len;
                let Some(fault) = table.check().faults.into_iter().next() else {
                    continue;
                };
                TableError {
                    path: table.path().map(Path::to_owned),
                    fault,
                }
            }
            Err(error) => error,
        };
        let target = table_path(out, game, &planned.material, metric);
        if problem.fault.is_corrupt() && problem.path.as_deref() == Some(target.as_path()) {
            observer.replacing(&target, &problem.to_string());
            fs::remove_file(&target).map_err(|source| GenerateError::Io {
                path: target,
                action: "remove the damaged file",
                source,
            })?;
            return Ok(None);
        }
        return Err(problem.into());
    }
    Ok(Some(bytes))
}

/// Packs and writes one metric; returns the bytes of the file.
fn write_metric(
    game: Game,
    planned: &PlannedTable,
    solution: &Solution,
    metric: Metric,
    out: &Path,
    observer: &dyn Observer,
) -> Result<u64, GenerateError> {
    let material = planned.material;
    let plan = write::Plan::new(game, &material, metric).map_err(|e| GenerateError::Solve {
        material,
        source: e.into(),
    })?;
    let packing = PackOptions::default();
    let values = |index: &Index| {
        let reader = solution.reader(index);
        move |turn, range, values: &mut [i16]| {
            reader.fill(turn, range, values);
            if metric == Metric::Result {
                for value in values.iter_mut().filter(|v| **v != UNUSED) {
                    *value = value.signum();
                }
            }
        }
    };
    let plan = write::best_order(&plan, &packing, Watch::default(), values)?;
    let most = AtomicU64::new(0);
    let progress = |done, total| {
        // Tasks report out of order; a bar should not go back.
        if most.fetch_max(done, Ordering::Relaxed) <= done {
            observer.progress(done, total);
        }
    };
    let watch = Watch {
        stop: None,
        progress: Some(&progress),
    };
    let path = table_path(out, game, &material, metric);
    let header = write::pack(&path, &plan, &packing, watch, values(plan.index()))?;
    Ok(header.file_len)
}
