//! Who wins.

use retrograde_rules::Colour;

#[cfg(doc)]
use crate::Metric;

/// Who wins, and whether the fifty-move rule changes that.
///
/// Ordered from best to worst, with unknown last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Category {
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
    /// Not known, because a table is missing.
    Unknown,
}

impl Category {
    /// The word on the command line and in JSON: `cursed-win`.
    pub const fn name(self) -> &'static str {
        match self {
            Category::Win => "win",
            Category::CursedWin => "cursed-win",
            Category::Draw => "draw",
            Category::BlessedLoss => "blessed-loss",
            Category::Loss => "loss",
            Category::Unknown => "unknown",
        }
    }

    /// The category of a value in a table of [`Metric::Wdl`].
    pub const fn of_wdl(value: i16) -> Category {
        match value {
            1 => Category::Win,
            2.. => Category::CursedWin,
            0 => Category::Draw,
            -1 => Category::Loss,
            _ => Category::BlessedLoss,
        }
    }

    /// Its value in a table of [`Metric::Wdl`]; 0 if it is not
    /// known.
    pub const fn wdl(self) -> i16 {
        match self {
            Category::Win => 1,
            Category::CursedWin => 2,
            Category::Draw | Category::Unknown => 0,
            Category::BlessedLoss => -2,
            Category::Loss => -1,
        }
    }

    /// The category if the fifty-move rule turns wins into draws (O4).
    #[must_use]
    pub const fn cursed(self) -> Category {
        match self {
            Category::Win => Category::CursedWin,
            Category::Loss => Category::BlessedLoss,
            category => category,
        }
    }

    /// Whether the fifty-move rule turns it into a draw.
    pub const fn is_cursed(self) -> bool {
        matches!(self, Category::CursedWin | Category::BlessedLoss)
    }

    /// The category for the other side.
    #[must_use]
    pub const fn reversed(self) -> Category {
        match self {
            Category::Win => Category::Loss,
            Category::CursedWin => Category::BlessedLoss,
            Category::BlessedLoss => Category::CursedWin,
            Category::Loss => Category::Win,
            Category::Draw | Category::Unknown => self,
        }
    }

    /// Who wins, the fifty-move rule aside, if this is the category for `side`;
    /// `None` for a draw or if it is not known.
    pub const fn winner(self, side: Colour) -> Option<Colour> {
        match self {
            Category::Win | Category::CursedWin => Some(side),
            Category::Loss | Category::BlessedLoss => Some(side.other()),
            Category::Draw | Category::Unknown => None,
        }
    }
}
