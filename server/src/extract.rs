//! Extracts games, materials and FENs from requests; what is wrong becomes a problem, not text.

use axum::extract::rejection::QueryRejection;
use axum::extract::{FromRequestParts, Path, Query};
use axum::http::StatusCode;
use axum::http::request::Parts;
use retrograde_rules::{Counters, Game, Material, Position};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::problem::Problem;
use crate::state::App;

/// The longest FEN that is looked at, in bytes: many times as long as any position.
pub(crate) const LONGEST_FEN: usize = 1024;

/// The game that the path names.
pub(crate) struct GameOf(pub(crate) Game);

impl FromRequestParts<App> for GameOf {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &App) -> Result<GameOf, Problem> {
        let segments = segments(parts, state).await?;
        let id = segments.first().map_or("", String::as_str);
        Ok(GameOf(game(state, id)?))
    }
}

/// The game and the material that the path names.
pub(crate) struct MaterialOf(pub(crate) Game, pub(crate) Material);

impl FromRequestParts<App> for MaterialOf {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &App) -> Result<MaterialOf, Problem> {
        let segments = segments(parts, state).await?;
        let [id, name] = segments.as_slice() else {
            return Err(Problem::not_found("name a game and a material"));
        };
        let game = game(state, id)?;
        Ok(MaterialOf(game, material(game, name)?))
    }
}

async fn segments<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<Vec<String>, Problem> {
    let path = Path::<Vec<String>>::from_request_parts(parts, state).await;
    let Path(segments) = path.map_err(|error| Problem::bad_request(error.body_text()))?;
    Ok(segments)
}

/// A game by its id.
pub(crate) fn game(app: &App, id: &str) -> Result<Game, Problem> {
    app.library
        .game(id)
        .map_err(|error| Problem::new(StatusCode::NOT_FOUND, "unknown-game", error.to_string()))
}

/// A material by its name.
pub(crate) fn material(game: Game, name: &str) -> Result<Material, Problem> {
    Material::parse(game, name)
        .map_err(|error| Problem::new(StatusCode::BAD_REQUEST, "bad-material", error.to_string()))
}

/// A position of a game. Underscores may stand for spaces.
pub(crate) fn position(game: Game, fen: &str) -> Result<Position, Problem> {
    if fen.len() > LONGEST_FEN {
        let detail = format!("a FEN has at most {LONGEST_FEN} bytes here");
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad-fen", detail));
    }
    Ok(Position::from_fen(game, &fen.replace('_', " "))?)
}

/// The position of a FEN in an address. There a plus sign that is not escaped is a space, so
/// that a vitality looks like clocks: two numbers that may be either are refused.
pub(crate) fn position_in_url(game: Game, fen: &str) -> Result<Position, Problem> {
    let full = game.full_counters().unwrap_or(Counters::both(0));
    let most = full.white.max(full.black);
    let points = |field: &str| field.parse().ok().filter(|n: &u8| (1..=most).contains(n));
    let text = fen.replace('_', " ");
    let mut numbers = text.split_ascii_whitespace().skip(4).map(points);
    if let (Some(Some(white)), Some(Some(black))) = (numbers.next(), numbers.next()) {
        let detail = format!(
            "\"{white} {black}\" may be counters whose plus sign was taken for a space: write \
            them as {white}%2B{black}; if they are the clocks, write the counters before them"
        );
        return Err(Problem::new(StatusCode::BAD_REQUEST, "bad-fen", detail));
    }
    position(game, fen)
}

/// The parameters after the question mark. Types refuse those that they do not know.
pub(crate) struct Asked<T>(pub(crate) T);

/// The query of a route without parameters.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Nothing {}

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, Problem> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(query)) => Ok(Asked(query)),
            Err(error) => Err(Problem::bad_request(unreadable(&error))),
        }
    }
}

/// The reason why parameters cannot be read.
pub(crate) fn unreadable(error: &QueryRejection) -> String {
    let text = error.body_text();
    let what = text.strip_prefix("Failed to deserialize query string: ");
    let what = what.unwrap_or(&text);
    // It begins with the name of the parameter, which the rest repeats.
    let unknown = what.find("unknown field");
    format!("in the parameters: {}", &what[unknown.unwrap_or(0)..])
        .replace("unknown field", "there is no parameter")
        .replace("there are no fields", "nor any other")
}
