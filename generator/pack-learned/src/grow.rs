//! Grows a decision tree on samples of positions: splits each node by its best question.

use std::ops::Range;

use retrograde_learned::node_coding::{DEEPEST, Split};

use crate::samples::{Rates, Samples, scramble};
use crate::split::{FIRST_LOOK, Finder, Look, SECOND_LOOK, Weight};
use crate::tally::Child;

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

/// The part of a tree that is grown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Down to nodes with at most [`TASK`] samples, which become leaves.
    Top,
    /// The part from a number of nodes down, as far as it pays.
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

/// The samples, features and extent that all nodes share.
struct Whole<'a> {
    looker: Looker<'a>,
    features: Vec<u8>,
    extent: Extent,
}

/// The place of a node: the number of samples before its own, and of nodes above it.
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
        let (known, features) = (Child::Uncounted, &whole.features[..]);
        let grown = small(&mut finder, &mut near, spare, known, features, place);
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
    features: &[u8],
    place: Place,
) -> Grown {
    let tally = match known {
        Child::Counted(tally) => Some(tally),
        Child::Uncounted => None,
        Child::Leaf => return place.leaf(order),
    };
    if place.depth >= DEEPEST {
        return place.leaf(order);
    }
    let Some((split, tally)) = finder.best_of_all(order, features, tally) else {
        return place.leaf(order);
    };
    let lefts = part(order, spare, split, finder.samples());
    let (left_order, right_order) = order.split_at_mut(lefts);
    let (left_place, right_place) = place.children(lefts);
    let [left, right] = finder
        .counter
        .children(tally, &split, [left_order, right_order], features);
    let left = small(finder, left_order, spare, left, features, left_place);
    let right = small(finder, right_order, spare, right, features, right_place);
    Grown::Node(Box::new((split, left, right)))
}

/// The samples of a tree.
struct Looker<'a> {
    samples: &'a Samples,
    rates: Rates,
}

/// A symbol is common in a node if at most one sample in this many has another one.
const COMMON: usize = 8;

impl<'a> Looker<'a> {
    fn new(samples: &'a Samples, rates: Rates) -> Looker<'a> {
        Looker { samples, rates }
    }

    /// Samples that stand for all `total` of a node, each for as many.
    fn alike(&self, mut samples: Vec<u32>, total: usize) -> Look {
        ahead(&mut samples, FIRST_LOOK);
        let seen = samples.len();
        Look {
            samples,
            first: FIRST_LOOK,
            total,
            weight: match self.rates.same() {
                Some(scale) => Weight::Same(scale),
                None => Weight::Apart {
                    common: None,
                    factors: [FIRST_LOOK.min(seen), seen].map(|seen| [factor(total, seen); 2]),
                },
            },
        }
    }

    /// Samples from everywhere in a node. If nearly all have the same symbol, as many of the
    /// others as of these: they tell more.
    fn some(&self, order: &[u32]) -> Look {
        let total = order.len();
        let symbol = |sample: u32| self.samples.symbols[sample as usize];
        let drawn = spread(order, SECOND_LOOK);
        let common = most(drawn.iter().map(|&sample| symbol(sample)));
        let is_other = |sample: &u32| symbol(*sample) != common;
        if drawn.iter().filter(|s| is_other(s)).count() > drawn.len() / COMMON {
            return self.alike(drawn, total);
        }
        let (others, commons): (Vec<u32>, Vec<u32>) = order.iter().partition(|s| is_other(s));
        if others.is_empty() {
            return self.alike(drawn, total);
        }
        let looks = [FIRST_LOOK, SECOND_LOOK];
        let rare = looks.map(|look| others.len().min(look / 2));
        let frequent = [0, 1].map(|look| commons.len().min(looks[look] - rare[look]));
        let seen = |samples: &[u32], counts: [usize; 2]| {
            let mut seen = spread(samples, counts[1]);
            ahead(&mut seen, counts[0]);
            seen
        };
        let (rare_samples, frequent_samples) = (seen(&others, rare), seen(&commons, frequent));
        let (first_rare, later_rare) = rare_samples.split_at(rare[0]);
        let (first_frequent, later_frequent) = frequent_samples.split_at(frequent[0]);
        let factors = |look: usize| {
            [
                factor(commons.len(), frequent[look]),
                factor(others.len(), rare[look]),
            ]
        };
        Look {
            samples: [first_rare, first_frequent, later_rare, later_frequent].concat(),
            first: rare[0] + frequent[0],
            total,
            weight: Weight::Apart {
                common: Some(common),
                factors: [factors(0), factors(1)],
            },
        }
    }
}

/// `count` of some samples, one from each of as many equal stretches; all if there are no more.
fn spread(samples: &[u32], count: usize) -> Vec<u32> {
    match samples.len() > count {
        true => places(count, samples.len())
            .map(|place| samples[place])
            .collect(),
        false => samples.to_vec(),
    }
}

/// Puts `count` of some samples, one from each of as many equal stretches, before the others.
fn ahead(samples: &mut [u32], count: usize) {
    if samples.len() > count {
        let places = places(count, samples.len()).enumerate();
        places.for_each(|(part, place)| samples.swap(part, place));
    }
}

/// A place in each of `count` equal stretches of `len` places. Which one is a matter of chance:
/// neighbours have much in common.
fn places(count: usize, len: usize) -> impl Iterator<Item = usize> {
    let end = move |part: u64| (part + 1) * len as u64 / count as u64;
    let mut next = 0;
    (0..count as u64).map(move |part| {
        let here = std::mem::replace(&mut next, end(part));
        let chance = scramble(part, 2) >> 32;
        (here + ((chance * (next - here)) >> 32)) as usize
    })
}

/// The number of samples for each that is seen, with 8 bits after the point.
fn factor(there: usize, seen: usize) -> u64 {
    ((there as u64) << 8) / seen.max(1) as u64
}

/// The item that more than half of the items are, if one is.
fn most(items: impl Iterator<Item = u16>) -> u16 {
    let (mut most, mut lead) = (0, 0usize);
    for item in items {
        match lead {
            0 => (most, lead) = (item, 1),
            _ if item == most => lead += 1,
            _ => lead -= 1,
        }
    }
    most
}
