//! Finds which files of a material are there already: sound, missing or damaged.

use std::path::{Path, PathBuf};

use retrograde_folder::{Reader, check_bytes, open};
use retrograde_probe::{Metric, ProbeError, TableFault, Tablebase, table_path, whole};
use retrograde_rules::Game;

use crate::generate::GenerateError;
use crate::plan::PlannedTable;

/// The files of a material.
pub(super) enum Files {
    /// Every metric exists and is sound; the size in bytes.
    Sound(u64),
    /// These metrics are missing; the others exist and are sound.
    Missing(Vec<Metric>),
    /// A file in the output folder is damaged or of no use, for the reason given, and these metrics
    /// will be made again. In other folders that is an error, and so is a file that is not a table
    /// of this material at all.
    Damaged(Vec<Metric>, PathBuf, String),
}

/// Looks for the files of a material; calls `begin` before reading them whole, which is done if
/// the lock is held or none is missing.
pub(super) fn find(
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
        let all = Tablebase::open(game, folders)?;
        for table in &tables {
            let metric = table.header().metric;
            if let Err(error) = whole::check_usable(&all, &planned.material, metric) {
                let target = table_path(out, game, &planned.material, metric);
                return unusable((metrics, table), target, error);
            }
        }
        let bytes = tables.iter().map(|table| table.header().file_len).sum();
        return Ok(Files::Sound(bytes));
    };
    let target = table_path(out, game, &planned.material, metric);
    if problem.fault.is_corrupt() && problem.path.as_deref() == Some(target.as_path()) {
        return Ok(Files::Damaged(vec![metric], target, problem.to_string()));
    }
    Err(problem.into())
}

/// Decides about a sound file that cannot be used without others: it is made again if it
/// is in its place in the output folder.
fn unusable(
    (metrics, table): (&[Metric], &Reader),
    target: PathBuf,
    error: ProbeError,
) -> Result<Files, GenerateError> {
    let is_reason = match &error {
        ProbeError::Table { error, .. } => matches!(error.fault, TableFault::Need { .. }),
        error => matches!(error, ProbeError::Missing { .. }),
    };
    if !is_reason || table.path() != Some(target.as_path()) {
        return Err(error.into());
    }
    // Of two tables of the material that contradict each other either may be wrong.
    let needs = table.header().needs.iter();
    let own = needs.filter(|need| need.material == table.header().material);
    let own: Vec<Metric> = own.map(|need| need.metric).collect();
    let again = |metric: &&Metric| **metric == table.header().metric || own.contains(metric);
    let again = metrics.iter().filter(again).copied().collect();
    Ok(Files::Damaged(again, target, error.to_string()))
}
