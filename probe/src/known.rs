//! What is found out about a position while it is looked up.

use retrograde_index::{Metric, Wdl};
use retrograde_rules::{Move, Position};

/// What has been found out about a position that is asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Known {
    /// The value of the best settling move; nothing if there is none.
    pub(crate) best: Option<Option<Wdl>>,
    /// Who wins.
    pub(crate) result: Option<Wdl>,
    /// That no zeroing move keeps a win, double steps that may be captured en passant
    /// aside.
    pub(crate) quiet: bool,
    /// The positions after some of its moves, which several metrics ask for.
    pub(crate) successors: Vec<KnownSuccessor>,
}

/// The position after a move.
#[derive(Clone, Debug)]
pub(crate) struct KnownSuccessor {
    mv: Move,
    pub(crate) position: Position,
    pub(crate) known: Known,
}

impl Known {
    /// Keeps a value that has been found.
    pub(crate) fn note(&mut self, metric: Metric, value: i16) {
        if metric == Metric::Wdl {
            self.result = Some(Wdl::from_value(value));
        }
    }

    /// The position after a move of `position`, of which this is known, and what is known of
    /// that one.
    pub(crate) fn after(&mut self, position: &Position, mv: Move) -> &mut KnownSuccessor {
        let found = self.successors.iter().position(|after| after.mv == mv);
        let place = found.unwrap_or(self.successors.len());
        if found.is_none() {
            self.successors.push(KnownSuccessor {
                mv,
                position: position.play(mv),
                known: Known::default(),
            });
        }
        &mut self.successors[place]
    }
}
