//! Solves mate problems by trying all moves of both sides, to check the search.
//!
//! It does nothing clever: nothing is remembered, and there are no tables.

use retrograde_rules::{Colour, Position};

/// Whether the side to move can force the game to end as its win within so many
/// plies.
pub(crate) fn mate_within(position: &Position, plies: u32) -> bool {
    wins(position, plies, position.turn())
}

fn wins(position: &Position, plies: u32, side: Colour) -> bool {
    let moves = position.legal_moves();
    if moves.is_empty() {
        let end = position.end().expect("no move is an end");
        return end.winner(position.turn()) == Some(side);
    }
    if plies == 0 {
        return false;
    }
    let mut after = moves.iter().map(|&mv| position.play(mv));
    if position.turn() == side {
        after.any(|after| wins(&after, plies - 1, side))
    } else {
        // With one ply left it is for nothing that a side moves that cannot
        // end the game by it.
        after.all(|after| wins(&after, plies - 1, side))
    }
}

/// The only move that wins within so many plies.
pub(crate) fn only_key(position: &Position, plies: u32) -> String {
    let mut keys = position.legal_moves().to_vec();
    keys.retain(|&mv| wins(&position.play(mv), plies - 1, position.turn()));
    assert_eq!(
        keys.len(),
        1,
        "{:?}",
        keys.iter().map(|mv| position.uci(*mv)).collect::<Vec<_>>()
    );
    position.uci(keys[0])
}
