//! Counts the samples of a node by class and by the values of features, to compare splits.
//!
//! Classes are of symbols, since there may be far more symbols than a histogram of every feature
//! has room for. Features that follow from another one, as the file of a piece does from its
//! square, are not counted one by one where there are many samples: their counts are sums of
//! those of the other.

use std::ops::Range;

use retrograde_learned::{FeatureKind, Features, node_coding::Split};

use crate::entropy::{about_n_log_n, n_log_n};
use crate::samples::Samples;

/// The most classes of a node.
pub(crate) const MOST: usize = 16;
/// The number of classes that most nodes do not exceed, and take less room and time then.
pub(crate) const FEW: usize = 8;

/// Joins neighbouring symbols until there are at most [`MOST`] groups.
struct Groups {
    /// Whether each symbol is a group of its own.
    are_few: bool,
    /// The number of samples in no closed group.
    left: u64,
    group: u8,
    /// The number of samples of the group.
    inside: u64,
}

impl Groups {
    /// Groups of so many symbols that have so many samples.
    fn new(symbols: usize, samples: u64) -> Groups {
        Groups {
            are_few: symbols <= MOST,
            left: samples,
            group: 0,
            inside: 0,
        }
    }

    /// The group of the next symbol, which has `count` samples, at least one.
    fn next(&mut self, count: u32) -> u8 {
        let count = u64::from(count);
        let open = (MOST - usize::from(self.group)) as u64;
        // A group is closed before it grows beyond its share of what is left.
        let is_full = self.are_few || (self.inside + count / 2) * open > self.left;
        if self.inside > 0 && usize::from(self.group) + 1 < MOST && is_full {
            self.left -= self.inside;
            self.inside = 0;
            self.group += 1;
        }
        self.inside += count;
        self.group
    }
}

/// The number of positions that a sample of each class stands for, with 8 bits after the point;
/// nothing if that is the same for all.
pub(crate) type Weights = Option<[u64; MOST]>;

/// The entropy of counts of samples, or of the positions that they stand for if there are
/// weights.
#[inline]
pub(crate) fn cost<const K: usize>(counts: &[u32; K], weights: &Weights) -> i64 {
    let Some(weights) = weights else {
        let parts: u64 = counts.iter().map(|&n| n_log_n(u64::from(n))).sum();
        return n_log_n(counts.iter().map(|&n| u64::from(n)).sum()) as i64 - parts as i64;
    };
    let sums: [u64; K] = std::array::from_fn(|class| u64::from(counts[class]) * weights[class]);
    let parts: i64 = sums.iter().map(|&n| about_n_log_n(n)).sum();
    about_n_log_n(sums.iter().sum()) - parts
}

/// Visits the counts of a bin that are not 0; most are.
#[inline]
pub(crate) fn each<const K: usize>(counts: &[u16; K], mut visit: impl FnMut(usize, u32)) {
    for (four, counts) in counts.as_chunks::<4>().0.iter().enumerate() {
        let [a, b, c, d] = counts.map(u64::from);
        let mut left = a | b << 16 | c << 32 | d << 48;
        while left != 0 {
            let lane = left.trailing_zeros() / 16;
            visit(
                4 * four + lane as usize,
                (left >> (16 * lane)) as u16 as u32,
            );
            left &= !(0xFFFF << (16 * lane));
        }
    }
}

/// The number of samples of a node of each class, and of each class with each value of
/// some features.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Counts by class, for all values of all features; those of features that were not counted
    /// mean nothing.
    bins: Vec<u16>,
    /// Counts by class.
    pub(crate) totals: [u32; MOST],
    /// Whether each class is a symbol.
    are_symbols: bool,
    /// Whether there are at most [`FEW`] classes.
    pub(crate) are_few: bool,
}

/// The state of a node before it is looked at.
pub(crate) enum Child {
    /// The node has yet to be counted.
    Uncounted,
    /// The node has been counted, by the features that are worth trying.
    Counted(Tally),
    /// The node is a leaf: no split of it pays.
    Leaf,
}

/// Counts the samples of nodes; keeps its room from node to node.
pub(crate) struct Counter<'a> {
    pub(crate) samples: &'a Samples,
    /// The least gain with which a split pays.
    pub(crate) least: i64,
    /// The counts of the current node.
    pub(crate) tally: Tally,
    /// Room for tallies.
    pub(crate) unused: Vec<Tally>,
    /// The offset of the bins of each feature, and the end of those of the last one.
    offsets: Vec<usize>,
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

impl<'a> Counter<'a> {
    /// Counts samples with symbols below `symbols`.
    pub(crate) fn new(
        features: &Features,
        samples: &'a Samples,
        symbols: usize,
        least: i64,
    ) -> Counter<'a> {
        let mut offsets = vec![0];
        let mut bins = 0;
        for feature in features.list() {
            bins += usize::from(feature.size);
            offsets.push(bins);
        }
        Counter {
            samples,
            least,
            tally: Tally::default(),
            unused: Vec::new(),
            offsets,
            counts: vec![0; symbols],
            present: Vec::new(),
            starts: Vec::new(),
            followers: followers(features),
            class_of: vec![0; symbols],
        }
    }

    /// The number that all symbols are below.
    pub(crate) fn symbols(&self) -> usize {
        self.counts.len()
    }

    /// The class of a symbol of the node.
    #[inline]
    pub(crate) fn class(&self, symbol: u16) -> usize {
        self.class_of[usize::from(symbol)].into()
    }

    /// Assigns the symbols of some samples to classes, in ascending order. Gives how many
    /// samples each class has.
    fn classify(&mut self, samples: &[u32]) -> [u32; MOST] {
        self.present.clear();
        for &sample in samples {
            let symbol = self.samples.symbols[sample as usize];
            let count = &mut self.counts[usize::from(symbol)];
            if *count == 0 {
                self.present.push(symbol);
            }
            *count += 1;
        }
        self.present.sort_unstable();
        let mut groups = Groups::new(self.present.len(), samples.len() as u64);
        let mut sums = [0; MOST];
        for &symbol in &self.present {
            let symbol = usize::from(symbol);
            let count = std::mem::take(&mut self.counts[symbol]);
            let class = groups.next(count);
            self.class_of[symbol] = class;
            sums[usize::from(class)] += count;
        }
        sums
    }

    /// Assigns classes to the symbols of some samples, and counts the samples by class.
    pub(crate) fn start(&mut self, samples: &[u32]) {
        self.tally.totals = self.classify(samples);
        self.tally.are_symbols = self.present.len() <= MOST;
        self.tally.are_few = self.present.len() <= FEW;
    }

    /// Counts samples, whose symbols have classes, by the values of some features.
    pub(crate) fn count<const K: usize>(&mut self, samples: &[u32], features: &[u8]) {
        let mut starts = std::mem::take(&mut self.starts);
        let mut tally = std::mem::take(&mut self.tally);
        let bins = self.offsets.last().map_or(0, |&all| all * MOST);
        tally.bins.resize(bins, 0);
        tally.totals = [0; MOST];
        starts.clear();
        let followers = worth_adding_up(&self.followers, samples.len(), features);
        let mut next = followers.clone().peekable();
        for &feature in features {
            let range = self.bins_of::<K>(feature);
            if next.next_if(|f| f.feature == feature).is_none() {
                starts.push((feature, range.start as u32));
            }
            tally.bins[range].fill(0);
        }
        // Four at a time, so that what is known of a feature is read once for them.
        let (fours, rest) = samples.as_chunks();
        for &four in fours {
            self.count_some::<K, 4>(four, &starts, &mut tally);
        }
        for &one in rest {
            self.count_some::<K, 1>([one], &starts, &mut tally);
        }
        for follower in followers {
            let [from, to] = [follower.from, follower.feature].map(|f| self.bins_of::<K>(f));
            let (before, bins) = tally.bins.split_at_mut(to.start);
            let bins = bins[..to.len()].as_chunks_mut::<K>().0;
            let counts = before[from].as_chunks::<K>().0;
            for (&value, counts) in follower.values.iter().zip(counts) {
                let sums = bins[usize::from(value)].iter_mut();
                sums.zip(counts).for_each(|(sum, &count)| *sum += count);
            }
        }
        (self.tally, self.starts) = (tally, starts);
    }

    #[inline]
    fn count_some<const K: usize, const N: usize>(
        &self,
        samples: [u32; N],
        starts: &[(u8, u32)],
        tally: &mut Tally,
    ) {
        let rows = samples.map(|sample| self.samples.row(sample));
        let classes = samples.map(|sample| {
            let symbol = self.samples.symbols[sample as usize];
            let class = self.class_of[usize::from(symbol)];
            tally.totals[usize::from(class)] += 1;
            u32::from(class)
        });
        for &(feature, start) in starts {
            for (row, class) in rows.iter().zip(classes) {
                let bin = u32::from(row[usize::from(feature)]);
                tally.bins[(start + bin * K as u32 + class) as usize] += 1;
            }
        }
    }

    /// The state of the children of a node, given its tally, its split, the samples that go
    /// left and right, and the features that are worth trying. Only the child with fewer samples
    /// is counted: the other has the rest.
    pub(crate) fn children(
        &mut self,
        tally: Tally,
        split: &Split,
        samples: [&[u32]; 2],
        features: &[u8],
    ) -> [Child; 2] {
        match tally.are_few {
            true => self.children_of::<FEW>(tally, split, samples, features),
            false => self.children_of::<MOST>(tally, split, samples, features),
        }
    }

    fn children_of<const K: usize>(
        &mut self,
        mut tally: Tally,
        split: &Split,
        samples: [&[u32]; 2],
        features: &[u8],
    ) -> [Child; 2] {
        if !tally.are_symbols {
            // Each child can tell more symbols apart.
            self.unused.push(tally);
            return [Child::Uncounted, Child::Uncounted];
        }
        let mut totals = [[0; MOST], tally.totals];
        let counts = tally.bins[self.bins_of::<K>(split.feature)].as_chunks::<K>();
        for (value, counts) in counts.0.iter().enumerate() {
            if split.left >> value & 1 != 0 {
                let [left, right] = &mut totals;
                for ((left, right), &count) in left.iter_mut().zip(right).zip(counts) {
                    *left += u32::from(count);
                    *right -= u32::from(count);
                }
            }
        }
        let may_pay = totals.map(|totals| self.may_pay(&totals));
        let fewer = usize::from(samples[1].len() < samples[0].len());
        let more = 1 - fewer;
        let mut children = [Child::Leaf, Child::Leaf];
        if may_pay == [false, false] {
            self.unused.push(tally);
            return children;
        }
        self.tally = self.unused.pop().unwrap_or_default();
        self.count::<K>(samples[fewer], features);
        let mut less = std::mem::take(&mut self.tally);
        if may_pay[more] {
            for &feature in features {
                let range = self.bins_of::<K>(feature);
                for (all, less) in tally.bins[range.clone()].iter_mut().zip(&less.bins[range]) {
                    *all -= less;
                }
            }
            tally.totals = totals[more];
            children[more] = Child::Counted(tally);
        } else {
            self.unused.push(tally);
        }
        if may_pay[fewer] {
            (less.are_symbols, less.are_few) = (true, K == FEW);
            children[fewer] = Child::Counted(less);
        } else {
            self.unused.push(less);
        }
        children
    }

    /// Whether a split of a node can pay, given how many of its samples there are of each class.
    pub(crate) fn may_pay(&self, totals: &[u32; MOST]) -> bool {
        cost(totals, &None) > self.least
    }

    /// The number of samples with a value of a feature, by class.
    #[inline]
    pub(crate) fn counts<const K: usize>(&self, feature: u8, bin: u8) -> &[u16; K] {
        let bins = self.tally.bins.as_chunks().0;
        &bins[self.offsets[usize::from(feature)] + usize::from(bin)]
    }

    /// The range of the counts of a feature.
    fn bins_of<const K: usize>(&self, feature: u8) -> Range<usize> {
        let feature = usize::from(feature);
        self.offsets[feature] * K..self.offsets[feature + 1] * K
    }
}

/// A feature that follows from another one.
#[derive(Clone, Debug)]
struct Follower {
    feature: u8,
    /// The other one, which comes before it.
    from: u8,
    /// The value of the feature for each value of the other.
    values: Vec<u8>,
}

/// The features of a material that follow from others, in ascending order.
fn followers(features: &Features) -> Vec<Follower> {
    let (files, ranks) = (features.board().files(), features.board().ranks());
    let mut all = Vec::new();
    for (number, feature) in (0..=u8::MAX).zip(features.list()) {
        let mut add = |after: u8, value: &dyn Fn(u8) -> u8| {
            all.push(Follower {
                feature: number.wrapping_add(after),
                from: number,
                values: (0..feature.size).map(value).collect(),
            });
        };
        match feature.kind {
            FeatureKind::Square => {
                add(1, &|square| square % files);
                add(2, &|square| square / files);
            }
            FeatureKind::Apart => add(3, &|apart| (apart / ranks).max(apart % ranks)),
            _ => {}
        }
    }
    all
}

/// Up to so many samples are counted sooner than counts are added up.
const MANY: usize = 256;

/// The features following from others whose counts are worth adding up, in ascending
/// order, given how many samples there are, and the features that are asked for in ascending
/// order.
fn worth_adding_up<'f>(
    followers: &'f [Follower],
    samples: usize,
    features: &'f [u8],
) -> impl Iterator<Item = &'f Follower> + Clone {
    let is_asked = |feature: &u8| features.binary_search(feature).is_ok();
    let those = match samples > MANY {
        true => followers,
        false => &[],
    };
    let both = move |f: &&Follower| is_asked(&f.feature) && is_asked(&f.from);
    those.iter().filter(both)
}

#[cfg(test)]
mod tests {
    use retrograde_learned::{CodecBoard, CodecPiece, Moves};

    use super::*;

    #[test]
    fn what_follows_is_what_is_worked_out() {
        for (files, ranks) in [(8, 8), (9, 9), (10, 8)] {
            let board = CodecBoard::new(files, ranks).unwrap();
            let piece = CodecPiece {
                black: false,
                moves: Moves::STRAIGHT,
                royal: false,
            };
            let features = Features::new(board, &[piece; 2], &[]).unwrap();
            let all = followers(&features);
            assert_eq!(all.len(), 5);
            let squares = 0..board.squares();
            for pair in squares
                .clone()
                .flat_map(|a| squares.clone().map(move |b| [a, b]))
            {
                let mut row = [0; 256];
                features.row(&pair, &[], &mut row).unwrap();
                for follower in &all {
                    let [from, to] = [follower.from, follower.feature].map(|f| row[usize::from(f)]);
                    assert_eq!(follower.values[usize::from(from)], to, "{follower:?}");
                }
            }
        }
    }
}
