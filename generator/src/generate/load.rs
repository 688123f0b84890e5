//! Reading smaller tables back.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use retrograde_folder::{open, read_side};
use retrograde_probe::{Metric, TableError};
use retrograde_rules::{Colour, Game, Material};

use super::GenerateError;
use retrograde_solve::{Smaller, is_read_later};

/// The smaller classes that a class needs, ready for the solver: their depths,
/// or their results.
pub(super) fn load_smaller(
    game: Game,
    needs: &[Material],
    all: &[Material],
    folders: &[&Path],
    metric: Metric,
    men: usize,
) -> Result<(HashMap<Material, Smaller>, Failures), GenerateError> {
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
                if is_read_later(game, material, men) {
                    let index = table.index().clone();
                    let failures = Arc::clone(&failures);
                    let read = move |turn, numbers: Range<u64>, depths: &mut [i16]| {
                        if let Err(error) = table.read(turn, numbers.start, depths) {
                            let mut first = failures.lock().unwrap_or_else(PoisonError::into_inner);
                            first.get_or_insert(error);
                        }
                    };
                    let smaller = Smaller::read_later(game, &index, Box::new(read));
                    return Ok((*material, smaller.map_err(|e| failed(e.into()))?));
                }
                let [white, black] = Colour::BOTH.map(|turn| read_side(&table, turn));
                let values = [white?, black?];
                match metric {
                    Metric::Result => Smaller::of_results(game, table.index(), &values),
                    _ => Smaller::new(game, table.index(), &values),
                }
            } else {
                Smaller::drawn(game, material)
            };
            Ok((*material, smaller.map_err(|e| failed(e.into()))?))
        })
        .collect::<Result<_, GenerateError>>()?;
    Ok((smaller, failures))
}

/// The first table that could not be read while a class was solved.
pub(super) type Failures = Arc<Mutex<Option<TableError>>>;
