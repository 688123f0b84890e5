//! Solves a material by retrograde analysis on sets of positions: the depth to mate of each.
//!
//! A material is a grid (`layout`) of blocks, rows and words, processed a row at a time.
//! Quiet moves are shifts and fills (`moves`); everything that leaves the material is
//! looked up once in the tables of successors (`convert`). The loop goes ply by ply
//! outwards from the mates (`iterate`). A material with pawns that does not fit into memory
//! is solved in parts (`slices`).

mod attack;
mod castling;
mod convert;
mod depth;
mod due;
mod eight;
mod estimate;
mod exits;
mod free;
mod goal;
mod grid;
pub mod helpmate;
mod iterate;
mod lanes;
mod layout;
mod mask;
mod movement;
mod moves;
mod parallel;
mod part;
mod plane;
mod pushed;
mod reach;
mod read;
mod rights;
mod royal;
mod royals;
mod score;
mod side;
mod sight;
mod slices;
mod solution;
mod squares;
mod start;
mod steps;
mod stuck;
mod successor;
mod unstored;
mod vector;
pub mod vitality;
mod ways;
mod word;
mod word128;
mod word64;
mod words;
mod zeroing;

pub use estimate::{estimate_bytes, estimate_bytes_in_slices};
pub use exits::legal_positions;
pub use read::{GridReader, UNUSED};
pub use slices::solve_in_slices;
pub use solution::{Count, FindSuccessor, Solution, SolveError, solve};
pub use successor::{Depths, ReadDtm, Successor, is_read_later};
pub use unstored::Unstored;
pub use ways::successors;
pub use zeroing::{Longest, Zeroing};
