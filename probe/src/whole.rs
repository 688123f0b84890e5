//! Reading whole tables: the values of many indices at a time, where single ones
//! would each need a search of their own.

mod ask;

use std::ops::Range;
use std::sync::Arc;

use retrograde_index::{Index, Metric, Reindexing, score};
use retrograde_rules::{Colour, Material, Position, Square};

use crate::Wdl;
use crate::error::{ProbeError, TableError, TableFault};
use crate::format::header::rank;
use crate::format::learned::{BATCH, Scratch};
use crate::format::{Codec, Section, Table};
use crate::known::Known;
use crate::resolve::{drawn, known_distance};
use crate::settled::Settled;
use crate::tablebase::Tablebase;
pub(crate) use ask::{Ask, Context};

impl Tablebase {
    /// The values of the indices from `first` on in a table, as many as `values`
    /// has room for, for a side to move, even if the table does not have it. With
    /// nothing to search for this is [`Table::read`].
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn read(
        &self,
        table: &Table,
        turn: Colour,
        first: u64,
        values: &mut [i16],
    ) -> Result<(), ProbeError> {
        self.read_some(table, turn, first, values, |_| true)
    }

    /// The same for those indices that are asked for, by their places; others may have any
    /// value.
    pub(crate) fn read_some(
        &self,
        table: &Table,
        turn: Colour,
        first: u64,
        values: &mut [i16],
        is_asked: impl Fn(usize) -> bool,
    ) -> Result<(), ProbeError> {
        let positions = table.header().positions;
        let end = first.checked_add(values.len() as u64);
        if end.is_none_or(|end| end > positions) {
            let index = first.max(positions);
            let fault = TableFault::NoSuchIndex { index, positions };
            return Err(self.bad_table(table, table.error(fault)));
        }
        if table
            .kept(turn)
            .is_some_and(|kept| kept.copy(first, values))
        {
            return Ok(());
        }
        match table.header().section(turn) {
            None => self.read_other_side(table, turn, first, values),
            Some(section) if table.header().codec == Codec::Learned => {
                self.read_learned((table, section), first, values, is_asked)
            }
            Some(_) => {
                let read = table.read(turn, first, values);
                read.map_err(|error| self.bad_table(table, error))
            }
        }
    }

    /// The same for a section in the codec `learned`.
    fn read_learned(
        &self,
        (table, section): (&Table, &Section),
        first: u64,
        values: &mut [i16],
        is_asked: impl Fn(usize) -> bool,
    ) -> Result<(), ProbeError> {
        if section.asks_result {
            self.check_own_needs(table)?;
        }
        let mut scratch = Scratch::default();
        for (batch, values) in values.chunks_mut(BATCH).enumerate() {
            let before = batch * BATCH;
            let is_asked = |place| is_asked(before + place);
            let first = first + before as u64;
            self.read_batch((table, section), first, values, is_asked, &mut scratch)?;
        }
        Ok(())
    }

    fn read_batch(
        &self,
        (table, section): (&Table, &Section),
        first: u64,
        values: &mut [i16],
        is_asked: impl Fn(usize) -> bool,
        scratch: &mut Scratch,
    ) -> Result<(), ProbeError> {
        let read = if section.asks_result {
            let metric = table.header().metric;
            let ask = Ask::new(self.game(), table.index(), section.turn, metric).with_result();
            let indices = first..first + values.len() as u64;
            let results = self.all_results_of(&ask, indices)?;
            // Of draws nothing is stored; what is asked for of the others is read below.
            values.fill(drawn(metric, Wdl::Draw).unwrap_or_default());
            // Looked up: branches on results would be mispredicted.
            let by_value = [-2, -1, 0, 1, 2].map(|value| rank(Wdl::from_value(value)));
            let rank_of = |&result: &i16| by_value[(result.clamp(-2, 2) + 2) as usize];
            let ranks: Vec<u8> = results.iter().map(rank_of).collect();
            let is_stored = |place| ranks.get(place).is_some_and(|&r| r != rank(Wdl::Draw));
            let is_asked = |place| is_stored(place) && is_asked(place);
            table.learned_values(section, first, (&ranks, is_asked), values, scratch)
        } else {
            table.learned_values(section, first, (&[], is_asked), values, scratch)
        };
        read.map_err(|fault| self.bad_table(table, table.error(fault)))
    }

    /// Who wins, for a range of indices, position by position if there is no quicker way; then
    /// it is a draw for an index that stands for none.
    pub(crate) fn all_results_of(
        &self,
        ask: &Ask,
        indices: Range<u64>,
    ) -> Result<Vec<i16>, ProbeError> {
        let results = self.results_of(ask, indices.clone())?;
        if !results.is_empty() {
            return Ok(results);
        }
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..ask.index.pieces()];
        indices
            .map(|index| {
                let Some(position) = ask.position(index, squares) else {
                    return Ok(score::DRAW);
                };
                let material = ask.index.material();
                let result = self.known_result(&position, material, &mut Known::default())?;
                Ok(result.to_value())
            })
            .collect()
    }

    /// What is known of the positions of some indices beside what is stored of them;
    /// nothing for an index that stands for no position.
    pub(crate) fn facts_of(
        &self,
        ask: &Ask,
        indices: Range<u64>,
        all: &mut Vec<Option<Context>>,
    ) -> Result<(), ProbeError> {
        let settled = self.settled_of(ask.index);
        let results = self.results_of(ask, indices.clone())?;
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..ask.index.pieces()];
        all.clear();
        for (place, index) in indices.enumerate() {
            let best = match settled.map(|settled| settled.best(ask.turn, index)) {
                Some(None) => {
                    all.push(None);
                    continue;
                }
                Some(Some(best)) => Some(best),
                None => None,
            };
            let result = results.get(place).map(|&value| Wdl::from_value(value));
            let pawns = || settled?.best_pawn_move(ask.turn, index);
            let facts = match ask.facts(best, result, pawns) {
                Some(facts) => Some(facts),
                // That takes the position.
                None => match ask.position(index, squares) {
                    Some(position) => {
                        let known = &mut Known {
                            best,
                            result,
                            ..Known::default()
                        };
                        Some(self.facts(&position, ask, known)?)
                    }
                    None => None,
                },
            };
            all.push(facts);
        }
        Ok(())
    }

    fn facts(
        &self,
        position: &Position,
        ask: &Ask,
        known: &mut Known,
    ) -> Result<Context, ProbeError> {
        let best = match ask.settled {
            true => self.best(position, known)?,
            false => None,
        };
        let result = match ask.result {
            true => Some(self.known_result(position, ask.index.material(), known)?),
            false => None,
        };
        let is_zeroing = self.is_zeroing(position, ask.metric, best, result)?;
        Ok(Context {
            best,
            result,
            is_zeroing,
        })
    }

    /// Who wins, for a range of indices, if that is asked for and the WDL table has
    /// the same order or is kept in memory; else nothing.
    pub(crate) fn results_of(
        &self,
        ask: &Ask,
        indices: Range<u64>,
    ) -> Result<Vec<i16>, ProbeError> {
        if !ask.result {
            return Ok(Vec::new());
        }
        let Some(wdl) = self.table(ask.index.material(), Metric::Wdl)? else {
            return Ok(Vec::new());
        };
        if !wdl.index().order().eq(ask.index.order()) {
            let reindexing = Reindexing::new(ask.index, wdl.index());
            let (Some(kept), Some(reindexing)) = (wdl.kept(ask.turn), reindexing) else {
                return Ok(Vec::new());
            };
            let mut results = Vec::with_capacity((indices.end - indices.start) as usize);
            reindexing.each(indices, |index| {
                results.push(kept.get(index).unwrap_or(score::DRAW));
            });
            return Ok(results);
        }
        let mut results = vec![score::DRAW; (indices.end - indices.start) as usize];
        self.read(wdl, ask.turn, indices.start, &mut results)?;
        Ok(results)
    }

    /// The values of a side to move that the table does not have.
    fn read_other_side(
        &self,
        table: &Table,
        turn: Colour,
        first: u64,
        values: &mut [i16],
    ) -> Result<(), ProbeError> {
        let header = table.header();
        let (metric, material) = (header.metric, &header.material);
        let ask = Ask::new(self.game(), table.index(), turn, metric);
        // Most of DTZ follows from what is kept in memory, and draws do for DTM too.
        let ask = match metric {
            Metric::Dtz => ask.with_result().with_settled(),
            Metric::Dtm => ask.with_result(),
            _ => ask,
        };
        let at_hand = self.settled_of(ask.index).is_some();
        if at_hand {
            self.check_needs(table)?;
        }
        let quiet = self.quiet(material, turn, table);
        let mut facts = Vec::new();
        let mut squares = [Square(0); Material::MOST_PIECES];
        let squares = &mut squares[..table.index().pieces()];
        for (batch, values) in (0..).zip(values.chunks_mut(BATCH)) {
            let first = first + batch * BATCH as u64;
            if at_hand {
                self.facts_of(&ask, first..first + values.len() as u64, &mut facts)?;
            }
            for (place, value) in values.iter_mut().enumerate() {
                *value = score::DRAW;
                let mut known = Known::default();
                if at_hand {
                    let Some(facts) = facts.get(place).copied().flatten() else {
                        continue;
                    };
                    if let Some(result) = facts.result {
                        if let Some(distance) = known_distance(metric, result, facts.is_zeroing) {
                            *value = distance;
                            continue;
                        }
                        known = Known {
                            best: ask.settled.then_some(facts.best),
                            result: facts.result,
                            quiet: ask.settled,
                            ..Known::default()
                        };
                    }
                }
                if let Some(position) = ask.position(first + place as u64, squares) {
                    let near = Some(&quiet.near(squares));
                    let place = (table, turn);
                    *value =
                        self.value_from_successors(&position, material, place, &mut known, near)?;
                }
            }
        }
        Ok(())
    }

    /// What is known of the settling moves of a material's positions, if that was worked
    /// out for this order of indices.
    pub(crate) fn settled_of(&self, index: &Index) -> Option<&Settled> {
        let entry = self.store.entry(index.material())?;
        let settled = self.store.settled(entry).get()?;
        settled.fits(index).then_some(settled)
    }

    fn bad_table(&self, table: &Table, error: TableError) -> ProbeError {
        self.table_error(&table.header().material, Arc::new(error))
    }
}
