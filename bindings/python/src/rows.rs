//! Turns values of positions into numbers, and rows of them into arrays of numpy.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rayon::prelude::*;
use retrograde_probe::{Index, Value, VitalityAnswer, Wdl};
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square, shortened};

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

/// The columns that are kept of positions as they are found; the side to move always is.
#[derive(Clone, Copy)]
pub(crate) struct Kept {
    index: bool,
    pub(crate) weight: bool,
    squares: bool,
    wdl: bool,
    dtm: bool,
    dtz: bool,
    curves: bool,
}

impl Kept {
    /// All but the weights, which follow from the indices.
    pub(crate) const ALL: Kept = Kept {
        index: true,
        weight: false,
        squares: true,
        wdl: true,
        dtm: true,
        dtz: true,
        curves: true,
    };

    /// The columns to keep for some columns of a frame.
    pub(crate) fn for_columns(names: &[String]) -> Kept {
        let has = |name: &str| names.iter().any(|named| named == name);
        Kept {
            index: has("index"),
            weight: has("weight"),
            squares: has("fen"),
            wdl: has("wdl"),
            dtm: has("dtm"),
            dtz: has("dtz"),
            curves: names.iter().any(|name| is_of_curves(name)),
        }
    }
}

/// Whether a column is one of thresholds or of what is needed to force mate.
fn is_of_curves(name: &str) -> bool {
    name.ends_with("_mates") || threshold(name).is_some()
}

/// The number in the name of a column of thresholds, such as `t7`.
fn threshold(name: &str) -> Option<usize> {
    name.strip_prefix('t')?.parse().ok()
}

/// Positions of a table as found, in the order of their indices, White to move
/// first.
#[derive(Default)]
pub(crate) struct Found {
    index: Vec<u64>,
    weight: Vec<u8>,
    side: Vec<u8>,
    /// Rows of as many squares as there are pieces.
    squares: Vec<u8>,
    wdl: Vec<i8>,
    dtm: Vec<i16>,
    dtz: Vec<i16>,
    curves: Curves,
}

impl Found {
    /// No positions, in games with so many thresholds.
    pub(crate) fn new(full: u8) -> Found {
        Found {
            curves: Curves::new(full),
            ..Found::default()
        }
    }

    /// Adds a position, or what is kept of it.
    pub(crate) fn push(
        &mut self,
        (index, turn, squares): (u64, Colour, &[Square]),
        Numbers { wdl, dtm, dtz }: Numbers,
        curves: Option<&VitalityAnswer>,
        weight: Option<u8>,
        kept: Kept,
    ) {
        self.weight.extend(weight);
        self.side.push(turn.index() as u8);
        if kept.index {
            self.index.push(index);
        }
        if kept.squares {
            self.squares.extend(squares.iter().map(|square| square.0));
        }
        if kept.wdl {
            self.wdl.push(wdl);
        }
        if kept.dtm {
            self.dtm.push(dtm);
        }
        if kept.dtz {
            self.dtz.push(dtz);
        }
        if kept.curves && self.curves.full > 0 {
            self.curves.push(curves);
        }
    }

    /// One after the other. Each part is freed when it has been copied.
    pub(crate) fn concat(full: u8, parts: Vec<Found>) -> Found {
        fn reserve<T>(all: &mut Vec<T>, parts: &[Found], column: impl Fn(&Found) -> &Vec<T>) {
            all.reserve_exact(parts.iter().map(|part| column(part).len()).sum());
        }
        let mut all = Found::new(full);
        reserve(&mut all.index, &parts, |part| &part.index);
        reserve(&mut all.weight, &parts, |part| &part.weight);
        reserve(&mut all.side, &parts, |part| &part.side);
        reserve(&mut all.squares, &parts, |part| &part.squares);
        reserve(&mut all.wdl, &parts, |part| &part.wdl);
        reserve(&mut all.dtm, &parts, |part| &part.dtm);
        reserve(&mut all.dtz, &parts, |part| &part.dtz);
        for mut part in parts {
            all.index.append(&mut part.index);
            all.weight.append(&mut part.weight);
            all.side.append(&mut part.side);
            all.squares.append(&mut part.squares);
            all.wdl.append(&mut part.wdl);
            all.dtm.append(&mut part.dtm);
            all.dtz.append(&mut part.dtz);
            all.curves.append(part.curves);
        }
        all
    }

    fn len(&self) -> usize {
        self.side.len()
    }
}

/// The sides to move by their numbers.
const SIDES: [&str; 2] = ["white", "black"];

/// The columns of a frame unless others are named.
pub(crate) fn column_names(game: Game, has_dtm: bool, has_dtz: bool) -> Vec<String> {
    let mut names = vec!["fen".to_owned(), "side".to_owned()];
    match game.vitality() {
        None => {
            let distances = [("wdl", true), ("dtm", has_dtm), ("dtz", has_dtz)];
            let there = distances.into_iter().filter(|&(_, is_there)| is_there);
            names.extend(there.map(|(name, _)| name.to_owned()));
        }
        Some(rules) => {
            let least = usize::from(rules.counters().least);
            let full = usize::from(crate::values::thresholds(game).unwrap_or(0));
            names.extend((least..least + full).map(|black| format!("t{black}")));
            names.extend(["white_mates", "black_mates"].map(str::to_owned));
        }
    }
    names
}

/// Refuses a column that does not exist.
pub(crate) fn check_columns(names: &[String], usual: &[String]) -> PyResult<()> {
    let more = ["index", "weight"];
    let is_there = |name: &String| usual.contains(name) || more.contains(&name.as_str());
    match names.iter().find(|name| !is_there(name)) {
        None => Ok(()),
        Some(name) => Err(PyValueError::new_err(format!(
            "there is no column \"{}\"; the columns are: {}, {}",
            shortened(name),
            usual.join(", "),
            more.join(", ")
        ))),
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

    /// The columns of a frame, in which the side to move is a number.
    fn frame<'py>(
        &self,
        py: Python<'py>,
        names: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let usual = column_names(self.game, self.has_dtm, self.has_dtz);
        let names = names.unwrap_or_else(|| usual.clone());
        check_columns(&names, &usual)?;
        let least = self
            .game
            .vitality()
            .map_or(1, |rules| rules.counters().least);
        let Curves {
            full, thresholds, ..
        } = &self.found.curves;
        let columns = PyDict::new(py);
        for name in names {
            let column = match name.as_str() {
                "fen" => PyList::new(py, self.fens(py)?)?.into_any(),
                "side" => self.side(py)?,
                "index" => self.index(py)?,
                "weight" => self.weight(py)?,
                "wdl" => self.wdl(py)?,
                "dtm" => array(py, &self.found.dtm)?,
                "dtz" => array(py, &self.found.dtz)?,
                "white_mates" => array(py, &self.found.curves.white_mates)?,
                "black_mates" => array(py, &self.found.curves.black_mates)?,
                _ => {
                    let black = threshold(&name).unwrap_or(0).saturating_sub(least.into());
                    let column = thresholds.iter().skip(black).step_by(*full).copied();
                    array(py, &column.collect::<Vec<u8>>())?
                }
            };
            columns.set_item(name, column)?;
        }
        Ok(columns)
    }

    fn all_fens(&self) -> Vec<String> {
        let (pieces, rows) = (self.pieces(), 0..self.found.len());
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
        let len = self.found.len();
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

    /// The number of positions of the whole board that each stands for: itself and its mirror
    /// images.
    #[getter]
    fn weight<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if !self.found.weight.is_empty() {
            return array(py, &self.found.weight);
        }
        let index = Index::new(self.game, &self.material);
        let index = index.map_err(|error| PyValueError::new_err(error.to_string()))?;
        let indices = self.found.index.iter();
        let weights = indices.map(|&at| index.weight_of_canonical(at) as u8);
        array(py, &weights.collect::<Vec<u8>>())
    }

    /// The columns of a table, as `retrograde export` names them, or those that are named: also
    /// `index` and `weight`.
    #[pyo3(signature = (names=None))]
    fn columns<'py>(
        &self,
        py: Python<'py>,
        names: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let columns = self.frame(py, names)?;
        if columns.contains("side")? {
            let sides = self
                .found
                .side
                .iter()
                .map(|&side| SIDES[usize::from(side & 1)]);
            columns.set_item("side", PyList::new(py, sides.collect::<Vec<_>>())?)?;
        }
        Ok(columns)
    }

    /// A `pyarrow.Table` of the columns, or of those that are named as for `columns`; needs pyarrow.
    #[pyo3(signature = (columns=None))]
    pub(crate) fn to_arrow<'py>(
        &self,
        py: Python<'py>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pyarrow = import(py, "pyarrow")?;
        let columns = self.frame(py, columns)?;
        if let Some(side) = columns.get_item("side")? {
            let side = side.call_method1("astype", ("int8",))?;
            let coded = pyarrow.getattr("DictionaryArray")?;
            columns.set_item("side", coded.call_method1("from_arrays", (side, SIDES))?)?;
        }
        pyarrow.call_method1("table", (columns,))
    }

    /// A `pandas.DataFrame` of the columns, or of those that are named as for `columns`; needs
    /// pandas. The side to move is categorical.
    #[pyo3(signature = (columns=None))]
    pub(crate) fn to_pandas<'py>(
        &self,
        py: Python<'py>,
        columns: Option<Vec<String>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let pandas = import(py, "pandas")?;
        let columns = self.frame(py, columns)?;
        if let Some(side) = columns.get_item("side")? {
            let coded = pandas.getattr("Categorical")?;
            columns.set_item("side", coded.call_method1("from_codes", (side, SIDES))?)?;
        }
        let options = PyDict::new(py);
        // Nobody else has the arrays.
        options.set_item("copy", false)?;
        pandas.call_method("DataFrame", (columns,), Some(&options))
    }

    fn __len__(&self) -> usize {
        self.found.len()
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
