//! Reading the tables of successors.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use retrograde_folder::{ReadError, open};
use retrograde_probe::Metric;
use retrograde_rules::{Game, Material};

use super::GenerateError;
use retrograde_solve::{Successor, is_read_later};

/// The successors that the material `larger` needs, ready for the solver: their DTM
/// or their WDL.
pub(super) fn load_successors(
    game: Game,
    larger: &Material,
    needs: &[Material],
    all: &[Material],
    folders: &[&Path],
    metric: Metric,
) -> Result<(HashMap<Material, Successor>, Failures), GenerateError> {
    let failures = Failures::default();
    let smaller = all
        .iter()
        .map(|material| {
            let failed = |source| GenerateError::Solve {
                material: *material,
                source,
            };
            let smaller = if needs.contains(material) {
                let table = open(game, material, metric, folders.iter().copied())?
                    .ok_or_else(|| GenerateError::Missing(*material, game.id()))?;
                let index = table.index().clone();
                let is_later = is_read_later(game, material, larger.len());
                if !is_later {
                    table.prepare()?;
                }
                let failures = Arc::clone(&failures);
                let read = move |turn, indices: Range<u64>, values: &mut [i16]| {
                    if let Err(error) = table.read(turn, indices.start, values) {
                        let mut first = failures.lock().unwrap_or_else(PoisonError::into_inner);
                        first.get_or_insert(error);
                    }
                };
                match metric {
                    _ if is_later => Successor::read_later(game, &index, Box::new(read)),
                    Metric::Wdl => Successor::read_wdl(game, larger, &index, &read),
                    _ => Successor::read(game, larger, &index, &read),
                }
            } else {
                Successor::drawn(game, material)
            };
            Ok((*material, smaller.map_err(|e| failed(e.into()))?))
        })
        .collect::<Result<_, GenerateError>>()?;
    if let Some(error) = failures
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take()
    {
        return Err(error.into());
    }
    Ok((smaller, failures))
}

/// The first table that could not be read while solving.
pub(super) type Failures = Arc<Mutex<Option<ReadError>>>;
