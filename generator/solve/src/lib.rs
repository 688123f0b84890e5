//! Solving a class: the depth to mate of every position, by retrograde
//! analysis on sets of positions.
//!
//! A class is a grid (`layout`) of blocks, rows and words, worked on a row
//! at a time: quiet moves by shifts and fills (`moves`), everything that
//! leaves the class looked up once in the smaller tables (`convert`), ply by
//! ply from the mates outwards (`iterate`).

mod attack;
mod castling;
mod chess99;
mod convert;
mod depth;
mod due;
mod free;
mod goal;
mod grid;
mod iterate;
mod lanes;
mod layout;
mod mask;
mod movement;
mod moves;
mod plane;
mod read;
mod rights;
mod royal;
mod score;
mod side;
mod smaller;
mod solution;
mod squares;
mod start;
mod vector;
pub mod vitality;
mod word;
mod word128;
mod zeroing;

pub use chess99::is_read_later;
pub use convert::exits;
pub use read::Reader;
pub use smaller::{Depths, ReadDepths, Smaller};
pub use solution::{Solution, SolveError, UNUSED, estimate_bytes, solve};
pub use zeroing::{Longest, Zeroing};
