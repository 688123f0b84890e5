//! Looks up the value of a position through tables and rules.
//!
//! It finds which table has it, where it stands there, what has to be known to read it, and the
//! value itself. Single positions, batches of them and ranges of indices go the same way; the
//! functions here serve one position.
//!
//! `docs/FORMAT.md` says what a table does not store because another one knows it. A
//! *conversion* is a capture or a promotion: it leaves the material, so smaller tables know its
//! value.

pub(crate) mod batch;
pub(crate) mod range;
mod unstored;
pub(crate) mod vitality;

use std::borrow::Cow;

use retrograde_index::{Helpmate, Metric, Wdl, score};
use retrograde_rules::{BareKings, Colour, End, Game, Material, PieceType, Position, Square};

use crate::error::{ProbeError, Unsupported};
use crate::facts::helpmate_by_rules;
use crate::format::Table;
use crate::format::header::rank;
use crate::store::{MaterialTables, Squares, Store};
use crate::value::{Best, Dtm, Dtz, Stored, Value};
use batch::Reused;
use unstored::value_from_successors;
use vitality::value_with_vitality;

/// The tables that are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// All metrics.
    All,
    /// The result, with the half-move clock at 0.
    Wdl,
    /// Depth to mate. Its sign says who wins, the fifty-move rule apart.
    Dtm,
    /// Depth to zeroing, and who wins.
    Dtz,
}

impl Wanted {
    /// The metrics to read; asking for one that the game does not have is answered
    /// as a missing table.
    pub(crate) fn metrics(self, game: Game) -> &'static [Metric] {
        match self {
            Wanted::All => Metric::of(game),
            Wanted::Wdl => &[Metric::Wdl],
            Wanted::Dtm => &[Metric::Dtm],
            Wanted::Dtz => &[Metric::Wdl, Metric::Dtz],
        }
    }

    /// The metric that cannot be done without.
    pub(crate) fn first(self) -> Metric {
        match self {
            Wanted::All | Wanted::Wdl | Wanted::Dtz => Metric::Wdl,
            Wanted::Dtm => Metric::Dtm,
        }
    }

    /// The tables that are asked about successors, if the value has to come from them:
    /// the clock is no longer at 0 after a quiet move, so only DTZ says who
    /// wins.
    pub(crate) fn of_successors(self) -> Wanted {
        match self {
            Wanted::Wdl => Wanted::Dtz,
            wanted => wanted,
        }
    }

    /// The limit of the fifty-move rule that counts.
    pub(crate) fn limit(self, limit: Option<u32>) -> Option<u32> {
        match self {
            Wanted::Dtm => None,
            Wanted::All | Wanted::Wdl | Wanted::Dtz => limit,
        }
    }
}

/// Findings about a position that is asked for.
#[derive(Debug, Default)]
struct Known {
    /// The result of the position.
    result: Option<Wdl>,
    /// The positions after some of its moves, which several metrics ask for.
    successors: Reused,
}

impl Known {
    /// Keeps a value that has been found.
    fn note(&mut self, metric: Metric, value: i16) {
        if metric == Metric::Wdl {
            self.result = Some(Wdl::from_value(value));
        }
    }
}

/// The state of a lookup before the table is asked.
enum Before {
    /// The value: nothing is left to ask.
    Value(i16),
    /// The context to ask with, if the section asks for one.
    Asks(u8),
}

/// Checks that a position is of the game of the tables.
pub(crate) fn expect_game(store: &Store, position: &Position) -> Result<(), ProbeError> {
    if position.game() == store.game() {
        return Ok(());
    }
    Err(ProbeError::Unsupported(Unsupported::Game {
        position: position.game().id(),
        tables: store.game().id(),
    }))
}

/// Checks that the game has tables of a metric.
pub(crate) fn expect_metric(store: &Store, metric: Metric) -> Result<(), ProbeError> {
    if Metric::of(store.game()).contains(&metric) {
        return Ok(());
    }
    let game = store.game().id();
    Err(ProbeError::Unsupported(Unsupported::Metric {
        game,
        metric,
    }))
}

/// The value of a position of the game, with the half-move clock at 0.
pub(crate) fn value_of(store: &Store, position: &Position) -> Result<Value, ProbeError> {
    if store.game().vitality().is_some() {
        return value_with_vitality(store, position);
    }
    read_wanted(store, position, Wanted::All)
}

/// Answers from values of some positions. What tables that are far away have of them is fetched
/// together.
pub(crate) fn together<T>(store: &Store, positions: &[Position], answer: impl FnOnce() -> T) -> T {
    let read = || {
        positions
            .iter()
            .for_each(|position| read_each(store, position))
    };
    in_rounds(store, read, answer)
}

/// Answers after everything has been fetched that `read` takes of tables which are far away.
#[inline]
pub(crate) fn in_rounds<T>(store: &Store, read: impl Fn(), answer: impl FnOnce() -> T) -> T {
    #[cfg(feature = "remote")]
    if let Some(fetch) = store.fetch() {
        return crate::remote::together(fetch, read, answer);
    }
    #[cfg(not(feature = "remote"))]
    let _ = (store, read);
    answer()
}

/// Reads all metrics of a position, each whatever becomes of the others.
fn read_each(store: &Store, position: &Position) {
    if store.game() != position.game() {
        return;
    }
    if store.game().vitality().is_some() {
        let _ = value_with_vitality(store, position);
        return;
    }
    let material = position.material();
    let is_plain = position.ep().is_none() && position.castling().is_empty();
    if is_plain && value_by_rules(store, position, &material).is_none() {
        for &metric in Metric::of(store.game()) {
            let _ = stored_value(store, position, &material, metric);
        }
    }
    for wanted in [Wanted::Wdl, Wanted::Dtm, Wanted::Dtz] {
        let _ = read_wanted(store, position, wanted);
    }
}

/// The value of a position by the wanted tables, in games without vitality.
pub(crate) fn read_wanted(
    store: &Store,
    position: &Position,
    wanted: Wanted,
) -> Result<Value, ProbeError> {
    if let Some(end) = position.finished() {
        return Ok(ended(store, end, position.turn()));
    }
    if let Err(error) = refuse_castling(position) {
        // The rules know how a game has ended.
        let end = position.end().ok_or(error)?;
        return Ok(ended(store, end, position.turn()));
    }
    if position.ep().is_some() {
        return search(store, position, wanted);
    }
    let material = position.material();
    let entry = store.entry(&material);
    if entry.is_none() && store.game().needs_no_table(&material) {
        return Ok(value_without_table(store, position));
    }
    let (mut stored, mut unsupported) = (Stored::default(), None);
    let mut known = Known::default();
    if let Some(entry) = entry {
        for &metric in wanted.metrics(store.game()) {
            let Some(table) = store.table_of(entry, metric)? else {
                continue;
            };
            match value_in(store, entry, table, position, &material, &mut known) {
                Ok((value, ..)) => stored.set(metric, value),
                // A table that this one depends on cannot be done without.
                Err(error) if store.lacks(&material, &error) => {}
                Err(error @ ProbeError::Unsupported(_)) => unsupported = Some(error),
                Err(error) => return Err(error),
            }
        }
    }
    if let Some(value) = stored.value(wanted.limit(store.limit)) {
        return Ok(value);
    }
    // What the rules know needs no table.
    if let Some(end) = position.end() {
        return Ok(ended(store, end, position.turn()));
    }
    // Nobody wins where neither side can be mated.
    if position.dead() == Some(true) || helpmate(store, position)?.is_some_and(Helpmate::is_dead) {
        return Ok(Value::DRAW);
    }
    let missing = || store.missing(&material, entry.map(|_| wanted.first()));
    Err(unsupported.unwrap_or_else(missing))
}

/// The stored value of a position in the table of a metric, its index there, and the table. An
/// e.p. right is ignored.
fn stored_value<'a>(
    store: &'a Store,
    position: &Position,
    material: &Material,
    metric: Metric,
) -> Result<(i16, u64, &'a Table), ProbeError> {
    stored_value_known(store, position, material, metric, &mut Known::default())
}

/// The stored value of a position: see [`stored_value`]. Findings are added to `known`.
fn stored_value_known<'a>(
    store: &'a Store,
    position: &Position,
    material: &Material,
    metric: Metric,
    known: &mut Known,
) -> Result<(i16, u64, &'a Table), ProbeError> {
    let (entry, table) = store.table_for(material, metric)?;
    value_in(store, entry, table, position, material, known)
}

/// The stored value of a position in a given table: see [`stored_value`].
#[inline]
fn value_in<'a>(
    store: &Store,
    entry: &MaterialTables,
    table: &'a Table,
    position: &Position,
    material: &Material,
    known: &mut Known,
) -> Result<(i16, u64, &'a Table), ProbeError> {
    let entry = entry.mirror_for(table, position.turn()).unwrap_or(entry);
    let mut squares = Squares::default();
    let (index, pieces) = index_of(table, position, entry, &mut squares)
        .ok_or(ProbeError::Unsupported(Unsupported::Placement))?;
    let turn = entry.turn(position.turn());
    let squares = squares.get(..pieces).unwrap_or(&[]);
    let place = (table, turn, (index, squares));
    let value = resolve(store, position, material, place, known)?;
    Ok((value, index, table))
}

/// The index of a position in a table, whatever the colours, and how many pieces it has.
/// `squares` become those of the index.
#[inline]
pub(crate) fn index_of(
    table: &Table,
    position: &Position,
    entry: &MaterialTables,
    squares: &mut Squares,
) -> Option<(u64, usize)> {
    let pieces = entry.squares_of(position, squares)?;
    let index = table.index().normalize(squares.get_mut(..pieces)?)?;
    let index = table.index().in_layer_of(index, entry.counters(position));
    Some((index, pieces))
}

/// The value of an index in a table, given its squares, for the position that it stands for.
fn resolve(
    store: &Store,
    position: &Position,
    material: &Material,
    (table, turn, (index, squares)): (&Table, Colour, (u64, &[Square])),
    known: &mut Known,
) -> Result<i16, ProbeError> {
    let place = (table, turn, index);
    match before(store, || Cow::Borrowed(position), material, place, known)? {
        Before::Value(value) => Ok(value),
        Before::Asks(context) => {
            let squares = squares.iter().map(|square| square.0);
            let value = table
                .get_with(turn, index, squares, context)
                .map_err(|error| store.table_error(&table.header().material, error.into()))?;
            known.note(table.header().metric, value);
            Ok(value)
        }
    }
}

/// Finds out all that can be known before a table is asked.
fn before<'p>(
    store: &Store,
    position: impl FnOnce() -> Cow<'p, Position>,
    material: &Material,
    (table, turn, index): (&Table, Colour, u64),
    known: &mut Known,
) -> Result<Before, ProbeError> {
    let metric = table.header().metric;
    if let Some(value) = table.in_memory(turn).and_then(|side| side.get(index)) {
        known.note(metric, value);
        return Ok(Before::Value(value));
    }
    let Some(section) = table.header().section(turn) else {
        let place = (table, turn);
        let value = value_from_successors(store, &position(), material, place, known, None);
        return value.map(Before::Value);
    };
    if !section.asks_result {
        return Ok(Before::Asks(0));
    }
    store.check_own_needs(table)?;
    let result = match known.result {
        Some(result) => result,
        None => known_result(store, &position(), material, known)?,
    };
    Ok(match drawn(metric, result) {
        Some(value) => Before::Value(value),
        None => Before::Asks(rank(result)),
    })
}

/// The distance of a draw, of which nothing is stored.
#[inline]
pub(crate) fn drawn(metric: Metric, result: Wdl) -> Option<i16> {
    match (metric, result) {
        (Metric::Dtm, Wdl::Draw) => Some(score::DRAW),
        (Metric::Dtz, Wdl::Draw) => Some(0),
        _ => None,
    }
}

/// The value of a position at its half-move clock (O7), `at_0` being the
/// one at 0.
#[inline]
pub(crate) fn now(store: &Store, position: &Position, at_0: Value) -> Result<Value, ProbeError> {
    match at_0.at_clock(position.halfmoves(), store.limit) {
        Some(value) => Ok(value),
        None => at_the_end(store, position),
    }
}

/// The value of a position of which no table tells the distance, if the game has ended there.
#[cold]
fn at_the_end(store: &Store, position: &Position) -> Result<Value, ProbeError> {
    let ended = |end| ended(store, end, position.turn());
    let missing = || store.missing(&position.material(), Some(Metric::Dtz));
    position.end().map(ended).ok_or_else(missing)
}

/// The value of a position from those of its successors.
fn search(store: &Store, position: &Position, wanted: Wanted) -> Result<Value, ProbeError> {
    let wanted = wanted.of_successors();
    let moves = position.legal_moves();
    let mut best = Best::default();
    for &mv in &moves {
        // Every step of this recursion takes an e.p. right, a piece or the
        // other side to move, so it ends.
        let after = position.play(mv);
        let value = read_wanted(store, &after, wanted)?.reversed();
        let clock = u32::from(!mv.is_zeroing());
        let value = value
            .at_clock(clock, wanted.limit(store.limit))
            .ok_or_else(|| store.missing(&after.material(), Some(Metric::Dtz)))?;
        best.add(mv, value);
    }
    if let Some(best) = best.value() {
        return Ok(best);
    }
    let end = position.end_with(&moves);
    Ok(end.map_or(Value::DRAW, |end| ended(store, end, position.turn())))
}

/// The value of a finished game.
pub(crate) fn ended(store: &Store, end: End, turn: Colour) -> Value {
    let winner = end.winner(turn);
    Value {
        wdl: Wdl::of_winner(winner, turn),
        dtm: winner.map(|_| Dtm(0)),
        dtz: winner.and(store.limit).map(|_| Dtz(0)),
    }
}

/// The value of a position of two kings: a draw, or a win by taking the
/// other king, which in extinction chess may stand there to be taken. A side
/// is never forced to leave its king there: some king move always leads away
/// from the other king.
fn value_without_table(store: &Store, position: &Position) -> Value {
    let kings = position.board().piece_type(PieceType::King);
    let mut squares = kings.into_iter();
    let touch = squares.next().zip(squares.next()).is_some_and(|(a, b)| {
        let board = store.game().geometry();
        let files = board.file(a).abs_diff(board.file(b));
        files.max(board.rank(a).abs_diff(board.rank(b))) == 1
    });
    match store.game().bare_kings() {
        BareKings::DrawnUnlessTaken if touch => Value {
            wdl: Wdl::Win,
            dtm: Some(Dtm(1)),
            dtz: store.limit.map(|_| Dtz(1)),
        },
        BareKings::DrawnUnlessTaken | BareKings::Drawn | BareKings::Table => Value::DRAW,
    }
}

/// Whether a zeroing move keeps a win: first a conversion is looked for, then any other
/// pawn move. A position has no e.p. right here.
fn wins_by_zeroing(store: &Store, position: &Position, win: Wdl) -> Result<bool, ProbeError> {
    let keeps = |mv| Ok(result_of(store, &position.play(mv))?.reversed() == win);
    if position.may_capture_or_promote() {
        for &mv in &position.captures_and_promotions() {
            if keeps(mv)? {
                return Ok(true);
            }
        }
    }
    if !has_pawn(position) {
        return Ok(false);
    }
    for &mv in &position.legal_moves() {
        let is_other = mv.captured.is_none() && mv.promotion.is_none();
        if is_other && mv.is_zeroing() && keeps(mv)? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The result of a position by the WDL table.
fn known_result(
    store: &Store,
    position: &Position,
    material: &Material,
    known: &mut Known,
) -> Result<Wdl, ProbeError> {
    if let Some(result) = known.result {
        return Ok(result);
    }
    let (value, ..) = stored_value_known(store, position, material, Metric::Wdl, known)?;
    let result = Wdl::from_value(value);
    known.result = Some(result);
    Ok(result)
}

/// The result of any position without castling rights, the half-move clock being 0.
fn result_of(store: &Store, position: &Position) -> Result<Wdl, ProbeError> {
    if position.ep().is_some() {
        return Ok(value_of(store, position)?.wdl);
    }
    let material = position.material();
    if let Some(value) = value_by_rules(store, position, &material) {
        return Ok(value.wdl);
    }
    known_result(store, position, &material, &mut Known::default())
}

/// The value of a position without e.p. right, if the rules tell it.
fn value_by_rules(store: &Store, position: &Position, material: &Material) -> Option<Value> {
    if let Some(end) = position.finished() {
        return Some(ended(store, end, position.turn()));
    }
    let bare = store.game().needs_no_table(material);
    bare.then(|| value_without_table(store, position))
}

/// Whether the side to move has a pawn.
fn has_pawn(position: &Position) -> bool {
    let board = position.board();
    !(board.by(position.turn()) & board.piece_type(PieceType::Pawn)).is_empty()
}

/// Refuses positions with castling rights, which no table has (O1). With too many pieces it would
/// not help to leave them out.
fn refuse_castling(position: &Position) -> Result<(), ProbeError> {
    if position.castling().is_empty() {
        return Ok(());
    }
    let (pieces, most) = (position.board().occupied().count(), Material::MOST_PIECES);
    Err(ProbeError::Unsupported(match pieces > most {
        true => Unsupported::Pieces { pieces, most },
        false => Unsupported::CastlingRights,
    }))
}

/// See [`Tablebase::helpmate`](crate::Tablebase::helpmate).
pub(crate) fn helpmate(store: &Store, position: &Position) -> Result<Option<Helpmate>, ProbeError> {
    expect_game(store, position)?;
    let by_rules = helpmate_by_rules(position);
    if by_rules.is_some() || !position.castling().is_empty() {
        return Ok(by_rules);
    }
    if position.ep().is_none() {
        return stored_helpmate(store, position);
    }
    // The table has the placement without the right.
    if !has_helpmates(store, position) {
        return Ok(None);
    }
    let mut found = Helpmate::DEAD;
    for &mv in &position.legal_moves() {
        // A move may give the other side such a right.
        match helpmate(store, &position.play(mv))? {
            Some(helpmate) => found = found.or(helpmate),
            None => return Ok(None),
        }
    }
    Ok(Some(found))
}

fn has_helpmates(store: &Store, position: &Position) -> bool {
    let entry = store.entry(&position.material());
    entry.is_some_and(|entry| store.open(entry, Metric::Helpmate).is_some())
}

/// The value of the helpmate table for a position; an e.p. right is ignored.
fn stored_helpmate(store: &Store, position: &Position) -> Result<Option<Helpmate>, ProbeError> {
    if !has_helpmates(store, position) {
        return Ok(None);
    }
    let material = position.material();
    let (value, ..) = stored_value(store, position, &material, Metric::Helpmate)?;
    let helpmate = Helpmate::from_value(value);
    let is_swapped = store.entry(&material).is_some_and(|e| e.swapped);
    Ok(Some(match is_swapped {
        true => helpmate.swapped(),
        false => helpmate,
    }))
}
