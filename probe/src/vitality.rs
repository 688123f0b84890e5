//! Probing games with vitality: threshold curves, who wins by which means, and best play.

pub(crate) mod answer;

use std::cmp::Reverse;
use std::sync::Arc;

use retrograde_rules::{Colour, End, Material, Position, Vitality, VitalityRules};

use crate::Wdl;
use crate::answer::{Line, MoveAnswer};
use crate::error::{ProbeError, Unsupported};
use crate::single::refuse_castling;
use crate::tablebase::Tablebase;
use crate::value::Value;
pub use answer::{VitalityAnswer, WinBy};
use retrograde_index::{Metric, Needs, ThresholdCurve, Thresholds, needs};

/// The outcome of a state, counters and all.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Outcome {
    winner: Colour,
    /// `None` where no table says it.
    by: Option<WinBy>,
    /// How many points more than it needs the winner has.
    spare: u8,
}

/// Who has won a finished game, and how.
fn winner_at_the_end(position: &Position) -> Option<(Colour, WinBy)> {
    let mover = position.turn().other();
    match position.end()? {
        End::Exhaustion => Some((mover.other(), WinBy::Exhaustion)),
        _ => Some((mover, WinBy::Mate)),
    }
}

/// The game is over.
const OVER: u8 = u8::MAX;

impl Tablebase {
    /// The answer to the placement of a position with vitality, with its
    /// e.p. right if it has one that counts; its counters do not matter. This takes a
    /// table of [`Metric::Thresholds`]; without one of [`Metric::Mates`] it says less.
    ///
    /// With such a right all follows from the successors.
    ///
    /// # Errors
    /// See [`ProbeError`]; [`ProbeError::Unsupported`] in other games.
    pub fn vitality(&self, position: &Position) -> Result<VitalityAnswer, ProbeError> {
        self.expect_game(position)?;
        let rules = self.vitality_rules()?;
        refuse_castling(position)?;
        if position.ep().is_some() {
            return self.vitality_of_successors(rules, position);
        }
        let material = position.material();
        let curve = self.curve(position, &material)?;
        let mates = match self.entry(position, &material, Metric::Mates) {
            Ok((mates, ..)) => Some(needs::split(mates)),
            Err(error) if self.lacks(&material, &error) => None,
            Err(error) => return Err(error),
        };
        Ok(VitalityAnswer { curve, mates })
    }

    /// The threshold curve of a position without an e.p. right.
    fn curve(
        &self,
        position: &Position,
        material: &Material,
    ) -> Result<ThresholdCurve, ProbeError> {
        let (value, index, table) = self.entry(position, material, Metric::Thresholds)?;
        let place = table
            .curve_place(index, value)
            .map_err(|error| self.table_error(&table.header().material, Arc::new(error)))?;
        Ok(table.header().curves[place])
    }

    fn vitality_rules(&self) -> Result<&'static VitalityRules, ProbeError> {
        let missing = || Unsupported::Metric {
            game: self.game().id(),
            metric: Metric::Thresholds,
        };
        let counters = self.game().vitality();
        counters.ok_or_else(|| ProbeError::Unsupported(missing()))
    }

    /// The value of a position, worked out from those of its successors.
    fn vitality_of_successors(
        &self,
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
                None => self.vitality(&after)?,
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

    /// Who wins a position with its counters, and how.
    fn outcome(&self, position: &Position) -> Result<Outcome, ProbeError> {
        if let Some((winner, by)) = winner_at_the_end(position) {
            return Ok(Outcome {
                winner,
                by: Some(by),
                spare: OVER,
            });
        }
        let answer = self.vitality(position)?;
        let vitality = self.counters(position)?;
        let winner = answer.winner(vitality);
        let needs = answer.needs(winner, vitality);
        Ok(Outcome {
            winner,
            by: answer.win_by(vitality),
            spare: vitality.of(winner).saturating_sub(needs),
        })
    }

    /// Who wins a position with its counters, from threshold curves alone.
    fn winner_by_vitality(&self, position: &Position) -> Result<Colour, ProbeError> {
        if let Some((winner, _)) = winner_at_the_end(position) {
            return Ok(winner);
        }
        refuse_castling(position)?;
        let curve = match position.ep() {
            Some(_) => self.vitality(position)?.curve,
            None => self.curve(position, &position.material())?,
        };
        Ok(match curve.white_wins(self.counters(position)?) {
            true => Colour::White,
            false => Colour::Black,
        })
    }

    fn counters(&self, position: &Position) -> Result<Vitality, ProbeError> {
        let full = self.vitality_rules()?.full();
        Ok(position.vitality().unwrap_or(full))
    }

    /// The value of a state with vitality.
    pub(crate) fn value_with_vitality(&self, position: &Position) -> Result<Value, ProbeError> {
        let winner = self.winner_by_vitality(position)?;
        let wdl = Wdl::of_winner(Some(winner), position.turn());
        Ok(Value::without_distances(wdl))
    }

    /// All moves of a state with vitality, the best first: wins by mate before
    /// those that may be by exhaustion, then by what the winner has to spare, most for
    /// the mover and least for the other; losses the other way round.
    pub(crate) fn moves_with_vitality(
        &self,
        position: &Position,
    ) -> Result<Vec<MoveAnswer>, ProbeError> {
        let turn = position.turn();
        let mut answers = Vec::new();
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            let (wdl, rank) = match self.outcome(&after) {
                Err(error) if error.is_unknown() => (None, (false, Reverse(0))),
                Ok(Outcome { winner, by, spare }) if winner == turn => {
                    (Some(Wdl::Win), (by != Some(WinBy::Mate), Reverse(spare)))
                }
                Ok(Outcome { by, spare, .. }) => {
                    (Some(Wdl::Loss), (by == Some(WinBy::Mate), Reverse(!spare)))
                }
                Err(error) => return Err(error),
            };
            let answer = MoveAnswer {
                mv,
                uci: position.move_name(mv),
                after,
                value: wdl.map(Value::without_distances),
                end: after.end(),
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
    pub(crate) fn line_with_vitality(&self, position: &Position) -> Result<Line, ProbeError> {
        let mut position = *position;
        let mut moves = Vec::new();
        loop {
            if let Some(end) = position.end() {
                let end = Some(end);
                return Ok(Line { moves, end });
            }
            let value = self.value_with_vitality(&position)?;
            let answers = self.moves_with_vitality(&position)?;
            // A move to where there is no table may be better than all others.
            let is_known = answers.iter().all(|m| m.value.is_some());
            let best = match answers.first() {
                Some(best) if is_known && best.wdl() == Some(value.wdl) => best,
                _ => return Err(self.no_best_move(&position, &answers)),
            };
            moves.push(best.mv);
            position = best.after;
        }
    }
}
