//! Indices of positions and meanings of values, which the solver and the prober have in common.
//!
//! Positions are indices and values are numbers. Nothing here reads or writes files.
//!
//! * [`Index`] turns the squares of a material's pieces into an index and back.
//! * [`Metric`] says what a table holds; [`score`], [`needs`] and
//!   [`Wdl::from_value`] say what its values mean.
//! * [`Helpmate`] says which sides can be mated with the help of the other.
//! * [`ThresholdCurve`] is a value of a threshold table; [`Chapters`] select the list that
//!   a stored value refers to.

mod curve;
mod index;
mod metric;

pub use curve::{Chapters, Division, MOST_CURVES, Needs, Rises, ThresholdCurve, Thresholds};
pub use index::{Digit, Group, Index, IndexError, Reindexing, Row, Shape};
pub use metric::{Helpmate, Metric, MetricError, Wdl, needs, score};
