//! Proves the values of positions that no table has, by searching down to tables or the end.
//!
//! The search goes down to positions that are in a table, or to the end of the game.
//!
//! [`Search::prove`] says who wins only if that is proved; [`Search::line`] shows how,
//! [`Search::best_line`] gives best play where that is proved as well, and
//! [`Search::solution`] gives the keys, threats and variations of a mate problem.
//! Nothing here knows how tables are made.

mod ask;
mod hold;
mod line;
mod oracle;
mod prove;
mod search;
mod solution;
mod state;
mod transpositions;

pub use ask::{Proof, Stop};
pub use prove::gain;
pub use search::{Limits, Search};
pub use solution::{Key, Solution, Threats, Variation};
