//! Searches for a proof where no table has the answer, for `GET /api/{game}/search`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::Response;
use retrograde_pgn::PlyObject;
use retrograde_probe::object::{AnswerObject, ErrorObject, Include};
use retrograde_probe::{Facts, Line, Tablebase};
use retrograde_rules::Position;
use retrograde_search::{Limits, Search, SearchObject};
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};

use crate::extract::{Asked, GameOf, position_in_url};
use crate::problem::Problem;
use crate::reply::json;
use crate::routes::probe::answer;
use crate::state::App;

/// The memory for what one search has proved, in bytes.
const MEMORY: u64 = 64 << 20;

/// The time that the line of a proof may take, beyond that of the search.
const LINE_TIME: Duration = Duration::from_secs(1);

/// The position to search.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct SearchQuery {
    /// The position. Four fields suffice; underscores may stand for spaces, and a plus sign is
    /// written as `%2B`.
    #[param(example = "8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - - 0 1")]
    fen: String,
    /// The seconds that the search may take: as many as this server allows if left out, and never
    /// more.
    #[param(example = 5)]
    seconds: Option<u32>,
}

/// The answer about a position, and what a search has proved where no table has it.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchedObject {
    #[serde(flatten)]
    answer: AnswerObject,
    /// The findings of the search; null where tables have the answer, so that nothing was searched.
    search: Option<SearchObject>,
    /// The play that the proof of a win rests on, each move with the position after it, as far as
    /// search and tables know it. The winner takes the shortest way that was proved, which need not
    /// be the shortest of all.
    plies: Vec<PlyObject>,
}

/// Searches for a proof of who wins, down to positions that tables have or to the end of the game,
/// until it is known or the time is up. It stops when the client closes the connection.
#[utoipa::path(
    get,
    path = "/api/{game}/search",
    tag = "positions",
    params(("game" = String, Path, description = "A game, with its rule options", example = "orthodox"), SearchQuery),
    responses(
        (status = 200, description = "What is proved; if that does not settle the category, it is `unknown` and `error` says how far the search has come", body = SearchedObject),
        (status = 400, description = "The FEN is no position of the game", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game", body = Problem, content_type = "application/problem+json"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "A table is damaged", body = Problem, content_type = "application/problem+json"),
        (status = 501, description = "This server does not search", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "Others search already", body = Problem, content_type = "application/problem+json"),
    )
)]
pub(crate) async fn search(
    State(app): State<App>,
    GameOf(game): GameOf,
    Asked(query): Asked<SearchQuery>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let position = position_in_url(game, &query.fen)?;
    let most = app.limits.search_time;
    if most.is_zero() {
        let detail = "this server does not search; ask `retrograde probe --search` for a proof";
        let status = StatusCode::NOT_IMPLEMENTED;
        return Err(Problem::new(status, "unsupported", detail));
    }
    let asked = query
        .seconds
        .map_or(most, |seconds| Duration::from_secs(seconds.into()));
    let time = asked.min(most);
    let permit = Arc::clone(&app.searches).try_acquire_owned();
    let permit = permit.map_err(|_| {
        let seconds = most.as_secs().max(1);
        Problem::busy("others search already; try again", seconds)
    })?;
    let tables = app.library.tables(game);
    app.metrics.positions.inc();
    let interrupt = Interrupt::default();
    let flag = Arc::clone(&interrupt.0);
    let work = spawn_blocking(move || {
        let found = searched(&tables, &position, time, &flag);
        drop(permit);
        found
    });
    let mut work = std::pin::pin!(work);
    let done = tokio::select! {
        done = &mut work => done,
        () = app.stop.cancelled() => {
            // What is known by then is the answer.
            interrupt.set();
            work.await
        }
    };
    let found = done.map_err(|error| Problem::fault("a search has failed", &error))?;
    json(&found?, &headers, 0)
}

/// Stops a search when it is dropped, as it is when the client has gone.
#[derive(Default)]
struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        self.set();
    }
}

fn searched(
    tables: &Tablebase,
    position: &Position,
    time: Duration,
    interrupt: &AtomicBool,
) -> Result<SearchedObject, Problem> {
    let told = answer(tables, position, Include::default())?;
    let Some(missing) = told.error.clone() else {
        return Ok(SearchedObject {
            answer: told,
            search: None,
            plies: Vec::new(),
        });
    };
    let limits = |time| Limits {
        time: Some(time),
        shortest: false,
        ..Limits::plies(Limits::MOST_PLIES)
    };
    let mut search = Search::new(tables, 1, MEMORY);
    let proof = search.prove(position, limits(time), interrupt)?;
    let found = proof.answer(position);
    let mut object = AnswerObject::new(position, &Facts::of(position), found.as_ref());
    let mut plies = Vec::new();
    if found.is_some() {
        let line = search.line(position, &proof, limits(LINE_TIME), interrupt)?;
        plies = line.map_or_else(Vec::new, |line| shown(position, &line));
    } else {
        object.error = Some(ErrorObject {
            message: format!("{}; {}", proof.undecided(), missing.message),
            ..missing
        });
    }
    Ok(SearchedObject {
        answer: object,
        search: Some(SearchObject::new(position, &proof, None, found.is_some())),
        plies,
    })
}

/// The moves of a line, each with the position after it.
fn shown(start: &Position, line: &Line) -> Vec<PlyObject> {
    let mut position = *start;
    let plies = line.moves.iter().map(|&mv| {
        let ply = PlyObject::new(&position, mv);
        position = position.play(mv);
        ply
    });
    plies.collect()
}
