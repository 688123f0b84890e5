//! Says what rules and tables know of a position, for `GET /api/{game}`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use retrograde_probe::object::{AnswerObject, ErrorObject, Include, MoveObject, UNKNOWN};
use retrograde_probe::{ProbeError, Tablebase};
use retrograde_rules::{History, Position};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Asked, GameOf, position_in_url};
use crate::problem::{Problem, public};
use crate::reply::json;
use crate::routes::play::walk;
use crate::state::App;

/// The parameters of a probe.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ProbeQuery {
    /// The position. Four fields suffice; underscores may stand for spaces, and a plus sign is
    /// written as `%2B`.
    #[param(example = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1")]
    fen: String,
    /// Moves that were played from there, as for `GET /api/{game}/play`. The answer is about the
    /// position after them, and values know the game so far: the third occurrence of a position
    /// is a draw in games with the fifty-move rule.
    #[serde(default)]
    #[param(example = "a1b2,d5d6")]
    played: String,
    /// Whether to list the legal moves, best first.
    #[serde(default = "yes")]
    #[param(default = true)]
    moves: bool,
    /// Whether to play the best moves to the end.
    #[serde(default)]
    line: bool,
    /// Whether each move also says the FEN that it leads to, as `fen`.
    #[serde(default)]
    after: bool,
}

/// True, which serde cannot name.
fn yes() -> bool {
    true
}

/// The answer about a position. With `after`, moves say where they lead.
#[derive(Serialize, ToSchema)]
struct AnswerAfter {
    #[serde(flatten)]
    answer: AnswerObject,
    /// The legal moves, if they were asked for.
    #[schema(required = false)]
    moves: Vec<MoveAfter>,
}

/// A move, and where it leads.
#[derive(Serialize, ToSchema)]
struct MoveAfter {
    #[serde(flatten)]
    told: MoveObject,
    /// The position after the move, if `after` was asked for.
    #[schema(required = false)]
    fen: String,
}

/// The result of a position, in how many plies, and what every move leads to.
#[utoipa::path(
    get,
    path = "/api/{game}",
    tag = "positions",
    params(("game" = String, Path, description = "A game, with its rule options", example = "orthodox"), ProbeQuery),
    responses(
        (status = 200, description = "What is known; where no table tells, `category` is `unknown` and `error` says why", body = AnswerAfter),
        (status = 304, description = "The same as the client has"),
        (status = 400, description = "The FEN is no position of the game", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "A table is damaged", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "The server is busy", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn probe(
    State(app): State<App>,
    GameOf(game): GameOf,
    Asked(query): Asked<ProbeQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let position = position_in_url(game, &query.fen)?;
    let tables = app.library.tables(game);
    app.metrics.positions.inc();
    let max_age = app.limits.max_age;
    let work = move || {
        let (_, walk) = walk(&position, &query.played)?;
        match query.after && query.moves {
            true => {
                let told = answer_after(&tables, walk.game(), query.line)?;
                let moves = told.moves.iter().map(|mv| &mv.told);
                let kept = kept_for(&told.answer, moves, max_age);
                json(&told, &headers, kept)
            }
            false => {
                let include = Include {
                    moves: query.moves,
                    line: query.line,
                };
                let told = answer_in_game(&tables, walk.game(), include)?;
                let kept = kept_for(&told, told.moves.iter().flatten(), max_age);
                json(&told, &headers, kept)
            }
        }
    };
    app.pool.run(work).await?
}

/// The seconds for which an answer may be kept, where a whole one may be for `max_age`: a part that
/// lacks a table is asked for again, because there may be one soon.
pub(crate) fn kept_for<'a>(
    answer: &AnswerObject,
    mut moves: impl Iterator<Item = &'a MoveObject>,
    max_age: u32,
) -> u32 {
    let is_whole = answer.error.is_none()
        && answer.line != Some(None)
        && moves.all(|mv| mv.category != UNKNOWN);
    match is_whole {
        true => max_age,
        false => 0,
    }
}

/// The answer about a position.
///
/// # Errors
///
/// A table is damaged; that one is missing is part of the answer.
pub(crate) fn answer(
    tables: &Tablebase,
    position: &Position,
    include: Include,
) -> Result<AnswerObject, Problem> {
    answer_in_game(tables, &History::new(*position), include)
}

/// Answers for the current position of a game.
fn answer_in_game(
    tables: &Tablebase,
    game: &History,
    include: Include,
) -> Result<AnswerObject, Problem> {
    let told = |error: &ProbeError| ErrorObject {
        message: public(error),
        ..ErrorObject::from(error)
    };
    Ok(tables.answer_object_in_game(game, include, told)?)
}

fn answer_after(tables: &Tablebase, game: &History, line: bool) -> Result<AnswerAfter, Problem> {
    let include = Include { moves: false, line };
    let moves = tables.moves_in_game(game)?;
    Ok(AnswerAfter {
        answer: answer_in_game(tables, game, include)?,
        moves: moves
            .iter()
            .map(|mv| MoveAfter {
                told: MoveObject::new(game.position(), mv),
                fen: mv.after.fen(),
            })
            .collect(),
    })
}
