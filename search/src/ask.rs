//! Questions about positions, and their answers.

use retrograde_probe::ProbeError;
use retrograde_rules::Colour;

/// A win beyond the reach of the search, or of unknown length.
pub(crate) const NEVER: u16 = u16::MAX;

/// What a side aims at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// To end the game with a win; the plies include those that tables count.
    End,
    /// To win, the fifty-move rule aside.
    Win,
    /// Not to lose, the fifty-move rule aside.
    Draw,
    /// To win at the half-move clock (O7).
    WinNow,
    /// Not to lose at the half-move clock (O7).
    DrawNow,
}

impl Aim {
    /// Whether the half-move clock matters.
    pub(crate) fn has_clock(self) -> bool {
        match self {
            Aim::End | Aim::Win | Aim::Draw => false,
            Aim::WinNow | Aim::DrawNow => true,
        }
    }

    /// Whether a draw is enough.
    pub(crate) fn accepts_draw(self) -> bool {
        match self {
            Aim::End | Aim::Win | Aim::WinNow => false,
            Aim::Draw | Aim::DrawNow => true,
        }
    }
}

/// A question: whether a side can reach its aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Ask {
    pub(crate) side: Colour,
    pub(crate) aim: Aim,
}

impl Ask {
    pub(crate) fn salt(self) -> u64 {
        2 * self.aim as u64 + self.side.index() as u64
    }

    /// The answer if the game has ended.
    pub(crate) fn of_end(self, winner: Option<Colour>) -> Outcome {
        let reached = match self.aim.accepts_draw() {
            true => winner != Some(self.side.other()),
            false => winner == Some(self.side),
        };
        match reached {
            true => Outcome::Yes(0),
            false => Outcome::No(NEVER),
        }
    }
}

/// The answer to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Proved: this many plies are enough.
    Yes(u16),
    /// This many plies are not enough; [`NEVER`] if none are.
    No(u16),
}

/// Why there is no answer.
#[derive(Debug)]
pub(crate) enum Halt {
    /// Another thread has found the answer.
    Beaten,
    /// The nodes that one thread may visit alone are used up.
    Alone,
    /// A limit of the whole search.
    Limit(Stop),
    /// A table cannot be read.
    Table(Box<ProbeError>),
}

impl From<ProbeError> for Halt {
    fn from(error: ProbeError) -> Halt {
        Halt::Table(Box::new(error))
    }
}

/// Why a search stopped before it had its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All allowed plies have been searched.
    Plies,
    /// The time is up.
    Time,
    /// All allowed positions have been visited.
    Nodes,
    /// It was told to stop.
    Interrupted,
}
