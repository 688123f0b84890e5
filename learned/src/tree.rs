//! A decision tree in memory.
//!
//! A walk waits for little else than for nodes to arrive from memory, and whole folders of
//! trees are held there, so a tree is a string of bytes. Nodes stand in it as walks are likely
//! to need them, each before its left and that before its right subtree:
//!
//! ```text
//! 2 bytes   bits 0..8    the feature
//!           bits 8..13   the greatest value that goes left, or the units of 2 bytes that the set takes
//!           bit 13       the left child is an end
//!           bit 14       the right child is an end
//!           bit 15       there is a set, not such a value
//! 1 place   the child that is an end (the left one of two); if there is none, the units
//!           from the node to the right child
//!           the set, if there is one: the values that go left
//! 1 place   the right child, if both are ends
//! ```
//!
//! Places take 2 bytes in small trees, 4 in large ones.

use std::hint::select_unpredictable;

use crate::columns::Columns;
use crate::error::LearnedError;
use crate::feature::{FeatureRow, Features};
use crate::layout::Split;

/// Bits of the first unit of a node.
const FIELD: u32 = 8;
const LEFT_ENDS: u32 = 1 << 13;
const RIGHT_ENDS: u32 = 1 << 14;
const SET: u32 = 1 << 15;

/// The bytes of a unit; nodes begin at multiples of that.
const UNIT: u32 = 2;
/// The bytes in which a node is looked for: with a set of 128 values and two places it takes 26.
/// Whatever it says, its second place begins at a byte below [`MOST_AT`], so that reading it
/// takes no check.
const NODE: usize = MOST_AT + 4;
const MOST_AT: usize = 32;
/// Set in the position of a walk that has ended; the other bits are the number of the end.
const END: u32 = 1 << 31;

/// Where a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At a leaf.
    Leaf(u32),
    /// Where a branch begins, a tree of its own.
    Branch(u32),
}

/// How large the places are in which nodes say where their children are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Places {
    /// For 65,536 ends, and as many units from a node to its right child.
    Small,
    /// For 2^31 ends; the tree has fewer than 2^30 bytes.
    Large,
}

impl Places {
    const fn bytes(self) -> u32 {
        match self {
            Places::Small => 2,
            Places::Large => 4,
        }
    }

    /// What their numbers are less than.
    const fn limit(self) -> u32 {
        match self {
            Places::Small => 1 << 16,
            Places::Large => END,
        }
    }
}

/// A tree whose ends are leaves, which have numbers, and branches.
///
/// The children of a node come after it, so every walk ends.
#[derive(Clone, Debug)]
pub struct Tree {
    bytes: Box<[u8]>,
    places: Places,
    /// Whether sets have more than 64 values.
    long: bool,
    /// Ends with this number and above are branches, the last one the first branch.
    leaves: u32,
    /// Where a walk begins: the byte of a node, or [`END`] and the number of an end.
    root: u32,
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
    /// The size of the tree in memory in bytes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Where the walk of a placement ends.
    #[inline]
    pub fn walk(&self, row: &FeatureRow) -> End {
        self.end(match (self.places, self.long) {
            (Places::Small, false) => self.walk_as::<2, false>(row),
            (Places::Small, true) => self.walk_as::<2, true>(row),
            (Places::Large, false) => self.walk_as::<4, false>(row),
            (Places::Large, true) => self.walk_as::<4, true>(row),
        })
    }

    fn walk_as<const N: u32, const LONG: bool>(&self, row: &FeatureRow) -> u32 {
        let mut at = self.root;
        while at & END == 0 {
            at = self.step::<N, LONG>(at, row);
        }
        at
    }

    /// Where a walk goes on from a node; places take `N` bytes, and sets may have more than 64
    /// values if they are `LONG`.
    #[inline(always)]
    fn step<const N: u32, const LONG: bool>(&self, at: u32, row: &FeatureRow) -> u32 {
        let node = self.bytes.get(at as usize..).and_then(<[u8]>::first_chunk);
        let Some(node): Option<&[u8; NODE]> = node else {
            return END;
        };
        let head = Head::of(node);
        let value = row[head.feature()];
        // Whether there is a set cannot be foreseen, so nothing branches on it; and of what
        // follows as little as possible waits for the value, or for another look into the node.
        let first = place::<N>(node, UNIT as usize);
        let high = if LONG { value >> 6 & 1 } else { 0 };
        let set = u64::from_le_bytes(part(node, (UNIT + N + 8 * u32::from(high)) as usize));
        let up_to = head.up_to();
        let lefts = select_unpredictable(head.has_set(), set, up_to);
        let after = UNIT + N + head.set_bytes();
        let left = (lefts >> (value & 63)) as u32 & 1;
        if head.0 >> (14 - left) & 1 == 0 {
            let near = left != 0 || head.0 & LEFT_ENDS != 0;
            return at + if near { after } else { first * UNIT };
        }
        let second = left == 0 && head.0 & LEFT_ENDS != 0;
        END | if second {
            place::<N>(node, after as usize)
        } else {
            first
        }
    }

    /// Begins a walk.
    pub(crate) fn walk_from_root(&self) -> Walk<'_> {
        Walk {
            tree: self,
            at: self.root,
        }
    }

    /// The node at a byte.
    fn node(&self, at: u32) -> Option<Node> {
        let node: &[u8; NODE] = self.bytes.get(at as usize..)?.first_chunk()?;
        let head = Head::of(node);
        let size = self.places.bytes();
        let place = |at: u32| match self.places {
            Places::Small => place::<2>(node, at as usize),
            Places::Large => place::<4>(node, at as usize),
        };
        let (first, after) = (place(UNIT), UNIT + size + head.set_bytes());
        let near = at + after;
        Some(Node {
            feature: head.feature(),
            left: match head.has_set() {
                true => u128::from_le_bytes(part(node, (UNIT + size) as usize)),
                false => u128::from(head.up_to()),
            },
            next: match (head.0 & RIGHT_ENDS != 0, head.0 & LEFT_ENDS != 0) {
                (false, false) => [at + first * UNIT, near],
                (true, false) => [first | END, near],
                (false, true) => [near, first | END],
                (true, true) => [place(after) | END, first | END],
            },
        })
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
            let node = if at & END == 0 { self.node(at) } else { None };
            let Some(node) = node else {
                visit(self.end(at), &mut places[from..to])?;
                continue;
            };
            let column = columns.column(node.feature);
            let [low, high] = [node.left as u64, (node.left >> 64) as u64];
            let (mut lefts, mut rights) = (from, 0);
            for read in from..to {
                let place = places[read];
                let value = column.get(usize::from(place)).copied().unwrap_or(0);
                let set = if value & 64 == 0 { low } else { high };
                let left = set >> (value & 63) & 1 != 0;
                places[lefts] = place;
                spare[rights] = place;
                lefts += usize::from(left);
                rights += usize::from(!left);
            }
            places[lefts..to].copy_from_slice(&spare[..rights]);
            let [right, left] = node.next;
            open.push((right, lefts, to));
            open.push((left, from, lefts));
        }
        Ok(())
    }

    /// What a walk that has ended ends at.
    #[inline]
    fn end(&self, at: u32) -> End {
        let number = at & !END;
        match number >= self.leaves {
            true => End::Branch(self.places.limit() - 1 - number),
            false => End::Leaf(number),
        }
    }
}

/// The first unit of a node.
#[derive(Clone, Copy)]
struct Head(u32);

impl Head {
    #[inline(always)]
    fn of(node: &[u8; NODE]) -> Head {
        Head(u32::from(u16::from_le_bytes([node[0], node[1]])))
    }

    #[inline(always)]
    fn feature(self) -> usize {
        (self.0 & 255) as usize
    }

    #[inline(always)]
    fn has_set(self) -> bool {
        self.0 & SET != 0
    }

    #[inline(always)]
    fn field(self) -> u32 {
        self.0 >> FIELD & 31
    }

    /// The values that go left, if there is no set.
    #[inline(always)]
    fn up_to(self) -> u64 {
        (2 << self.field()) - 1
    }

    /// The bytes that the set takes.
    #[inline(always)]
    fn set_bytes(self) -> u32 {
        select_unpredictable(self.has_set(), self.field() * UNIT, 0)
    }
}

/// Some bytes of a node.
#[inline(always)]
fn part<const N: usize>(node: &[u8; NODE], at: usize) -> [u8; N] {
    let part = node.get(at..).and_then(<[u8]>::first_chunk);
    part.copied().unwrap_or([0; N])
}

/// A place of a node, of `N` bytes.
#[inline(always)]
fn place<const N: u32>(node: &[u8; NODE], at: usize) -> u32 {
    let at = at % MOST_AT;
    match N {
        2 => u32::from(u16::from_le_bytes(part(node, at))),
        _ => u32::from_le_bytes(part(node, at)),
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
        self.tree.end(self.at)
    }
}

/// Takes walks, each of its own placement, to their ends. They go side by side: while the
/// node of one is on its way from memory, the others need not wait.
pub(crate) fn walk_together(walks: &mut [Walk<'_>], rows: &[&FeatureRow]) {
    let mut goes_on = true;
    while goes_on {
        goes_on = false;
        for (walk, row) in walks.iter_mut().zip(rows) {
            if walk.at & END == 0 {
                walk.at = match walk.tree.places {
                    Places::Small => walk.tree.step::<2, true>(walk.at, row),
                    Places::Large => walk.tree.step::<4, true>(walk.at, row),
                };
                goes_on = true;
            }
        }
    }
}

/// Where a node or an end goes: below a node, left or right, or at the root.
pub type Parent = Option<(u32, bool)>;

/// A tree that is being built, in the order of its bytes: each node before its left, and that
/// before its right subtree. In another order it becomes some other tree.
pub struct TreeBuilder<'f> {
    tree: Tree,
    bytes: Vec<u8>,
    features: &'f Features,
}

/// A number does not fit in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Overflow;

impl From<Overflow> for LearnedError {
    fn from(_: Overflow) -> LearnedError {
        LearnedError::Model("it has too many nodes")
    }
}

impl<'f> TreeBuilder<'f> {
    /// A tree with at most so many branches.
    pub fn new(features: &'f Features, branches: u32, places: Places) -> TreeBuilder<'f> {
        let tree = Tree {
            bytes: Box::default(),
            places,
            long: features.board().squares() > 64,
            leaves: places.limit().saturating_sub(branches),
            root: END,
        };
        TreeBuilder {
            tree,
            bytes: Vec::new(),
            features,
        }
    }

    /// Adds a node, and returns where it is.
    ///
    /// # Errors
    /// The tree is too large for its places.
    pub fn node(&mut self, parent: Parent, split: Split) -> Result<u32, Overflow> {
        let at = self.bytes.len() as u32;
        if self.bytes.len() >= END as usize / 2 {
            return Err(Overflow);
        }
        match parent {
            None => self.tree.root = at,
            Some((above, left)) => {
                if !left && self.head(above).0 & LEFT_ENDS == 0 {
                    let far = at.checked_sub(above).ok_or(Overflow)?;
                    self.put(above + UNIT, far / UNIT)?;
                }
            }
        }
        let feature = self.features.list().get(usize::from(split.feature));
        let size = feature.map_or(128, |feature| feature.size);
        let threshold = split.left.trailing_ones();
        // A walk compares the lowest six bits of a value with a threshold.
        let is_threshold = split.left.count_ones() == threshold && size <= 64;
        let (kind, set) = if is_threshold && (1..=32).contains(&threshold) {
            (threshold - 1, 0)
        } else {
            let units = u32::from(size).div_ceil(8 * UNIT).min(8);
            (units | SET >> FIELD, units * UNIT)
        };
        let head = u32::from(split.feature) | kind << FIELD;
        self.bytes.extend(&head.to_le_bytes()[..UNIT as usize]);
        let size = self.tree.places.bytes() as usize;
        self.bytes.resize(self.bytes.len() + size, 0);
        let set = &split.left.to_le_bytes()[..set as usize];
        self.bytes.extend(set);
        Ok(at)
    }

    /// Adds a leaf.
    ///
    /// # Errors
    /// Its number is too large for the places of the tree.
    pub fn leaf(&mut self, parent: Parent, leaf: u32) -> Result<(), Overflow> {
        if leaf >= self.tree.leaves {
            return Err(Overflow);
        }
        self.add_end(parent, leaf)
    }

    /// Adds a branch.
    ///
    /// # Errors
    /// There are more than the tree was to have.
    pub fn branch(&mut self, parent: Parent, branch: u32) -> Result<(), Overflow> {
        let number = (self.tree.places.limit() - 1).checked_sub(branch);
        match number.filter(|&number| number >= self.tree.leaves) {
            Some(number) => self.add_end(parent, number),
            None => Err(Overflow),
        }
    }

    fn add_end(&mut self, parent: Parent, number: u32) -> Result<(), Overflow> {
        let Some((above, left)) = parent else {
            self.tree.root = number | END;
            return Ok(());
        };
        let head = self.head(above);
        let side = if left { LEFT_ENDS } else { RIGHT_ENDS };
        if let Some(byte) = self.bytes.get_mut(above as usize + 1) {
            *byte |= (side >> 8) as u8;
        }
        if left || head.0 & LEFT_ENDS == 0 {
            return self.put(above + UNIT, number);
        }
        let size = self.tree.places.bytes();
        let second = above + UNIT + size + head.set_bytes();
        debug_assert_eq!(
            second as usize,
            self.bytes.len(),
            "in the order of the bytes"
        );
        let end = (second + size) as usize;
        self.bytes.resize(self.bytes.len().max(end), 0);
        self.put(second, number)
    }

    /// Whether the left child of a node is a leaf.
    pub fn has_left_leaf(&self, above: u32) -> bool {
        let mut first = [0; 4];
        let (from, size) = ((above + UNIT) as usize, self.tree.places.bytes() as usize);
        let bytes = self.bytes.get(from..from + size).unwrap_or(&[]);
        first[..bytes.len()].copy_from_slice(bytes);
        self.head(above).0 & LEFT_ENDS != 0 && u32::from_le_bytes(first) < self.tree.leaves
    }

    /// The first unit of a node.
    fn head(&self, at: u32) -> Head {
        let bytes = self.bytes.get(at as usize..).and_then(<[u8]>::first_chunk);
        Head(u32::from(u16::from_le_bytes(
            bytes.copied().unwrap_or_default(),
        )))
    }

    fn put(&mut self, at: u32, number: u32) -> Result<(), Overflow> {
        let size = self.tree.places.bytes() as usize;
        if number >= self.tree.places.limit() {
            return Err(Overflow);
        }
        if let Some(place) = self.bytes.get_mut(at as usize..at as usize + size) {
            place.copy_from_slice(&number.to_le_bytes()[..size]);
        }
        Ok(())
    }

    /// The tree.
    pub fn finish(self) -> Tree {
        let mut bytes = self.bytes;
        // So that the last node can be read as any other.
        bytes.resize(bytes.len() + NODE, 0);
        Tree {
            bytes: bytes.into(),
            ..self.tree
        }
    }
}
