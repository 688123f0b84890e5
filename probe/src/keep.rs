//! Whole tables in memory, for work on all positions of a material: packing,
//! proving, counting.

mod double_steps;
mod in_order;
mod missing_side;
mod one_ply;
mod sets;

use std::sync::Arc;

use rayon::prelude::*;
use retrograde_index::{Index, Metric, Wdl};
use retrograde_rules::{Colour, Material, Position, Square};

use crate::error::ProbeError;
use crate::format::{Need, SideValues, Table};
use crate::known::Known;
use crate::reached::turns_after;
use crate::settled::{Settled, number};
use crate::tablebase::Tablebase;
use crate::whole::Ask;
use one_ply::sampled;
pub use one_ply::{OnePly, QuietMoves, QuietSearch};

/// How many indices a task has.
const CHUNK: usize = 1 << 14;

/// Whether to give up; asked again and again during long work.
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

impl Tablebase {
    /// Takes a searcher of all positions of a material at once. Without one, each position is
    /// searched where whole tables are read. Does nothing if there is one already.
    pub fn search_with(&self, one_ply: Arc<dyn OnePly>) {
        let _ = self.one_ply.set(one_ply);
    }

    /// Makes [`Tablebase::read`] quick for all of a table: what its values rest on is
    /// read into memory and stays there as long as the tablebase. A table that rests
    /// on nothing needs no preparation. Runs in the current rayon pool.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn prepare(&self, table: &Table) -> Result<(), ProbeError> {
        self.prepare_until(table, &|| false)
    }

    /// The same, unless `stop` says to give up.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`ProbeError::Stopped`].
    pub fn prepare_until(&self, table: &Table, stop: Stop<'_>) -> Result<(), ProbeError> {
        self.keeper(stop).prepare(table)?;
        let mut turns = Colour::BOTH.into_iter();
        turns.try_for_each(|turn| self.keep_missing_side(table, turn))
    }

    /// The same for a table of an index that does not exist yet, and will rest on `needs`.
    ///
    /// # Errors
    /// See [`ProbeError`].
    #[cfg(feature = "write")]
    pub(crate) fn prepare_for(
        &self,
        (index, metric): (&Index, Metric),
        needs: &[Need],
    ) -> Result<(), ProbeError> {
        let keeper = self.keeper(&|| false);
        keeper.keep_needs(index.material(), needs)?;
        // Successors are needed only for a side to move that may be left out.
        match needs.iter().any(|need| need.material != *index.material()) {
            true => keeper.settle(index, metric),
            false => Ok(()),
        }
    }

    /// Reads some sides to move of a table into memory, where they stay; does nothing if
    /// there is none.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn keep(
        &self,
        material: &Material,
        metric: Metric,
        turns: &[Colour],
    ) -> Result<(), ProbeError> {
        self.keeper(&|| false).keep(material, metric, turns)
    }

    /// All values of a table for a side to move, even if the table does not have it.
    /// [`Tablebase::prepare`] makes this quick. Runs in the current rayon pool.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn read_side(&self, table: &Table, turn: Colour) -> Result<Vec<i16>, ProbeError> {
        self.keeper(&|| false).read_side(table, turn)
    }

    /// Keeps the values of a side to move in memory if the table does not have them, and they
    /// can be found for all positions at once.
    pub(crate) fn keep_missing_side(&self, table: &Table, turn: Colour) -> Result<(), ProbeError> {
        if table.header().section(turn).is_none()
            && table.kept(turn).is_none()
            && let Some(values) = self.missing_side(table, turn)?
        {
            table.keep(turn, SideValues::new(values));
        }
        Ok(())
    }

    /// Whether all values of a table for a side to move are kept in memory.
    pub fn is_kept(&self, material: &Material, metric: Metric, turn: Colour) -> bool {
        let table = self.table(material, metric);
        matches!(table, Ok(Some(table)) if table.kept(turn).is_some())
    }

    /// Keeps all values of a table for a side to move in memory, which the caller knows from
    /// elsewhere: the values that the table would give, in the order of its index. Does
    /// nothing if they are kept already, or are more or fewer than it has indices.
    pub fn set_kept(&self, table: &Table, turn: Colour, values: Vec<i16>) {
        if values.len() as u64 == table.header().positions {
            table.keep(turn, SideValues::new(values));
        }
    }

    /// Whether it is known what the settling moves of all positions of `index` are worth.
    pub fn is_settled(&self, index: &Index) -> bool {
        self.settled_of(index).is_some()
    }

    /// Takes what the settling moves of all positions are worth from the caller, for each
    /// side to move and each index: see [`settled_number`]. [`Tablebase::prepare`] would
    /// work out the same, with a search of each position. Returns whether they are right:
    /// one index in 64 is looked at that way. If not, nothing is done.
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn set_settled(&self, index: &Index, best: [Vec<u8>; 2]) -> Result<bool, ProbeError> {
        for (turn, numbers) in Colour::BOTH.into_iter().zip(&best) {
            let is_right = numbers.len() as u64 == index.len()
                && self.check_settled((index, turn), numbers)?;
            if !is_right {
                return Ok(false);
            }
        }
        if let Some(entry) = self.store.entry(index.material()) {
            let _ = self.store.settled(entry).set(Settled::new(index, best));
        }
        Ok(true)
    }

    fn check_settled(
        &self,
        (index, turn): (&Index, Colour),
        numbers: &[u8],
    ) -> Result<bool, ProbeError> {
        let ask = Ask::new(self.game(), index, turn, Metric::Wdl);
        sampled(index.len())
            .map(|number| {
                let mut squares = [Square(0); Material::MOST_PIECES];
                let squares = &mut squares[..index.pieces()];
                let first = index.is_canonical(number).then_some(number);
                let position = first.and_then(|number| ask.position(number, squares));
                let best = match position {
                    Some(position) => Some(self.best(&position, &mut Known::default())?),
                    None => None,
                };
                Ok(numbers.get(number as usize) == Some(&settled_number(best)))
            })
            .try_reduce(|| true, |a, b| Ok(a && b))
    }

    fn keeper<'a>(&'a self, stop: Stop<'a>) -> Keeper<'a> {
        Keeper { tables: self, stop }
    }
}

/// The number that stands for the value of the best settling move of a position, `None` if
/// there is none; and for an index that stands for no position, or not for the first of
/// those that are the same.
pub fn settled_number(best: Option<Option<Wdl>>) -> u8 {
    best.map_or(Settled::NO_POSITION, number)
}

/// Reads whole tables into memory until it is stopped.
struct Keeper<'a> {
    tables: &'a Tablebase,
    stop: Stop<'a>,
}

impl Keeper<'_> {
    fn go_on(&self) -> Result<(), ProbeError> {
        match (self.stop)() {
            true => Err(ProbeError::Stopped),
            false => Ok(()),
        }
    }

    /// Keeps what all values of a table rest on.
    fn prepare(&self, table: &Table) -> Result<(), ProbeError> {
        let header = table.header();
        self.prepare_stored(table)?;
        if header.sections.len() > 1 {
            return Ok(());
        }
        self.keep_needs(&header.material, &header.needs)?;
        let is_swapped = header.material.is_symmetric(self.tables.game());
        // Without needs the tables that this takes may be missing.
        if !is_swapped && !header.needs.is_empty() {
            self.settle(table.index(), header.metric)?;
        }
        // The side that is missing asks for random positions of the other, in the table
        // that is found, which may have been opened anew.
        match self.tables.table(&header.material, header.metric)? {
            Some(found) => {
                let mut sections = found.header().sections.iter();
                sections.try_for_each(|section| self.keep_side(found, section.turn))
            }
            None => Ok(()),
        }
    }

    /// Keeps what the sides to move rest on that a table has: who wins, or nothing.
    fn prepare_stored(&self, table: &Table) -> Result<(), ProbeError> {
        let header = table.header();
        let asking = header.sections.iter().filter(|section| section.asks_result);
        let turns: Vec<Colour> = asking.map(|section| section.turn).collect();
        match turns.is_empty() {
            true => Ok(()),
            false => self.keep(&header.material, Metric::Wdl, &turns),
        }
    }

    /// Keeps what a table of a material rests on.
    fn keep_needs(&self, material: &Material, needs: &[Need]) -> Result<(), ProbeError> {
        let game = self.tables.game();
        for need in needs {
            match need.metric {
                // A table whose own side is missing asks for the side that this one has.
                Metric::Dtm => self.keep_stored(&need.material, need.metric)?,
                metric if need.material == *material => {
                    self.keep(material, metric, &Colour::BOTH)?;
                }
                metric => {
                    let turns = turns_after(game, material, &need.material);
                    self.keep(&need.material, metric, &turns)?;
                }
            }
        }
        Ok(())
    }

    /// Keeps the sides to move that a table has in memory.
    fn keep_stored(&self, material: &Material, metric: Metric) -> Result<(), ProbeError> {
        let Some(table) = self.tables.table(material, metric)? else {
            return Ok(());
        };
        let turns: Vec<Colour> = table.header().sides().turns().collect();
        if turns.iter().all(|&turn| table.kept(turn).is_some()) {
            return Ok(());
        }
        self.prepare_stored(table)?;
        let mut turns = turns.into_iter();
        turns.try_for_each(|turn| self.keep_side(table, turn))
    }

    fn keep(
        &self,
        material: &Material,
        metric: Metric,
        turns: &[Colour],
    ) -> Result<(), ProbeError> {
        let Some(table) = self.tables.table(material, metric)? else {
            return Ok(());
        };
        if turns.iter().all(|&turn| table.kept(turn).is_some()) {
            return Ok(());
        }
        // The stored side first: the other follows from it.
        let is_missing = |turn: &Colour| table.header().section(*turn).is_none();
        let mut turns = match turns.iter().any(is_missing) {
            true => {
                self.prepare(table)?;
                Colour::BOTH.to_vec()
            }
            false => {
                self.prepare_stored(table)?;
                turns.to_vec()
            }
        };
        turns.sort_by_key(is_missing);
        turns
            .iter()
            .try_for_each(|&turn| self.keep_side(table, turn))
    }

    fn keep_side(&self, table: &Table, turn: Colour) -> Result<(), ProbeError> {
        if table.kept(turn).is_none() {
            table.keep(turn, SideValues::new(self.read_side(table, turn)?));
        }
        Ok(())
    }

    fn read_side(&self, table: &Table, turn: Colour) -> Result<Vec<i16>, ProbeError> {
        if table.header().section(turn).is_none()
            && table.kept(turn).is_none()
            && let Some(values) = self.tables.missing_side(table, turn)?
        {
            return Ok(values);
        }
        let mut values = vec![0; table.header().positions as usize];
        // Whole blocks a task, so that none is unpacked twice.
        let block = table.block_len(turn).unwrap_or(1).max(1) as usize;
        let chunk = block * CHUNK.div_ceil(block);
        values
            .par_chunks_mut(chunk)
            .enumerate()
            .try_for_each(|(part, out)| {
                self.go_on()?;
                self.tables.read(table, turn, (part * chunk) as u64, out)
            })?;
        Ok(values)
    }

    /// Works out what the settling moves of all positions of a material are worth,
    /// and the pawn moves too if the metric asks for them; does nothing if that has
    /// been done for an index in the same order.
    fn settle(&self, index: &Index, metric: Metric) -> Result<(), ProbeError> {
        let Some(entry) = self.tables.store.entry(index.material()) else {
            return Ok(());
        };
        let place = self.tables.store.settled(entry);
        if place.get().is_none() {
            let best = self.columns(index, None, |position| {
                let known = &mut Known::default();
                self.tables.best(position, known)
            })?;
            // Another thread may have been faster; its values are the same.
            let _ = place.set(Settled::new(index, best));
        }
        match place.get() {
            Some(settled) if metric == Metric::Dtz && settled.fits(index) => {
                self.keep(index.material(), Metric::Wdl, &Colour::BOTH)?;
                settled.add_pawns(|| match self.tables.pawn_moves(index, settled)? {
                    Some(columns) => Ok(columns),
                    None => self.columns(index, Some(settled), |p| self.tables.best_pawn_move(p)),
                })
            }
            _ => Ok(()),
        }
    }

    /// A column of numbers for each side to move: the values of all positions or, given
    /// what settling moves are worth, of those that are won though none of these keeps the
    /// win.
    fn columns(
        &self,
        index: &Index,
        settled: Option<&Settled>,
        value: impl Fn(&Position) -> Result<Option<Wdl>, ProbeError> + Sync,
    ) -> Result<[Vec<u8>; 2], ProbeError> {
        let mut columns = [(); 2].map(|()| vec![Settled::NO_POSITION; index.len() as usize]);
        for turn in Colour::BOTH {
            let ask = Ask::new(self.tables.game(), index, turn, Metric::Wdl);
            let ask = if settled.is_some() {
                ask.with_result()
            } else {
                ask
            };
            columns[turn.index()]
                .par_chunks_mut(CHUNK)
                .enumerate()
                .try_for_each(|(part, out)| {
                    self.go_on()?;
                    let mut squares = [Square(0); Material::MOST_PIECES];
                    let squares = &mut squares[..index.pieces()];
                    let first = (part * CHUNK) as u64;
                    let results = self
                        .tables
                        .results_of(&ask, first..first + out.len() as u64)?;
                    for (place, out) in out.iter_mut().enumerate() {
                        let index = first + place as u64;
                        if let Some(settled) = settled {
                            let Some(best) = settled.best(turn, index) else {
                                continue;
                            };
                            let result = results.get(place).map(|&value| Wdl::from_value(value));
                            if result.is_some_and(|r| r >= Wdl::Draw || best == Some(r)) {
                                *out = number(None);
                                continue;
                            }
                        }
                        if let Some(position) = ask.position(index, squares) {
                            *out = number(value(&position)?);
                        }
                    }
                    Ok::<_, ProbeError>(())
                })?;
        }
        Ok(columns)
    }
}
