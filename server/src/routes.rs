//! Groups the handlers of the HTTP interface, one file for each kind of question.

pub(crate) mod batch;
pub(crate) mod endings;
pub(crate) mod games;
pub(crate) mod line;
pub(crate) mod page;
pub(crate) mod pgn;
pub(crate) mod play;
pub(crate) mod position;
pub(crate) mod probe;
pub(crate) mod search;
pub(crate) mod service;
pub(crate) mod standard;
pub(crate) mod stats;
