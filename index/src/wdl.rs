//! Who wins.

use std::fmt;

use retrograde_rules::Colour;

#[cfg(doc)]
use crate::Metric;

/// Who wins, for one side, and whether the fifty-move rule changes that.
///
/// The order is from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Wdl {
    /// A win.
    Win,
    /// A win that the fifty-move rule turns into a draw (O4).
    CursedWin,
    /// A draw.
    Draw,
    /// A loss that the fifty-move rule turns into a draw (O4).
    BlessedLoss,
    /// A loss.
    Loss,
}

impl Wdl {
    /// All of them, from the best to the worst.
    pub const ALL: [Wdl; 5] = [
        Wdl::Win,
        Wdl::CursedWin,
        Wdl::Draw,
        Wdl::BlessedLoss,
        Wdl::Loss,
    ];

    /// The word on the command line and in JSON: `cursed-win`.
    pub const fn name(self) -> &'static str {
        match self {
            Wdl::Win => "win",
            Wdl::CursedWin => "cursed-win",
            Wdl::Draw => "draw",
            Wdl::BlessedLoss => "blessed-loss",
            Wdl::Loss => "loss",
        }
    }

    /// What a value in a table of [`Metric::Wdl`] means.
    pub const fn from_value(value: i16) -> Wdl {
        match value {
            1 => Wdl::Win,
            2.. => Wdl::CursedWin,
            0 => Wdl::Draw,
            -1 => Wdl::Loss,
            _ => Wdl::BlessedLoss,
        }
    }

    /// The value for it in a table of [`Metric::Wdl`].
    pub const fn to_value(self) -> i16 {
        match self {
            Wdl::Win => 1,
            Wdl::CursedWin => 2,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -2,
            Wdl::Loss => -1,
        }
    }

    /// From 2 for a win to -2 for a loss: the number other tablebases use.
    #[inline]
    pub const fn number(self) -> i8 {
        match self {
            Wdl::Win => 2,
            Wdl::CursedWin => 1,
            Wdl::Draw => 0,
            Wdl::BlessedLoss => -1,
            Wdl::Loss => -2,
        }
    }

    /// The same if the fifty-move rule turns wins into draws (O4).
    #[must_use]
    pub const fn cursed(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::CursedWin,
            Wdl::Loss => Wdl::BlessedLoss,
            wdl => wdl,
        }
    }

    /// That of a game that is decided, for the side `turn`; a draw if nobody wins.
    pub fn of_winner(winner: Option<Colour>, turn: Colour) -> Wdl {
        match winner {
            None => Wdl::Draw,
            Some(winner) if winner == turn => Wdl::Win,
            Some(_) => Wdl::Loss,
        }
    }

    /// Whether it is a win, the fifty-move rule apart.
    #[inline]
    pub const fn is_win(self) -> bool {
        matches!(self, Wdl::Win | Wdl::CursedWin)
    }

    /// Whether the fifty-move rule turns it into a draw.
    pub const fn is_cursed(self) -> bool {
        matches!(self, Wdl::CursedWin | Wdl::BlessedLoss)
    }

    /// The same for the other side.
    #[must_use]
    pub const fn reversed(self) -> Wdl {
        match self {
            Wdl::Win => Wdl::Loss,
            Wdl::CursedWin => Wdl::BlessedLoss,
            Wdl::Draw => Wdl::Draw,
            Wdl::BlessedLoss => Wdl::CursedWin,
            Wdl::Loss => Wdl::Win,
        }
    }

    /// Who wins if this is the value for `side`, the fifty-move rule apart;
    /// `None` for a draw.
    pub const fn winner(self, side: Colour) -> Option<Colour> {
        match self {
            Wdl::Win | Wdl::CursedWin => Some(side),
            Wdl::Loss | Wdl::BlessedLoss => Some(side.other()),
            Wdl::Draw => None,
        }
    }
}

impl fmt::Display for Wdl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
