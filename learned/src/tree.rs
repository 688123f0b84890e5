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
//!           the set, if there is one: the values that go left
//! 1 place   the child that is an end (the left one of two); if there is none, the units
//!           between the end of this place and the right child
//! 1 place   the right child, if both are ends
//! ```
//!
//! Places take 2 bytes in small trees, 4 in large ones.

use crate::columns::Columns;
use crate::error::LearnedError;
use crate::feature::{FeatureRow, Features};
use crate::layout::Split;

/// Bits of the first unit of a node.
const FIELD: u32 = 8;
const LEFT_ENDS: u16 = 1 << 13;
const RIGHT_ENDS: u16 = 1 << 14;
const SET: u16 = 1 << 15;

/// The bytes of a unit; children begin at multiples of that.
const UNIT: usize = 2;
/// The bytes in which a node is looked for: with a set of 128 values and two places it takes 26.
/// Places begin at bytes below [`MOST_AT`], so that reading them takes no check.
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
    /// For 65,536 ends, and as many units between a node and its right child.
    Small,
    /// For 2^31 ends; the tree has fewer than 2^30 units.
    Large,
}

impl Places {
    const fn bytes(self) -> usize {
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
    /// Where a walk begins: the unit of a node, or [`END`] and the number of an end.
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

    fn walk_as<const N: usize, const LONG: bool>(&self, row: &FeatureRow) -> u32 {
        let mut at = self.root;
        while at & END == 0 {
            at = self.step::<N, LONG>(at, row);
        }
        at
    }

    /// Where a walk goes on from a node; places take `N` bytes, and sets may have more than 64
    /// values if they are `LONG`.
    #[inline(always)]
    fn step<const N: usize, const LONG: bool>(&self, at: u32, row: &FeatureRow) -> u32 {
        let from = at as usize * UNIT;
        let node = self.bytes.get(from..).and_then(<[u8]>::first_chunk);
        let Some(node): Option<&[u8; NODE]> = node else {
            return END;
        };
        let head = u16::from_le_bytes([node[0], node[1]]);
        let value = row[usize::from(head & 255)];
        // What a node is like cannot be foreseen, so there are no branches until the end; and
        // of what follows as little as possible waits for the value.
        let (head, value) = (u32::from(head), u32::from(value));
        let (has_set, field) = (head >> 15, head >> FIELD & 31);
        let high = if LONG { value as usize >> 6 & 1 } else { 0 };
        let set = u64::from_le_bytes(part(node, UNIT + 8 * high));
        let up_to = (2 << field) - 1;
        let lefts = up_to ^ (up_to ^ set) & 0_u64.wrapping_sub(u64::from(has_set));
        let body = UNIT + UNIT * (field * has_set) as usize;
        let first = place::<N>(node, body);
        let after = at + ((body + N) / UNIT) as u32;
        let far = if head & u32::from(LEFT_ENDS) == 0 {
            first
        } else {
            0
        };
        let left = (lefts >> (value & 63)) as u32 & 1;
        if head >> (14 - left) & 1 == 0 {
            return after + (far & left.wrapping_sub(1));
        }
        let second = left == 0 && head & u32::from(LEFT_ENDS) != 0;
        END | if second {
            place::<N>(node, body + N)
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

    /// The node at a unit.
    fn node(&self, at: u32) -> Option<Node> {
        let bytes: &[u8; NODE] = self.bytes.get(at as usize * UNIT..)?.first_chunk()?;
        let head = u16::from_le_bytes([bytes[0], bytes[1]]);
        let field = head >> FIELD & 31;
        let (left, body) = match head & SET {
            0 => ((2 << field) - 1, UNIT),
            _ => {
                let set = u128::from_le_bytes(part::<16>(bytes, UNIT));
                (set, UNIT + usize::from(field) * UNIT)
            }
        };
        let size = self.places.bytes();
        let place = |number: usize| match self.places {
            Places::Small => place::<2>(bytes, body + number * size),
            Places::Large => place::<4>(bytes, body + number * size),
        };
        let after = at + ((body + size) / UNIT) as u32;
        let next = match (head & RIGHT_ENDS != 0, head & LEFT_ENDS != 0) {
            (false, false) => [after + place(0), after],
            (true, false) => [place(0) | END, after],
            (false, true) => [after, place(0) | END],
            (true, true) => [place(1) | END, place(0) | END],
        };
        Some(Node {
            feature: usize::from(head & 255),
            left,
            next,
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

/// Some bytes of a node.
#[inline(always)]
fn part<const N: usize>(node: &[u8; NODE], at: usize) -> [u8; N] {
    let part = node.get(at..).and_then(<[u8]>::first_chunk);
    part.copied().unwrap_or([0; N])
}

/// A place of a node, of `N` bytes.
#[inline(always)]
fn place<const N: usize>(node: &[u8; NODE], at: usize) -> u32 {
    let at = at & (MOST_AT - 1);
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
pub(crate) fn walk_together(walks: &mut [Walk<'_>], rows: &[FeatureRow]) {
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

    /// Adds a node, and returns its unit.
    ///
    /// # Errors
    /// The tree is too large for its places.
    pub fn node(&mut self, parent: Parent, split: Split) -> Result<u32, Overflow> {
        let unit = (self.bytes.len() / UNIT) as u32;
        if unit >= END / 2 {
            return Err(Overflow);
        }
        match parent {
            None => self.tree.root = unit,
            Some((above, left)) => {
                let (head, body) = self.head(above);
                let first = (body + self.tree.places.bytes()) / UNIT;
                if !left && head & LEFT_ENDS == 0 {
                    let far = unit.checked_sub(first as u32).ok_or(Overflow)?;
                    self.put(body, far)?;
                }
            }
        }
        let feature = self.features.list().get(usize::from(split.feature));
        let size = feature.map_or(128, |feature| feature.size);
        let mut head = u16::from(split.feature);
        let threshold = split.left.trailing_ones();
        // A walk compares the lowest six bits of a value with a threshold.
        if split.left.count_ones() == threshold && (1..=32).contains(&threshold) && size <= 64 {
            head |= (threshold as u16 - 1) << FIELD;
            self.bytes.extend(head.to_le_bytes());
        } else {
            let units = usize::from(size).div_ceil(8 * UNIT).min(8);
            head |= SET | (units as u16) << FIELD;
            self.bytes.extend(head.to_le_bytes());
            self.bytes.extend(&split.left.to_le_bytes()[..units * UNIT]);
        }
        self.bytes
            .resize(self.bytes.len() + self.tree.places.bytes(), 0);
        Ok(unit)
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
        let (head, body) = self.head(above);
        let side = if left { LEFT_ENDS } else { RIGHT_ENDS };
        if let Some(byte) = self.bytes.get_mut(above as usize * UNIT + 1) {
            *byte |= (side >> 8) as u8;
        }
        let size = self.tree.places.bytes();
        if !left && head & LEFT_ENDS != 0 {
            debug_assert_eq!(body + size, self.bytes.len(), "in the order of the bytes");
            self.bytes.resize(self.bytes.len().max(body + 2 * size), 0);
            return self.put(body + size, number);
        }
        self.put(body, number)
    }

    /// Whether the left child of a node is a leaf.
    pub fn has_left_leaf(&self, above: u32) -> bool {
        let (head, body) = self.head(above);
        head & LEFT_ENDS != 0 && self.place(body) < self.tree.leaves
    }

    /// The first unit of a node, and where its places begin.
    fn head(&self, at: u32) -> (u16, usize) {
        let from = at as usize * UNIT;
        let head = self.bytes.get(from..).and_then(<[u8]>::first_chunk);
        let head = u16::from_le_bytes(head.copied().unwrap_or_default());
        let units = if head & SET != 0 {
            head >> FIELD & 31
        } else {
            0
        };
        (head, from + UNIT + usize::from(units) * UNIT)
    }

    fn place(&self, at: usize) -> u32 {
        let mut number = [0; 4];
        let size = self.tree.places.bytes();
        let bytes = self.bytes.get(at..at + size).unwrap_or(&[]);
        number[..bytes.len()].copy_from_slice(bytes);
        u32::from_le_bytes(number)
    }

    fn put(&mut self, at: usize, number: u32) -> Result<(), Overflow> {
        let size = self.tree.places.bytes();
        if number >= self.tree.places.limit() {
            return Err(Overflow);
        }
        if let Some(place) = self.bytes.get_mut(at..at + size) {
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
