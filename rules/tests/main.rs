//! All tests of the crate.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod common;
mod definitions;
mod facts;
mod interpreter;
mod manual;
mod perft;
mod positions;
mod properties;
