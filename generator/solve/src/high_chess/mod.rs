//! Solving High Chess: who wins with which vitalities, and who can mate.
//!
//! A byte for every position and pass instead of a bit (`kernel`, `officers`,
//! `sweep`); conversions and pawn moves are looked up once (`start`); then the
//! passes (`passes`) go by the sum of the counters, and one bit a sum tells
//! the thresholds of a position (`curve`).

mod board;
mod chapters;
mod curve;
mod kernel;
mod officers;
mod passes;
mod problem;
mod solution;
mod start;
mod sweep;

pub use solution::{CurveAnswers, CurveReader, KnownCurves, estimate_bytes, solve};
