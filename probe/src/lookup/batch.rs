//! Looks up many positions at once, in less time than one by one.
//!
//! While what one of them takes is on its way from memory, others go on.

use std::borrow::Cow;
use std::cell::RefCell;
use std::mem;

use retrograde_index::{Index, Metric, Wdl};
use retrograde_learned::{Placement, Question};
use retrograde_rules::{Colour, Material, Move, Piece, Position};

use super::{Before, Known, Wanted, before, value_in};
use crate::error::{ProbeError, Unsupported};
use crate::format::{ShortList, Table};
use crate::store::{MaterialTables, Squares, Store};
use crate::value::{Stored, Value};

/// The most positions of a batch; findings about them are held in the meantime.
const AT_ONCE: usize = 128;

/// The values of some positions, by the metrics that are wanted, given the material of each
/// by its place; `None` for one that is not to be looked up together with others, or that
/// the tables do not tell.
pub(crate) fn plain_values(
    store: &Store,
    wanted: &[Metric],
    positions: &[Position],
    material_of: impl Fn(usize) -> Material,
) -> Vec<Option<Value>> {
    let plain = positions.iter().enumerate();
    let plain = plain.filter(|(_, position)| is_plain(store, position));
    let mut plain: Vec<_> = plain
        .map(|(place, position)| ((material_of(place), position.turn()), place))
        .collect();
    plain.sort_by_key(|&(group, _)| group);
    let mut values = vec![None; positions.len()];
    let mut memory = Reused::default();
    let placements = &mut memory.get().placements;
    for group in plain.chunk_by(|a, b| a.0 == b.0) {
        let (material, _) = group[0].0;
        if store.game().needs_no_table(&material) {
            continue;
        }
        for group in group.chunks(AT_ONCE) {
            let all = group.iter().map(|&(_, place)| &positions[place]);
            let mut all: Vec<_> = all.map(KnownPosition::new).collect();
            placements.clear();
            let found = values_together(store, wanted, &material, &mut all, placements);
            for (&(_, place), value) in group.iter().zip(found.unwrap_or_default()) {
                values[place] = value;
            }
        }
    }
    values
}

/// Whether the value of a position stands in a table of its material, if there is one, or
/// follows from those of others of its material.
fn is_plain(store: &Store, position: &Position) -> bool {
    position.game() == store.game()
        && store.game().vitality().is_none()
        && position.castling().is_empty()
        && position.ep().is_none()
        && position.finished().is_none()
}

/// The values of positions of one material with the same side to move; `None` for one
/// that the tables do not tell.
fn values_together(
    store: &Store,
    wanted: &[Metric],
    material: &Material,
    positions: &mut [KnownPosition<&Position>],
    placements: &mut Placements,
) -> Result<Vec<Option<Value>>, ProbeError> {
    let mut stored = vec![Stored::default(); positions.len()];
    let (Some(entry), Some(first)) = (store.entry(material), positions.first()) else {
        return Ok(Vec::new());
    };
    let turn = first.name.turn();
    let mut one_by_one = Vec::new();
    for &metric in wanted {
        let Some(table) = store.table_of(entry, metric)? else {
            continue;
        };
        let entry = entry.mirror_for(table, turn).unwrap_or(entry);
        if table.header().section(entry.turn(turn)).is_none() {
            store.check_needs(table)?;
            one_by_one.push(table);
            continue;
        }
        positions.iter_mut().for_each(|one| one.asked = true);
        let visit = |place, value, _: &_| {
            if let Some(stored) = stored.get_mut::<usize>(place) {
                stored.set(metric, value);
            }
        };
        stored_values(
            store,
            (material, metric),
            &Given,
            positions,
            placements,
            visit,
        )?;
    }
    // All metrics of a position at once, while what its moves lead to is in the caches.
    for (one, stored) in positions.iter_mut().zip(&mut stored) {
        if one.known.result == Some(Wdl::Draw) {
            continue;
        }
        // Its memory is for the next one.
        let mut known = mem::take(&mut one.known);
        for table in &one_by_one {
            let found = value_in(store, entry, table, one.name, material, &mut known);
            stored.set(table.header().metric, found?.0);
        }
    }
    let limit = Wanted::All.limit(store.limit);
    Ok(stored.into_iter().map(|s| s.value(limit)).collect())
}

/// The stored values of a metric for those of some positions that are asked for: all
/// of one material, with the same side to move and without e.p. right. Calls `visit` with
/// the place of each, its value, and the position. Where their pieces stand is noted in
/// `placements`, for other metrics.
pub(super) fn stored_values<P>(
    store: &Store,
    (material, metric): (&Material, Metric),
    names: &impl Named<P>,
    positions: &mut [KnownPosition<P>],
    placements: &mut Placements,
    mut visit: impl FnMut(usize, i16, &KnownPosition<P>),
) -> Result<(), ProbeError> {
    let Some(first) = positions.iter().find(|one| one.asked) else {
        return Ok(());
    };
    let (entry, table) = store.table_for(material, metric)?;
    let turn = names.turn(&first.name);
    let entry = entry.mirror_for(table, turn).unwrap_or(entry);
    let turn = entry.turn(turn);
    let mut asked = ShortList::new();
    let places = placements.of(entry, table.index(), positions.len());
    for ((number, one), place) in positions.iter_mut().enumerate().zip(places) {
        if !one.asked {
            continue;
        }
        let (name, known) = (&one.name, &mut one.known);
        let index = match place.index {
            Some(index) => index,
            None => {
                let find = |squares: &mut _| names.squares(name, entry, squares);
                let index = noted_index(table, find, &mut place.placement)?;
                let index = match store.game().checks() {
                    0 => index,
                    _ => {
                        let counters = entry.counters(&names.position(name));
                        table.index().in_layer_of(index, counters)
                    }
                };
                *place.index.insert(index)
            }
        };
        let position = || names.position(name);
        match before(store, position, material, (table, turn, index), known)? {
            Before::Value(value) => {
                one.asked = false;
                visit(number, value, one);
            }
            Before::Asks(context) => asked.push(Question {
                index,
                placement: &mut place.placement,
                context,
            }),
        }
    }
    // There may be no values of this side to move.
    if asked.is_empty() {
        return Ok(());
    }
    let mut stored = ShortList::<i16>::from_elem(0, asked.len());
    table
        .get_together(turn, &mut asked, &mut stored)
        .map_err(|error| store.table_error(&table.header().material, error.into()))?;
    let left = positions
        .iter_mut()
        .enumerate()
        .filter(|(_, one)| one.asked);
    for ((number, one), value) in left.zip(stored) {
        one.asked = false;
        one.known.note(metric, value);
        visit(number, value, one);
    }
    Ok(())
}

/// The index of a position in a table of its material. Where its pieces stand is the same
/// in all of them, so it is noted in `placement` and looked for there.
fn noted_index(
    table: &Table,
    find: impl FnOnce(&mut Squares) -> Option<usize>,
    placement: &mut Placement,
) -> Result<u64, ProbeError> {
    let known = placement.squares();
    let mut squares = Squares::default();
    for (square, &known) in squares.iter_mut().zip(known) {
        square.0 = known;
    }
    let found = match known.len() {
        0 => find(&mut squares),
        pieces => Some(pieces),
    };
    let index = found.and_then(|pieces| {
        let squares = squares.get_mut(..pieces)?;
        let index = table.index().normalize(squares)?;
        if placement.squares().is_empty() {
            placement.set(squares.iter().map(|square| square.0));
        }
        Some(index)
    });
    index.ok_or(ProbeError::Unsupported(Unsupported::Placement))
}

/// A position that is asked for together with others, by what names it.
#[derive(Debug)]
pub(super) struct KnownPosition<P> {
    pub(super) name: P,
    pub(super) known: Known,
    /// Whether its value is asked for.
    pub(super) asked: bool,
}

/// A way to find positions by their names.
pub(super) trait Named<P> {
    /// The side to move.
    fn turn(&self, name: &P) -> Colour;

    /// The position.
    fn position<'a>(&'a self, name: &'a P) -> Cow<'a, Position>;

    /// Writes where its pieces stand, as tables have them, and says how many there are.
    fn squares(&self, name: &P, entry: &MaterialTables, squares: &mut Squares) -> Option<usize>;
}

/// Positions that are there already.
pub(super) struct Given;

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
pub(super) struct Successors {
    pub(super) list: Vec<KnownPosition<Move>>,
    /// Behind the one that was asked for last: most are asked for in the same order again.
    next: usize,
    /// The placements of those that have been looked up.
    pub(super) placements: Placements,
}

/// The placements of some positions of one material, each in its place in a list of them.
#[derive(Debug, Default)]
pub(super) struct Placements {
    all: Vec<Placed>,
    /// The number of them that are in use.
    used: usize,
    /// The order of the groups in the index that indices are of.
    order: Vec<Piece>,
    /// Whether the placements are those with colours swapped.
    swapped: bool,
}

/// The placement of a position and its index, as far as they have been looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Placed {
    pub(super) placement: Placement,
    pub(super) index: Option<u64>,
}

/// Successors, in memory that is used again: filling it takes longer than a probe.
#[derive(Debug, Default)]
pub(super) struct Reused(Option<Box<Successors>>);

thread_local! {
    /// The memory of those that are no longer needed.
    #[expect(clippy::vec_box, reason = "they come and go as boxes")]
    static SPARE: RefCell<Vec<Box<Successors>>> = const { RefCell::new(Vec::new()) };
}

/// The number of them that are held: the moves of some positions are looked up while these are.
const SPARES: usize = 4;

impl Reused {
    /// The successors, none at first.
    pub(super) fn get(&mut self) -> &mut Successors {
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
    pub(super) fn after(&mut self, mv: Move) -> &mut KnownPosition<Move> {
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
    pub(super) fn clear(&mut self) {
        for placed in self.all.iter_mut().take(mem::take(&mut self.used)) {
            placed.placement.set([]);
            placed.index = None;
        }
    }

    /// The placements of at least so many positions, as tables have them, with their places in an
    /// index.
    fn of(&mut self, entry: &MaterialTables, index: &Index, positions: usize) -> &mut [Placed] {
        if self.swapped != entry.swapped {
            self.swapped = entry.swapped;
            self.clear();
        }
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

impl<P> KnownPosition<P> {
    /// Makes a position of which nothing is known.
    pub(super) fn new(name: P) -> KnownPosition<P> {
        KnownPosition {
            name,
            known: Known::default(),
            asked: false,
        }
    }
}
