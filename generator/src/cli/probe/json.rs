//! Writes the answers of `retrograde probe` as JSON: those of the library, with what a search adds.

use retrograde_probe::object::{self, ErrorObject, RefusalObject};
use retrograde_search::SearchObject;
use serde::Serialize;

use super::{Found, Trouble};

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
        search: found.searched.as_ref().map(|searched| {
            let solution = searched.solution.as_ref();
            SearchObject::new(position, &searched.proof, solution, searched.decides)
        }),
        error: found.answer.as_ref().err().map(|t| t.error.clone()),
    }
}
