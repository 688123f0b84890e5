//! Defines the questions that the search asks about positions, their answers, and what these prove.

use retrograde_probe::{Dtm, ProbeError, Value, Wdl};
use retrograde_rules::Colour;

/// A win beyond the reach of the search, or of unknown length.
pub(crate) const NEVER: u16 = u16::MAX;

/// The aim of a side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// The side ends the game with a win; the plies include those that tables count.
    End,
    /// The side wins, the fifty-move rule aside.
    Win,
    /// The side does not lose, the fifty-move rule aside.
    Draw,
    /// The side wins at the half-move clock (O7).
    WinNow,
    /// The side does not lose at the half-move clock (O7).
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

/// The reasons why there is no answer.
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

/// The reasons why a search stopped before it had its answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// All allowed plies have been searched.
    Plies,
    /// The time is up.
    Time,
    /// All allowed positions have been visited.
    Nodes,
    /// The search was told to stop.
    Interrupted,
}

/// The way in which a side wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// The winner and the aim that was proved.
    pub(crate) ask: Ask,
    /// The plies of search that it took, not counting those of tables.
    pub(crate) plies: u16,
    /// The plies that it took to prove that the fifty-move rule saves the other side, if it does.
    pub(crate) hold: Option<u16>,
}

/// The result of a search: what it has proved about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The result for the side to move, at the position's half-move clock (O7); `None` if that is
    /// not decided.
    pub wdl: Option<Wdl>,
    /// The result with the clock at 0; equal to `wdl` in games without the fifty-move rule.
    pub wdl_at_clock_0: Option<Wdl>,
    /// The worst value that is possible for the side to move.
    pub at_least: Wdl,
    /// The best value that is possible for the side to move.
    pub at_most: Wdl,
    /// Plies to the end with best play, if it is proved that there is no shorter win;
    /// always `None` for draws, and in games with vitality.
    pub dtm: Option<Dtm>,
    /// The way that was proved for the winner.
    pub(crate) way: Option<Way>,
    /// The number of plies that have been searched completely.
    pub plies: u16,
    /// The number of positions visited. With several threads it may vary from run to run.
    pub nodes: u64,
    /// The reason why the search stopped; `None` if there was nothing more to prove.
    pub stop: Option<Stop>,
}

impl Proof {
    /// The value of the position for the side to move; `None` if it is not
    /// decided who wins.
    pub fn value(&self) -> Option<Value> {
        Some(Value {
            dtm: self.dtm,
            ..Value::without_distances(self.wdl?)
        })
    }

    /// The side that has been proved to win, the fifty-move rule aside; `None` for a draw, and if
    /// it is not decided.
    pub fn winner(&self) -> Option<Colour> {
        self.way.map(|way| way.ask.side)
    }

    /// The plies of search that the proof of a win takes, not counting those of tables;
    /// `None` if no side has been proved to win.
    pub fn proof_plies(&self) -> Option<u16> {
        self.way.map(|way| way.plies)
    }
}
