//! The first look at all values of a table: which ones occur, and their digest, which
//! does not depend on how they are packed.

use rayon::prelude::*;
use retrograde_index::{Index, Metric, Reindexing, score};
use retrograde_rules::Colour;

use super::{Fill, TablePlan, Watch, WriteError};
use crate::format::checksum;

/// About how many values are looked at at once.
const CHUNK: u64 = 1 << 16;

/// What is found.
pub(super) struct Survey {
    /// See `docs/FORMAT.md`.
    pub(super) digest: u64,
    /// For each side to move that the table has, the values that occur.
    palettes: Vec<(Colour, Vec<i16>)>,
}

impl Survey {
    pub(super) fn new(plan: &TablePlan, watch: Watch, fill: &Fill) -> Result<Survey, WriteError> {
        let plain = Index::with_shape(*plan.index.shape(), plan.material(), None);
        let order = plain
            .ok()
            .and_then(|plain| Reindexing::new(&plan.index, &plain));
        let order = order.ok_or(WriteError::Options("the index is not that of the material"))?;
        let pair = plan.index.indices_per_pair();
        let (chunk, positions) = (pair * CHUNK.div_ceil(pair), plan.index.len());
        let (mut sums, mut palettes) = (Vec::new(), Vec::new());
        for turn in plan.sides.turns() {
            let look = |part| {
                watch.go_on()?;
                let indices = part * chunk..positions.min((part + 1) * chunk);
                let mut values = vec![score::DONT_CARE; (indices.end - indices.start) as usize];
                fill(turn, indices.clone(), &mut values);
                let mut counts = Counts::default();
                counts.add(plan.metric, turn, indices.start, &values)?;
                let mut bytes = vec![0; 2 * values.len()];
                let mut values = values.into_iter();
                order.each(indices.clone(), |index| {
                    let value = values.next().unwrap_or_default().to_le_bytes();
                    let place = 2 * (index - indices.start) as usize;
                    bytes[place..place + 2].copy_from_slice(&value);
                });
                let pairs = bytes.chunks(2 * pair as usize).map(checksum);
                Ok((pairs.collect(), counts))
            };
            let parts: Vec<(Vec<u64>, Counts)> = (0..positions.div_ceil(chunk))
                .into_par_iter()
                .map(look)
                .collect::<Result<_, WriteError>>()?;
            let mut counts = Counts::default();
            for (pairs, part) in parts {
                sums.extend(pairs.into_iter().flat_map(u64::to_le_bytes));
                counts.merge(&part);
            }
            palettes.push((turn, counts.palette()));
        }
        let digest = checksum(&sums);
        Ok(Survey { digest, palettes })
    }

    /// The values that occur with a side to move, the most frequent first, among equals
    /// the smaller; a lone 0 if none occurs.
    pub(super) fn palette(&self, turn: Colour) -> &[i16] {
        let palette = self.palettes.iter().find(|(side, _)| *side == turn);
        palette.map_or(&[], |(_, palette)| palette)
    }
}

/// How often values occur.
#[derive(Default)]
pub(super) struct Counts {
    /// From this value on; there are many values, but most tables have few, close together.
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
        // What counts for nothing is the least number of all: it becomes the greatest.
        const _: () = assert!(score::DONT_CARE == i16::MIN);
        let less = values.iter().map(|value| value.wrapping_sub(1)).min();
        let (Some(less), Some(&most)) = (less, values.iter().max()) else {
            return Ok(());
        };
        if most == score::DONT_CARE {
            return Ok(());
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
        let part = Counts {
            first: least,
            counts: counts.collect(),
        };
        let unknown = |value: &i16| !metric.allows(*value);
        if let Some(value) = part.values().map(|(value, _)| value).find(unknown) {
            let place = values.iter().position(|&v| v == value).unwrap_or_default();
            let index = first + place as u64;
            return Err(WriteError::Value { value, index, turn });
        }
        self.merge(&part);
        Ok(())
    }

    /// The values that occur, and how often.
    fn values(&self) -> impl Iterator<Item = (i16, u64)> {
        let all = (i32::from(self.first)..).zip(&self.counts);
        all.filter(|(_, count)| **count > 0)
            .map(|(value, count)| (value as i16, *count))
    }

    pub(super) fn merge(&mut self, part: &Counts) {
        if self.counts.is_empty() {
            self.first = part.first;
        }
        for (value, count) in part.values() {
            let least = value.min(self.first);
            let missing = usize::from(self.first.wrapping_sub(least) as u16);
            self.counts.splice(..0, std::iter::repeat_n(0, missing));
            self.first = least;
            let place = usize::from(value.wrapping_sub(least) as u16);
            self.counts.resize(self.counts.len().max(place + 1), 0);
            self.counts[place] += count;
        }
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
