//! Gives counts and histograms of a material, for `GET /api/{game}/stats/{material}`.

use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};

use crate::extract::{Asked, MaterialOf, Nothing};
use crate::problem::Problem;
use crate::reply::{JSON, kept};
use crate::state::App;

/// The number of positions of a material that are won, drawn and lost, in how many plies, and the
/// longest wins. The first question about a large material may take longer than a request may: ask
/// again.
#[utoipa::path(
    get,
    path = "/api/{game}/stats/{material}",
    tag = "tables",
    params(
        ("game" = String, Path, description = "A game, with its rule options", example = "orthodox"),
        ("material" = String, Path, description = "A material", example = "KQvK"),
    ),
    responses(
        (status = 200, description = "Counts by side to move; plies are keys of the histograms", body = Object, content_type = "application/json"),
        (status = 304, description = "The same as the client has"),
        (status = 308, description = "The material has another name in normal form"),
        (status = 400, description = "There is no such material", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game or table", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "A table is damaged", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "The material is being counted, or that would take too much memory", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn stats(
    State(app): State<App>,
    MaterialOf(game, material): MaterialOf,
    _: Asked<Nothing>,
    uri: Uri,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let (normal, _) = material.normal(game);
    let name = normal.name(game);
    if uri.path().rsplit('/').next() != Some(name.as_str()) {
        // From the beginning, because a relative one would depend on the last slash.
        let place = format!("/api/{}/stats/{name}", game.id());
        let location: HeaderName = header::LOCATION;
        return Ok((StatusCode::PERMANENT_REDIRECT, [(location, place)]).into_response());
    }
    let tables = app.library.tables(game);
    let body = app.tallies.of(tables, normal, app.limits.time).await?;
    Ok(kept(body, JSON, &headers, app.limits.max_age))
}
