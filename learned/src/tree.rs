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
    /// Right child, left child: the place of a node, or [`LEAF`] and the leaf.
    next: [u32; 2],
}

const LEAF: u32 = 1 << 31;

/// A tree whose leaves are numbers below 2^31.
///
/// The children of a node come after it, so every walk ends.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The values that go left: first the lowest 0, 1, 2 … values, which many nodes share,
    /// then other sets.
    sets: Vec<u64>,
    words: usize,
    root: u32,
}

impl Tree {
    /// A tree of a single leaf, to which nodes can be added.
    pub fn new(features: &Features) -> Tree {
        let mut tree = Tree {
            nodes: Vec::new(),
            sets: Vec::new(),
            words: features.words(),
            root: LEAF,
        };
        for values in 0..=64 * tree.words as u32 {
            tree.put_set(1u128.checked_shl(values).unwrap_or(0).wrapping_sub(1));
        }
        tree
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
        let lowest = split.left.trailing_ones() as usize;
        let is_threshold = split.left.checked_shr(lowest as u32).unwrap_or(0) == 0;
        let set = match is_threshold && lowest <= 64 * self.words {
            // The lowest values go left: a set that is there.
            true => lowest,
            false => self.sets.len() / self.words,
        };
        if set >= 1 << 24 {
            return Err(LearnedError::Model("it has too many nodes"));
        }
        if set * self.words == self.sets.len() {
            self.put_set(split.left);
        }
        self.nodes.push(Node {
            ask: (set as u32) << 8 | u32::from(split.feature),
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
        debug_assert!(leaf < LEAF);
        self.put(parent, leaf | LEAF);
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
        node.is_none_or(|node| node.next[usize::from(left)] & LEAF != 0)
    }

    /// The numbers of all leaves, from left to right.
    pub fn leaves(&self) -> Vec<u32> {
        let (mut leaves, mut open) = (Vec::new(), vec![self.root]);
        while let Some(at) = open.pop() {
            match self.nodes.get(at as usize) {
                Some(node) => open.extend(node.next),
                None => leaves.push(at & !LEAF),
            }
        }
        leaves
    }

    pub(crate) fn finish(&mut self) {
        self.nodes.shrink_to_fit();
        self.sets.shrink_to_fit();
    }

    /// The size of the tree in memory in bytes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.sets.len() * 8
    }

    /// The leaf of a placement.
    #[inline]
    pub fn walk(&self, row: &FeatureRow) -> u32 {
        let mut at = self.root;
        while at & LEAF == 0 {
            let Some(node) = self.nodes.get(at as usize) else {
                return 0;
            };
            let value = row[(node.ask & 255) as usize];
            at = node.next[usize::from(self.goes_left(node, value))];
        }
        at ^ LEAF
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

    /// The leaves of many placements at once; `leaves` has a place for each.
    pub fn walk_all(&self, columns: &Columns, leaves: &mut [u32]) {
        let len = columns.len().min(leaves.len());
        let mut order: Vec<u16> = (0..len as u16).collect();
        let mut spare = vec![0; len];
        let mut open = vec![(self.root, 0, len)];
        while let Some((at, from, to)) = open.pop() {
            if from == to {
                continue;
            }
            let Some(node) = self.nodes.get(at as usize) else {
                for &place in &order[from..to] {
                    leaves[usize::from(place)] = at & !LEAF;
                }
                continue;
            };
            let column = columns.column((node.ask & 255) as usize);
            let (mut lefts, mut rights) = (from, 0);
            for read in from..to {
                let place = order[read];
                let value = column.get(usize::from(place)).copied().unwrap_or(0);
                let left = self.goes_left(node, value);
                order[lefts] = place;
                spare[rights] = place;
                lefts += usize::from(left);
                rights += usize::from(!left);
            }
            order[lefts..to].copy_from_slice(&spare[..rights]);
            open.push((node.next[0], lefts, to));
            open.push((node.next[1], from, lefts));
        }
    }
}
