//! Finds what to ask at a node.

mod classes;
mod cost;
mod cuts;
mod follow;
mod node;
mod prices;
mod smooth;
mod tally;

use retrograde_learned::{Domain, Features, layout::Split};

use crate::samples::Samples;
use classes::{FEW, MOST};
use cost::{Weights, cost};
use cuts::Cut;
use follow::{Follower, followers};
pub(crate) use node::{Look, Weight};
pub(crate) use prices::{Prices, bits};
use smooth::smooth;
pub(crate) use tally::{Child, Tally};

/// Samples that all features are tried on; the best are tried again on more.
pub(crate) const FIRST_LOOK: usize = 2048;
/// Samples that the best features are tried on.
pub(crate) const SECOND_LOOK: usize = 1 << 14;
/// Features that get a second look.
const CHOSEN: usize = 4;
/// A node leaves the worst third of its features out below, but keeps this
/// many.
const KEPT: usize = 32;
/// The same for nodes of fewer than [`SMALL`] samples. Most nodes are such, and what they are
/// best asked is mostly among what nodes above were.
const KEPT_OF_FEW: usize = 12;
const SMALL: usize = 1 << 10;

/// Looks for splits; keeps its room from node to node.
pub(crate) struct Finder<'a> {
    features: &'a Features,
    samples: &'a Samples,
    prices: Prices,
    /// Where the bins of each feature begin, and where those of the last one end.
    offsets: Vec<usize>,
    /// What has been counted.
    tally: Tally,
    /// Room for tallies.
    unused: Vec<Tally>,
    /// The bins of the features that were cut.
    bins: Vec<u8>,
    /// Counts by symbol, zero between nodes.
    counts: Vec<u32>,
    /// The symbols of the node, ascending.
    present: Vec<u16>,
    /// The features that are counted, and where their bins begin in the histogram.
    starts: Vec<(u8, u32)>,
    /// The features that follow from others.
    followers: Vec<Follower>,
    /// The class of each symbol of the node.
    class_of: Vec<u8>,
}

/// What to ask, and which features are worth trying further down.
pub(crate) struct Found {
    pub(crate) split: Split,
    pub(crate) features: Vec<u8>,
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
        let mut offsets = vec![0];
        let mut bins = 0;
        for feature in features.list() {
            bins += usize::from(feature.size);
            offsets.push(bins);
        }
        Finder {
            features,
            samples,
            prices,
            offsets,
            tally: Tally::default(),
            unused: Vec::new(),
            bins: Vec::new(),
            counts: vec![0; symbols],
            present: Vec::new(),
            starts: Vec::new(),
            followers: followers(features),
            class_of: vec![0; symbols],
        }
    }

    /// A finder for other samples of the same source.
    pub(crate) fn with<'b>(&self, samples: &'b Samples) -> Finder<'b>
    where
        'a: 'b,
    {
        Finder::new(self.features, samples, self.counts.len(), self.prices)
    }

    /// The samples that it looks at.
    pub(crate) fn samples(&self) -> &'a Samples {
        self.samples
    }

    /// All features.
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
        self.start(&look.samples);
        match self.are_few() {
            true => self.best_of::<FEW>(look, features),
            false => self.best_of::<MOST>(look, features),
        }
    }

    /// The same for at most `K` classes.
    fn best_of<const K: usize>(&mut self, look: &Look, features: &[u8]) -> Option<Split> {
        let looked = &look.samples[..];
        let weights = self.weights(looked, look.weight, 1);
        // What cannot gain enough even if everything were known is left.
        if look.worth(cost(&self.tally.totals, &weights), looked.len()) <= self.least() {
            return None;
        }
        let first = &looked[..looked.len().min(look.first)];
        let first_weights = self.weights(first, look.weight, 0);
        self.count::<K>(first, features);
        let cuts = self.cuts::<K>(features, &first_weights);
        let mut chosen = self.ranked(&cuts, |gain| look.worth(gain, first.len()));
        chosen.truncate(CHOSEN);
        chosen.sort_unstable();
        self.count::<K>(looked, &chosen);
        let cuts = self.cuts::<K>(&chosen, &weights);
        self.finish::<K>(&cuts, |gain| look.worth(gain, looked.len()), &weights)
    }

    /// The best split of a node that has been counted, and the features that are worth trying
    /// below it.
    fn best_counted<const K: usize>(&mut self, samples: usize, features: &[u8]) -> Option<Found> {
        let cuts = self.cuts::<K>(features, &None);
        let split = self.finish::<K>(&cuts, |gain| gain, &None)?;
        let mut kept: Vec<u8> = cuts.iter().map(|cut| cut.feature).collect();
        let least = if samples < SMALL { KEPT_OF_FEW } else { KEPT };
        if kept.len() > least {
            kept = self.ranked(&cuts, |gain| gain);
            kept.truncate(least.max(kept.len() * 2 / 3));
            kept.sort_unstable();
        }
        Some(Found {
            split,
            features: kept,
        })
    }

    /// The features of some cuts, the best first, given what gains amount to. What the splits
    /// would take is not worked out.
    fn ranked(&self, cuts: &[Cut], worth: impl Fn(i64) -> i64) -> Vec<u8> {
        let rank = |cut: &Cut| (-self.at_most(cut, &worth), cut.feature);
        let mut ranked: Vec<(i64, u8)> = cuts.iter().map(rank).collect();
        ranked.sort_unstable();
        ranked.iter().map(|&(_, feature)| feature).collect()
    }

    /// What any split has to gain to pay.
    fn least(&self) -> i64 {
        (self.prices.node + self.prices.leaf) as i64
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

    /// How many positions a sample of each class stands for, if that is not the same for
    /// all, in the first (0) or second (1) look.
    fn weights(&self, samples: &[u32], weight: Weight, look: usize) -> Weights {
        let Weight::Apart { common, factors } = weight else {
            return None;
        };
        let rates = self.samples.rates();
        let (mut sums, mut counts) = ([0u64; MOST], [0u64; MOST]);
        for &sample in samples {
            let symbol = self.samples.symbols[sample as usize];
            let class = usize::from(self.class_of[usize::from(symbol)]) & (MOST - 1);
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
