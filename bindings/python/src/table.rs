//! `Table`: all positions of one material.

use std::ops::Range;
use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use rayon::prelude::*;
use retrograde_probe::{
    HighChessAnswer, Index, Metric, ProbeError, Reindexing, Stored, Table, TableFault, Tablebase,
    Value,
};
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square};

use crate::array::{array, matrix};
use crate::errors::Trouble;
use crate::fork::pool;
use crate::position::{parse_side, read_at_clock_0};
use crate::rows::{Curves, Found, Numbers, PyPositions};
use crate::values::result_metric;

/// How many indices a task reads at least.
const CHUNK: u64 = 1 << 14;

/// All positions of one material, by index. Both sides to move have the same
/// indices; some stand for no position.
#[pyclass(name = "Table", module = "retrograde", frozen)]
pub(crate) struct PyTable {
    tables: Arc<Tablebase>,
    material: Material,
    pieces: Vec<Piece>,
    index: Index,
    metrics: Vec<Metric>,
}

/// Which values are asked for: lowest and highest.
#[derive(Clone, Copy)]
struct Bounds(i32, i32);

impl Bounds {
    const ALL: Bounds = Bounds(i32::MIN, i32::MAX);

    /// A number, or a pair of the lowest and the highest, either of which may be None.
    fn read(given: Option<&Bound<'_, PyAny>>) -> PyResult<Bounds> {
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

/// What positions must fulfil.
struct Where {
    wdl: Bounds,
    dtm: Bounds,
    dtz: Bounds,
}

/// What is known of a position.
struct Known {
    numbers: Numbers,
    curves: Option<HighChessAnswer>,
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
            return Err(Trouble::from(ProbeError::Missing {
                game: game.id(),
                material,
                metric: None,
                folders: Vec::new(),
                absent: Vec::new(),
            })
            .into());
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

    fn game(&self) -> Game {
        self.tables.game()
    }

    fn has(&self, metric: Metric) -> bool {
        self.metrics.contains(&metric)
    }

    /// The position of an index, if it stands for one and is the one that does.
    fn position(&self, index: u64, turn: Colour, squares: &mut [Square]) -> Option<Position> {
        if !self.index.decode(index, squares) || !self.index.is_canonical(index) {
            return None;
        }
        let pieces = self.pieces.iter().copied().zip(squares.iter().copied());
        Position::from_pieces(self.game(), pieces, turn)
    }

    fn no_squares(&self) -> Vec<Square> {
        vec![Square(0); self.pieces.len()]
    }

    /// All indices in parts of whole pairs, because the indices of a pair are the
    /// same in every order.
    fn ranges(&self) -> Vec<Range<u64>> {
        let pair = self.index.indices_per_pair();
        let chunk = pair * CHUNK.div_ceil(pair);
        let len = self.index.len();
        let starts = (0..len.div_ceil(chunk)).map(|n| n * chunk);
        starts.map(|at| at..len.min(at + chunk)).collect()
    }

    /// What the files store for a range of whole pairs; `None` if a position has to
    /// be searched for, because a file has the other side to move only.
    fn stored(
        &self,
        metrics: &[Metric],
        turn: Colour,
        range: &Range<u64>,
    ) -> Result<Option<Vec<Vec<i16>>>, Trouble> {
        let mut columns = Vec::new();
        for &metric in metrics {
            let Some(table) = self.tables.table(&self.material, metric)? else {
                columns.push(Vec::new());
                continue;
            };
            let count = (range.end - range.start) as usize;
            let mut raw = vec![0; count];
            match self.tables.read(table, turn, range.start, &mut raw) {
                Ok(()) => {}
                Err(ProbeError::Table { error, .. })
                    if matches!(error.fault, TableFault::Side(_)) =>
                {
                    return Ok(None);
                }
                Err(error) => return Err(error.into()),
            }
            columns.push(self.in_order(table, range, raw));
        }
        Ok(Some(columns))
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

    /// What is known of the positions of a range, one after the other.
    fn walk(
        &self,
        turn: Colour,
        range: Range<u64>,
        mut visit: impl FnMut(u64, &[Square], &Known),
    ) -> Result<(), Trouble> {
        let game = self.game();
        let metrics = Metric::of(game);
        let stored = match game.counters() {
            None => self.stored(metrics, turn, &range)?,
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
                    stored.value(game.zeroing_limit())
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

    /// What probing says of a position.
    fn probe(&self, position: &Position) -> Result<Known, Trouble> {
        let value = self.tables.value(position)?;
        let curves = match self.game().counters() {
            Some(_) => Some(self.tables.vitality(position)?),
            None => None,
        };
        Ok(Known {
            curves,
            ..Known::of(value)
        })
    }

    fn find(&self, turn: Colour, range: Range<u64>, wanted: &Where) -> Result<Found, Trouble> {
        let full = self.game().full_vitality().unwrap_or(0);
        let mut found = Found {
            curves: Curves::new(full),
            ..Found::default()
        };
        self.walk(turn, range, |index, squares, known| {
            let Numbers { wdl, dtm, dtz } = known.numbers;
            let fits = wanted.wdl.allow(wdl) && wanted.dtm.allow(dtm) && wanted.dtz.allow(dtz);
            if !fits {
                return;
            }
            found.index.push(index);
            found.side.push(turn.index() as u8);
            found.squares.extend(squares.iter().map(|square| square.0));
            found.wdl.push(wdl);
            found.dtm.push(dtm);
            found.dtz.push(dtz);
            if full > 0 {
                found.curves.push(known.curves.as_ref());
            }
        })?;
        Ok(found)
    }

    /// One value for each index; `none` where it stands for no position.
    fn column<T: Copy + Send>(
        &self,
        turn: Colour,
        range: Range<u64>,
        none: T,
        value: impl Fn(&Known) -> T,
    ) -> Result<Vec<T>, Trouble> {
        let mut column = vec![none; (range.end - range.start) as usize];
        let first = range.start;
        self.walk(turn, range, |index, _, known| {
            column[(index - first) as usize] = value(known);
        })?;
        Ok(column)
    }

    /// The same for the whole table, on all processors.
    fn columns<T: Copy + Send + Sync>(
        &self,
        py: Python<'_>,
        turn: Colour,
        none: T,
        value: impl Fn(&Known) -> T + Sync,
    ) -> PyResult<Vec<T>> {
        let pool = pool(py)?;
        let parts: Result<Vec<Vec<T>>, Trouble> = py.detach(|| {
            pool.install(|| {
                let ranges = self.ranges().into_par_iter();
                ranges
                    .map(|range| self.column(turn, range, none, &value))
                    .collect()
            })
        });
        Ok(parts?.concat())
    }

    fn expect_metric(&self, metric: Metric) -> PyResult<()> {
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
    fn of(value: Value) -> Known {
        Known {
            numbers: Numbers::of(value),
            curves: None,
        }
    }
}

#[pymethods]
impl PyTable {
    /// The material in normal form.
    #[getter(material)]
    fn material_name(&self) -> String {
        self.material.to_string()
    }

    /// The id of the game with its options.
    #[getter(game)]
    fn game_id(&self) -> String {
        self.game().id()
    }

    /// The metrics that there are files of.
    #[getter]
    fn metrics(&self) -> Vec<&'static str> {
        self.metrics.iter().map(|metric| metric.name()).collect()
    }

    /// The pieces in the order of the columns of `Positions.squares`, as letters of a
    /// FEN.
    #[getter]
    fn pieces(&self) -> Vec<String> {
        self.pieces
            .iter()
            .map(|piece| piece.letter().to_string())
            .collect()
    }

    /// The values of all indices for a side to move, as an array of numpy: `wdl`, `dtm`
    /// and `dtz` as `Tablebase` gives them; in High Chess also `thresholds`, a row for each
    /// index, and `mates`, what White and Black need to force mate. An index that stands
    /// for no position has -128, -32768 or zeros.
    ///
    /// >>> table = retrograde.open_tablebase("tables").table("KQK")
    /// >>> depths = table.values("white", "dtm")
    /// >>> len(depths) == len(table), int(depths.max())
    /// (True, 19)
    /// >>> table.fen(int(depths.argmax()), "white")
    /// '8/8/8/5k2/8/8/1Q6/K7 w - - 0 1'
    #[pyo3(signature = (side, metric="wdl"))]
    fn values<'py>(
        &self,
        py: Python<'py>,
        side: &Bound<'py, PyAny>,
        metric: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let turn = parse_side(side)?;
        let unknown = Numbers::UNKNOWN;
        let has_curves = self.game().counters().is_some();
        match metric {
            "wdl" => {
                self.expect_metric(result_metric(self.game()))?;
                let values = self.columns(py, turn, unknown.wdl, |known| known.numbers.wdl)?;
                array(py, &values)
            }
            "dtm" if !has_curves => {
                self.expect_metric(Metric::Dtm)?;
                let values = self.columns(py, turn, unknown.dtm, |known| known.numbers.dtm)?;
                array(py, &values)
            }
            "dtz" if self.game().zeroing_limit().is_some() => {
                self.expect_metric(Metric::Dtz)?;
                let values = self.columns(py, turn, unknown.dtz, |known| known.numbers.dtz)?;
                array(py, &values)
            }
            "thresholds" if has_curves => {
                self.expect_metric(Metric::Thresholds)?;
                let full = self.game().full_vitality().unwrap_or(0);
                let curves = self.columns(py, turn, None, |known| {
                    known.curves.map(|answer| answer.curve)
                })?;
                let mut rows = Vec::with_capacity(curves.len() * usize::from(full));
                for curve in curves {
                    match curve {
                        Some(curve) => rows.extend(curve.iter()),
                        None => rows.resize(rows.len() + usize::from(full), 0),
                    }
                }
                matrix(py, &rows, full.into())
            }
            "mates" if has_curves => {
                self.expect_metric(Metric::Mates)?;
                let none = [0; 2];
                let rows = self.columns(py, turn, none, |known| {
                    let mates = known.curves.and_then(|answer| answer.mates);
                    mates.unwrap_or(none)
                })?;
                matrix(py, rows.as_flattened(), 2)
            }
            _ => {
                let mut known = vec!["wdl"];
                known.extend(Metric::of(self.game()).iter().map(|metric| metric.name()));
                known.dedup();
                Err(PyValueError::new_err(format!(
                    "{} has no values of \"{metric}\"; it has: {}",
                    self.game(),
                    known.join(", ")
                )))
            }
        }
    }

    /// The positions that fulfil some conditions, each a number, or a pair of the lowest
    /// and the highest number, `None` for no bound. Mirror images count once.
    ///
    /// >>> table = retrograde.open_tablebase("tables").table("KQK")
    /// >>> stalemates = table.positions("black", wdl=0)
    /// >>> long = table.positions(dtm=(19, None))
    /// >>> len(long), long.fen(0), long.squares[0].tolist()
    /// (1, '8/8/8/5k2/8/8/1Q6/K7 w - - 0 1', [0, 9, 37])
    #[pyo3(signature = (side=None, *, wdl=None, dtm=None, dtz=None))]
    fn positions(
        &self,
        py: Python<'_>,
        side: Option<&Bound<'_, PyAny>>,
        wdl: Option<&Bound<'_, PyAny>>,
        dtm: Option<&Bound<'_, PyAny>>,
        dtz: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyPositions> {
        let sides = match side.filter(|side| !side.is_none()) {
            Some(side) => vec![parse_side(side)?],
            None => Colour::BOTH.to_vec(),
        };
        for (given, metric) in [(dtm, Metric::Dtm), (dtz, Metric::Dtz)] {
            if given.is_some_and(|given| !given.is_none()) {
                self.expect_metric(metric)?;
            }
        }
        let wanted = Where {
            wdl: Bounds::read(wdl)?,
            dtm: Bounds::read(dtm)?,
            dtz: Bounds::read(dtz)?,
        };
        let pool = pool(py)?;
        let parts: Result<Vec<Found>, Trouble> = py.detach(|| {
            let ranges = self.ranges();
            let parts = sides.iter().flat_map(|&turn| {
                let ranges = ranges.iter().cloned();
                ranges.map(move |range| (turn, range))
            });
            let parts: Vec<(Colour, Range<u64>)> = parts.collect();
            pool.install(|| {
                let parts = parts.into_par_iter();
                parts
                    .map(|(turn, range)| self.find(turn, range, &wanted))
                    .collect()
            })
        });
        let full = self.game().full_vitality().unwrap_or(0);
        let mut all = Found {
            curves: Curves::new(full),
            ..Found::default()
        };
        for part in parts? {
            all.append(part);
        }
        let (has_dtm, has_dtz) = (self.has(Metric::Dtm), self.has(Metric::Dtz));
        Ok(PyPositions::new(
            self.game(),
            self.material,
            all,
            has_dtm,
            has_dtz,
        ))
    }

    /// The index of a position without an e.p. right, and the side to move in the
    /// table, which is the other one if the colours are swapped in it.
    ///
    /// >>> table = retrograde.open_tablebase("tables").table("KQK")
    /// >>> index, side = table.index("8/8/8/3K4/8/8/8/kq6 b - -")
    /// >>> side, table.fen(index, side)
    /// ('white', '8/8/8/8/4k3/8/Q7/K7 w - - 0 1')
    fn index(&self, position: &Bound<'_, PyAny>) -> PyResult<(u64, &'static str)> {
        let game = self.game();
        let position = read_at_clock_0(game, position)?;
        let material = position.material();
        let (normal, swapped) = material.normal(game);
        if normal != self.material {
            return Err(PyValueError::new_err(format!(
                "the position has {normal}, the table is of {}",
                self.material
            )));
        }
        let mirror = swapped.then(|| game.interchange(&normal));
        let board = position.board();
        let squares = self
            .pieces
            .iter()
            .scan(None, |last: &mut Option<(Piece, usize)>, &piece| {
                // Identical pieces follow each other.
                let place = match *last {
                    Some((before, place)) if before == piece => place + 1,
                    _ => 0,
                };
                *last = Some((piece, place));
                let colour = if swapped {
                    piece.colour.other()
                } else {
                    piece.colour
                };
                let mut set = board.of(Piece::new(colour, piece.piece_type));
                let square = set.nth(place)?;
                Some(mirror.map_or(square, |mirror| mirror.image(game.geometry(), square)))
            });
        let squares: Vec<Square> = squares.collect();
        let turn = match swapped {
            true => position.turn().other(),
            false => position.turn(),
        };
        match self.index.encode(&squares) {
            Some(index) => Ok((index, turn.name())),
            None => Err(PyValueError::new_err(
                "the pieces stand where no table has them",
            )),
        }
    }

    /// The FEN of an index for a side to move; None if it stands for no position.
    fn fen(&self, index: u64, side: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let turn = parse_side(side)?;
        let len = self.index.len();
        if index >= len {
            let text = format!("the table has {len} indices, there is no index {index}");
            return Err(PyIndexError::new_err(text));
        }
        let position = self.position(index, turn, &mut self.no_squares());
        Ok(position.map(|position| position.fen()))
    }

    /// All positions as a `pyarrow.Table`; needs pyarrow.
    fn to_arrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pyarrow")?;
        self.positions(py, None, None, None, None)?.to_arrow(py)
    }

    /// All positions as a `pandas.DataFrame`; needs pandas.
    fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("pandas")?;
        self.positions(py, None, None, None, None)?.to_pandas(py)
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.index.len()).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        let metrics = self.metrics().join(", ");
        let (game, material) = (self.game(), &self.material);
        format!(
            "<Table of {game} {material}: {metrics}; {} indices>",
            self.index.len()
        )
    }
}
