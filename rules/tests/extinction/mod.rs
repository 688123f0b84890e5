//! Extinction chess, with mating rules and without, ruling by ruling (E1-E6).

mod ends;
mod manual;
mod materials;
mod mating;
mod notation;
mod pawns;
mod properties;

use std::sync::LazyLock;

use retrograde_rules::{Game, Position};

static MATING: LazyLock<Game> = LazyLock::new(|| Game::parse("extinction-mating").unwrap());
static BASE: LazyLock<Game> = LazyLock::new(|| Game::parse("extinction").unwrap());

fn position(game: Game, fen: &str) -> Position {
    Position::from_fen(game, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The legal moves, in order.
fn moves(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let mut names: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
    names.sort();
    names
}

/// The legal moves from one square.
fn moves_from(game: Game, fen: &str, from: &str) -> Vec<String> {
    let mut moves = moves(&position(game, fen));
    moves.retain(|mv| mv.starts_with(from));
    moves
}

/// The position after a move.
fn played(game: Game, fen: &str, uci: &str) -> Position {
    let before = position(game, fen);
    before.play(before.parse_uci(uci).unwrap())
}
