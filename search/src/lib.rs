//! Proves the values of positions that no table has, by searching down to tables or the end.
//!
//! The search goes down to positions that are in a table, or to the end of the game.
//!
//! [`Search::prove`] says who wins only if that is proved; [`Search::line`] shows how,
//! [`Search::best_line`] gives best play where that is proved as well, and
//! [`Search::solution`] gives the keys, threats and variations of a mate problem.
//! Nothing here knows how tables are made.

mod hold;
mod line;
mod lookup;
mod object;
mod prove;
mod questions;
mod search;
mod solution;
mod state;
mod transpositions;

#[cfg(feature = "serde")]
pub use object::SearchObject;
pub use prove::gain;
pub use questions::{Proof, Stop};
pub use search::{Limits, Search};
pub use solution::{Key, Solution, Threats, Variation};
