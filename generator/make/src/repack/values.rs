//! Reads the values of a table to be packed, and who wins where they do not say it.

use std::ops::Range;

use retrograde_folder::{Reader, read_side};
use retrograde_probe::format::SideValues;
use retrograde_probe::{Index, Metric, Reindexing, score};
use retrograde_rules::Colour;
use retrograde_solve as solve;

use super::{Job, RepackError};
use crate::unstored::prepare_reader;

impl Job<'_> {
    /// The values of a table in the order of `index`, with
    /// [`score::DONT_CARE`] for indices that stand for no position, and for
    /// distances of draws, given who wins if the values do not say it.
    pub(super) fn values(
        &self,
        table: &Reader,
        index: &Index,
        turn: Colour,
        results: Option<&SideValues>,
    ) -> Result<SideValues, RepackError> {
        let mut values = in_order(table, index, turn)?;
        let legal = &self.legal(index)?[turn.index()];
        without_positions(&mut values, legal);
        if self.metric == Metric::Dtz {
            let results = results.ok_or_else(|| self.missing(self.material, Metric::Wdl))?;
            let mut distances = values.iter_mut();
            results.each(None, 0..index.len(), |result| {
                if let Some(distance) = distances.next().filter(|_| result == score::DRAW) {
                    *distance = score::DONT_CARE;
                }
            });
        }
        Ok(SideValues::new(values))
    }

    /// The results, by side to move, as values of WDL in the order of `index`, [`score::DONT_CARE`]
    /// for indices that stand for no position; `None` if the values of the metric tell them, or the
    /// table that tells them is missing. With vitality both sides have full counters.
    pub(super) fn results(&self, index: &Index) -> Result<Option<[SideValues; 2]>, RepackError> {
        let Some(metric) = results_of(self.metric) else {
            return Ok(None);
        };
        let Some(table) = self.open(metric)? else {
            return Ok(None);
        };
        let legal = self.legal(index)?;
        let mut results = Vec::new();
        for turn in Colour::BOTH {
            prepare_reader(&table, &|| false)?;
            let mut values = read_side(&table, turn)?;
            if metric == Metric::Thresholds {
                at_full_counters(&table, turn, &mut values);
            }
            let mut values = reordered(values, Reindexing::new(table.index(), index));
            without_positions(&mut values, &legal[turn.index()]);
            results.push(SideValues::new(values));
        }
        Ok(results.try_into().ok())
    }

    /// The indices that stand for positions, by side to move.
    fn legal(&self, index: &Index) -> Result<&[Bits; 2], RepackError> {
        if let Some(legal) = self.legal.get() {
            return Ok(legal);
        }
        let legal = solve::legal_positions(self.game, index).map_err(RepackError::Solve)?;
        let bits = |bytes: Vec<u8>| {
            let words = bytes.chunks(WORD).map(|bytes| {
                let bits = bytes.iter().enumerate();
                bits.fold(0, |word, (bit, byte)| word | u64::from(*byte) << bit)
            });
            words.collect()
        };
        Ok(self.legal.get_or_init(|| legal.map(bits)))
    }
}

/// A bit for each index.
pub(super) type Bits = Vec<u64>;

/// The indices that a word of [`Bits`] is for.
const WORD: usize = u64::BITS as usize;

/// Puts [`score::DONT_CARE`] in place of the values of indices that stand for no position.
fn without_positions(values: &mut [i16], legal: &Bits) {
    for (values, &word) in values.chunks_mut(WORD).zip(legal) {
        if word == u64::MAX {
            continue;
        }
        for (bit, value) in values.iter_mut().enumerate() {
            if word >> bit & 1 == 0 {
                *value = score::DONT_CARE;
            }
        }
    }
}

/// The metric that says who wins, if a metric does not say it itself.
pub(super) fn results_of(metric: Metric) -> Option<Metric> {
    match metric {
        Metric::Dtz => Some(Metric::Wdl),
        Metric::Thresholds | Metric::Mates => Some(Metric::Thresholds),
        _ => None,
    }
}

/// Turns the threshold curves of a side to move into values of WDL, both sides having
/// full counters.
fn at_full_counters(table: &Reader, turn: Colour, values: &mut [i16]) {
    let curves = table.header().curves.iter();
    let white_wins: Vec<bool> = curves.map(|c| c.white_wins(c.counters().full)).collect();
    for (index, value) in values.iter_mut().enumerate() {
        let place = table.curve_place_or_first(index as u64, *value);
        let wins = white_wins.get(place) == Some(&(turn == Colour::White));
        *value = if wins { 1 } else { -1 };
    }
}

/// Writes values, which are there by side to move, for the indices of another order.
pub(super) fn filler(
    order: Option<Reindexing>,
    values: &[SideValues; 2],
) -> impl Fn(Colour, Range<u64>, &mut [i16]) + Sync {
    move |turn, indices, out| {
        let (Some(order), values) = (&order, &values[turn.index()]) else {
            return;
        };
        if order.keeps_order() && values.copy(indices.start, out) {
            return;
        }
        let mut out = out.iter_mut();
        values.each(Some(order), indices, |value| {
            if let Some(out) = out.next() {
                *out = value;
            }
        });
    }
}

/// The values of a table in the order of another index of its material.
pub(super) fn in_order(
    table: &Reader,
    index: &Index,
    turn: Colour,
) -> Result<Vec<i16>, RepackError> {
    prepare_reader(table, &|| false)?;
    let values = read_side(table, turn)?;
    Ok(reordered(values, Reindexing::new(table.index(), index)))
}

/// Values in another order.
fn reordered(values: Vec<i16>, order: Option<Reindexing>) -> Vec<i16> {
    let Some(order) = order.filter(|order| !order.keeps_order()) else {
        return values;
    };
    let mut ordered = vec![0; values.len()];
    let mut read = values.iter();
    order.each(0..values.len() as u64, |index| {
        if let (Some(value), Some(&read)) = (ordered.get_mut(index as usize), read.next()) {
            *value = read;
        }
    });
    ordered
}
