//! Which royal men are attacked, and by what: from the moves of the base game, in which
//! nothing is illegal because of check.

use std::sync::LazyLock;

use retrograde_rules::{Colour, Game, Position, Square, SquareSet};

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
    if let Some(free) = free(position, position.turn().other()) {
        for mv in &free.legal_moves() {
            if let Some(square) = mv.captured.filter(|&square| royals.contains(square)) {
                found.royals.insert(square);
                found.attackers.insert(mv.from);
            }
        }
    }
    found
}

/// The game without mating rules.
static BASE: LazyLock<Game> = LazyLock::new(|| {
    Game::parse("extinction").unwrap_or_else(|error| unreachable!("the base game: {error}"))
});

/// A position of the base game with the same placement and this side to move.
fn free(position: &Position, turn: Colour) -> Option<Position> {
    Position::from_pieces(*BASE, position.board().pieces(), turn)
}

/// Whether the side to move of a position can capture what stands on a square, in the base
/// game: a pawn after its double step en passant, too (E3).
pub(super) fn is_attacked(position: &Position, square: Square) -> bool {
    // Made anew, since in the base game the last move may have ended the game.
    Position::new(*BASE, &position.setup()).is_ok_and(|free| {
        let moves = free.legal_moves();
        moves.iter().any(|mv| mv.captured == Some(square))
    })
}

/// Whether a man could be saved if it alone were royal: after some move of the base game it
/// is not attacked. `by_itself` asks for moves of that man.
pub(super) fn can_be_saved(position: &Position, man: Square, by_itself: bool) -> bool {
    let Some(free) = free(position, position.turn()) else {
        return false;
    };
    free.legal_moves().iter().any(|&mv| {
        let is_its_own = mv.from == man;
        if by_itself && !is_its_own || mv.promotion.is_some() && is_its_own {
            return false;
        }
        let square = if is_its_own { mv.to } else { man };
        !is_attacked(&free.play(mv), square)
    })
}
