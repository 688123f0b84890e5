//! Which royal men are attacked, and by what: from the moves of the base game, in which
//! nothing is illegal because of check.

use retrograde_rules::{Game, Move, Position, Square, SquareSet};

/// The royal men of the side to move that are attacked, and who attacks them.
pub(super) struct Threats {
    /// The squares of the attacked royal men.
    pub(super) royals: SquareSet,
    /// The squares of the men that attack them.
    pub(super) attackers: SquareSet,
}

/// The threats against the side to move of a position of extinction chess with mating rules.
pub(super) fn threats(position: &Position) -> Threats {
    let royals = position.royals(position.turn());
    let mut found = Threats {
        royals: SquareSet::EMPTY,
        attackers: SquareSet::EMPTY,
    };
    for capture in captures(position) {
        if let Some(square) = capture.captured.filter(|&square| royals.contains(square)) {
            found.royals.insert(square);
            found.attackers.insert(capture.from);
        }
    }
    found
}

/// The moves of the side NOT to move that capture something.
fn captures(position: &Position) -> Vec<Move> {
    let pieces = position.board().pieces();
    let turned = Position::from_pieces(Game::Extinction, pieces, position.turn().other());
    let moves = turned.map(|turned| turned.legal_moves());
    moves
        .iter()
        .flat_map(|moves| moves.iter().copied())
        .filter(|mv| mv.is_capture())
        .collect()
}

/// Whether the side to move of a position can capture on a square, in the base game.
pub(super) fn is_attacked(position: &Position, square: Square) -> bool {
    let pieces = position.board().pieces();
    let free = Position::from_pieces(Game::Extinction, pieces, position.turn());
    free.is_some_and(|free| {
        let moves = free.legal_moves();
        moves.iter().any(|mv| mv.captured == Some(square))
    })
}

/// The moves that the side to move has in the base game, and where a man of its own stands
/// after each.
pub(super) fn free_moves(position: &Position, man: Square) -> Vec<(Move, Square)> {
    let pieces = position.board().pieces();
    let Some(free) = Position::from_pieces(Game::Extinction, pieces, position.turn()) else {
        return Vec::new();
    };
    let moves = free.legal_moves();
    moves
        .iter()
        .map(|&mv| (mv, if mv.from == man { mv.to } else { man }))
        .collect()
}

/// Whether a man could be saved if it alone were royal: after some move of the base game it
/// is not attacked. `by_itself` asks for moves of that man.
pub(super) fn can_be_saved(position: &Position, man: Square, by_itself: bool) -> bool {
    let pieces = position.board().pieces();
    let Some(free) = Position::from_pieces(Game::Extinction, pieces, position.turn()) else {
        return false;
    };
    free_moves(position, man).into_iter().any(|(mv, square)| {
        if by_itself && mv.from != man || mv.promotion.is_some() && mv.from == man {
            return false;
        }
        let after = free.play(mv);
        let Some(next) =
            Position::from_pieces(Game::Extinction, after.board().pieces(), after.turn())
        else {
            return true;
        };
        !next
            .legal_moves()
            .iter()
            .any(|reply| reply.captured == Some(square))
    })
}
