//! Positions after a move, divided by what they are worth to those who can move there.

use retrograde_index::{Metric, Wdl, score};

use super::one_ply::QuietSearch;
use crate::other_side::one_ply_before;
use crate::settled::number;

/// What the values of the positions after a move make of those before it.
pub(super) struct Worth {
    pub(super) metric: Metric,
    /// See [`Game::zeroing_limit`](retrograde_rules::Game::zeroing_limit).
    pub(super) limit: i16,
}

impl Worth {
    /// The kind of positions for which a move to a position with this result and value
    /// counts, and the value that it gives.
    fn of(&self, result: Wdl, value: i16) -> Option<(u8, i16)> {
        let (result, value) = match self.metric {
            Metric::Dtz => {
                let plies = value.saturating_add(1);
                let result = result.reversed();
                match plies > self.limit {
                    true => (result.cursed(), plies),
                    false => (result, plies),
                }
            }
            _ => {
                let value = one_ply_before(value);
                (Wdl::from_value(value.signum()), value)
            }
        };
        (result != Wdl::Draw).then(|| (self.kind(result), value))
    }

    /// The kind of positions with this result.
    pub(super) fn kind(&self, result: Wdl) -> u8 {
        match (self.metric, result) {
            (Metric::Dtz, _) => number(Some(result)),
            // Nobody counts moves.
            (_, Wdl::CursedWin) => number(Some(Wdl::Win)),
            (_, Wdl::BlessedLoss) => number(Some(Wdl::Loss)),
            _ => number(Some(result)),
        }
    }
}

/// Pairs of a result and a value.
pub(super) const PAIRS: usize = Wdl::ALL.len() << 16;

pub(super) fn pair(result: Wdl, value: i16) -> usize {
    usize::from(number(Some(result)) - 1) << 16 | usize::from(value as u16)
}

/// The sets of positions after a move: those with the same worth before it.
pub(super) struct Sets {
    pub(super) kinds_of_sets: Vec<u8>,
    pub(super) worths: Vec<i16>,
    /// The set of every pair of a result and a value.
    pub(super) of: Vec<u16>,
}

impl Sets {
    /// Of the pairs that occur. The shortest wins are tried first, and the longest losses.
    pub(super) fn new(worth: &Worth, occurs: &[bool]) -> Option<Sets> {
        let mut all = Vec::new();
        for result in Wdl::ALL {
            for value in i16::MIN..=i16::MAX {
                let pair = pair(result, value);
                if occurs[pair] {
                    all.extend(worth.of(result, value).map(|worth| (worth, pair)));
                }
            }
        }
        let plies = |value: i16| match worth.metric {
            Metric::Dtz => i32::from(value),
            _ => score::plies(value).map_or(0, |plies| plies as i32),
        };
        all.sort_unstable_by_key(|&((kind, value), pair)| {
            let wins = kind > number(Some(Wdl::Draw));
            (kind, if wins { plies(value) } else { -plies(value) }, pair)
        });
        let mut sets = Sets {
            kinds_of_sets: Vec::new(),
            worths: Vec::new(),
            of: vec![QuietSearch::NO_SET; PAIRS],
        };
        let mut last = None;
        for (worth, pair) in all {
            if last != Some(worth) {
                last = Some(worth);
                sets.kinds_of_sets.push(worth.0);
                sets.worths.push(worth.1);
            }
            let set = u16::try_from(sets.kinds_of_sets.len() - 1).ok()?;
            sets.of[pair] = Some(set).filter(|&set| set != QuietSearch::NO_SET)?;
        }
        Some(sets)
    }
}
