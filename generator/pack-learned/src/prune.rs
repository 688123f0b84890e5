//! Pruning a tree to what pays, and giving its leaves their codes.

use retrograde_learned::{CodeShape, Features, layout::Split};

use crate::grow::Grown;
use crate::huffman::choose;
use crate::split::Prices;

/// A tree ready to be written.
#[derive(Clone, Debug)]
pub(crate) enum Pruned {
    /// A leaf and its code.
    Leaf(CodeShape),
    /// A node and its children, left and right.
    Node(Box<(Split, Pruned, Pruned)>),
}

impl Pruned {
    /// Whether it is a leaf.
    pub(crate) fn is_leaf(&self) -> bool {
        matches!(self, Pruned::Leaf(_))
    }

    /// The codes of its leaves, from left to right.
    pub(crate) fn each_leaf<'a>(&'a self, visit: &mut impl FnMut(&'a CodeShape)) {
        match self {
            Pruned::Leaf(shape) => visit(shape),
            Pruned::Node(node) => {
                node.1.each_leaf(visit);
                node.2.each_leaf(visit);
            }
        }
    }

    /// How many leaves it has.
    pub(crate) fn leaves(&self) -> usize {
        match self {
            Pruned::Leaf(_) => 1,
            Pruned::Node(node) => node.1.leaves() + node.2.leaves(),
        }
    }
}

/// Counts of symbols, in ascending order of symbols.
pub(crate) type Counts = Vec<(u16, u64)>;

/// Prunes trees.
pub(crate) struct Pruner<'a, F> {
    pub(crate) features: &'a Features,
    pub(crate) prices: Prices,
    /// The symbols in a leaf.
    pub(crate) counts: F,
}

impl<F: FnMut(&Grown) -> Counts> Pruner<'_, F> {
    /// The remaining tree, and its approximate cost in bits, model included.
    pub(crate) fn prune(&mut self, grown: &Grown) -> (Pruned, u64) {
        let (pruned, _, cost) = self.below(grown);
        (pruned, cost)
    }

    fn below(&mut self, grown: &Grown) -> (Pruned, Counts, u64) {
        let Grown::Node(node) = grown else {
            let here = (self.counts)(grown);
            let (leaf, cost) = self.leaf(&here);
            return (leaf, here, cost);
        };
        let (split, left, right) = &**node;
        let (left, left_counts, left_cost) = self.below(left);
        let (right, right_counts, right_cost) = self.below(right);
        let here = merge(&left_counts, &right_counts);
        let (leaf, alone) = self.leaf(&here);
        let about = &self.features.list()[usize::from(split.feature)];
        let apart = left_cost + right_cost + self.prices.ask(about, split.left);
        if alone <= apart {
            (leaf, here, alone)
        } else {
            (Pruned::Node(Box::new((*split, left, right))), here, apart)
        }
    }

    fn leaf(&self, counts: &Counts) -> (Pruned, u64) {
        let choice = match counts[..] {
            // Without positions any symbol will do.
            [] => choose(&[(0, 1)]),
            _ => choose(counts),
        };
        let symbols = choice.shape.levels.len() + choice.shape.rest.len();
        let price = self.prices.leaf + self.prices.symbol * (symbols as u64 - 1);
        (Pruned::Leaf(choice.shape), choice.cost + price)
    }
}

fn merge(a: &Counts, b: &Counts) -> Counts {
    let mut out = Counts::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(&&x), Some(&&y)) if x.0 == y.0 => {
                a.next();
                b.next();
                (x.0, x.1 + y.1)
            }
            (Some(&&x), Some(&&y)) if x.0 < y.0 => {
                a.next();
                x
            }
            (Some(&&x), None) => {
                a.next();
                x
            }
            (_, Some(&&y)) => {
                b.next();
                y
            }
            (None, None) => return out,
        };
        out.push(next);
    }
}
