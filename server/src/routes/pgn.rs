//! Reads games from PGN, for `POST /api/{game}/pgn`.

use axum::body::{Body, to_bytes};
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use retrograde_pgn::{RecordObject, read_games};
use tokio::time::timeout;

use crate::extract::{Asked, GameOf, Nothing};
use crate::problem::Problem;
use crate::reply::json;
use crate::routes::play::MOST_MOVES;
use crate::state::App;

/// Reads the games of a PGN text, with tags, comments, annotations and variations, and plays their
/// moves by the rules. No table is asked.
#[utoipa::path(
    post,
    path = "/api/{game}/pgn",
    tag = "positions",
    params(("game" = String, Path, description = "A game, with its rule options", example = "orthodox")),
    request_body(
        content((Option<String> = "application/x-chess-pgn", example = "1. e4 e5 2. Nf3 *")),
        description = "The games"
    ),
    responses(
        (status = 200, description = "The games, each as far as its moves are legal", body = Vec<RecordObject>),
        (status = 400, description = "There are no parameters, or the body broke off", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 408, description = "The body takes too long", body = Problem, content_type = "application/problem+json"),
        (status = 413, description = "The body is too long", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "The server is busy", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn pgn(
    State(app): State<App>,
    GameOf(game): GameOf,
    _: Asked<Nothing>,
    body: Body,
) -> Result<Response, Problem> {
    let most = app.limits.body;
    let too_long = || {
        let detail = format!("games have at most {most} bytes here");
        Problem::new(StatusCode::PAYLOAD_TOO_LARGE, "limit", detail)
    };
    let bytes = timeout(
        app.limits.time,
        to_bytes(body, usize::try_from(most).unwrap_or(usize::MAX)),
    );
    let text = match bytes.await {
        Ok(Ok(text)) => text,
        Ok(Err(error)) => {
            let is_limit = std::error::Error::source(&error)
                .is_some_and(|source| source.is::<http_body_util::LengthLimitError>());
            return Err(match is_limit {
                true => too_long(),
                false => Problem::bad_request(format!("the games broke off: {error}")),
            });
        }
        Err(_) => {
            let detail = "the games did not come in time";
            return Err(Problem::new(StatusCode::REQUEST_TIMEOUT, "limit", detail));
        }
    };
    // What was sent decides, not what the client has.
    let asked = HeaderMap::new();
    let work = move || json(&read_games(game, &text, MOST_MOVES), &asked, 0);
    app.pool.run(work).await?
}
