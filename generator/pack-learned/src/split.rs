//! Finds what to ask at a node.

mod classes;
mod cost;
mod prices;
mod smooth;

use retrograde_learned::{Domain, Features, layout::Split};

use crate::entropy::{TABLE, products};
use crate::samples::{Palette, Samples};
use classes::{Classes, LOOSE, TIGHT};
use cost::{cost_loose, cost_tight};
pub(crate) use prices::{Prices, bits};
use smooth::smooth;

/// Samples that all features are tried on; the best are tried again on more.
const FIRST_LOOK: usize = 4096;
/// Samples that the best features are tried on.
const SECOND_LOOK: usize = 1 << 14;
/// Features that get a second look.
const CHOSEN: usize = 8;
/// A node leaves the worst third of its features out below, but keeps this
/// many.
const KEPT: usize = 32;
/// Looks for splits; keeps its room from node to node.
pub(crate) struct Finder<'a> {
    features: &'a Features,
    samples: &'a Samples,
    palette: &'a Palette,
    prices: Prices,
    /// Where the bins of each feature begin.
    offsets: Vec<usize>,
    /// Counts by bin and class.
    histogram: Vec<u16>,
    /// Counts by cell, zero between nodes.
    counts: Vec<u32>,
    class_of: Vec<u8>,
}

/// What to ask, and which features are worth trying further down.
pub(crate) struct Found {
    pub(crate) split: Split,
    pub(crate) features: Vec<u8>,
}

/// A split by one feature, and what it gains on the samples that were looked
/// at.
#[derive(Clone, Copy)]
struct Offer {
    feature: u8,
    gain: i64,
    left: u128,
    price: u64,
}

impl<'a> Finder<'a> {
    pub(crate) fn new(
        features: &'a Features,
        samples: &'a Samples,
        palette: &'a Palette,
        prices: Prices,
    ) -> Finder<'a> {
        let mut bins = 0;
        let offsets = features
            .list()
            .iter()
            .map(|feature| {
                bins += usize::from(feature.size);
                bins - usize::from(feature.size)
            })
            .collect();
        Finder {
            features,
            samples,
            palette,
            prices,
            offsets,
            histogram: vec![0; bins * TIGHT],
            counts: vec![0; palette.cells.len()],
            class_of: vec![0; palette.cells.len()],
        }
    }

    /// A finder for other samples of the same class.
    pub(crate) fn with<'b>(&self, samples: &'b Samples) -> Finder<'b>
    where
        'a: 'b,
    {
        Finder::new(self.features, samples, self.palette, self.prices)
    }

    /// The samples that it looks at.
    pub(crate) fn samples(&self) -> &'a Samples {
        self.samples
    }

    /// All features.
    pub(crate) fn all(&self) -> Vec<u8> {
        (0..self.offsets.len() as u16)
            .map(|feature| feature as u8)
            .collect()
    }

    /// The best split of some samples, each of which stands for `scale`
    /// positions (8 bits after the point), by some features; `None` if none
    /// pays.
    pub(crate) fn best(&mut self, samples: &[u32], features: &[u8], scale: u64) -> Option<Found> {
        if samples.is_empty() {
            return None;
        }
        let looked = &samples[..samples.len().min(SECOND_LOOK)];
        let classes = self.classify(looked);
        if !classes.loose.is_empty() {
            let cost = |counts: &[u32; LOOSE]| cost_loose(counts, &classes);
            self.best_of::<LOOSE>(samples, features, scale, &classes, cost)
        } else if classes.sums[LOOSE..].iter().all(|&sum| sum == 0) {
            self.best_of::<LOOSE>(samples, features, scale, &classes, cost_tight)
        } else {
            self.best_of::<TIGHT>(samples, features, scale, &classes, cost_tight)
        }
    }

    fn best_of<const K: usize>(
        &mut self,
        samples: &[u32],
        features: &[u8],
        scale: u64,
        classes: &Classes,
        cost: impl Fn(&[u32; K]) -> i64,
    ) -> Option<Found> {
        let looked = &samples[..samples.len().min(SECOND_LOOK)];
        let worth = |gain: i64, seen: usize| -> i64 {
            let all = i128::from(gain) * samples.len() as i128 * i128::from(scale);
            ((all / seen as i128) >> 8) as i64
        };
        // What cannot gain enough even if everything were known is left.
        let sums = std::array::from_fn(|class| classes.sums[class]);
        let least = (self.prices.node + self.prices.leaf) as i64;
        if worth(cost(&sums), looked.len()) <= least {
            return None;
        }
        let first = &looked[..looked.len().min(FIRST_LOOK)];
        let mut offers = self.offers(first, features, classes, &cost);
        let rank = |offer: &Offer, seen| worth(offer.gain, seen) - offer.price as i64;
        let seen = first.len();
        offers.sort_by_key(|offer| (-rank(offer, seen), offer.feature));
        let mut kept: Vec<u8> = offers.iter().map(|offer| offer.feature).collect();
        kept.truncate(KEPT.max(kept.len() * 2 / 3));
        kept.sort_unstable();
        if looked.len() > first.len() {
            let mut chosen: Vec<u8> = offers
                .iter()
                .take(CHOSEN)
                .map(|offer| offer.feature)
                .collect();
            chosen.sort_unstable();
            offers = self.offers(looked, &chosen, classes, &cost);
        }
        let seen = looked.len();
        let best = offers
            .iter()
            .max_by_key(|offer| (rank(offer, seen), u8::MAX - offer.feature))?;
        if rank(best, seen) <= 0 {
            return None;
        }
        let about = self.features.list()[usize::from(best.feature)];
        let left = match about.domain {
            Domain::Order => best.left,
            Domain::Set { row } => {
                self.simplify::<K>(best, &about, row, |gain| worth(gain, seen), cost)
            }
        };
        Some(Found {
            split: Split {
                feature: best.feature,
                left,
            },
            features: kept,
        })
    }

    /// Puts the samples that go left before those that go right, both in the
    /// order in which they are; gives how many go left.
    pub(crate) fn part(&self, order: &mut [u32], spare: &mut [u32], split: Split) -> usize {
        let (mut lefts, mut rights) = (0, 0);
        for read in 0..order.len() {
            let sample = order[read];
            let value = self.samples.row(sample)[usize::from(split.feature)];
            let left = split.left >> (value & 127) & 1 != 0;
            order[lefts] = sample;
            spare[rights] = sample;
            lefts += usize::from(left);
            rights += usize::from(!left);
        }
        order[lefts..].copy_from_slice(&spare[..rights]);
        lefts
    }

    /// The best split by each feature.
    fn offers<const K: usize>(
        &mut self,
        samples: &[u32],
        features: &[u8],
        classes: &Classes,
        cost: &impl Fn(&[u32; K]) -> i64,
    ) -> Vec<Offer> {
        self.tally::<K>(samples, features);
        let scan = |&feature: &u8| self.scan::<K>(feature, classes, cost);
        features.iter().filter_map(scan).collect()
    }

    fn tally<const K: usize>(&mut self, samples: &[u32], features: &[u8]) {
        let starts: Vec<(u8, u32)> = features
            .iter()
            .map(|&feature| {
                let start = self.offsets[usize::from(feature)] * K;
                let size = usize::from(self.features.list()[usize::from(feature)].size);
                self.histogram[start..start + size * K].fill(0);
                (feature, start as u32)
            })
            .collect();
        for &sample in samples {
            let row = self.samples.row(sample);
            let class = u32::from(self.class_of[usize::from(self.samples.cells[sample as usize])]);
            for &(feature, start) in &starts {
                let bin = u32::from(row[usize::from(feature)]);
                self.histogram[(start + bin * K as u32 + class) as usize] += 1;
            }
        }
    }

    /// The bins of a feature that are not empty, in the order in which they
    /// are cut.
    fn order<const K: usize>(&self, feature: u8, weights: &[u32; TIGHT]) -> Vec<u8> {
        let about = &self.features.list()[usize::from(feature)];
        let is_set = about.domain != Domain::Order;
        let mut keys: Vec<u64> = Vec::with_capacity(usize::from(about.size));
        for bin in 0..about.size {
            let counts = self.counts::<K>(feature, bin);
            if *counts == [0; K] {
                continue;
            }
            let mut key = 0;
            if is_set {
                let sum: u32 = counts.iter().map(|&count| u32::from(count)).sum();
                let weighed = counts.iter().zip(weights);
                let weighed: u64 = weighed.map(|(&c, &w)| u64::from(c) * u64::from(w)).sum();
                key = (weighed << 20) / u64::from(sum);
            }
            keys.push(key << 8 | u64::from(bin));
        }
        if is_set {
            keys.sort_unstable();
        }
        keys.into_iter().map(|key| key as u8).collect()
    }

    /// What is in a bin, by class.
    #[inline]
    fn counts<const K: usize>(&self, feature: u8, bin: u8) -> &[u16; K] {
        let bins = self.histogram.as_chunks().0;
        &bins[self.offsets[usize::from(feature)] + usize::from(bin)]
    }

    fn scan<const K: usize>(
        &self,
        feature: u8,
        classes: &Classes,
        cost: &impl Fn(&[u32; K]) -> i64,
    ) -> Option<Offer> {
        let bins = self.order::<K>(feature, &classes.weights);
        if bins.len() < 2 {
            return None;
        }
        let mut right: [u32; K] = [0; K];
        for &bin in &bins {
            for (sum, &count) in right.iter_mut().zip(self.counts::<K>(feature, bin)) {
                *sum += u32::from(count);
            }
        }
        let mut left = [0u32; K];
        let (mut best, mut cut) = (0, 0);
        let whole = cost(&right);
        if classes.loose.is_empty() {
            let table = products();
            let log = |n: u32| i64::from(table[(n as usize).min(TABLE)]);
            let all: u32 = right.iter().sum();
            let (mut left_all, mut left_parts) = (0u32, 0i64);
            let mut right_parts: i64 = right.iter().map(|&n| log(n)).sum();
            for (place, &bin) in bins.iter().enumerate().take(bins.len() - 1) {
                let counts = self.counts::<K>(feature, bin);
                for ((l, r), &count) in left.iter_mut().zip(&mut right).zip(counts) {
                    if count > 0 {
                        let count = u32::from(count);
                        left_parts += log(*l + count) - log(*l);
                        right_parts += log(*r - count) - log(*r);
                        *l += count;
                        *r -= count;
                        left_all += count;
                    }
                }
                let gain =
                    whole - (log(left_all) - left_parts) - (log(all - left_all) - right_parts);
                if gain > best {
                    (best, cut) = (gain, place + 1);
                }
            }
        } else {
            for (place, &bin) in bins.iter().enumerate().take(bins.len() - 1) {
                let counts = self.counts::<K>(feature, bin);
                for ((l, r), &count) in left.iter_mut().zip(&mut right).zip(counts) {
                    *l += u32::from(count);
                    *r -= u32::from(count);
                }
                let gain = whole - cost(&left) - cost(&right);
                if gain > best {
                    (best, cut) = (gain, place + 1);
                }
            }
        }
        (cut > 0).then(|| self.offer(feature, &bins, cut, best))
    }

    fn offer(&self, feature: u8, bins: &[u8], cut: usize, gain: i64) -> Offer {
        let about = &self.features.list()[usize::from(feature)];
        let left = match about.domain {
            Domain::Order => (2u128 << bins[cut - 1]) - 1,
            Domain::Set { row } => {
                let set = |bins: &[u8]| bins.iter().fold(0u128, |set, &bin| set | 1 << bin);
                let left = set(&bins[..cut]);
                smooth(left, left | set(&bins[cut..]), about.size, row)
            }
        };
        Offer {
            feature,
            gain,
            left,
            price: self.prices.ask(about, left) + self.prices.leaf,
        }
    }
}
