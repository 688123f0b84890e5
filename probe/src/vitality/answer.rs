//! The answer of tables to a placement with vitality.

use std::fmt;

use retrograde_index::{Needs, ThresholdCurve};
use retrograde_rules::{Colour, Vitality, VitalityRules};

/// How the winner wins (`win_by`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WinBy {
    /// The winner can force mate, even if the loser's vitality were never lowered.
    Mate,
    /// Only the loser's counter lets the winner win.
    Exhaustion,
}

impl WinBy {
    /// The word in JSON: `exhaustion`.
    pub const fn name(self) -> &'static str {
        match self {
            WinBy::Mate => "mate",
            WinBy::Exhaustion => "exhaustion",
        }
    }
}

impl fmt::Display for WinBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The answer of tables to a placement with vitality, whatever the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VitalityAnswer {
    /// For each vitality of Black the least one with which White wins.
    pub curve: ThresholdCurve,
    /// The least vitality with which White, then Black, forces mate although
    /// the other's counter is never lowered: one more than the full counter means that it
    /// cannot. `None` where no table says it.
    pub mates: Option<[u8; 2]>,
}

impl VitalityAnswer {
    /// The answer for a finished game, won whatever the counters.
    pub(crate) fn won(rules: &VitalityRules, winner: Colour) -> VitalityAnswer {
        VitalityAnswer {
            curve: ThresholdCurve::always(rules.counters(), winner),
            mates: Some(Needs::none(rules, winner.other()).0),
        }
    }

    /// Who wins with these counters.
    pub fn winner(&self, vitality: Vitality) -> Colour {
        if self.curve.white_wins(vitality) {
            Colour::White
        } else {
            Colour::Black
        }
    }

    /// The points that a side needs to win, the other having what it has; one
    /// more than the full counter if no points are enough.
    pub fn needs(&self, side: Colour, vitality: Vitality) -> u8 {
        match side {
            Colour::White => self.curve.white_needs(vitality.black),
            Colour::Black => self.curve.black_needs(vitality.white),
        }
    }

    /// How the winner wins with these counters; `None` where no table says it.
    pub fn win_by(&self, vitality: Vitality) -> Option<WinBy> {
        let winner = self.winner(vitality);
        let mates = self.mates?[winner.index()];
        Some(match vitality.of(winner) >= mates {
            true => WinBy::Mate,
            false => WinBy::Exhaustion,
        })
    }
}
