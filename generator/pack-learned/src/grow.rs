//! Growing trees.

use std::ops::Range;

use retrograde_learned::layout::{DEEPEST, Split};

use crate::split::{FIRST_LOOK, Finder, SECOND_LOOK};

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
const TASK: usize = 1 << 13;

/// Grows a tree on the samples of a finder, each of which represents `scale` positions (8
/// bits after the point). The samples are returned in the order of the leaves.
pub(crate) fn grow(finder: &mut Finder<'_>, scale: u64) -> (Grown, Vec<u32>) {
    let ranks = finder.samples().ranks();
    let mut order: Vec<u32> = (0..ranks.len() as u32).collect();
    let mut spare = vec![0; order.len()];
    let whole = Whole {
        ranks: &ranks,
        features: &finder.all(),
        scale,
    };
    let place = Place { start: 0, depth: 0 };
    let grown = large(finder, &mut order, &mut spare, &whole, place);
    (grown, order)
}

/// What all large nodes share.
struct Whole<'a> {
    /// The place of each sample in a pseudorandom order: those that are looked at are
    /// the first ones, while all are in the order in which they are in memory.
    ranks: &'a [u32],
    features: &'a [u8],
    scale: u64,
}

impl Whole<'_> {
    /// The samples of a node that are looked at, those of the first look before the
    /// others.
    fn looked(&self, order: &[u32]) -> Vec<u32> {
        let key = |&sample: &u32| u64::from(self.ranks[sample as usize]) << 32 | u64::from(sample);
        let mut keys: Vec<u64> = Vec::new();
        let mut share = SECOND_LOOK * 5 / 4;
        while keys.len() < order.len().min(SECOND_LOOK) {
            // Ranks below this should be enough; those of a node are spread evenly.
            let limit = (self.ranks.len() as u64 * share as u64 / order.len() as u64) << 32;
            keys.clear();
            keys.extend(order.iter().map(key).filter(|&key| key < limit));
            share *= 2;
        }
        for look in [SECOND_LOOK, FIRST_LOOK] {
            if keys.len() > look {
                keys.select_nth_unstable(look);
            }
            if look == SECOND_LOOK {
                keys.truncate(look);
            }
        }
        keys.into_iter().map(|key| key as u32).collect()
    }
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
        // In the order of ranks, for the first look.
        order.sort_unstable_by_key(|&sample| whole.ranks[sample as usize]);
        let samples = finder.samples().pick(order);
        let mut near: Vec<u32> = (0..order.len() as u32).collect();
        let mut finder = finder.with(&samples);
        let grown = small(
            &mut finder,
            &mut near,
            spare,
            whole.features,
            place,
            whole.scale,
        );
        spare[..order.len()].copy_from_slice(order);
        for (sample, &at) in order.iter_mut().zip(&near) {
            *sample = spare[at as usize];
        }
        return grown;
    }
    if place.depth >= DEEPEST {
        return place.leaf(order);
    }
    let looked = whole.looked(order);
    let Some(found) = finder.best(&looked, order.len(), whole.features, whole.scale) else {
        return place.leaf(order);
    };
    let column = finder.samples().column(found.split.feature);
    let lefts = part(order, spare, found.split, |sample| column[sample as usize]);
    let (left_order, right_order) = order.split_at_mut(lefts);
    let (left_spare, right_spare) = spare.split_at_mut(lefts);
    let (left_place, right_place) = place.children(lefts);
    let mut another = finder.with(finder.samples());
    let (left, right) = rayon::join(
        || large(finder, left_order, left_spare, whole, left_place),
        || large(&mut another, right_order, right_spare, whole, right_place),
    );
    Grown::Node(Box::new((found.split, left, right)))
}

/// Puts the samples that go left before those that go right, both in the order in which
/// they are; gives how many go left.
fn part(order: &mut [u32], spare: &mut [u32], split: Split, value: impl Fn(u32) -> u8) -> usize {
    let sets = [split.left as u64, (split.left >> 64) as u64];
    let (mut lefts, mut rights) = (0, 0);
    for read in 0..order.len() {
        let sample = order[read];
        let value = value(sample);
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
    features: &[u8],
    place: Place,
    scale: u64,
) -> Grown {
    if place.depth >= DEEPEST {
        return place.leaf(order);
    }
    let Some(found) = finder.best(order, order.len(), features, scale) else {
        return place.leaf(order);
    };
    let (samples, feature) = (finder.samples(), usize::from(found.split.feature));
    let lefts = part(order, spare, found.split, |sample| {
        samples.row(sample)[feature]
    });
    let (left_order, right_order) = order.split_at_mut(lefts);
    let (left_place, right_place) = place.children(lefts);
    let left = small(
        finder,
        left_order,
        spare,
        &found.features,
        left_place,
        scale,
    );
    let right = small(
        finder,
        right_order,
        spare,
        &found.features,
        right_place,
        scale,
    );
    Grown::Node(Box::new((found.split, left, right)))
}
