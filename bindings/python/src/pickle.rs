//! What results are made anew from, for Python's `pickle` and `copy`. They have no constructors
//! that users could call: there is nothing but what the tables said.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use retrograde_probe::object::{
    AnswerObject, ErrorObject, HelpmateObject, MoveObject, UNKNOWN, VitalityObject,
};
use retrograde_probe::{Facts, Tablebase, Wdl};
use retrograde_rules::{Colour, End, Game, Position};
use serde_json::Value;

use crate::answer::{PyAnswer, PyFault, PyLine, PyMove, PyVitality};
use crate::errors::{Trouble, find_game};
use crate::plan::{Fields, PyPlannedTable};

/// What `__reduce__` returns: a function of this module, and its arguments.
pub(crate) type Reduced<'py, A> = PyResult<(Bound<'py, PyAny>, A)>;

/// A function of this module, which makes something anew from its arguments.
pub(crate) fn reduced<'py, A>(py: Python<'py>, function: &str, arguments: A) -> Reduced<'py, A> {
    let function = py.import("retrograde._native")?.getattr(function)?;
    Ok((function, arguments))
}

/// The words that stand for something in JSON.
fn word(text: &str) -> PyResult<&'static str> {
    const OTHERS: [&str; 10] = [
        UNKNOWN,
        "mate",
        "exhaustion",
        "bad-fen",
        "illegal-position",
        "missing-table",
        "corrupt-table",
        "unreadable-table",
        "unsupported",
        "stopped",
    ];
    const ENDS: [End; 9] = [
        End::Checkmate,
        End::Stalemate { winner: None },
        End::Exhaustion,
        End::Blocked,
        End::Extinction {
            winner: Colour::White,
        },
        End::Hill,
        End::KingCapture,
        End::KingCaptureDraw,
        End::KingCaptureLoss,
    ];
    let known = OTHERS.into_iter();
    let known = known.chain(ENDS.map(End::name));
    let known = known.chain(Wdl::ALL.map(Wdl::name));
    let mut known = known.chain(Colour::BOTH.map(Colour::name));
    known.find(|known| *known == text).ok_or_else(|| {
        PyValueError::new_err(format!(
            "\"{text}\" is no word of this version of retrograde"
        ))
    })
}

fn word_or_none(text: Option<&str>) -> PyResult<Option<&'static str>> {
    text.map(word).transpose()
}

/// A game as it is pickled: one that is built in by its id, others by the text of their rules.
pub(crate) fn pickled_game(game: Game) -> String {
    match Game::names().contains(&game.name()) {
        true => game.id(),
        false => format!("name = \"{}\"\n{}", game.name(), game.normal()),
    }
}

fn position(game: &str, fen: &str) -> PyResult<Position> {
    let position = Position::from_fen(find_game(game, None, Vec::new())?, fen);
    Ok(position.map_err(Trouble::from)?)
}

/// A number in JSON.
fn number<N: TryFrom<u64>>(value: &Value) -> Option<N> {
    value.as_u64().and_then(|number| N::try_from(number).ok())
}

fn vitality_object(value: &Value) -> VitalityObject {
    let number = |name: &str| number(&value[name]);
    let thresholds = value["thresholds"].as_array();
    let thresholds = thresholds.into_iter().flatten();
    VitalityObject {
        white: number("white").unwrap_or_default(),
        black: number("black").unwrap_or_default(),
        thresholds: thresholds.filter_map(self::number).collect(),
        white_needs: number("white_needs").unwrap_or_default(),
        black_needs: number("black_needs").unwrap_or_default(),
        white_mates: number("white_mates"),
        black_mates: number("black_mates"),
    }
}

/// The moves of a position as the rules know them, with what was said about them.
fn moves(position: &Position, said: &[Value]) -> PyResult<Vec<MoveObject>> {
    let known = Tablebase::empty(position.game()).moves(position);
    let known = known.map_err(Trouble::from)?;
    let again = |said: &Value| {
        let known = known.iter().find(|mv| said["uci"] == mv.uci.as_str());
        let known = known.ok_or_else(|| PyValueError::new_err("there is no such move"))?;
        let mut object = MoveObject::new(position, known);
        object.category = word(said["category"].as_str().unwrap_or(UNKNOWN))?;
        object.winner = word_or_none(said["winner"].as_str())?;
        object.depth_plies = number(&said["depth_plies"]);
        object.dtz_plies = number(&said["dtz_plies"]);
        Ok(object)
    };
    said.iter().map(again).collect()
}

fn parse(json: &str) -> PyResult<Value> {
    serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// What the rules know follows from the position; the rest is what was said.
#[pyfunction(name = "_answer")]
pub(crate) fn answer(game: &str, fen: &str, json: &str) -> PyResult<PyAnswer> {
    let position = position(game, fen)?;
    let said = parse(json)?;
    // What a game does not have is not there, what is not known is null.
    let is_there = |name: &str| said.get(name).is_some();
    let of_words = |name: &str| {
        let word = word_or_none(said[name].as_str());
        is_there(name).then_some(word).transpose()
    };
    let mut object = AnswerObject::new(&position, &Facts::of(&position), None);
    if let Some(fen) = said["fen"].as_str() {
        fen.clone_into(&mut object.fen);
    }
    object.category = word(said["category"].as_str().unwrap_or(UNKNOWN))?;
    object.category_at_clock_0 = of_words("category_at_clock_0")?;
    object.winner = word_or_none(said["winner"].as_str())?;
    object.depth_plies = number(&said["depth_plies"]);
    object.dtz_plies = number(&said["dtz_plies"]);
    object.vitality = said
        .get("vitality")
        .map(|value| value.is_object().then(|| vitality_object(value)));
    object.win_by = of_words("win_by")?;
    object.helpmate = said.get("helpmate").map(|value| {
        Some(HelpmateObject {
            white: value["white"].as_bool()?,
            black: value["black"].as_bool()?,
        })
    });
    if let Some(said) = said["moves"].as_array() {
        object.moves = Some(moves(&position, said)?);
    }
    object.line = said.get("line").map(|moves| {
        let moves = moves.as_array()?.iter().filter_map(Value::as_str);
        Some(moves.map(str::to_owned).collect())
    });
    object.line_end = of_words("line_end")?;
    if let Some(error) = said.get("error") {
        object.error = Some(ErrorObject {
            kind: word(error["kind"].as_str().unwrap_or_default())?,
            message: error["message"].as_str().unwrap_or_default().to_owned(),
            offset: number(&error["offset"]),
        });
    }
    Ok(PyAnswer::new(position, object))
}

#[pyfunction(name = "_move")]
pub(crate) fn mv(game: &str, fen: &str, json: &str) -> PyResult<PyMove> {
    let position = position(game, fen)?;
    let mut moves = moves(&position, &[parse(json)?])?;
    let object = moves.pop();
    let object = object.ok_or_else(|| PyValueError::new_err("there is no such move"))?;
    Ok(PyMove::new(position, object))
}

#[pyfunction(name = "_line")]
pub(crate) fn line(
    game: &str,
    fen: &str,
    moves: Vec<String>,
    end: Option<&str>,
) -> PyResult<PyLine> {
    let end = word_or_none(end)?;
    Ok(PyLine::of(position(game, fen)?, moves, end))
}

#[pyfunction(name = "_fault")]
pub(crate) fn fault(kind: &str, message: String) -> PyResult<PyFault> {
    Ok(PyFault::new(ErrorObject {
        kind: word(kind)?,
        message,
        offset: None,
    }))
}

#[pyfunction(name = "_vitality")]
pub(crate) fn vitality(json: &str) -> PyResult<PyVitality> {
    Ok(PyVitality::new(vitality_object(&parse(json)?)))
}

#[pyfunction(name = "_planned_table")]
pub(crate) fn planned_table(fields: Fields) -> PyPlannedTable {
    fields.into()
}
