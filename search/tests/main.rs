//! All tests of the crate.

mod common;
mod problems;
mod properties;
mod puzzles;
mod soundness;
