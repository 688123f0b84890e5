//! All tests of the crate.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod castling;
mod chess99;
mod common;
mod definitions;
mod extinction;
mod fen;
mod high_chess;
mod interpreter;
mod king_of_the_hill;
mod kings;
mod perft;
mod positions;
mod properties;
