//! Counts of High Chess, both sides with full counters.

use std::ops::Range;

use retrograde_probe::{HighChessAnswer, Metric, Table, ThresholdCurve, Value, Wdl, WinBy, needs};
use retrograde_rules::{HighChess, Vitality};

use super::tally::Tally;
use super::{Counter, StatsError, ValueSource};

impl Counter<'_> {
    /// Counts a range of indices, which must be that of whole pairs.
    pub(super) fn tally_vitality(
        &self,
        rules: HighChess,
        range: Range<u64>,
    ) -> Result<Tally, StatsError> {
        let full = Vitality::both(rules.vitality());
        let answers = self.answers(rules, range.clone())?;
        let mut tally = Tally::default();
        let mut squares = self.no_squares();
        for (place, index) in range.enumerate() {
            let Some(position) = self.position(index, &mut squares) else {
                continue;
            };
            let pair = index / self.index.indices_per_pair();
            let weight = self.index.pair_weight(pair as usize);
            let answer = match &answers {
                Some(answers) => answers[place],
                None => self.tables.vitality(&position)?,
            };
            let wdl = self.wdl(&answer, full);
            tally.add(index, weight, Value::without_distances(wdl));
            tally.add_win_by(weight, answer.win_by(full) == WinBy::Mate);
        }
        Ok(tally)
    }

    /// What the tables have for a range of indices; `None` if it must be probed
    /// for.
    fn answers(
        &self,
        rules: HighChess,
        range: Range<u64>,
    ) -> Result<Option<Vec<HighChessAnswer>>, StatsError> {
        let ValueSource::Stored(tables) = &self.values else {
            return Ok(None);
        };
        let unknown = HighChessAnswer {
            curve: ThresholdCurve::constant(rules.vitality(), 1),
            mates: [rules.vitality() + 1; 2],
        };
        let count = (range.end - range.start) as usize;
        let mut answers = vec![unknown; count];
        let mut values = vec![0; count];
        for (metric, table, reindexing) in tables {
            table
                .read(self.turn, range.start, &mut values)
                .map_err(|error| self.bad_table(error))?;
            let mut values = range.clone().zip(&values);
            reindexing.each(range.clone(), |index| {
                let answer = &mut answers[(index - range.start) as usize];
                if let Some((at, &value)) = values.next() {
                    take_over(answer, *metric, table, at, value);
                }
            });
        }
        Ok(Some(answers))
    }

    /// The results of a range of indices, both sides with full counters.
    pub(super) fn wdls_with_vitality(
        &self,
        rules: HighChess,
        range: Range<u64>,
    ) -> Result<Option<Vec<Wdl>>, StatsError> {
        let full = Vitality::both(rules.vitality());
        let answers = self.answers(rules, range)?;
        let category = |answer: &HighChessAnswer| self.wdl(answer, full);
        Ok(answers.map(|answers| answers.iter().map(category).collect()))
    }

    /// Who wins with these counters, for the side to move.
    fn wdl(&self, answer: &HighChessAnswer, counters: Vitality) -> Wdl {
        match answer.winner(counters) == self.turn {
            true => Wdl::Win,
            false => Wdl::Loss,
        }
    }
}

/// Adds to an answer what a table has for an index.
fn take_over(answer: &mut HighChessAnswer, metric: Metric, table: &Table, index: u64, value: i16) {
    match metric {
        Metric::Thresholds => {
            let place = table.curve_place_or_first(index, value);
            answer.curve = table.header().curves[place];
        }
        Metric::Mates => answer.mates = needs::split(value),
        _ => {}
    }
}
