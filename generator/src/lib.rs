//! Planning, solving, packing and verifying of endgame tablebases.

pub mod solve;
