//! Scores of moves for the side that makes them, so that the best move has the highest one.
//!
//! A score is the value of a move as a number that grows with how good it is: the best of many
//! moves is their maximum.

use std::marker::PhantomData;

use retrograde_index::{Wdl, score};

use super::vector::{Work, vectorized};
use super::word::Word;

/// A move's value. 0: there is no such move; then losses from the shortest to
/// the longest, the draw, and wins from the longest to the shortest.
pub(crate) type Score = u16;

/// The score of a position without a legal move.
pub(crate) const NONE: Score = 0;
/// A move to a drawn position.
pub(crate) const DRAW: Score = 30_000;
/// A win is valued this much less its plies.
const WIN: Score = 60_000;

/// A move that ends the game, and loses by it.
pub(crate) const LOST: Score = 2;
/// A move after which the opponent ends the game, and wins.
pub(crate) const LOSES: Score = 3;

/// The value of a move that leads to a position with this stored depth (as in dtm
/// tables: 0 draw, n won in n plies, -(n + 1) lost in n plies, [`score::WON`] if won
/// already, for the side then to move).
#[inline(always)]
pub(crate) fn of_child(depth: i16) -> Score {
    match depth {
        score::DRAW => DRAW,
        score::WON => LOST,
        // The opponent wins: this loses one ply later.
        1.. => depth as Score + 2,
        // The opponent is lost in n plies: this wins in n + 1 = -depth.
        _ => WIN - depth.unsigned_abs(),
    }
}

/// The value of a position with this stored depth for the side to move.
#[inline(always)]
pub(crate) fn of_position(depth: i16) -> Score {
    match depth {
        score::DRAW => DRAW,
        score::WON => WIN,
        1.. => WIN - depth as Score,
        // Lost in n plies, which is -(n + 1).
        _ => depth.unsigned_abs(),
    }
}

/// The value of a move that the other side answers with a move of value `reply` (to
/// the other side).
#[inline(always)]
pub(crate) fn of_reply(reply: Score) -> Score {
    match verdict(reply) {
        Verdict::Win(plies) => plies as Score + 2,
        Verdict::Loss(plies) => WIN - plies as Score - 1,
        Verdict::Draw | Verdict::None => DRAW,
    }
}

/// A move that wins at once.
pub(crate) const WINS_AT_ONCE: Score = WIN - 1;

/// The value of a zeroing move that leads to a position with this stored WDL value: 1 to 5,
/// from a loss to a win. It takes one ply to that move, so this is the value by which plies
/// to a conversion are counted; a second ply makes results that the fifty-move rule spoils
/// less good, or less bad.
#[inline(always)]
pub(crate) fn of_wdl(result: i16) -> Score {
    match Wdl::from_value(result) {
        Wdl::Win => LOST,
        Wdl::CursedWin => LOSES_BLESSED,
        Wdl::Draw => DRAW,
        Wdl::BlessedLoss => WINS_CURSED,
        Wdl::Loss => WINS,
    }
}

/// Scores of [`of_wdl`]: a move that loses, but is blessed, and so on.
pub(crate) const LOSES_BLESSED: Score = LOST + 1;
pub(crate) const WINS_CURSED: Score = WIN - 2;
pub(crate) const WINS: Score = WINS_AT_ONCE;

/// A score taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// There is no legal move.
    None,
    /// Loses after so many plies.
    Loss(usize),
    /// Draws.
    Draw,
    /// Wins in so many plies.
    Win(usize),
}

/// Takes a score apart.
#[inline(always)]
pub(crate) fn verdict(score: Score) -> Verdict {
    match score {
        NONE => Verdict::None,
        DRAW => Verdict::Draw,
        1..DRAW => Verdict::Loss(score as usize - 1),
        _ => Verdict::Win((WIN - score) as usize),
    }
}

/// The squares of a word whose scores lie between two.
#[inline]
pub(crate) fn scored<W: Word>(scores: &[Score], least: Score, most: Score) -> W {
    vectorized(Scored {
        scores,
        least,
        most,
        word: PhantomData,
    })
}

/// The work of [`scored`], compiled for each width of vectors.
struct Scored<'a, W> {
    scores: &'a [Score],
    least: Score,
    most: Score,
    word: PhantomData<W>,
}

impl<W: Word> Work for Scored<'_, W> {
    const VECTORS: bool = W::VECTORS;
    type Output = W;

    #[inline(always)]
    fn call(self) -> W {
        let mut scored = W::ZERO;
        for (square, &score) in self.scores.iter().enumerate() {
            if (self.least..=self.most).contains(&score) {
                scored |= W::of(square);
            }
        }
        scored
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn better_moves_score_higher() {
        // Losing at once, losing late, drawing, winning late, winning at once.
        let children = [1, 2, 300, 0, -301, -2, -1];
        let scores: Vec<Score> = children.map(of_child).to_vec();
        assert!(scores.is_sorted());
        assert!(scores.windows(2).all(|w| w[0] != w[1]));
        let verdicts: Vec<Verdict> = scores.into_iter().map(verdict).collect();
        assert_eq!(
            verdicts,
            [
                Verdict::Loss(2),
                Verdict::Loss(3),
                Verdict::Loss(301),
                Verdict::Draw,
                Verdict::Win(301),
                Verdict::Win(2),
                Verdict::Win(1),
            ]
        );
        assert_eq!(verdict(NONE), Verdict::None);
        assert_eq!(verdict(WINS_AT_ONCE), Verdict::Win(1));
        assert_eq!(verdict(LOST), Verdict::Loss(1));
        assert_eq!(verdict(LOSES), Verdict::Loss(2));
        let values = [-1, -8, 0, 7, retrograde_index::score::WON];
        let verdicts = values.map(|value| verdict(of_position(value)));
        let [lost, loses, draw, wins, won] = verdicts;
        assert_eq!(
            [lost, loses, draw],
            [Verdict::Loss(0), Verdict::Loss(7), Verdict::Draw]
        );
        assert_eq!([wins, won], [Verdict::Win(7), Verdict::Win(0)]);
    }

    #[test]
    fn better_results_score_higher() {
        let scores = Wdl::ALL.map(|wdl| of_wdl(wdl.to_value()));
        assert!(scores.windows(2).all(|w| w[0] < w[1]));
        let verdicts = scores.map(verdict);
        assert_eq!(verdicts[..2], [1, 2].map(Verdict::Loss));
        assert_eq!(verdicts[2], Verdict::Draw);
        assert_eq!(verdicts[3..], [2, 1].map(Verdict::Win));
        assert!(scores[0] > NONE);
    }

    #[test]
    fn replies_are_seen_from_the_other_side() {
        // The replying side loses in 0, draws, wins in 1, wins in 7.
        let replies = [-1, 0, 0, 1].map(of_child);
        assert_eq!(verdict(replies[0]), Verdict::Win(1));
        assert_eq!(verdict(of_reply(replies[0])), Verdict::Loss(2));
        assert_eq!(of_reply(DRAW), DRAW);
        assert_eq!(verdict(of_reply(replies[3])), Verdict::Win(3));
    }
}
