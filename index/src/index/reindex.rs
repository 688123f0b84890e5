//! From an index with one order of groups to one with another.

use std::ops::Range;

use super::Index;

/// Converts indices to those of another [`Index`] of the same material, with the
/// groups in another order.
#[derive(Clone, Debug)]
pub struct Reindexing {
    /// For each group of the first index, the most significant first: the number of
    /// its digits, and its stride in the second index.
    groups: Vec<(u64, u64)>,
    per_pair: u64,
}

impl Reindexing {
    /// From indices of `from` to those of `to`; `None` if these are not of the same
    /// material on the same board.
    pub fn new(from: &Index, to: &Index) -> Option<Reindexing> {
        if from.material() != to.material() || from.shape() != to.shape() {
            return None;
        }
        let groups = from.groups().iter().map(|group| {
            let there = to.digit(group.piece())?;
            Some((group.size(), there.stride))
        });
        Some(Reindexing {
            groups: groups.collect::<Option<_>>()?,
            per_pair: from.indices_per_pair(),
        })
    }

    /// Whether the orders are the same, so that every index stays what it is.
    pub fn keeps_order(&self) -> bool {
        let mut stride = 1;
        self.groups.iter().rev().all(|&(size, there)| {
            let keeps = there == stride;
            stride *= size;
            keeps
        })
    }

    /// Calls `visit` with the new index of each old one in a range, in the order of
    /// the old ones.
    #[inline]
    pub fn each(&self, range: Range<u64>, mut visit: impl FnMut(u64)) {
        // All but the last group stay the same for a run of indices.
        let (&(size, stride), leading) = match self.groups.split_last() {
            Some(split) => split,
            None => return range.for_each(visit),
        };
        let mut index = range.start;
        while index < range.end {
            let pair = index / self.per_pair;
            let mut rest = index % self.per_pair / size;
            let mut base = pair * self.per_pair;
            for &(size, stride) in leading.iter().rev() {
                base += rest % size * stride;
                rest /= size;
            }
            let first = index % size;
            let last = size.min(first + range.end - index);
            (first..last).for_each(|digit| visit(base + digit * stride));
            index += last - first;
        }
    }
}
