//! Turns answers of a successor, or of a finished level, into values of the moves that lead there.
//!
//! A problem is a question about a material.

use retrograde_index::ThresholdCurve;
use retrograde_rules::{Colour, Restores, VitalityRules};

/// The kind of answers that are solved for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Question {
    /// The least vitality with which White wins, for each vitality of Black.
    Curves,
    /// The least vitality with which a side forces mate even if the other side's is never
    /// lowered.
    Mates(Colour),
}

/// A question about a material of a game.
///
/// The value of a vital move depends on little of the position that it leads to, because it
/// fills a counter (H4). It is expressed as a *score* for the side that moved: 0 for a move
/// that is not legal, and larger is better. For [`Question::Curves`] it is
///
/// * for a move by White: 1 more than the most points of Black against which
///   White, with a full counter, wins;
/// * for a move by Black: the least points with which White wins against a full
///   counter of Black, plus 1;
///
/// and for [`Question::Mates`] it is
///
/// * for a move by the mating side: the full counter if it mates, 0 if not;
/// * for a move by the other: the least points with which the mating side mates,
///   plus 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Problem {
    pub(super) rules: &'static VitalityRules,
    pub(super) question: Question,
}

impl Problem {
    /// The full counter of both sides (H3).
    pub(super) fn full(self) -> u8 {
        self.rules.full().white
    }

    /// The side whose vitality the values measure.
    pub(super) fn payer(self) -> Colour {
        match self.question {
            Question::Curves => Colour::White,
            Question::Mates(side) => side,
        }
    }

    /// The score of a vital move to a position with this curve and `turn` to move.
    pub(super) fn of_curve(self, turn: Colour, curve: ThresholdCurve) -> u8 {
        let full = self.full();
        let least = curve.white_needs(full);
        let wins_at_full = least <= full;
        match (turn, self.rules.restores()) {
            (Colour::White, Restores::Mover) => 1 + least,
            (Colour::White, Restores::Both) => 1 + if wins_at_full { 1 } else { full + 1 },
            (Colour::Black, Restores::Mover) => curve.black_needs(full),
            (Colour::Black, Restores::Both) => 1 + if wins_at_full { full } else { 0 },
        }
    }

    /// The score of a move to a position in which the mating side needs `need` points,
    /// `full + 1` or more if it cannot mate.
    pub(super) fn of_need(self, turn: Colour, need: u8) -> u8 {
        let full = self.full();
        let mates = need <= full;
        if turn != self.payer() {
            // The mating side has moved: its counter is full.
            return if mates { full } else { 0 };
        }
        match self.rules.restores() {
            Restores::Mover => 1 + need.min(full + 1),
            Restores::Both => 1 + if mates { 1 } else { full + 1 },
        }
    }

    /// The score of a double step to a position with an e.p. right that counts. Every move
    /// there is vital (H7); `best` is the best score of those of `turn`, which is to move,
    /// 0 if it is mated.
    pub(super) fn of_open(self, turn: Colour, best: u8) -> u8 {
        let full = self.full();
        match self.question {
            // The side that stepped has a full counter, so it is won or lost.
            Question::Curves => {
                let points = best.saturating_sub(1);
                match turn {
                    // Black has stepped: White must win against a full counter.
                    Colour::White if best > 0 && points >= full => 2,
                    Colour::White => full + 2,
                    // White has stepped; 0 points are needed against a mated
                    // side.
                    Colour::Black if points <= full => full + 1,
                    Colour::Black => 1,
                }
            }
            Question::Mates(_) if turn == self.payer() => {
                self.of_need(turn, if best > 0 { 1 } else { full + 1 })
            }
            Question::Mates(_) => self.of_need(turn, best.saturating_sub(1)),
        }
    }
}
