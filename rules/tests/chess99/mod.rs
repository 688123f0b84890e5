//! Chess 99, ruling by ruling (C1-C7).

mod castling;
mod en_passant;
mod king_capture;
mod manual;
mod notation;
mod pawns;
mod pieces;
mod properties;

use retrograde_rules::{End, Game, Position};

/// The game with default options.
fn game() -> Game {
    game_of("chess99")
}

fn game_of(id: &str) -> Game {
    Game::parse(id).unwrap()
}

#[track_caller]
fn position_of(game: Game, fen: &str) -> Position {
    Position::from_fen(game, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

#[track_caller]
fn position(fen: &str) -> Position {
    position_of(game(), fen)
}

/// All moves of a position, sorted.
fn moves_of(position: &Position) -> Vec<String> {
    let moves = position.legal_moves();
    let mut names: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
    names.sort();
    names
}

/// The moves of a position that begin so, without that, in one line.
#[track_caller]
fn moves_from(game: Game, fen: &str, start: &str) -> String {
    let names = moves_of(&position_of(game, fen));
    let ends: Vec<&str> = names
        .iter()
        .filter_map(|name| name.strip_prefix(start))
        .collect();
    ends.join(" ")
}

#[track_caller]
fn played_in(game: Game, fen: &str, uci: &str) -> Position {
    let before = position_of(game, fen);
    let mv = before
        .parse_uci(uci)
        .unwrap_or_else(|error| panic!("{fen}: {error}"));
    before.play(mv)
}

/// The position after a move, without the clocks.
#[track_caller]
fn played(fen: &str, uci: &str) -> String {
    let fen = played_in(game(), fen, uci).fen();
    let fields: Vec<&str> = fen.split(' ').take(4).collect();
    fields.join(" ")
}

/// How a game ends by a move.
#[track_caller]
fn end_by(game: Game, fen: &str, uci: &str) -> Option<End> {
    let after = played_in(game, fen, uci);
    let end = after.end();
    let moves = after.legal_moves();
    assert_eq!(after.end_with(&moves), end, "{fen} {uci}");
    assert!(
        end.is_none() || moves.is_empty(),
        "{fen} {uci}: a finished game has no moves"
    );
    end
}
