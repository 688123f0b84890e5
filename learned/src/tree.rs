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

use std::convert::Infallible;
use std::hint::select_unpredictable;

pub use builder::{Overflow, TreeBuilder};

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
    widths: Widths,
    /// Whether sets have more than 64 values.
    long: bool,
    /// Ends with this number and above are branches, the last one the first branch.
    leaves: u32,
    /// Where a walk begins: the byte of a node, or [`END`] and the number of an end.
    root: u32,
}

/// The bytes of places, and the bits that count of four bytes: what a step of a walk takes of
/// [`Places`], without a branch on them.
#[derive(Clone, Copy, Debug)]
struct Widths {
    end: u8,
    node: u8,
    end_mask: u32,
    node_mask: u32,
}

impl Widths {
    fn of(places: Places) -> Widths {
        let [end, node] = places.bytes();
        let mask = |bytes: u32| u32::MAX >> (32 - 8 * bytes);
        Widths {
            end: end as u8,
            node: node as u8,
            end_mask: mask(end),
            node_mask: mask(node),
        }
    }
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
            at = self.step::<LONG>(at, row);
        }
        at
    }

    /// Where a walk goes on from a node; sets may have more than 64 values if they are `LONG`.
    #[inline(always)]
    fn step<const LONG: bool>(&self, at: u32, row: &FeatureRow) -> u32 {
        let node = self.bytes.get(at as usize..).and_then(<[u8]>::first_chunk);
        let Some(node): Option<&[u8; NODE]> = node else {
            return END;
        };
        let head = Head::of(node);
        let value = row[head.feature()];
        // Whether there is a set cannot be foreseen, so nothing branches on it; and of what
        // follows as little as possible waits for the value.
        let high = if LONG { value >> 6 & 1 } else { 0 };
        let set = u64::from_le_bytes(part(node, (HEAD + 8 * u32::from(high)) as usize));
        let lefts = select_unpredictable(head.has_set(), set, head.up_to());
        let places = HEAD + head.set_bytes();
        let ends = head.0 & (LEFT_ENDS | RIGHT_ENDS) != 0;
        let near = places
            + u32::from(select_unpredictable(
                ends,
                self.widths.end,
                self.widths.node,
            ));
        let far = u32::from_le_bytes(part(node, places as usize % MOST_AT)) & self.widths.node_mask;
        let left = (lefts >> (value & 63)) as u32 & 1;
        if head.0 >> (14 - left) & 1 == 0 {
            return at + select_unpredictable(left != 0 || ends, near, far);
        }
        let second = left == 0 && head.0 & LEFT_ENDS != 0;
        let place = select_unpredictable(second, near, places);
        END | u32::from_le_bytes(part(node, place as usize % MOST_AT)) & self.widths.end_mask
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
        let [end, far] = self.places.bytes();
        let place = |at| match self.places {
            Places::Tiny => place::<1>(node, at),
            Places::Small => place::<2>(node, at),
            Places::Large => place::<4>(node, at),
        };
        let places = HEAD + head.set_bytes();
        let (first, near) = (place(places), at + places + end);
        Some(Node {
            feature: head.feature(),
            left: match head.has_set() {
                true => u128::from_le_bytes(part(node, HEAD as usize)),
                false => u128::from(head.up_to()),
            },
            next: match (head.0 & RIGHT_ENDS != 0, head.0 & LEFT_ENDS != 0) {
                (false, false) => {
                    let right = match far {
                        2 => self::place::<2>(node, places),
                        _ => self::place::<4>(node, places),
                    };
                    [at + right, at + places + far]
                }
                (true, false) => [first | END, near],
                (false, true) => [near, first | END],
                (true, true) => [place(places + end) | END, first | END],
            },
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
        select_unpredictable(self.has_set(), self.field(), 0)
    }
}

/// Some bytes of a node.
#[inline(always)]
fn part<const N: usize>(node: &[u8; NODE], at: usize) -> [u8; N] {
    let part = node.get(at..).and_then(<[u8]>::first_chunk);
    part.copied().unwrap_or([0; N])
}

/// A place in a node, of `N` bytes.
#[inline(always)]
fn place<const N: u32>(node: &[u8; NODE], at: u32) -> u32 {
    let at = at as usize % MOST_AT;
    match N {
        1 => node[at].into(),
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
                walk.at = walk.tree.step::<true>(walk.at, row);
                goes_on = true;
            }
        }
    }
}
