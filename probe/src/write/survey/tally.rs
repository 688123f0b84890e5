//! Adds up counts of values, and makes the statistics of a table of them.

use std::collections::BTreeMap;

use retrograde_index::Wdl;

use crate::format::{Count, MOST_LISTED, SideStatistics, Statistics, ZugzwangStatistics};

/// The counts so far.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) sides: [SideTally; 2],
    pub(super) zugzwangs: Found,
    /// Whether some values could not be counted.
    pub(super) is_void: bool,
}

/// The counts of one side to move.
#[derive(Default)]
pub(super) struct SideTally {
    /// The counts by the place of the result from the best, and plies.
    pub(super) counts: BTreeMap<(usize, u16), u64>,
    /// The most plies so far, and the lowest indices that take as many.
    pub(super) longest: Option<(u16, Vec<u64>)>,
    pub(super) blocked: u64,
}

/// Mutual zugzwangs.
#[derive(Default)]
pub(super) struct Found {
    pub(super) positions: u64,
    /// Placements of which mirror images count once, in eighths.
    pub(super) eighths: u64,
    pub(super) full_point: u64,
    pub(super) lowest: Vec<u64>,
}

impl Tally {
    /// Adds what was counted of higher indices.
    pub(super) fn add(&mut self, other: Tally) {
        for (side, other) in self.sides.iter_mut().zip(other.sides) {
            for (value, positions) in other.counts {
                *side.counts.entry(value).or_default() += positions;
            }
            side.longest = match (side.longest.take(), other.longest) {
                (Some((plies, mut list)), Some((more, others))) if plies == more => {
                    list.extend(others);
                    Some((plies, lowest(list)))
                }
                (mine, theirs) => {
                    let plies = |longest: &Option<(u16, _)>| longest.as_ref().map(|l| l.0);
                    if plies(&theirs) > plies(&mine) {
                        theirs
                    } else {
                        mine
                    }
                }
            };
            side.blocked += other.blocked;
        }
        self.is_void |= other.is_void;
        let (found, other) = (&mut self.zugzwangs, other.zugzwangs);
        found.positions += other.positions;
        found.eighths += other.eighths;
        found.full_point += other.full_point;
        found.lowest.extend(other.lowest);
        found.lowest = lowest(std::mem::take(&mut found.lowest));
    }

    /// The statistics of all that was counted; `None` if that is not everything.
    pub(super) fn statistics(self) -> Option<Statistics> {
        if self.is_void {
            return None;
        }
        let side = |side: SideTally| SideStatistics {
            counts: side.counts.into_iter().map(count).collect(),
            longest: side.longest.map_or(Vec::new(), |(_, indices)| indices),
            blocked: side.blocked,
        };
        let found = self.zugzwangs;
        Some(Statistics {
            sides: self.sides.map(side),
            zugzwangs: ZugzwangStatistics {
                positions: found.positions,
                up_to_symmetry: found.eighths / 8,
                full_point: found.full_point,
                lowest: found.lowest,
            },
        })
    }
}

fn count(((place, plies), positions): ((usize, u16), u64)) -> Count {
    Count {
        result: Wdl::ALL[place],
        plies,
        positions,
    }
}

/// The lowest of some indices, as many as are listed.
pub(super) fn lowest(mut indices: Vec<u64>) -> Vec<u64> {
    indices.sort_unstable();
    indices.dedup();
    indices.truncate(MOST_LISTED);
    indices
}
