//! Reads the values of a whole material from its tables, by ranges of indices.

mod vitality;

use std::ops::Range;

use rayon::prelude::*;
use retrograde_make::unstored::prepare;
use retrograde_probe::format::Codec;
use retrograde_probe::index::{Index, IndexError};
use retrograde_probe::whole::Stop;
use retrograde_probe::{
    Metric, ProbeError, Reindexing, Stored, Table, Tablebase, VitalityAnswer, whole,
};
use retrograde_rules::{Colour, Material, Piece, Position, Square};
use retrograde_solve::successors;
use thiserror::Error;

/// The number of indices that are read at a time, unless a pair of leaders has more.
const CHUNK: u64 = 1 << 16;

/// The number of values that a task reads where each takes a search.
const PART: usize = 1 << 10;

/// The most bytes that an index takes while its part is read, for both sides to move.
const PART_BYTES: usize = 2 * (size_of::<VitalityAnswer>() + size_of::<i16>());

/// The most bytes that an index takes once a material is prepared, and one of a successor: values
/// of three tables, those of conversions, and the solver's own.
const PREPARED_BYTES: u64 = 24;
const SUCCESSOR_BYTES: u64 = 4;

/// The errors of reading the values of a material.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum ValuesError {
    /// The material has no index, so it can have no table.
    #[error("there can be no table of {material}: {source}")]
    Index {
        /// The material.
        material: String,
        /// The reason why it has none.
        source: IndexError,
    },
    /// The material has no table, or none that says who wins, or one cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// The tables of a material that are present.
pub(crate) struct Present<'a> {
    pub(crate) tables: &'a Tablebase,
    /// The material in normal form.
    pub(crate) material: Material,
    /// The tables that are stored, by metric.
    stored: Vec<(Metric, &'a Table)>,
    pub(crate) index: Index,
}

impl<'a> Present<'a> {
    /// The tables of a material, which need not be in normal form. Reading much of them
    /// takes a [preparation](Present::prepare).
    ///
    /// # Errors
    /// See [`ValuesError`]. Some table must say who wins, unless the rules do.
    pub(crate) fn of(
        tables: &'a Tablebase,
        material: &Material,
    ) -> Result<Present<'a>, ValuesError> {
        let game = tables.game();
        let (material, _) = material.normal(game);
        let mut stored = Vec::new();
        for &metric in Metric::of(game) {
            whole::check_usable(tables, &material, metric)?;
            stored.extend(tables.table(&material, metric)?.map(|t| (metric, t)));
        }
        // Without WDL, a distance to zeroing does not tell who wins.
        if !stored.iter().any(|&(metric, _)| metric == Metric::Wdl) {
            stored.retain(|&(metric, _)| metric != Metric::Dtz);
        }
        let index = Index::new(game, &material).map_err(|source| ValuesError::Index {
            material: material.name(game),
            source,
        })?;
        let present = Present {
            tables,
            material,
            stored,
            index,
        };
        let says_who_wins = match game.vitality() {
            None => present.has(Metric::Wdl) || present.has(Metric::Dtm),
            Some(_) => present.has(Metric::Thresholds) && present.has(Metric::Mates),
        };
        if !says_who_wins && !present.needs_no_table() {
            // In games with vitality it takes both tables.
            let both = [Metric::Thresholds, Metric::Mates];
            let other = both.into_iter().find(|&metric| !present.has(metric));
            let has_one = both.iter().any(|&metric| present.has(metric));
            return Err(present.missing(other.filter(|_| has_one)));
        }
        Ok(present)
    }

    /// Makes reading all values quick, unless `stop` says to give up.
    ///
    /// # Errors
    /// See [`ValuesError`]; [`ProbeError::Stopped`].
    pub(crate) fn prepare(&self, stop: Stop<'_>) -> Result<(), ValuesError> {
        for (_, table) in &self.stored {
            prepare(self.tables, table, stop)?;
        }
        Ok(())
    }

    /// The most bytes of memory that reading all values takes in so many threads, a preparation
    /// included.
    pub(crate) fn bytes(&self, threads: usize) -> u64 {
        let part = part_len(&self.index).min(self.index.len());
        let parts = (threads as u64).saturating_mul(part.saturating_mul(PART_BYTES as u64));
        let rests_on_others = |table: &Table| {
            let sections = &table.header().sections;
            sections.len() < 2 || sections.iter().any(|section| section.asks_result)
        };
        if !self.stored.iter().any(|(_, table)| rests_on_others(table)) {
            return parts;
        }
        let game = self.tables.game();
        // Successors may ask for their own.
        let mut smaller = successors(game, &self.material);
        let mut next = 0;
        while let Some(material) = smaller.get(next) {
            let found = successors(game, material);
            smaller.extend(
                found
                    .into_iter()
                    .filter(|m| !smaller.contains(m))
                    .collect::<Vec<_>>(),
            );
            next += 1;
        }
        let len = |material: &Material| Index::new(game, material).map_or(0, |index| index.len());
        let kept = smaller
            .iter()
            .map(|material| len(material).saturating_mul(SUCCESSOR_BYTES));
        let prepared = self.index.len().saturating_mul(PREPARED_BYTES);
        kept.fold(parts.saturating_add(prepared), u64::saturating_add)
    }

    /// The error that there is no table, or none of a metric.
    pub(crate) fn missing(&self, metric: Option<Metric>) -> ValuesError {
        self.tables.missing(&self.material, metric).into()
    }

    /// Whether the rules alone give every value.
    pub(crate) fn needs_no_table(&self) -> bool {
        self.tables.game().needs_no_table(&self.material)
    }

    /// The metrics that there are tables of.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = Metric> + '_ {
        self.stored.iter().map(|&(metric, _)| metric)
    }

    /// Whether there is a table of a metric.
    pub(crate) fn has(&self, metric: Metric) -> bool {
        self.stored.iter().any(|&(stored, _)| stored == metric)
    }

    /// Whether values tell cursed wins from others.
    pub(crate) fn has_wdl(&self) -> bool {
        self.stored.is_empty() || self.has(Metric::Wdl)
    }

    /// The readers of the values of each side to move, White first.
    pub(crate) fn sides(&self) -> [SideReader<'_>; 2] {
        Colour::BOTH.map(|turn| {
            let numbered = self.stored.iter().filter_map(|&(metric, table)| {
                let reindexing = Reindexing::new(table.index(), &self.index)?;
                Some((metric, table, reindexing))
            });
            let source = match self.stored.is_empty() {
                true => Source::Probed,
                false => Source::Stored(numbered.collect()),
            };
            SideReader {
                tables: self.tables,
                index: &self.index,
                pieces: self.material.pieces().collect(),
                turn,
                source,
            }
        })
    }
}

/// The number of indices that are read at a time.
fn part_len(index: &Index) -> u64 {
    let pair = index.indices_per_pair();
    pair * CHUNK.div_ceil(pair)
}

/// The source of the values of one side to move.
enum Source<'a> {
    /// The tables themselves, and how to find an index in each.
    Stored(Vec<(Metric, &'a Table, Reindexing)>),
    /// Probing: no table is needed.
    Probed,
}

/// Reads the values of a material with one side to move.
pub(crate) struct SideReader<'a> {
    pub(crate) tables: &'a Tablebase,
    pub(crate) index: &'a Index,
    pub(crate) turn: Colour,
    pieces: Vec<Piece>,
    source: Source<'a>,
}

impl SideReader<'_> {
    /// Divides all indices into parts. Each is whole pairs, because their indices are the same in
    /// every order, and whole blocks where possible, so that few are unpacked twice.
    pub(crate) fn ranges(&self) -> Vec<Range<u64>> {
        let chunk = part_len(self.index);
        let len = self.index.len();
        let starts = (0..len.div_ceil(chunk)).map(|n| n * chunk);
        starts.map(|at| at..len.min(at + chunk)).collect()
    }

    /// The stored values of a range of indices, which must be that of whole
    /// pairs; `None` if they must be probed for.
    pub(crate) fn stored(&self, range: Range<u64>) -> Result<Option<Vec<Stored>>, ValuesError> {
        match &self.source {
            Source::Stored(tables) => self.stored_in(tables, range).map(Some),
            Source::Probed => Ok(None),
        }
    }

    /// The stored values of a range of indices, of the one table that says best who wins.
    pub(crate) fn stored_results(
        &self,
        range: Range<u64>,
    ) -> Result<Option<Vec<Stored>>, ValuesError> {
        let Source::Stored(tables) = &self.source else {
            return Ok(None);
        };
        let is_wdl = |(metric, ..): &(Metric, _, _)| *metric == Metric::Wdl;
        match tables.iter().position(is_wdl) {
            Some(wdl) => self.stored_in(&tables[wdl..=wdl], range).map(Some),
            None => self.stored_in(tables, range).map(Some),
        }
    }

    fn stored_in(
        &self,
        tables: &[(Metric, &Table, Reindexing)],
        range: Range<u64>,
    ) -> Result<Vec<Stored>, ValuesError> {
        let count = (range.end - range.start) as usize;
        let mut stored = vec![Stored::default(); count];
        let mut values = vec![0; count];
        for (metric, table, reindexing) in tables {
            self.read(table, range.start, &mut values)?;
            let mut values = values.iter();
            reindexing.each(range.clone(), |index| {
                let place = (index - range.start) as usize;
                if let Some(&value) = values.next() {
                    stored[place].set(*metric, value);
                }
            });
        }
        Ok(stored)
    }

    fn read(&self, table: &Table, first: u64, values: &mut [i16]) -> Result<(), ProbeError> {
        if table.header().codec != Codec::Learned {
            return self.tables.read_range(table, self.turn, first, values);
        }
        // Each value is worked out by itself, which takes longer than unpacking blocks.
        let parts = values.par_chunks_mut(PART).enumerate();
        parts.try_for_each(|(part, values)| {
            let first = first + (part * PART) as u64;
            self.tables.read_range(table, self.turn, first, values)
        })
    }

    /// Room for the squares of [`SideReader::position`].
    pub(crate) fn no_squares(&self) -> Vec<Square> {
        vec![Square(0); self.pieces.len()]
    }

    /// The position of an index, if it stands for one.
    pub(crate) fn position(&self, index: u64, squares: &mut [Square]) -> Option<Position> {
        if !self.index.decode(index, squares) {
            return None;
        }
        let position = self.position_on(squares)?;
        Some(self.index.counted(index, position))
    }

    /// The position with the pieces on these squares, in the order of
    /// [`Material::pieces`], if it is one.
    pub(crate) fn position_on(&self, squares: &[Square]) -> Option<Position> {
        let pieces = self.pieces.iter().copied().zip(squares.iter().copied());
        Position::from_pieces(self.tables.game(), pieces, self.turn)
    }
}
