//! Counts of High Chess: both sides with full counters.

use std::ops::Range;

use retrograde_probe::{
    Category, HighChessAnswer, Metric, Table, ThresholdCurve, Value, WinBy, needs,
};
use retrograde_rules::{HighChess, Vitality};

use super::tally::Tally;
use super::{Counter, StatsError, Values};

impl Counter<'_> {
    /// Counts a range of numbers, which are those of whole pairs.
    pub(super) fn tally_vitality(
        &self,
        rules: HighChess,
        range: Range<u64>,
    ) -> Result<Tally, StatsError> {
        let full = Vitality::both(rules.vitality());
        let unknown = HighChessAnswer {
            thresholds: ThresholdCurve::constant(rules.vitality(), 1),
            mates: [rules.vitality() + 1; 2],
        };
        let count = (range.end - range.start) as usize;
        let mut answers = Vec::new();
        if let Values::Stored(tables) = &self.values {
            answers = vec![unknown; count];
            let mut values = vec![0; count];
            for (metric, table, renumbering) in tables {
                table
                    .read(self.turn, range.start, &mut values)
                    .map_err(|error| self.bad_table(error))?;
                let mut values = range.clone().zip(&values);
                renumbering.each(range.clone(), |number| {
                    let answer = &mut answers[(number - range.start) as usize];
                    if let Some((at, &value)) = values.next() {
                        take_over(answer, *metric, table, at, value);
                    }
                });
            }
        }
        let mut tally = Tally::default();
        let mut squares = self.no_squares();
        for (place, number) in range.enumerate() {
            let Some(position) = self.position(number, &mut squares) else {
                continue;
            };
            let pair = number / self.index.numbers_per_pair();
            let weight = self.index.pair_weight(pair as usize);
            let answer = match answers.get(place) {
                Some(answer) => *answer,
                None => self.tables.vitality(&position)?,
            };
            let category = if answer.winner(full) == self.turn {
                Category::Win
            } else {
                Category::Loss
            };
            let value = Value {
                category,
                ..Value::UNKNOWN
            };
            tally.add(number, weight, value);
            tally.add_win_by(weight, answer.win_by(full) == WinBy::Mate);
        }
        Ok(tally)
    }
}

/// Adds what a table has for a number.
fn take_over(answer: &mut HighChessAnswer, metric: Metric, table: &Table, number: u64, value: i16) {
    match metric {
        Metric::Thresholds => {
            let place = table.thresholds_place_or_first(number, value);
            answer.thresholds = table.header().thresholds[place];
        }
        Metric::Mates => answer.mates = needs::split(value),
        _ => {}
    }
}
