//! Proves the values of positions that are in no table, by searching down to positions
//! that are, or to the end of the game.
//!
//! [`Search::prove`] says who wins only if that is proved; [`Search::line`] shows how,
//! [`Search::best_line`] gives best play where that is proved as well, and
//! [`Search::solution`] gives the keys, threats and variations of a mate problem.
//! Nothing here knows how tables are made.

mod allowance;
mod ask;
mod best;
mod gain;
mod hold;
mod line;
mod oracle;
mod proof;
mod prove;
mod search;
mod solution;
mod state;
mod transpositions;

pub use ask::Stop;
pub use gain::gain;
pub use proof::Proof;
pub use search::{Limits, Search};
pub use solution::{Key, Solution, Threats, Variation};
