//! Lists the endings of a game with what is known of each, for `GET /api/{game}/endings`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use retrograde::plan::materials;
use retrograde::stats::{SideStats, Stats, kept};
use retrograde_probe::{Metric, Tablebase};
use retrograde_rules::{Game, Material};
use serde::Serialize;
use utoipa::ToSchema;

use crate::extract::{Asked, GameOf, Nothing};
use crate::problem::Problem;
use crate::reply::json;
use crate::state::App;

/// The endings with so many men are listed even if there is no table of them.
const MEN: usize = 4;

/// An ending, the tables of it, and what they keep on it.
#[derive(Serialize, ToSchema)]
struct EndingObject {
    /// The material.
    material: String,
    /// The metrics of the tables that this server has; none if it has no table.
    metrics: Vec<&'static str>,
    /// The numbers that the tables keep; null if there is no table, or the positions have to be
    /// counted first, as `GET /api/{game}/stats/{material}` does.
    counts: Option<CountsObject>,
}

/// A number for each side to move.
#[derive(Serialize, ToSchema)]
struct PerSide<T> {
    white: T,
    black: T,
}

/// The numbers of positions, as in the statistics of a material.
#[derive(Serialize, ToSchema)]
struct CountsObject {
    /// All positions.
    positions: PerSide<u64>,
    /// Those that are won, cursed wins included.
    win: PerSide<u64>,
    /// Those that are drawn.
    draw: PerSide<u64>,
    /// Those that are lost, blessed losses included.
    loss: PerSide<u64>,
    /// The plies of the longest win; null where none is known.
    longest_win_plies: PerSide<Option<u32>>,
    /// The mutual zugzwangs.
    mutual_zugzwang: u64,
}

impl CountsObject {
    fn new(stats: &Stats) -> CountsObject {
        fn per_side<T>(stats: &Stats, of: impl Fn(&SideStats) -> T) -> PerSide<T> {
            let [white, black] = &stats.sides;
            PerSide {
                white: of(white),
                black: of(black),
            }
        }
        CountsObject {
            positions: per_side(stats, |side| side.positions),
            win: per_side(stats, |side| side.win),
            draw: per_side(stats, |side| side.draw),
            loss: per_side(stats, |side| side.loss),
            longest_win_plies: per_side(stats, SideStats::longest_win),
            mutual_zugzwang: stats.zugzwangs.positions,
        }
    }
}

/// The endings of a game: those that this server has tables of, and all others of up to four men,
/// with the numbers that the tables keep.
#[utoipa::path(
    get,
    path = "/api/{game}/endings",
    tag = "tables",
    params(("game" = String, Path, description = "A game, with its rule options", example = "orthodox")),
    responses(
        (status = 200, description = "The endings, those with fewer men first", body = Vec<EndingObject>),
        (status = 304, description = "The same as the client has"),
        (status = 400, description = "There are no parameters", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "The server is busy", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn endings(
    State(app): State<App>,
    GameOf(game): GameOf,
    _: Asked<Nothing>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let tables = app.library.tables(game);
    let present = app.library.materials(game);
    let max_age = app.limits.max_age;
    let work = move || json(&listed(game, &tables, present), &headers, max_age);
    app.pool.run(work).await?
}

fn listed(
    game: Game,
    tables: &Tablebase,
    present: Vec<(Material, Vec<Metric>)>,
) -> Vec<EndingObject> {
    let absent = materials(game, MEN);
    let absent = absent
        .into_iter()
        .filter(|material| !present.iter().any(|(known, _)| known == material));
    let absent = absent
        .map(|material| (material, Vec::new()))
        .collect::<Vec<_>>();
    let mut all = [present, absent].concat();
    all.sort_by_key(|(material, _)| material.len());
    let object = |(material, metrics): (Material, Vec<Metric>)| EndingObject {
        material: material.name(game),
        counts: match metrics.is_empty() {
            true => None,
            // What is wrong with a table is said where it is asked for.
            false => kept(tables, &material)
                .ok()
                .flatten()
                .as_ref()
                .map(CountsObject::new),
        },
        metrics: metrics.into_iter().map(Metric::name).collect(),
    };
    all.into_iter().map(object).collect()
}
