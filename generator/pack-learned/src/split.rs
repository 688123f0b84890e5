//! Finds the best question to ask at a node: a feature, and its values that go left.

use std::ops::Range;

use retrograde_learned::{Domain, Feature, Features, node_coding::Split};

use crate::entropy::{Prices, TABLE, bits, products};
use crate::samples::Samples;
use crate::tally::{Counter, FEW, MOST, Tally, Weights, cost, each};

/// Samples that all features are tried on; the best are tried again on more.
pub(crate) const FIRST_LOOK: usize = 2048;
/// Samples that the best features are tried on.
pub(crate) const SECOND_LOOK: usize = 1 << 14;
/// Features that get a second look.
const CHOSEN: usize = 4;
/// The samples of a node that are looked at.
#[derive(Clone, Debug)]
pub(crate) struct Look {
    /// The samples, those of the first look before the others.
    pub(crate) samples: Vec<u32>,
    /// The number of samples that get the first look.
    pub(crate) first: usize,
    /// The number of samples of the node.
    pub(crate) total: usize,
    /// The number of positions that each stands for, with 8 bits after the point.
    pub(crate) weight: Weight,
}

/// The number of positions that the samples looked at stand for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Weight {
    /// Each of the node's samples stands for as many, with 8 bits after the point.
    Same(u64),
    /// Samples of a common symbol stand for other numbers than the rest.
    Apart {
        /// The symbol of which fewer samples are looked at than of others.
        common: Option<u16>,
        /// The numbers of samples with this symbol, and with others, for each that is looked at,
        /// for the first look and the second, with 8 bits after the point.
        factors: [[u64; 2]; 2],
    },
}

impl Look {
    /// The gain on all positions that a gain on some samples amounts to.
    fn worth(&self, gain: i64, seen: usize) -> i64 {
        match self.weight {
            Weight::Same(scale) => {
                let all = i128::from(gain) * self.total as i128 * i128::from(scale);
                ((all / seen as i128) >> 8) as i64
            }
            Weight::Apart { .. } => gain >> 8,
        }
    }
}

/// Looks for splits; keeps its room from node to node.
pub(crate) struct Finder<'a> {
    features: &'a Features,
    prices: Prices,
    pub(crate) counter: Counter<'a>,
    /// The bins of the features that were cut.
    bins: Vec<u8>,
}

/// A cut as it would be written down.
#[derive(Clone, Copy)]
struct Offer {
    feature: u8,
    gain: i64,
    left: u128,
    price: u64,
}

impl<'a> Finder<'a> {
    /// A finder for samples with symbols below `symbols`.
    pub(crate) fn new(
        features: &'a Features,
        samples: &'a Samples,
        symbols: usize,
        prices: Prices,
    ) -> Finder<'a> {
        let least = (prices.node + prices.leaf) as i64;
        Finder {
            features,
            prices,
            counter: Counter::new(features, samples, symbols, least),
            bins: Vec::new(),
        }
    }

    /// A finder for other samples of the same source.
    pub(crate) fn with<'b>(&self, samples: &'b Samples) -> Finder<'b>
    where
        'a: 'b,
    {
        Finder::new(self.features, samples, self.counter.symbols(), self.prices)
    }

    /// The samples that it looks at.
    pub(crate) fn samples(&self) -> &'a Samples {
        self.counter.samples
    }

    /// The numbers of all features.
    pub(crate) fn all(&self) -> Vec<u8> {
        (0..self.features.list().len() as u16)
            .map(|feature| feature as u8)
            .collect()
    }

    /// The best split of a large node; `None` if none pays.
    pub(crate) fn best(&mut self, look: &Look, features: &[u8]) -> Option<Split> {
        if look.samples.is_empty() {
            return None;
        }
        self.counter.start(&look.samples);
        match self.counter.tally.are_few {
            true => self.best_of::<FEW>(look, features),
            false => self.best_of::<MOST>(look, features),
        }
    }

    /// The best split of a large node that has been started, of at most `K` classes.
    fn best_of<const K: usize>(&mut self, look: &Look, features: &[u8]) -> Option<Split> {
        let looked = &look.samples[..];
        let weights = self.weights(looked, look.weight, 1);
        // What cannot gain enough even if everything were known is left.
        if look.worth(cost(&self.counter.tally.totals, &weights), looked.len())
            <= self.counter.least
        {
            return None;
        }
        let first = &looked[..looked.len().min(look.first)];
        let first_weights = self.weights(first, look.weight, 0);
        self.counter.count::<K>(first, features);
        let cuts = self.cuts::<K>(features, &first_weights);
        let mut chosen = self.ranked(&cuts, |gain| look.worth(gain, first.len()));
        chosen.truncate(CHOSEN);
        chosen.sort_unstable();
        self.counter.count::<K>(looked, &chosen);
        let cuts = self.cuts::<K>(&chosen, &weights);
        self.finish::<K>(&cuts, |gain| look.worth(gain, looked.len()), &weights)
    }

    /// The best split of a node by some features, if it pays, and the tally of the node. All
    /// samples are looked at; each stands for one position.
    pub(crate) fn best_of_all(
        &mut self,
        samples: &[u32],
        features: &[u8],
        tally: Option<Tally>,
    ) -> Option<(Split, Tally)> {
        let is_counted = tally.is_some();
        let counter = &mut self.counter;
        counter.tally = tally.or_else(|| counter.unused.pop()).unwrap_or_default();
        if !is_counted {
            counter.start(samples);
        }
        let may_pay = is_counted || counter.may_pay(&counter.tally.totals);
        if may_pay && !is_counted {
            match counter.tally.are_few {
                true => counter.count::<FEW>(samples, features),
                false => counter.count::<MOST>(samples, features),
            }
        }
        let found = match counter.tally.are_few {
            _ if !may_pay => None,
            true => self.best_counted::<FEW>(features),
            false => self.best_counted::<MOST>(features),
        };
        let tally = std::mem::take(&mut self.counter.tally);
        match found {
            Some(split) => Some((split, tally)),
            None => {
                self.counter.unused.push(tally);
                None
            }
        }
    }

    /// The best split of a node that has been counted.
    fn best_counted<const K: usize>(&mut self, features: &[u8]) -> Option<Split> {
        let cuts = self.cuts::<K>(features, &None);
        self.finish::<K>(&cuts, |gain| gain, &None)
    }

    /// The features of some cuts, the best first, given what gains amount to. What the splits
    /// would take is not worked out.
    fn ranked(&self, cuts: &[Cut], worth: impl Fn(i64) -> i64) -> Vec<u8> {
        let rank = |cut: &Cut| (-self.at_most(cut, &worth), cut.feature);
        let mut ranked: Vec<(i64, u8)> = cuts.iter().map(rank).collect();
        ranked.sort_unstable();
        ranked.iter().map(|&(_, feature)| feature).collect()
    }

    /// The most that a cut can gain in all.
    fn at_most(&self, cut: &Cut, worth: impl Fn(i64) -> i64) -> i64 {
        let about = &self.features.list()[usize::from(cut.feature)];
        worth(cut.gain) - (self.prices.least(about) + self.prices.leaf) as i64
    }

    /// The split by the best of some cuts, if it pays, given what gains amount to.
    fn finish<const K: usize>(
        &self,
        cuts: &[Cut],
        worth: impl Fn(i64) -> i64,
        weights: &Weights,
    ) -> Option<Split> {
        let best = self.best_offer(cuts, &worth)?;
        let about = self.features.list()[usize::from(best.feature)];
        let left = match about.domain {
            Domain::Order => best.left,
            Domain::Set { row } => self.simplify::<K>(&best, &about, row, worth, weights),
        };
        Some(Split {
            feature: best.feature,
            left,
        })
    }

    /// The number of positions that a sample of each class stands for, if it is not the same for
    /// all, in the first (0) or second (1) look.
    fn weights(&self, samples: &[u32], weight: Weight, look: usize) -> Weights {
        let Weight::Apart { common, factors } = weight else {
            return None;
        };
        let rates = self.counter.samples.rates();
        let (mut sums, mut counts) = ([0u64; MOST], [0u64; MOST]);
        for &sample in samples {
            let symbol = self.counter.samples.symbols[sample as usize];
            let class = self.counter.class(symbol) & (MOST - 1);
            let factor = factors[look][usize::from(common != Some(symbol))];
            sums[class] += rates.scale(symbol) * factor;
            counts[class] += 1;
        }
        let mean = |class: usize| (sums[class] / counts[class].max(1)) >> 8;
        Some(std::array::from_fn(mean))
    }

    /// The best of some cuts, if it pays. Few are worked out as far as their price.
    fn best_offer(&self, cuts: &[Cut], worth: impl Fn(i64) -> i64) -> Option<Offer> {
        let mut hopes: Vec<(i64, &Cut)> = cuts
            .iter()
            .map(|cut| (self.at_most(cut, &worth), cut))
            .collect();
        hopes.sort_unstable_by_key(|(hope, cut)| (-hope, cut.feature));
        let mut best: Option<(i64, Offer)> = None;
        for (hope, cut) in hopes {
            if hope <= 0 || best.is_some_and(|(rank, _)| hope < rank) {
                break;
            }
            let offer = self.offer(cut);
            let rank = worth(offer.gain) - offer.price as i64;
            let is_better =
                |&(known, before): &(i64, Offer)| (rank, before.feature) > (known, offer.feature);
            if best.as_ref().is_none_or(is_better) {
                best = Some((rank, offer));
            }
        }
        best.filter(|&(rank, _)| rank > 0).map(|(_, offer)| offer)
    }

    fn offer(&self, cut: &Cut) -> Offer {
        let about = &self.features.list()[usize::from(cut.feature)];
        let (lefts, rights) = self.bins[cut.bins.clone()].split_at(cut.lefts);
        let left = match about.domain {
            Domain::Order => (2u128 << lefts[lefts.len() - 1]) - 1,
            Domain::Set { row } => {
                let set = |bins: &[u8]| bins.iter().fold(0u128, |set, &bin| set | 1 << bin);
                let left = set(lefts);
                smooth(left, left | set(rights), about.size, row)
            }
        };
        Offer {
            feature: cut.feature,
            gain: cut.gain,
            left,
            price: self.prices.ask(about, left) + self.prices.leaf,
        }
    }
}

/// The best split by one feature, and what it gains on the samples that were looked at.
struct Cut {
    feature: u8,
    gain: i64,
    /// The bins of the feature among those of all features, in the order in which they are cut, and
    /// the number of them that go left.
    bins: Range<usize>,
    lefts: usize,
}

impl Finder<'_> {
    /// The best split by each feature, by what has been counted.
    fn cuts<const K: usize>(&mut self, features: &[u8], weights: &Weights) -> Vec<Cut> {
        self.bins.clear();
        let totals = std::array::from_fn(|class| self.counter.tally.totals[class]);
        let whole = cost(&totals, weights);
        let scan = |&feature: &u8| self.scan::<K>(feature, &totals, whole, weights);
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
            let counts = self.counter.counts::<K>(feature, bin);
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
        totals: &[u32; K],
        whole: i64,
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
                each(self.counter.counts::<K>(feature, bin), |class, count| {
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
                let counts = self.counter.counts::<K>(feature, bin);
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

impl Finder<'_> {
    /// Moves values to where their neighbours go, if that costs less than it
    /// saves in the model.
    fn simplify<const K: usize>(
        &self,
        best: &Offer,
        about: &Feature,
        row: u8,
        worth: impl Fn(i64) -> i64,
        weights: &Weights,
    ) -> u128 {
        let cost = |counts: &[u32; K]| cost(counts, weights);
        let counts = |bin: u8| self.counter.counts::<K>(best.feature, bin);
        let (mut left, mut known) = (best.left, 0u128);
        let mut sides = [[0u32; K]; 2];
        for bin in 0..about.size {
            let side = &mut sides[(left >> bin & 1) as usize];
            for (sum, &count) in side.iter_mut().zip(counts(bin)) {
                *sum += u32::from(count);
                known |= u128::from(count > 0) << bin;
            }
        }
        let mut now = cost(&sides[0]) + cost(&sides[1]);
        for bin in 0..about.size {
            let (here, column) = (left >> bin & 1, bin % row);
            let mut others = 0i64;
            let mut look = |is_there: bool, near: u8| {
                if is_there {
                    others += if left >> near & 1 == here { -1 } else { 1 };
                }
            };
            look(column > 0, bin.wrapping_sub(1));
            look(column + 1 < row && bin + 1 < about.size, bin + 1);
            look(bin >= row, bin.wrapping_sub(row));
            look(bin + row < about.size, bin + row);
            if known >> bin & 1 == 0 || others <= 0 {
                continue;
            }
            let mut moved = sides;
            for (place, &count) in counts(bin).iter().enumerate() {
                moved[here as usize][place] -= u32::from(count);
                moved[1 - here as usize][place] += u32::from(count);
            }
            let then = cost(&moved[0]) + cost(&moved[1]);
            if worth(then - now) < others * SAVED as i64 {
                (sides, now) = (moved, then);
                left ^= 1 << bin;
            }
        }
        smooth(left, known, about.size, row)
    }
}

/// Lets values that nobody has go where their neighbours do: such sets are
/// cheap to write down.
fn smooth(left: u128, known: u128, size: u8, row: u8) -> u128 {
    let mut out = left & known;
    let row = u32::from(row.max(1));
    let all = u128::MAX >> (128 - u32::from(size.clamp(1, 128)));
    let mut unknown = !known & all;
    while unknown != 0 {
        let value = unknown.trailing_zeros();
        unknown &= unknown - 1;
        let has = |near: u32| (out >> near & 1) as u32;
        let west = !value.is_multiple_of(row);
        let mut votes = 0;
        let mut voices = 0;
        if west {
            votes += 3 * has(value - 1);
            voices += 3;
        }
        if value >= row {
            votes += 2 * has(value - row);
            voices += 2;
            if west {
                votes += has(value - row - 1);
                voices += 1;
            }
            if value % row + 1 < row {
                votes += has(value - row + 1);
                voices += 1;
            }
        }
        if voices == 0 {
            // At the first value: as the next that is known.
            let next = (known >> value).trailing_zeros();
            votes = u32::from(next < 128 && left >> (value + next.min(127 - value)) & 1 != 0);
            voices = 1;
        }
        if 2 * votes > voices {
            out |= 1 << value;
        }
    }
    out
}

/// The saving in the model if a value goes where one neighbour more does.
const SAVED: u64 = bits(1);
