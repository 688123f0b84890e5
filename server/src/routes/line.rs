//! Gives best play from a position to the end, for `GET /api/{game}/line`.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use retrograde_pgn::{PlyObject, write_moves};
use retrograde_probe::Tablebase;
use retrograde_probe::object::{AnswerObject, Include};
use retrograde_rules::{Colour, Position};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Asked, GameOf, position_in_url};
use crate::problem::Problem;
use crate::reply::{PGN, json, kept};
use crate::routes::play::Format;
use crate::routes::probe::{answer, kept_for};
use crate::state::App;

/// The position from which to play.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct LineQuery {
    /// The position. Four fields suffice; underscores may stand for spaces, and a plus sign is
    /// written as `%2B`.
    #[param(example = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1")]
    fen: String,
    /// The form of the answer.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// Best play from a position.
#[derive(Serialize, ToSchema)]
pub(crate) struct LineObject {
    /// The answer about the position, with `line` and `line_end`.
    #[serde(flatten)]
    answer: AnswerObject,
    /// The moves of the line, each with the position after it. Empty if the position is drawn, the
    /// game has ended, or no table tells.
    plies: Vec<PlyObject>,
}

/// The best moves of both sides to the end, under which the winner wins as fast as it can
/// without giving away the win.
#[utoipa::path(
    get,
    path = "/api/{game}/line",
    tag = "positions",
    params(("game" = String, Path, description = "A game, with its rule options", example = "orthodox"), LineQuery),
    responses(
        (status = 200, description = "The line", content((LineObject = "application/json"), (String = "application/x-chess-pgn"))),
        (status = 304, description = "The same as the client has"),
        (status = 400, description = "The FEN is no position of the game", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game, or, for PGN, no table", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "A table is damaged", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "The server is busy", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn line(
    State(app): State<App>,
    GameOf(game): GameOf,
    Asked(query): Asked<LineQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let position = position_in_url(game, &query.fen)?;
    let tables = app.library.tables(game);
    app.metrics.positions.inc();
    let max_age = app.limits.max_age;
    let work = move || match query.format {
        Format::Json => {
            let told = object(&tables, &position)?;
            let kept = kept_for(&told.answer, std::iter::empty(), max_age);
            json(&told, &headers, kept)
        }
        Format::Pgn => {
            let text = text(&tables, &position)?;
            Ok(kept(text.into(), PGN, &headers, max_age))
        }
    };
    app.pool.run(work).await?
}

fn object(tables: &Tablebase, start: &Position) -> Result<LineObject, Problem> {
    let include = Include {
        moves: false,
        line: true,
    };
    let answer = answer(tables, start, include)?;
    let moves = answer.line.iter().flatten().flatten();
    let (mut position, mut plies) = (*start, Vec::new());
    for uci in moves {
        // The line consists of legal moves.
        let Ok(mv) = position.parse_uci(uci) else {
            break;
        };
        let ply = PlyObject::new(&position, mv);
        plies.push(ply);
        position = position.play(mv);
    }
    Ok(LineObject { answer, plies })
}

fn text(tables: &Tablebase, start: &Position) -> Result<String, Problem> {
    let object = object(tables, start)?;
    if let Some(error) = object.answer.error {
        return Err(Problem::new(
            StatusCode::NOT_FOUND,
            error.kind,
            error.message,
        ));
    }
    if object.answer.line == Some(None) {
        // Asked for the line alone, the tables say which one is missing.
        tables.line(start)?;
    }
    let outcome = match object.answer.winner {
        Some(name) if name == Colour::White.name() => retrograde_pgn::Outcome::White,
        Some(_) => retrograde_pgn::Outcome::Black,
        None => retrograde_pgn::Outcome::Draw,
    };
    let sans = object.plies.into_iter().map(|ply| ply.san);
    Ok(write_moves(start, sans, Some(outcome), "Tablebase"))
}
