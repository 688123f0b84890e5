//! Reads the values of ranges of indices from the tables of a material, in many parallel tasks.

use std::ops::Range;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use rayon::prelude::*;
use retrograde_make::unstored::prepare;
use retrograde_probe::whole::Stop;
use retrograde_probe::{
    Index, Metric, Reindexing, Stored, Table, Tablebase, Value, VitalityAnswer,
};
use retrograde_rules::{Colour, Game, Material, Position, Square};

use super::PyTable;
use crate::errors::Trouble;
use crate::fork::pool;
use crate::rows::{Found, Kept, Numbers, PyPositions, check_columns, column_names};
use crate::signals::{go_on, listening};

/// The number of indices that a task reads at least.
const CHUNK: u64 = 1 << 14;

/// The bounds of the values asked for: lowest and highest.
#[derive(Clone, Copy)]
pub(super) struct Bounds(i32, i32);

impl Bounds {
    const ALL: Bounds = Bounds(i32::MIN, i32::MAX);

    /// A number, or a pair of the lowest and the highest, either of which may be None.
    pub(super) fn read(given: Option<&Bound<'_, PyAny>>) -> PyResult<Bounds> {
        let Some(given) = given.filter(|given| !given.is_none()) else {
            return Ok(Bounds::ALL);
        };
        if let Ok(number) = given.extract::<i32>() {
            return Ok(Bounds(number, number));
        }
        match given.extract::<(Option<i32>, Option<i32>)>() {
            Ok((low, high)) => Ok(Bounds(low.unwrap_or(i32::MIN), high.unwrap_or(i32::MAX))),
            Err(_) => Err(PyValueError::new_err(
                "a condition is a number, or a pair of the lowest and the highest number",
            )),
        }
    }

    fn allow(self, number: impl Into<i32>) -> bool {
        (self.0..=self.1).contains(&number.into())
    }
}

/// The conditions that positions must fulfil.
pub(super) struct Where {
    pub(super) wdl: Bounds,
    pub(super) dtm: Bounds,
    pub(super) dtz: Bounds,
}

impl Where {
    const ALL: Where = Where {
        wdl: Bounds::ALL,
        dtm: Bounds::ALL,
        dtz: Bounds::ALL,
    };
}

/// The way in which positions are read: the values of some metrics, unless one is to stop. In High
/// Chess positions are probed.
#[derive(Clone, Copy)]
pub(super) struct Reading<'a> {
    pub(super) metrics: &'a [Metric],
    pub(super) stop: Stop<'a>,
}

impl Reading<'_> {
    /// The stored value of a position, if it says what the position is worth.
    fn value(self, game: Game, stored: Stored) -> Option<Value> {
        match self.metrics {
            // A depth by itself counts without the fifty-move rule.
            [Metric::Dtm] => stored.value_without_clock(),
            _ => stored.value(game.zeroing_limit()),
        }
    }
}

/// The values of a position.
pub(super) struct Known {
    pub(super) numbers: Numbers,
    pub(super) curves: Option<VitalityAnswer>,
}

impl PyTable {
    pub(crate) fn open(tables: Arc<Tablebase>, material: &Material) -> PyResult<PyTable> {
        let game = tables.game();
        let (material, _) = material.normal(game);
        let mut metrics = Vec::new();
        for &metric in Metric::of(game) {
            let table = tables.table(&material, metric).map_err(Trouble::from)?;
            metrics.extend(table.map(|_| metric));
        }
        if metrics.is_empty() {
            return Err(Trouble::from(tables.missing(&material, None)).into());
        }
        let index = Index::new(game, &material);
        let index = index.map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(PyTable {
            pieces: material.pieces().collect(),
            tables,
            material,
            index,
            metrics,
        })
    }

    pub(super) fn game(&self) -> Game {
        self.tables.game()
    }

    pub(super) fn has(&self, metric: Metric) -> bool {
        self.metrics.contains(&metric)
    }

    /// The position of an index, if it stands for one and is the one that does.
    pub(super) fn position(
        &self,
        index: u64,
        turn: Colour,
        squares: &mut [Square],
    ) -> Option<Position> {
        if !self.index.decode(index, squares) || !self.index.is_canonical(index) {
            return None;
        }
        let pieces = self.pieces.iter().copied().zip(squares.iter().copied());
        let position = Position::from_pieces(self.game(), pieces, turn)?;
        Some(self.index.counted(index, position))
    }

    pub(super) fn no_squares(&self) -> Vec<Square> {
        vec![Square(0); self.pieces.len()]
    }

    /// Divides all indices, where checks are counted those with full counters, into parts of whole
    /// pairs, because the indices of a pair are the same in every order.
    pub(super) fn ranges(&self) -> Vec<Range<u64>> {
        let pair = self.index.indices_per_pair();
        let chunk = pair * CHUNK.div_ceil(pair);
        let len = self.index.layer_len();
        let starts = (0..len.div_ceil(chunk)).map(|n| n * chunk);
        starts.map(|at| at..len.min(at + chunk)).collect()
    }

    /// The metrics to be read for the values of one.
    fn metrics_for(&self, metric: Metric) -> &'static [Metric] {
        match metric {
            Metric::Wdl => &[Metric::Wdl],
            Metric::Dtm => &[Metric::Dtm],
            // Who wins says on which side of 0 it is, and whether the win is a cursed one.
            Metric::Dtz if self.has(Metric::Wdl) => &[Metric::Wdl, Metric::Dtz],
            _ => Metric::of(self.game()),
        }
    }

    /// Makes reading all positions quick.
    pub(super) fn prepare(&self, reading: Reading<'_>) -> Result<(), Trouble> {
        if self.game().vitality().is_some() {
            return Ok(());
        }
        for &metric in reading.metrics {
            if let Some(table) = self.tables.table(&self.material, metric)? {
                prepare(&self.tables, table, reading.stop)?;
            }
        }
        Ok(())
    }

    /// The stored values of a range of whole pairs.
    fn stored(
        &self,
        metrics: &[Metric],
        turn: Colour,
        range: &Range<u64>,
    ) -> Result<Vec<Vec<i16>>, Trouble> {
        let mut columns = Vec::new();
        for &metric in metrics {
            let Some(table) = self.tables.table(&self.material, metric)? else {
                columns.push(Vec::new());
                continue;
            };
            let count = (range.end - range.start) as usize;
            let mut raw = vec![0; count];
            self.tables.read_range(table, turn, range.start, &mut raw)?;
            columns.push(self.in_order(table, range, raw));
        }
        Ok(columns)
    }

    /// The values of a range in the order of the index.
    fn in_order(&self, table: &Table, range: &Range<u64>, raw: Vec<i16>) -> Vec<i16> {
        let Some(reindexing) = Reindexing::new(table.index(), &self.index) else {
            return raw;
        };
        let mut ordered = vec![0; raw.len()];
        let mut raw = raw.into_iter();
        reindexing.each(range.clone(), |index| {
            if let Some(value) = raw.next() {
                ordered[(index - range.start) as usize] = value;
            }
        });
        ordered
    }

    /// Visits the positions of a range, one after the other, with their values.
    fn walk(
        &self,
        turn: Colour,
        range: Range<u64>,
        reading: Reading<'_>,
        mut visit: impl FnMut(u64, &[Square], &Known),
    ) -> Result<(), Trouble> {
        go_on(reading.stop)?;
        let (game, metrics) = (self.game(), reading.metrics);
        let stored = match game.vitality() {
            None => Some(self.stored(metrics, turn, &range)?),
            Some(_) => None,
        };
        let mut squares = self.no_squares();
        for (place, index) in range.enumerate() {
            let Some(position) = self.position(index, turn, &mut squares) else {
                continue;
            };
            let value = match &stored {
                None => None,
                Some(columns) => {
                    let mut stored = Stored::default();
                    for (&metric, column) in metrics.iter().zip(columns) {
                        if let Some(&value) = column.get(place) {
                            stored.set(metric, value);
                        }
                    }
                    reading.value(game, stored)
                }
            };
            let known = match value {
                Some(value) => Known::of(value),
                None => self.probe(&position)?,
            };
            visit(index, &squares, &known);
        }
        Ok(())
    }

    /// Probes a position.
    fn probe(&self, position: &Position) -> Result<Known, Trouble> {
        let value = self.tables.value(position)?;
        let curves = match self.game().vitality() {
            Some(_) => Some(self.tables.vitality(position)?),
            None => None,
        };
        Ok(Known {
            curves,
            ..Known::of(value)
        })
    }

    fn find(
        &self,
        turn: Colour,
        range: Range<u64>,
        wanted: &Where,
        kept: Kept,
        reading: Reading<'_>,
    ) -> Result<Found, Trouble> {
        let mut found = Found::new(crate::values::thresholds(self.game()).unwrap_or(0));
        self.walk(turn, range, reading, |index, squares, known| {
            let Numbers { wdl, dtm, dtz } = known.numbers;
            let fits = wanted.wdl.allow(wdl) && wanted.dtm.allow(dtm) && wanted.dtz.allow(dtz);
            if fits {
                let place = (index, turn, squares);
                let weigh = || self.index.weight_of_canonical(index) as u8;
                let weight = kept.weight.then(weigh);
                found.push(place, known.numbers, known.curves.as_ref(), weight, kept);
            }
        })?;
        Ok(found)
    }

    /// The positions with some sides to move that fulfil some conditions, found on all processors.
    pub(super) fn found(
        &self,
        py: Python<'_>,
        sides: &[Colour],
        wanted: &Where,
        kept: Kept,
    ) -> PyResult<PyPositions> {
        let game = self.game();
        let metrics = Metric::of(game);
        let parts: Vec<Found> = listening(py, &*pool(py)?, |stop| {
            let reading = Reading { metrics, stop };
            self.prepare(reading)?;
            let ranges = self.ranges();
            let parts = sides.iter().flat_map(|&turn| {
                let ranges = ranges.iter().cloned();
                ranges.map(move |range| (turn, range))
            });
            let parts: Vec<(Colour, Range<u64>)> = parts.collect();
            let parts = parts.into_par_iter();
            parts
                .map(|(turn, range)| self.find(turn, range, wanted, kept, reading))
                .collect()
        })?;
        let all = Found::concat(crate::values::thresholds(game).unwrap_or(0), parts);
        let (has_dtm, has_dtz) = (self.has(Metric::Dtm), self.has(Metric::Dtz));
        Ok(PyPositions::new(game, self.material, all, has_dtm, has_dtz))
    }

    /// All positions with what some columns are made of, of both sides to move.
    pub(super) fn framed(
        &self,
        py: Python<'_>,
        columns: Option<&[String]>,
    ) -> PyResult<PyPositions> {
        let usual = column_names(self.game(), self.has(Metric::Dtm), self.has(Metric::Dtz));
        let columns = columns.unwrap_or(&usual);
        check_columns(columns, &usual)?;
        self.found(py, &Colour::BOTH, &Where::ALL, Kept::for_columns(columns))
    }

    /// The values of a range, one for each index; `none` where it stands for no position.
    fn column<T: Copy + Send>(
        &self,
        turn: Colour,
        range: Range<u64>,
        reading: Reading<'_>,
        none: T,
        value: impl Fn(&Known) -> T,
    ) -> Result<Vec<T>, Trouble> {
        let mut column = vec![none; (range.end - range.start) as usize];
        let first = range.start;
        self.walk(turn, range, reading, |index, _, known| {
            column[(index - first) as usize] = value(known);
        })?;
        Ok(column)
    }

    /// The values of the whole table, read on all processors, of a metric that there must be a file
    /// of.
    pub(super) fn columns<T: Copy + Send + Sync>(
        &self,
        py: Python<'_>,
        turn: Colour,
        metric: Metric,
        none: T,
        value: impl Fn(&Known) -> T + Sync + Send,
    ) -> PyResult<Vec<T>> {
        self.expect_metric(metric)?;
        let metrics = self.metrics_for(metric);
        let parts: Vec<Vec<T>> = listening(py, &*pool(py)?, |stop| {
            let reading = Reading { metrics, stop };
            self.prepare(reading)?;
            let ranges = self.ranges().into_par_iter();
            ranges
                .map(|range| self.column(turn, range, reading, none, &value))
                .collect()
        })?;
        Ok(parts.concat())
    }

    pub(super) fn expect_metric(&self, metric: Metric) -> PyResult<()> {
        if self.has(metric) {
            return Ok(());
        }
        let has: Vec<&str> = self.metrics.iter().map(|metric| metric.name()).collect();
        Err(PyValueError::new_err(format!(
            "there is no {metric} table of {}; there are: {}",
            self.material,
            has.join(", ")
        )))
    }
}

impl Known {
    pub(super) fn of(value: Value) -> Known {
        Known {
            numbers: Numbers::of(value),
            curves: None,
        }
    }
}
