//! A decision tree in memory.
//!
//! A walk waits for little else than for nodes to arrive from memory, and whole folders of
//! trees are held there, so a tree is a string of bytes. Nodes stand in it as walks are likely
//! to need them, each before its left and that before its right subtree:
//!
//! ```text
//! 2 bytes   7 bits, or 8 if there are more than 128: the feature
//!           the others: the question, and which children are ends
//! the set   some bytes of the values that go left; the question says which, and what the
//!           others are
//! a byte for each child that is an end, the left one first; if there is none, 1 or 4 bytes say
//!           how many bytes the left subtree takes
//! ```
//!
//! Most sets are alike at their ends, which therefore the question says.
//!
//! The byte of an end tells it apart from the other ends of its *page*, a stretch of the tree. All
//! pages have the same number of bytes, few enough for one byte. Behind the nodes there is room
//! for what the ends are about, so that it needs no memory of its own.

mod builder;
mod questions;
mod steps;
mod walks;

use std::convert::Infallible;
use std::hint::select_unpredictable;

pub use builder::{Overflow, Pages, TreeBuilder};
use steps::{Step, Steps};
pub(crate) use walks::{TOGETHER, Walks};

use crate::feature::FeatureRow;
use crate::rows::{Parts, Rows, RowsOf, Words};
use crate::squares::Squares;

/// The bytes of the head of a node.
const HEAD: u32 = 2;
/// The bytes in which a node is looked for: with a set of 128 values and four bytes behind it
/// takes 22. Whatever it says, a number begins at a byte below [`MOST_AT`], so that reading it
/// takes no check.
const NODE: usize = MOST_AT + 4;
const MOST_AT: usize = 32;
/// Set in the position of a walk that has ended; the other bits are the byte of the end.
const END: u32 = 1 << 31;

/// The most ends of a page. Their places are from as many times the number of the page on.
pub(crate) const PAGE: u32 = 256;

/// A tree whose ends have places.
///
/// The children of a node come after it, so every walk ends.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The nodes and what is behind them.
    bytes: Box<[u8]>,
    /// How many bytes nodes take.
    nodes: u32,
    /// The logarithm of the bytes of a page.
    page_bits: u8,
    /// The bits of heads that are the feature: seven, or all of the first byte.
    feature: u8,
    /// Whether the board has more than 64 squares.
    large: bool,
}

/// How the nodes of a tree are read: trees of the same features do not differ in that.
#[derive(Clone, Copy)]
struct Reading {
    steps: &'static Steps,
    /// The bits of heads that are the feature.
    feature: u8,
}

/// What a node does.
struct Node {
    feature: usize,
    /// The values that go left.
    left: u128,
    /// Where a walk goes on to the right and to the left.
    next: [u32; 2],
}

impl Tree {
    /// The size of the tree in memory in bytes, with what is behind its nodes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// The same tree with these bytes behind its nodes.
    #[must_use]
    pub(crate) fn followed_by(self, tail: &[u8]) -> Tree {
        let nodes = self.bytes.get(..self.nodes as usize).unwrap_or(&[]);
        let mut bytes = Vec::with_capacity(nodes.len() + tail.len().max(NODE));
        bytes.extend_from_slice(nodes);
        bytes.extend_from_slice(tail);
        // So that the last node can be read as any other.
        bytes.resize(bytes.len().max(nodes.len() + NODE), 0);
        Tree {
            bytes: bytes.into(),
            ..self
        }
    }

    /// What is behind the nodes.
    #[inline]
    pub(crate) fn tail(&self) -> &[u8] {
        self.bytes.get(self.nodes as usize..).unwrap_or(&[])
    }

    /// How many pages the tree has.
    #[inline]
    pub(crate) fn pages(&self) -> usize {
        builder::pages_of(self.nodes as usize, self.page_bits.into())
    }

    /// The place of the end of the walk of a placement.
    #[inline]
    pub fn walk(&self, row: &FeatureRow) -> u32 {
        self.place(match self.large {
            false => self.walk_as::<false>(row),
            true => self.walk_as::<true>(row),
        })
    }

    fn walk_as<const LARGE: bool>(&self, row: &FeatureRow) -> u32 {
        let mut at = self.root();
        let reading = self.reading();
        while at & END == 0 {
            at = self.step::<LARGE, false>(reading, at, row);
        }
        at
    }

    #[inline]
    fn reading(&self) -> Reading {
        Reading {
            steps: steps::of(self.large, self.feature),
            feature: self.feature,
        }
    }

    /// Where a walk begins: at a node, or there is nothing but an end.
    #[inline]
    fn root(&self) -> u32 {
        if self.nodes > HEAD { 0 } else { END }
    }

    /// Where a walk goes on from a node; sets may have more than 64 values if they are `LARGE`.
    /// Nothing branches on what the node is, because that cannot be foreseen.
    #[inline(always)]
    fn step<const LARGE: bool, const SIDE_BY_SIDE: bool>(
        &self,
        reading: Reading,
        at: u32,
        row: &FeatureRow,
    ) -> u32 {
        let Some(node) = self.node_bytes(at) else {
            return END;
        };
        let (feature, step) = reading.head(node);
        let value = row[feature];
        let high = if LARGE { value >> 6 & 1 } else { 0 };
        let set = u64::from_le_bytes(part(node, (HEAD + 8 * u32::from(high)) as usize));
        let left = step.left(set, value);
        if SIDE_BY_SIDE {
            return step.next_of(left, at, node);
        }
        let [right, near] = step.next(at, node);
        select_unpredictable(left != 0, near, right)
    }

    /// The bytes from that of a node on.
    #[inline(always)]
    fn node_bytes(&self, at: u32) -> Option<&[u8; NODE]> {
        let at = at as usize;
        self.bytes.get(at..at + NODE)?.first_chunk()
    }

    /// The node at a byte.
    fn node(&self, at: u32) -> Option<Node> {
        let node = self.node_bytes(at)?;
        let (feature, step) = self.reading().head(node);
        Some(Node {
            feature,
            left: step.all_lefts(node),
            next: step.next(at, node),
        })
    }

    /// Calls `each` with placements that are given by rows and the places of the ends of their
    /// walks.
    pub fn ends_of_rows(&self, rows: &Rows, mut each: impl FnMut(usize, u32)) {
        match &rows.0 {
            Words::Small(rows) => self.ends(rows, &mut each),
            Words::Large(rows) => self.ends(rows, &mut each),
        }
    }

    fn ends<W: Squares>(&self, rows: &RowsOf<W>, each: &mut impl FnMut(usize, u32)) {
        let mut parts = Parts::new(rows.asked());
        let visit = |end, parts: &mut Parts<W>, from| {
            let parts = parts.all.get(from..).unwrap_or(&[]).iter();
            parts.for_each(|&part| rows.each_place(part, |place| each(place, end)));
            Ok::<_, Infallible>(())
        };
        let Ok(()) = self.walk_rows(rows, &mut parts, 0, visit);
    }

    /// Follows rows from `from` to the ends of their walks. Calls `visit` with the place of
    /// each end, the parts, and the first part that ends there. `visit` may change those parts;
    /// they are removed afterwards.
    ///
    /// # Errors
    /// Those of `visit`.
    pub(crate) fn walk_rows<W: Squares, E>(
        &self,
        rows: &RowsOf<W>,
        parts: &mut Parts<W>,
        from: usize,
        mut visit: impl FnMut(u32, &mut Parts<W>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut open = vec![(self.root(), from)];
        while let Some((at, from)) = open.pop() {
            if from >= parts.all.len() {
                continue;
            }
            let node = if at & END == 0 { self.node(at) } else { None };
            let Some(node) = node else {
                visit(self.place(at), parts, from)?;
                parts.all.truncate(from);
                continue;
            };
            let rights = rows.divide((node.feature, node.left), parts, from);
            let [right, left] = node.next;
            open.push((left, from));
            open.push((right, rights));
        }
        Ok(())
    }

    /// The place of the end of a walk that has ended.
    #[inline]
    fn place(&self, at: u32) -> u32 {
        let at = at & !END;
        let end = self.bytes.get(at as usize).copied().unwrap_or(0);
        (at >> self.page_bits) * PAGE + u32::from(end)
    }
}

impl Reading {
    /// The feature of a node and what its head says besides.
    #[inline(always)]
    fn head(self, node: &[u8; NODE]) -> (usize, &'static Step) {
        let upper = u16::from_le_bytes([node[0], node[1]]) >> steps::BELOW;
        let step = &self.steps[usize::from(upper) % self.steps.len()];
        ((node[0] & self.feature).into(), step)
    }
}

/// Some bytes of a node.
#[inline(always)]
fn part<const N: usize>(node: &[u8; NODE], at: usize) -> [u8; N] {
    let part = node.get(at..).and_then(<[u8]>::first_chunk);
    part.copied().unwrap_or([0; N])
}
