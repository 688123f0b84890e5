//! Reading the tables of successors.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retrograde_folder::{ReadError, open};
use retrograde_probe::{IndexError, Metric, ProbeError, Stop};
use retrograde_rules::{Game, Material};

use super::GenerateError;
use retrograde_solve::{Successor, is_read_later, successors};

/// The successors of the material `larger`, ready for the solver: their DTM or their WDL.
/// Those in `needs` have tables. `stop` says whether to give up.
pub(super) fn load_successors(
    game: Game,
    (larger, needs): (&Material, &[Material]),
    folders: &[&Path],
    metric: Metric,
    stop: Stop<'_>,
) -> Result<(HashMap<Material, Successor>, Failures), GenerateError> {
    let failures = Failures::default();
    let mut smaller = HashMap::new();
    for material in successors(game, larger) {
        let successor = match needs.contains(&material) {
            true => load(game, (larger, &material), folders, metric, stop, &failures)?,
            false => Successor::drawn(game, &material),
        };
        let failed = |source: IndexError| GenerateError::Solve {
            material,
            source: source.into(),
        };
        smaller.insert(material, successor.map_err(failed)?);
        if let Some(error) = first(&failures).take() {
            return Err(error.into());
        }
    }
    Ok((smaller, failures))
}

/// One that has a table.
fn load(
    game: Game,
    (larger, material): (&Material, &Material),
    folders: &[&Path],
    metric: Metric,
    stop: Stop<'_>,
    failures: &Failures,
) -> Result<Result<Successor, IndexError>, GenerateError> {
    let table = open(game, material, metric, folders.iter().copied())?
        .ok_or_else(|| GenerateError::Missing(*material, game.id()))?;
    let index = table.index().clone();
    let is_later = is_read_later(game, material, larger.len());
    if !is_later {
        table.prepare_until(stop)?;
    }
    let later_failures = Arc::clone(failures);
    let read = move |turn, indices: Range<u64>, values: &mut [i16]| {
        if let Err(error) = table.read(turn, indices.start, values) {
            first(&later_failures).get_or_insert(error);
        }
    };
    let read_on = |turn, indices: Range<u64>, values: &mut [i16]| match stop() {
        true => {
            first(failures).get_or_insert(ProbeError::Stopped.into());
        }
        false => read(turn, indices, values),
    };
    Ok(match metric {
        _ if is_later => Successor::read_later(game, &index, Box::new(read)),
        Metric::Wdl => Successor::read_wdl(game, larger, &index, &read_on),
        _ => Successor::read(game, larger, &index, &read_on),
    })
}

/// The first table that could not be read while solving.
pub(super) type Failures = Arc<Mutex<Option<ReadError>>>;

fn first(failures: &Failures) -> MutexGuard<'_, Option<ReadError>> {
    failures.lock().unwrap_or_else(PoisonError::into_inner)
}
