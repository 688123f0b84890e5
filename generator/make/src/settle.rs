//! What settling moves are worth, by the solver: probing would search every position.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use rayon::prelude::*;
use retrograde_folder::Reader;
use retrograde_probe::{
    Index, Metric, OnePly, ProbeError, QuietMoves, QuietSearch, Table, Tablebase, settled_number,
    turns_after,
};
use retrograde_rules::{Colour, Game, Material};
use retrograde_solve::{
    Movers, Sets, SolveError, Successor, depth_of_result, first_reached, is_read_later, settling,
    successors,
};
use thiserror::Error;

/// Why the values of settling moves could not be worked out.
#[derive(Debug, Error)]
pub enum SettleError {
    /// A table of a successor is missing, or cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
    /// The material cannot be solved.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// The solver finds other values of the moves that leave a material than a search of the
    /// same tables.
    #[error("captures and promotions of {0} are not worth what a search says")]
    Differs(String),
}

/// Works out what the settling moves of all positions are worth, unless that is known, of a
/// material whose tables are about to be read whole, if one of them lacks a side to move. Then
/// [`Tablebase::prepare`] need not search every position. Reads the WDL tables of all
/// successors into memory, and runs in the current rayon pool.
///
/// # Errors
/// See [`SettleError`].
pub fn settle_all(tables: &Tablebase, material: &Material) -> Result<(), SettleError> {
    for metric in [Metric::Dtm, Metric::Dtz] {
        match tables.table(material, metric)? {
            Some(table) if lacks_a_side(table) => settle(tables, table.index())?,
            _ => {}
        }
    }
    Ok(())
}

/// Whether a table lacks a side to move that follows from settling moves, too.
fn lacks_a_side(table: &Table) -> bool {
    let header = table.header();
    // Without needs the tables that this takes may be missing.
    header.sections.len() < 2
        && !header.needs.is_empty()
        && !header.material.is_symmetric(header.game)
}

/// The same for a table that is about to be read whole. If the solver cannot tell, reading
/// only takes longer.
///
/// # Errors
/// A table of a successor is missing, or cannot be read.
pub fn settle_reader(table: &Reader) -> Result<(), ProbeError> {
    let lacks = lacks_a_side(table);
    match table
        .ground()
        .filter(|_| lacks)
        .map(|tables| settle(tables, table.index()))
    {
        Some(Err(SettleError::Probe(error))) => Err(error),
        _ => Ok(()),
    }
}

/// Works out what the settling moves of all positions of `index` are worth, unless that is
/// known, for the tablebase to use.
pub(crate) fn settle(tables: &Tablebase, index: &Index) -> Result<(), SettleError> {
    tables.search_with(Arc::new(Solver(tables.game())));
    if tables.is_settled(index) {
        return Ok(());
    }
    let best = settled_numbers(tables, index)?;
    let agrees = tables.set_settled(index, best)?;
    let differs = || SettleError::Differs(index.material().name(tables.game()));
    // Those who read tables do without it; tests do not.
    debug_assert!(agrees, "{}", differs());
    match agrees {
        true => Ok(()),
        false => Err(differs()),
    }
}

/// What the settling moves of all positions of `index` are worth, as [`settled_number`]
/// writes it, for each side to move. Reads the WDL tables of the successors into memory.
///
/// # Errors
/// See [`SettleError`].
pub fn settled_numbers(tables: &Tablebase, index: &Index) -> Result<[Vec<u8>; 2], SettleError> {
    let game = tables.game();
    for material in successors(game, index.material()) {
        let turns = turns_after(game, index.material(), &material);
        tables.keep(&material, Metric::Wdl, &turns)?;
    }
    let failed = OnceLock::new();
    let find = |smaller: &Material| {
        let found = successor(tables, index.material(), smaller);
        found.unwrap_or_else(|error| {
            let _ = failed.set(error);
            None
        })
    };
    let settled = settling(game, index, &find, settled_number);
    // Why a successor could not be read says more than that it was not found.
    match failed.into_inner() {
        Some(error) => Err(error),
        None => Ok(settled?),
    }
}

/// How many results are read at a time.
const AT_ONCE: usize = 1 << 14;

/// A successor of a material whose WDL is kept in memory, as the solver reads it; `None` if it
/// has no table.
fn successor(
    tables: &Tablebase,
    larger: &Material,
    smaller: &Material,
) -> Result<Option<Arc<Successor>>, SettleError> {
    let game = tables.game();
    if game.needs_no_table(smaller) {
        return Ok(Some(Arc::new(
            Successor::drawn(game, smaller).map_err(SolveError::from)?,
        )));
    }
    let Some(table) = tables.table(smaller, Metric::Wdl)? else {
        return Ok(None);
    };
    let index = table.index();
    // Parts are read by several threads.
    let failed = OnceLock::new();
    let read = |turn, first, results: &mut [i16]| {
        if let Err(error) = tables.read(table, turn, first, results) {
            let _ = failed.set(error);
        }
    };
    let successor = match is_read_later(game, smaller, larger.len()) {
        true => {
            let results = Colour::BOTH.map(|turn| {
                let mut all = vec![0i8; index.len() as usize];
                let parts = all.par_chunks_mut(AT_ONCE).enumerate();
                parts.for_each(|(part, out)| {
                    let mut results = vec![0; out.len()];
                    read(turn, (part * AT_ONCE) as u64, &mut results);
                    let both = out.iter_mut().zip(results);
                    both.for_each(|(out, result)| *out = result as i8);
                });
                all
            });
            let depths = move |turn: Colour, indices: Range<u64>, out: &mut [i16]| {
                let from = results[turn.index()].get(indices.start as usize..);
                let both = out.iter_mut().zip(from.unwrap_or(&[]));
                both.for_each(|(depth, &result)| *depth = depth_of_result(result.into()));
            };
            Successor::read_later(game, index, Box::new(depths))
        }
        false => Successor::read(game, larger, index, &|turn, indices, out| {
            read(turn, indices.start, out);
            out.iter_mut()
                .for_each(|value| *value = depth_of_result(*value));
        }),
    };
    match failed.into_inner() {
        Some(error) => Err(error.into()),
        None => Ok(Some(Arc::new(successor.map_err(SolveError::from)?))),
    }
}

/// The solver's moves, for reading whole tables of a game.
pub struct Solver(pub Game);

impl OnePly for Solver {
    fn first_reached(&self, search: &QuietSearch<'_>) -> Option<Vec<u16>> {
        const { assert!(QuietSearch::NO_SET == Sets::NO_SET) };
        let movers = match search.moves {
            QuietMoves::All => Movers::All,
            QuietMoves::OfPawns => Movers::Pawns,
            QuietMoves::OfPieces => Movers::Pieces,
        };
        let sets = Sets {
            kinds_of_sets: search.kinds_of_sets,
            of: search.set_of,
        };
        let (index, turn) = (search.index, search.turn);
        first_reached(self.0, index, turn, movers, search.kinds, &sets).ok()?
    }
}
