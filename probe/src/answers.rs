//! Answers for positions from rules and tables, by their moves where no table has them.

mod in_game;
mod moves;

use retrograde_index::{Metric, Wdl};
use retrograde_rules::{Colour, End, Move, MoveName, Position};

use crate::error::{ProbeError, if_known};
use crate::facts::Facts;
use crate::lookup::batch::plain_values;
use crate::lookup::vitality::{VitalityAnswer, WinBy, value_with_vitality, vitality};
use crate::lookup::{
    Wanted, ended, expect_game, expect_metric, in_rounds, now, read_wanted, together, value_of,
};
use crate::store::Store;
use crate::value::{Best, Dtm, Dtz, Value};
pub(crate) use in_game::{moves_in_game, probe_in_game};
pub(crate) use moves::{best_line, ranked_moves};

/// The answer of rules and tables about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Answer {
    /// The facts that the rules alone know.
    pub facts: Facts,
    /// The value for the side to move. Its WDL holds at the position's half-move
    /// clock (O7).
    pub value: Value,
    /// The facts that only tables of the game have.
    pub extra: Extra,
    /// Whether no table has the position, and the value follows from those of its moves that
    /// rules and tables know. Distances are there only if they are certain.
    pub by_moves: bool,
}

impl Answer {
    /// An answer that comes from elsewhere, such as a search.
    pub const fn new(facts: Facts, value: Value, extra: Extra) -> Answer {
        Answer {
            facts,
            value,
            extra,
            by_moves: false,
        }
    }
}

/// An answer of the tables of a game beyond the value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Extra {
    /// No further facts.
    None,
    /// The result with the half-move clock at 0, in games with a fifty-move rule (O7).
    Clock {
        /// The result for the side to move.
        wdl_at_clock_0: Wdl,
    },
    /// The vitality that is needed to win, in games with vitality.
    Vitality {
        /// The winners with all pairs of counters.
        answer: VitalityAnswer,
        /// The way in which the winner wins with the counters of the position; `None` where no
        /// table says it.
        win_by: Option<WinBy>,
    },
}

/// A move as rules and tables see it. Everything is from the view of the side that
/// makes it, and counted from the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct MoveAnswer {
    /// The move.
    pub mv: Move,
    /// The UCI text of the move.
    pub uci: MoveName,
    /// The position after it.
    pub after: Position,
    /// The value of the move for the side that makes it, at the half-move clock
    /// that it leaves (O7); a mating move has a distance of 0. `None` if the
    /// table of the position after it is missing, or there can be none.
    pub value: Option<Value>,
    /// The end of the game, if the move ends it.
    pub end: Option<End>,
    /// The least vitality with which the mover wins by this move, the other side having what it
    /// has before the move; one more than the full counter if no points are enough. `None` in games
    /// without vitality, and where no table tells.
    pub needs: Option<u8>,
}

impl MoveAnswer {
    /// The winner; `None` for draws and where the value is not known.
    pub fn winner(&self) -> Option<Colour> {
        let mover = self.after.turn().other();
        self.value.and_then(|value| value.winner(mover))
    }

    /// The result for the side that makes the move; `None` where it is not known.
    pub fn wdl(&self) -> Option<Wdl> {
        self.value.map(|value| value.wdl)
    }
}

/// Best play to the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Line {
    /// The moves; none for a draw.
    pub moves: Vec<Move>,
    /// The end of the line; `None` for a draw that is not the end of the game.
    pub end: Option<End>,
}

impl Line {
    /// Makes a line of these moves, which lead to this end.
    pub const fn new(moves: Vec<Move>, end: Option<End>) -> Line {
        Line { moves, end }
    }
}

/// See [`Tablebase::value`](crate::Tablebase::value).
pub(crate) fn checked_value(store: &Store, position: &Position) -> Result<Value, ProbeError> {
    expect_game(store, position)?;
    value_of(store, position)
}

/// See [`Tablebase::wdl`](crate::Tablebase::wdl).
pub(crate) fn wdl(store: &Store, position: &Position) -> Result<Wdl, ProbeError> {
    expect_game(store, position)?;
    let read = || wdl_of_tables(store, position);
    let found = in_rounds(store, || drop(read()), read);
    or_else(found, || {
        let told = value_of(store, position);
        let told = told.and_then(|at_0| now(store, position, at_0));
        Ok(by_moves_unless(store, told, position)?.map(|value| value.wdl))
    })
}

fn read_in_rounds(store: &Store, position: &Position, wanted: Wanted) -> Result<Value, ProbeError> {
    let read = || read_wanted(store, position, wanted);
    in_rounds(store, || drop(read()), read)
}

fn wdl_of_tables(store: &Store, position: &Position) -> Result<Wdl, ProbeError> {
    if store.game().vitality().is_some() {
        return Ok(value_with_vitality(store, position)?.wdl);
    }
    let wanted = match position.halfmoves() {
        0 => Wanted::Wdl,
        _ => Wanted::Wdl.of_successors(),
    };
    let at_0 = read_wanted(store, position, wanted)?;
    Ok(now(store, position, at_0)?.wdl)
}

/// See [`Tablebase::dtm`](crate::Tablebase::dtm).
pub(crate) fn dtm(store: &Store, position: &Position) -> Result<Option<Dtm>, ProbeError> {
    let value = value_for_dtm(store, position)?;
    distance(store, position, value, value.dtm, Metric::Dtm)
}

/// The value by tables of [`Metric::Dtm`], which also has the sign of the distance.
fn value_for_dtm(store: &Store, position: &Position) -> Result<Value, ProbeError> {
    expect_game(store, position)?;
    expect_metric(store, Metric::Dtm)?;
    let found = read_in_rounds(store, position, Wanted::Dtm);
    or_else(found, || {
        by_moves_unless(store, value_of(store, position), position)
    })
}

/// See [`Tablebase::signed_dtm`](crate::Tablebase::signed_dtm).
pub(crate) fn signed_dtm(store: &Store, position: &Position) -> Result<i32, ProbeError> {
    let value = value_for_dtm(store, position)?;
    let dtm = distance(store, position, value, value.dtm, Metric::Dtm)?;
    Ok(dtm.map_or(0, |dtm| dtm.signed(value.wdl)))
}

/// See [`Tablebase::dtz`](crate::Tablebase::dtz).
pub(crate) fn dtz(store: &Store, position: &Position) -> Result<Option<Dtz>, ProbeError> {
    expect_game(store, position)?;
    expect_metric(store, Metric::Dtz)?;
    let found = read_in_rounds(store, position, Wanted::Dtz);
    let value = or_else(found, || {
        by_moves_unless(store, value_of(store, position), position)
    })?;
    distance(store, position, value, value.dtz, Metric::Dtz)
}

/// See [`Tablebase::signed_dtz`](crate::Tablebase::signed_dtz).
pub(crate) fn signed_dtz(store: &Store, position: &Position) -> Result<i32, ProbeError> {
    Ok(match dtz(store, position)? {
        None => 0,
        Some(dtz) => dtz.signed(wdl(store, position)?),
    })
}

/// The value of a position by its moves, unless tables of other metrics have told it.
#[cold]
fn by_moves_unless(
    store: &Store,
    told: Result<Value, ProbeError>,
    position: &Position,
) -> Result<Option<Value>, ProbeError> {
    match told {
        Err(error) if error.is_unknown() => value_by_moves(store, position),
        told => told.map(|_| None),
    }
}

/// A distance that must be known unless the position is drawn.
fn distance<D>(
    store: &Store,
    position: &Position,
    value: Value,
    distance: Option<D>,
    metric: Metric,
) -> Result<Option<D>, ProbeError> {
    match (value.wdl, &distance) {
        (Wdl::Draw, _) | (_, Some(_)) => Ok(distance),
        (_, None) => Err(store.missing(&position.material(), Some(metric))),
    }
}

/// See [`Tablebase::probe`](crate::Tablebase::probe).
pub(crate) fn probe(store: &Store, position: &Position) -> Result<Answer, ProbeError> {
    together(store, std::slice::from_ref(position), || {
        probe_alone(store, position)
    })
}

fn probe_alone(store: &Store, position: &Position) -> Result<Answer, ProbeError> {
    expect_game(store, position)?;
    let at_0 = value_of(store, position);
    let known = at_0.as_ref().ok().copied();
    let found = at_0.and_then(|at_0| answer(store, position, at_0));
    or_else(found, || answer_by_moves(store, position, known))
}

/// The answer by tables and rules, `at_0` being the value at clock 0.
fn answer(store: &Store, position: &Position, at_0: Value) -> Result<Answer, ProbeError> {
    let value = now(store, position, at_0)?;
    let facts = Facts::of(position);
    let extra = match (position.vitality(), store.limit) {
        (Some(counters), _) => match vitality(store, position) {
            Ok(answer) => Extra::Vitality {
                answer,
                win_by: answer.win_by(counters),
            },
            // Everything about a finished game is known without it.
            Err(error) if error.is_unknown() && facts.end.is_some() => Extra::None,
            Err(error) => return Err(error),
        },
        (None, Some(_)) => Extra::Clock {
            wdl_at_clock_0: at_0.wdl,
        },
        (None, None) => Extra::None,
    };
    Ok(Answer {
        facts,
        value,
        extra,
        by_moves: false,
    })
}

/// Keeps a result; where no table tells, takes that of `other`, if it finds any.
fn or_else<T>(
    found: Result<T, ProbeError>,
    other: impl FnOnce() -> Result<Option<T>, ProbeError>,
) -> Result<T, ProbeError> {
    match found {
        Err(error) if error.is_unknown() => other()?.ok_or(error),
        found => found,
    }
}

/// See [`Tablebase::probe_batch`](crate::Tablebase::probe_batch).
pub(crate) fn probe_batch(
    store: &Store,
    positions: &[Position],
    metrics: &[Metric],
) -> Vec<Result<Value, ProbeError>> {
    let wanted = Wanted::All.metrics(store.game()).iter().copied();
    let wanted = wanted.filter(|metric| *metric == Metric::Wdl || metrics.contains(metric));
    let wanted: Vec<Metric> = wanted.collect();
    together(store, positions, || {
        let found = plain_values(store, &wanted, positions, |place| {
            positions[place].material()
        });
        let all = positions.iter().zip(found);
        all.map(|(position, value)| value.map_or_else(|| value_by(store, &wanted, position), Ok))
            .collect()
    })
}

/// The value of a single position by some metrics, see [`probe_batch`].
fn value_by(store: &Store, wanted: &[Metric], position: &Position) -> Result<Value, ProbeError> {
    let position = &position.with_halfmoves(0);
    Ok(Value {
        wdl: wdl(store, position)?,
        dtm: match wanted.contains(&Metric::Dtm) {
            true => if_known(dtm(store, position))?.flatten(),
            false => None,
        },
        dtz: match wanted.contains(&Metric::Dtz) {
            true => if_known(dtz(store, position))?.flatten(),
            false => None,
        },
    })
}

/// The conclusions from those moves of a position whose values are known.
#[derive(Clone, Copy)]
struct Conclusion {
    /// The value at the half-move clock of the position; distances only if they are certain.
    value: Value,
    /// The result with the clock at 0, if that is settled, too.
    wdl_at_clock_0: Option<Wdl>,
}

/// The value of a position that no table has, at its half-move clock, if those of its moves
/// that rules or tables know settle it: one of them wins, or none is left that could be
/// better. Positions with castling rights are left alone (O1).
pub(crate) fn value_by_moves(
    store: &Store,
    position: &Position,
) -> Result<Option<Value>, ProbeError> {
    Ok(settled(store, position)?.map(|settled| settled.value))
}

/// An answer by [`value_by_moves`]; `at_0` is what tables say with the clock at 0,
/// if it is only the clock that they do not tell about.
fn answer_by_moves(
    store: &Store,
    position: &Position,
    at_0: Option<Value>,
) -> Result<Option<Answer>, ProbeError> {
    let Some(mut settled) = settled(store, position)? else {
        return Ok(None);
    };
    if let Some(at_0) = at_0 {
        settled.wdl_at_clock_0 = Some(at_0.wdl);
        (settled.value.dtm, settled.value.dtz) = (at_0.dtm, at_0.dtz);
    }
    let at_clock_0 = settled.wdl_at_clock_0.filter(|_| store.limit.is_some());
    Ok(Some(Answer {
        facts: Facts::of(position),
        value: settled.value,
        extra: at_clock_0.map_or(Extra::None, |wdl_at_clock_0| Extra::Clock {
            wdl_at_clock_0,
        }),
        by_moves: at_0.is_none(),
    }))
}

fn settled(store: &Store, position: &Position) -> Result<Option<Conclusion>, ProbeError> {
    if !position.castling().is_empty() {
        return Ok(None);
    }
    let moves = position.legal_moves();
    let after: Vec<Position> = moves.iter().map(|&mv| position.play(mv)).collect();
    together(store, &after, || {
        settled_by(store, position, &moves, &after)
    })
}

/// The conclusions from the moves of a position, which lead to `after` in their order.
fn settled_by(
    store: &Store,
    position: &Position,
    moves: &[Move],
    after: &[Position],
) -> Result<Option<Conclusion>, ProbeError> {
    // The value if what is not known is as bad as can be, and as good as can be.
    let (mut least, mut most) = (Best::default(), Best::default());
    for (&mv, after) in moves.iter().zip(after) {
        let found = match after.end() {
            Some(end) => Ok(ended(store, end, after.turn())),
            None => value_of(store, after),
        };
        let (worst, best) = match found {
            Ok(value) => bounds(store, mv.is_zeroing(), value.reversed()),
            Err(error) if error.is_unknown() => {
                let soonest = Value {
                    wdl: Wdl::Win,
                    dtm: Some(Dtm(1)),
                    dtz: store.limit.map(|_| Dtz(1)),
                };
                (Value::without_distances(Wdl::Loss), soonest)
            }
            Err(error) => return Err(error),
        };
        least.add(mv, worst);
        most.add(mv, best);
    }
    let Some((least, most)) = least.value().zip(most.value()) else {
        return Ok(None);
    };
    // The lesser is the better.
    let at_clock = |value: Value, pick: fn(Wdl, Wdl) -> Wdl| {
        let now = value.at_clock(position.halfmoves(), store.limit);
        now.map_or_else(|| pick(value.wdl, value.wdl.cursed()), |now| now.wdl)
    };
    let wdl = at_clock(least, Wdl::max);
    if wdl != at_clock(most, Wdl::min) {
        return Ok(None);
    }
    let has_depths = store.game().vitality().is_none();
    let is_settled_at_0 = least.wdl == most.wdl;
    Ok(Some(Conclusion {
        value: Value {
            wdl,
            dtm: least.dtm.filter(|_| has_depths && least.dtm == most.dtm),
            dtz: least
                .dtz
                .filter(|_| is_settled_at_0 && least.dtz == most.dtz),
        },
        wdl_at_clock_0: is_settled_at_0.then_some(least.wdl),
    }))
}

/// The worst and the best that a move can be worth to who makes it, given the value of the
/// position after it for the same side with the half-move clock at 0.
fn bounds(store: &Store, is_zeroing: bool, mut value: Value) -> (Value, Value) {
    if is_zeroing && value.wdl != Wdl::Draw {
        // It counts as one ply, whatever comes after it.
        value.dtz = store.limit.map(|_| Dtz(0));
        return (value, value);
    }
    match value.at_clock(1, store.limit) {
        Some(value) => (value, value),
        None => {
            let wdl = value.wdl.cursed();
            let cursed = Value { wdl, ..value };
            match wdl < value.wdl {
                true => (value, cursed),
                false => (cursed, value),
            }
        }
    }
}
