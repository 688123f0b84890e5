//! Prunes a grown tree to the splits that pay, and chooses the code of each leaf.

use retrograde_learned::{CodeShape, Features, LEVELS, LONGEST, node_coding::Split};

use crate::entropy::{POINT, Prices};
use crate::grow::Grown;

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

    /// The number of leaves.
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

/// A code, and the size of all the values of a leaf in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    pub(crate) shape: CodeShape,
    /// Bits, [`POINT`] of them after the point.
    pub(crate) cost: u64,
}

/// The best code for symbols (in ascending order) with counts above 0.
pub(crate) fn choose(counts: &[(u16, u64)]) -> Choice {
    let mut order: Vec<usize> = (0..counts.len()).collect();
    order.sort_by_key(|&place| (u64::MAX - counts[place].1, place));
    let mut left: u64 = counts.iter().map(|&(_, count)| count).sum();
    let mut levels = Vec::new();
    let (mut spent, mut best) = (0, None::<Choice>);
    for level in 0..=LEVELS.min(counts.len().saturating_sub(1)) {
        let mut rest: Vec<usize> = order[level..].to_vec();
        rest.sort_unstable();
        let weights: Vec<u64> = rest.iter().map(|&place| counts[place].1).collect();
        let lengths = lengths(&weights);
        let bits: u64 = weights
            .iter()
            .zip(&lengths)
            .map(|(&weight, &length)| weight * u64::from(length))
            .sum();
        let cost = spent + (bits << POINT);
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            let rest = rest.iter().map(|&place| counts[place].0);
            best = Some(Choice {
                shape: CodeShape {
                    levels: levels.clone(),
                    rest: rest.zip(lengths).collect(),
                },
                cost,
            });
        }
        if level == LEVELS || level + 1 >= counts.len() {
            break;
        }
        let (symbol, common) = counts[order[level]];
        let (filter, cost) = filter(common, left - common);
        spent += cost;
        levels.push((symbol, filter));
        left -= common;
    }
    best.unwrap_or_default()
}

/// The best number of filter bits, and the cost of the level.
fn filter(common: u64, exceptions: u64) -> (u8, u64) {
    (0..=15u8)
        .map(|filter| {
            let sure = (exceptions * u64::from(filter + 1)) << POINT;
            (filter, sure + (common << POINT >> filter))
        })
        .min_by_key(|&(_, cost)| cost)
        .unwrap_or((0, 0))
}

/// The lengths of an optimal prefix code with none above [`LONGEST`].
fn lengths(weights: &[u64]) -> Vec<u8> {
    let mut weights = weights.to_vec();
    loop {
        let lengths = unbounded(&weights);
        if lengths.iter().all(|&length| length <= LONGEST) {
            return lengths;
        }
        for weight in &mut weights {
            *weight = (*weight >> 1) + 1;
        }
    }
}

fn unbounded(weights: &[u64]) -> Vec<u8> {
    let count = weights.len();
    match count {
        0 | 1 => return vec![0; count],
        2 => return vec![1; 2],
        _ => {}
    }
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by_key(|&place| (weights[place], place));
    // Two queues: the leaves in ascending order, and the joined nodes, which arise
    // in ascending order.
    let mut sums = vec![0u64; count - 1];
    let mut parents = vec![0; 2 * count - 1];
    let (mut leaf, mut joined) = (0, 0);
    for next in 0..count - 1 {
        for _ in 0..2 {
            let from_leaves =
                leaf < count && (joined >= next || weights[order[leaf]] <= sums[joined]);
            let (node, weight) = if from_leaves {
                leaf += 1;
                (leaf - 1, weights[order[leaf - 1]])
            } else {
                joined += 1;
                (count + joined - 1, sums[joined - 1])
            };
            parents[node] = count + next;
            sums[next] += weight;
        }
    }
    let mut depths = vec![0u8; 2 * count - 1];
    for node in (0..2 * count - 2).rev() {
        depths[node] = depths[parents[node]].saturating_add(1);
    }
    let mut lengths = vec![0; count];
    for (rank, &place) in order.iter().enumerate() {
        lengths[place] = depths[rank];
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    use retrograde_learned::CodesBuilder;

    #[test]
    fn lengths_are_those_of_huffman() {
        assert_eq!(lengths(&[]), [0; 0]);
        assert_eq!(lengths(&[7]), [0]);
        assert_eq!(lengths(&[7, 100]), [1, 1]);
        assert_eq!(lengths(&[1, 1, 2, 4]), [3, 3, 2, 1]);
        assert_eq!(
            lengths(&[10, 10, 10, 10, 10])
                .iter()
                .filter(|&&l| l == 2)
                .count(),
            3
        );
    }

    #[test]
    fn long_codes_are_cut() {
        let mut fibonacci = vec![1u64, 1];
        for place in 2..40 {
            fibonacci.push(fibonacci[place - 1] + fibonacci[place - 2]);
        }
        let counts: Vec<(u16, u64)> = (0..).zip(fibonacci).collect();
        let choice = choose(&counts);
        assert!(CodesBuilder::new(1 << 16).add(&choice.shape).is_ok());
    }

    #[test]
    fn rare_exceptions_take_a_filter() {
        let choice = choose(&[(3, 10_000), (5, 100)]);
        assert_eq!(choice.shape.levels.len(), 1);
        let (symbol, filter) = choice.shape.levels[0];
        assert_eq!(symbol, 3);
        assert!((5..8).contains(&filter));
        // 0.0808 bits a value is the entropy.
        let bits = choice.cost >> POINT;
        assert!((816..930).contains(&bits), "{bits}");
    }
}
