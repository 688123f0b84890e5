//! The best split by each feature.

use std::ops::Range;

use retrograde_learned::Domain;

use super::Finder;
use super::cost::{Weights, cost, each};
use crate::entropy::{TABLE, products};

/// The best split by one feature, and what it gains on the samples that were looked at.
pub(super) struct Cut {
    pub(super) feature: u8,
    pub(super) gain: i64,
    /// Where its bins are among those of all features, in the order in which they are
    /// cut, and how many of them go left.
    pub(super) bins: Range<usize>,
    pub(super) lefts: usize,
}

impl Finder<'_> {
    /// The best split by each feature, by what has been counted.
    pub(super) fn cuts<const K: usize>(&mut self, features: &[u8], weights: &Weights) -> Vec<Cut> {
        self.bins.clear();
        let totals = std::array::from_fn(|class| self.tally.totals[class]);
        let whole = cost(&totals, weights);
        let scan = |&feature: &u8| self.scan::<K>(feature, (&totals, whole), weights);
        features.iter().filter_map(scan).collect()
    }

    /// Adds the bins of a feature that are not empty to those that were cut, in the order
    /// in which they are.
    fn order<const K: usize>(&mut self, feature: u8) {
        let about = &self.features.list()[usize::from(feature)];
        let is_set = about.domain != Domain::Order;
        let mut keys = [0u64; 128];
        let mut count = 0;
        for bin in 0..about.size.min(128) {
            let counts = self.counts::<K>(feature, bin);
            if *counts == [0; K] {
                continue;
            }
            let mut key = 0;
            if is_set {
                // Of all classes alike: a branch for each that occurs would be mispredicted.
                let sum: u32 = counts.iter().map(|&count| u32::from(count)).sum();
                let classes = (0u32..).zip(counts);
                let weighed: u32 = classes
                    .map(|(class, &count)| class * u32::from(count))
                    .sum();
                key = (u64::from(weighed) << 20) / u64::from(sum);
            }
            keys[count] = key << 8 | u64::from(bin);
            count += 1;
        }
        if is_set {
            keys[..count].sort_unstable();
        }
        self.bins.extend(keys[..count].iter().map(|&key| key as u8));
    }

    fn scan<const K: usize>(
        &mut self,
        feature: u8,
        (totals, whole): (&[u32; K], i64),
        weights: &Weights,
    ) -> Option<Cut> {
        let start = self.bins.len();
        self.order::<K>(feature);
        let (bins, end) = (&self.bins[start..], self.bins.len());
        if bins.len() < 2 {
            return None;
        }
        let (mut left, mut right) = ([0u32; K], *totals);
        let (mut best, mut lefts) = (0, 0);
        // If all samples count alike, a bin changes only the terms of the classes that it has.
        if weights.is_none() {
            let table = products();
            let log = |n: u32| i64::from(table[(n as usize).min(TABLE)]);
            let all: u32 = right.iter().sum();
            let (mut left_all, mut left_parts) = (0u32, 0i64);
            let mut right_parts: i64 = right.iter().map(|&n| log(n)).sum();
            for (place, &bin) in bins.iter().enumerate().take(bins.len() - 1) {
                each(self.counts::<K>(feature, bin), |class, count| {
                    let (l, r) = (&mut left[class], &mut right[class]);
                    left_parts += log(*l + count) - log(*l);
                    right_parts += log(*r - count) - log(*r);
                    *l += count;
                    *r -= count;
                    left_all += count;
                });
                let gain =
                    whole - (log(left_all) - left_parts) - (log(all - left_all) - right_parts);
                if gain > best {
                    (best, lefts) = (gain, place + 1);
                }
            }
        } else {
            for (place, &bin) in bins.iter().enumerate().take(bins.len() - 1) {
                let counts = self.counts::<K>(feature, bin);
                for ((l, r), &count) in left.iter_mut().zip(&mut right).zip(counts) {
                    *l += u32::from(count);
                    *r -= u32::from(count);
                }
                let gain = whole - cost(&left, weights) - cost(&right, weights);
                if gain > best {
                    (best, lefts) = (gain, place + 1);
                }
            }
        }
        (lefts > 0).then_some(Cut {
            feature,
            gain: best,
            bins: start..end,
            lefts,
        })
    }
}
