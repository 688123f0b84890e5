//! Traverses the indices of a material, or a sample of them, in parallel.
//!
//! The work can be stopped and continued.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use bitvec::vec::BitVec;
use rayon::prelude::*;
use retrograde_folder::ReadError;
use retrograde_rules::Colour;

use super::journal::{Found, State};
use super::{VerifyError, VerifyObserver};

/// Indices per task if values are unpacked, and if each is looked up.
const CHUNK: u64 = 1 << 14;
const SLOW_CHUNK: u64 = 1 << 6;
/// Tasks between two calls of the observer.
const BATCH: u64 = 64;
/// The time after which progress is saved again.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// The indices that are traversed: those of both sides to move, White's first, or
/// a sample of them.
pub(super) struct Traversal {
    /// The number of indices for each side to move.
    indices: u64,
    picks: Option<Vec<u64>>,
    /// Places per task.
    chunk: u64,
}

impl Traversal {
    /// `unpacked` says that looking up values is cheap.
    pub(super) fn new(indices: u64, sample: Option<u64>, unpacked: bool) -> Traversal {
        let all = 2 * indices;
        Traversal {
            indices,
            picks: sample
                .filter(|&sample| sample < all)
                .map(|sample| pick(sample, all)),
            chunk: if unpacked { CHUNK } else { SLOW_CHUNK },
        }
    }

    /// The number of places.
    pub(super) fn len(&self) -> u64 {
        let picks = self.picks.as_ref().map(|picks| picks.len() as u64);
        picks.unwrap_or(2 * self.indices)
    }

    /// Whether all indices are visited.
    pub(super) fn is_complete(&self) -> bool {
        self.picks.is_none()
    }

    /// The side to move and the index at each place.
    #[inline]
    pub(super) fn indices(&self, places: Range<u64>) -> impl Iterator<Item = (Colour, u64)> + '_ {
        places.map(|place| {
            let place = match &self.picks {
                Some(picks) => picks[place as usize],
                None => place,
            };
            if place < self.indices {
                (Colour::White, place)
            } else {
                (Colour::Black, place - self.indices)
            }
        })
    }

    /// Visits the places from `state.done` to the end, in parallel tasks of many
    /// places each; returns whether the end was reached.
    pub(super) fn run(
        &self,
        state: &mut State,
        observer: &dyn VerifyObserver,
        save: &mut dyn FnMut(&State),
        look: impl Fn(Range<u64>) -> Result<Found, ReadError> + Sync,
    ) -> Result<bool, VerifyError> {
        let total = self.len();
        let mut saved = Instant::now();
        while state.done < total {
            if observer.interrupted() {
                return Ok(false);
            }
            let end = total.min(state.done + BATCH * self.chunk);
            for part in self.batch(state.done..end, &look)? {
                state.add(part);
            }
            state.done = end;
            observer.progress(end, total);
            if saved.elapsed() > SAVE_EVERY {
                save(state);
                saved = Instant::now();
            }
        }
        Ok(true)
    }

    /// The findings of the tasks of some places, in order.
    fn batch(
        &self,
        places: Range<u64>,
        look: impl Fn(Range<u64>) -> Result<Found, ReadError> + Sync,
    ) -> Result<Vec<Found>, ReadError> {
        let found = Mutex::new(Vec::new());
        let tasks: Vec<u64> = places.clone().step_by(self.chunk as usize).collect();
        tasks.into_par_iter().try_for_each(|first| {
            let part = look(first..places.end.min(first + self.chunk))?;
            let mut found = found.lock().unwrap_or_else(|e| e.into_inner());
            found.push((first, part));
            Ok::<_, ReadError>(())
        })?;
        let mut found = found.into_inner().unwrap_or_else(|e| e.into_inner());
        found.sort_by_key(|(first, _)| *first);
        Ok(found.into_iter().map(|(_, part)| part).collect())
    }
}

/// `count` different numbers below `all`, evenly at random but always the same, in
/// ascending order so that neighbours are in one block.
fn pick(count: u64, all: u64) -> Vec<u64> {
    let count = count.min(all);
    let places = (0..).map(|try_number| spread(try_number) % all);
    // A number in a set takes some ten bytes, so that only many take less as bits.
    if count < all / 128 {
        let mut chosen = BTreeSet::new();
        for place in places {
            if chosen.len() as u64 == count {
                break;
            }
            chosen.insert(place);
        }
        return chosen.into_iter().collect();
    }
    let mut chosen: BitVec = BitVec::repeat(false, all as usize);
    let mut left = count;
    for place in places {
        if left == 0 {
            break;
        }
        left -= u64::from(!chosen.replace(place as usize, true));
    }
    chosen.iter_ones().map(|place| place as u64).collect()
}

/// Scrambles a number: the finaliser of SplitMix64 (Steele,
/// Lea and Flood, 2014).
fn spread(index: u64) -> u64 {
    let mut z = index.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ z >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sample takes no bit for each index, which would be more memory than there is.
    #[test]
    fn a_small_sample_of_a_huge_table_takes_little_memory() {
        let picks = pick(1000, 1 << 60);
        assert_eq!(picks.len(), 1000);
        assert!(picks.windows(2).all(|w| w[0] < w[1]));
    }

    #[test]
    fn a_sample_has_as_many_different_indices_as_asked_for() {
        for (count, all) in [
            (0, 10),
            (1, 1),
            (7, 10),
            (9, 10),
            (100, 100_000),
            (1000, 100_000),
        ] {
            let picks = pick(count, all);
            assert_eq!(picks.len() as u64, count);
            assert!(picks.windows(2).all(|w| w[0] < w[1]));
            assert!(picks.iter().all(|&p| p < all));
            assert_eq!(picks, pick(count, all));
        }
        // All parts of the table are sampled.
        let tenths = pick(1000, 100_000).into_iter().map(|p| p / 10_000);
        assert_eq!(tenths.collect::<std::collections::BTreeSet<_>>().len(), 10);
    }
}
