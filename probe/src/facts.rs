//! States what the rules alone know of positions and moves, whatever tables there are.

use retrograde_index::Helpmate;
use retrograde_rules::{Colour, End, Game, Goal, Material, Move, Position, SquareSet};

/// The facts about a position that the rules alone know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Facts {
    /// The material of the position in normal form.
    pub material: Material,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Whether White's king is attacked, and Black's, in games where kings are captured; both may
    /// be (C1). `None` in other games.
    pub checks: Option<[bool; 2]>,
    /// Whether the side to move is mated.
    pub checkmate: bool,
    /// Whether the side to move is stalemated.
    pub stalemate: bool,
    /// The royal pieces of both sides, White first, in games where it takes a
    /// look at the placement to tell ([`Game::royals_vary`]).
    pub royals: Option<[SquareSet; 2]>,
    /// The royal pieces of both sides that are attacked, in the same games.
    pub attacked_royals: Option<[SquareSet; 2]>,
    /// Whether neither side can be mated by any moves, as the pieces alone show
    /// (O5); `None` in games that have no such list.
    pub dead: Option<bool>,
    /// The sides that can be mated by any moves of both, in games that have such a list, where the
    /// pieces alone show it or the game has ended. `None` where it takes a table to tell.
    pub helpmate: Option<Helpmate>,
    /// The side that is High, and why, in games with vitality. `None` in other games.
    pub high: Option<High>,
    /// The end of the game, if it has ended.
    pub end: Option<End>,
}

/// The side that is High (H1), and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct High {
    /// The side.
    pub side: Colour,
    /// The distances of White's king and Black's from the centre, in steps: 0 to 3.
    pub distances: [u8; 2],
}

impl Facts {
    /// The facts about a position.
    pub fn of(position: &Position) -> Facts {
        let game = position.game();
        let end = position.end();
        Facts {
            material: position.material().normal(game).0,
            check: position.is_check(),
            checks: both_may_be_in_check(game)
                .then(|| Colour::BOTH.map(|side| position.in_check(side))),
            checkmate: matches!(end, Some(End::Checkmate | End::CheckmateWins)),
            stalemate: matches!(end, Some(End::Stalemate { .. })),
            royals: royals(position),
            attacked_royals: (game.royals_vary())
                .then(|| Colour::BOTH.map(|side| position.attacked_royals(side))),
            dead: position.dead(),
            helpmate: helpmate_by_rules(position),
            high: game.vitality().map(|rules| High {
                side: rules.high(position),
                distances: Colour::BOTH.map(|side| {
                    let distances = position.royals(side).map(|king| rules.distance(king));
                    distances.min().unwrap_or(0)
                }),
            }),
            end,
        }
    }
}

/// See [`Facts::helpmate`].
pub(crate) fn helpmate_by_rules(position: &Position) -> Option<Helpmate> {
    if position.dead()? {
        return Some(Helpmate::DEAD);
    }
    Some(match position.end()?.winner(position.turn()) {
        Some(winner) => Helpmate::of_mated(winner.other()),
        None => Helpmate::DEAD,
    })
}

/// The facts about a move that the rules alone know. Facts that a game does not have are `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MoveFacts {
    /// Whether the fifty-move rule begins to count again (O4).
    pub zeroing: Option<bool>,
    /// Whether the move restores vitality (H7), in games with vitality; `None` in other games.
    pub vital: Option<bool>,
    /// Whether both kings are attacked after it, in games where kings are captured; `None` in other
    /// games.
    pub double_check: Option<bool>,
    /// The royal pieces of both sides after it, White first; see
    /// [`Facts::royals`].
    pub royals_after: Option<[SquareSet; 2]>,
}

impl MoveFacts {
    /// The facts about a legal move of a position, which leads to another.
    pub fn of(position: &Position, mv: Move, after: &Position) -> MoveFacts {
        let game = position.game();
        let in_check = |side| after.in_check(side);
        MoveFacts {
            zeroing: game.zeroing_limit().map(|_| mv.is_zeroing()),
            vital: game.vitality().map(|rules| rules.is_vital(position, mv)),
            double_check: both_may_be_in_check(game)
                .then(|| Colour::BOTH.into_iter().all(in_check)),
            royals_after: royals(after),
        }
    }
}

fn royals(position: &Position) -> Option<[SquareSet; 2]> {
    let royals = |side| position.royals(side);
    position
        .game()
        .royals_vary()
        .then(|| Colour::BOTH.map(royals))
}

/// Whether both kings may be attacked: where kings are captured, nothing is illegal because of
/// check (C1).
fn both_may_be_in_check(game: Game) -> bool {
    match game.goal() {
        Goal::KingCapture(_) => true,
        Goal::Mate | Goal::Reach(_) | Goal::Extinction => false,
    }
}
