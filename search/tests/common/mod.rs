//! A solver of mate problems that does nothing clever: all moves of both sides,
//! nothing remembered, no tables.
#![allow(dead_code, reason = "each test takes what it needs")]

use retrograde_rules::{Colour, Game, Position};

/// Whether the side to move can force the game to end as its win within so many
/// plies.
pub(crate) fn mate_within(game: Game, position: &Position, plies: u32) -> bool {
    wins(game, position, plies, position.turn())
}

fn wins(game: Game, position: &Position, plies: u32, side: Colour) -> bool {
    let moves = game.legal_moves(position);
    if moves.is_empty() {
        let end = game.end(position).expect("no move is an end");
        return end.winner(position.turn()) == Some(side);
    }
    if plies == 0 {
        return false;
    }
    let mut after = moves.iter().map(|&mv| game.play(position, mv));
    if position.turn() == side {
        after.any(|after| wins(game, &after, plies - 1, side))
    } else {
        // With one ply left it is for nothing that a side moves that cannot
        // end the game by it.
        after.all(|after| wins(game, &after, plies - 1, side))
    }
}

/// The only move that wins within so many plies.
pub(crate) fn only_key(game: Game, position: &Position, plies: u32) -> String {
    let mut keys = game.legal_moves(position).to_vec();
    keys.retain(|&mv| wins(game, &game.play(position, mv), plies - 1, position.turn()));
    assert_eq!(
        keys.len(),
        1,
        "{:?}",
        keys.iter().map(|mv| mv.uci(game)).collect::<Vec<_>>()
    );
    keys[0].uci(game)
}
