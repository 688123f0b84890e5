//! Kings and wild 9, ruling by ruling (K1-K7).

mod boards;
mod manual;
mod materials;
mod notation;
mod properties;
mod puzzles;
mod royalty;
mod spares;

use retrograde_rules::{Colour, Game, Position};

fn game(id: &str) -> Game {
    Game::parse(id).unwrap()
}

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

/// The names of the royal pieces, White's first.
fn royals(game: Game, position: &Position) -> [Vec<String>; 2] {
    Colour::BOTH.map(|colour| {
        let royals = position.royals(colour);
        royals.map(|square| game.geometry().name(square)).collect()
    })
}
