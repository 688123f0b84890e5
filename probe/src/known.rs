//! What is found out about a position while it is looked up.

use retrograde_index::{Metric, Wdl};

/// What has been found out about a position that is asked for.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Known {
    /// The value of the best settling move; nothing if there is none.
    pub(crate) best: Option<Option<Wdl>>,
    /// Who wins.
    pub(crate) result: Option<Wdl>,
    /// That no zeroing move keeps a win, double steps that may be captured en passant
    /// aside.
    pub(crate) quiet: bool,
}

impl Known {
    /// Keeps a value that has been found.
    pub(crate) fn note(&mut self, metric: Metric, value: i16) {
        if metric == Metric::Wdl {
            self.result = Some(Wdl::from_value(value));
        }
    }
}
