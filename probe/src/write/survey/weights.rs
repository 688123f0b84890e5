//! Tells how many positions on the whole board each index of a table stands for.

use retrograde_index::{Index, score};
use retrograde_rules::Symmetry;

use super::Counts;

/// The number of positions that each of some indices stands for.
pub(super) enum Weights {
    /// The number of indices of a pair of leaders, and a weight for each pair.
    Pairs(usize, Vec<u64>),
    /// A weight for each index.
    Indices(Vec<u8>),
}

impl Weights {
    /// The weights of the indices from `first` on, which are whole pairs of leaders, with their
    /// values for both sides to move.
    pub(super) fn new(index: &Index, first: u64, [white, black]: [&[i16]; 2]) -> Weights {
        if !index.has_equal_leaders() || index.shape().symmetry == Symmetry::None {
            let pair = index.indices_per_pair();
            let pairs = (0..white.len() as u64).step_by(pair as usize);
            let weight = |at| index.pair_weight(((first + at) / pair) as usize);
            return Weights::Pairs(pair as usize, pairs.map(weight).collect());
        }
        let is_position = |value: i16| value != score::DONT_CARE;
        let both = (first..).zip(white.iter().zip(black));
        let weight = |(at, (&white, &black))| match is_position(white) || is_position(black) {
            true => index.weight_of_canonical(at) as u8,
            false => 0,
        };
        Weights::Indices(both.map(weight).collect())
    }

    /// The weight of the index at a place.
    pub(super) fn of(&self, at: usize) -> u64 {
        match self {
            Weights::Pairs(pair, weights) => weights[at / pair],
            Weights::Indices(weights) => weights[at].into(),
        }
    }

    /// The numbers that occur, but for [`score::DONT_CARE`], by the weight of their index.
    pub(super) fn count(&self, keys: &[i16]) -> Vec<(u64, Counts)> {
        match self {
            Weights::Pairs(pair, weights) => {
                let mut end = 0;
                let runs = weights.chunk_by(|a, b| a == b);
                let count = |run: &[u64]| {
                    let start = end;
                    end += run.len() * pair;
                    (run[0], Counts::of(&keys[start..end]))
                };
                runs.map(count).collect()
            }
            Weights::Indices(weights) => {
                let mut all = [false; 256];
                weights.iter().for_each(|&w| all[usize::from(w)] = true);
                // Those of weight 0 have values, too.
                let all = (0..=u8::MAX).filter(|&weight| all[usize::from(weight)]);
                let count = |weight| {
                    let only = |(&key, &w)| if w == weight { key } else { score::DONT_CARE };
                    let keys: Vec<i16> = keys.iter().zip(weights).map(only).collect();
                    (u64::from(weight), Counts::of(&keys))
                };
                all.map(count).collect()
            }
        }
    }
}
