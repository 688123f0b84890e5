//! What a small table need not store: a first look at every position.

use rayon::prelude::*;
use retrograde_index::{Wdl, score};
use retrograde_rules::Colour;

use super::blocks::slot;
use super::plan::Ground;
use super::{CHUNK, Fill, TablePlan, WriteError};
use crate::error::ProbeError;
use crate::format::header::rank;
use crate::resolve::drawn;

/// Who wins, of a position of which something is stored.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Look(u8);

impl Look {
    const NOTHING: Look = Look(u8::MAX);

    /// Whether something is stored.
    pub(super) fn is_stored(self) -> bool {
        self != Look::NOTHING
    }

    /// What a reader is given beside the position.
    pub(super) fn context(self) -> u8 {
        match self {
            Look::NOTHING => 0,
            Look(result) => result,
        }
    }
}

/// A set of values.
struct Values(Vec<u64>);

impl Values {
    fn none() -> Values {
        Values(vec![0; 1 << 10])
    }

    #[inline]
    fn insert(&mut self, value: i16) {
        let slot = slot(value);
        self.0[slot >> 6] |= 1 << (slot & 63);
    }

    fn add(&mut self, others: &Values) {
        for (word, other) in self.0.iter_mut().zip(&others.0) {
            *word |= other;
        }
    }

    /// The values in ascending order, at least one.
    fn palette(&self) -> Vec<i16> {
        let all = i16::MIN..=i16::MAX;
        let has = |value: &i16| self.0[slot(*value) >> 6] >> (slot(*value) & 63) & 1 != 0;
        let mut palette: Vec<i16> = all.filter(has).collect();
        if palette.is_empty() {
            palette.push(0);
        }
        palette
    }
}

/// Looks at every position with a side to move of a table that asks who wins: which values
/// are stored, and of which positions.
pub(super) fn look(
    plan: &TablePlan,
    ground: &Ground,
    turn: Colour,
    fill: &Fill,
) -> Result<(Vec<i16>, Vec<Look>), WriteError> {
    let positions = plan.index.len();
    let mut all = vec![Look::NOTHING; positions as usize];
    let chunk = |(chunk, looks): (usize, &mut [Look])| -> Result<Values, ProbeError> {
        let first = chunk as u64 * CHUNK;
        let indices = first..first + looks.len() as u64;
        let mut values = vec![score::DONT_CARE; looks.len()];
        fill(turn, indices.clone(), &mut values);
        let results = ground.tables.results_of(&plan.index, turn, indices)?;
        let mut seen = Values::none();
        for ((value, result), look) in values.into_iter().zip(results).zip(looks) {
            let result = Wdl::from_value(result);
            if value != score::DONT_CARE && drawn(plan.metric, result).is_none() {
                *look = Look(rank(result));
                seen.insert(value);
            }
        }
        Ok(seen)
    };
    let parts: Vec<Values> = all
        .par_chunks_mut(CHUNK as usize)
        .enumerate()
        .map(chunk)
        .collect::<Result<_, ProbeError>>()
        .map_err(WriteError::Ground)?;
    let mut seen = Values::none();
    parts.iter().for_each(|part| seen.add(part));
    Ok((seen.palette(), all))
}
