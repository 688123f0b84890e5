//! What settling moves are worth, by the solver: probing would search every position.

use std::ops::Range;
use std::sync::Arc;

use retrograde_probe::{Index, Metric, Tablebase, score, settled_number};
use retrograde_rules::{Colour, Game, Material};
use retrograde_solve::{Successor, depth_of_result, is_read_later, settling, successors};

use super::repack::RepackError;

/// Works out what the settling moves of all positions of `index` are worth, unless that is
/// known, for the tablebase to use.
pub(crate) fn settle(
    tables: &Arc<Tablebase>,
    game: Game,
    index: &Index,
) -> Result<(), RepackError> {
    if tables.is_settled(index) {
        return Ok(());
    }
    let best = settled_numbers(tables, game, index)?;
    match tables.set_settled(index, best, CHECKED)? {
        true => Ok(()),
        false => Err(RepackError::Settling(*index.material())),
    }
}

/// One position in this many is searched, too.
const CHECKED: u64 = 64;

/// What the settling moves of all positions of `index` are worth, as [`settled_number`]
/// writes it, for each side to move. Reads the WDL tables of the successors into memory.
///
/// # Errors
/// A table of a successor is missing or damaged.
pub fn settled_numbers(
    tables: &Arc<Tablebase>,
    game: Game,
    index: &Index,
) -> Result<[Vec<u8>; 2], RepackError> {
    for material in successors(game, index.material()) {
        tables.keep(&material, Metric::Wdl)?;
    }
    let find = |smaller: &Material| successor(tables, game, index.material(), smaller);
    Ok(settling(game, index, &find, settled_number)?)
}

/// A successor of a material whose WDL is kept in memory, as the solver reads it.
fn successor(
    tables: &Arc<Tablebase>,
    game: Game,
    larger: &Material,
    smaller: &Material,
) -> Option<Arc<Successor>> {
    if game.needs_no_table(smaller) {
        return Some(Arc::new(Successor::drawn(game, smaller).ok()?));
    }
    let index = tables.table(smaller, Metric::Wdl).ok()??.index().clone();
    let (tables, material) = (Arc::clone(tables), *smaller);
    let read = move |turn: Colour, indices: Range<u64>, depths: &mut [i16]| {
        let kept = tables.kept(&material, Metric::Wdl, turn).unwrap_or(&[]);
        let kept = kept.get(indices.start as usize..).unwrap_or(&[]);
        depths.fill(score::DRAW);
        for (depth, &value) in depths.iter_mut().zip(kept) {
            *depth = depth_of_result(value);
        }
    };
    let successor = match is_read_later(game, smaller, larger.len()) {
        true => Successor::read_later(game, &index, Box::new(read)),
        false => Successor::read(game, larger, &index, &read),
    };
    Some(Arc::new(successor.ok()?))
}
