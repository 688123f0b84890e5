//! Reading the tables of successors.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use retrograde_folder::{ReadError, open, read_side};
use retrograde_probe::Metric;
use retrograde_rules::{Colour, Game, Material};

use super::GenerateError;
use retrograde_solve::{Successor, is_read_later};

/// The successors that a material needs, ready for the solver: their DTM or
/// their WDL.
pub(super) fn load_successors(
    game: Game,
    needs: &[Material],
    all: &[Material],
    folders: &[&Path],
    metric: Metric,
    pieces: usize,
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
                if is_read_later(game, material, pieces) {
                    let index = table.index().clone();
                    let failures = Arc::clone(&failures);
                    let read = move |turn, indices: Range<u64>, depths: &mut [i16]| {
                        if let Err(error) = table.read(turn, indices.start, depths) {
                            let mut first = failures.lock().unwrap_or_else(PoisonError::into_inner);
                            first.get_or_insert(error);
                        }
                    };
                    let smaller = Successor::read_later(game, &index, Box::new(read));
                    return Ok((*material, smaller.map_err(|e| failed(e.into()))?));
                }
                let [white, black] = Colour::BOTH.map(|turn| read_side(&table, turn));
                let values = [white?, black?];
                match metric {
                    Metric::Wdl => Successor::of_wdl(game, table.index(), &values),
                    _ => Successor::new(game, table.index(), &values),
                }
            } else {
                Successor::drawn(game, material)
            };
            Ok((*material, smaller.map_err(|e| failed(e.into()))?))
        })
        .collect::<Result<_, GenerateError>>()?;
    Ok((smaller, failures))
}

/// The first table that could not be read while solving.
pub(super) type Failures = Arc<Mutex<Option<ReadError>>>;
