//! Solves a material by retrograde analysis on sets of positions, for WDL, DTM, DTZ and curves.
//!
//! A material is a grid (`layout`) of blocks, rows and words, processed a row at a time.
//! Quiet moves are shifts and fills (`moves`); everything that leaves the material is
//! looked up once in the tables of successors (`convert`). The loop goes ply by ply
//! outwards from the mates (`iterate`). A material with pawns that does not fit into memory
//! is solved in parts (`slices`).

mod attack;
mod board_parts;
mod castling;
mod conversion_kinds;
mod convert;
mod counted;
mod depth;
mod ep_beside_grid;
mod ep_in_grid;
mod error;
mod estimate;
mod exits;
mod forced_passes;
mod gather;
mod goal;
mod grid;
pub mod helpmate;
mod iterate;
mod lanes;
mod layout;
mod mask;
mod movement;
mod moves;
mod new_leaders;
mod parallel;
mod plane;
mod preset;
mod reach;
mod read;
mod royal;
mod royals;
mod schedule;
mod score;
mod side;
mod sight;
mod slices;
mod solution;
mod squares;
mod start;
mod steps;
mod successor;
mod unstored;
mod vector;
pub mod vitality;
mod word;
mod word128;
mod word64;
mod words;
mod zeroing;

pub use conversion_kinds::successors;
pub use counted::{FindCounted, solve_counted};
pub use error::SolveError;
pub use estimate::{estimate_bytes, estimate_bytes_in_slices};
pub use exits::legal_positions;
pub use read::{GridReader, UNUSED};
pub use slices::solve_in_slices;
pub use solution::{Count, Solution, solve};
pub use successor::{Depths, FindSuccessor, ReadDtm, Successor, is_read_later};
pub use unstored::Unstored;
pub use zeroing::{Longest, Zeroing};
