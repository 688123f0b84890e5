//! The side to move that a table has no values for, of all positions at once.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use retrograde_index::{Index, Metric, Wdl, score};
use retrograde_rules::{Colour, Material, Position, Square};

use super::CHUNK;
use super::double_steps::DoubleSteps;
use super::in_order::InOrder;
use super::one_ply::{OnePly, QuietMoves, QuietSearch, is_sampled};
use super::sets::{PAIRS, Sets, Worth, pair};
use crate::error::ProbeError;
use crate::format::{SideValues, Table};
use crate::known::Known;
use crate::near::Quiet;
use crate::other_side::{better, one_ply_before};
use crate::resolve::known_distance;
use crate::tablebase::Tablebase;
use crate::whole::{Ask, Context};

/// The side to move that a table has no values for.
struct MissingSide<'a> {
    tables: &'a Tablebase,
    table: &'a Table,
    turn: Colour,
    ask: Ask<'a>,
    quiet: Quiet<'a>,
    worth: Worth,
    /// A double step that may be answered en passant takes another ply.
    steps: Option<DoubleSteps>,
}

impl Tablebase {
    /// All values of a side to move that a table does not have, if they can be found for all
    /// positions at once and what that takes is in memory. If `turn` is the other side with
    /// colours swapped, it takes no search.
    pub(crate) fn missing_side(
        &self,
        table: &Table,
        turn: Colour,
    ) -> Result<Option<Vec<i16>>, ProbeError> {
        let header = table.header();
        let (material, metric) = (&header.material, header.metric);
        let Some(there) = self.other_side(table, turn)? else {
            return Ok(None);
        };
        let Some(kept) = there.kept(turn.other()) else {
            return Ok(None);
        };
        self.check_needs(table)?;
        if material.is_symmetric(self.game()) {
            return Ok(Some(self.swapped(table.index(), (there.index(), kept))));
        }
        if self.settled_of(table.index()).is_none() {
            return Ok(None);
        }
        let Some(one_ply) = self.one_ply.get() else {
            return Ok(None);
        };
        if !matches!(metric, Metric::Dtz | Metric::Dtm) {
            return Ok(None);
        }
        let limit = self.most_plies();
        let side = MissingSide {
            tables: self,
            table,
            turn,
            ask: Ask::new(self.game(), table.index(), turn, metric)
                .with_result()
                .with_settled(),
            quiet: self.quiet(material, turn, table),
            worth: Worth { metric, limit },
            steps: DoubleSteps::new(self.game(), material, turn),
        };
        side.values(one_ply.as_ref())
    }

    /// The table that keeps the values of the side that is there: maybe another file of the
    /// same material.
    fn other_side<'a>(
        &'a self,
        table: &'a Table,
        turn: Colour,
    ) -> Result<Option<&'a Table>, ProbeError> {
        let header = table.header();
        match table.kept(turn.other()) {
            Some(_) => Ok(Some(table)),
            None => self.table(&header.material, header.metric),
        }
    }

    /// The side that is the other with colours swapped: `kept` are the values of the other,
    /// in the order of an index.
    fn swapped(&self, index: &Index, (there, kept): (&Index, &SideValues)) -> Vec<i16> {
        let game = self.game();
        let mirror = game.interchange(index.material());
        let geometry = game.geometry();
        let mut values = vec![score::DRAW; index.len() as usize];
        let chunks = values.par_chunks_mut(CHUNK).enumerate();
        chunks.for_each(|(part, values)| {
            let mut squares = [Square(0); Material::MOST_PIECES];
            let squares = &mut squares[..index.pieces()];
            for (index_here, value) in ((part * CHUNK) as u64..).zip(values) {
                if !index.decode(index_here, squares) {
                    continue;
                }
                // White's pieces come first, and Black has the same.
                squares.rotate_left(index.pieces() / 2);
                for square in &mut *squares {
                    *square = mirror.image(geometry, *square);
                }
                let found = there.encode(squares).and_then(|n| kept.get(n));
                *value = found.unwrap_or(score::DRAW);
            }
        });
        values
    }
}

impl MissingSide<'_> {
    fn values(&self, one_ply: &dyn OnePly) -> Result<Option<Vec<i16>>, ProbeError> {
        let index = self.table.index();
        let Some(sets) = self.sets()? else {
            return Ok(None);
        };
        let (mut values, kinds) = self.open_values()?;
        let set_of = |range: Range<u64>, out: &mut [u16]| {
            let mut out = out.iter_mut();
            // An error has come up before.
            let _ = self.after(range, |pair| {
                if let Some(set) = out.next() {
                    *set = sets.of[pair];
                }
            });
        };
        let search = QuietSearch {
            index,
            turn: self.turn,
            moves: match self.worth.metric {
                Metric::Dtz => QuietMoves::OfPieces,
                _ => QuietMoves::All,
            },
            kinds: &kinds,
            kinds_of_sets: &sets.kinds_of_sets,
            set_of: &set_of,
        };
        let Some(reached) = one_ply.first_reached(&search) else {
            return Ok(None);
        };
        let differs = AtomicBool::new(false);
        let chunks = values.par_chunks_mut(CHUNK).enumerate();
        chunks.try_for_each(|(part, values)| {
            let first = part * CHUNK;
            let mut facts = Vec::new();
            let all = first as u64..(first + values.len()) as u64;
            self.tables.facts_of(&self.ask, all, &mut facts)?;
            for (place, (value, facts)) in values.iter_mut().zip(&facts).enumerate() {
                let number = first + place;
                let (Some(facts), Some(1..)) = (facts, kinds.get(number)) else {
                    continue;
                };
                let quiet = reached
                    .get(number)
                    .filter(|set| **set != QuietSearch::NO_SET);
                let quiet = quiet.and_then(|&set| sets.worths.get(usize::from(set)).copied());
                let found = self.with_settling(number as u64, facts, quiet)?;
                let searched = match found {
                    Some(_) if !is_sampled(number as u64) => None,
                    _ => Some(self.search(number as u64, facts)?),
                };
                if let (Some(found), Some(searched)) = (found, searched) {
                    differs.fetch_or(found != searched, Ordering::Relaxed);
                }
                *value = found.or(searched).unwrap_or(score::DRAW);
            }
            Ok::<_, ProbeError>(())
        })?;
        if differs.into_inner() {
            return Ok(None);
        }
        Ok(Some(values))
    }

    /// The values that follow from what is known of positions, and the kinds of the others.
    fn open_values(&self) -> Result<(Vec<i16>, Vec<u8>), ProbeError> {
        let len = self.table.index().len() as usize;
        let (mut values, mut kinds) = (vec![score::DRAW; len], vec![0; len]);
        values
            .par_chunks_mut(CHUNK)
            .zip(kinds.par_chunks_mut(CHUNK))
            .enumerate()
            .try_for_each(|(part, (values, kinds))| {
                let first = (part * CHUNK) as u64;
                let mut all = Vec::new();
                let range = first..first + values.len() as u64;
                self.tables.facts_of(&self.ask, range, &mut all)?;
                for ((value, kind), facts) in values.iter_mut().zip(kinds).zip(&all) {
                    let Some((result, facts)) = facts.as_ref().and_then(|f| Some((f.result?, f)))
                    else {
                        continue;
                    };
                    match known_distance(self.worth.metric, result, facts.is_zeroing) {
                        Some(known) => *value = known,
                        None => *kind = self.worth.kind(result),
                    }
                }
                Ok::<_, ProbeError>(())
            })?;
        Ok((values, kinds))
    }

    /// Calls `visit` with the number for result and value together of each index, the other
    /// side to move.
    fn after(&self, range: Range<u64>, mut visit: impl FnMut(usize)) -> Result<(), ProbeError> {
        let (index, metric) = (self.table.index(), self.worth.metric);
        let turn = self.turn.other();
        let there = self.tables.other_side(self.table, self.turn)?;
        let Some(values) = there.and_then(|table| InOrder::kept(table, turn, index)) else {
            return Ok(());
        };
        let mut results = Vec::new();
        if metric == Metric::Dtz
            && let Some(wdl) = self.tables.table(index.material(), Metric::Wdl)?
            && let Some(wdl) = InOrder::kept(wdl, turn, index)
        {
            wdl.each(range.clone(), |result| {
                results.push(Wdl::from_value(result))
            });
        }
        let mut results = results.into_iter();
        values.each(range, |value| {
            visit(pair(results.next().unwrap_or(Wdl::Draw), value));
        });
        Ok(())
    }

    /// The sets of the positions after a move; `None` if they are too many.
    fn sets(&self) -> Result<Option<Sets>, ProbeError> {
        let len = self.table.index().len();
        let chunks = (0..len.div_ceil(CHUNK as u64) as usize).into_par_iter();
        let none = || vec![false; PAIRS];
        let occurs = chunks
            .with_min_len(64)
            .try_fold(none, |mut occurs, part| {
                let first = (part * CHUNK) as u64;
                self.after(first..len.min(first + CHUNK as u64), |pair| {
                    occurs[pair] = true;
                })?;
                Ok(occurs)
            })
            .try_reduce(none, |mut all, other| {
                all.iter_mut().zip(other).for_each(|(a, b)| *a |= b);
                Ok::<_, ProbeError>(all)
            })?;
        Ok(Sets::new(&self.worth, &occurs))
    }

    /// The value of a position from what its quiet moves give, if that and its settling moves
    /// decide.
    fn with_settling(
        &self,
        index: u64,
        facts: &Context,
        quiet: Option<i16>,
    ) -> Result<Option<i16>, ProbeError> {
        let wins = facts.result.is_some_and(Wdl::is_win);
        let is_dtz = self.worth.metric == Metric::Dtz;
        // For DTZ a double step matters as a zeroing move that keeps the win.
        if (wins || !is_dtz)
            && let Some(steps) = &self.steps
        {
            let mut squares = [Square(0); Material::MOST_PIECES];
            let squares = &mut squares[..self.table.index().pieces()];
            if self.table.index().decode(index, squares) && steps.may_be_taken(squares) {
                return Ok(None);
            }
        }
        if is_dtz {
            return Ok(quiet);
        }
        let is_worse = |best: Wdl| wins && best >= Wdl::Draw;
        if facts.best.is_none_or(is_worse) {
            return Ok(quiet);
        }
        let Some(position) = self.position(index) else {
            return Ok(None);
        };
        let mut found = quiet;
        for &mv in &position.captures_and_promotions() {
            let (after, material) = (position.play(mv), self.table.index().material());
            let known = &mut Known::default();
            let Some(there) = self.tables.dtm_apart(material, &after, known)? else {
                return Ok(None);
            };
            let here = one_ply_before(there);
            found = Some(found.map_or(here, |found| better(found, here)));
        }
        Ok(found)
    }

    fn position(&self, index: u64) -> Option<Position> {
        let mut squares = [Square(0); Material::MOST_PIECES];
        let pieces = self.table.index().pieces();
        self.ask.position(index, squares.get_mut(..pieces)?)
    }

    /// The value of a position by a search of its own.
    fn search(&self, index: u64, facts: &Context) -> Result<i16, ProbeError> {
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..self.table.index().pieces()];
        let Some(position) = self.ask.position(index, squares) else {
            return Ok(score::DRAW);
        };
        let mut known = Known {
            best: Some(facts.best),
            result: facts.result,
            quiet: true,
            ..Known::default()
        };
        let material = self.table.index().material();
        let near = Some(&self.quiet.near(squares));
        let place = (self.table, self.turn);
        self.tables
            .value_from_successors(&position, material, place, &mut known, near)
    }
}
