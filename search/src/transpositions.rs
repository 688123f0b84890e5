//! Stores what has been proved or refuted so far, by position and question.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::questions::NEVER;

/// The bounds of a question about a position. Both are facts: they hold whatever
/// led to the position and however deep the search was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Bounds {
    /// Proved within this many plies; [`NEVER`] if not proved.
    pub(crate) yes: u16,
    /// Cannot be proved within this many plies.
    pub(crate) no: Option<u16>,
    /// The move that proved or refuted it, by its place among the legal moves.
    pub(crate) best: Option<u8>,
}

impl Bounds {
    pub(crate) const NOTHING: Bounds = Bounds {
        yes: NEVER,
        no: None,
        best: None,
    };

    fn pack(self) -> u64 {
        // So that 0 means nothing.
        let no = self.no.map_or(0, |plies| u64::from(plies) + 1);
        let best = self.best.map_or(0, |place| u64::from(place) + 1);
        u64::from(!self.yes) | no << 16 | best << 40
    }

    fn unpack(data: u64) -> Bounds {
        let no = (data >> 16) as u32 & 0xff_ffff;
        let best = (data >> 40) as u16;
        Bounds {
            yes: !(data as u16),
            no: no.checked_sub(1).map(|plies| plies as u16),
            best: best.checked_sub(1).map(|place| place as u8),
        }
    }

    /// Roughly the plies of search behind it; the largest are kept longest.
    fn worth(self) -> u16 {
        match (self.yes, self.no) {
            (NEVER, None) => 0,
            (NEVER, Some(NEVER)) => 1,
            (NEVER, Some(plies)) => plies + 1,
            (plies, _) => plies + 1,
        }
    }
}

/// The number of entries that a key may be in.
const BUCKET: usize = 4;

/// The initial number of buckets.
const FIRST: usize = 1 << 13;

/// The number of entries that are sampled to tell how full the table is.
const SAMPLE: usize = 1 << 10;

/// An entry. The key is stored mixed with the data, so that an entry of which two threads
/// wrote one half each belongs to no key.
#[derive(Default)]
struct Entry {
    check: AtomicU64,
    data: AtomicU64,
}

/// A table of bounded size, which threads share without locks.
pub(crate) struct Transpositions {
    entries: Vec<Entry>,
    /// The most buckets that there may be: a power of two.
    most: usize,
}

impl Transpositions {
    /// A table that never takes more bytes than this, or the least that it needs if that is
    /// more. It grows as it fills.
    pub(crate) fn new(bytes: u64) -> Transpositions {
        let bytes = usize::try_from(bytes).unwrap_or(usize::MAX);
        let buckets = bytes / (BUCKET * size_of::<Entry>());
        // While it grows, the old table exists as well.
        let most = 1 << (buckets / 5 * 4).max(1).ilog2();
        Transpositions {
            entries: empty(most.min(FIRST)),
            most,
        }
    }

    /// The bucket of a key.
    #[inline]
    fn bucket(&self, key: [u64; 2]) -> &[Entry] {
        let buckets = self.entries.len() / BUCKET;
        let first = (key[0] as usize & (buckets - 1)) * BUCKET;
        &self.entries[first..first + BUCKET]
    }

    /// The bounds that are known; [`Bounds::NOTHING`] if none are.
    #[inline]
    pub(crate) fn get(&self, key: [u64; 2]) -> Bounds {
        for entry in self.bucket(key) {
            let data = entry.data.load(Ordering::Relaxed);
            if entry.check.load(Ordering::Relaxed) ^ data == key[1] && data != 0 {
                return Bounds::unpack(data);
            }
        }
        Bounds::NOTHING
    }

    /// Stores what is known in place of the least valuable entry.
    #[inline]
    pub(crate) fn put(&self, key: [u64; 2], bounds: Bounds) {
        let bucket = self.bucket(key);
        let mut place = &bucket[0];
        let mut least = u32::MAX;
        for entry in bucket {
            let data = entry.data.load(Ordering::Relaxed);
            if entry.check.load(Ordering::Relaxed) ^ data == key[1] && data != 0 {
                place = entry;
                break;
            }
            let worth = match data {
                0 => 0,
                _ => 1 + u32::from(Bounds::unpack(data).worth()),
            };
            if worth < least {
                least = worth;
                place = entry;
            }
        }
        let data = bounds.pack();
        place.data.store(data, Ordering::Relaxed);
        place.check.store(key[1] ^ data, Ordering::Relaxed);
    }

    /// Makes room if the table is filling up and may grow.
    pub(crate) fn grow(&mut self) {
        let buckets = self.entries.len() / BUCKET;
        let sample = self.entries.iter().step_by(self.entries.len() / SAMPLE + 1);
        let filled = sample
            .filter(|entry| entry.data.load(Ordering::Relaxed) != 0)
            .count();
        if filled < SAMPLE / 3 || buckets >= self.most {
            return;
        }
        // Keys are not stored apart, so everything known is lost; finding it again is
        // faster than working with a small table that keeps forgetting.
        self.entries = Vec::new();
        self.entries = empty((buckets * 8).min(self.most));
    }
}

fn empty(buckets: usize) -> Vec<Entry> {
    let mut entries = Vec::new();
    entries.resize_with(buckets * BUCKET, Entry::default);
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_found_again() {
        let table = Transpositions::new(1 << 20);
        let key = |n: u64| [n.wrapping_mul(0x9e37_79b9_7f4a_7c15), n ^ 0xabcd];
        for (n, yes, no, best) in [
            (1, 7, None, Some(0)),
            (2, NEVER, Some(0), None),
            (3, NEVER, Some(NEVER), Some(254)),
            (4, 300, Some(298), Some(17)),
            (5, 0, None, None),
        ] {
            let bounds = Bounds { yes, no, best };
            assert_eq!(table.get(key(n)), Bounds::NOTHING);
            table.put(key(n), bounds);
            assert_eq!(table.get(key(n)), bounds);
        }
    }

    #[test]
    fn deep_work_outlives_shallow_work() {
        let table = Transpositions::new(1);
        assert_eq!(table.entries.len(), BUCKET);
        let bounds = |no| Bounds {
            no: Some(no),
            ..Bounds::NOTHING
        };
        table.put([0, 1000], bounds(9));
        for n in 0..100 {
            table.put([n, n], bounds(1));
        }
        assert_eq!(table.get([0, 1000]), bounds(9));
    }

    #[test]
    fn it_grows_to_its_limit_and_no_further() {
        let bytes = 8 << 20;
        let mut table = Transpositions::new(bytes);
        for n in 0..1 << 19 {
            let key = [
                (n as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20,
                n as u64,
            ];
            table.put(
                key,
                Bounds {
                    yes: 1,
                    ..Bounds::NOTHING
                },
            );
            if n % 1000 == 0 {
                table.grow();
            }
        }
        let size = (table.entries.len() * size_of::<Entry>()) as u64;
        assert!(size <= bytes && size > bytes / 4, "{size}");
    }
}
