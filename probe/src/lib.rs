//! Reads Retrograde's endgame tablebases: index, file format, store, answers.
//!
//! * [`index`] turns the squares of a class's men into a number and back.

pub mod index;

pub use index::{Group, Index, IndexError, Shape};
