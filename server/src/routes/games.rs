//! Lists games, their options and their tables, for `GET /api/games` and `/api/games/{game}`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use retrograde_probe::Metric;
use retrograde_probe::object::RulesObject;
use retrograde_rules::Game;
use serde::Serialize;
use utoipa::ToSchema;

use crate::extract::{Asked, GameOf, Nothing};
use crate::problem::Problem;
use crate::reply::json;
use crate::routes::page::claims;
use crate::state::App;

/// A game, what it is played with, and what tables there are of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameObject {
    #[serde(flatten)]
    rules: RulesObject,
    /// The name that a definition is found by, that of its file; null for other games.
    file: Option<String>,
    /// The address of the report on what is claimed about the game, from the root of the server;
    /// null if there is none.
    claims: Option<String>,
    /// The tables that this server has.
    tables: Vec<TableObject>,
}

/// The tables of a material.
#[derive(Serialize, ToSchema)]
struct TableObject {
    material: String,
    metrics: Vec<&'static str>,
}

/// The games without options, and those with options that this server has tables of.
#[utoipa::path(
    get,
    path = "/api/games",
    tag = "games",
    responses(
        (status = 200, description = "The games", body = Vec<GameObject>),
        (status = 304, description = "The same as the client has"),
        (status = 400, description = "There are no parameters", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn games(
    State(app): State<App>,
    _: Asked<Nothing>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let mut games = Game::all().to_vec();
    for game in app.library.defined().chain(app.library.games()) {
        if !games.contains(&game) {
            games.push(game);
        }
    }
    let objects: Vec<_> = games.into_iter().map(|game| object(&app, game)).collect();
    json(&objects, &headers, 60)
}

/// A game, with any options.
#[utoipa::path(
    get,
    path = "/api/games/{game}",
    tag = "games",
    params(("game" = String, Path, description = "A game, with its rule options", example = "kings:board=10x10")),
    responses(
        (status = 200, description = "The game", body = GameObject),
        (status = 304, description = "The same as the client has"),
        (status = 400, description = "The name cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn game(
    State(app): State<App>,
    GameOf(game): GameOf,
    _: Asked<Nothing>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    json(&object(&app, game), &headers, 60)
}

fn object(app: &App, game: Game) -> GameObject {
    GameObject {
        rules: RulesObject::new(game),
        file: app.library.file(game).map(str::to_owned),
        claims: claims(game),
        tables: app
            .library
            .materials(game)
            .into_iter()
            .map(|(material, metrics)| TableObject {
                material: material.name(game),
                metrics: metrics.into_iter().map(Metric::name).collect(),
            })
            .collect(),
    }
}
