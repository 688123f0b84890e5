//! Which leaf of a grown tree each position is in.

use rayon::prelude::*;
use retrograde_learned::{LearnedError, TreeBuilder};

use crate::batch::{Batch, RowBatch};
use crate::grow::Grown;
use crate::positions::Positions;
use crate::prune::{Counts, Pruned};
use crate::source::Source;

/// The leaf of every position whose value matters, by the order of indices; leaves are
/// numbered from left to right.
pub(crate) struct Leaves {
    pub(crate) of: Vec<u32>,
    /// How many leaves there are.
    pub(crate) count: usize,
}

impl Leaves {
    /// If all positions are samples: in which leaf's part of the order they are.
    pub(crate) fn of_samples(order: &[u32], grown: &Grown) -> Leaves {
        let (mut of, mut count) = (vec![0; order.len()], 0);
        grown.each_leaf(&mut |range| {
            for &sample in &order[range] {
                of[sample as usize] = count;
            }
            count += 1;
        });
        Leaves {
            of,
            count: count as usize,
        }
    }

    /// If there are more positions than samples: all of them go down the tree.
    pub(crate) fn of_all(
        source: &impl Source,
        positions: &Positions,
        grown: &Grown,
    ) -> Result<Leaves, LearnedError> {
        let mut tree = TreeBuilder::new(source.features());
        let mut count = 0;
        build(grown, &mut tree, &mut count);
        let (tree, pages) = tree.finish(|_| 0)?;
        let mut of = vec![0; positions.total() as usize];
        let (mut runs, mut left) = (Vec::new(), &mut of[..]);
        for run in 0..positions.runs() {
            let (here, after) = left.split_at_mut(positions.range(run..run + 1).len());
            left = after;
            runs.push(here);
        }
        runs.into_par_iter().enumerate().try_for_each_init(
            || (RowBatch::new(source), vec![0; Batch::RUN]),
            |(batch, leaves), (run, of)| {
                let batch = batch.as_mut().map_err(|&mut fault| fault)?;
                if of.is_empty() {
                    return Ok(());
                }
                let rows = batch.look(source, positions, run as u64);
                tree.ends_of_rows(rows, |place, end| {
                    leaves[place] = pages.number(end).unwrap_or(0);
                });
                for (of, index) in of.iter_mut().zip(positions.indices_of(run as u64)) {
                    *of = leaves[index as usize % Batch::RUN];
                }
                Ok::<_, LearnedError>(())
            },
        )?;
        Ok(Leaves {
            of,
            count: count as usize,
        })
    }

    /// How many positions are in each leaf.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0usize; self.count];
        for &leaf in &self.of {
            sizes[leaf as usize] += 1;
        }
        sizes
    }

    /// How often each symbol is in each leaf, given those of all positions.
    pub(crate) fn counts(&self, symbols: &[u16]) -> Vec<Counts> {
        let sizes = self.sizes();
        let (mut ends, mut sum) = (sizes.clone(), 0);
        for end in &mut ends {
            (*end, sum) = (sum, sum + *end);
        }
        let mut sorted = vec![0u16; self.of.len()];
        for (&leaf, &symbol) in self.of.iter().zip(symbols) {
            let at = &mut ends[leaf as usize];
            sorted[*at] = symbol;
            *at += 1;
        }
        let mut parts = Vec::with_capacity(self.count);
        let mut left = &mut sorted[..];
        for size in sizes {
            let (here, after) = left.split_at_mut(size);
            left = after;
            parts.push(here);
        }
        let count = |symbols: &mut [u16]| {
            symbols.sort_unstable();
            let alike = symbols.chunk_by(|a, b| a == b);
            alike.map(|all| (all[0], all.len() as u64)).collect()
        };
        parts.into_par_iter().map(count).collect()
    }
}

/// Builds a tree whose leaves are numbered from left to right.
fn build(grown: &Grown, tree: &mut TreeBuilder, leaves: &mut u32) {
    match grown {
        Grown::Leaf(_) => {
            tree.end(*leaves);
            *leaves += 1;
        }
        Grown::Node(node) => {
            let (split, left, right) = &**node;
            tree.node(*split);
            build(left, tree, leaves);
            build(right, tree, leaves);
        }
    }
}

/// How many leaves of the grown tree became each leaf of the pruned one, from left to
/// right.
pub(crate) fn joined(grown: &Grown, pruned: &Pruned, counts: &mut Vec<usize>) {
    match (grown, pruned) {
        (Grown::Node(grown), Pruned::Node(pruned)) => {
            joined(&grown.1, &pruned.1, counts);
            joined(&grown.2, &pruned.2, counts);
        }
        _ => {
            let mut count = 0;
            grown.each_leaf(&mut |_| count += 1);
            counts.push(count);
        }
    }
}
