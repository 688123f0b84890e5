//! Proves what positions that no table holds are worth, by searching down to
//! positions that tables hold, or to the end of the game.
//!
//! [`Search::prove`] says who wins only if that is proved; [`Search::line`] shows
//! the way, and [`Search::solution`] the keys, threats and variations of a mate
//! problem. Knows nothing of how tables are made.

mod line;
mod oracle;
mod prove;
mod search;
mod solution;
mod state;
mod transpositions;

pub use prove::Stop;
pub use search::{Limits, Proof, Search};
pub use solution::{Key, Solution, Threats, Variation};
