//! A decision tree in memory.

use crate::columns::Columns;
use crate::error::LearnedError;
use crate::feature::{FeatureRow, Features};
use crate::layout::Split;

/// A node: its question, and where its children are. A walk waits for little else than for
/// nodes to arrive from memory, so one is small, and is read from one place.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The values that go left; where there are more than 64, the lowest 64.
    set: u64,
    /// Right child, left child: the place of a node, or [`LEAF`] and the leaf, or
    /// [`BRANCH`] and the number of the branch. In between, at [`FEATURE`], each has half of
    /// the number of the feature, the right child the lower half.
    next: [u32; 2],
}

const LEAF: u32 = 1 << 31;
const BRANCH: u32 = LEAF | 1 << 30;
/// Where a child has a half of the number of the feature.
const FEATURE: u32 = 26;
const HALF: u32 = 15;
/// What numbers of nodes, leaves and branches are less than.
pub(crate) const MOST: u32 = 1 << FEATURE;

const _: () = assert!(size_of::<Node>() == 16);

impl Node {
    fn new(split: Split) -> Node {
        let feature = u32::from(split.feature);
        Node {
            set: split.left as u64,
            next: [feature & HALF, feature >> 4].map(|half| LEAF | half << FEATURE),
        }
    }

    #[inline]
    fn feature(self) -> usize {
        let [low, high] = self.next.map(|next| next >> FEATURE & HALF);
        (high << 4 | low) as usize
    }

    #[inline]
    fn child(self, left: bool) -> u32 {
        self.next[usize::from(left)] & !(HALF << FEATURE)
    }

    fn put_child(&mut self, left: bool, child: u32) {
        let next = &mut self.next[usize::from(left)];
        *next = *next & HALF << FEATURE | child;
    }
}

/// Where a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At a leaf.
    Leaf(u32),
    /// Where a branch begins, a tree of its own.
    Branch(u32),
}

/// A tree whose leaves are numbers below 2^26.
///
/// The children of a node come after it, so every walk ends.
#[derive(Clone, Debug)]
pub struct Tree {
    nodes: Vec<Node>,
    /// The values above 63 that go left, for each node; only where there are such values.
    more: Vec<u64>,
    words: usize,
    root: u32,
}

impl Tree {
    /// A tree of a single leaf, to which nodes can be added.
    pub fn new(features: &Features) -> Tree {
        Tree {
            nodes: Vec::new(),
            more: Vec::new(),
            words: features.words(),
            root: LEAF,
        }
    }

    /// Adds a node with leaf 0 on both sides, and returns its place.
    ///
    /// # Errors
    /// There are too many nodes.
    pub fn add(&mut self, split: Split) -> Result<u32, LearnedError> {
        let place = self.nodes.len() as u32;
        // A tree has one leaf or branch more than nodes.
        if place >= MOST - 1 {
            return Err(LearnedError::Model("it has too many nodes"));
        }
        self.nodes.push(Node::new(split));
        if self.words == 2 {
            self.more.push((split.left >> 64) as u64);
        }
        Ok(place)
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
        debug_assert!(leaf < MOST);
        self.put(parent, leaf | LEAF);
    }

    /// Attaches a branch below a node, left or right, or at the root.
    pub fn hang_branch(&mut self, parent: Option<(u32, bool)>, branch: u32) {
        debug_assert!(branch < MOST);
        self.put(parent, branch | BRANCH);
    }

    fn put(&mut self, parent: Option<(u32, bool)>, child: u32) {
        match parent {
            None => self.root = child,
            Some((parent, left)) => {
                if let Some(node) = self.nodes.get_mut(parent as usize) {
                    node.put_child(left, child);
                }
            }
        }
    }

    /// Whether the left, or the right, child of a node is a leaf.
    pub fn is_leaf(&self, parent: u32, left: bool) -> bool {
        let node = self.nodes.get(parent as usize);
        node.is_none_or(|node| node.child(left) & BRANCH == LEAF)
    }

    pub(crate) fn finish(&mut self) {
        self.nodes.shrink_to_fit();
        self.more.shrink_to_fit();
    }

    /// The size of the tree in memory in bytes.
    pub fn bytes(&self) -> usize {
        size_of_val(&self.nodes[..]) + size_of_val(&self.more[..])
    }

    /// Where the walk of a placement ends.
    #[inline]
    pub fn walk(&self, row: &FeatureRow) -> End {
        let mut at = self.root;
        while at & LEAF == 0 {
            let Some(node) = self.nodes.get(at as usize) else {
                return End::Leaf(0);
            };
            let left = self.goes_left(at, node, row[node.feature()]);
            at = node.child(left);
        }
        end(at)
    }

    /// Whether a value goes left at a node, given its place.
    #[inline]
    fn goes_left(&self, place: u32, node: &Node, value: u8) -> bool {
        let set = match self.words == 2 && value & 64 != 0 {
            true => self.more.get(place as usize).copied().unwrap_or(0),
            false => node.set,
        };
        set >> (value & 63) & 1 != 0
    }

    /// Begins a walk.
    pub(crate) fn walk_from_root(&self) -> Walk<'_> {
        Walk {
            tree: self,
            at: self.root,
        }
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
            let column = columns.column(node.feature());
            let (mut lefts, mut rights) = (from, 0);
            for read in from..to {
                let place = places[read];
                let value = column.get(usize::from(place)).copied().unwrap_or(0);
                let left = self.goes_left(at, node, value);
                places[lefts] = place;
                spare[rights] = place;
                lefts += usize::from(left);
                rights += usize::from(!left);
            }
            places[lefts..to].copy_from_slice(&spare[..rights]);
            open.push((node.child(false), lefts, to));
            open.push((node.child(true), from, lefts));
        }
        Ok(())
    }
}

/// A walk that is under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Walk<'t> {
    tree: &'t Tree,
    at: u32,
}

impl Walk<'_> {
    /// Where it ended, or would if it did not go on.
    pub(crate) fn end(self) -> End {
        end(self.at)
    }
}

/// Takes walks, each of its own placement, to their ends. They go side by side: while the
/// node of one is on its way from memory, the others need not wait.
pub(crate) fn walk_together(walks: &mut [Walk<'_>], rows: &[FeatureRow]) {
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for (walk, row) in walks.iter_mut().zip(rows) {
            if walk.at & LEAF == 0 {
                walk.at = match walk.tree.nodes.get(walk.at as usize) {
                    Some(node) => {
                        let value = row[node.feature()];
                        node.child(walk.tree.goes_left(walk.at, node, value))
                    }
                    None => LEAF,
                };
                goes_on = true;
            }
        }
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
