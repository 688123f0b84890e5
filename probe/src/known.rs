//! What is found out about a position while it is looked up.

use std::cell::Cell;
use std::mem;

use retrograde_index::{Index, Metric, Wdl};
use retrograde_learned::Placement;
use retrograde_rules::{Move, Piece, Position};

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
    pub(crate) successors: Vec<KnownPosition>,
    /// Where the pieces of those stand that have been looked up.
    pub(crate) placements: Placements,
}

/// A position that is asked for together with others.
#[derive(Clone, Debug)]
pub(crate) struct KnownPosition<P = Position> {
    /// The move that led there, if they are those after the moves of one position.
    mv: Option<Move>,
    pub(crate) position: P,
    pub(crate) known: Known,
    /// Whether its value is asked for.
    pub(crate) asked: bool,
}

/// Where the pieces of some positions of one material stand, each in its place in a list of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placements {
    all: Vec<Placed>,
    /// The order of the groups in the index that indices are of.
    order: Vec<Piece>,
}

/// Where the pieces of a position stand, as far as that has been looked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    pub(crate) placement: Placement,
    pub(crate) index: Option<u64>,
}

impl Placements {
    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        for placed in &mut self.all {
            placed.placement.set([]);
            placed.index = None;
        }
    }

    /// Those of at least so many positions, with their places in an index.
    pub(crate) fn of(&mut self, index: &Index, positions: usize) -> &mut [Placed] {
        if !index.order().eq(self.order.iter().copied()) {
            self.order.clear();
            self.order.extend(index.order());
            self.all.iter_mut().for_each(|placed| placed.index = None);
        }
        if self.all.is_empty() {
            self.all = SPARE.try_with(Cell::take).unwrap_or_default();
            self.clear();
        }
        if self.all.len() < positions {
            self.all.resize_with(positions, Placed::default);
        }
        &mut self.all
    }
}

thread_local! {
    /// The memory of the last ones, to be used again: filling it takes longer than a probe.
    static SPARE: Cell<Vec<Placed>> = const { Cell::new(Vec::new()) };
}

impl Drop for Placements {
    fn drop(&mut self) {
        let all = mem::take(&mut self.all);
        if !all.is_empty() {
            // There is none any more where a thread ends.
            let _ = SPARE.try_with(|spare| spare.set(all));
        }
    }
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
    pub(crate) fn after(&mut self, position: &Position, mv: Move) -> &mut KnownPosition {
        let found = self
            .successors
            .iter()
            .position(|after| after.mv == Some(mv));
        let place = found.unwrap_or(self.successors.len());
        if found.is_none() {
            let after = KnownPosition::new(position.play(mv));
            self.successors.push(KnownPosition {
                mv: Some(mv),
                ..after
            });
        }
        &mut self.successors[place]
    }
}

impl<P> KnownPosition<P> {
    /// One of which nothing is known.
    pub(crate) fn new(position: P) -> KnownPosition<P> {
        KnownPosition {
            mv: None,
            position,
            known: Known::default(),
            asked: false,
        }
    }
}
