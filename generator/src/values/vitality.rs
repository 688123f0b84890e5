//! Reads the threshold curves and the points needed to mate of a whole material with vitality.

use std::ops::Range;

use retrograde_probe::{Metric, Table, ThresholdCurve, VitalityAnswer, needs};
use retrograde_rules::{Colour, VitalityRules};

use super::{SideReader, Source, ValuesError};

impl SideReader<'_> {
    /// The stored answers for a range of indices, which must be that of whole pairs; `None` if they
    /// must be probed for.
    pub(crate) fn answers(
        &self,
        rules: &'static VitalityRules,
        range: Range<u64>,
    ) -> Result<Option<Vec<VitalityAnswer>>, ValuesError> {
        let Source::Stored(tables) = &self.source else {
            return Ok(None);
        };
        let unknown = VitalityAnswer {
            curve: ThresholdCurve::always(rules.counters(), Colour::White),
            mates: None,
        };
        let count = (range.end - range.start) as usize;
        let mut answers = vec![unknown; count];
        let mut values = vec![0; count];
        for (metric, table, reindexing) in tables {
            self.tables
                .read_range(table, self.turn, range.start, &mut values)?;
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
}

/// Adds to an answer what a table has for an index.
fn take_over(answer: &mut VitalityAnswer, metric: Metric, table: &Table, index: u64, value: i16) {
    match metric {
        Metric::Thresholds => {
            let place = table.curve_place_or_first(index, value);
            answer.curve = table.header().curves[place];
        }
        Metric::Mates => answer.mates = Some(needs::split(value)),
        _ => {}
    }
}
