//! One ply of search for all positions of a material at once: a searcher for sets of positions
//! finds what quiet moves lead to, since searching each position takes some ten times as
//! long. Pawn moves are found in the same way.

use std::ops::Range;

use rayon::prelude::*;
use retrograde_index::{Index, Metric, Wdl};
use retrograde_rules::{Colour, Material, Square};

use super::CHUNK;
use super::double_steps::DoubleSteps;
use super::in_order::InOrder;
use crate::error::ProbeError;
use crate::settled::{Settled, number};
use crate::tablebase::Tablebase;
use crate::whole::Ask;

/// Finds for all positions of a material at once where their quiet moves lead.
pub trait OnePly: Send + Sync {
    /// The first of some sets that a quiet move of a position leads to, for each index, or
    /// [`QuietSearch::NO_SET`]. `None` if it cannot tell; then each position is searched.
    fn first_reached(&self, search: &QuietSearch<'_>) -> Option<Vec<u16>>;
}

/// Which pieces move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuietMoves {
    /// All of them. A double step leads to the position without an e.p. right.
    All,
    /// Pawns, in the same way.
    OfPawns,
    /// All but pawns.
    OfPieces,
}

/// What [`OnePly`] is asked.
pub struct QuietSearch<'a> {
    /// The indices that are meant.
    pub index: &'a Index,
    /// The side that moves.
    pub turn: Colour,
    /// Its pieces that move.
    pub moves: QuietMoves,
    /// The kind of each position, by index; 0 for those that are of no interest.
    pub kinds: &'a [u8],
    /// The sets, in the order in which they are tried: for each the kind of the positions
    /// that it counts for.
    pub kinds_of_sets: &'a [u8],
    /// Writes the sets that some indices are in, the other side to move, or
    /// [`QuietSearch::NO_SET`]. Indices that stand for no position may have any.
    pub set_of: &'a (dyn Fn(Range<u64>, &mut [u16]) + Sync),
}

impl QuietSearch<'_> {
    /// The set of positions that are in none, and what is said of those that reach none.
    pub const NO_SET: u16 = u16::MAX;
}

/// One position in this many is searched, too.
const SAMPLE: u64 = 64;

/// Whether a position is one of those that are searched, too: not always the same square of
/// the last piece.
pub(super) fn is_sampled(index: u64) -> bool {
    index % SAMPLE == index / SAMPLE % SAMPLE
}

/// The indices up to `len` that [`is_sampled`].
pub(super) fn sampled(len: u64) -> impl ParallelIterator<Item = u64> {
    let all = (0..len.div_ceil(SAMPLE)).into_par_iter();
    all.map(|part| part * SAMPLE + part % SAMPLE)
        .filter(move |&index| index < len)
}

impl Tablebase {
    /// The best pawn moves that settle nothing: see [`Settled::add_pawns`]. `None` if they
    /// cannot be found for all positions at once.
    pub(super) fn pawn_moves(
        &self,
        index: &Index,
        settled: &Settled,
    ) -> Result<Option<[Vec<u8>; 2]>, ProbeError> {
        let Some(one_ply) = self.one_ply.get() else {
            return Ok(None);
        };
        let mut columns: [Vec<u8>; 2] = Default::default();
        for turn in Colour::BOTH {
            let Some(column) = self.pawn_moves_of(one_ply.as_ref(), index, settled, turn)? else {
                return Ok(None);
            };
            columns[turn.index()] = column;
        }
        Ok(Some(columns))
    }

    fn pawn_moves_of(
        &self,
        one_ply: &dyn OnePly,
        index: &Index,
        settled: &Settled,
        turn: Colour,
    ) -> Result<Option<Vec<u8>>, ProbeError> {
        let Some(wdl) = self.table(index.material(), Metric::Wdl)? else {
            return Ok(None);
        };
        let results = |turn| InOrder::kept(wdl, turn, index);
        let (Some(mine), Some(theirs)) = (results(turn), results(turn.other())) else {
            return Ok(None);
        };
        let mut kinds = vec![0; index.len() as usize];
        let chunks = kinds.par_chunks_mut(CHUNK).enumerate();
        chunks.for_each(|(part, kinds)| {
            let first = (part * CHUNK) as u64;
            let (mut next, mut at) = (kinds.iter_mut(), first..);
            mine.each(first..first + next.len() as u64, |result| {
                let (Some(kind), Some(index)) = (next.next(), at.next()) else {
                    return;
                };
                let result = Wdl::from_value(result);
                let best = settled.best(turn, index);
                let open = best.is_some_and(|best| best != Some(result));
                *kind = u8::from(open && result.is_win());
            });
        });
        // From the best to the worst for those who move there.
        let set_of = |range, out: &mut [u16]| {
            let mut out = out.iter_mut();
            theirs.each(range, |result| {
                if let Some(set) = out.next() {
                    *set = u16::from(number(Some(Wdl::from_value(result))) - 1);
                }
            });
        };
        let search = QuietSearch {
            index,
            turn,
            moves: QuietMoves::OfPawns,
            kinds: &kinds,
            kinds_of_sets: &[1; Wdl::ALL.len()],
            set_of: &set_of,
        };
        let Some(reached) = one_ply.first_reached(&search) else {
            return Ok(None);
        };
        let mut column: Vec<u8> = reached
            .into_par_iter()
            .map(|set| match set {
                QuietSearch::NO_SET => number(None),
                set => (Wdl::ALL.len() as u8).saturating_sub(set as u8),
            })
            .collect();
        let ask = Ask::new(self.game(), index, turn, Metric::Wdl);
        if let Some(steps) = DoubleSteps::new(self.game(), index.material(), turn) {
            let open = column.par_iter_mut().zip(&kinds).enumerate();
            open.filter(|(_, (_, kind))| **kind > 0)
                .try_for_each(|(at, (best, _))| {
                    let mut squares = [Square(0); Material::MOST_PIECES];
                    let squares = &mut squares[..index.pieces()];
                    let may_be_taken =
                        index.decode(at as u64, squares) && steps.may_be_taken(squares);
                    if may_be_taken && let Some(position) = ask.position(at as u64, squares) {
                        *best = number(self.best_pawn_move(&position)?);
                    }
                    Ok::<_, ProbeError>(())
                })?;
        }
        let is_right = sampled(index.len()).map(|at| {
            let mut squares = [Square(0); Material::MOST_PIECES];
            let squares = &mut squares[..index.pieces()];
            let asked = kinds.get(at as usize) == Some(&1);
            match ask.position(at, squares).filter(|_| asked) {
                Some(position) => {
                    let best = number(self.best_pawn_move(&position)?);
                    Ok(column.get(at as usize) == Some(&best))
                }
                None => Ok(true),
            }
        });
        if !is_right.try_reduce(|| true, |a, b| Ok(a && b))? {
            return Ok(None);
        }
        Ok(Some(column))
    }
}
