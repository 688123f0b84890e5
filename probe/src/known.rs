//! What is found out about a position while it is looked up.

use std::borrow::Cow;
use std::cell::RefCell;
use std::mem;

use retrograde_index::{Index, Metric, Wdl};
use retrograde_learned::Placement;
use retrograde_rules::{Colour, Move, Piece, Position};

use crate::store::{MaterialTables, Squares};

/// What has been found out about a position that is asked for.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Who wins.
    pub(crate) result: Option<Wdl>,
    /// The positions after some of its moves, which several metrics ask for.
    pub(crate) successors: Reused,
}

/// A position that is asked for together with others, by what names it.
#[derive(Debug)]
pub(crate) struct KnownPosition<P> {
    pub(crate) name: P,
    pub(crate) known: Known,
    /// Whether its value is asked for.
    pub(crate) asked: bool,
}

/// How positions are found by their names.
pub(crate) trait Named<P> {
    /// Whose move it is.
    fn turn(&self, name: &P) -> Colour;

    /// The position.
    fn position<'a>(&'a self, name: &'a P) -> Cow<'a, Position>;

    /// Writes where its pieces stand, as tables have them, and says how many there are.
    fn squares(&self, name: &P, entry: &MaterialTables, squares: &mut Squares) -> Option<usize>;
}

/// Positions that are there already.
pub(crate) struct Given;

impl Named<&Position> for Given {
    #[inline]
    fn turn(&self, name: &&Position) -> Colour {
        Position::turn(name)
    }

    #[inline]
    fn position<'a>(&'a self, name: &'a &Position) -> Cow<'a, Position> {
        Cow::Borrowed(name)
    }

    #[inline]
    fn squares(
        &self,
        name: &&Position,
        entry: &MaterialTables,
        squares: &mut Squares,
    ) -> Option<usize> {
        entry.squares_of(name, squares)
    }
}

/// The positions after some moves of a position, by these.
#[derive(Debug, Default)]
pub(crate) struct Successors {
    pub(crate) list: Vec<KnownPosition<Move>>,
    /// Behind the one that was asked for last: most are asked for in the same order again.
    next: usize,
    /// Where the pieces of those stand that have been looked up.
    pub(crate) placements: Placements,
}

/// Where the pieces of some positions of one material stand, each in its place in a list of them.
#[derive(Debug, Default)]
pub(crate) struct Placements {
    all: Vec<Placed>,
    /// How many of them are in use.
    used: usize,
    /// The order of the groups in the index that indices are of.
    order: Vec<Piece>,
}

/// Where the pieces of a position stand, as far as that has been looked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Placed {
    pub(crate) placement: Placement,
    pub(crate) index: Option<u64>,
}

/// Successors, in memory that is used again: filling it takes longer than a probe.
#[derive(Debug, Default)]
pub(crate) struct Reused(Option<Box<Successors>>);

thread_local! {
    /// The memory of those that are no longer needed.
    #[expect(clippy::vec_box, reason = "they come and go as boxes")]
    static SPARE: RefCell<Vec<Box<Successors>>> = const { RefCell::new(Vec::new()) };
}

/// How many of them are kept: the moves of some positions are looked up while these are.
const SPARES: usize = 4;

impl Reused {
    /// The successors, none at first.
    pub(crate) fn get(&mut self) -> &mut Successors {
        self.0.get_or_insert_with(|| {
            let spare = SPARE.try_with(|spares| spares.try_borrow_mut().ok()?.pop());
            spare.ok().flatten().unwrap_or_default()
        })
    }
}

impl Drop for Reused {
    fn drop(&mut self) {
        let Some(mut successors) = self.0.take() else {
            return;
        };
        // This may give back the memory of others, so it comes first.
        successors.list.clear();
        successors.next = 0;
        successors.placements.clear();
        // There is nowhere to keep it any more where a thread ends.
        let _ = SPARE.try_with(|spares| {
            if let Ok(mut spares) = spares.try_borrow_mut()
                && spares.len() < SPARES
            {
                spares.push(successors);
            }
        });
    }
}

impl Successors {
    /// The position after a move, and what is known of it.
    pub(crate) fn after(&mut self, mv: Move) -> &mut KnownPosition<Move> {
        let is_it = |after: &KnownPosition<Move>| after.name == mv;
        let place = match self.list.get(self.next) {
            Some(after) if is_it(after) => self.next,
            _ => self.list.iter().position(is_it).unwrap_or(self.list.len()),
        };
        if place == self.list.len() {
            self.list.push(KnownPosition::new(mv));
        }
        self.next = place + 1;
        &mut self.list[place]
    }
}

impl Placements {
    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        for placed in self.all.iter_mut().take(mem::take(&mut self.used)) {
            placed.placement.set([]);
            placed.index = None;
        }
    }

    /// Those of at least so many positions, with their places in an index.
    pub(crate) fn of(&mut self, index: &Index, positions: usize) -> &mut [Placed] {
        if !index.order().eq(self.order.iter().copied()) {
            self.order.clear();
            self.order.extend(index.order());
            let used = self.all.iter_mut().take(self.used);
            used.for_each(|placed| placed.index = None);
        }
        if self.all.len() < positions {
            self.all.resize_with(positions, Placed::default);
        }
        self.used = self.used.max(positions);
        &mut self.all
    }
}

impl Known {
    /// Keeps a value that has been found.
    pub(crate) fn note(&mut self, metric: Metric, value: i16) {
        if metric == Metric::Wdl {
            self.result = Some(Wdl::from_value(value));
        }
    }
}

impl<P> KnownPosition<P> {
    /// One of which nothing is known.
    pub(crate) fn new(name: P) -> KnownPosition<P> {
        KnownPosition {
            name,
            known: Known::default(),
            asked: false,
        }
    }
}
