//! Planning, solving, packing and verifying of endgame tablebases.

pub mod generate;
pub mod plan;
pub mod solve;
pub mod stats;
pub mod verify;
