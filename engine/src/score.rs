//! Turns the value of a position into a score in moves or centipawns, as chess protocols write it.

use retrograde_probe::{Dtm, Value, Wdl};

/// A win without a known distance, in hundredths of a pawn: far above all material, and
/// below what programs take for a mate.
const WON: i32 = 20_000;

/// A win that the fifty-move rule takes away: more than a draw, and next to nothing.
const CURSED: i32 = 1;

/// The value of a position for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Score {
    /// The game ends after so many moves (not plies) of the side that wins: positive if
    /// that is the side to move, 0 if it has lost already.
    Mate(i32),
    /// Hundredths of a pawn.
    Points(i32),
}

impl Score {
    /// The score for a value: moves to the end for wins and losses with a known distance,
    /// and never more than [`CURSED`] for what is drawn by the fifty-move rule.
    pub(crate) fn of(value: Value) -> Score {
        let moves = |plies: u32| i32::try_from(plies.div_ceil(2)).unwrap_or(i32::MAX);
        match (value.wdl, value.dtm) {
            // The side that did not move has won: no number of moves says that.
            (Wdl::Win, None | Some(Dtm(0))) => Score::Points(WON),
            (Wdl::Win, Some(Dtm(plies))) => Score::Mate(moves(plies)),
            (Wdl::Loss, Some(Dtm(plies))) => Score::Mate(-moves(plies)),
            (Wdl::Loss, None) => Score::Points(-WON),
            (Wdl::CursedWin, _) => Score::Points(CURSED),
            (Wdl::BlessedLoss, _) => Score::Points(-CURSED),
            (Wdl::Draw, _) => Score::Points(0),
        }
    }
}

/// The chances of a win, a draw and a loss, in thousandths.
pub(crate) fn chances(wdl: Wdl) -> [u32; 3] {
    match wdl {
        Wdl::Win => [1000, 0, 0],
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => [0, 1000, 0],
        Wdl::Loss => [0, 0, 1000],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_become_moves() {
        for (wdl, plies, score) in [
            (Wdl::Win, Some(1), Score::Mate(1)),
            (Wdl::Win, Some(17), Score::Mate(9)),
            (Wdl::Loss, Some(2), Score::Mate(-1)),
            // In extinction chess a side may lose by its own move.
            (Wdl::Loss, Some(1), Score::Mate(-1)),
            (Wdl::Loss, Some(0), Score::Mate(0)),
            (Wdl::Win, Some(0), Score::Points(20_000)),
            (Wdl::CursedWin, Some(141), Score::Points(1)),
            (Wdl::Loss, None, Score::Points(-20_000)),
        ] {
            let dtm = plies.map(Dtm);
            let value = Value {
                dtm,
                ..Value::without_distances(wdl)
            };
            assert_eq!(Score::of(value), score);
        }
        assert_eq!(Score::of(Value::DRAW), Score::Points(0));
    }
}
