//! A decision tree in memory.
//!
//! A walk waits for little else than for nodes to arrive from memory, and whole folders of
//! trees are held there, so a tree is a string of bytes. Nodes stand in it as walks are likely
//! to need them, each before its left and that before its right subtree:
//!
//! ```text
//! 2 bytes   bits 0..8    the feature
//!           bits 8..13   the greatest value that goes left, or the bytes that the set takes
//!           bit 13       the left child is an end
//!           bit 14       the right child is an end
//!           bit 15       there is a set, not such a value
//! the set   if there is one: the values that go left
//! places    of the children that are ends, the left one first; if there is none, the bytes
//!           from the node to the right child
//! ```
//!
//! Places of ends take 1, 2 or 4 bytes, those of nodes 2 or 4, the same in all of a tree.

mod builder;
mod steps;
mod walks;

use std::convert::Infallible;
use std::hint::select_unpredictable;

pub use builder::{Overflow, TreeBuilder};
use steps::{Step, Steps};
pub(crate) use walks::{TOGETHER, Walks};

use crate::feature::FeatureRow;
use crate::rows::{Parts, Rows, RowsOf, Words};
use crate::squares::Squares;

/// Bits of the head of a node.
const FIELD: u32 = 8;
const LEFT_ENDS: u32 = 1 << 13;
const RIGHT_ENDS: u32 = 1 << 14;
const SET: u32 = 1 << 15;

/// The bytes of the head of a node.
const HEAD: u32 = 2;
/// The bytes in which a node is looked for: with a set of 128 values and two places it takes 26.
/// Whatever it says, a place begins at a byte below [`MOST_AT`], so that reading it takes no
/// check.
const NODE: usize = MOST_AT + 4;
const MOST_AT: usize = 32;
/// Set in the position of a walk that has ended; the other bits are the place of the end.
const END: u32 = 1 << 31;

/// Where a walk ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At a leaf.
    Leaf(u32),
    /// Where a branch begins, a tree of its own.
    Branch(u32),
}

impl End {
    /// The bytes that a tree takes at least for each of its ends, if it has leaves up to this
    /// one and so many branches.
    pub(crate) fn bytes_of(leaf: u32, branches: u32) -> usize {
        let places = Places::of(u64::from(leaf) + 1 + u64::from(branches));
        places.unwrap_or(Places::Large).bytes()[0] as usize
    }
}

/// How many bytes places take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Places {
    /// 1 those of ends, 2 those of nodes.
    Tiny,
    /// 2.
    Small,
    /// 4.
    Large,
}

impl Places {
    /// The smallest that so many ends have numbers in.
    fn of(ends: u64) -> Option<Places> {
        let mut all = [Places::Tiny, Places::Small, Places::Large].into_iter();
        all.find(|places| ends <= u64::from(places.limit()))
    }

    /// The bytes of an end, and of a node.
    const fn bytes(self) -> [u32; 2] {
        match self {
            Places::Tiny => [1, 2],
            Places::Small => [2, 2],
            Places::Large => [4, 4],
        }
    }

    /// What the numbers of ends are less than.
    const fn limit(self) -> u32 {
        match self {
            Places::Tiny => 1 << 8,
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
    /// Those of a tree with such places.
    steps: &'static Steps,
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
        self.end(match self.long {
            false => self.walk_as::<false>(row),
            true => self.walk_as::<true>(row),
        })
    }

    fn walk_as<const LONG: bool>(&self, row: &FeatureRow) -> u32 {
        let mut at = self.root;
        while at & END == 0 {
            at = self.step::<LONG, false>(at, row);
        }
        at
    }

    /// Where a walk goes on from a node; sets may have more than 64 values if they are `LONG`.
    /// Nothing branches on what the node is, because that cannot be foreseen.
    #[inline(always)]
    fn step<const LONG: bool, const SIDE_BY_SIDE: bool>(&self, at: u32, row: &FeatureRow) -> u32 {
        let Some(node) = self.node_bytes(at) else {
            return END;
        };
        let head = Head::of(node);
        let step = self.step_of(head);
        let value = row[head.feature()];
        let high = if LONG { value >> 6 & 1 } else { 0 };
        let set = u64::from_le_bytes(part(node, (HEAD + 8 * u32::from(high)) as usize));
        let lefts = select_unpredictable(head.has_set(), set, step.up_to);
        let left = (lefts >> (value & 63)) as usize & 1;
        if SIDE_BY_SIDE {
            return step.next[left].of(at, node);
        }
        let [right, near] = &step.next;
        select_unpredictable(left != 0, near.of(at, node), right.of(at, node))
    }

    /// The bytes from that of a node on.
    #[inline(always)]
    fn node_bytes(&self, at: u32) -> Option<&[u8; NODE]> {
        let at = at as usize;
        self.bytes.get(at..at + NODE)?.first_chunk()
    }

    #[inline(always)]
    fn step_of(&self, head: Head) -> &'static Step {
        &self.steps[(head.0 >> FIELD) as usize & 255]
    }

    /// The node at a byte.
    fn node(&self, at: u32) -> Option<Node> {
        let node = self.node_bytes(at)?;
        let head = Head::of(node);
        let step = self.step_of(head);
        Some(Node {
            feature: head.feature(),
            left: match head.has_set() {
                true => u128::from_le_bytes(part(node, HEAD as usize)),
                false => step.up_to.into(),
            },
            next: step.next.map(|next| next.of(at, node)),
        })
    }

    /// Calls `each` with placements that are given by rows and the leaves where their walks end,
    /// those that end at branches aside.
    pub fn leaves_of_rows(&self, rows: &Rows, mut each: impl FnMut(usize, u32)) {
        match &rows.0 {
            Words::Small(rows) => self.leaves(rows, &mut each),
            Words::Large(rows) => self.leaves(rows, &mut each),
        }
    }

    fn leaves<W: Squares>(&self, rows: &RowsOf<W>, each: &mut impl FnMut(usize, u32)) {
        let mut parts = Parts::new(rows.asked());
        let visit = |end, parts: &mut Parts<W>, from| {
            if let End::Leaf(leaf) = end {
                let parts = parts.all.get(from..).unwrap_or(&[]).iter();
                parts.for_each(|&part| rows.each_place(part, |place| each(place, leaf)));
            }
            Ok::<_, Infallible>(())
        };
        let Ok(()) = self.walk_rows(rows, &mut parts, 0, visit);
    }

    /// Where the walks of the parts of rows from `from` on end: calls `visit` with each end and
    /// the parts, from which of them on they end there. It may do with these as it likes; in the
    /// end they are gone.
    ///
    /// # Errors
    /// Those of `visit`.
    pub(crate) fn walk_rows<W: Squares, E>(
        &self,
        rows: &RowsOf<W>,
        parts: &mut Parts<W>,
        from: usize,
        mut visit: impl FnMut(End, &mut Parts<W>, usize) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut open = vec![(self.root, from)];
        while let Some((at, from)) = open.pop() {
            if from >= parts.all.len() {
                continue;
            }
            let node = if at & END == 0 { self.node(at) } else { None };
            let Some(node) = node else {
                visit(self.end(at), parts, from)?;
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

/// The head of a node.
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

    const fn has_set(self) -> bool {
        self.0 & SET != 0
    }

    const fn field(self) -> u32 {
        self.0 >> FIELD & 31
    }

    /// The values that go left, if there is no set.
    const fn up_to(self) -> u64 {
        (2 << self.field()) - 1
    }

    /// The bytes that the set takes.
    const fn set_bytes(self) -> u32 {
        if self.has_set() { self.field() } else { 0 }
    }
}

/// Some bytes of a node.
#[inline(always)]
fn part<const N: usize>(node: &[u8; NODE], at: usize) -> [u8; N] {
    let part = node.get(at..).and_then(<[u8]>::first_chunk);
    part.copied().unwrap_or([0; N])
}
