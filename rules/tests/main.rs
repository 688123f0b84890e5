//! Combines all tests of the crate in one program.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;
mod definitions;
mod facts;
mod interpreter;
mod manual;
mod perft;
mod positions;
mod properties;
