//! Counting the samples of a node by class and by the values of features.

use std::ops::Range;

use retrograde_learned::layout::Split;

use super::classes::{FEW, MOST};
use super::cost::cost;
use super::follow::worth_adding_up;
use super::{Finder, Found};

/// How many samples of a node there are of each class, and of each class with each value of
/// some features.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    /// Counts by class, for all values of all features; those of features that were not counted
    /// mean nothing.
    bins: Vec<u16>,
    /// Counts by class.
    pub(super) totals: [u32; MOST],
    /// Whether each class is a symbol.
    are_symbols: bool,
    /// Whether there are at most [`FEW`] classes.
    are_few: bool,
}

/// What is known of a node before it is looked at.
pub(crate) enum Child {
    /// Nothing: it has to be counted.
    Uncounted,
    /// It has been counted, by the features that are worth trying.
    Counted(Tally),
    /// No split of it pays.
    Leaf,
}

impl Finder<'_> {
    /// The best split of a node by some features, if it pays, and the tally of the node. All
    /// samples are looked at; each stands for one position.
    pub(crate) fn best_of_all(
        &mut self,
        samples: &[u32],
        features: &[u8],
        tally: Option<Tally>,
    ) -> Option<(Found, Tally)> {
        let is_counted = tally.is_some();
        self.tally = tally.or_else(|| self.unused.pop()).unwrap_or_default();
        if !is_counted {
            self.start(samples);
        }
        let may_pay = is_counted || self.may_pay(&self.tally.totals);
        if may_pay && !is_counted {
            match self.tally.are_few {
                true => self.count::<FEW>(samples, features),
                false => self.count::<MOST>(samples, features),
            }
        }
        let found = match self.tally.are_few {
            _ if !may_pay => None,
            true => self.best_counted::<FEW>(samples.len(), features),
            false => self.best_counted::<MOST>(samples.len(), features),
        };
        let tally = std::mem::take(&mut self.tally);
        match found {
            Some(found) => Some((found, tally)),
            None => {
                self.unused.push(tally);
                None
            }
        }
    }

    /// Assigns classes to the symbols of some samples, and counts the samples by class.
    pub(super) fn start(&mut self, samples: &[u32]) {
        self.tally.totals = self.classify(samples);
        self.tally.are_symbols = self.present.len() <= MOST;
        self.tally.are_few = self.present.len() <= FEW;
    }

    /// Whether the classes that were assigned are at most [`FEW`].
    pub(super) fn are_few(&self) -> bool {
        self.tally.are_few
    }

    /// Counts samples, whose symbols have classes, by the values of some features.
    pub(super) fn count<const K: usize>(&mut self, samples: &[u32], features: &[u8]) {
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

    /// What is known of the children of a node, given its tally, its split, the samples that go
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
    fn may_pay(&self, totals: &[u32; MOST]) -> bool {
        cost(totals, &None) > self.least()
    }

    /// What there is with a value of a feature, by class.
    #[inline]
    pub(super) fn counts<const K: usize>(&self, feature: u8, bin: u8) -> &[u16; K] {
        let bins = self.tally.bins.as_chunks().0;
        &bins[self.offsets[usize::from(feature)] + usize::from(bin)]
    }

    /// Where the counts of a feature are.
    fn bins_of<const K: usize>(&self, feature: u8) -> Range<usize> {
        let feature = usize::from(feature);
        self.offsets[feature] * K..self.offsets[feature + 1] * K
    }
}
