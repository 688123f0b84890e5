//! Answers in the shape of lichess's tablebase, for `GET /standard`, `/atomic` and `/antichess`.
//!
//! Programs written for that one can ask this one; `/standard/mainline` and the like are here too.
//!
//! Distances are signed for the side to move. Those of a move are for the side that answers
//! it, and so is its category.

mod mainline;
mod valued;

use std::cmp::Reverse;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::{HeaderMap, Uri, header};
use axum::response::{IntoResponse, Response};
use retrograde_probe::{ProbeError, Tablebase};
use retrograde_rules::{Forgive, Game, PieceType, Position, ReadError, Setup};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::extract::{LONGEST_FEN, unreadable};
use crate::problem::Problem;
use crate::reply::{JSON, kept, unwritten};
use crate::state::App;
use mainline::Mainline;
use valued::{Category, Valued};

/// The games that are asked for in this form, as their addresses name them.
pub(crate) const GAMES: [&str; 3] = ["standard", "atomic", "antichess"];

/// The game that an address begins with.
fn game(uri: &Uri) -> Game {
    let name = uri.path().split('/').nth(1).unwrap_or_default();
    let games = Game::all().iter().copied();
    games
        .clone()
        .find(|game| game.is_called(name))
        .unwrap_or_default()
}

/// The position to look up.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct StandardQuery {
    /// The position. Fields at the end may be left out; underscores may stand for spaces.
    #[param(example = "4k3/6KP/8/8/8/8/7p/8_w_-_-_0_1")]
    fen: String,
}

/// A position and its moves.
#[derive(Serialize, ToSchema)]
pub(crate) struct Standard {
    #[serde(flatten)]
    position: Valued,
    /// The legal moves, the best first.
    moves: Vec<StandardMove>,
}

/// A move, and the position after it.
#[derive(Serialize, ToSchema)]
struct StandardMove {
    /// The move in UCI's long form.
    uci: String,
    /// The move in algebraic notation.
    san: String,
    /// Whether it is a capture or a pawn move.
    zeroing: bool,
    /// Whether it changes the material.
    conversion: bool,
    #[serde(flatten)]
    after: Valued,
    #[serde(skip)]
    captured: Option<PieceType>,
    #[serde(skip)]
    promotion: Option<PieceType>,
}

/// The reason why there is no answer, as plain text.
pub(crate) struct Plain(Problem);

impl IntoResponse for Plain {
    fn into_response(self) -> Response {
        self.0.into_plain_response()
    }
}

impl From<Problem> for Plain {
    fn from(problem: Problem) -> Plain {
        Plain(problem)
    }
}

impl From<ProbeError> for Plain {
    fn from(error: ProbeError) -> Plain {
        Plain(error.into())
    }
}

/// The values of a position and its moves, in the form of lichess's tablebase.
#[utoipa::path(
    get,
    path = "/standard",
    operation_id = "standard",
    tag = "standard",
    params(StandardQuery),
    responses(
        (status = 200, description = "What is known", content((Standard = "application/json"), (Standard = "application/cbor"))),
        (status = 304, description = "The same as the client has"),
        (status = 400, description = "The FEN is no position", body = String, content_type = "text/plain"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "A table is damaged", body = String, content_type = "text/plain"),
        (status = 503, description = "The server is busy", body = String, content_type = "text/plain"),
    )
)]
pub(crate) async fn probe(
    State(app): State<App>,
    uri: Uri,
    query: Result<Query<StandardQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Plain> {
    let game = game(&uri);
    let position = read(game, query)?;
    let tables = app.library.tables(game);
    app.metrics.positions.inc();
    let max_age = app.limits.max_age;
    let work = move || {
        let told = standard(&tables, &position)?;
        // What a missing table would tell is asked for again, because there may be one soon.
        let kept = if told.is_whole() { max_age } else { 0 };
        negotiated(&told, &headers, kept)
    };
    app.pool.run(work).await?
}

/// Play by distance to zeroing to the end, or until the fifty-move rule ends the game.
#[utoipa::path(
    get,
    path = "/standard/mainline",
    operation_id = "standard_mainline",
    tag = "standard",
    params(StandardQuery),
    responses(
        (status = 200, description = "The moves; none for a draw", content((Mainline = "application/json"), (Mainline = "application/cbor"))),
        (status = 304, description = "The same as the client has"),
        (status = 400, description = "The FEN is no position", body = String, content_type = "text/plain"),
        (status = 404, description = "No table has the position", body = String, content_type = "text/plain"),
        (status = 429, description = "Too many requests", body = Problem, content_type = "application/problem+json"),
        (status = 500, description = "A table is damaged", body = String, content_type = "text/plain"),
        (status = 503, description = "The server is busy", body = String, content_type = "text/plain"),
    )
)]
pub(crate) async fn mainline(
    State(app): State<App>,
    uri: Uri,
    query: Result<Query<StandardQuery>, QueryRejection>,
    headers: HeaderMap,
) -> Result<Response, Plain> {
    let game = game(&uri);
    let position = read(game, query)?;
    let tables = app.library.tables(game);
    app.metrics.positions.inc();
    let max_age = app.limits.max_age;
    let work = move || negotiated(&Mainline::of(&tables, &position)?, &headers, max_age);
    app.pool.run(work).await?
}

/// JSON, or CBOR if the client prefers it.
fn negotiated<T: Serialize>(value: &T, asked: &HeaderMap, max_age: u32) -> Result<Response, Plain> {
    let accept = asked
        .get(header::ACCEPT)
        .and_then(|accept| accept.to_str().ok());
    let (body, media) = match accept.is_some_and(|accept| accept.starts_with("application/cbor")) {
        true => {
            let mut body = Vec::new();
            ciborium::into_writer(value, &mut body).map_err(|error| unwritten(&error))?;
            (body, "application/cbor")
        }
        false => {
            let body = serde_json::to_vec(value).map_err(|error| unwritten(&error))?;
            (body, JSON)
        }
    };
    let mut response = kept(body.into(), media, asked, max_age);
    let headers = response.headers_mut();
    headers.insert(header::VARY, header::HeaderValue::from_static("accept"));
    Ok(response)
}

/// Reads a position as generously as lichess does: e.p. squares and castling rights that
/// cannot be are dropped.
fn read(
    game: Game,
    query: Result<Query<StandardQuery>, QueryRejection>,
) -> Result<Position, Plain> {
    let bad = |text: String| Plain(Problem::bad_request(text));
    let Query(StandardQuery { fen }) = query.map_err(|error| bad(unreadable(&error)))?;
    if fen.len() > LONGEST_FEN {
        return Err(bad(format!("a FEN has at most {LONGEST_FEN} bytes here")));
    }
    let fen = fen.replace('_', " ");
    let given: Vec<&str> = fen.split_whitespace().collect();
    let missing = ["", "w", "-", "-"].into_iter().skip(given.len());
    let fields: Vec<&str> = given.iter().copied().chain(missing).collect();
    let read = |castling: &str| -> Result<Position, ReadError> {
        let mut fields = fields.clone();
        fields[2] = castling;
        let setup = Setup::from_fen(game, &fields.join(" "))?;
        Ok(Position::forgiving(game, &setup, Forgive::EN_PASSANT)?)
    };
    let rights = fields[2];
    let position = read(rights).or_else(|error| {
        if !rights.chars().all(|right| "KQkqAHah".contains(right)) {
            return Err(error);
        }
        let can_be = |right: &char| read(&right.to_string()).is_ok();
        let kept: String = rights.chars().filter(can_be).collect();
        read(if kept.is_empty() { "-" } else { &kept })
    });
    position.map_err(|error| bad(error.to_string()))
}

fn standard(tables: &Tablebase, position: &Position) -> Result<Standard, ProbeError> {
    let clock = position.halfmoves();
    let mut moves = Vec::new();
    for &mv in &position.legal_moves() {
        let after = position.play(mv);
        let board = position.board();
        let captured = mv.captured.and_then(|square| board.piece_type_at(square));
        moves.push(StandardMove {
            uci: position.uci(mv),
            san: position.san(mv),
            zeroing: mv.is_zeroing(),
            conversion: mv.is_capture() || mv.promotion.is_some(),
            after: Valued::of(tables, &after, clock)?,
            captured,
            promotion: mv.promotion,
        });
    }
    moves.sort_by(|a, b| a.rank().cmp(&b.rank()).then_with(|| a.uci.cmp(&b.uci)));
    let mut valued = Valued::of(tables, position, clock.saturating_sub(1))?;
    // A best move that no table tells of says nothing against what is known.
    if let Some(best) = moves.first()
        && best.after.category != Category::Unknown
    {
        valued.category = best.after.category.opposite();
    }
    Ok(Standard {
        position: valued,
        moves,
    })
}

impl Standard {
    /// Whether tables or rules tell who wins here and after each move.
    fn is_whole(&self) -> bool {
        let after = self.moves.iter().map(|mv| &mv.after);
        after
            .chain([&self.position])
            .all(|valued| valued.category != Category::Unknown)
    }
}

impl StandardMove {
    /// The place of the move, the best first: by category, mates and dead draws first, then by
    /// depth to mate, then by distance to zeroing. Who wins likes to zero, who loses does not.
    fn rank(&self) -> impl Ord + use<> {
        let after = &self.after;
        let answer_gains = after.category > Category::Draw;
        (
            after.category,
            Reverse(after.checkmate || after.variant_loss),
            Reverse(after.stalemate || after.insufficient_material),
            // A shorter loss of the other side first, a longer win of it.
            (
                Reverse(after.dtm.filter(|&plies| plies < 0)),
                after.dtm.filter(|&plies| plies > 0).map(Reverse),
            ),
            self.conversion == answer_gains,
            self.zeroing == answer_gains,
            after.dtz.map(Reverse),
            (place(self.captured), place(self.promotion)),
        )
    }
}

/// Greater pieces come first, as in names of materials, and none comes last.
fn place(piece_type: Option<PieceType>) -> usize {
    piece_type.map_or(usize::MAX, PieceType::index)
}
