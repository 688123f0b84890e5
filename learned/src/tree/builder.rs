//! From the nodes and ends of a tree, in the order in which models have them, to its bytes.

use super::{END, FIELD, HEAD, LEFT_ENDS, NODE, Places, RIGHT_ENDS, SET, Tree};
use crate::error::LearnedError;
use crate::feature::Features;
use crate::layout::Split;

/// A tree that is being built: its nodes and ends are added in the order of a walk through all
/// of it, each node before its left, and that before its right subtree.
#[derive(Clone, Debug)]
pub struct TreeBuilder<'f> {
    features: &'f Features,
    items: Vec<Item>,
}

#[derive(Clone, Copy, Debug)]
enum Item {
    /// The feature, and the two halves of the values that go left: a number of 128 bits
    /// would make items twice as large.
    Node(u8, [u64; 2]),
    Leaf(u32),
    Branch(u32),
}

/// A tree has too many nodes or ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl From<Overflow> for LearnedError {
    fn from(_: Overflow) -> LearnedError {
        LearnedError::Model("it has too many nodes")
    }
}

/// A subtree whose bytes are there.
#[derive(Clone, Copy)]
struct Below {
    /// Its place, if it is an end.
    end: Option<u32>,
    bytes: u32,
}

impl<'f> TreeBuilder<'f> {
    /// A tree without anything.
    pub fn new(features: &'f Features) -> TreeBuilder<'f> {
        TreeBuilder {
            features,
            items: Vec::new(),
        }
    }

    /// Adds a node and returns its number.
    pub fn node(&mut self, split: Split) -> usize {
        let halves = [split.left as u64, (split.left >> 64) as u64];
        self.items.push(Item::Node(split.feature, halves));
        self.items.len() - 1
    }

    /// Adds a leaf.
    pub fn leaf(&mut self, leaf: u32) {
        self.items.push(Item::Leaf(leaf));
    }

    /// Adds a branch.
    pub fn branch(&mut self, branch: u32) {
        self.items.push(Item::Branch(branch));
    }

    /// How many nodes and ends there are.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether the left child of a node is a leaf.
    pub fn has_left_leaf(&self, node: usize) -> bool {
        matches!(self.items.get(node + 1), Some(Item::Leaf(_)))
    }

    /// How many leaves there are.
    pub fn leaves(&self) -> usize {
        let is_leaf = |item: &&Item| matches!(item, Item::Leaf(_));
        self.items.iter().filter(is_leaf).count()
    }

    /// Gives leaves other numbers.
    pub fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for item in &mut self.items {
            if let Item::Leaf(leaf) = item {
                *leaf = number(*leaf);
            }
        }
    }

    /// The tree. Where parts of it are missing, there is leaf 0.
    ///
    /// # Errors
    /// It is too large.
    pub fn finish(&self) -> Result<Tree, Overflow> {
        let ends = self.items.iter().map(|item| match *item {
            Item::Node(..) => (0, 0),
            Item::Leaf(leaf) => (u64::from(leaf) + 1, 0),
            Item::Branch(branch) => (0, u64::from(branch) + 1),
        });
        let (leaves, branches) = ends.fold((0, 0), |a, b| (a.0.max(b.0), a.1.max(b.1)));
        let places = Places::of(leaves + branches).ok_or(Overflow)?;
        // Those of nodes may need more bytes.
        let tree = self.with(places, branches as u32);
        tree.or_else(|_| self.with(Places::Large, branches as u32))
    }

    fn with(&self, places: Places, branches: u32) -> Result<Tree, Overflow> {
        let [end_bytes, node_bytes] = places.bytes().map(|bytes| bytes as usize);
        // From the last item to the first, so that the sizes of subtrees are known; the bytes,
        // too, are in this order until all are there.
        let (mut bytes, mut open) = (Vec::new(), Vec::<Below>::new());
        let mut node = Vec::with_capacity(NODE);
        for item in self.items.iter().rev() {
            let split = match *item {
                Item::Node(feature, [low, high]) => Split {
                    feature,
                    left: u128::from(high) << 64 | u128::from(low),
                },
                Item::Leaf(leaf) => {
                    open.push(Below::end(leaf));
                    continue;
                }
                Item::Branch(branch) => {
                    open.push(Below::end(places.limit() - 1 - branch));
                    continue;
                }
            };
            let left = open.pop().unwrap_or(Below::end(0));
            let right = open.pop().unwrap_or(Below::end(0));
            self.question(split, [left, right], &mut node);
            for end in [left.end, right.end].into_iter().flatten() {
                node.extend(&end.to_le_bytes()[..end_bytes]);
            }
            if left.end.is_none() && right.end.is_none() {
                let far = node.len() + node_bytes + left.bytes as usize;
                let far = u32::try_from(far).map_err(|_| Overflow)?;
                if places != Places::Large && far >= 1 << (8 * node_bytes) {
                    return Err(Overflow);
                }
                node.extend(&far.to_le_bytes()[..node_bytes]);
            }
            bytes.extend(node.iter().rev());
            if bytes.len() >= END as usize / 2 {
                return Err(Overflow);
            }
            let bytes = node.len() as u32 + left.bytes + right.bytes;
            open.push(Below { end: None, bytes });
        }
        bytes.reverse();
        // So that the last node can be read as any other.
        bytes.resize(bytes.len() + NODE, 0);
        let root = open.pop().map_or(Some(0), |root| root.end);
        Ok(Tree {
            bytes: bytes.into(),
            places,
            steps: super::steps::of(places),
            long: self.features.board().squares() > 64,
            leaves: places.limit() - branches,
            root: root.map_or(0, |end| end | END),
        })
    }

    /// Replaces `node` by the head and the set of a node.
    fn question(&self, split: Split, [left, right]: [Below; 2], node: &mut Vec<u8>) {
        let feature = self.features.list().get(usize::from(split.feature));
        let size = feature.map_or(128, |feature| feature.size);
        let threshold = split.left.trailing_ones();
        // A walk compares the lowest six bits of a value with a threshold.
        let is_threshold = split.left.count_ones() == threshold && size <= 64;
        let (field, set) = if is_threshold && (1..=32).contains(&threshold) {
            (threshold - 1, 0)
        } else {
            let bytes = u32::from(size).div_ceil(8).min(16);
            (bytes | SET >> FIELD, bytes)
        };
        let mut head = u32::from(split.feature) | field << FIELD;
        head |= if left.end.is_some() { LEFT_ENDS } else { 0 };
        head |= if right.end.is_some() { RIGHT_ENDS } else { 0 };
        node.clear();
        node.extend(&head.to_le_bytes()[..HEAD as usize]);
        node.extend(&split.left.to_le_bytes()[..set as usize]);
    }
}

impl Below {
    fn end(place: u32) -> Below {
        Below {
            end: Some(place),
            bytes: 0,
        }
    }
}
