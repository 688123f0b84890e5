//! Works out, by the solver, the side to move that a table does not store, for whole tables.
//!
//! Looking up its values one by one would search every position.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use retrograde_folder::{ReadError, Reader};
use retrograde_probe::format::SideValues;
use retrograde_probe::whole::Stop;
use retrograde_probe::{Index, Metric, ProbeError, Reindexing, Table, Tablebase, score, whole};
use retrograde_rules::{Colour, Material, Position, Square};
use retrograde_solve::{Successor, Unstored};

/// Makes reading all of a table quick for both sides to move: see [`whole::prepare`]. A side
/// that the table does not store is worked out and taken into memory, if the solver can tell it.
/// Runs in the current rayon pool, unless `stop` says to give up.
///
/// # Errors
/// See [`ProbeError`].
pub fn prepare(tables: &Tablebase, table: &Table, stop: Stop<'_>) -> Result<(), ProbeError> {
    work_out(tables, table, &Colour::BOTH, stop)?;
    whole::prepare(tables, table, stop)
}

/// Works out those of some sides to move that a table does not store, and takes them into memory.
fn work_out(
    tables: &Tablebase,
    table: &Table,
    turns: &[Colour],
    stop: Stop<'_>,
) -> Result<(), ProbeError> {
    let header = table.header();
    let is_lacking =
        |&turn: &Colour| header.section(turn).is_none() && table.in_memory(turn).is_none();
    let lacking: Vec<Colour> = turns.iter().copied().filter(is_lacking).collect();
    // The other side with colours swapped is read as quickly as it is.
    if lacking.is_empty() || header.material.is_symmetric(header.game) {
        return Ok(());
    }
    // Successors may not store the sides that are asked for, either.
    for need in &header.needs {
        if need.material != header.material
            && let Some(successor) = tables.table(&need.material, need.metric)?
        {
            let turns = whole::turns_asked_for(table, need);
            work_out(tables, successor, &turns, stop)?;
        }
    }
    whole::prepare(tables, table, stop)?;
    for turn in lacking {
        if let Some(values) = unstored_side(tables, table, turn)? {
            table.set_in_memory(turn, values);
        }
    }
    Ok(())
}

/// Makes reading all of an open table quick, as [`prepare`] does.
///
/// # Errors
/// See [`ReadError`].
pub fn prepare_reader(table: &Reader, stop: Stop<'_>) -> Result<(), ReadError> {
    match table.ground() {
        Some(tables) => Ok(prepare(tables, table, stop)?),
        None => Ok(()),
    }
}

/// The number of values that are read at a time.
const AT_ONCE: usize = 1 << 14;

/// The sampling interval: one value in this many is searched for, too.
const SAMPLE: u64 = 64;

/// Whether the value of an index is searched for, too: not always the same square of the last
/// piece.
fn is_sampled(index: u64) -> bool {
    // Spread by multiplication: digits of an index are squares, so that a pattern in them could
    // be one that no position has.
    index.wrapping_mul(0x9E37_79B9_7F4A_7C15) < u64::MAX / SAMPLE
}

/// The values of the side to move `turn`, which a table does not store but the other, for each
/// index; `None` if the solver cannot tell, or says other than a search of some positions. What
/// the values depend on must be [in memory](whole::prepare). Runs in the current rayon pool.
///
/// # Errors
/// See [`ProbeError`].
pub fn unstored_side(
    tables: &Tablebase,
    table: &Table,
    turn: Colour,
) -> Result<Option<Vec<i16>>, ProbeError> {
    let (game, index, metric) = (tables.game(), table.index(), table.header().metric);
    let Some(wdl) = tables.table(index.material(), Metric::Wdl)? else {
        return Ok(None);
    };
    let sides = Colour::BOTH.map(|turn| InOrder::of(wdl, turn, index));
    let ([Some(white), Some(black)], Some(distances)) =
        (sides, InOrder::of(table, turn.other(), index))
    else {
        return Ok(None);
    };
    let unstored = Unstored {
        game,
        index,
        metric,
        turn,
        results: &|turn, indices, out: &mut [i16]| match turn {
            Colour::White => white.read(indices, out),
            Colour::Black => black.read(indices, out),
        },
        distances: &|_, indices, out: &mut [i16]| distances.read(indices, out),
    };
    let failed = OnceLock::new();
    let find = |smaller: &Material| {
        let turns = whole::turns_after(game, index.material(), smaller, &[turn]);
        let found = successor(tables, index.material(), smaller, metric, &turns);
        found.unwrap_or_else(|error| {
            let _ = failed.set(error);
            None
        })
    };
    let values = unstored.values(&find);
    if let Some(error) = failed.into_inner() {
        return Err(error);
    }
    match values {
        Ok(Some(mut values)) => {
            let agrees = complete(tables, (table, turn), &mut values)?;
            debug_assert!(agrees, "{} {metric}", index.material().name(game));
            Ok(agrees.then_some(values))
        }
        Ok(None) | Err(_) => Ok(None),
    }
}

/// Searches for the values that are missing, and for some of the others; says whether these are
/// right.
fn complete(
    tables: &Tablebase,
    (table, turn): (&Table, Colour),
    values: &mut [i16],
) -> Result<bool, ProbeError> {
    let differs = AtomicBool::new(false);
    let parts = values.par_chunks_mut(AT_ONCE).enumerate();
    parts.try_for_each(|(part, values)| {
        let first = (part * AT_ONCE) as u64;
        let is_asked =
            |place| values[place] == score::DONT_CARE || is_sampled(first + place as u64);
        let mut searched = vec![score::DRAW; values.len()];
        whole::read_some(tables, table, turn, first, &mut searched, is_asked)?;
        for ((value, searched), index) in values.iter_mut().zip(searched).zip(first..) {
            if *value == score::DONT_CARE {
                *value = searched;
            } else if is_sampled(index) && *value != searched && is_position(table, turn, index) {
                differs.store(true, Ordering::Relaxed);
            }
        }
        Ok::<_, ProbeError>(())
    })?;
    Ok(!differs.into_inner())
}

/// Whether an index stands for a position.
fn is_position(table: &Table, turn: Colour, index: u64) -> bool {
    let header = table.header();
    let mut squares = vec![Square(0); table.index().pieces()];
    table.index().decode(index, &mut squares) && {
        let pieces = header.material.pieces().zip(squares);
        Position::from_pieces(header.game, pieces, turn).is_some()
    }
}

/// A side to move of a table that is in memory, in the order of another index.
struct InOrder<'a> {
    side: &'a SideValues,
    order: Reindexing,
}

impl<'a> InOrder<'a> {
    fn of(table: &'a Table, turn: Colour, index: &Index) -> Option<InOrder<'a>> {
        Some(InOrder {
            side: table.in_memory(turn)?,
            order: Reindexing::new(index, table.index())?,
        })
    }

    fn read(&self, indices: Range<u64>, out: &mut [i16]) {
        if self.order.keeps_order() && self.side.copy(indices.start, out) {
            return;
        }
        let mut out = out.iter_mut();
        self.side.each(Some(&self.order), indices, |value| {
            if let Some(out) = out.next() {
                *out = value;
            }
        });
    }
}

/// Some sides to move of a successor of a material as the solver reads it: its depths for DTM, its
/// WDL for DTZ. `None` if it has no table.
fn successor(
    tables: &Tablebase,
    larger: &Material,
    smaller: &Material,
    metric: Metric,
    turns: &[Colour],
) -> Result<Option<Arc<Successor>>, ProbeError> {
    let game = tables.game();
    let is_dtm = metric == Metric::Dtm;
    if game.needs_no_table(smaller) {
        let drawn = match is_dtm {
            true => Successor::drawn(game, smaller),
            false => Successor::drawn_wdl(game, smaller),
        };
        return Ok(drawn.ok().map(Arc::new));
    }
    let metric = if is_dtm { metric } else { Metric::Wdl };
    let Some(table) = tables.table(smaller, metric)? else {
        return Ok(None);
    };
    // Parts are read by several threads.
    let failed = OnceLock::new();
    let read = |turn, indices: Range<u64>, out: &mut [i16]| {
        if turns.contains(&turn)
            && let Err(error) = tables.read_range(table, turn, indices.start, out)
        {
            let _ = failed.set(error);
        }
    };
    let successor = match is_dtm {
        true => Successor::read(game, larger, table.index(), &read),
        false => Successor::read_wdl(game, larger, table.index(), &read),
    };
    match failed.into_inner() {
        Some(error) => Err(error),
        None => Ok(successor.ok().map(Arc::new)),
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A value that differs from a search of its position is noticed.
    #[test]
    fn wrong_values_are_found_out() {
        let game = retrograde_rules::Game::default();
        let shipped = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tables");
        let tables = Tablebase::open(game, [shipped]).unwrap();
        let material = Material::parse(game, "KRvKB").unwrap();
        let table = tables.table(&material, Metric::Dtz).unwrap().unwrap();
        let turns = Colour::BOTH.into_iter();
        let mut unstored = turns.filter(|&turn| table.header().section(turn).is_none());
        let turn = unstored.next().unwrap();
        whole::prepare(&tables, table, &|| false).unwrap();
        let mut values = unstored_side(&tables, table, turn).unwrap().unwrap();
        assert!(complete(&tables, (table, turn), &mut values).unwrap());
        let is_legal = |index: &u64| is_sampled(*index) && is_position(table, turn, *index);
        let sampled = (0..).find(is_legal).unwrap() as usize;
        values[sampled] += 1;
        assert!(!complete(&tables, (table, turn), &mut values).unwrap());
    }
}
