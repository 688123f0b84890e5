//! Assigns each position to its leaf of a tree, and grows the lower part of it on all positions.
//!
//! That follows once the top has been grown on samples.
//!
//! Near its root a tree looks at a few thousand samples of each node, however many there
//! are. Further down samples cannot tell chance from rule, and what pays there is found
//! with every position only. Each node at which the top ends is grown by itself, so the
//! features of a few of them are in memory at a time.

use std::ops::Range;

use rayon::prelude::*;
use retrograde_learned::{LearnedError, TreeBuilder};

use crate::entropy::Prices;
use crate::grow::{Extent, Grown, TASK, grow};
use crate::positions::{Positions, RUN, RunRows, Source};
use crate::prune::{Counts, Pruned};
use crate::samples::{Rates, Samples};
use crate::split::Finder;

/// The leaf of every position whose value matters, by the order of indices; leaves are
/// numbered from left to right.
pub(crate) struct Leaves {
    pub(crate) of: Vec<u32>,
    /// The number of leaves.
    pub(crate) count: usize,
}

impl Leaves {
    /// The leaf of each position, if all positions are samples: the leaf in whose part of the order
    /// it is.
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

    /// The leaf of each position, if there are more positions than samples: all of them go down the
    /// tree.
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
            || (RunRows::new(source), vec![0; RUN]),
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
                    *of = leaves[index as usize % RUN];
                }
                Ok::<_, LearnedError>(())
            },
        )?;
        Ok(Leaves {
            of,
            count: count as usize,
        })
    }

    /// The number of positions in each leaf.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0usize; self.count];
        for &leaf in &self.of {
            sizes[leaf as usize] += 1;
        }
        sizes
    }

    /// The counts of the symbols in each leaf, given the symbols of all positions.
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

/// The number of leaves of the grown tree that became each leaf of the pruned one, from left to
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

/// The positions whose places are known at a time, unless a single node has more.
const GROUP: usize = 1 << 25;

/// The runs of indices that are searched for them together.
const RUNS: u64 = 1 << 10;

/// Marks leaves that have their final number.
const DONE: u32 = 1 << 31;

/// A node at which the top of the tree ends.
#[derive(Clone, Copy)]
struct End {
    /// The nodes above it.
    depth: usize,
    /// Whether it is grown; otherwise it is a leaf.
    grows: bool,
}

/// The tree below an end.
struct Part {
    grown: Grown,
    leaves: u32,
    /// The leaf of each of its positions.
    of: Vec<u32>,
}

/// The positions found at the ends of a group.
struct Found {
    /// The first index, and how many positions there are before it.
    first: (u64, usize),
    /// The positions of each end: their indices and their numbers from there on.
    of: Vec<Vec<[u32; 2]>>,
}

/// The source and the prices that all ends share.
struct Refiner<'a, S> {
    source: &'a S,
    positions: &'a Positions,
    prices: Prices,
}

/// The whole tree and the leaf of every position, from the top as it was grown on samples.
pub(crate) fn refine(
    source: &impl Source,
    positions: &Positions,
    prices: Prices,
    top: Grown,
) -> Result<(Grown, Leaves), LearnedError> {
    let mut leaves = Leaves::of_all(source, positions, &top)?;
    let refiner = Refiner {
        source,
        positions,
        prices,
    };
    let mut ends = Vec::new();
    find_ends(&top, 0, &mut ends);
    let sizes = leaves.sizes();
    let (mut parts, mut firsts) = (Vec::with_capacity(ends.len()), Vec::new());
    let (mut from, mut next) = (0, 0);
    while from < ends.len() {
        let (mut to, mut sum) = (from, 0);
        while to < ends.len() && (sum == 0 || sum + sizes[to] <= GROUP) {
            sum += if ends[to].grows { sizes[to] } else { 0 };
            to += 1;
        }
        let found = refiner.find(&leaves, from..to, &ends);
        let grown: Vec<Option<Part>> = (from..to)
            .into_par_iter()
            .map(|end| {
                let part = || refiner.part(ends[end], end - from, &found);
                ends[end].grows.then(part).transpose()
            })
            .collect::<Result<_, LearnedError>>()?;
        for (place, part) in grown.into_iter().enumerate() {
            firsts.push(next);
            let count = part.as_ref().map_or(1, |part| part.leaves);
            if let Some(part) = &part {
                let numbers = found.iter().flat_map(|found| found.numbers(place));
                for (number, leaf) in numbers.zip(&part.of) {
                    leaves.of[number] = DONE | (next + leaf);
                }
            }
            parts.push(part.map(|part| part.grown));
            next += count;
        }
        from = to;
    }
    let finish = |leaf: &mut u32| {
        *leaf = match *leaf & DONE {
            0 => firsts[*leaf as usize],
            _ => *leaf ^ DONE,
        }
    };
    leaves.of.par_iter_mut().for_each(finish);
    leaves.count = next as usize;
    let grown = join(top, &mut parts.into_iter());
    Ok((grown, leaves))
}

fn find_ends(grown: &Grown, depth: usize, ends: &mut Vec<End>) {
    match grown {
        Grown::Leaf(samples) => ends.push(End {
            depth,
            grows: samples.len() <= TASK,
        }),
        Grown::Node(node) => {
            find_ends(&node.1, depth + 1, ends);
            find_ends(&node.2, depth + 1, ends);
        }
    }
}

/// Puts in place what has been grown below the top.
fn join(top: Grown, parts: &mut impl Iterator<Item = Option<Grown>>) -> Grown {
    match top {
        Grown::Leaf(_) => parts.next().flatten().unwrap_or(top),
        Grown::Node(node) => {
            let (split, left, right) = *node;
            let left = join(left, parts);
            Grown::Node(Box::new((split, left, join(right, parts))))
        }
    }
}

impl Found {
    fn indices(&self, end: usize) -> impl Iterator<Item = u64> {
        let positions = self.of[end].iter();
        positions.map(|&[index, _]| self.first.0 + u64::from(index))
    }

    fn numbers(&self, end: usize) -> impl Iterator<Item = usize> {
        let positions = self.of[end].iter();
        positions.map(|&[_, number]| self.first.1 + number as usize)
    }
}

impl<S: Source> Refiner<'_, S> {
    /// The positions of some ends that are to be grown.
    fn find(&self, leaves: &Leaves, group: Range<usize>, ends: &[End]) -> Vec<Found> {
        let runs = self.positions.runs();
        (0..runs.div_ceil(RUNS))
            .into_par_iter()
            .map(|part| {
                let part = part * RUNS..runs.min((part + 1) * RUNS);
                let mut found = Found {
                    first: (
                        part.start * RUN as u64,
                        self.positions.range(0..part.start).len(),
                    ),
                    of: vec![Vec::new(); group.len()],
                };
                let mut number = 0;
                for run in part {
                    let of_run = &leaves.of[self.positions.range(run..run + 1)];
                    let is_wanted =
                        |&end: &u32| group.contains(&(end as usize)) && ends[end as usize].grows;
                    if !of_run.iter().any(is_wanted) {
                        number += of_run.len() as u32;
                        continue;
                    }
                    for (index, end) in self.positions.indices_of(run).zip(of_run) {
                        if is_wanted(end) {
                            let index = (index - found.first.0) as u32;
                            found.of[*end as usize - group.start].push([index, number]);
                        }
                        number += 1;
                    }
                }
                found
            })
            .collect()
    }

    /// Grows the tree below an end.
    fn part(&self, end: End, place: usize, found: &[Found]) -> Result<Part, LearnedError> {
        let indices: Vec<u64> = found
            .iter()
            .flat_map(|found| found.indices(place))
            .collect();
        let numbers = found.iter().flat_map(|found| found.numbers(place));
        let symbols: Vec<u16> = numbers
            .map(|number| self.positions.symbols()[number])
            .collect();
        let mut part = Part {
            grown: Grown::Leaf(0..indices.len()),
            leaves: 1,
            of: vec![0; indices.len()],
        };
        if symbols.iter().all(|symbol| *symbol == symbols[0]) {
            return Ok(part);
        }
        let samples = Samples::of_positions(self.source, &indices, symbols)?;
        let features = self.source.features();
        let mut finder = Finder::new(
            features,
            &samples,
            self.positions.counts().len(),
            self.prices,
        );
        let (grown, order) = grow(&mut finder, Rates::each_once(), Extent::Below(end.depth));
        part.leaves = 0;
        grown.each_leaf(&mut |range| {
            for &position in &order[range] {
                part.of[position as usize] = part.leaves;
            }
            part.leaves += 1;
        });
        part.grown = grown;
        Ok(part)
    }
}
