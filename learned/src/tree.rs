//! A decision tree in memory.

use crate::columns::Columns;
use crate::error::LearnedError;
use crate::feature::{FeatureRow, Features};
use crate::layout::Split;

/// A node: its question, and where its children are.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The feature in the lowest 8 bits, the place of its set above.
    ask: u32,
    /// Right child, left child: the place of a node, or [`LEAF`] and the leaf, or
    /// [`BRANCH`] and the number of the branch.
    next: [u32; 2],
}

const LEAF: u32 = 1 << 31;
const BRANCH: u32 = LEAF | 1 << 30;

/// Where a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At a leaf.
    Leaf(u32),
    /// Where a branch begins, a tree of its own.
    Branch(u32),
}

/// A tree whose leaves are numbers below 2^30.
///
/// The children of a node come after it, so every walk ends.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The values that go left.
    sets: Vec<u64>,
    words: usize,
    root: u32,
    /// The places of the sets of the lowest 0, 1, 2 … values, which many nodes share.
    lowest: Vec<Option<u32>>,
}

impl Tree {
    /// A tree of a single leaf, to which nodes can be added.
    pub fn new(features: &Features) -> Tree {
        let words = features.words();
        Tree {
            nodes: Vec::new(),
            sets: Vec::new(),
            words,
            root: LEAF,
            lowest: vec![None; 64 * words + 1],
        }
    }

    fn put_set(&mut self, left: u128) {
        self.sets.push(left as u64);
        if self.words == 2 {
            self.sets.push((left >> 64) as u64);
        }
    }

    /// Adds a node with leaf 0 on both sides, and returns its place.
    ///
    /// # Errors
    /// There are too many nodes.
    pub fn add(&mut self, split: Split) -> Result<u32, LearnedError> {
        let lowest = split.left.trailing_ones();
        let is_threshold = split.left.checked_shr(lowest).unwrap_or(0) == 0;
        let new = (self.sets.len() / self.words) as u32;
        let set = match self.lowest.get_mut(lowest as usize) {
            Some(known) if is_threshold => *known.get_or_insert(new),
            _ => new,
        };
        if set >= 1 << 24 {
            return Err(LearnedError::Model("it has too many nodes"));
        }
        if set == new {
            self.put_set(split.left);
        }
        self.nodes.push(Node {
            ask: set << 8 | u32::from(split.feature),
            next: [LEAF; 2],
        });
        Ok(self.nodes.len() as u32 - 1)
    }

    /// Attaches a later node below a node, left or right, or at the root.
    pub fn hang(&mut self, parent: Option<(u32, bool)>, node: u32) {
        let ahead = parent.is_none_or(|(parent, _)| parent < node);
        debug_assert!(ahead && (node as usize) < self.nodes.len());
        if ahead && (node as usize) < self.nodes.len() {
            self.put(parent, node);
        }
    }

    /// Attaches a leaf below a node, left or right, or at the root.
    pub fn hang_leaf(&mut self, parent: Option<(u32, bool)>, leaf: u32) {
        debug_assert!(leaf < BRANCH ^ LEAF);
        self.put(parent, leaf | LEAF);
    }

    /// Attaches a branch below a node, left or right, or at the root.
    pub fn hang_branch(&mut self, parent: Option<(u32, bool)>, branch: u32) {
        debug_assert!(branch < BRANCH ^ LEAF);
        self.put(parent, branch | BRANCH);
    }

    fn put(&mut self, parent: Option<(u32, bool)>, child: u32) {
        match parent {
            None => self.root = child,
            Some((parent, left)) => {
                if let Some(node) = self.nodes.get_mut(parent as usize) {
                    node.next[usize::from(left)] = child;
                }
            }
        }
    }

    /// Whether the left, or the right, child of a node is a leaf.
    pub fn is_leaf(&self, parent: u32, left: bool) -> bool {
        let node = self.nodes.get(parent as usize);
        node.is_none_or(|node| node.next[usize::from(left)] & BRANCH == LEAF)
    }

    pub(crate) fn finish(&mut self) {
        self.lowest = Vec::new();
        self.nodes.shrink_to_fit();
        self.sets.shrink_to_fit();
    }

    /// The size of the tree in memory in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.sets.len() * 8
    }

    /// Where the walk of a placement ends.
    #[inline]
    pub fn walk(&self, row: &FeatureRow) -> End {
        let mut at = self.root;
        while at & LEAF == 0 {
            let Some(node) = self.nodes.get(at as usize) else {
                return End::Leaf(0);
            };
            let value = row[(node.ask & 255) as usize];
            at = node.next[usize::from(self.goes_left(node, value))];
        }
        end(at)
    }

    #[inline]
    fn goes_left(&self, node: &Node, value: u8) -> bool {
        let mut word = (node.ask >> 8) as usize;
        if self.words == 2 {
            word = word * 2 + usize::from(value >> 6 & 1);
        }
        let set = self.sets.get(word).copied().unwrap_or(0);
        set >> (value & 63) & 1 != 0
    }

    /// Where the walks of many placements end: calls `visit` with each end and the
    /// placements, of those that `places` gives, that end there. `places` is put in another
    /// order.
    ///
    /// # Errors
    /// Those of `visit`.
    pub fn walk_all<E>(
        &self,
        columns: &Columns,
        places: &mut [u16],
        mut visit: impl FnMut(End, &mut [u16]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut spare = vec![0; places.len()];
        let mut open = vec![(self.root, 0, places.len())];
        while let Some((at, from, to)) = open.pop() {
            if from == to {
                continue;
            }
            let Some(node) = self.nodes.get(at as usize) else {
                visit(end(at), &mut places[from..to])?;
                continue;
            };
            let column = columns.column((node.ask & 255) as usize);
            let (mut lefts, mut rights) = (from, 0);
            for read in from..to {
                let place = places[read];
                let value = column.get(usize::from(place)).copied().unwrap_or(0);
                let left = self.goes_left(node, value);
                places[lefts] = place;
                spare[rights] = place;
                lefts += usize::from(left);
                rights += usize::from(!left);
            }
            places[lefts..to].copy_from_slice(&spare[..rights]);
            open.push((node.next[0], lefts, to));
            open.push((node.next[1], from, lefts));
        }
        Ok(())
    }
}

/// The end that a child says that is no node.
#[inline]
fn end(at: u32) -> End {
    match at & BRANCH {
        BRANCH => End::Branch(at ^ BRANCH),
        _ => End::Leaf(at & !LEAF),
    }
}
