//! Values positions by the game so far: the third occurrence of a position is a draw (O4).
//!
//! Positions that have occurred twice count as drawn, and a side wins if it can do so without
//! passing through one of them. That is exact: the shortest way of such a win passes through
//! no position twice, so that nothing else occurs for a third time on it. Since the half-move
//! clock runs, a search for that way ends. It need not go far: a win whose distance is smaller
//! than that of each of those positions never comes back to them.

use std::collections::{HashMap, HashSet};

use retrograde_index::Wdl;
use retrograde_rules::{Colour, History, Position, Setup};

use super::moves::{rank, ranked_moves};
use super::{Answer, Extra, MoveAnswer, checked_value, probe};
use crate::error::ProbeError;
use crate::facts::Facts;
use crate::store::Store;
use crate::value::{Dtm, Dtz, Value};

/// The most positions that are looked at for one question, for who wins by all moves of a
/// position, and for their distances. Beyond that, the value of the tables stands, without
/// distances.
const MOST_EACH: u32 = 300;
const MOST_WINS: u32 = 1500;
const MOST_DISTANCES: u32 = 500;

/// See [`Tablebase::probe_in_game`](crate::Tablebase::probe_in_game).
pub(crate) fn probe_in_game(store: &Store, game: &History) -> Result<Answer, ProbeError> {
    let answer = probe(store, game.position());
    if game.is_drawn_by_repetition() {
        return match answer {
            Err(error) if error.is_unknown() => {
                let facts = Facts::of(game.position());
                Ok(Answer::new(facts, Value::DRAW, Extra::None))
            }
            answer => Ok(Answer {
                value: Value::DRAW,
                ..answer?
            }),
        };
    }
    let mut answer = answer?;
    if answer.value.wdl != Wdl::Draw && !game.drawn_next().is_empty() {
        let moves = moves_in_game(store, game)?;
        answer.value = by_moves(answer.value, &moves);
    }
    Ok(answer)
}

/// See [`Tablebase::moves_in_game`](crate::Tablebase::moves_in_game).
pub(crate) fn moves_in_game(store: &Store, game: &History) -> Result<Vec<MoveAnswer>, ProbeError> {
    let mut answers = ranked_moves(store, game.position())?;
    let drawn = game.drawn_next();
    if drawn.is_empty() {
        return Ok(answers);
    }
    let mut search = Avoiding::new(store, drawn);
    let is_final = |answer: &MoveAnswer| answer.end.is_some() || answer.mv.is_zeroing();
    for answer in answers.iter_mut().filter(|answer| !is_final(answer)) {
        answer.value = search.category(&answer.after, answer.value)?;
    }
    search.left_for_all = MOST_DISTANCES;
    for answer in answers.iter_mut().filter(|answer| !is_final(answer)) {
        answer.value = search.distances(&answer.after, answer.value)?;
    }
    // Where distances are left out, the order of the tables stays.
    answers.sort_by_key(|answer| rank(answer.mv, answer.value));
    Ok(answers)
}

/// The value of a position, which is `value` by the tables alone, from those of its moves.
fn by_moves(value: Value, moves: &[MoveAnswer]) -> Value {
    let Some(best) = moves.first().and_then(MoveAnswer::wdl) else {
        return value;
    };
    // What is better than the tables say is so whatever the other moves are; what is worse is
    // all that is left only if all moves are known.
    let complete = moves.iter().all(|answer| answer.value.is_some());
    if best < value.wdl || best > value.wdl && complete {
        return Value::without_distances(best);
    }
    // The distance stands if the way of the winner does.
    let stands = |distance: fn(Value) -> Option<u32>| {
        let of = |answer: &MoveAnswer| {
            answer
                .value
                .filter(|left| left.wdl == best)
                .and_then(distance)
        };
        match best.is_win() {
            true => moves
                .iter()
                .filter_map(of)
                .any(|left| Some(left + 1) == distance(value)),
            false => moves.iter().all(|answer| of(answer).is_some()),
        }
    };
    Value {
        dtm: value.dtm.filter(|_| stands(dtm)),
        // A zeroing move leaves another distance than its own.
        dtz: value.dtz.filter(|&Dtz(plies)| plies == 1 || stands(dtz)),
        ..value
    }
}

fn dtm(value: Value) -> Option<u32> {
    value.dtm.map(|Dtm(plies)| plies)
}

fn dtz(value: Value) -> Option<u32> {
    value.dtz.map(|Dtz(plies)| plies)
}

/// An aim that the winner is to reach without passing through a drawn position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Aim {
    /// A win at the half-move clock.
    Win,
    /// A win in as many plies as the tables say, the fifty-move rule aside.
    Dtm,
    /// A zeroing move in as many plies as the tables say.
    Dtz,
}

impl Aim {
    fn distance(self, value: Value) -> Option<u32> {
        match self {
            Aim::Dtm => dtm(value),
            Aim::Win | Aim::Dtz => dtz(value),
        }
    }
}

/// A search for ways to win that avoid some positions.
struct Avoiding<'a> {
    store: &'a Store,
    drawn: HashSet<Setup>,
    /// The least distances, to the end and to the next zeroing move, of the drawn positions that
    /// each side would win.
    nearest: [[u32; 2]; 2],
    known: HashMap<(Setup, u32, Aim), bool>,
    /// The number of positions that may yet be looked at, for the current question and for all.
    left: u32,
    left_for_all: u32,
}

impl<'a> Avoiding<'a> {
    fn new(store: &'a Store, drawn: HashSet<Setup>) -> Avoiding<'a> {
        let mut nearest = [[u32::MAX; 2]; 2];
        for setup in &drawn {
            let position = Position::new(store.game(), setup).ok();
            let value = position.and_then(|position| checked_value(store, &position).ok());
            // What is not known may be as near as can be.
            let winners = match value {
                Some(value) => value.winner(setup.turn).into_iter().collect(),
                None => Colour::BOTH.to_vec(),
            };
            for winner in winners {
                let plies = [dtm, dtz].map(|distance| value.and_then(distance).unwrap_or(0));
                let least = &mut nearest[winner.index()];
                *least = [least[0].min(plies[0]), least[1].min(plies[1])];
            }
        }
        Avoiding {
            store,
            drawn,
            nearest,
            known: HashMap::new(),
            left: 0,
            left_for_all: MOST_WINS,
        }
    }

    /// The value of a quiet move to a position, which is `value` by the tables alone, as far as
    /// its category goes.
    fn category(
        &mut self,
        after: &Position,
        value: Option<Value>,
    ) -> Result<Option<Value>, ProbeError> {
        if self.drawn.contains(&after.timeless()) {
            return Ok(Some(Value::DRAW));
        }
        let Some(known) = value.filter(|value| matches!(value.wdl, Wdl::Win | Wdl::Loss)) else {
            return Ok(value);
        };
        match self.ask(after, known.reversed(), Aim::Win)? {
            Some(false) => Ok(Some(Value::DRAW)),
            _ => Ok(value),
        }
    }

    /// The value of a quiet move whose category is known, with the distances that stand.
    fn distances(
        &mut self,
        after: &Position,
        value: Option<Value>,
    ) -> Result<Option<Value>, ProbeError> {
        let Some(value) = value.filter(|value| value.wdl != Wdl::Draw) else {
            return Ok(value);
        };
        let reply = value.reversed();
        let dtm = match value.dtm {
            Some(_) if self.ask(after, reply, Aim::Dtm)? != Some(true) => None,
            dtm => dtm,
        };
        let dtz = match value.dtz {
            Some(_) if self.ask(after, reply, Aim::Dtz)? != Some(true) => None,
            dtz => dtz,
        };
        Ok(Some(Value { dtm, dtz, ..value }))
    }

    /// Whether the winner of a position reaches an aim; `None` if that takes too long.
    fn ask(
        &mut self,
        position: &Position,
        value: Value,
        aim: Aim,
    ) -> Result<Option<bool>, ProbeError> {
        self.left = MOST_EACH.min(self.left_for_all);
        let before = self.left;
        let answer = self.reaches(position, value, aim);
        self.left_for_all -= before - self.left;
        answer
    }

    /// Whether a distance is smaller than those of all drawn positions, so that none of them
    /// is on a way that gets shorter with every ply.
    fn is_past(&self, position: &Position, value: Value, aim: Aim) -> bool {
        let winner = value.winner(position.turn());
        let [by_dtm, by_dtz] = winner.map_or([0; 2], |winner| self.nearest[winner.index()]);
        let near = |distance: Option<u32>, least| distance.is_some_and(|plies| plies < least);
        let limit = self.store.game().zeroing_limit();
        match aim {
            Aim::Dtm => near(dtm(value), by_dtm),
            Aim::Dtz => near(dtz(value), by_dtz),
            // The shortest way to the end must not take too long for the fifty-move rule.
            Aim::Win => {
                let in_time =
                    |plies| limit.is_none_or(|limit| plies + position.halfmoves() <= limit);
                near(dtz(value), by_dtz)
                    || near(dtm(value), by_dtm) && dtm(value).is_some_and(in_time)
            }
        }
    }

    /// See [`Avoiding::ask`]. The position itself is not one of those to avoid, and `value` is
    /// its value by the tables, for the side to move.
    fn reaches(
        &mut self,
        position: &Position,
        value: Value,
        aim: Aim,
    ) -> Result<Option<bool>, ProbeError> {
        if self.is_past(position, value, aim) {
            return Ok(Some(true));
        }
        let key = (position.timeless(), position.halfmoves(), aim);
        if let Some(&known) = self.known.get(&key) {
            return Ok(Some(known));
        }
        let Some(left) = self.left.checked_sub(1) else {
            return Ok(None);
        };
        self.left = left;
        let answers = ranked_moves(self.store, position)?;
        let reached = match value.wdl.is_win() {
            true => self.some_way(&answers, value, aim)?,
            false => self.all_replies(&answers, aim)?,
        };
        if let Some(reached) = reached {
            self.known.insert(key, reached);
        }
        Ok(reached)
    }

    /// Whether one of the winner's moves is enough, the nearest to a zeroing move first.
    fn some_way(
        &mut self,
        answers: &[MoveAnswer],
        value: Value,
        aim: Aim,
    ) -> Result<Option<bool>, ProbeError> {
        let is_final = |answer: &MoveAnswer| answer.end.is_some() || answer.mv.is_zeroing();
        let is_way = |answer: &&MoveAnswer| {
            let Some(left) = answer.value.filter(|left| left.wdl.is_win()) else {
                return false;
            };
            match (aim, aim.distance(value)) {
                (Aim::Win, _) => left.wdl == Wdl::Win,
                (Aim::Dtz, Some(1)) => is_final(answer),
                (_, Some(plies)) => aim.distance(left).is_some_and(|left| left + 1 == plies),
                (_, None) => false,
            }
        };
        let mut ways: Vec<&MoveAnswer> = answers.iter().filter(is_way).collect();
        if ways.iter().any(|answer| is_final(answer)) {
            return Ok(Some(true));
        }
        ways.sort_by_key(|answer| answer.value.and_then(dtz));
        for answer in ways {
            let Some(left) = answer.value else { continue };
            if self.drawn.contains(&answer.after.timeless()) {
                continue;
            }
            match self.reaches(&answer.after, left.reversed(), aim)? {
                Some(false) => {}
                answer => return Ok(answer),
            }
        }
        Ok(Some(false))
    }

    /// Whether the winner reaches the aim whatever the reply.
    fn all_replies(
        &mut self,
        answers: &[MoveAnswer],
        aim: Aim,
    ) -> Result<Option<bool>, ProbeError> {
        let quiet = answers.iter().filter(|answer| !answer.mv.is_zeroing());
        let is_drawn = |answer: &MoveAnswer| self.drawn.contains(&answer.after.timeless());
        if quiet.clone().any(is_drawn) {
            return Ok(Some(false));
        }
        for answer in quiet {
            // A reply of which nothing is known loses as the position does.
            let Some(left) = answer.value else { continue };
            match self.reaches(&answer.after, left.reversed(), aim)? {
                Some(true) => {}
                answer => return Ok(answer),
            }
        }
        Ok(Some(true))
    }
}
