//! Exports a material as rows: one for every position on the whole board.
//!
//! The rows are those that [`stats`](mod@crate::stats) counts: all legal positions,
//! mirror images and finished positions included, positions with an e.p. right
//! excluded, identical pieces not told apart. White's turns come before Black's,
//! each side's in the order of the index.

mod condition;
mod row;

use std::ops::Range;

use rayon::prelude::*;
use retrograde_probe::whole::Stop;
use retrograde_probe::{Metric, ProbeError, Stored, Tablebase, Value, VitalityAnswer};
use retrograde_rules::{Board, Game, Material, Piece, Position, Setup};

use crate::values::{Present, SideReader, ValuesError};

pub use condition::{Condition, ConditionError};
pub use row::{Cell, Row, Values, columns};

/// Turns rows into bytes, one after another.
pub trait Encoder {
    /// Adds a row.
    fn add(&mut self, row: &Row);

    /// The bytes of all rows.
    fn into_bytes(self) -> Vec<u8>;
}

/// The number of indices that a task turns into rows at a time. An index may have eight rows.
const BATCH: u64 = 1 << 10;

/// The number of such tasks that each thread gets before their rows are written.
const TASKS: usize = 8;

/// The rows of a material that meet some conditions.
pub struct Export<'a> {
    game: Game,
    present: Present<'a>,
    conditions: Vec<Condition>,
}

impl<'a> Export<'a> {
    /// Prepares the rows of a material, which need not be in normal form. Every
    /// condition must hold for a row.
    ///
    /// # Errors
    /// See [`ValuesError`]. It takes a table that says who wins, under the fifty-move
    /// rule one of WDL, and the table of every metric that a condition is about.
    pub fn new(
        tables: &'a Tablebase,
        material: &Material,
        conditions: Vec<Condition>,
    ) -> Result<Export<'a>, ValuesError> {
        let game = tables.game();
        let present = Present::of(tables, material)?;
        let export = Export {
            game,
            present,
            conditions,
        };
        let asked = export.conditions.iter().filter_map(Condition::metric);
        let rule = game.zeroing_limit().map(|_| Metric::Wdl);
        let absent = export.absent();
        match rule.into_iter().chain(asked).find(|m| absent.contains(m)) {
            Some(metric) => Err(export.present.missing(Some(metric))),
            None => Ok(export),
        }
    }

    /// The material in normal form.
    pub fn material(&self) -> &Material {
        &self.present.material
    }

    /// The metrics of the game that there are no tables of: their columns are empty.
    pub fn absent(&self) -> Vec<Metric> {
        if self.present.needs_no_table() {
            return Vec::new();
        }
        let metrics = Metric::of(self.game).iter().copied();
        metrics.filter(|&m| !self.present.has(m)).collect()
    }

    /// Writes all rows in order. `encoder` makes an encoder for each of many pieces,
    /// which are encoded at the same time, in the current rayon pool; `write` gets the
    /// bytes of one piece after another, whole rows each, and ends the export by an
    /// error. `stop` says whether to give up.
    ///
    /// # Errors
    /// A table cannot be read, or what `write` returns; [`ProbeError::Stopped`].
    pub fn run<T: Encoder, E: From<ValuesError>>(
        &self,
        encoder: impl Fn() -> T + Sync,
        mut write: impl FnMut(&[u8]) -> Result<(), E>,
        stop: Stop<'_>,
    ) -> Result<(), E> {
        let mut write_range = |side: &SideReader, range: Range<u64>| -> Result<(), E> {
            let values = SideRange::read(side, range.clone())?;
            let batches: Vec<Range<u64>> = (range.start..range.end)
                .step_by(BATCH as usize)
                .map(|start| start..range.end.min(start + BATCH))
                .collect();
            for some in batches.chunks(TASKS * rayon::current_num_threads()) {
                let encoded: Vec<Result<Vec<u8>, ValuesError>> = some
                    .par_iter()
                    .map(|batch| self.encode(&values, batch.clone(), encoder()))
                    .collect();
                for bytes in encoded {
                    if stop() {
                        return Err(ValuesError::Probe(ProbeError::Stopped).into());
                    }
                    write(&bytes?)?;
                }
            }
            Ok(())
        };
        let sides = self.present.sides();
        let is_wanted =
            |side: &&SideReader| self.conditions.iter().all(|c| c.allows_side(side.turn));
        let mut ranges = sides.iter().filter(is_wanted).flat_map(|side| {
            let ranges = side.ranges().into_iter();
            ranges.map(move |range| (side, range))
        });
        if let Some((side, Range { start, end })) = ranges.next() {
            // The first rows do not wait for what makes it quick to read all others.
            let few = end.min(start + side.index.indices_per_pair());
            write_range(side, start..few)?;
            self.present.prepare(stop)?;
            write_range(side, few..end)?;
        }
        ranges.try_for_each(|(side, range)| write_range(side, range))
    }

    /// The rows of some indices.
    fn encode(
        &self,
        values: &SideRange,
        indices: Range<u64>,
        mut encoder: impl Encoder,
    ) -> Result<Vec<u8>, ValuesError> {
        let side = values.side;
        let pieces: Vec<Piece> = self.present.material.pieces().collect();
        let mut squares = side.no_squares();
        for index in indices {
            let Some(position) = side.position(index, &mut squares) else {
                continue;
            };
            // It may be known only by probing, and wanted only if it counts.
            if !side.index.is_canonical(index) {
                continue;
            }
            let values = values.of(index, &position)?;
            let allows = |condition: &Condition| condition.allows_values(&values);
            if !self.conditions.iter().all(allows) {
                continue;
            }
            side.index.each_placement(index, |squares| {
                let mut board = Board::empty();
                for (&piece, &square) in pieces.iter().zip(squares) {
                    board.set(square, Some(piece));
                }
                let row = Row {
                    game: self.game,
                    setup: Setup {
                        board,
                        turn: side.turn,
                        counters: position.counters(),
                        ..Setup::empty()
                    },
                    values: &values,
                };
                if self.conditions.iter().all(|c| c.allows_row(&row)) {
                    encoder.add(&row);
                }
            });
        }
        Ok(encoder.into_bytes())
    }
}

/// The values of a range of indices with one side to move.
struct SideRange<'a> {
    side: &'a SideReader<'a>,
    start: u64,
    read: Read,
}

/// The values of a range, as they were read.
enum Read {
    Stored(Vec<Stored>),
    Answers(Vec<VitalityAnswer>),
    /// No values: each is probed for.
    Nothing,
}

impl<'a> SideRange<'a> {
    fn read(side: &'a SideReader<'a>, range: Range<u64>) -> Result<SideRange<'a>, ValuesError> {
        let start = range.start;
        let read = match side.tables.game().vitality() {
            Some(rules) => side.answers(rules, range)?.map(Read::Answers),
            None => side.stored(range)?.map(Read::Stored),
        };
        let read = read.unwrap_or(Read::Nothing);
        Ok(SideRange { side, start, read })
    }

    /// The values of an index, which stands for a position.
    fn of(&self, index: u64, position: &Position) -> Result<Values, ValuesError> {
        let place = (index - self.start) as usize;
        let tables = self.side.tables;
        let game = tables.game();
        Ok(match &self.read {
            Read::Stored(stored) => {
                // Some table that says who wins is there.
                let value = stored[place].value(game.zeroing_limit());
                Values::Value(value.unwrap_or(Value::DRAW))
            }
            Read::Answers(answers) => Values::Vitality(Box::new(answers[place])),
            Read::Nothing if game.vitality().is_some() => {
                Values::Vitality(Box::new(tables.vitality(position)?))
            }
            Read::Nothing => Values::Value(tables.value(position)?),
        })
    }
}
