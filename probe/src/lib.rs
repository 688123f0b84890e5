//! Reads Retrograde's endgame tablebases: index, file format, store, answers.
//!
//! * [`index`] turns the squares of a class's men into a number and back.
//! * [`format`](mod@format) reads table files: header, blocks, values.
//! * [`write`](mod@write), behind the feature `write`, makes them.

mod error;
pub mod format;
pub mod index;
mod metric;
#[cfg(feature = "write")]
pub mod write;

pub use error::{Fault, TableError};
pub use format::{Expected, Table};
pub use index::{Group, Index, IndexError, Shape};
pub use metric::{Metric, score};
