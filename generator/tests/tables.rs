//! Tests the tables that are made, against the proof and against what is known.
//!
//! The tests of `records` compare them with the naive interpreter.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

mod chess99;
mod common;
mod fifty;
mod helpmate;
mod high_chess;
mod packing;
mod repacking;
mod royals;
mod statistics;
mod together;
mod unpacking;
mod unstored;
