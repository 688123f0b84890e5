//! Asks the rules about a position: whether it ends at once, and what it is in another game.
//!
//! No tables are needed for that.

use retrograde_rules::{End, Game, Position};

/// Whether the game has been decided, or the side to move can win it with its next move: a royal
/// piece is left where it is taken, or mate is on the board.
pub(crate) fn ends_at_once(position: &Position) -> bool {
    let turn = position.turn();
    let is_decided = |end: End| end.winner(turn).is_some();
    if position.end().is_some_and(is_decided) {
        return true;
    }
    position.legal_moves().iter().any(|&mv| {
        let after = position.play(mv);
        let end = match after.finished() {
            Some(end) => Some(end),
            // Without check only a game in which a side that cannot move loses ends so.
            None if after.is_check() || after.game().stalemate_may_lose() => after.end(),
            None => None,
        };
        end.is_some_and(|end| end.winner(after.turn()) == Some(turn))
    })
}

/// Carries a position over to another game: the same pieces with the same side to move, if they
/// are a position there, and with the same counters if both games have such.
pub(crate) fn carried_over(position: &Position, game: Game) -> Option<Position> {
    if position.game().geometry() != game.geometry() {
        return None;
    }
    let same = Position::from_board(game, position.board(), position.turn())?;
    match position.vitality() {
        None => Some(same),
        Some(counters) => Some(same.with_vitality(counters).unwrap_or(same)),
    }
}
