//! `probe_many`: many positions at once, on all processors, without the
//! interpreter's lock.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rayon::prelude::*;
use retrograde_probe::{HighChessAnswer, Metric, Tablebase};
use retrograde_rules::Position;

use crate::array::{array, matrix};
use crate::errors::Trouble;
use crate::fork::pool;
use crate::position::{fen_at_clock_0, read_at_clock_0};
use crate::rows::{Curves, NO_PLIES, Numbers};
use crate::tablebase::{probe_dtm, probe_dtz, probe_wdl, result_metric};

/// The fewest positions that are worth a task.
const CHUNK: usize = 256;

/// The most positions that are kept in memory at a time.
const PART: usize = 1 << 17;

/// What is asked for.
#[derive(Clone, Copy)]
struct Asked {
    dtm: bool,
    dtz: bool,
    curves: bool,
}

impl Asked {
    fn parse(tables: &Tablebase, names: Option<Vec<String>>) -> PyResult<Asked> {
        let game = tables.game();
        let has_curves = game.counters().is_some();
        let known: Vec<&str> = match has_curves {
            true => vec!["wdl", "thresholds"],
            false => Metric::of(game)
                .iter()
                .map(|metric| metric.name())
                .collect(),
        };
        let mut asked = Asked {
            dtm: false,
            dtz: false,
            curves: has_curves && names.is_none(),
        };
        for name in names.unwrap_or_default() {
            match name.as_str() {
                found if !known.contains(&found) => {
                    let known = known.join(", ");
                    let text = format!("{game} has no metric \"{name}\"; it has: {known}");
                    return Err(PyValueError::new_err(text));
                }
                "dtm" => asked.dtm = true,
                "dtz" => asked.dtz = true,
                "thresholds" => asked.curves = true,
                _ => {}
            }
        }
        Ok(asked)
    }
}

/// A position that is asked for.
enum Question<'a> {
    Fen(&'a str),
    Position(Box<Position>),
    /// It is no position; the reasons are kept in a list of their own.
    Bad,
}

/// A place in the order in which values are stored, if there is one.
type Place = Option<(u64, u64)>;

/// The values of a position.
type Values = (Numbers, Option<Box<HighChessAnswer>>);

/// What is known of a position.
struct Row {
    numbers: Numbers,
    curves: Option<Box<HighChessAnswer>>,
    trouble: Option<Box<Trouble>>,
}

impl From<Result<Values, Trouble>> for Row {
    fn from(result: Result<Values, Trouble>) -> Row {
        match result {
            Ok((numbers, curves)) => Row {
                numbers,
                curves,
                trouble: None,
            },
            Err(trouble) => Row {
                numbers: Numbers::UNKNOWN,
                curves: None,
                trouble: Some(Box::new(trouble)),
            },
        }
    }
}

/// The values of many positions, in the order in which they were given.
#[pyclass(name = "Batch", module = "retrograde", frozen)]
pub(crate) struct PyBatch {
    wdl: Py<PyAny>,
    dtm: Option<Py<PyAny>>,
    dtz: Option<Py<PyAny>>,
    thresholds: Option<Py<PyAny>>,
    white_mates: Option<Py<PyAny>>,
    black_mates: Option<Py<PyAny>>,
    /// By the place of the position.
    errors: Vec<(usize, PyErr)>,
    len: usize,
}

impl PyBatch {
    pub(crate) fn probe(
        tables: &Tablebase,
        positions: &Bound<'_, PyAny>,
        metrics: Option<Vec<String>>,
    ) -> PyResult<PyBatch> {
        let py = positions.py();
        let asked = Asked::parse(tables, metrics)?;
        if positions.is_instance_of::<PyString>() {
            let text = "positions is a list of positions; for a single one there is probe";
            return Err(pyo3::exceptions::PyTypeError::new_err(text));
        }
        let given: Vec<Bound<'_, PyAny>> = positions.try_iter()?.collect::<PyResult<_>>()?;
        // The strings are kept alive by `given` while the lock is not held.
        let mut bad = Vec::new();
        let mut questions = Vec::with_capacity(given.len());
        for item in &given {
            let question = match item.cast::<PyString>() {
                Ok(fen) => fen.to_str().map(Question::Fen).map_err(Trouble::from),
                Err(_) => read_at_clock_0(tables.game(), item)
                    .map(|position| Question::Position(Box::new(position))),
            };
            questions.push(question.unwrap_or_else(|trouble| {
                bad.push(trouble);
                Question::Bad
            }));
        }
        let pool = pool(py)?;
        let mut rows = Vec::with_capacity(questions.len());
        for part in questions.chunks(PART) {
            // Ctrl-C is heard between the parts.
            py.check_signals()?;
            rows.extend(py.detach(|| pool.install(|| answer_all(tables, part, asked))));
        }
        PyBatch::new(py, tables, asked, &questions, rows, bad)
    }

    fn new(
        py: Python<'_>,
        tables: &Tablebase,
        asked: Asked,
        questions: &[Question<'_>],
        rows: Vec<Row>,
        bad: Vec<Trouble>,
    ) -> PyResult<PyBatch> {
        let numbers = |number: fn(&Row) -> i16| -> Vec<i16> { rows.iter().map(number).collect() };
        let distances = |asked: bool, number| {
            let array = || array(py, &numbers(number)).map(Bound::unbind);
            asked.then(array).transpose()
        };
        let wdl: Vec<i8> = rows.iter().map(|row| row.numbers.wdl).collect();
        let dtm = distances(asked.dtm, |row| row.numbers.dtm)?;
        let dtz = distances(asked.dtz, |row| row.numbers.dtz)?;
        let full = tables.game().full_vitality().filter(|_| asked.curves);
        let mut curves = Curves::new(full.unwrap_or(0));
        if full.is_some() {
            rows.iter()
                .for_each(|row| curves.push(row.curves.as_deref()));
        }
        let bytes = |values: &[u8]| array(py, values).map(Bound::unbind);
        let wanted = |values: &[u8]| full.map(|_| bytes(values)).transpose();
        let thresholds = full.map(|full| matrix(py, &curves.thresholds, full.into()));
        let mut bad = bad.into_iter();
        let len = rows.len();
        let mut errors = Vec::new();
        for (place, (row, question)) in rows.into_iter().zip(questions).enumerate() {
            let trouble = match question {
                // They are in the order of the positions.
                Question::Bad => bad.next().map(Box::new),
                _ => row.trouble,
            };
            errors.extend(trouble.map(|trouble| (place, PyErr::from(*trouble))));
        }
        Ok(PyBatch {
            wdl: array(py, &wdl)?.unbind(),
            dtm,
            dtz,
            thresholds: thresholds.transpose()?.map(Bound::unbind),
            white_mates: wanted(&curves.white_mates)?,
            black_mates: wanted(&curves.black_mates)?,
            errors,
            len,
        })
    }
}

/// What the tables say about some positions, in their order. They are looked up in
/// the order in which the values are stored, so that every block is unpacked once.
fn answer_all(tables: &Tablebase, questions: &[Question<'_>], asked: Asked) -> Vec<Row> {
    let metric = result_metric(tables.game());
    let read = questions.par_iter().with_min_len(CHUNK).map(|question| {
        let position = match question {
            Question::Fen(fen) => fen_at_clock_0(tables.game(), fen),
            Question::Position(position) => Ok(**position),
            Question::Bad => return (None, None),
        };
        let place = position.as_ref().ok();
        let place = place.and_then(|position| tables.place(position, metric));
        (place, Some(position))
    });
    let mut read: Vec<(Place, Option<Result<Position, Trouble>>)> = read.collect();
    let mut order: Vec<(Place, u32)> = (0..)
        .zip(&read)
        .map(|(at, &(place, _))| (place, at))
        .collect();
    order.par_sort_unstable();
    let rows = order.par_iter().with_min_len(CHUNK).map(|&(_, at)| {
        let row = match &read[at as usize] {
            (place, Some(Ok(position))) => {
                Row::from(answer(tables, position, place.is_some(), asked))
            }
            _ => Row::from(Ok((Numbers::UNKNOWN, None))),
        };
        (at, row)
    });
    let mut rows: Vec<(u32, Row)> = rows.collect();
    rows.par_sort_unstable_by_key(|&(at, _)| at);
    let rows = rows
        .into_iter()
        .map(|(at, row)| match read[at as usize].1.take() {
            Some(Err(trouble)) => Row::from(Err(trouble)),
            _ => row,
        });
    rows.collect()
}

/// What the tables say about one position; `is_there` if there is a table that says who
/// wins.
fn answer(
    tables: &Tablebase,
    position: &Position,
    is_there: bool,
    asked: Asked,
) -> Result<Values, Trouble> {
    let mut numbers = Numbers::UNKNOWN;
    let short = |plies: i32| i16::try_from(plies).unwrap_or(NO_PLIES);
    let wdl = match is_there {
        true => tables.wdl(position)?,
        false => probe_wdl(tables, position)?,
    };
    numbers.wdl = wdl.number();
    if asked.dtm {
        numbers.dtm = short(probe_dtm(tables, position)?);
    }
    if asked.dtz {
        numbers.dtz = short(probe_dtz(tables, position)?);
    }
    let curves = match asked.curves {
        true => Some(Box::new(tables.vitality(position)?)),
        false => None,
    };
    Ok((numbers, curves))
}

#[pymethods]
impl PyBatch {
    /// As `Tablebase.probe_wdl`; -128 where it is not known.
    #[getter]
    fn wdl(&self, py: Python<'_>) -> Py<PyAny> {
        self.wdl.clone_ref(py)
    }

    /// As `Tablebase.probe_dtm`; -32768 where it is not known. None if not asked for.
    #[getter]
    fn dtm(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.dtm.as_ref().map(|array| array.clone_ref(py))
    }

    /// As `Tablebase.probe_dtz`; -32768 where it is not known. None if not asked for.
    #[getter]
    fn dtz(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.dtz.as_ref().map(|array| array.clone_ref(py))
    }

    /// High Chess: a row of thresholds for each position, 0 where not known.
    #[getter]
    fn thresholds(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.thresholds.as_ref().map(|array| array.clone_ref(py))
    }

    /// High Chess: what White needs to force mate, 0 where not known.
    #[getter]
    fn white_mates(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.white_mates.as_ref().map(|array| array.clone_ref(py))
    }

    /// High Chess: what Black needs to force mate, 0 where not known.
    #[getter]
    fn black_mates(&self, py: Python<'_>) -> Option<Py<PyAny>> {
        self.black_mates.as_ref().map(|array| array.clone_ref(py))
    }

    /// Why positions have no values: exceptions, by the place of the position.
    #[getter]
    fn errors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let errors = PyDict::new(py);
        for (place, error) in &self.errors {
            errors.set_item(place, error.value(py))?;
        }
        Ok(errors)
    }

    fn __len__(&self) -> usize {
        self.len
    }

    fn __repr__(&self) -> String {
        let Self { len, errors, .. } = self;
        format!(
            "<Batch of {len} positions, {} without values>",
            errors.len()
        )
    }
}
