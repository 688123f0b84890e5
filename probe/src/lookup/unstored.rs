//! Looks up the side to move that a table does not store, from the values of the other side.
//!
//! One ply of search in them finds it, and only a double step that may be captured en passant takes
//! another. Where both sides have the same pieces, positions are looked up with colours swapped
//! instead, and do not come here: see [`MaterialTables::mirror_for`]. The recursion of lookups is
//! here and in [`search`], and every step takes an e.p. right, a piece or the other side to move.

use std::borrow::Cow;

use retrograde_index::{Index, Metric, Wdl, score};
use retrograde_rules::{Colour, Material, Move, MoveKind, Position, Square};

use super::batch::{Named, Successors, stored_values};
use super::{
    Known, Wanted, ended, known_result, search, stored_value_known, value_by_rules, wins_by_zeroing,
};
use crate::error::ProbeError;
use crate::format::{ShortList, SideValues, Table};
use crate::store::{MaterialTables, Squares, Store};
use crate::value::{Dtm, Value};

/// The value that a table would have for a position without e.p. right whose side to move,
/// `turn` in the table, it does not store.
pub(super) fn value_from_successors(
    store: &Store,
    position: &Position,
    material: &Material,
    (table, turn): (&Table, Colour),
    known: &mut Known,
    near: Option<&Near>,
) -> Result<i16, ProbeError> {
    store.check_needs(table)?;
    let metric = table.header().metric;
    let no_side = |table: &Table, turn| {
        let error = table.section(turn).map(|_| ()).err();
        error.map_or_else(
            || store.missing(material, Some(table.header().metric)),
            |error| store.table_error(material, error.into()),
        )
    };
    let quiet;
    let found;
    let near = match near {
        Some(near) => near,
        None => {
            quiet = quiet_successors(store, material, position.turn(), table);
            found = quiet.near_position(position);
            &found
        }
    };
    let value = match metric {
        Metric::Dtz => dtz_from_successors(store, position, material, known, near)?,
        Metric::Dtm => dtm_from_successors(store, position, material, known, near)?,
        Metric::Wdl => {
            // One that has the other side only would ask for this one again.
            match store.table(material, Metric::Dtz)? {
                Some(dtz) if dtz.header().section(turn.other()).is_none() => {
                    return Err(no_side(dtz, turn.other()));
                }
                _ => search(store, position, Wanted::Wdl)?.wdl.to_value(),
            }
        }
        _ => return Err(no_side(table, turn)),
    };
    known.note(metric, value);
    Ok(value)
}

/// The most plies to a zeroing move under the fifty-move rule.
fn most_plies(store: &Store) -> i16 {
    let limit = store.limit.and_then(|limit| i16::try_from(limit).ok());
    limit.unwrap_or(i16::MAX)
}

/// Finds out who wins after the moves that are asked for, and lead to positions of the same
/// material without e.p. right, as far as that is not known.
fn find_results(
    store: &Store,
    material: &Material,
    names: &AfterMoves,
    successors: &mut Successors,
) -> Result<(), ProbeError> {
    for after in &mut successors.list {
        after.asked &= after.known.result.is_none();
    }
    let Successors {
        list, placements, ..
    } = successors;
    // What they are is noted in each.
    let table = (material, Metric::Wdl);
    stored_values(store, table, names, list, placements, |_, _, _| {})
}

/// DTZ: a win takes the shortest way to a zeroing move that keeps it, a loss the
/// longest; 0 for a draw.
fn dtz_from_successors(
    store: &Store,
    position: &Position,
    material: &Material,
    known: &mut Known,
    near: &Near,
) -> Result<i16, ProbeError> {
    let result = known_result(store, position, material, known)?;
    if result == Wdl::Draw {
        return Ok(0);
    }
    let gains = result.is_win();
    if gains && wins_by_zeroing(store, position, result)? {
        return Ok(1);
    }
    let moves = position.legal_moves();
    let limit = most_plies(store);
    let mut found: Option<i16> = None;
    // Takes a move to a position with this DTZ that is worth so much into account.
    let mut add = |after: i16, value: Wdl| {
        // Whatever a file says must not overflow.
        let plies = after.saturating_add(1);
        let value = if plies > limit { value.cursed() } else { value };
        if value == result {
            let better = |found: i16| match gains {
                true => found.min(plies),
                false => found.max(plies),
            };
            found = Some(found.map_or(plies, better));
        }
    };
    let quiet_moves = || moves.iter().copied().filter(|mv| !mv.is_zeroing());
    let names = AfterMoves { position, near };
    let successors = known.successors.get();
    // Every move of a lost position loses.
    if result != Wdl::Loss {
        for mv in quiet_moves().filter(|&mv| near.result(mv).is_none()) {
            successors.after(mv).asked = true;
        }
        find_results(store, material, &names, successors)?;
    }
    for mv in quiet_moves() {
        let value = match (result, near.result(mv)) {
            (Wdl::Loss, _) => Wdl::Loss,
            (_, Some(after)) => after.reversed(),
            (_, None) => {
                let known = &mut successors.after(mv).known;
                let there = match known.result {
                    Some(there) => there,
                    None => known_result(store, &position.play(mv), material, known)?,
                };
                there.reversed()
            }
        };
        // After a quiet move the clock is at 1, so a win may be cursed by it.
        let may_be = value == result || value.cursed() == result;
        if !may_be {
            continue;
        }
        match near.value(mv) {
            Some(after) => add(after, value),
            None => {
                let after = successors.after(mv);
                after.known.result = Some(value.reversed());
                after.asked = true;
            }
        }
    }
    let Successors {
        list, placements, ..
    } = successors;
    let table = (material, Metric::Dtz);
    stored_values(store, table, &names, list, placements, |_, plies, after| {
        add(plies, after.known.result.unwrap_or(Wdl::Draw).reversed());
    })?;
    // A loss without quiet moves: by a zeroing move, or it is mate.
    Ok(found.unwrap_or_else(|| i16::from(!moves.is_empty())))
}

/// The score of a position that is not to be asked for together with others: one of
/// another material, with an e.p. right, or finished.
fn dtm_apart(
    store: &Store,
    material: &Material,
    position: &Position,
    known: &mut Known,
) -> Result<Option<i16>, ProbeError> {
    if let Some(value) = value_by_rules(store, position, &position.material()) {
        return Ok(Some(score_of(value)));
    }
    if position.ep().is_some() {
        return Ok(Some(score_of(search(store, position, Wanted::Dtm)?)));
    }
    let there = position.material();
    if there == *material {
        return Ok(None);
    }
    let entry = stored_value_known(store, position, &there, Metric::Dtm, known)?;
    Ok(Some(entry.0))
}

/// DTM: the best score that a move gives.
fn dtm_from_successors(
    store: &Store,
    position: &Position,
    material: &Material,
    known: &mut Known,
    near: &Near,
) -> Result<i16, ProbeError> {
    let result = match known_result(store, position, material, known) {
        Ok(Wdl::Draw) => return Ok(score::DRAW),
        Ok(result) => Some(result),
        // Not every table of DTM depends on one of WDL.
        Err(ProbeError::Missing { .. }) => None,
        Err(error) => return Err(error),
    };
    let wins = result.is_some_and(Wdl::is_win);
    // Every move of a lost position loses.
    let result_after = (result == Some(Wdl::Loss)).then_some(Wdl::Win);
    let moves = position.legal_moves();
    let names = AfterMoves { position, near };
    let successors = known.successors.get();
    let mut best: Option<i16> = None;
    // Takes a move to a position with this score into account.
    let mut add = |there| {
        let here = one_ply_before(there);
        best = Some(best.map_or(here, |best| better(best, here)));
    };
    for &mv in &moves {
        if let Some(after) = near.value(mv) {
            add(after);
            continue;
        }
        let known = &mut Known {
            result: result_after,
            ..Known::default()
        };
        if let Some(there) = dtm_apart(store, material, &position.play(mv), known)? {
            add(there);
            continue;
        }
        let after = successors.after(mv);
        after.known.result = after.known.result.or(result_after);
        after.asked = true;
    }
    // A position is not won by a move that does not win.
    if wins {
        let asked = successors.list.iter().map(|after| after.asked);
        let asked: ShortList<bool> = asked.collect();
        find_results(store, material, &names, successors)?;
        for (after, asked) in successors.list.iter_mut().zip(asked) {
            after.asked = asked && after.known.result.is_some_and(|result| result > Wdl::Draw);
        }
    }
    let Successors {
        list, placements, ..
    } = successors;
    let table = (material, Metric::Dtm);
    stored_values(store, table, &names, list, placements, |_, there, _| {
        add(there)
    })?;
    if let Some(best) = best {
        return Ok(best);
    }
    let end = position.end_with(&moves);
    Ok(end.map_or(score::DRAW, |end| {
        score_of(ended(store, end, position.turn()))
    }))
}

/// The score of a position from that after its best move.
fn one_ply_before(after: i16) -> i16 {
    match score::plies(after) {
        None => score::DRAW,
        // Whatever a file says must not overflow.
        Some(plies) if after > 0 => score::loss((plies + 1).min(score::MOST_PLIES)),
        Some(plies) => score::win((plies + 1).min(score::MOST_PLIES)),
    }
}

/// The better of two scores.
fn better(a: i16, b: i16) -> i16 {
    if order(b) > order(a) { b } else { a }
}

/// A number that is larger for better scores: short wins, draws, long losses.
fn order(score: i16) -> i32 {
    match i32::from(score) {
        score @ 1.. => (1 << 16) - score,
        0 => 0,
        score => -(1 << 16) - score,
    }
}

/// The score of a value that has a distance or is a draw.
fn score_of(value: Value) -> i16 {
    match (value.wdl.winner(Colour::White), value.dtm) {
        (Some(Colour::White), Some(Dtm(plies))) => score::win(plies.min(score::MOST_PLIES)),
        (Some(Colour::Black), Some(Dtm(plies))) => score::loss(plies.min(score::MOST_PLIES)),
        _ => score::DRAW,
    }
}

/// The positions after the quiet moves of a side to move, as far as they are in memory. The
/// values are those of the table that is asked, unless only another file of the same
/// material keeps any.
pub(super) fn quiet_successors<'a>(
    store: &'a Store,
    material: &Material,
    turn: Colour,
    table: &'a Table,
) -> Quiet<'a> {
    // Where a quiet move gives check, it does not only move a piece.
    let entry = store.entry(material).filter(|_| store.game().checks() == 0);
    let Some(entry) = entry else {
        return Quiet::default();
    };
    let after = entry.turn(turn.other());
    let in_memory = |metric| {
        let table = store.open(entry, metric)?.ok()?;
        Some((table.index(), table.in_memory(after)?))
    };
    Quiet {
        entry: Some(entry),
        results: in_memory(Metric::Wdl),
        values: match table.in_memory(after) {
            Some(values) => Some((table.index(), values)),
            None => in_memory(table.header().metric),
        },
    }
}

/// The positions after quiet moves that are in memory: who wins, and the values of
/// a metric, each with the index that they are in the order of.
#[derive(Default)]
pub(super) struct Quiet<'a> {
    entry: Option<&'a MaterialTables>,
    results: Option<Indexed<'a>>,
    values: Option<Indexed<'a>>,
}

type Indexed<'a> = (&'a Index, &'a SideValues);

impl Quiet<'_> {
    /// The surroundings of a position whose pieces are on these squares of the tables.
    pub(super) fn near(&self, squares: &[Square]) -> Near<'_> {
        let mut all = Squares::default();
        all.iter_mut()
            .zip(squares)
            .for_each(|(to, &from)| *to = from);
        Near {
            quiet: self,
            squares: all,
            pieces: squares.len(),
        }
    }

    pub(super) fn near_position(&self, position: &Position) -> Near<'_> {
        let mut squares = Squares::default();
        let find = |entry: &MaterialTables| entry.squares_of(position, &mut squares);
        let pieces = self.entry.and_then(find).unwrap_or(0);
        self.near(squares.get(..pieces).unwrap_or(&[]))
    }
}

/// The surroundings of a position.
pub(super) struct Near<'a> {
    quiet: &'a Quiet<'a>,
    squares: Squares,
    pieces: usize,
}

impl Near<'_> {
    /// The result after a move, for the side to move there, if it is in memory.
    #[inline]
    pub(super) fn result(&self, mv: Move) -> Option<Wdl> {
        self.look_up(self.quiet.results?, mv).map(Wdl::from_value)
    }

    /// The value of the metric after a move, if that is.
    #[inline]
    pub(super) fn value(&self, mv: Move) -> Option<i16> {
        self.look_up(self.quiet.values?, mv)
    }

    #[inline]
    fn look_up(&self, (index, values): Indexed, mv: Move) -> Option<i16> {
        let mut squares = Squares::default();
        let pieces = self.after(mv, &mut squares)?;
        values.get(index.encode(squares.get(..pieces)?)?)
    }

    /// Writes the squares of all pieces after a move that only changes that of one, and says how
    /// many there are.
    #[inline]
    fn after(&self, mv: Move, squares: &mut Squares) -> Option<usize> {
        if mv.kind != MoveKind::Ordinary || mv.captured.is_some() || mv.promotion.is_some() {
            return None;
        }
        let image = |square| self.quiet.entry.map_or(square, |entry| entry.image(square));
        let from = image(mv.from);
        let before = self.squares.get(..self.pieces)?;
        let moved = before.iter().position(|&square| square == from)?;
        *squares = self.squares;
        squares[moved] = image(mv.to);
        Some(self.pieces)
    }
}

/// The positions after moves of a position, by these.
pub(super) struct AfterMoves<'a> {
    pub(super) position: &'a Position,
    pub(super) near: &'a Near<'a>,
}

impl Named<Move> for AfterMoves<'_> {
    #[inline]
    fn turn(&self, _: &Move) -> Colour {
        self.position.turn().other()
    }

    fn position<'a>(&'a self, mv: &'a Move) -> Cow<'a, Position> {
        Cow::Owned(self.position.play(*mv))
    }

    #[inline]
    fn squares(&self, mv: &Move, entry: &MaterialTables, squares: &mut Squares) -> Option<usize> {
        let own = self.near.quiet.entry;
        let is_near = own.is_some_and(|own| own.swapped == entry.swapped);
        let near = is_near.then(|| self.near.after(*mv, squares)).flatten();
        near.or_else(|| entry.squares_of(&self.position.play(*mv), squares))
    }
}
