//! What is said about a position.

use retrograde_rules::{Colour, End, Move, Position};

use crate::Category;
use crate::facts::Facts;
use crate::high_chess::{HighChessAnswer, WinBy};

#[cfg(doc)]
use retrograde_rules::Game;

/// What tables say about a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Value {
    /// Who wins.
    pub category: Category,
    /// Plies to the end with best play, the winner going the shortest way,
    /// the loser the longest; 0 if the game has ended. `None` for draws, and
    /// where no table says it.
    pub depth_plies: Option<u32>,
    /// Plies to the next capture, pawn move or mate under play that keeps the
    /// category, the side that gains going the shortest way, the other the
    /// longest; 0 if mated (O4). `None` for draws, in games without the
    /// fifty-move rule, and where no table says it.
    pub dtz_plies: Option<u32>,
}

impl Value {
    /// A draw.
    pub const DRAW: Value = Value {
        category: Category::Draw,
        depth_plies: None,
        dtz_plies: None,
    };

    /// Nothing is known.
    pub const UNKNOWN: Value = Value {
        category: Category::Unknown,
        ..Value::DRAW
    };

    /// The same for the other side: the same distances, the other side's
    /// category.
    #[must_use]
    pub const fn reversed(self) -> Value {
        Value {
            category: self.category.reversed(),
            ..self
        }
    }

    /// A place in the order from the best to the worst for the side whose
    /// value this is: wins by smaller, losses by larger distance, what has
    /// none behind what has.
    pub(crate) fn rank(self) -> (Category, u32) {
        let plies = match (self.category, self.depth_plies) {
            (_, None) => u32::MAX,
            (Category::Loss | Category::BlessedLoss, Some(plies)) => u32::MAX - 1 - plies,
            (_, Some(plies)) => plies,
        };
        (self.category, plies)
    }

    /// The value at a half-move clock, this being the one at 0: a win or loss
    /// is one as long as its next zeroing move, or mate, comes within `limit`
    /// (O7). Not known if no distance shows it.
    pub(crate) fn at_clock(self, clock: u32, limit: Option<u32>) -> Value {
        let Some(limit) = limit else { return self };
        let within = |plies: u32| plies.saturating_add(clock) <= limit;
        let category = match (self.category, self.dtz_plies, self.depth_plies) {
            (Category::Win | Category::Loss, Some(dtz), _) if !within(dtz) => {
                self.category.cursed()
            }
            (Category::Win | Category::Loss, None, depth)
                if clock > 0 && !depth.is_some_and(within) =>
            {
                return Value::UNKNOWN;
            }
            (category, ..) => category,
        };
        Value { category, ..self }
    }
}

/// Everything that is said about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Answer {
    /// What the rules alone know.
    pub facts: Facts,
    /// Who wins, for the side to move, at the position's half-move clock (O7).
    pub category: Category,
    /// The same with the clock at 0, where the game has a fifty-move rule.
    pub category_at_clock_0: Option<Category>,
    /// Who wins; `None` for draws and where it is not known.
    pub winner: Option<Colour>,
    /// See [`Value::depth_plies`].
    pub depth_plies: Option<u32>,
    /// See [`Value::dtz_plies`]; counted with the clock at 0.
    pub dtz_plies: Option<u32>,
    /// High Chess: who wins with which counters. `None` in other games.
    pub vitality: Option<HighChessAnswer>,
    /// High Chess: how the winner wins with the counters of the position.
    pub win_by: Option<WinBy>,
}

impl Answer {
    /// The value at the position's half-move clock.
    pub fn value(&self) -> Value {
        Value {
            category: self.category,
            depth_plies: self.depth_plies,
            dtz_plies: self.dtz_plies,
        }
    }
}

/// What is said about a move. Everything is from the view of the side that
/// makes it, and counted from the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveAnswer {
    /// The move.
    pub mv: Move,
    /// Its name.
    pub uci: String,
    /// The position after it.
    pub after: Position,
    /// What the move is worth to the side that makes it, at the half-move clock
    /// that it leaves (O7). Not known if the table of the position after it is
    /// missing.
    pub category: Category,
    /// Who wins; `None` for draws and where it is not known.
    pub winner: Option<Colour>,
    /// Plies from the position after the move to the end: 0 for a move that
    /// mates.
    pub depth_plies: Option<u32>,
    /// Plies from the position after the move to the next capture, pawn move
    /// or mate: see [`Value::dtz_plies`].
    pub dtz_plies: Option<u32>,
    /// How the move ends the game, if it does.
    pub end: Option<End>,
}

impl MoveAnswer {
    /// The value for the side that makes the move.
    pub fn value(&self) -> Value {
        Value {
            category: self.category,
            depth_plies: self.depth_plies,
            dtz_plies: self.dtz_plies,
        }
    }
}

/// Best play to the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The moves; none for a draw.
    pub moves: Vec<Move>,
    /// How the line ends; `None` for a draw that is not the end of the game.
    pub end: Option<End>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_values_come_first() {
        let value = |category, depth_plies| Value {
            category,
            depth_plies,
            dtz_plies: None,
        };
        let order = [
            value(Category::Win, Some(0)),
            value(Category::Win, Some(8)),
            value(Category::Win, None),
            value(Category::CursedWin, Some(5)),
            value(Category::Draw, None),
            value(Category::BlessedLoss, Some(5)),
            value(Category::Loss, Some(9)),
            value(Category::Loss, Some(1)),
            value(Category::Loss, None),
            value(Category::Unknown, None),
        ];
        assert!(order.is_sorted_by_key(|v| v.rank()));
        for v in order {
            assert_eq!(v.reversed().reversed(), v);
        }
        assert_eq!(Category::Win.winner(Colour::Black), Some(Colour::Black));
        assert_eq!(Category::Loss.winner(Colour::Black), Some(Colour::White));
    }
}
