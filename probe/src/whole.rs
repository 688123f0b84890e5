//! Whole tables: the values of many indices at a time, and tables in memory, for work on all
//! positions of a material such as packing, proving and counting.

use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "keep")]
use rayon::prelude::*;
use retrograde_index::{Index, Metric, Reindexing, score};
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square};

use crate::Wdl;
use crate::error::{ProbeError, TableError, TableFault};
#[cfg(feature = "keep")]
use crate::format::Need;
use crate::format::header::rank;
use crate::format::learned::{BATCH, Scratch};
use crate::format::{Codec, Section, SideValues, Table};
use crate::known::Known;
#[cfg(feature = "keep")]
use crate::reached::turns_after;
use crate::resolve::drawn;
use crate::store::Squares;
use crate::tablebase::Tablebase;

/// Whether to give up; asked again and again during long work.
#[cfg(feature = "keep")]
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// How many indices a task reads, if blocks do not matter.
#[cfg(feature = "keep")]
const CHUNK: usize = 1 << 14;

impl Tablebase {
    /// Reads the values of the indices from `first` on in a table, as many as `values`
    /// has room for, for a side to move, even if the table does not store it. If the table
    /// depends on no other, this is [`Table::read`].
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn read_range(
        &self,
        table: &Table,
        turn: Colour,
        first: u64,
        values: &mut [i16],
    ) -> Result<(), ProbeError> {
        self.read_some(table, turn, first, values, |_| true)
    }

    /// Reads the values of those indices from `first` on that are asked for, by their places in
    /// `values`; others may get any value. See [`Tablebase::read_range`].
    ///
    /// # Errors
    /// See [`ProbeError`].
    pub fn read_some(
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
            .in_memory(turn)
            .is_some_and(|side| side.copy(first, values))
        {
            return Ok(());
        }
        match table.header().section(turn) {
            None => self.read_unstored(table, turn, first, values, is_asked),
            Some(section) if table.header().codec == Codec::Learned => {
                self.read_learned((table, section), first, values, is_asked)
            }
            Some(_) => {
                let read = table.read(turn, first, values);
                read.map_err(|error| self.bad_table(table, error))
            }
        }
    }

    /// Reads a range of a section in the codec `learned`.
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
            let indices = first..first + values.len() as u64;
            let results = self.results_of(table.index(), section.turn, indices)?;
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
    pub(crate) fn results_of(
        &self,
        index: &Index,
        turn: Colour,
        indices: Range<u64>,
    ) -> Result<Vec<i16>, ProbeError> {
        if let Some(results) = self.results_at_hand(index, turn, indices.clone())? {
            return Ok(results);
        }
        let positions = Positions::new(self.game(), index, turn);
        let mut squares = Squares::default();
        let squares = &mut squares[..index.pieces()];
        indices
            .map(|number| {
                let Some(position) = positions.position(number, squares) else {
                    return Ok(score::DRAW);
                };
                let material = index.material();
                let result = self.known_result(&position, material, &mut Known::default())?;
                Ok(result.to_value())
            })
            .collect()
    }

    /// Who wins, for a range of indices, if there is a WDL table that has the same order or is
    /// in memory.
    fn results_at_hand(
        &self,
        index: &Index,
        turn: Colour,
        indices: Range<u64>,
    ) -> Result<Option<Vec<i16>>, ProbeError> {
        let Some(wdl) = self.table(index.material(), Metric::Wdl)? else {
            return Ok(None);
        };
        let mut results = vec![score::DRAW; (indices.end - indices.start) as usize];
        if wdl.index().order().eq(index.order()) {
            self.read_range(wdl, turn, indices.start, &mut results)?;
            return Ok(Some(results));
        }
        let reindexing = Reindexing::new(index, wdl.index());
        let (Some(side), Some(reindexing)) = (wdl.in_memory(turn), reindexing) else {
            return Ok(None);
        };
        let mut next = results.iter_mut();
        reindexing.each(indices, |index| {
            if let Some(result) = next.next() {
                *result = side.get(index).unwrap_or(score::DRAW);
            }
        });
        Ok(Some(results))
    }

    /// Reads a range of a side to move that the table does not store.
    fn read_unstored(
        &self,
        table: &Table,
        turn: Colour,
        first: u64,
        values: &mut [i16],
        is_asked: impl Fn(usize) -> bool,
    ) -> Result<(), ProbeError> {
        let header = table.header();
        let (metric, material) = (header.metric, &header.material);
        self.check_needs(table)?;
        if let Some(other) = table.in_memory(turn.other())
            && material.is_symmetric(self.game())
        {
            self.read_swapped(table.index(), other, first, values);
            return Ok(());
        }
        let positions = Positions::new(self.game(), table.index(), turn);
        let quiet = self.quiet(material, turn, table);
        let mut squares = Squares::default();
        let squares = &mut squares[..table.index().pieces()];
        for (batch, values) in values.chunks_mut(BATCH).enumerate() {
            let before = batch * BATCH;
            let first = first + before as u64;
            // Distances of draws follow from who wins.
            let results = match metric {
                Metric::Dtm | Metric::Dtz => {
                    let indices = first..first + values.len() as u64;
                    self.results_at_hand(table.index(), turn, indices)?
                }
                _ => None,
            };
            for (place, value) in values.iter_mut().enumerate() {
                *value = score::DRAW;
                if !is_asked(before + place) {
                    continue;
                }
                let result = results.as_ref().and_then(|results| results.get(place));
                let result = result.map(|&result| Wdl::from_value(result));
                if let Some(drawn) = result.and_then(|result| drawn(metric, result)) {
                    *value = drawn;
                } else if let Some(position) = positions.position(first + place as u64, squares) {
                    let mut known = Known {
                        result,
                        ..Known::default()
                    };
                    let near = Some(&quiet.near(squares));
                    let side = (table, turn);
                    *value =
                        self.value_from_successors(&position, material, side, &mut known, near)?;
                }
            }
        }
        Ok(())
    }

    /// Reads a range of a side to move that has the values of the other with colours swapped.
    fn read_swapped(&self, index: &Index, other: &SideValues, first: u64, values: &mut [i16]) {
        let (mirror, geometry) = (
            self.game().interchange(index.material()),
            self.game().geometry(),
        );
        let mut squares = Squares::default();
        let squares = &mut squares[..index.pieces()];
        for (number, value) in (first..).zip(values) {
            *value = score::DRAW;
            if !index.decode(number, squares) {
                continue;
            }
            // White's pieces come first, and Black has the same.
            squares.rotate_left(index.pieces() / 2);
            for square in &mut *squares {
                *square = mirror.image(geometry, *square);
            }
            let found = index.encode(squares).and_then(|number| other.get(number));
            *value = found.unwrap_or(score::DRAW);
        }
    }

    fn bad_table(&self, table: &Table, error: TableError) -> ProbeError {
        self.table_error(&table.header().material, Arc::new(error))
    }
}

#[cfg(feature = "keep")]
impl Tablebase {
    /// Makes [`Tablebase::read_range`] quick for all of a table: loads what its values depend on
    /// into memory, where it stays as long as the tablebase, and if the table lacks a side to
    /// move, the other. Does nothing for a table that depends on no other. Runs in the current
    /// rayon pool, unless `stop` says to give up.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`ProbeError::Stopped`].
    pub fn prepare(&self, table: &Table, stop: Stop<'_>) -> Result<(), ProbeError> {
        let header = table.header();
        let asking = header.sections.iter().filter(|section| section.asks_result);
        let turns: Vec<Colour> = asking.map(|section| section.turn).collect();
        if !turns.is_empty() {
            self.load(&header.material, Metric::Wdl, &turns, stop)?;
        }
        if header.sections.len() < 2 {
            self.load_needs(&header.material, &header.needs, stop)?;
            for section in &header.sections {
                self.load_side(table, section.turn, stop)?;
            }
        }
        Ok(())
    }

    /// Loads what a table of a material depends on.
    pub(crate) fn load_needs(
        &self,
        material: &Material,
        needs: &[Need],
        stop: Stop<'_>,
    ) -> Result<(), ProbeError> {
        for need in needs {
            let turns = match need.metric {
                // A table whose own side is missing asks for the side that this one has.
                Metric::Dtm => match self.table(&need.material, need.metric)? {
                    Some(table) => table.header().sides().turns().collect(),
                    None => continue,
                },
                _ if need.material == *material => Colour::BOTH.to_vec(),
                _ => turns_after(self.game(), material, &need.material),
            };
            self.load(&need.material, need.metric, &turns, stop)?;
        }
        Ok(())
    }

    /// Loads some sides to move of a table into memory, where they stay; does nothing if
    /// there is none.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`ProbeError::Stopped`].
    pub fn load(
        &self,
        material: &Material,
        metric: Metric,
        turns: &[Colour],
        stop: Stop<'_>,
    ) -> Result<(), ProbeError> {
        let Some(table) = self.table(material, metric)? else {
            return Ok(());
        };
        if turns.iter().all(|&turn| table.in_memory(turn).is_some()) {
            return Ok(());
        }
        self.prepare(table, stop)?;
        let mut turns = turns.iter();
        turns.try_for_each(|&turn| self.load_side(table, turn, stop))
    }

    fn load_side(&self, table: &Table, turn: Colour, stop: Stop<'_>) -> Result<(), ProbeError> {
        if table.in_memory(turn).is_none() {
            table.set_in_memory(turn, self.read_side(table, turn, stop)?);
        }
        Ok(())
    }

    /// All values of a table for a side to move, even if the table does not store it.
    /// [`Tablebase::prepare`] makes this quick. Runs in the current rayon pool, unless `stop`
    /// says to give up.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`ProbeError::Stopped`].
    pub fn read_side(
        &self,
        table: &Table,
        turn: Colour,
        stop: Stop<'_>,
    ) -> Result<Vec<i16>, ProbeError> {
        let mut values = vec![0; table.header().positions as usize];
        // Whole blocks a task, so that none is unpacked twice.
        let block = table.block_len(turn).unwrap_or(1).max(1) as usize;
        let chunk = block * CHUNK.div_ceil(block);
        let parts = values.par_chunks_mut(chunk).enumerate();
        parts.try_for_each(|(part, out)| match stop() {
            true => Err(ProbeError::Stopped),
            false => self.read_range(table, turn, (part * chunk) as u64, out),
        })?;
        Ok(values)
    }
}

/// The positions of an index with a side to move.
pub(crate) struct Positions<'a> {
    game: Game,
    index: &'a Index,
    pieces: Vec<Piece>,
    turn: Colour,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(game: Game, index: &'a Index, turn: Colour) -> Positions<'a> {
        Positions {
            game,
            index,
            pieces: index.material().pieces().collect(),
            turn,
        }
    }

    /// The position of an index, if it stands for one; `squares` become those of the index.
    pub(crate) fn position(&self, index: u64, squares: &mut [Square]) -> Option<Position> {
        if !self.index.decode(index, squares) {
            return None;
        }
        let pieces = self.pieces.iter().copied().zip(squares.iter().copied());
        Position::from_pieces(self.game, pieces, self.turn)
    }
}
