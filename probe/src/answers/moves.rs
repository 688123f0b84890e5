//! Ranks the moves of a position by what they lead to, and plays the best ones to the end.

use std::cmp::Reverse;

use retrograde_index::{Metric, Wdl};
use retrograde_rules::{Move, Position};

use super::{Line, MoveAnswer, or_else, value_by_moves};
use crate::error::ProbeError;
use crate::lookup::batch::plain_values;
use crate::lookup::vitality::{Outcome, TurnOutcome, WinBy, turn_outcome, value_with_vitality};
use crate::lookup::{expect_game, now, together, value_of};
use crate::store::Store;
use crate::value::{Dtm, Dtz, Value};

/// Longer than any line of tables that agree with each other: distances have
/// 15 bits.
const LONGEST_LINE: usize = 1 << 15;

/// See [`Tablebase::moves`](crate::Tablebase::moves).
pub(crate) fn ranked_moves(
    store: &Store,
    position: &Position,
) -> Result<Vec<MoveAnswer>, ProbeError> {
    expect_game(store, position)?;
    if store.game().vitality().is_some() {
        return moves_with_vitality(store, position);
    }
    let moves = position.legal_moves();
    let after: Vec<Position> = moves.iter().map(|&mv| position.play(mv)).collect();
    together(store, &after, || ranked(store, position, &moves, &after))
}

/// The moves of a position by what they lead to, which `after` has in their order.
fn ranked(
    store: &Store,
    position: &Position,
    moves: &[Move],
    after: &[Position],
) -> Result<Vec<MoveAnswer>, ProbeError> {
    let material = position.material();
    let metrics = Metric::of(store.game());
    let mut values = plain_values(store, metrics, after, |place| {
        let mv = moves[place];
        match mv.captured.is_some() || mv.promotion.is_some() {
            true => after[place].material(),
            false => material,
        }
    });
    let mut order = Vec::with_capacity(moves.len());
    for (place, value) in values.iter_mut().enumerate() {
        let (mv, after) = (moves[place], &after[place]);
        let found = match *value {
            Some(value) => Ok(value),
            None => value_of(store, after),
        };
        *value = match found.and_then(|at_0| now(store, after, at_0)) {
            Err(error) if error.is_unknown() => None,
            found => Some(found?.reversed()),
        };
        order.push((rank(mv, *value), position.move_name(mv), place));
    }
    order.sort_unstable();
    let answers = order.into_iter().map(|(_, uci, place)| {
        let (value, after) = (values[place], &after[place]);
        MoveAnswer {
            mv: moves[place],
            uci,
            after: *after,
            value,
            end: match value.is_some_and(goes_on) {
                true => None,
                false => after.end(),
            },
            needs: None,
        }
    });
    Ok(answers.collect())
}

/// See [`Tablebase::line`](crate::Tablebase::line).
pub(crate) fn best_line(store: &Store, position: &Position) -> Result<Line, ProbeError> {
    expect_game(store, position)?;
    if store.game().vitality().is_some() {
        return line_with_vitality(store, position);
    }
    let told = value_of(store, position);
    let told = told.and_then(|at_0| now(store, position, at_0));
    let mut value = or_else(told, || {
        // Without a depth there is no telling which moves are best.
        let tells = |value: &Value| value.wdl == Wdl::Draw || value.dtm.is_some();
        Ok(value_by_moves(store, position)?.filter(tells))
    })?;
    let mut position = *position;
    let mut moves = Vec::new();
    let mut end = position.end();
    while value.wdl != Wdl::Draw && end.is_none() {
        let Some(dtm) = value.dtm else {
            return Err(store.missing(&position.material(), Some(Metric::Dtm)));
        };
        let answers = ranked_moves(store, &position)?;
        let winner = value.winner(position.turn());
        // Some move is best if the rule is ignored.
        let left = |m: &MoveAnswer| m.value.and_then(|value| value.dtm);
        let follows = |m: &MoveAnswer| {
            m.winner() == winner && left(m).is_some_and(|Dtm(left)| left + 1 == dtm.0)
        };
        // Keeping a win within the rule may take longer, but it ends: the
        // clock runs, and captures and pawn moves are limited.
        let nearer = |m: &MoveAnswer| {
            let is_real = store.limit.is_some() && m.wdl().is_some_and(|wdl| !wdl.is_cursed());
            is_real || left(m).is_some_and(|left| left < dtm)
        };
        let fits = |best: &MoveAnswer| {
            best.winner() == winner && nearer(best) && answers.iter().any(follows)
        };
        let best = answers.first().filter(|best| fits(best));
        let best = best.filter(|_| moves.len() < LONGEST_LINE);
        let Some((best, left)) = best.and_then(|best| Some((best, best.value?))) else {
            return Err(no_best_move(store, &position, &answers));
        };
        moves.push(best.mv);
        position = best.after;
        value = left.reversed();
        end = best.end;
    }
    Ok(Line { moves, end })
}

/// The reason why there is no best move: one without a table would be it, or one whose depth no
/// table says, or the tables contradict each other.
fn no_best_move(store: &Store, position: &Position, answers: &[MoveAnswer]) -> ProbeError {
    let unknown = answers.iter().find(|m| m.value.is_none());
    if let Some(error) = unknown.and_then(|m| value_of(store, &m.after).err()) {
        return error;
    }
    let lacks_depth = |value: Value| value.wdl != Wdl::Draw && value.dtm.is_none();
    let far = answers.iter().find(|m| m.value.is_some_and(lacks_depth));
    match far.filter(|_| store.game().vitality().is_none()) {
        Some(m) => store.missing(&m.after.material(), Some(Metric::Dtm)),
        None => ProbeError::Contradiction {
            fen: position.fen(),
            game: store.game().id(),
        },
    }
}

/// Whether a value says that the end of the game, or the next zeroing move, is still to come, so
/// that there is no need to look for a legal move.
fn goes_on(value: Value) -> bool {
    value.dtm.is_some_and(|Dtm(plies)| plies > 0) || value.dtz.is_some_and(|Dtz(plies)| plies > 0)
}

/// The place of a move in the order from the best to the worst; one whose value
/// is not known comes last. Where no table says how far the end is, a win goes the
/// shortest way to a zeroing move, and a loss the longest.
pub(super) fn rank(mv: Move, value: Option<Value>) -> (bool, Option<(Wdl, u32, u32)>) {
    let place = value.map(|value| {
        let (wdl, plies) = value.rank();
        let zeroing = match (value.dtm, value.dtz) {
            (None, Some(_)) if mv.is_zeroing() => 1,
            (None, Some(Dtz(plies))) => plies.saturating_add(1),
            _ => 0,
        };
        (
            wdl,
            plies,
            if wdl.is_win() {
                zeroing
            } else {
                u32::MAX - zeroing
            },
        )
    });
    (value.is_none(), place)
}

/// Ranks the moves of a state with vitality, the best first: wins by mate before those that may be
/// by exhaustion, then by what the winner has to spare, most for the mover and least for the other;
/// losses the other way round.
fn moves_with_vitality(store: &Store, position: &Position) -> Result<Vec<MoveAnswer>, ProbeError> {
    let turn = position.turn();
    let mut answers = Vec::new();
    for &mv in &position.legal_moves() {
        let after = position.play(mv);
        let TurnOutcome {
            outcome,
            needs,
            end,
        } = turn_outcome(store, position, mv, &after)?;
        let (wdl, rank) = match outcome {
            None => (None, (false, Reverse(0))),
            Some(Outcome { winner, by, spare }) if winner == turn => {
                (Some(Wdl::Win), (by != Some(WinBy::Mate), Reverse(spare)))
            }
            Some(Outcome { by, spare, .. }) => {
                (Some(Wdl::Loss), (by == Some(WinBy::Mate), Reverse(!spare)))
            }
        };
        let answer = MoveAnswer {
            mv,
            uci: position.move_name(mv),
            after,
            value: wdl.map(Value::without_distances),
            end,
            needs,
        };
        answers.push((rank, answer));
    }
    let place = |m: &MoveAnswer| (m.value.is_none(), m.wdl());
    answers.sort_by(|(rank, a), (other, b)| {
        let by_value = place(a).cmp(&place(b)).then_with(|| rank.cmp(other));
        by_value.then_with(|| a.uci.cmp(&b.uci))
    });
    Ok(answers.into_iter().map(|(_, answer)| answer).collect())
}

/// Best play to the end, by mate or by exhaustion. It ends: between vital
/// moves the counters and distances fall, and no game has endless
/// captures and pawn moves; a right to capture en passant is gone after a
/// move.
fn line_with_vitality(store: &Store, position: &Position) -> Result<Line, ProbeError> {
    let mut position = *position;
    let mut moves = Vec::new();
    loop {
        if let Some(end) = position.end() {
            let end = Some(end);
            return Ok(Line { moves, end });
        }
        let value = value_with_vitality(store, &position)?;
        let answers = moves_with_vitality(store, &position)?;
        // A move to where there is no table may be better than all others.
        let is_known = answers.iter().all(|m| m.value.is_some());
        let best = match answers.first() {
            Some(best) if is_known && best.wdl() == Some(value.wdl) => best,
            _ => return Err(no_best_move(store, &position, &answers)),
        };
        moves.push(best.mv);
        position = best.after;
    }
}
