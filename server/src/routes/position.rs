//! Gives a random position of a material, for `GET /api/{game}/random`.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use retrograde_probe::object::{AnswerObject, Include};
use retrograde_probe::random::{Wish, random};
use retrograde_probe::{Metric, Wdl};
use retrograde_rules::Colour;
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Asked, GameOf, material};
use crate::problem::Problem;
use crate::reply::json;
use crate::routes::probe::answer;
use crate::state::App;

/// The parameters of a random position.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct RandomQuery {
    /// The material, White's pieces first.
    #[param(example = "KQvK")]
    material: String,
    /// The side to move; either if left out.
    #[param(inline)]
    side: Option<Side>,
    /// The category for the side to move; any if left out.
    #[param(inline)]
    category: Option<Category>,
    /// The plies to the end of the game; any number if left out.
    #[param(example = 17)]
    depth_plies: Option<u32>,
    /// The plies to the next capture, pawn move or mate, in games with the fifty-move rule, instead
    /// of `depth_plies`.
    dtz_plies: Option<u32>,
    /// Whether the counters are to be on the edge, in games with vitality: the winner has just the
    /// points that it needs, and would lose with one fewer.
    #[serde(default)]
    edge: bool,
    /// A seed: the same one gives the same position.
    seed: Option<u64>,
}

/// A side.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Side {
    White,
    Black,
}

/// A category.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Category {
    Win,
    CursedWin,
    Draw,
    BlessedLoss,
    Loss,
}

impl Category {
    fn wdl(self) -> Wdl {
        match self {
            Category::Win => Wdl::Win,
            Category::CursedWin => Wdl::CursedWin,
            Category::Draw => Wdl::Draw,
            Category::BlessedLoss => Wdl::BlessedLoss,
            Category::Loss => Wdl::Loss,
        }
    }
}

/// A random position of a material, and who wins it. Unless a number of plies is given, all such
/// positions without an e.p. right are equally likely; in games with vitality both counters are
/// full, unless they are to be on the edge.
#[utoipa::path(
    get,
    path = "/api/{game}/random",
    tag = "positions",
    params(("game" = String, Path, description = "A game, with its rule options", example = "orthodox"), RandomQuery),
    responses(
        (status = 200, description = "The position, as `GET /api/{game}` answers it", body = AnswerObject),
        (status = 400, description = "There is no such material", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game or table, or no such position was found", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "A table is damaged", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "The server is busy", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn random_position(
    State(app): State<App>,
    GameOf(game): GameOf,
    Asked(query): Asked<RandomQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let wish = Wish {
        material: material(game, &query.material)?,
        turn: query.side.map(|side| match side {
            Side::White => Colour::White,
            Side::Black => Colour::Black,
        }),
        wdl: query.category.map(Category::wdl),
        distance: match (query.depth_plies, query.dtz_plies) {
            (Some(_), Some(_)) => {
                let detail = "name depth_plies or dtz_plies, not both";
                return Err(Problem::bad_request(detail));
            }
            (Some(plies), None) => Some((Metric::Dtm, plies)),
            (None, plies) => plies.map(|plies| (Metric::Dtz, plies)),
        },
        is_on_edge: query.edge,
    };
    let tables = app.library.tables(game);
    let work = move || {
        let mut rng = query
            .seed
            .map_or_else(fastrand::Rng::new, fastrand::Rng::with_seed);
        let mut below = |most: usize| rng.usize(..most);
        let Some(found) = random(&tables, &wish, &mut below)? else {
            let detail = format!("no such position of {} was found among many", wish.material);
            return Err(Problem::new(StatusCode::NOT_FOUND, "not-found", detail));
        };
        json(&answer(&tables, &found, Include::default())?, &headers, 0)
    };
    app.pool.run(work).await?
}
