//! Turns values of positions into numbers, and rows of them into arrays of numpy.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rayon::prelude::*;
use retrograde_probe::{Value, VitalityAnswer, Wdl};
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square};

use crate::array::{array, import, matrix};
use crate::fork::pool;

/// The result where none is known.
pub(crate) const NO_WDL: i8 = i8::MIN;

/// The distance where none is known.
pub(crate) const NO_PLIES: i16 = i16::MIN;

/// The values of a position.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Numbers {
    pub(crate) wdl: i8,
    pub(crate) dtm: i16,
    pub(crate) dtz: i16,
}

impl Numbers {
    pub(crate) const UNKNOWN: Numbers = Numbers {
        wdl: NO_WDL,
        dtm: NO_PLIES,
        dtz: NO_PLIES,
    };

    pub(crate) fn of(value: Value) -> Numbers {
        let Value { wdl, dtm, dtz } = value;
        // A distance has 15 bits.
        let short = |plies: i32| i16::try_from(plies).unwrap_or(NO_PLIES);
        let is_draw = wdl == Wdl::Draw;
        let none = if is_draw { 0 } else { NO_PLIES };
        Numbers {
            wdl: wdl.number(),
            dtm: dtm.map_or(none, |dtm| short(dtm.signed(wdl))),
            dtz: dtz.map_or(none, |dtz| short(dtz.signed(wdl))),
        }
    }
}

/// The columns that games with vitality have instead of distances.
#[derive(Default)]
pub(crate) struct Curves {
    /// The number of thresholds of a row.
    pub(crate) full: usize,
    pub(crate) thresholds: Vec<u8>,
    /// 0 where no table says it.
    pub(crate) white_mates: Vec<u8>,
    pub(crate) black_mates: Vec<u8>,
}

impl Curves {
    pub(crate) fn new(full: u8) -> Curves {
        Curves {
            full: full.into(),
            ..Curves::default()
        }
    }

    /// Rows of zeros, as many as given.
    pub(crate) fn unknown(full: u8, rows: usize) -> Curves {
        let mates = vec![0; if full > 0 { rows } else { 0 }];
        Curves {
            full: full.into(),
            thresholds: vec![0; rows * usize::from(full)],
            white_mates: mates.clone(),
            black_mates: mates,
        }
    }

    /// Replaces a row, which must exist.
    pub(crate) fn set(&mut self, row: usize, answer: &VitalityAnswer) {
        let thresholds = self.thresholds[row * self.full..].iter_mut();
        for (place, threshold) in thresholds.zip(answer.curve.iter()) {
            *place = threshold;
        }
        [self.white_mates[row], self.black_mates[row]] = answer.mates.unwrap_or_default();
    }

    /// Adds a row, of zeros if nothing is known.
    pub(crate) fn push(&mut self, answer: Option<&VitalityAnswer>) {
        match answer {
            Some(answer) => {
                self.thresholds.extend(answer.curve.iter());
                let [white, black] = answer.mates.unwrap_or_default();
                self.white_mates.push(white);
                self.black_mates.push(black);
            }
            None => {
                let end = self.thresholds.len() + self.full;
                self.thresholds.resize(end, 0);
                self.white_mates.push(0);
                self.black_mates.push(0);
            }
        }
    }

    pub(crate) fn append(&mut self, mut other: Curves) {
        self.thresholds.append(&mut other.thresholds);
        self.white_mates.append(&mut other.white_mates);
        self.black_mates.append(&mut other.black_mates);
    }
}

/// Positions of a table as found, in the order of their indices, White to move
/// first.
#[derive(Default)]
pub(crate) struct Found {
    pub(crate) index: Vec<u64>,
    /// 0 for White to move, 1 for Black.
    pub(crate) side: Vec<u8>,
    /// The squares of the pieces, in the order of the material.
    pub(crate) squares: Vec<u8>,
    pub(crate) wdl: Vec<i8>,
    pub(crate) dtm: Vec<i16>,
    pub(crate) dtz: Vec<i16>,
    pub(crate) curves: Curves,
}

impl Found {
    pub(crate) fn append(&mut self, mut other: Found) {
        self.index.append(&mut other.index);
        self.side.append(&mut other.side);
        self.squares.append(&mut other.squares);
        self.wdl.append(&mut other.wdl);
        self.dtm.append(&mut other.dtm);
        self.dtz.append(&mut other.dtz);
        self.curves.append(other.curves);
    }
}

/// Positions of a material with their values, as arrays of the same length.
#[pyclass(name = "Positions", module = "retrograde", frozen)]
pub(crate) struct PyPositions {
    game: Game,
    material: Material,
    found: Found,
    has_dtm: bool,
    has_dtz: bool,
}

impl PyPositions {
    pub(crate) fn new(
        game: Game,
        material: Material,
        found: Found,
        has_dtm: bool,
        has_dtz: bool,
    ) -> PyPositions {
        PyPositions {
            game,
            material,
            found,
            has_dtm,
            has_dtz,
        }
    }

    fn has_curves(&self) -> bool {
        self.game.vitality().is_some()
    }

    /// The FEN of a row, which must exist.
    fn fen_of(&self, row: usize) -> String {
        self.fen_with(&self.pieces(), row)
    }

    fn pieces(&self) -> Vec<Piece> {
        self.material.pieces().collect()
    }

    fn fen_with(&self, pieces: &[Piece], row: usize) -> String {
        let squares = &self.found.squares[row * pieces.len()..(row + 1) * pieces.len()];
        let squares = squares.iter().map(|&square| Square(square));
        let turn = Colour::BOTH[usize::from(self.found.side[row] & 1)];
        let position = Position::from_pieces(self.game, pieces.iter().copied().zip(squares), turn);
        position.map_or_else(String::new, |position| position.fen())
    }

    fn all_fens(&self) -> Vec<String> {
        let (pieces, rows) = (self.pieces(), 0..self.found.index.len());
        let fens = rows.into_par_iter().map(|row| self.fen_with(&pieces, row));
        fens.collect()
    }
}

#[pymethods]
impl PyPositions {
    /// The material.
    #[getter]
    fn material(&self) -> String {
        self.material.name(self.game)
    }

    /// The index of each position in its table.
    #[getter]
    fn index<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.found.index)
    }

    /// The side to move: 0 for White, 1 for Black.
    #[getter]
    fn side<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.found.side)
    }

    /// The squares of the pieces in the order of the material; a1 is 0, b1 is 1.
    #[getter]
    fn squares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        matrix(py, &self.found.squares, self.material.len())
    }

    /// The results of the positions, as by `Tablebase.probe_wdl`.
    #[getter]
    fn wdl<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        array(py, &self.found.wdl)
    }

    /// The depths to mate, as by `Tablebase.probe_dtm`; None if there is no such table.
    #[getter]
    fn dtm<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.has_dtm.then(|| array(py, &self.found.dtm)).transpose()
    }

    /// The plies to zeroing, as by `Tablebase.probe_dtz`; None if there is no such table.
    #[getter]
    fn dtz<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        self.has_dtz.then(|| array(py, &self.found.dtz)).transpose()
    }

    /// The thresholds of each position, a row each, in games with vitality; None in other games.
    #[getter]
    fn thresholds<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let Curves {
            full, thresholds, ..
        } = &self.found.curves;
        let matrix = || matrix(py, thresholds, *full);
        self.has_curves().then(matrix).transpose()
    }

    /// The vitality that White needs to force mate, in games with vitality; None in other games.
    #[getter]
    fn white_mates<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mates = || array(py, &self.found.curves.white_mates);
        self.has_curves().then(mates).transpose()
    }

    /// The vitality that Black needs to force mate, in games with vitality; None in other games.
    #[getter]
    fn black_mates<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let mates = || array(py, &self.found.curves.black_mates);
        self.has_curves().then(mates).transpose()
    }

    /// The FEN of one position.
    fn fen(&self, row: isize) -> PyResult<String> {
        let len = self.found.index.len();
        let place = match row {
            0.. => Some(row.unsigned_abs()),
            _ => len.checked_sub(row.unsigned_abs()),
        };
        match place.filter(|&place| place < len) {
            Some(place) => Ok(self.fen_of(place)),
            None => Err(pyo3::exceptions::PyIndexError::new_err(format!(
                "there are {len} positions, there is no position {row}"
            ))),
        }
    }

    /// The FENs of all positions.
    fn fens(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let pool = pool(py)?;
        Ok(py.detach(|| pool.install(|| self.all_fens())))
    }

    /// The columns of a table, as `retrograde export` names them.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        columns.set_item("fen", self.fens(py)?)?;
        let names = self.found.side.iter().map(|&side| match side {
            0 => "white",
            _ => "black",
        });
        columns.set_item("side", PyList::new(py, names.collect::<Vec<_>>())?)?;
        if !self.has_curves() {
            columns.set_item("wdl", self.wdl(py)?)?;
            if let Some(dtm) = self.dtm(py)? {
                columns.set_item("dtm", dtm)?;
            }
            if let Some(dtz) = self.dtz(py)? {
                columns.set_item("dtz", dtz)?;
            }
            return Ok(columns);
        }
        let Curves {
            full, thresholds, ..
        } = &self.found.curves;
        let least = self
            .game
            .vitality()
            .map_or(1, |rules| rules.counters().least);
        for black in 0..*full {
            let column = thresholds.iter().skip(black).step_by(*full).copied();
            let column: Vec<u8> = column.collect();
            columns.set_item(
                format!("t{}", black + usize::from(least)),
                array(py, &column)?,
            )?;
        }
        columns.set_item("white_mates", self.white_mates(py)?)?;
        columns.set_item("black_mates", self.black_mates(py)?)?;
        Ok(columns)
    }

    /// A `pyarrow.Table` of the columns; needs pyarrow.
    pub(crate) fn to_arrow<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pyarrow = import(py, "pyarrow")?;
        pyarrow.call_method1("table", (self.columns(py)?,))
    }

    /// A `pandas.DataFrame` of the columns; needs pandas.
    pub(crate) fn to_pandas<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let pandas = import(py, "pandas")?;
        pandas.call_method1("DataFrame", (self.columns(py)?,))
    }

    fn __len__(&self) -> usize {
        self.found.index.len()
    }

    fn __repr__(&self) -> String {
        format!(
            "<Positions of {} {}, {} of them>",
            self.game,
            self.material,
            self.__len__()
        )
    }
}
