//! Growing trees.

mod look;

use std::ops::Range;

use retrograde_learned::layout::{DEEPEST, Split};

use crate::rates::Rates;
use crate::samples::Samples;
use crate::split::{Child, Finder};
use look::Looker;

/// A tree as it grows.
#[derive(Clone, Debug)]
pub(crate) enum Grown {
    /// A leaf, with the range of its samples in their final order.
    Leaf(Range<usize>),
    /// A node and its children, left and right.
    Node(Box<(Split, Grown, Grown)>),
}

impl Grown {
    /// Visits the leaves from left to right.
    pub(crate) fn each_leaf(&self, visit: &mut impl FnMut(Range<usize>)) {
        match self {
            Grown::Leaf(range) => visit(range.clone()),
            Grown::Node(node) => {
                node.1.each_leaf(visit);
                node.2.each_leaf(visit);
            }
        }
    }
}

/// Nodes with more samples than this are grown by tasks of their own; those with
/// fewer get copies of their samples, for locality.
pub(crate) const TASK: usize = 1 << 13;

/// Where a tree is grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Down to nodes with at most [`TASK`] samples, which become leaves.
    Top,
    /// From a number of nodes down as far as it pays.
    Below(usize),
}

/// Grows a tree on the samples of a finder, which stand for as many positions as `rates`
/// says. The samples are returned in the order of the leaves.
pub(crate) fn grow(finder: &mut Finder<'_>, rates: Rates, extent: Extent) -> (Grown, Vec<u32>) {
    let samples = finder.samples();
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let mut spare = vec![0; order.len()];
    let whole = Whole {
        looker: Looker::new(samples, rates),
        features: finder.all(),
        extent,
    };
    let depth = match extent {
        Extent::Top => 0,
        Extent::Below(depth) => depth,
    };
    let place = Place { start: 0, depth };
    let grown = large(finder, &mut order, &mut spare, &whole, place);
    (grown, order)
}

/// What all nodes share.
struct Whole<'a> {
    looker: Looker<'a>,
    features: Vec<u8>,
    extent: Extent,
}

/// Where a node is: the number of samples before its own, and of nodes above it.
#[derive(Clone, Copy)]
struct Place {
    start: usize,
    depth: usize,
}

impl Place {
    fn leaf(self, order: &[u32]) -> Grown {
        Grown::Leaf(self.start..self.start + order.len())
    }

    /// The places of the children if `lefts` samples go left.
    fn children(self, lefts: usize) -> (Place, Place) {
        let depth = self.depth + 1;
        let start = self.start + lefts;
        (Place { depth, ..self }, Place { start, depth })
    }
}

fn large(
    finder: &mut Finder<'_>,
    order: &mut [u32],
    spare: &mut [u32],
    whole: &Whole<'_>,
    place: Place,
) -> Grown {
    if order.len() <= TASK {
        if whole.extent == Extent::Top {
            return place.leaf(order);
        }
        let samples = finder.samples().pick(order);
        let mut near: Vec<u32> = (0..order.len() as u32).collect();
        let mut finder = finder.with(&samples);
        let below = (&whole.features[..], place);
        let grown = small(&mut finder, &mut near, spare, Child::Uncounted, below);
        spare[..order.len()].copy_from_slice(order);
        for (sample, &at) in order.iter_mut().zip(&near) {
            *sample = spare[at as usize];
        }
        return grown;
    }
    if place.depth >= DEEPEST {
        return place.leaf(order);
    }
    let look = whole.looker.some(order);
    let Some(split) = finder.best(&look, &whole.features) else {
        return place.leaf(order);
    };
    let lefts = part(order, spare, split, finder.samples());
    let (left_order, right_order) = order.split_at_mut(lefts);
    let (left_spare, right_spare) = spare.split_at_mut(lefts);
    let (left_place, right_place) = place.children(lefts);
    let mut another = finder.with(finder.samples());
    let (left, right) = rayon::join(
        || large(finder, left_order, left_spare, whole, left_place),
        || large(&mut another, right_order, right_spare, whole, right_place),
    );
    Grown::Node(Box::new((split, left, right)))
}

/// Puts the samples that go left before those that go right, both in the order in which
/// they are; gives how many go left.
fn part(order: &mut [u32], spare: &mut [u32], split: Split, samples: &Samples) -> usize {
    let feature = usize::from(split.feature);
    let sets = [split.left as u64, (split.left >> 64) as u64];
    let (mut lefts, mut rights) = (0, 0);
    for read in 0..order.len() {
        let sample = order[read];
        let value = samples.value(sample, feature);
        let left = sets[usize::from(value >> 6 & 1)] >> (value & 63) & 1 != 0;
        order[lefts] = sample;
        spare[rights] = sample;
        lefts += usize::from(left);
        rights += usize::from(!left);
    }
    order[lefts..].copy_from_slice(&spare[..rights]);
    lefts
}

fn small(
    finder: &mut Finder<'_>,
    order: &mut [u32],
    spare: &mut [u32],
    known: Child,
    (features, place): (&[u8], Place),
) -> Grown {
    let tally = match known {
        Child::Counted(tally) => Some(tally),
        Child::Uncounted => None,
        Child::Leaf => return place.leaf(order),
    };
    if place.depth >= DEEPEST {
        return place.leaf(order);
    }
    let Some((found, tally)) = finder.best_of_all(order, features, tally) else {
        return place.leaf(order);
    };
    let (split, features) = (found.split, &found.features[..]);
    let lefts = part(order, spare, split, finder.samples());
    let (left_order, right_order) = order.split_at_mut(lefts);
    let (left_place, right_place) = place.children(lefts);
    let [left, right] = finder.children(tally, &split, [left_order, right_order], features);
    let left = small(finder, left_order, spare, left, (features, left_place));
    let right = small(finder, right_order, spare, right, (features, right_place));
    Grown::Node(Box::new((split, left, right)))
}
