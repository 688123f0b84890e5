//! Gives Python the values of all positions of one material, as the class `Table`.

mod read;

use std::sync::Arc;

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use retrograde::stats::{StatsObject, stats};
use retrograde::values::ValuesError;
use retrograde_probe::{Index, Metric, Tablebase};
use retrograde_rules::{Colour, Material, Piece, Square};
use serde_json::to_string;

use crate::arguments;
use crate::array::{array, import, matrix};
use crate::errors::Trouble;
use crate::fork::pool;
use crate::position::{parse_side, read_at_clock_0};
use crate::results::parsed;
use crate::rows::{Kept, Numbers, PyPositions};
use crate::signals::listening;
use crate::values::result_metric;
use read::{Bounds, Known, Where};

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

#[pymethods]
impl PyTable {
    /// The material in normal form.
    #[getter(material)]
    fn material_name(&self) -> String {
        self.material.name(self.game())
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
            .map(|&piece| self.game().piece_letter(piece).to_string())
            .collect()
    }

    /// The values of all indices for a side to move, as an array of numpy: `wdl`, `dtm`
    /// and `dtz` as `Tablebase` gives them; with vitality also `thresholds`, a row for each
    /// index, and `mates`, what White and Black need to force mate. An index that stands
    /// for no position has -128, -32768 or zeros. The files of other metrics are not read,
    /// except those that say on which side of 0 a `dtz` is. Ctrl-C stops the work.
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
        #[pyo3(from_py_with = arguments::metric)] metric: &str,
    ) -> PyResult<Bound<'py, PyAny>> {
        let turn = parse_side(side)?;
        let unknown = Numbers::UNKNOWN;
        let has_curves = self.game().vitality().is_some();
        match metric {
            "wdl" => {
                let metric = result_metric(self.game());
                let of = |known: &Known| known.numbers.wdl;
                array(py, &self.columns(py, turn, metric, unknown.wdl, of)?)
            }
            "dtm" if !has_curves => {
                let of = |known: &Known| known.numbers.dtm;
                array(py, &self.columns(py, turn, Metric::Dtm, unknown.dtm, of)?)
            }
            "dtz" if self.game().zeroing_limit().is_some() => {
                let of = |known: &Known| known.numbers.dtz;
                array(py, &self.columns(py, turn, Metric::Dtz, unknown.dtz, of)?)
            }
            "thresholds" if has_curves => {
                let full = crate::values::thresholds(self.game()).unwrap_or(0);
                let curves = self.columns(py, turn, Metric::Thresholds, None, |known| {
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
                let none = [0; 2];
                let rows = self.columns(py, turn, Metric::Mates, none, |known| {
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
    /// and the highest number, `None` for no bound. Mirror images count once. Ctrl-C stops
    /// the work.
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
        self.found(py, &sides, &wanted, Kept::ALL)
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

    /// The FEN of an index for a side to move; None if it stands for no position. An index
    /// below 0 is counted from the end.
    fn fen(&self, index: i64, side: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let turn = parse_side(side)?;
        let len = self.index.len();
        let place = match index {
            0.. => Some(index.unsigned_abs()),
            _ => len.checked_sub(index.unsigned_abs()),
        };
        let Some(place) = place.filter(|&place| place < len) else {
            let text = format!("the table has {len} indices, there is no index {index}");
            return Err(PyIndexError::new_err(text));
        };
        let position = self.position(place, turn, &mut self.no_squares());
        Ok(position.map(|position| position.fen()))
    }

    /// The positions as a `pyarrow.Table`; needs pyarrow. `columns` are those of
    /// `Positions.columns`; without `fen` it takes much less time and memory.
    #[pyo3(signature = (columns=None))]
    fn to_arrow<'py>(
        &self,
        py: Python<'py>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        import(py, "pyarrow")?;
        let found = self.framed(py, columns.as_deref())?;
        found.to_arrow(py, columns)
    }

    /// The positions as a `pandas.DataFrame`; needs pandas. `columns` are those of
    /// `Positions.columns`; without `fen` it takes much less time and memory.
    #[pyo3(signature = (columns=None))]
    fn to_pandas<'py>(
        &self,
        py: Python<'py>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        import(py, "pandas")?;
        let found = self.framed(py, columns.as_deref())?;
        found.to_pandas(py, columns)
    }

    /// The counts of positions by value and by plies, and those that take longest: the object that
    /// `retrograde stats --json` prints. Files keep these numbers.
    ///
    /// >>> stats = retrograde.open_tablebase("tables").table("KQK").stats()
    /// >>> stats["win"]["white"], stats["longest_win_plies"]["white"]
    /// (144508, 19)
    fn stats<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let counts = listening(py, &*pool(py)?, |_| {
            stats(&self.tables, &self.material).map_err(|error| match error {
                ValuesError::Probe(error) => Trouble::from(error),
                error => PyValueError::new_err(error.to_string()).into(),
            })
        })?;
        parsed(py, to_string(&StatsObject::new(&counts)))
    }

    fn __len__(&self) -> usize {
        usize::try_from(self.index.len()).unwrap_or(usize::MAX)
    }

    fn __repr__(&self) -> String {
        let metrics = self.metrics().join(", ");
        let (game, material) = (self.game(), self.material_name());
        format!(
            "<Table of {game} {material}: {metrics}; {} indices>",
            self.index.len()
        )
    }
}
