//! Looks up games with vitality: threshold curves, who wins, and by which means.

use std::fmt;
use std::sync::Arc;

use retrograde_index::{Metric, Needs, ThresholdCurve, Thresholds, Wdl, needs};
use retrograde_rules::{Colour, Counters, End, Material, Move, Position, VitalityRules};

use super::{expect_game, refuse_castling, stored_value};
use crate::error::{ProbeError, Unsupported, if_known};
use crate::store::Store;
use crate::value::Value;

/// A way to win (`win_by`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WinBy {
    /// The winner can force mate, even if the loser's vitality were never lowered.
    Mate,
    /// Only the loser's counter lets the winner win.
    Exhaustion,
}

impl WinBy {
    /// The word in JSON: `exhaustion`.
    pub const fn name(self) -> &'static str {
        match self {
            WinBy::Mate => "mate",
            WinBy::Exhaustion => "exhaustion",
        }
    }
}

impl fmt::Display for WinBy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The answer of tables to a placement with vitality, whatever the counters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VitalityAnswer {
    /// The least vitality with which White wins, for each vitality of Black.
    pub curve: ThresholdCurve,
    /// The least vitality with which White, then Black, forces mate although
    /// the other's counter is never lowered: one more than the full counter means that it
    /// cannot. `None` where no table says it.
    pub mates: Option<[u8; 2]>,
}

impl VitalityAnswer {
    /// The answer for a finished game, won whatever the counters.
    pub(crate) fn won(rules: &VitalityRules, winner: Colour) -> VitalityAnswer {
        VitalityAnswer {
            curve: ThresholdCurve::always(rules.counters(), winner),
            mates: Some(Needs::none(rules, winner.other()).0),
        }
    }

    /// The winner with these counters.
    pub fn winner(&self, vitality: Counters) -> Colour {
        if self.curve.white_wins(vitality) {
            Colour::White
        } else {
            Colour::Black
        }
    }

    /// The points that a side needs to win, the other having what it has; one
    /// more than the full counter if no points are enough.
    pub fn needs(&self, side: Colour, vitality: Counters) -> u8 {
        match side {
            Colour::White => self.curve.white_needs(vitality.black),
            Colour::Black => self.curve.black_needs(vitality.white),
        }
    }

    /// The way in which the winner wins with these counters; `None` where no table says it.
    pub fn win_by(&self, vitality: Counters) -> Option<WinBy> {
        let winner = self.winner(vitality);
        let mates = self.mates?[winner.index()];
        Some(match vitality.of(winner) >= mates {
            true => WinBy::Mate,
            false => WinBy::Exhaustion,
        })
    }
}

/// The outcome of a state, counters and all.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) winner: Colour,
    /// `None` where no table says it.
    pub(crate) by: Option<WinBy>,
    /// The points that the winner has beyond those that it needs.
    pub(crate) spare: u8,
}

/// The winner of a finished game, and the kind of win.
fn winner_at_the_end(position: &Position) -> Option<(Colour, WinBy)> {
    winner_by(position.end()?, position.turn())
}

/// The winner by an end of the game, with a side to move, and the kind of win.
fn winner_by(end: End, turn: Colour) -> Option<(Colour, WinBy)> {
    let by = match end {
        End::Exhaustion => WinBy::Exhaustion,
        _ => WinBy::Mate,
    };
    Some((end.winner(turn)?, by))
}

/// The game is over.
const OVER: u8 = u8::MAX;

/// See [`Tablebase::vitality`](crate::Tablebase::vitality).
pub(crate) fn vitality(store: &Store, position: &Position) -> Result<VitalityAnswer, ProbeError> {
    expect_game(store, position)?;
    let rules = vitality_rules(store)?;
    refuse_castling(position)?;
    if position.ep().is_some() {
        return vitality_of_successors(store, rules, position);
    }
    let material = position.material();
    let curve = curve(store, position, &material)?;
    let mates = match stored_value(store, position, &material, Metric::Mates) {
        Ok((mates, ..)) => Some(needs::split(mates)),
        Err(error) if store.lacks(&material, &error) => None,
        Err(error) => return Err(error),
    };
    Ok(VitalityAnswer { curve, mates })
}

/// The threshold curve of a position without an e.p. right.
fn curve(
    store: &Store,
    position: &Position,
    material: &Material,
) -> Result<ThresholdCurve, ProbeError> {
    let (value, index, table) = stored_value(store, position, material, Metric::Thresholds)?;
    let place = table
        .curve_place(index, value)
        .map_err(|error| store.table_error(&table.header().material, Arc::new(error)))?;
    Ok(table.header().curves[place])
}

fn vitality_rules(store: &Store) -> Result<&'static VitalityRules, ProbeError> {
    let missing = || Unsupported::Metric {
        game: store.game().id(),
        metric: Metric::Thresholds,
    };
    let counters = store.game().vitality();
    counters.ok_or_else(|| ProbeError::Unsupported(missing()))
}

/// The value of a position, worked out from those of its successors.
fn vitality_of_successors(
    store: &Store,
    rules: &'static VitalityRules,
    position: &Position,
) -> Result<VitalityAnswer, ProbeError> {
    let counters = rules.counters();
    let turn = position.turn();
    let mut thresholds = Thresholds::always(counters, turn.other());
    let mut mates = Needs::none(rules, turn);
    let mut all_known = true;
    for &mv in &position.legal_moves() {
        let after = position.play(mv).with_vitality(rules.full());
        let Some(after) = after else {
            unreachable!("full counters are in their range");
        };
        let end = after.end();
        let toll = rules.toll_to(position, mv, end.is_some());
        let answer = match end.and_then(|end| end.winner(after.turn())) {
            Some(winner) => VitalityAnswer::won(rules, winner),
            None => vitality(store, &after)?,
        };
        thresholds.join_turn(rules, turn, toll, Thresholds::from(answer.curve).used());
        match answer.mates {
            Some(needs) => mates.join_turn(rules, turn, toll, needs),
            None => all_known = false,
        }
    }
    Ok(VitalityAnswer {
        curve: thresholds.curve(),
        mates: all_known.then_some(mates.0),
    })
}

/// The outcome of a move, as far as tables and rules tell it.
pub(crate) struct TurnOutcome {
    /// The outcome of the position after the move, with its counters.
    pub(crate) outcome: Option<Outcome>,
    /// The least vitality with which the mover wins by the move, the other side having what it
    /// has before the move; one more than the full counter if no points are enough.
    pub(crate) needs: Option<u8>,
    /// The end of the game, if the move ends it.
    pub(crate) end: Option<End>,
}

/// The outcome of a move of a position, which leads to `after`.
pub(crate) fn turn_outcome(
    store: &Store,
    position: &Position,
    mv: Move,
    after: &Position,
) -> Result<TurnOutcome, ProbeError> {
    let rules = vitality_rules(store)?;
    let (mover, end) = (position.turn(), after.end());
    // With more points a move that exhausts the mover may end the game otherwise, or not at all.
    let with_full = after.with_vitality(rules.full());
    let end_with_full = match end {
        Some(End::Exhaustion) => with_full.and_then(|after| after.end()),
        end => end,
    };
    let winner = end_with_full.and_then(|end| end.winner(after.turn()));
    let answer = match winner {
        Some(winner) => Some(VitalityAnswer::won(rules, winner)),
        None => if_known(vitality(store, &with_full.unwrap_or(*after)))?,
    };
    let needs = answer.map(|answer| {
        let toll = rules.toll_to(position, mv, end_with_full.is_some());
        let before = Thresholds::from(answer.curve).before(rules, mover, toll);
        let before = VitalityAnswer {
            curve: before.curve(),
            mates: None,
        };
        before.needs(mover, position.vitality().unwrap_or(rules.full()))
    });
    let outcome = match end.and_then(|end| winner_by(end, after.turn())) {
        Some((winner, by)) => Some(Outcome {
            winner,
            by: Some(by),
            spare: OVER,
        }),
        None => answer.map(|answer| {
            let counters = after.vitality().unwrap_or(rules.full());
            let winner = answer.winner(counters);
            let needs = answer.needs(winner, counters);
            Outcome {
                winner,
                by: answer.win_by(counters),
                spare: counters.of(winner).saturating_sub(needs),
            }
        }),
    };
    Ok(TurnOutcome {
        outcome,
        needs,
        end,
    })
}

/// The winner of a position with its counters, from threshold curves alone.
fn winner_by_vitality(store: &Store, position: &Position) -> Result<Colour, ProbeError> {
    if let Some((winner, _)) = winner_at_the_end(position) {
        return Ok(winner);
    }
    refuse_castling(position)?;
    let curve = match position.ep() {
        Some(_) => vitality(store, position)?.curve,
        None => curve(store, position, &position.material())?,
    };
    Ok(match curve.white_wins(counters(store, position)?) {
        true => Colour::White,
        false => Colour::Black,
    })
}

fn counters(store: &Store, position: &Position) -> Result<Counters, ProbeError> {
    let full = vitality_rules(store)?.full();
    Ok(position.vitality().unwrap_or(full))
}

/// The value of a state with vitality.
pub(crate) fn value_with_vitality(store: &Store, position: &Position) -> Result<Value, ProbeError> {
    let winner = winner_by_vitality(store, position)?;
    let wdl = Wdl::of_winner(Some(winner), position.turn());
    Ok(Value::without_distances(wdl))
}
