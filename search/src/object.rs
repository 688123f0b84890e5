//! Describes what a search has found: as an answer, in words, and as an object for JSON.

use retrograde_probe::{Answer, Extra, Facts, Wdl};
use retrograde_rules::Position;
#[cfg(feature = "serde")]
use serde::Serialize;

use crate::questions::{Proof, Stop};
#[cfg(feature = "serde")]
use crate::solution::Solution;

impl Proof {
    /// The answer about the position that was searched; `None` if it is not decided who wins.
    pub fn answer(&self, position: &Position) -> Option<Answer> {
        let at_clock_0 = position.game().zeroing_limit().and(self.wdl_at_clock_0);
        let extra = at_clock_0.map_or(Extra::None, |wdl_at_clock_0| Extra::Clock {
            wdl_at_clock_0,
        });
        Some(Answer::new(Facts::of(position), self.value()?, extra))
    }

    /// The words for a search that has not decided who wins: how far it has come.
    pub fn undecided(&self) -> String {
        let word = if self.plies == 1 { "ply" } else { "plies" };
        let mut words = format!("not decided within {} {word} of search", self.plies);
        match self.stop {
            Some(Stop::Plies) | None => {}
            Some(Stop::Time) => words.push_str(" (time is up)"),
            Some(Stop::Nodes) => words.push_str(" (node limit reached)"),
            Some(Stop::Interrupted) => words.push_str(" (interrupted)"),
        }
        if self.at_least < Wdl::Loss {
            words.push_str(", but it is proved that the side to move does not lose");
        }
        if self.at_most > Wdl::Win {
            words.push_str(", but it is proved that the side to move does not win");
        }
        words
    }
}

/// The findings of a search.
#[cfg(feature = "serde")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct SearchObject {
    /// Whether the answer is the search's, rather than that of tables.
    pub decides: bool,
    /// The worst category that is possible for the side to move.
    pub at_least: &'static str,
    /// The best category that is possible for the side to move.
    pub at_most: &'static str,
    /// The number of plies that were searched completely.
    pub plies: u16,
    /// The reason why the search stopped: `plies`, `time`, `nodes` or `interrupted`; null if there
    /// was nothing more to prove.
    pub stop: Option<&'static str>,
    /// The moves that win soonest, where all of them were looked for; else null.
    pub keys: Option<Vec<String>>,
}

#[cfg(feature = "serde")]
impl SearchObject {
    /// The object of a proof about a position, with the solution if it was looked for.
    pub fn new(
        position: &Position,
        proof: &Proof,
        solution: Option<&Solution>,
        decides: bool,
    ) -> SearchObject {
        let solution = solution.filter(|solution| solution.is_complete);
        let uci = |solution: &Solution| {
            let keys = solution.keys.iter();
            keys.map(|key| position.uci(key.mv)).collect()
        };
        SearchObject {
            decides,
            at_least: proof.at_least.name(),
            at_most: proof.at_most.name(),
            plies: proof.plies,
            stop: proof.stop.map(Stop::name),
            keys: solution.map(uci),
        }
    }
}
