//! Packs the values of one side to move with the codec `learned`: grows a decision
//! tree on features of the placements, gives each leaf a code, and puts the bits of
//! all positions into lines of 64 bytes.
//!
//! [`pack`] does all of it and reads everything back. The bytes depend only on the
//! values, not on the machine or the number of threads. There is no floating point.

mod batch;
mod entropy;
mod grow;
mod huffman;
mod leaves;
mod lines;
mod pack;
mod positions;
mod prune;
mod rates;
mod refine;
mod samples;
mod solve;
mod source;
mod split;
mod write;

pub use pack::{LearnOptions, PackError, PackReport, Packed, estimate, pack};
pub use positions::Positions;
pub use source::Source;
