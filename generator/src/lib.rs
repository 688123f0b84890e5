//! Plans, solves, packs, counts, exports and verifies endgame tablebases.

// The command is written as a user of the rest.
extern crate self as retrograde;

pub mod cli;
pub mod export;
pub mod import;
pub mod numbers;
pub mod out_of_memory;
pub use retrograde_make::{generate, packing, plan, repack, unstored};
pub use retrograde_solve as solve;
pub mod stats;
pub mod values;
pub use retrograde_verify as verify;

/// The Rust examples of the guide are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../docs/guide/rust.md")]
struct Guide;
