//! Planning, solving, packing and verifying of endgame tablebases.

pub mod generate;
pub mod plan;
pub mod solve;
pub mod stats;
pub mod verify;

/// The Rust examples of the guide are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/GUIDE.md")]
struct Guide;
