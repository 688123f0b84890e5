//! Single values by the tables, as users of other tablebases know them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyString;
use retrograde_probe::{Metric, ProbeError, Tablebase, Wdl};
use retrograde_rules::{Game, Material, MoveKind, Position};

use crate::errors::Trouble;

/// The metric that says who wins.
pub(crate) fn result_metric(game: Game) -> Metric {
    match game.vitality_rules() {
        Some(_) => Metric::Thresholds,
        None => Metric::Wdl,
    }
}

/// The names of metrics, if any are given.
pub(crate) fn metric_names(given: Option<&Bound<'_, PyAny>>) -> PyResult<Option<Vec<String>>> {
    let Some(given) = given.filter(|given| !given.is_none()) else {
        return Ok(None);
    };
    let wrong = || PyTypeError::new_err("metrics is a list of names, such as [\"wdl\"]");
    if given.is_instance_of::<PyString>() {
        return Err(wrong());
    }
    let names = given.try_iter().map_err(|_| wrong())?;
    let names = names.map(|name| name?.extract().map_err(|_| wrong()));
    names.collect::<PyResult<_>>().map(Some)
}

/// Who wins by the tables, with the half-move clock at 0.
#[inline]
pub(crate) fn probe_wdl(tables: &Tablebase, position: &Position) -> Result<Wdl, Trouble> {
    match tables.wdl(position) {
        Ok(wdl) => Ok(wdl),
        Err(error) => or_by_capture(tables, position, error, Wdl::Win),
    }
}

/// The signed distance to the next zeroing move, with the half-move clock at 0.
pub(crate) fn probe_dtz(tables: &Tablebase, position: &Position) -> Result<i32, Trouble> {
    match tables.signed_dtz(position) {
        Ok(plies) => Ok(plies),
        Err(error) => or_by_capture(tables, position, error, 1),
    }
}

/// The signed distance to the end of the game.
pub(crate) fn probe_dtm(tables: &Tablebase, position: &Position) -> Result<i32, Trouble> {
    Ok(tables.signed_dtm(position)?)
}

/// The value of a position that has no table, but in which a capture wins.
#[cold]
fn or_by_capture<T>(
    tables: &Tablebase,
    position: &Position,
    error: ProbeError,
    value: T,
) -> Result<T, Trouble> {
    let trouble = Trouble::from(error);
    match trouble.is_absence() && wins_by_capture(tables, position) {
        true => Ok(value),
        false => Err(trouble),
    }
}

/// Whether a capture wins, so that no table of the position itself is needed: where there
/// is the fifty-move rule, as Syzygy's tables are asked. En passant is not tried.
fn wins_by_capture(tables: &Tablebase, position: &Position) -> bool {
    let game = tables.game();
    let is_asked = position.castling().is_empty()
        && position.material().len() <= Material::MOST_PIECES
        && game.zeroing_limit().is_some();
    is_asked
        && position.legal_moves().iter().any(|&mv| {
            let is_capture = mv.captured.is_some() && mv.kind == MoveKind::Ordinary;
            is_capture && matches!(probe_wdl(tables, &position.play(mv)), Ok(Wdl::Loss))
        })
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
