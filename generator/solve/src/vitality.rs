//! Solves games with vitality: who wins with which vitalities, and who can mate.
//!
//! A position takes a byte per pass instead of a bit (`kernel`, `officers`, `sweep`).
//! Conversions and pawn moves are looked up once (`start`). Then the passes (`passes`) go
//! by the sum of the counters, and one bit for each sum gives the curve of a position
//! (`curve`). Rules that the passes do not know are solved position by position (`plain`).

mod board;
mod chapters;
mod curve;
mod kernel;
mod officers;
mod passes;
mod plain;
mod problem;
mod solution;
mod start;
mod sweep;

pub use curve::KnownCurves;
pub use solution::{CurveAnswers, CurveReader, estimate_bytes, solve};
