//! All tests of the crate.

mod clock;
mod common;
mod hold;
mod lines;
mod problems;
mod properties;
mod puzzles;
mod soundness;
