//! Packs the values of one side to move for the codec `learned`: grows a
//! decision tree on what placements look like, gives each leaf a code, and
//! puts the bits of all positions into lines of 64 bytes.
//!
//! [`pack`] does it all and reads everything back. The bytes depend on the
//! values alone: not on the machine, not on the number of threads. There is no
//! floating point.

mod entropy;
mod grow;
mod huffman;
mod lines;
mod pack;
mod prune;
mod samples;
mod solve;
mod source;
mod split;
mod write;

pub use pack::{LearnOptions, PackError, PackReport, Packed, estimate, pack};
pub use source::{Batch, Cell, Source};
