//! From materials to files: planning, making and repacking of endgame tables.

pub mod generate;
mod leftovers;
pub mod packing;
pub mod plan;
pub mod repack;
pub mod settle;
