//! Probes many positions at once for Python's `probe_many`, without the interpreter's lock.
//!
//! It uses all processors.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};
use rayon::prelude::*;
use retrograde_probe::{Metric, Tablebase, Value, Wdl};
use retrograde_rules::Position;

use crate::arguments;
use crate::array::{array, matrix};
use crate::errors::Trouble;
use crate::fork::pool;
use crate::position::{fen_at_clock_0, read_at_clock_0};
use crate::results::result;
use crate::rows::{Curves, NO_PLIES, NO_WDL};
use crate::values::{probe_dtm, probe_dtz, probe_wdl, result_metric};

/// The fewest positions that are worth a task.
const FEWEST: usize = 256;

/// The most positions of a task. Where they are looked up in the order in which the
/// values are stored, this is how many a block is unpacked for.
const MOST: usize = 1 << 14;

/// The number of positions that are looked up together: so few that they stay in the caches.
const TOGETHER: usize = 512;

/// The most positions between two looks for signals.
const PART: usize = 1 << 17;

/// The columns that are asked for.
#[derive(Clone, Copy)]
struct Asked {
    dtm: bool,
    dtz: bool,
    /// The number of thresholds, if they are asked for.
    curves: Option<u8>,
}

impl Asked {
    fn parse(tables: &Tablebase, names: Option<Vec<String>>) -> PyResult<Asked> {
        let game = tables.game();
        let full = crate::values::thresholds(game);
        let known: Vec<&str> = match full.is_some() {
            true => vec!["wdl", "thresholds"],
            false => Metric::of(game)
                .iter()
                .map(|metric| metric.name())
                .collect(),
        };
        let mut asked = Asked {
            dtm: false,
            dtz: false,
            curves: full.filter(|_| names.is_none()),
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
                "thresholds" => asked.curves = full,
                _ => {}
            }
        }
        Ok(asked)
    }

    /// The distances that are asked for.
    fn distances(self) -> Vec<Metric> {
        let both = [(self.dtm, Metric::Dtm), (self.dtz, Metric::Dtz)];
        let asked = both.into_iter().filter(|&(is_asked, _)| is_asked);
        asked.map(|(_, metric)| metric).collect()
    }
}

/// A position that is asked for.
enum Question<'a> {
    Fen(&'a str),
    Position(Box<Position>),
    /// A text that is no position; the reason is known already.
    Bad,
}

/// The values of some positions, in the order in which they were given.
struct Values {
    wdl: Vec<i8>,
    dtm: Vec<i16>,
    dtz: Vec<i16>,
    curves: Curves,
    /// The reasons why positions have no values, by their places.
    troubles: Vec<(usize, Trouble)>,
}

impl Values {
    /// Values of positions of which nothing is known.
    fn unknown(positions: usize, asked: Asked) -> Values {
        let plies = |asked| vec![NO_PLIES; if asked { positions } else { 0 }];
        Values {
            wdl: vec![NO_WDL; positions],
            dtm: plies(asked.dtm),
            dtz: plies(asked.dtz),
            curves: Curves::unknown(asked.curves.unwrap_or(0), positions),
            troubles: Vec::new(),
        }
    }

    /// Asks the tables about positions, each with its place, all at once.
    fn ask_together(&mut self, tables: &Tablebase, asked: Asked, questions: &[(usize, Position)]) {
        let positions: Vec<Position> = questions.iter().map(|&(_, position)| position).collect();
        let found = tables.probe_batch(&positions, &asked.distances());
        for ((at, position), value) in questions.iter().zip(found) {
            let known = value.is_ok_and(|value| self.put(asked, *at, value).is_some());
            if !known {
                self.ask(tables, asked, *at, position);
            }
        }
    }

    /// Puts down a value; `None` if it lacks something.
    fn put(&mut self, asked: Asked, at: usize, value: Value) -> Option<()> {
        let plies = |asked, plies: Option<i32>| match asked {
            true => plies.map(short).map(Some),
            false => Some(None),
        };
        let dtm = plies(asked.dtm, value.signed_dtm())?;
        let dtz = plies(asked.dtz, value.signed_dtz())?;
        self.set(at, value.wdl, dtm, dtz);
        Some(())
    }

    /// Asks the tables about a position, and puts down what they say.
    fn ask(&mut self, tables: &Tablebase, asked: Asked, at: usize, position: &Position) {
        if let Err(trouble) = self.try_ask(tables, asked, at, position) {
            self.troubles.push((at, trouble));
        }
    }

    fn try_ask(
        &mut self,
        tables: &Tablebase,
        asked: Asked,
        at: usize,
        position: &Position,
    ) -> Result<(), Trouble> {
        let plies = |asked, probe: fn(&Tablebase, &Position) -> Result<i32, Trouble>| match asked {
            true => probe(tables, position).map(short).map(Some),
            false => Ok(None),
        };
        let wdl = probe_wdl(tables, position)?;
        let (dtm, dtz) = (plies(asked.dtm, probe_dtm)?, plies(asked.dtz, probe_dtz)?);
        if asked.curves.is_some() {
            self.curves.set(at, &tables.vitality(position)?);
        }
        self.set(at, wdl, dtm, dtz);
        Ok(())
    }

    /// Puts down numbers, those of distances that are asked for.
    fn set(&mut self, at: usize, wdl: Wdl, dtm: Option<i16>, dtz: Option<i16>) {
        self.wdl[at] = wdl.number();
        for (column, plies) in [(&mut self.dtm, dtm), (&mut self.dtz, dtz)] {
            if let Some(plies) = plies {
                column[at] = plies;
            }
        }
    }

    /// Adds the values of positions that follow.
    fn append(&mut self, mut others: Values) {
        let before = self.wdl.len();
        self.wdl.append(&mut others.wdl);
        self.dtm.append(&mut others.dtm);
        self.dtz.append(&mut others.dtz);
        self.curves.append(others.curves);
        let troubles = others.troubles.into_iter();
        self.troubles
            .extend(troubles.map(|(at, trouble)| (before + at, trouble)));
    }
}

/// A number of plies as arrays have it.
fn short(plies: i32) -> i16 {
    i16::try_from(plies).unwrap_or(NO_PLIES)
}

/// Looks up many positions, in the order in which they are given.
pub(crate) fn probe_many<'py>(
    tables: &Tablebase,
    positions: &Bound<'py, PyAny>,
    metrics: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let py = positions.py();
    let asked = Asked::parse(tables, arguments::metrics(metrics)?)?;
    if positions.is_instance_of::<PyString>() {
        let text = "positions is a list of positions; for a single one there is probe";
        return Err(pyo3::exceptions::PyTypeError::new_err(text));
    }
    let given: Vec<Bound<'_, PyAny>> = positions.try_iter()?.collect::<PyResult<_>>()?;
    // The strings are kept alive by `given` while the lock is not held.
    let mut bad = Vec::new();
    let mut questions = Vec::with_capacity(given.len());
    for (at, item) in given.iter().enumerate() {
        let question = match item.cast::<PyString>() {
            Ok(fen) => fen.to_str().map(Question::Fen).map_err(Trouble::from),
            Err(_) => read_at_clock_0(tables.game(), item)
                .map(|position| Question::Position(Box::new(position))),
        };
        questions.push(question.unwrap_or_else(|trouble| {
            bad.push((at, trouble));
            Question::Bad
        }));
    }
    let pool = pool(py)?;
    let mut values = Values::unknown(0, asked);
    for part in questions.chunks(PART) {
        // Ctrl-C is heard between the parts.
        py.check_signals()?;
        let found = py.detach(|| pool.install(|| answer_all(tables, part, asked)));
        found.into_iter().for_each(|some| values.append(some));
    }
    values.troubles.append(&mut bad);
    values.troubles.sort_unstable_by_key(|&(at, _)| at);
    batch(py, asked, values)
}

/// The arrays of a `Batch`; there is none of what was not asked for.
fn batch(py: Python<'_>, asked: Asked, values: Values) -> PyResult<Bound<'_, PyAny>> {
    let arrays = PyDict::new(py);
    arrays.set_item("wdl", array(py, &values.wdl)?)?;
    if asked.dtm {
        arrays.set_item("dtm", array(py, &values.dtm)?)?;
    }
    if asked.dtz {
        arrays.set_item("dtz", array(py, &values.dtz)?)?;
    }
    if let Some(full) = asked.curves {
        let curves = &values.curves;
        arrays.set_item("thresholds", matrix(py, &curves.thresholds, full.into())?)?;
        arrays.set_item("white_mates", array(py, &curves.white_mates)?)?;
        arrays.set_item("black_mates", array(py, &curves.black_mates)?)?;
    }
    let errors = PyDict::new(py);
    for (place, trouble) in values.troubles {
        errors.set_item(place, PyErr::from(trouble).into_value(py))?;
    }
    arrays.set_item("errors", errors)?;
    result(py, "Batch", (arrays,))
}

/// Looks up some positions, part by part, in their order.
fn answer_all(tables: &Tablebase, questions: &[Question<'_>], asked: Asked) -> Vec<Values> {
    let tasks = 4 * rayon::current_num_threads();
    let size = questions.len().div_ceil(tasks).clamp(FEWEST, MOST);
    let tasks = questions.par_chunks(size);
    tasks.map(|some| answer(tables, some, asked)).collect()
}

/// Looks up some positions. Where blocks have to be unpacked they are
/// looked up in the order in which the values are stored.
fn answer(tables: &Tablebase, questions: &[Question<'_>], asked: Asked) -> Values {
    let metric = result_metric(tables.game());
    let mut values = Values::unknown(questions.len(), asked);
    let (mut order, mut positions, mut at_hand) = (Vec::new(), Vec::new(), Vec::new());
    let has_vitality = tables.game().vitality().is_some();
    for (at, question) in questions.iter().enumerate() {
        let position = match question {
            Question::Fen(fen) => fen_at_clock_0(tables.game(), fen),
            Question::Position(position) => Ok(**position),
            Question::Bad => continue,
        };
        match position.map(|position| (position, tables.place(&position, metric))) {
            Ok((position, Some(place))) => {
                order.push((place, positions.len()));
                positions.push((at, position));
            }
            Ok((position, None)) if !has_vitality => {
                at_hand.push((at, position));
                if at_hand.len() == TOGETHER {
                    values.ask_together(tables, asked, &at_hand);
                    at_hand.clear();
                }
            }
            Ok((position, None)) => values.ask(tables, asked, at, &position),
            Err(trouble) => values.troubles.push((at, trouble)),
        }
    }
    values.ask_together(tables, asked, &at_hand);
    order.sort_unstable();
    for (_, number) in order {
        let (at, position) = &positions[number];
        values.ask(tables, asked, *at, position);
    }
    values
}
