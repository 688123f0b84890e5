//! Lists games, their options and their tables, for `GET /api/games` and `/api/games/{game}`.

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Response;
use retrograde_probe::Metric;
use retrograde_rules::{Colour, DoubleStep, Game, Goal, PieceType};
use serde::Serialize;
use utoipa::ToSchema;

use crate::extract::{Asked, GameOf, Nothing};
use crate::problem::Problem;
use crate::reply::json;
use crate::routes::page::claims;
use crate::state::App;

/// The full counters of a game with vitality.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum FullVitality {
    /// The full counter of both sides.
    Both(u8),
    /// White's and Black's.
    Each([u8; 2]),
}

/// A game, what it is played with, and what tables there are of it.
#[derive(Serialize, ToSchema)]
pub(crate) struct GameObject {
    /// The name, with the options that are not the default.
    id: String,
    /// The name without options.
    name: &'static str,
    /// The name that a definition is found by, that of its file; null for other games.
    file: Option<String>,
    /// The title, for people.
    title: &'static str,
    /// A few sentences on the game, for people; null if there are none.
    about: Option<&'static str>,
    /// The inventor; null if nobody is named.
    author: Option<&'static str>,
    /// The year in which the game was published; null if it is not known.
    year: Option<i64>,
    /// The address of the report on what is claimed about the game, from the root of the server;
    /// null if there is none.
    claims: Option<String>,
    /// Whether the game is one of those that every server knows.
    is_built_in: bool,
    /// Files and ranks, such as `8x8`.
    board: String,
    /// The number of files.
    files: u8,
    /// The number of ranks.
    ranks: u8,
    /// The letters of the pieces.
    pieces: String,
    /// Their names, in the same order.
    piece_names: Vec<String>,
    /// The letters by which the pieces may be drawn, in the same order: each that of the piece of
    /// well-known games that moves alike; `.` if there is none.
    figures: String,
    /// The letters of what a pawn may become, in some positions at least.
    promotions: String,
    /// The first and the last rank, counted from 1, on which White's pawns may stand, then
    /// Black's.
    pawn_ranks: [[u8; 2]; 2],
    /// Whether pawns may make double steps from other ranks than their first.
    double_step_from_anywhere: bool,
    /// Whether it depends on where they stand which pieces of which side are royal.
    royals_vary: bool,
    /// The fewest and the most kings of a side; null for any number.
    kings: [Option<usize>; 2],
    /// Whether a side may pass.
    has_pass: bool,
    /// Whether the fifty-move rule counts.
    fifty_moves: bool,
    /// The full counter of vitality, or White's and Black's if they differ; null in games
    /// without it.
    vitality: Option<FullVitality>,
    /// The fewest points of vitality that a side can have; null in games without it.
    least_vitality: Option<u8>,
    /// The squares on which a king wins; empty in other games.
    hill: Vec<String>,
    /// The position at the beginning.
    array: String,
    /// The metrics that tables have by default.
    metrics: Vec<&'static str>,
    /// The rule options.
    options: Vec<OptionObject>,
    /// The tables that this server has.
    tables: Vec<TableObject>,
}

/// A rule option.
#[derive(Serialize, ToSchema)]
struct OptionObject {
    name: &'static str,
    values: Vec<String>,
    default: &'static str,
    /// The value in this game.
    value: String,
    /// The meaning of the option and of its values; null if the definition does not say.
    about: Option<&'static str>,
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

/// The letter of the well-known piece that moves like one of a game, or is royal like the king.
fn figure(game: Game, piece_type: PieceType) -> char {
    if piece_type == PieceType::Pawn {
        return 'P';
    }
    let moves = game.mover(piece_type).to_string();
    let known = [
        ("K", 'K'),
        ("Q", 'Q'),
        ("BN", 'A'),
        ("RN", 'C'),
        ("R", 'R'),
        ("B", 'B'),
        ("N", 'N'),
    ];
    let known = known.iter().find(|(known, letter)| {
        *known == moves && (*letter == 'K') == (piece_type == PieceType::King)
    });
    known.map_or('.', |&(_, letter)| letter)
}

fn object(app: &App, game: Game) -> GameObject {
    let geometry = game.geometry();
    let pawns = game.pawns();
    let types = game.piece_types().iter();
    let (least, most) = game.kings_a_side();
    GameObject {
        id: game.id(),
        name: game.name(),
        file: app.library.file(game).map(str::to_owned),
        title: game.title(),
        about: game.about(),
        author: game.author(),
        year: game.year(),
        claims: claims(game),
        is_built_in: game.is_built_in(),
        board: format!("{}x{}", geometry.files, geometry.ranks),
        files: geometry.files,
        ranks: geometry.ranks,
        pieces: game.letters(),
        piece_names: types.map(|&t| game.piece_name(t)).collect(),
        figures: game
            .piece_types()
            .iter()
            .map(|&t| figure(game, t))
            .collect(),
        promotions: game.promotions().iter().map(|&t| game.letter(t)).collect(),
        pawn_ranks: Colour::BOTH.map(|colour| {
            let (first, last) = pawns.ranks[colour.index()];
            [first + 1, last + 1]
        }),
        double_step_from_anywhere: !matches!(
            pawns.double_step,
            DoubleStep::None | DoubleStep::FromHome
        ),
        royals_vary: game.royals_vary(),
        kings: [Some(least), Some(most).filter(|&most| most < usize::MAX)],
        has_pass: game.has_pass(),
        fifty_moves: game.zeroing_limit().is_some(),
        vitality: game
            .full_vitality()
            .map(|full| match full.white == full.black {
                true => FullVitality::Both(full.white),
                false => FullVitality::Each([full.white, full.black]),
            }),
        least_vitality: game.vitality().map(|rules| rules.counters().least),
        hill: match game.goal() {
            Goal::Reach(destination) => (destination.squares[0] | destination.squares[1])
                .map(|square| geometry.name(square))
                .collect(),
            Goal::Mate | Goal::KingCapture(_) | Goal::Extinction => Vec::new(),
        },
        array: game.array().fen(),
        metrics: Metric::of(game)
            .iter()
            .map(|metric| metric.name())
            .collect(),
        options: game
            .offers()
            .iter()
            .map(|offer| OptionObject {
                name: &offer.name,
                values: offer.values.list(),
                default: &offer.default,
                value: game.value_of(offer),
                about: offer.about.as_deref(),
            })
            .collect(),
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
