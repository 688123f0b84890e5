//! Which leaf of a grown tree each position is in.

use std::ops::Range;

use rayon::prelude::*;
use retrograde_learned::{LearnedError, TreeBuilder};

use crate::batch::{Batch, RowBatch};
use crate::census::Census;
use crate::grow::Grown;
use crate::prune::{Counts, Pruned};
use crate::samples::Samples;
use crate::source::Source;

/// The leaf of every position whose value matters, by the order of indices; leaves are
/// numbered from left to right.
pub(crate) struct Leaves {
    pub(crate) of: Vec<u32>,
    /// The symbol of each position.
    pub(crate) symbols: Vec<u16>,
    /// How many leaves there are.
    pub(crate) count: usize,
    /// How many positions there are before each run of indices, and in all.
    starts: Vec<usize>,
}

impl Leaves {
    /// If all positions are samples: in which leaf's part of the order they are.
    pub(crate) fn of_samples(
        samples: Samples,
        order: &[u32],
        census: &Census,
        grown: &Grown,
    ) -> Leaves {
        let (mut of, mut count) = (vec![0; order.len()], 0);
        grown.each_leaf(&mut |range| {
            for &sample in &order[range] {
                of[sample as usize] = count;
            }
            count += 1;
        });
        Leaves {
            of,
            symbols: samples.symbols,
            count: count as usize,
            starts: starts(census),
        }
    }

    /// If there are more positions than samples: all of them go down the tree.
    pub(crate) fn of_all(
        source: &impl Source,
        census: &Census,
        grown: &Grown,
    ) -> Result<Leaves, LearnedError> {
        let mut tree = TreeBuilder::new(source.features());
        let mut count = 0;
        build(grown, &mut tree, &mut count);
        let (tree, pages) = tree.finish(|_| 0)?;
        let starts = starts(census);
        let total = starts.last().copied().unwrap_or(0);
        let (mut of, mut symbols) = (vec![0; total], vec![0; total]);
        let mut runs = Vec::with_capacity(census.runs.len());
        let (mut of_left, mut symbols_left) = (&mut of[..], &mut symbols[..]);
        for &cared in &census.runs {
            let (of_here, of_after) = of_left.split_at_mut(cared as usize);
            let (symbols_here, symbols_after) = symbols_left.split_at_mut(cared as usize);
            (of_left, symbols_left) = (of_after, symbols_after);
            runs.push((of_here, symbols_here));
        }
        runs.into_par_iter().enumerate().try_for_each_init(
            || (RowBatch::new(source), vec![0; Batch::RUN]),
            |(batch, leaves), (run, (of, symbols))| {
                let batch = batch.as_mut().map_err(|&mut fault| fault)?;
                if of.is_empty() {
                    return Ok(());
                }
                let (rows, cells) = batch.look(source, run as u64 * Batch::RUN as u64);
                tree.ends_of_rows(rows, |place, end| {
                    leaves[place] = pages.number(end).unwrap_or(0);
                });
                let stored = cells.iter().zip(&*leaves);
                let stored = stored.filter_map(|(cell, &leaf)| Some(((*cell)?, leaf)));
                for ((of, to), (symbol, leaf)) in of.iter_mut().zip(symbols).zip(stored) {
                    (*of, *to) = (leaf, symbol);
                }
                Ok::<_, LearnedError>(())
            },
        )?;
        Ok(Leaves {
            of,
            symbols,
            count: count as usize,
            starts,
        })
    }

    /// How many positions there are before a run.
    pub(crate) fn before(&self, run: u64) -> usize {
        self.starts[(run as usize).min(self.starts.len() - 1)]
    }

    /// How many positions are in each leaf.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0usize; self.count];
        for &leaf in &self.of {
            sizes[leaf as usize] += 1;
        }
        sizes
    }

    /// The leaves of the positions from the one run to the other.
    pub(crate) fn of_runs(&self, runs: Range<u64>) -> &[u32] {
        &self.of[self.before(runs.start)..self.before(runs.end)]
    }

    /// How often each symbol is in each leaf.
    pub(crate) fn counts(&self) -> Vec<Counts> {
        let sizes = self.sizes();
        let (mut ends, mut sum) = (sizes.clone(), 0);
        for end in &mut ends {
            (*end, sum) = (sum, sum + *end);
        }
        let mut sorted = vec![0u16; self.of.len()];
        for (&leaf, &symbol) in self.of.iter().zip(&self.symbols) {
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

/// How many positions there are before each run, and in all.
fn starts(census: &Census) -> Vec<usize> {
    let mut sum = 0;
    let before = census.runs.iter().map(|&cared| {
        sum += cared as usize;
        sum
    });
    std::iter::once(0).chain(before).collect()
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
