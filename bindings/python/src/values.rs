//! Looks up the WDL, signed DTZ or DTM of one position for the methods of `Tablebase`, or a default; and which metrics tell it.

use pyo3::prelude::*;
use retrograde_probe::{Metric, Tablebase, Wdl};
use retrograde_rules::{Colour, Game, Position};

use crate::errors::Trouble;

/// The number of thresholds of a position, one for each vitality that Black can have; `None` in
/// games without vitality.
pub(crate) fn thresholds(game: Game) -> Option<u8> {
    let rules = game.vitality()?;
    Some(rules.counters().count(Colour::Black) as u8)
}

/// The metric that says who wins.
pub(crate) fn result_metric(game: Game) -> Metric {
    match game.vitality() {
        Some(_) => Metric::Thresholds,
        None => Metric::Wdl,
    }
}

/// The result by the tables, with the half-move clock at 0.
#[inline]
pub(crate) fn probe_wdl(tables: &Tablebase, position: &Position) -> Result<Wdl, Trouble> {
    Ok(tables.wdl(position)?)
}

/// The signed distance to the next zeroing move, with the half-move clock at 0.
pub(crate) fn probe_dtz(tables: &Tablebase, position: &Position) -> Result<i32, Trouble> {
    Ok(tables.signed_dtz(position)?)
}

/// The signed distance to the end of the game.
pub(crate) fn probe_dtm(tables: &Tablebase, position: &Position) -> Result<i32, Trouble> {
    Ok(tables.signed_dtm(position)?)
}

/// The default instead of an answer that the tables do not have.
pub(crate) fn or_default<'py, T>(
    py: Python<'py>,
    answer: Result<T, Trouble>,
    default: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>>
where
    T: IntoPyObject<'py, Output = Bound<'py, pyo3::types::PyInt>>,
    PyErr: From<T::Error>,
{
    match answer {
        Ok(value) => Ok(value.into_pyobject(py)?.into_any()),
        Err(trouble) if trouble.is_absence() => {
            Ok(default.unwrap_or_else(|| py.None().into_bound(py)))
        }
        Err(trouble) => Err(trouble.into()),
    }
}
