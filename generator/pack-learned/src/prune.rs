//! Pruning a tree to what pays, and giving its leaves their codes.

use retrograde_learned::{CodeShape, Features, layout::Split};

use crate::grow::Grown;
use crate::huffman::{Choice, choose};
use crate::palette::Palette;
use crate::source::Cell;
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

/// Counts of cells by their places in the palette, ascending.
pub(crate) type Counts = Vec<(u16, u64)>;

/// Prunes trees.
pub(crate) struct Pruner<'a, F> {
    pub(crate) features: &'a Features,
    pub(crate) palette: &'a Palette,
    pub(crate) prices: Prices,
    /// The cells in a leaf.
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
        let choice = code(counts, self.palette);
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

/// The code of a leaf. Cells that leave a choice, the widest first, get the most
/// frequent symbol that they allow.
pub(crate) fn code(counts: &[(u16, u64)], palette: &Palette) -> Choice {
    let cell = |place: u16| palette.cells[usize::from(place)];
    let mut symbols: Vec<(u16, u64)> = counts
        .iter()
        .filter(|&&(place, _)| cell(place).is_exact())
        .map(|&(place, count)| (cell(place).low, count))
        .collect();
    let mut loose: Vec<(Cell, u64)> = counts
        .iter()
        .map(|&(place, count)| (cell(place), count))
        .filter(|(cell, _)| !cell.is_exact())
        .collect();
    if !loose.is_empty() {
        symbols.extend(loose.iter().map(|&(cell, _)| (cell.low, 0)));
        symbols.sort_unstable_by_key(|&(symbol, count)| (symbol, u64::MAX - count));
        symbols.dedup_by_key(|&mut (symbol, _)| symbol);
        loose.sort_by_key(|&(cell, _)| (u16::MAX - (cell.high - cell.low), cell));
        for (cell, count) in loose {
            let best = symbols
                .iter_mut()
                .filter(|(symbol, _)| cell.allows(*symbol))
                .max_by_key(|&&mut (symbol, count)| (count, u16::MAX - symbol));
            if let Some((_, sum)) = best {
                *sum += count;
            }
        }
        symbols.retain(|&(_, count)| count > 0);
    }
    if symbols.is_empty() {
        symbols.push((0, 1));
    }
    choose(&symbols)
}
