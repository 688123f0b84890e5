//! Plays moves from a position by the rules alone, for `GET /api/{game}/play`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use retrograde_pgn::{Outcome, PlyObject, Walk, write_moves};
use retrograde_rules::{Colour, Position};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Asked, GameOf, position_in_url};
use crate::problem::Problem;
use crate::reply::{PGN, json, kept};
use crate::state::App;

/// The most moves that are played: no line of best play in tables of five men is as long.
pub(crate) const MOST_MOVES: usize = 2000;

/// The form of moves in an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Format {
    /// JSON.
    #[default]
    Json,
    /// A PGN file.
    Pgn,
}

/// Moves to play.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PlayQuery {
    /// The position to play from; the beginning of the game if left out. Underscores may
    /// stand for spaces, and a plus sign is written as `%2B`.
    #[param(example = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1")]
    fen: Option<String>,
    /// The moves, in UCI's long form or in algebraic notation, separated by commas.
    #[serde(default)]
    #[param(example = "b1b4,d5e5")]
    moves: String,
    /// The form of the answer.
    #[serde(default)]
    #[param(inline)]
    format: Format,
}

/// A game as far as it was played.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayObject {
    /// The game with its options.
    game: String,
    /// The position it begins with.
    fen: String,
    /// The moves.
    plies: Vec<PlyObject>,
    /// The end of the game; null while it goes on.
    end: Option<&'static str>,
    /// The winner: `white` or `black`; null for a draw, and while the game goes on.
    winner: Option<&'static str>,
    /// The number of times that the last position occurred before.
    repetitions: u32,
}

/// Plays moves from a position. No table is asked.
#[utoipa::path(
    get,
    path = "/api/{game}/play",
    tag = "positions",
    params(("game" = String, Path, description = "A game, with its rule options", example = "orthodox"), PlayQuery),
    responses(
        (status = 200, description = "The game", content((PlayObject = "application/json"), (String = "application/x-chess-pgn"))),
        (status = 304, description = "The same as the client has"),
        (status = 400, description = "The FEN is no position, or a move is not legal", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "The server is busy", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn play(
    State(app): State<App>,
    GameOf(game): GameOf,
    Asked(query): Asked<PlayQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let max_age = app.limits.max_age;
    let work = move || {
        let start = match &query.fen {
            Some(fen) => position_in_url(game, fen)?,
            None => game.array(),
        };
        let (plies, walk) = walk(&start, &query.moves)?;
        let end = walk.position().end();
        let winner = end.and_then(|end| end.winner(walk.position().turn()));
        match query.format {
            Format::Json => {
                let object = PlayObject {
                    game: game.id(),
                    fen: start.fen(),
                    plies,
                    end: end.map(|end| end.name()),
                    winner: winner.map(Colour::name),
                    repetitions: walk.repetitions(),
                };
                json(&object, &headers, max_age)
            }
            Format::Pgn => {
                let outcome = end.map(|_| match winner {
                    Some(Colour::White) => Outcome::White,
                    Some(Colour::Black) => Outcome::Black,
                    None => Outcome::Draw,
                });
                let sans = plies.into_iter().map(|ply| ply.san);
                let text = write_moves(&start, sans, outcome, "?");
                Ok(kept(text.into(), PGN, &headers, max_age))
            }
        }
    };
    app.pool.run(work).await?
}

/// Plays moves that are separated by commas or spaces.
pub(crate) fn walk(start: &Position, moves: &str) -> Result<(Vec<PlyObject>, Walk), Problem> {
    let (mut walk, mut plies) = (Walk::new(*start), Vec::new());
    let texts = moves.split([',', ' ']).filter(|text| !text.is_empty());
    for (place, text) in texts.enumerate() {
        if place == MOST_MOVES {
            let detail = format!("at most {MOST_MOVES} moves are played");
            return Err(Problem::bad_request(detail));
        }
        let step = walk
            .play(text)
            .map_err(|error| Problem::bad_request(format!("move {}: {error}", place + 1)))?;
        plies.push(PlyObject::new(&step.before, step.mv));
    }
    Ok((plies, walk))
}
