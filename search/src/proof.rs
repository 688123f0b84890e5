//! What a search has proved.

use retrograde_probe::{Dtm, Value, Wdl};
use retrograde_rules::Colour;

use crate::ask::{Ask, Stop};

/// How a side wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Way {
    /// The winner and the aim that was proved.
    pub(crate) ask: Ask,
    /// The plies of search that it took, not counting those of tables.
    pub(crate) plies: u16,
    /// If the fifty-move rule saves the other side, the plies that it took to prove that.
    pub(crate) hold: Option<u16>,
}

/// What a search has proved about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// Who wins, for the side to move, at the position's half-move clock (O7);
    /// `None` if that is not decided.
    pub wdl: Option<Wdl>,
    /// The same with the clock at 0; the same as `wdl` in games without
    /// the fifty-move rule.
    pub wdl_at_clock_0: Option<Wdl>,
    /// The worst value that is possible for the side to move.
    pub at_least: Wdl,
    /// The best value that is possible for the side to move.
    pub at_most: Wdl,
    /// Plies to the end with best play, if it is proved that there is no shorter win;
    /// always `None` for draws, and in games with vitality.
    pub dtm: Option<Dtm>,
    /// What was proved for the winner.
    pub(crate) way: Option<Way>,
    /// The number of plies that have been searched completely.
    pub plies: u16,
    /// The number of positions visited. With several threads it may vary from run to run.
    pub nodes: u64,
    /// Why the search stopped; `None` if there was nothing more to prove.
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

    /// Who has been proved to win, the fifty-move rule aside; `None` for a draw, and if it is
    /// not decided.
    pub fn winner(&self) -> Option<Colour> {
        self.way.map(|way| way.ask.side)
    }

    /// The plies of search that the proof of a win takes, not counting those of tables;
    /// `None` if no side has been proved to win.
    pub fn proof_plies(&self) -> Option<u16> {
        self.way.map(|way| way.plies)
    }
}
