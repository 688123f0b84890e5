//! Two games, or two rule options, on the same placements with the same side to move.

use retrograde_index::Wdl;
use retrograde_rules::{Game, Material, Position};
use serde_json::{Value, json};

use crate::chart::Bars;
use crate::counts::Counts;
use crate::error::ClaimError;
use crate::example::carried_over;
use crate::figures::row;
use crate::sample::Spread;
use crate::study::Study;

const ALL: usize = 0;
const FOREIGN: usize = 1;
const CHANGED: usize = 2;
/// From won, drawn and lost to won, drawn and lost, for the side to move.
const MATRIX: usize = 3;
/// Classes that the caller tells changed positions apart by.
const CAUSES: usize = MATRIX + 9;
/// How many such classes there can be.
pub(crate) const MOST_CAUSES: usize = 4;
const NUMBERS: usize = CAUSES + MOST_CAUSES;

/// What a comparison found.
pub(crate) struct Comparison {
    sum: Counts<NUMBERS>,
    rows: Vec<Value>,
    bars: Bars,
    spreads: [Spread; MOST_CAUSES],
}

impl Comparison {
    /// The positions of both games.
    pub(crate) fn positions(&self) -> u64 {
        self.sum[ALL]
    }

    /// Placements that are a position of the first game alone.
    pub(crate) fn foreign(&self) -> u64 {
        self.sum[FOREIGN]
    }

    /// How many have another value in the second game.
    pub(crate) fn changed(&self) -> u64 {
        self.sum[CHANGED]
    }

    /// How many of these are of a class.
    pub(crate) fn cause(&self, cause: usize) -> u64 {
        self.sum[CAUSES + cause]
    }

    /// Examples of a class.
    pub(crate) fn spread(&self, cause: usize) -> &Spread {
        &self.spreads[cause]
    }

    /// This one after another over other materials.
    pub(crate) fn after(self, mut first: Comparison) -> Comparison {
        first.sum.add(&self.sum);
        first.rows.extend(self.rows);
        first.bars.extend(self.bars);
        for (spread, more) in first.spreads.iter_mut().zip(self.spreads) {
            spread.extend(more);
        }
        first
    }

    /// A row for each class of material.
    pub(crate) fn rows(&self) -> Value {
        Value::Array(self.rows.clone())
    }

    /// A bar for each class of material: the share that is changed.
    pub(crate) fn bars(&self) -> Bars {
        self.bars.clone()
    }

    /// How many are won, drawn and lost in each game, for the side to move, as rows.
    pub(crate) fn matrix(&self, [first, second]: [&str; 2]) -> Value {
        let names = ["won", "drawn", "lost"];
        let rows = names.iter().enumerate().map(|(a, name)| {
            let [won, drawn, lost] = [0, 1, 2].map(|b| self.sum[MATRIX + 3 * a + b]);
            let (w, d, l) =
                (format!("won_in_{second}"), format!("drawn_in_{second}"), format!("lost_in_{second}"));
            json!({ "for_the_side_to_move": format!("{name} in {first}"), w: won, d: drawn, l: lost })
        });
        rows.collect()
    }
}

/// Compares two games over materials of the first. `cause` tells changed positions apart, by
/// the values in both games, as a number below [`MOST_CAUSES`].
pub(crate) fn compare(
    study: &Study,
    [first, second]: [Game; 2],
    materials: &[Material],
    cause: impl Fn(&Position, [Wdl; 2]) -> Result<usize, ClaimError> + Sync,
) -> Result<Comparison, ClaimError> {
    let mut found = Comparison {
        sum: Counts::default(),
        rows: Vec::new(),
        bars: Bars::default(),
        spreads: Default::default(),
    };
    study.each(first, materials, |material| {
        let values = study.values(first, material)?;
        let (normal, swapped) = material.normal(second);
        // With the same shape a placement has the same index in both.
        let twin = match swapped || second.needs_no_table(&normal) {
            true => None,
            false => {
                let other = study.values(second, material)?;
                (other.index().shape() == values.index().shape()).then_some(other)
            }
        };
        let ground = study.results(second, material)?;
        let tally = study.walk(
            first,
            values.index(),
            |tally: &mut Counts<NUMBERS, MOST_CAUSES>, spot| {
                let weight = spot.weight;
                let Some(same) = carried_over(spot.position, second) else {
                    tally[FOREIGN] += weight;
                    return Ok(());
                };
                let a = values.wdl(spot.turn(), spot.index);
                let b = match &twin {
                    Some(other) => other.wdl(spot.turn(), spot.index),
                    None => ground.wdl(&same)?,
                };
                tally[ALL] += weight;
                tally[MATRIX + 3 * place(a) + place(b)] += weight;
                if place(a) != place(b) {
                    tally[CHANGED] += weight;
                    let cause = cause(spot.position, [a, b])?;
                    tally[CAUSES + cause] += weight;
                    tally.offer(cause, spot);
                }
                Ok(())
            },
        )?;
        found.rows.push(row(
            material,
            tally[ALL],
            &[("other_value", tally[CHANGED])],
        ));
        found.bars.add(material, tally[ALL], &[tally[CHANGED]]);
        found.sum.add(&tally);
        for (spread, sample) in found.spreads.iter_mut().zip(tally.samples) {
            spread.add(material, sample);
        }
        Ok(())
    })?;
    Ok(found)
}

/// 0 for a win, 1 for a draw, 2 for a loss, the fifty-move rule apart.
pub(crate) fn place(wdl: Wdl) -> usize {
    match wdl {
        Wdl::Win | Wdl::CursedWin => 0,
        Wdl::Draw => 1,
        Wdl::Loss | Wdl::BlessedLoss => 2,
    }
}
