//! Which of the tables of a material are asked.

use retrograde_index::Metric;
use retrograde_rules::Game;

/// What is wanted of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All that there is.
    All,
    /// Who wins, with the half-move clock at 0.
    Wdl,
    /// Depth to mate. Its sign says who wins, the fifty-move rule apart.
    Dtm,
    /// Depth to zeroing, and who wins.
    Dtz,
}

impl Wanted {
    /// The metrics to read; asking for one that the game does not have is answered
    /// as a missing table.
    pub(crate) fn metrics(self, game: Game) -> &'static [Metric] {
        match self {
            Wanted::All => Metric::of(game),
            Wanted::Wdl => &[Metric::Wdl],
            Wanted::Dtm => &[Metric::Dtm],
            Wanted::Dtz => &[Metric::Wdl, Metric::Dtz],
        }
    }

    /// The metric that cannot be done without.
    pub(crate) fn first(self) -> Metric {
        match self {
            Wanted::All | Wanted::Wdl | Wanted::Dtz => Metric::Wdl,
            Wanted::Dtm => Metric::Dtm,
        }
    }

    /// What is wanted of the successors, if the value has to come from them:
    /// the clock is no longer at 0 after a quiet move, so only DTZ says who
    /// wins.
    pub(crate) fn of_successors(self) -> Wanted {
        match self {
            Wanted::Wdl => Wanted::Dtz,
            wanted => wanted,
        }
    }

    /// The limit of the fifty-move rule that counts.
    pub(crate) fn limit(self, limit: Option<u32>) -> Option<u32> {
        match self {
            Wanted::Dtm => None,
            Wanted::All | Wanted::Wdl | Wanted::Dtz => limit,
        }
    }
}
