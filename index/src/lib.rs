//! Positions as indices and values as numbers: what the solver and the prober have
//! in common. Nothing here reads or writes files.
//!
//! * [`Index`] turns the squares of a material's pieces into an index and back.
//! * [`Metric`] says what a table holds; [`score`], [`needs`] and
//!   [`Wdl::from_value`] say what its values mean.
//! * [`Helpmate`] says which sides can be mated with the help of the other.
//! * [`ThresholdCurve`] is a value of a threshold table; [`Chapters`] select the list that
//!   a stored value refers to.

mod chapters;
mod curve;
mod helpmate;
mod index;
mod metric;
mod wdl;

pub use chapters::{Chapters, Division, MOST_CURVES};
pub use curve::{Needs, Rises, ThresholdCurve, Thresholds};
pub use helpmate::Helpmate;
pub use index::{Digit, Group, Index, IndexError, Reindexing, Row, Shape};
pub use metric::{Metric, MetricError, needs, score};
pub use wdl::Wdl;
