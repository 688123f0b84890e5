//! Writes the answers of `retrograde probe` as JSON: those of the library, with what a search adds.

use retrograde_probe::object::{self, ErrorObject, RefusalObject};
use retrograde_rules::Position;
use retrograde_search::Stop;
use serde::Serialize;

use super::{Found, Searched, Trouble};

#[derive(Serialize)]
pub(in crate::cli) struct AnswerObject {
    /// The name of the position in EPD, its `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    answer: object::AnswerObject,
    /// The findings of a search, with `--search`.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<SearchObject>,
    /// The reason why the category is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorObject>,
}

/// A line that has no answer.
#[derive(Serialize)]
pub(super) struct UnansweredObject {
    /// The name of the position in EPD, its `id`.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    refusal: RefusalObject,
}

/// The object for a line that has no answer.
pub(super) fn refusal(line: &str, trouble: &Trouble) -> UnansweredObject {
    UnansweredObject {
        id: trouble.id.clone(),
        refusal: RefusalObject::new(line, trouble.error.clone()),
    }
}

/// The findings of a search.
#[derive(Serialize)]
struct SearchObject {
    /// Whether the answer is the search's.
    decides: bool,
    at_least: &'static str,
    at_most: &'static str,
    /// The number of plies that were searched completely.
    plies: u16,
    /// Null if there was nothing more to prove.
    stop: Option<&'static str>,
    /// The moves that win soonest, where all of them were looked for; else null.
    keys: Option<Vec<String>>,
}

/// The object for a position; what the tables do not tell is null.
pub(in crate::cli) fn answer(found: &Found) -> AnswerObject {
    let position = &found.position;
    let known = found.answer.as_ref().ok();
    let mut answer = object::AnswerObject::new(position, &found.facts, known)
        .with_value_at_clock_0(found.value_at_clock_0)
        .with_helpmate(found.helpmate);
    if let Some(given) = &found.given {
        answer.fen.clone_from(given);
    }
    if let Some(moves) = &found.moves {
        answer = answer.with_moves(position, moves);
    }
    if let Some(line) = &found.line {
        answer = answer.with_line(position, line.as_ref());
    }
    AnswerObject {
        id: found.id.clone(),
        answer,
        search: found.searched.as_ref().map(|s| search(position, s)),
        error: found.answer.as_ref().err().map(|t| t.error.clone()),
    }
}

fn search(position: &Position, searched: &Searched) -> SearchObject {
    let proof = &searched.proof;
    let solution = searched.solution.as_ref();
    SearchObject {
        decides: searched.decides,
        at_least: proof.at_least.name(),
        at_most: proof.at_most.name(),
        plies: proof.plies,
        stop: proof.stop.map(Stop::name),
        keys: solution
            .filter(|solution| solution.is_complete)
            .map(|solution| {
                solution
                    .keys
                    .iter()
                    .map(|key| position.uci(key.mv))
                    .collect()
            }),
    }
}
