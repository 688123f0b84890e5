//! Packs the values of one side to move with the codec `learned`, for the writer of tables.
//!
//! It grows a decision tree on features of the placements, gives each leaf a code, and puts the
//! bits of all positions into lines of 64 bytes.
//!
//! [`pack`] does all of it and reads everything back. The bytes depend only on the
//! values, not on the machine or the number of threads. There is no floating point.

mod entropy;
mod grow;
mod lines;
mod pack;
mod positions;
mod prune;
mod refine;
mod samples;
mod split;
mod tally;
mod write;

use retrograde_learned::LearnedError;
use thiserror::Error;

pub use pack::{LearnOptions, PackReport, Packed, estimate, pack};
pub use positions::{Positions, Source};

/// The reasons why a section cannot be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PackError {
    /// The codec has no room for it.
    #[error(transparent)]
    Learned(#[from] LearnedError),
    /// A value reads back differently.
    #[error("index {0} reads back as another value than was packed")]
    ReadBack(u64),
    /// A position takes more bits than a line has.
    #[error("a position takes more bits than a line has; this is a bug")]
    TooLong,
    /// The section has no indices, or more lines than the format has room for.
    #[error("a section of {0} indices cannot be packed")]
    Size(u64),
}
