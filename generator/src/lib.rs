//! Planning, solving, packing and verifying of endgame tablebases.

pub mod plan;
pub mod solve;
pub mod stats;
