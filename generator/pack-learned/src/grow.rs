//! Growing trees.

use std::ops::Range;

use retrograde_learned::layout::{DEEPEST, Split};

use crate::split::Finder;

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

/// Grows a tree on samples, which are reordered to follow the leaves. Each sample
/// represents `scale` positions (8 bits after the point).
pub(crate) fn grow(finder: &mut Finder<'_>, order: &mut [u32], scale: u64) -> Grown {
    let mut spare = vec![0; order.len()];
    let features = finder.all();
    large(
        finder,
        order,
        &mut spare,
        &features,
        Place { start: 0, depth: 0 },
        scale,
    )
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
    features: &[u8],
    place: Place,
    scale: u64,
) -> Grown {
    if order.len() <= TASK {
        let samples = finder.samples().pick(order);
        let mut near: Vec<u32> = (0..order.len() as u32).collect();
        let mut finder = finder.with(&samples);
        let grown = small(&mut finder, &mut near, spare, features, place, scale);
        spare[..order.len()].copy_from_slice(order);
        for (sample, &at) in order.iter_mut().zip(&near) {
            *sample = spare[at as usize];
        }
        return grown;
    }
    if place.depth >= DEEPEST {
        return place.leaf(order);
    }
    let Some(found) = finder.best(order, features, scale) else {
        return place.leaf(order);
    };
    let lefts = finder.part(order, spare, found.split);
    let (left_order, right_order) = order.split_at_mut(lefts);
    let (left_spare, right_spare) = spare.split_at_mut(lefts);
    let (left_place, right_place) = place.children(lefts);
    let mut another = finder.with(finder.samples());
    let (left, right) = rayon::join(
        || large(finder, left_order, left_spare, features, left_place, scale),
        || {
            large(
                &mut another,
                right_order,
                right_spare,
                features,
                right_place,
                scale,
            )
        },
    );
    Grown::Node(Box::new((found.split, left, right)))
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
    let Some(found) = finder.best(order, features, scale) else {
        return place.leaf(order);
    };
    let lefts = finder.part(order, spare, found.split);
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
