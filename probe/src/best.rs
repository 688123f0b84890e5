//! The value of a position from those of its moves.

use std::cmp::Ordering;

use retrograde_rules::{Colour, Move};

use crate::Wdl;
use crate::value::{Dtm, Dtz, Value};

/// The best of the moves so far.
#[derive(Default)]
pub(crate) struct Best(Option<Value>);

impl Best {
    /// Takes another move into account; `value` is its value to the side
    /// that makes it, distances counted from the position after it.
    pub(crate) fn add(&mut self, mv: Move, value: Value) {
        let to_zeroing = |plies: u32| if mv.is_zeroing() { 1 } else { plies + 1 };
        let value = Value {
            wdl: value.wdl,
            dtm: value.dtm.map(|Dtm(plies)| Dtm(plies + 1)),
            // Unknown after a zeroing move means that there is no such table.
            dtz: value.dtz.map(|Dtz(plies)| Dtz(to_zeroing(plies))),
        };
        self.0 = Some(match self.0 {
            None => value,
            Some(best) => Value {
                wdl: best.wdl.min(value.wdl),
                dtm: better(best, value, plain, |v| v.dtm),
                dtz: better(best, value, |wdl| wdl, |v| v.dtz),
            },
        });
    }

    /// The value; `None` if there was no move.
    pub(crate) fn value(self) -> Option<Value> {
        self.0
    }
}

/// Who wins if the fifty-move rule is ignored.
fn plain(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::CursedWin => Wdl::Win,
        Wdl::BlessedLoss => Wdl::Loss,
        wdl => wdl,
    }
}

/// The distance of the better of two moves, by who wins and then by distance:
/// the side that gains takes the shortest way, the other the longest.
fn better<D: Ord>(
    a: Value,
    b: Value,
    key: impl Fn(Wdl) -> Wdl,
    distance: impl Fn(Value) -> Option<D>,
) -> Option<D> {
    let wdl = key(a.wdl);
    match wdl.cmp(&key(b.wdl)) {
        Ordering::Less => distance(a),
        Ordering::Greater => distance(b),
        Ordering::Equal => {
            let (a, b) = distance(a).zip(distance(b))?;
            // The side that is asked for does not matter.
            match wdl.winner(Colour::White) {
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
        use Wdl::{BlessedLoss, CursedWin, Draw, Loss, Win};
        let game = Game::default();
        let position = Position::from_fen(game, "8/8/8/8/1k6/3K4/7P/R7 w - -").unwrap();
        let moves = position.legal_moves();
        let quiet = *moves.iter().find(|m| !m.is_zeroing()).unwrap();
        let pawn = *moves.iter().find(|m| m.is_zeroing()).unwrap();
        for (list, expected) in [
            // A longer way to mate, but a win under the fifty-move rule.
            (
                vec![(quiet, Win, 9, 3), (quiet, CursedWin, 4, 2)],
                (Win, Some(Dtm(5)), Some(Dtz(4))),
            ),
            (
                vec![(pawn, CursedWin, 9, 3), (quiet, CursedWin, 4, 2)],
                (CursedWin, Some(Dtm(5)), Some(Dtz(1))),
            ),
            // The longest loss that stays blessed.
            (
                vec![(quiet, BlessedLoss, 9, 3), (quiet, Loss, 30, 20)],
                (BlessedLoss, Some(Dtm(31)), Some(Dtz(4))),
            ),
            (
                vec![(pawn, Loss, 9, 3), (quiet, Loss, 5, 3)],
                (Loss, Some(Dtm(10)), Some(Dtz(4))),
            ),
            (
                vec![(quiet, Loss, 9, 3), (pawn, Draw, 0, 0)],
                (Draw, None, None),
            ),
        ] {
            let mut best = Best::default();
            for (mv, wdl, dtm, dtz) in list {
                let value = Value {
                    wdl,
                    dtm: (wdl != Draw).then_some(Dtm(dtm)),
                    dtz: (wdl != Draw).then_some(Dtz(dtz)),
                };
                best.add(mv, value);
            }
            let best = best.value().unwrap();
            assert_eq!((best.wdl, best.dtm, best.dtz), expected);
        }
        assert_eq!(Best::default().value(), None);
    }
}
