//! Counts wins and losses in games with vitality, both sides with full counters.

use std::ops::Range;

use retrograde_probe::{Value, VitalityAnswer, Wdl, WinBy};
use retrograde_rules::{Counters, VitalityRules};

use super::tally::Tally;
use crate::values::{SideReader, ValuesError};

/// Counts a range of indices, which must be that of whole pairs.
pub(super) fn tally(
    side: &SideReader,
    rules: &'static VitalityRules,
    range: Range<u64>,
) -> Result<Tally, ValuesError> {
    let full = rules.full();
    let answers = side.answers(rules, range.clone())?;
    let mut tally = Tally::default();
    let mut squares = side.no_squares();
    for (place, index) in range.enumerate() {
        let Some(position) = side.position(index, &mut squares) else {
            continue;
        };
        let weight = side.index.weight(index);
        let answer = match &answers {
            Some(answers) => answers[place],
            None => side.tables.vitality(&position)?,
        };
        let wdl = wdl(side, &answer, full);
        tally.add(index, weight, Value::without_distances(wdl));
        tally.add_win_by(weight, answer.win_by(full) == Some(WinBy::Mate));
    }
    Ok(tally)
}

/// The results of a range of indices, likewise; `None` if they must be probed for.
pub(super) fn wdls(
    side: &SideReader,
    rules: &'static VitalityRules,
    range: Range<u64>,
) -> Result<Option<Vec<Wdl>>, ValuesError> {
    let full = rules.full();
    let answers = side.answers(rules, range)?;
    let category = |answer: &VitalityAnswer| wdl(side, answer, full);
    Ok(answers.map(|answers| answers.iter().map(category).collect()))
}

/// The result with these counters, for the side to move.
fn wdl(side: &SideReader, answer: &VitalityAnswer, counters: Counters) -> Wdl {
    match answer.winner(counters) == side.turn {
        true => Wdl::Win,
        false => Wdl::Loss,
    }
}
