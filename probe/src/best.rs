//! The value of a position from those of its moves.

use std::cmp::Ordering;

use retrograde_rules::{Colour, Move};

use crate::Category;
use crate::answer::Value;

/// The best of the moves so far.
#[derive(Default)]
pub(crate) struct Best(Option<Value>);

impl Best {
    /// Takes another move into account; `value` is what it is worth to the side
    /// that makes it, distances counted from the position after it.
    pub(crate) fn add(&mut self, mv: Move, value: Value) {
        let to_zeroing = |plies: u32| if mv.is_zeroing() { 1 } else { plies + 1 };
        let value = Value {
            category: value.category,
            depth_plies: value.depth_plies.map(|plies| plies + 1),
            // Unknown after a zeroing move means that there is no such table.
            dtz_plies: value.dtz_plies.map(to_zeroing),
        };
        self.0 = Some(match self.0 {
            None => value,
            Some(best) => Value {
                category: best.category.min(value.category),
                depth_plies: better(best, value, plain, |v| v.depth_plies),
                dtz_plies: better(best, value, |c| c, |v| v.dtz_plies),
            },
        });
    }

    /// The value; `None` if there was no move.
    pub(crate) fn value(self) -> Option<Value> {
        self.0
    }
}

/// The category, the fifty-move rule apart.
fn plain(category: Category) -> Category {
    match category {
        Category::CursedWin => Category::Win,
        Category::BlessedLoss => Category::Loss,
        category => category,
    }
}

/// The distance of the better of two moves, by category and then by distance:
/// who gains goes the shortest way, who does not the longest.
fn better(
    a: Value,
    b: Value,
    key: impl Fn(Category) -> Category,
    distance: impl Fn(Value) -> Option<u32>,
) -> Option<u32> {
    let category = key(a.category);
    match category.cmp(&key(b.category)) {
        Ordering::Less => distance(a),
        Ordering::Greater => distance(b),
        Ordering::Equal => {
            let (a, b) = distance(a).zip(distance(b))?;
            // The side that is asked for does not matter.
            match category.winner(Colour::White) {
                Some(Colour::White) => Some(a.min(b)),
                _ => Some(a.max(b)),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Game, Position};

    use super::*;

    #[test]
    fn distances_are_those_of_the_best_moves() {
        use Category::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let game = Game::Orthodox;
        let position = Position::from_fen(game, "8/8/8/8/1k6/3K4/7P/R7 w - -").unwrap();
        let moves = position.legal_moves();
        let quiet = *moves.iter().find(|m| !m.is_zeroing()).unwrap();
        let pawn = *moves.iter().find(|m| m.is_zeroing()).unwrap();
        for (list, expected) in [
            // A win in more plies to the mate, but for real.
            (
                vec![(quiet, Win, 9, 3), (quiet, CursedWin, 4, 2)],
                (Win, Some(5), Some(4)),
            ),
            (
                vec![(pawn, CursedWin, 9, 3), (quiet, CursedWin, 4, 2)],
                (CursedWin, Some(5), Some(1)),
            ),
            // The longest loss that stays blessed.
            (
                vec![(quiet, BlessedLoss, 9, 3), (quiet, Loss, 30, 20)],
                (BlessedLoss, Some(31), Some(4)),
            ),
            (
                vec![(pawn, Loss, 9, 3), (quiet, Loss, 5, 3)],
                (Loss, Some(10), Some(4)),
            ),
            (
                vec![(quiet, Loss, 9, 3), (pawn, Draw, 0, 0)],
                (Draw, None, None),
            ),
        ] {
            let mut best = Best::default();
            for (mv, category, depth, dtz) in list {
                let some = |plies| (category != Draw).then_some(plies);
                let value = Value {
                    category,
                    depth_plies: some(depth),
                    dtz_plies: some(dtz),
                };
                best.add(mv, value);
            }
            let best = best.value().unwrap();
            assert_eq!((best.category, best.depth_plies, best.dtz_plies), expected);
        }
        assert_eq!(Best::default().value(), None);
    }
}
