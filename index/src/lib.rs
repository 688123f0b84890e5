//! Positions as numbers, and values as numbers: what the solver and the prober
//! have in common. Nothing here reads or writes files.
//!
//! * [`Index`] turns the squares of a material's pieces into a number and back.
//! * [`Metric`] says what a table holds, [`score`], [`needs`] and
//!   [`Category::of_wdl`] what its values mean.
//! * [`ThresholdCurve`] are the values of High Chess, [`Chapters`] name them.

mod category;
mod chapters;
mod curve;
mod index;
mod metric;

pub use category::Category;
pub use chapters::{Chapters, Division, MOST_CURVES};
pub use curve::ThresholdCurve;
pub use index::{Digit, Group, Index, IndexError, Reindexing, Shape};
pub use metric::{Metric, needs, score};
