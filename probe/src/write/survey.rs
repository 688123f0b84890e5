//! Surveys all values of a table before it is packed: which occur, and for how many positions.
//!
//! It also takes their digest, which does not depend on how they are packed.

mod counting;
mod tally;
mod weights;

use std::ops::Range;

use rayon::prelude::*;
use retrograde_index::{Index, Metric, Reindexing, score};
use retrograde_rules::Colour;

use super::{CHUNK, Fill, TablePlan, Watch, WriteError};
use crate::format::{Statistics, checksum};
use counting::{Column, Counting};
use tally::Tally;

/// The findings about the values of a table.
pub(super) struct Survey {
    /// See `docs/FORMAT.md`.
    pub(super) digest: u64,
    /// The values that occur, for each side to move that the table has.
    palettes: Vec<(Colour, Vec<i16>)>,
    /// The statistics; `None` if it is not known how many positions there are.
    pub(super) statistics: Option<Statistics>,
}

/// The findings about some pairs of leaders.
#[derive(Default)]
struct Found {
    /// The checksums of the pairs, by side to move.
    sums: Vec<Vec<u64>>,
    counts: Vec<Counts>,
    tally: Tally,
}

impl Survey {
    /// `results` says who wins, as values of WDL, where the values do not.
    pub(super) fn new(
        plan: &TablePlan,
        watch: Watch,
        fill: &Fill,
        results: Option<&Fill>,
    ) -> Result<Survey, WriteError> {
        let plain = Index::with_shape(*plan.index.shape(), plan.material(), None);
        let order = plain.map(|plain| Some((Reindexing::new(&plan.index, &plain)?, plain)));
        let Ok(Some((order, plain))) = order else {
            return Err(WriteError::Options("the index is not that of the material"));
        };
        let pair = plan.index.indices_per_pair();
        let (chunk, positions) = (pair * CHUNK.div_ceil(pair), plan.index.len());
        let turns: Vec<Colour> = plan.sides.turns().collect();
        let counting = Counting::new(plan, &plain);
        let is_counted = plan.metric != Metric::Helpmate
            && turns.len() == Colour::BOTH.len()
            && (!Counting::takes_results(plan.metric) || results.is_some());
        // The values of some indices in the order of the table.
        let read = |fill: &Fill, turn, indices: &Range<u64>| {
            let mut values = vec![score::DONT_CARE; (indices.end - indices.start) as usize];
            fill(turn, indices.clone(), &mut values);
            values
        };
        let look = |part| {
            watch.go_on()?;
            let indices = part * chunk..positions.min((part + 1) * chunk);
            let mut found = Found::default();
            let known: Vec<Column> = turns
                .iter()
                .map(|&turn| Column {
                    values: read(fill, turn, &indices),
                    results: results.map(|results| read(results, turn, &indices)),
                })
                .collect();
            for side in &known {
                let mut bytes = vec![0; 2 * side.values.len()];
                let mut values = side.values.iter();
                order.each(indices.clone(), |index| {
                    let value = values.next().copied().unwrap_or_default().to_le_bytes();
                    let place = 2 * (index - indices.start) as usize;
                    bytes[place..place + 2].copy_from_slice(&value);
                });
                let pairs = bytes.chunks(2 * pair as usize).map(checksum);
                found.sums.push(pairs.collect());
            }
            match known.as_slice() {
                [white, black] if is_counted => {
                    (found.tally, found.counts) = counting.count(indices.start, [white, black]);
                }
                known => {
                    let counts = known.iter().map(|side| Counts::of(&side.values));
                    found.counts.extend(counts);
                }
            }
            for (&turn, counts) in turns.iter().zip(&found.counts) {
                let all = || read(fill, turn, &indices);
                counts.expect(plan.metric, turn, indices.start, all)?;
            }
            Ok(found)
        };
        let parts: Vec<Found> = (0..positions.div_ceil(chunk))
            .into_par_iter()
            .map(look)
            .collect::<Result<_, WriteError>>()?;
        let (mut sums, mut palettes) = (Vec::new(), Vec::new());
        for (side, &turn) in turns.iter().enumerate() {
            let mut counts = Counts::default();
            for part in &parts {
                let pairs = part.sums[side].iter();
                sums.extend(pairs.flat_map(|sum| sum.to_le_bytes()));
                counts.merge(&part.counts[side]);
            }
            palettes.push((turn, counts.palette()));
        }
        let digest = checksum(&sums);
        let mut tally = Tally::default();
        parts.into_iter().for_each(|part| tally.add(part.tally));
        Ok(Survey {
            digest,
            palettes,
            statistics: match is_counted {
                true => tally.statistics(),
                false => plan.statistics.clone(),
            },
        })
    }

    /// The values that occur with a side to move, the most frequent first, among equals
    /// the smaller; a lone 0 if none occurs.
    pub(super) fn palette(&self, turn: Colour) -> &[i16] {
        let palette = self.palettes.iter().find(|(side, _)| *side == turn);
        palette.map_or(&[], |(_, palette)| palette)
    }
}

/// The number of times that each value occurs.
#[derive(Default)]
pub(super) struct Counts {
    /// The value of the first count; there are many values, but most tables have few, close
    /// together.
    first: i16,
    counts: Vec<u64>,
}

impl Counts {
    /// Counts some values, the first of which is at the index `first`.
    pub(super) fn add(
        &mut self,
        metric: Metric,
        turn: Colour,
        first: u64,
        values: &[i16],
    ) -> Result<(), WriteError> {
        let part = Counts::of(values);
        part.expect(metric, turn, first, || values.to_vec())?;
        self.merge(&part);
        Ok(())
    }

    /// Makes sure that what was counted is values of the metric, `values` from the index
    /// `first` on.
    fn expect(
        &self,
        metric: Metric,
        turn: Colour,
        first: u64,
        values: impl Fn() -> Vec<i16>,
    ) -> Result<(), WriteError> {
        let unknown = |value: &i16| !metric.allows(*value);
        let Some(value) = self.values().map(|(value, _)| value).find(unknown) else {
            return Ok(());
        };
        let place = values().iter().position(|&v| v == value);
        let index = first + place.unwrap_or_default() as u64;
        Err(WriteError::Value { value, index, turn })
    }

    /// Counts numbers, whatever they mean, but for [`score::DONT_CARE`].
    pub(super) fn of(values: &[i16]) -> Counts {
        // What counts for nothing is the least number of all: it becomes the greatest.
        const _: () = assert!(score::DONT_CARE == i16::MIN);
        let less = values.iter().map(|value| value.wrapping_sub(1)).min();
        let (Some(less), Some(&most)) = (less, values.iter().max()) else {
            return Counts::default();
        };
        if most == score::DONT_CARE {
            return Counts::default();
        }
        let least = less.wrapping_add(1);
        let of = |value: i16| usize::from(value.wrapping_sub(least) as u16);
        let len = of(most) + 1;
        // Neighbours are often equal; with one counter each addition would wait for
        // the one before. The last counters are for what counts for nothing.
        let mut counts = vec![[0_u32; 4]; len + 1];
        for values in values.chunks(4) {
            for (which, &value) in values.iter().enumerate() {
                counts[of(value).min(len)][which] += 1;
            }
        }
        counts.truncate(len);
        let counts = counts
            .iter()
            .map(|c| c.iter().copied().map(u64::from).sum());
        Counts {
            first: least,
            counts: counts.collect(),
        }
    }

    /// The values that occur, and how often.
    pub(super) fn values(&self) -> impl Iterator<Item = (i16, u64)> {
        let all = (i32::from(self.first)..).zip(&self.counts);
        all.filter(|(_, count)| **count > 0)
            .map(|(value, count)| (value as i16, *count))
    }

    pub(super) fn merge(&mut self, part: &Counts) {
        for (value, count) in part.values() {
            self.put(value, count);
        }
    }

    /// The values that occur somewhere, and how often.
    pub(super) fn sum(values: impl Iterator<Item = (i16, u64)>) -> Counts {
        let mut sum = Counts::default();
        values.for_each(|(value, count)| sum.put(value, count));
        sum
    }

    /// Counts a value so many times more.
    pub(super) fn put(&mut self, value: i16, count: u64) {
        if self.counts.is_empty() {
            self.first = value;
        }
        let least = value.min(self.first);
        let missing = usize::from(self.first.wrapping_sub(least) as u16);
        self.counts.splice(..0, std::iter::repeat_n(0, missing));
        self.first = least;
        let place = usize::from(value.wrapping_sub(least) as u16);
        self.counts.resize(self.counts.len().max(place + 1), 0);
        self.counts[place] += count;
    }

    /// See [`Survey::palette`].
    pub(super) fn palette(&self) -> Vec<i16> {
        let mut values: Vec<(i16, u64)> = self.values().collect();
        values.sort_by_key(|&(value, count)| (std::cmp::Reverse(count), value));
        let mut palette: Vec<i16> = values.into_iter().map(|(value, _)| value).collect();
        if palette.is_empty() {
            palette.push(score::DRAW);
        }
        palette
    }
}
