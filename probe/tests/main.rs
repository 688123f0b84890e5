//! Runs all integration tests of the crate in one program.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod by_moves;
mod common;
mod corpus;
mod document;
mod folders;
mod format;
mod hostile;
mod http;
mod in_game;
mod learned;
mod metrics;
mod one_side;
mod probing;
