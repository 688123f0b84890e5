//! Runs all integration tests of the crate in one program.

mod clock;
mod common;
mod hold;
mod lines;
mod problems;
mod properties;
mod puzzles;
mod soundness;
