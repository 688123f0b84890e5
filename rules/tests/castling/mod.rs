//! Castling with rights, ruling by ruling (X1-X4).

mod fen;
mod manual;
mod notation;
mod orthodox;
mod royal;
mod vital;

use retrograde_rules::{Game, Position};

fn game(id: &str) -> Game {
    Game::parse(id).unwrap()
}

#[track_caller]
fn position(game: Game, fen: &str) -> Position {
    Position::from_fen(game, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The castling moves in UCI, in order.
#[track_caller]
fn castles(id: &str, fen: &str) -> Vec<String> {
    let game = game(id);
    let position = position(game, fen);
    let moves = position.legal_moves();
    let castling = moves
        .iter()
        .filter(|mv| mv.kind == retrograde_rules::MoveKind::CastlingByRight);
    let mut names: Vec<String> = castling.map(|&mv| position.uci(mv)).collect();
    names.sort();
    names
}

/// The first four fields after moves in UCI.
#[track_caller]
fn after(id: &str, fen: &str, moves: &[&str]) -> String {
    let game = game(id);
    let mut position = position(game, fen);
    for mv in moves {
        let mv = position.parse_uci(mv).unwrap();
        position = position.play(mv);
    }
    let fen = position.fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}
