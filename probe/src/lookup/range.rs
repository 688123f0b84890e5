//! Reads the values of many indices at a time, for work on all positions of a material.
//!
//! Packing, proving and counting are such work; tables can be taken into memory for it.

use std::ops::Range;
use std::sync::Arc;

#[cfg(feature = "keep")]
use rayon::prelude::*;
use retrograde_index::{Index, Metric, Reindexing, Wdl, score};
use retrograde_rules::{Colour, Counters, Game, Piece, Position, Square};
#[cfg(feature = "keep")]
use retrograde_rules::{Goal, Material, PieceType};

use super::unstored::{quiet_successors, value_from_successors};
use super::{Known, drawn, known_result, value_in};
use crate::error::{ProbeError, TableError, TableFault};
#[cfg(feature = "keep")]
use crate::format::Need;
use crate::format::header::rank;
use crate::format::learned::{BATCH, Scratch};
use crate::format::{Codec, Section, SideValues, Table};
use crate::store::{Squares, Store};

/// Whether to give up; asked again and again during long work.
#[cfg(feature = "keep")]
pub type Stop<'a> = &'a (dyn Fn() -> bool + Sync);

/// The indices that a task reads, if blocks do not matter.
#[cfg(feature = "keep")]
const CHUNK: usize = 1 << 14;

/// Reads the values of those indices from `first` on that are asked for, by their places in
/// `values`; others may get any value.
pub(crate) fn read_some(
    store: &Store,
    table: &Table,
    turn: Colour,
    first: u64,
    values: &mut [i16],
    is_asked: impl Fn(usize) -> bool,
) -> Result<(), ProbeError> {
    let positions = table.header().positions;
    let end = first.checked_add(values.len() as u64);
    if end.is_none_or(|end| end > positions) {
        let index = first.max(positions);
        let fault = TableFault::NoSuchIndex { index, positions };
        return Err(bad_table(store, table, table.error(fault)));
    }
    if table
        .in_memory(turn)
        .is_some_and(|side| side.copy(first, values))
    {
        return Ok(());
    }
    match table.header().section(turn) {
        None => read_unstored(store, table, turn, first, values, is_asked),
        Some(section) if table.header().codec == Codec::Learned => {
            read_learned(store, (table, section), first, values, is_asked)
        }
        Some(_) => {
            let read = table.read(turn, first, values);
            read.map_err(|error| bad_table(store, table, error))
        }
    }
}

/// Reads a range of a section in the codec `learned`.
fn read_learned(
    store: &Store,
    (table, section): (&Table, &Section),
    first: u64,
    values: &mut [i16],
    is_asked: impl Fn(usize) -> bool,
) -> Result<(), ProbeError> {
    if section.asks_result {
        store.check_own_needs(table)?;
    }
    let mut scratch = Scratch::default();
    for (batch, values) in values.chunks_mut(BATCH).enumerate() {
        let before = batch * BATCH;
        let is_asked = |place| is_asked(before + place);
        let first = first + before as u64;
        read_batch(
            store,
            (table, section),
            first,
            values,
            is_asked,
            &mut scratch,
        )?;
    }
    Ok(())
}

fn read_batch(
    store: &Store,
    (table, section): (&Table, &Section),
    first: u64,
    values: &mut [i16],
    is_asked: impl Fn(usize) -> bool,
    scratch: &mut Scratch,
) -> Result<(), ProbeError> {
    let read = if section.asks_result {
        let metric = table.header().metric;
        let indices = first..first + values.len() as u64;
        let results = results_of(store, table.index(), section.turn, indices)?;
        // Of draws nothing is stored; what is asked for of the others is read below.
        values.fill(drawn(metric, Wdl::Draw).unwrap_or_default());
        // Looked up: branches on results would be mispredicted.
        let by_value = [-2, -1, 0, 1, 2].map(|value| rank(Wdl::from_value(value)));
        let rank_of = |&result: &i16| by_value[(result.clamp(-2, 2) + 2) as usize];
        let ranks: Vec<u8> = results.iter().map(rank_of).collect();
        let is_stored = |place| ranks.get(place).is_some_and(|&r| r != rank(Wdl::Draw));
        let is_asked = |place| is_stored(place) && is_asked(place);
        table.learned_values(section, first, (&ranks, is_asked), values, scratch)
    } else {
        table.learned_values(section, first, (&[], is_asked), values, scratch)
    };
    read.map_err(|fault| bad_table(store, table, table.error(fault)))
}

/// The results of a range of indices, position by position if there is no quicker way; a draw for
/// an index that stands for no position.
pub(crate) fn results_of(
    store: &Store,
    index: &Index,
    turn: Colour,
    indices: Range<u64>,
) -> Result<Vec<i16>, ProbeError> {
    if let Some(results) = results_at_hand(store, index, turn, indices.clone())? {
        return Ok(results);
    }
    let positions = Positions::new(store.game(), index, turn);
    let mut squares = Squares::default();
    let squares = &mut squares[..index.pieces()];
    indices
        .map(|number| {
            let Some(position) = positions.position(number, squares) else {
                return Ok(score::DRAW);
            };
            let material = index.material();
            let result = known_result(store, &position, material, &mut Known::default())?;
            Ok(result.to_value())
        })
        .collect()
}

/// The results of a range of indices, if there is a WDL table that has the same order or is in
/// memory.
fn results_at_hand(
    store: &Store,
    index: &Index,
    turn: Colour,
    indices: Range<u64>,
) -> Result<Option<Vec<i16>>, ProbeError> {
    let Some(wdl) = store.table(index.material(), Metric::Wdl)? else {
        return Ok(None);
    };
    let mut results = vec![score::DRAW; (indices.end - indices.start) as usize];
    if wdl.index().order().eq(index.order()) {
        read_some(store, wdl, turn, indices.start, &mut results, |_| true)?;
        return Ok(Some(results));
    }
    let reindexing = Reindexing::new(index, wdl.index());
    let (Some(side), Some(reindexing)) = (wdl.in_memory(turn), reindexing) else {
        return Ok(None);
    };
    let mut next = results.iter_mut();
    reindexing.each(indices, |index| {
        if let Some(result) = next.next() {
            *result = side.get(index).unwrap_or(score::DRAW);
        }
    });
    Ok(Some(results))
}

/// Reads a range of a side to move that the table does not store.
fn read_unstored(
    store: &Store,
    table: &Table,
    turn: Colour,
    first: u64,
    values: &mut [i16],
    is_asked: impl Fn(usize) -> bool,
) -> Result<(), ProbeError> {
    let header = table.header();
    let (metric, material) = (header.metric, &header.material);
    store.check_needs(table)?;
    if let Some(other) = table.in_memory(turn.other())
        && material.is_symmetric(store.game())
    {
        read_swapped(store, table.index(), other, first, values);
        return Ok(());
    }
    let positions = Positions::new(store.game(), table.index(), turn);
    let quiet = quiet_successors(store, material, turn, table);
    let mirror = store.entry(material);
    let mirror = mirror.and_then(|entry| entry.mirror_for(table, turn));
    let mut squares = Squares::default();
    let squares = &mut squares[..table.index().pieces()];
    for (batch, values) in values.chunks_mut(BATCH).enumerate() {
        let before = batch * BATCH;
        let first = first + before as u64;
        // Distances of draws follow from who wins.
        let results = match metric {
            Metric::Dtm | Metric::Dtz => {
                let indices = first..first + values.len() as u64;
                match results_at_hand(store, table.index(), turn, indices) {
                    // Distances to mate can be had without.
                    Err(ProbeError::Missing { .. }) if metric == Metric::Dtm => None,
                    results => results?,
                }
            }
            _ => None,
        };
        for (place, value) in values.iter_mut().enumerate() {
            *value = score::DRAW;
            if !is_asked(before + place) {
                continue;
            }
            let result = results.as_ref().and_then(|results| results.get(place));
            let result = result.map(|&result| Wdl::from_value(result));
            if let Some(drawn) = result.and_then(|result| drawn(metric, result)) {
                *value = drawn;
            } else if let Some(position) = positions.position(first + place as u64, squares) {
                let mut known = Known {
                    result,
                    ..Known::default()
                };
                let known = &mut known;
                *value = match mirror {
                    Some(entry) => value_in(store, entry, table, &position, material, known)?.0,
                    None => {
                        let (side, near) = ((table, turn), Some(&quiet.near(squares)));
                        value_from_successors(store, &position, material, side, known, near)?
                    }
                };
            }
        }
    }
    Ok(())
}

/// Reads a range of a side to move that has the values of the other with colours swapped.
fn read_swapped(store: &Store, index: &Index, other: &SideValues, first: u64, values: &mut [i16]) {
    let (mirror, geometry) = (
        store.game().interchange(index.material()),
        store.game().geometry(),
    );
    let mut squares = Squares::default();
    let squares = &mut squares[..index.pieces()];
    for (number, value) in (first..).zip(values) {
        *value = score::DRAW;
        if !index.decode(number, squares) {
            continue;
        }
        // White's pieces come first, and Black has the same.
        squares.rotate_left(index.pieces() / 2);
        for square in &mut *squares {
            *square = mirror.image(geometry, *square);
        }
        let counters = index.counters(number / index.layer_len());
        let counters = counters.map(Counters::swapped);
        let found = index.encode(squares);
        let found = found.and_then(|number| other.get(index.in_layer_of(number, counters)));
        *value = found.unwrap_or(score::DRAW);
    }
}

fn bad_table(store: &Store, table: &Table, error: TableError) -> ProbeError {
    store.table_error(&table.header().material, Arc::new(error))
}

/// See [`whole::prepare`](crate::whole::prepare).
#[cfg(feature = "keep")]
pub(crate) fn prepare(store: &Store, table: &Table, stop: Stop<'_>) -> Result<(), ProbeError> {
    prepare_turns(store, table, &Colour::BOTH, stop)
}

/// Loads what reading some sides to move of a table takes.
#[cfg(feature = "keep")]
fn prepare_turns(
    store: &Store,
    table: &Table,
    turns: &[Colour],
    stop: Stop<'_>,
) -> Result<(), ProbeError> {
    let header = table.header();
    let asking = header.sections.iter().filter(|section| section.asks_result);
    let asking: Vec<Colour> = asking.map(|section| section.turn).collect();
    if !asking.is_empty() {
        load(store, &header.material, Metric::Wdl, &asking, stop)?;
    }
    if turns.iter().any(|&turn| header.section(turn).is_none()) {
        for need in &header.needs {
            let turns = turns_asked_for(table, need);
            load(store, &need.material, need.metric, &turns, stop)?;
        }
        for section in &header.sections {
            load_side(store, table, section.turn, stop)?;
        }
    }
    Ok(())
}

/// See [`whole::turns_asked_for`](crate::whole::turns_asked_for).
#[cfg(feature = "keep")]
pub(crate) fn turns_asked_for(table: &Table, need: &Need) -> Vec<Colour> {
    let header = table.header();
    if need.material == header.material {
        return Colour::BOTH.to_vec();
    }
    let unstored = Colour::BOTH
        .into_iter()
        .filter(|&turn| header.section(turn).is_none());
    let movers: Vec<Colour> = unstored.collect();
    turns_after(header.game, &header.material, &need.material, &movers)
}

/// See [`whole::load`](crate::whole::load).
#[cfg(feature = "keep")]
pub(crate) fn load(
    store: &Store,
    material: &Material,
    metric: Metric,
    turns: &[Colour],
    stop: Stop<'_>,
) -> Result<(), ProbeError> {
    let Some(table) = store.table(material, metric)? else {
        return Ok(());
    };
    if turns.iter().all(|&turn| table.in_memory(turn).is_some()) {
        return Ok(());
    }
    prepare_turns(store, table, turns, stop)?;
    let mut turns = turns.iter();
    turns.try_for_each(|&turn| load_side(store, table, turn, stop))
}

#[cfg(feature = "keep")]
fn load_side(store: &Store, table: &Table, turn: Colour, stop: Stop<'_>) -> Result<(), ProbeError> {
    if table.in_memory(turn).is_none() {
        table.set_in_memory(turn, read_side(store, table, turn, stop)?);
    }
    Ok(())
}

/// See [`whole::read_side`](crate::whole::read_side).
#[cfg(feature = "keep")]
pub(crate) fn read_side(
    store: &Store,
    table: &Table,
    turn: Colour,
    stop: Stop<'_>,
) -> Result<Vec<i16>, ProbeError> {
    let mut values = vec![0; table.header().positions as usize];
    // Whole blocks a task, so that none is unpacked twice.
    let block = table.block_len(turn).unwrap_or(1).max(1) as usize;
    let chunk = block * CHUNK.div_ceil(block);
    let parts = values.par_chunks_mut(chunk).enumerate();
    parts.try_for_each(|(part, out)| match stop() {
        true => Err(ProbeError::Stopped),
        false => read_some(store, table, turn, (part * chunk) as u64, out, |_| true),
    })?;
    Ok(values)
}

/// The positions of an index with a side to move.
pub(crate) struct Positions<'a> {
    game: Game,
    index: &'a Index,
    pieces: Vec<Piece>,
    turn: Colour,
}

impl<'a> Positions<'a> {
    pub(crate) fn new(game: Game, index: &'a Index, turn: Colour) -> Positions<'a> {
        Positions {
            game,
            index,
            pieces: index.material().pieces().collect(),
            turn,
        }
    }

    /// The position of an index, if it stands for one; `squares` become those of the index.
    pub(crate) fn position(&self, index: u64, squares: &mut [Square]) -> Option<Position> {
        if !self.index.decode(index, squares) {
            return None;
        }
        let pieces = self.pieces.iter().copied().zip(squares.iter().copied());
        let position = Position::from_pieces(self.game, pieces, self.turn)?;
        Some(self.index.counted(index, position))
    }
}

/// The sides that may be to move in a successor after a move of some sides from a larger material:
/// all that are, maybe some that are not. The successor is in normal form.
#[cfg(feature = "keep")]
pub fn turns_after(
    game: Game,
    larger: &Material,
    successor: &Material,
    movers: &[Colour],
) -> Vec<Colour> {
    let after = |mover: Colour| {
        let after = reached(game, larger, mover).into_iter();
        after
            .filter(|(normal, _)| normal == successor)
            .map(move |(_, swapped)| if swapped { mover } else { mover.other() })
    };
    let is_known = Colour::BOTH
        .into_iter()
        .any(|mover| after(mover).next().is_some());
    match game.goal() {
        // There are moves of other kinds.
        Goal::KingCapture(_) => Colour::BOTH.to_vec(),
        _ if !is_known => Colour::BOTH.to_vec(),
        _ => {
            let is_turn =
                |turn: &Colour| movers.iter().any(|&mover| after(mover).any(|t| t == *turn));
            Colour::BOTH.into_iter().filter(is_turn).collect()
        }
    }
}

/// The materials that a side may reach by a capture, a promotion, or both, in normal
/// form, and whether the colours are swapped in it; some that it may not reach as well.
#[cfg(feature = "keep")]
fn reached(game: Game, material: &Material, mover: Colour) -> Vec<(Material, bool)> {
    let mut after_capture = vec![*material];
    for piece in material.pieces().filter(|piece| piece.colour != mover) {
        after_capture.extend(material.without(piece));
    }
    let mut all = after_capture.clone();
    for material in &after_capture {
        let pawn = material
            .pieces()
            .find(|piece| piece.colour == mover && piece.piece_type == PieceType::Pawn);
        let Some(pawn) = pawn else { continue };
        for &piece_type in game.piece_types() {
            let mut promoted = pawn;
            promoted.piece_type = piece_type;
            if let Some(mut after) = material.without(pawn) {
                after.add(promoted);
                all.push(after);
            }
        }
    }
    all.iter().map(|material| material.normal(game)).collect()
}

#[cfg(test)]
#[cfg(feature = "keep")]
mod tests {
    use super::*;

    fn material(name: &str, game: Game) -> Material {
        Material::parse(game, name).unwrap().normal(game).0
    }

    /// Plays all captures and promotions of some positions.
    fn check(id: &str, name: &str) {
        let game = Game::parse(id).unwrap();
        let larger = material(name, game);
        let index = Index::new(game, &larger).unwrap();
        let mut squares = [Square(0); Material::MOST_PIECES];
        let mut played = 0;
        for turn in Colour::BOTH {
            let positions = Positions::new(game, &index, turn);
            for number in (0..index.len()).step_by((index.len() / 5000) as usize | 1) {
                let squares = &mut squares[..index.pieces()];
                let Some(position) = positions.position(number, squares) else {
                    continue;
                };
                for &mv in &position.captures_and_promotions() {
                    let after = position.play(mv);
                    let (normal, swapped) = after.material().normal(game);
                    let turn = if swapped { turn } else { turn.other() };
                    let turns = turns_after(game, &larger, &normal, &[position.turn()]);
                    assert!(turns.contains(&turn), "{id} {name} {normal}");
                    played += 1;
                }
            }
        }
        assert!(played > 0, "{id} {name}");
    }

    #[test]
    fn every_move_leads_to_a_side_that_is_named() {
        for name in ["KRPvKR", "KPvKP", "KQvKB", "KBPvK"] {
            check("orthodox", name);
        }
        check("king-of-the-hill", "KPvKN");
        check("kings", "KKPvKR");
        check("wild9", "KPvKK");
        check("extinction", "KPPvKR");
        check("extinction-mating", "KPPvKR");
        check("chess99", "KPvKR");
    }

    #[test]
    fn sides_that_are_not_to_move_are_left_out() {
        use Colour::{Black, White};
        let after = |larger, smaller, movers: &[Colour]| {
            let [larger, smaller] = [larger, smaller].map(|m| material(m, Game::default()));
            turns_after(Game::default(), &larger, &smaller, movers)
        };
        assert_eq!(after("KRPvKR", "KQRvKR", &Colour::BOTH), [Black]);
        assert_eq!(after("KRPvKR", "KRvKR", &Colour::BOTH), [White]);
        // Black has captured, and the colours are swapped.
        assert_eq!(after("KPvKR", "KRvK", &Colour::BOTH), [Black]);
        assert_eq!(after("KRPvKP", "KRPvK", &Colour::BOTH), [Black]);
        assert_eq!(after("KPvKP", "KQvKP", &Colour::BOTH), [Black]);
        assert_eq!(after("KRPvKR", "KQRvKR", &[White]), [Black]);
        assert_eq!(after("KRPvKR", "KQRvKR", &[Black]), []);
        assert_eq!(after("KRPvKR", "KRvKR", &[Black]), [White]);
    }
}
