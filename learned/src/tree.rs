//! Decision tree in memory, as a string of bytes, that leads a row of features to its leaf.
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

use std::convert::Infallible;
use std::hint::select_unpredictable;

use crate::LearnedError;
use crate::feature::{FeatureRow, Features};
use crate::node::{self, END, Ends, HEAD, NODE, Step, Steps, part};
use crate::node_coding::Split;
use crate::row_features::{Parts, Rows, RowsOf, Words};
use crate::square_relations::Squares;

/// The most ends of a page. Their places are from as many times the number of the page on.
pub(crate) const PAGE: u32 = 256;

/// A tree whose ends have places.
///
/// The children of a node come after it, so every walk ends.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The nodes and what is behind them.
    bytes: Box<[u8]>,
    /// The number of bytes that nodes take.
    nodes: u32,
    /// The logarithm of the bytes of a page.
    page_bits: u8,
    /// The bits of heads that are the feature: seven, or all of the first byte.
    feature: u8,
    /// Whether the board has more than 64 squares.
    large: bool,
}

/// The way in which nodes are read: trees of the same features do not differ in that.
#[derive(Clone, Copy)]
struct Reading {
    steps: &'static Steps,
    /// The bits of heads that are the feature.
    feature: u8,
}

/// The question of a node and where it leads.
struct Node {
    question: Split,
    /// The places where a walk goes on to the right and to the left.
    next: [u32; 2],
}

impl Tree {
    /// The size of the tree in memory in bytes, with what is behind its nodes.
    pub fn bytes(&self) -> usize {
        self.bytes.len()
    }

    /// Appends bytes to the nodes of the tree.
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

    /// The bytes behind the nodes.
    #[inline]
    pub(crate) fn tail(&self) -> &[u8] {
        self.bytes.get(self.nodes as usize..).unwrap_or(&[])
    }

    /// The number of pages of the tree.
    #[inline]
    pub(crate) fn pages(&self) -> usize {
        pages_of(self.nodes as usize, self.page_bits.into())
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
            steps: node::steps_of(self.large, self.feature),
            feature: self.feature,
        }
    }

    /// The place where a walk begins: a node, or an end if there are no nodes.
    #[inline]
    fn root(&self) -> u32 {
        if self.nodes > HEAD { 0 } else { END }
    }

    /// The place where a walk goes on from a node; sets may have more than 64 values if they are
    /// `LARGE`. Nothing branches on what the node is, because that cannot be foreseen.
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
            question: Split {
                feature: feature as u8,
                left: step.all_lefts(node),
            },
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
            let rights = rows.divide(node.question, parts, from);
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
        let upper = u16::from_le_bytes([node[0], node[1]]) >> node::BELOW;
        let step = &self.steps[usize::from(upper) % self.steps.len()];
        ((node[0] & self.feature).into(), step)
    }
}

/// The number of walks that go side by side.
pub(crate) const TOGETHER: usize = 32;
// The open ones are bits of a number.
const _: () = assert!(TOGETHER <= u32::BITS as usize);

/// Walks, each of its own placement, that go side by side: while the node of one is on its way
/// from memory, the others need not wait.
pub(crate) struct Walks<'t> {
    reading: Reading,
    trees: [&'t Tree; TOGETHER],
    /// The place of each walk.
    at: [u32; TOGETHER],
    /// The walks that have not ended: a bit for each.
    open: u32,
}

impl<'t> Walks<'t> {
    /// Makes room for walks; `tree` is any of the trees, all of which are of the same features.
    pub(crate) fn new(tree: &'t Tree) -> Walks<'t> {
        Walks {
            reading: tree.reading(),
            trees: [tree; TOGETHER],
            at: [END; TOGETHER],
            open: 0,
        }
    }

    /// Begins the walk of a number below [`TOGETHER`].
    #[inline]
    pub(crate) fn begin(&mut self, number: usize, tree: &'t Tree) {
        let number = number % TOGETHER;
        self.trees[number] = tree;
        self.at[number] = tree.root();
        self.open |= u32::from(tree.root() & END == 0) << number;
    }

    /// The place of the end of a walk that has ended.
    #[inline]
    pub(crate) fn end(&self, number: usize) -> u32 {
        let number = number % TOGETHER;
        self.trees[number].place(self.at[number])
    }

    /// Takes all walks to their ends, each with the row of its number.
    pub(crate) fn finish(&mut self, rows: &[&FeatureRow; TOGETHER]) {
        let (mut open, reading) = (self.open, self.reading);
        while open != 0 {
            // Nothing branches on which walks end: it cannot be foreseen. Nor does it say
            // where anything is written, which later steps would wait to know.
            let mut left = open;
            while left != 0 {
                let number = left.trailing_zeros() as usize % TOGETHER;
                left &= left - 1;
                let (tree, row) = (self.trees[number], rows[number]);
                let at = tree.step::<true, true>(reading, self.at[number], row);
                self.at[number] = at;
                open ^= u32::from(at & END != 0) << number;
            }
        }
        self.open = 0;
    }
}

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
    End(u32),
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
enum Below {
    /// An end, by its number; its byte is part of the node above it.
    End(u32),
    /// A node, and how many bytes it takes with all below it.
    Node(u32),
}

/// The bytes of a node or end that most trees do not exceed.
const BYTES_AN_ITEM: usize = 3;

/// The bytes of nodes from the last to the first, while a tree is made.
struct Made {
    bytes: Vec<u8>,
    /// The ends in the same order: how many bytes there are up to that of each, and its number.
    ends: Vec<(usize, u32)>,
}

/// The numbers of the ends of a tree.
#[derive(Clone, Debug)]
pub struct Pages(
    /// The numbers of the ends of each page, in the order of their places.
    pub(crate) Vec<Vec<u32>>,
);

impl Pages {
    /// The number of the end at a place.
    #[inline]
    pub fn number(&self, place: u32) -> Option<u32> {
        let page = self.0.get((place / PAGE) as usize)?;
        page.get((place % PAGE) as usize).copied()
    }
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

    /// Adds an end with a number, which others may have, too.
    pub fn end(&mut self, number: u32) {
        self.items.push(Item::End(number));
    }

    /// The number of nodes and ends.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The number of the left child of a node, if that is an end.
    pub fn left_end(&self, node: usize) -> Option<u32> {
        match self.items.get(node + 1)? {
            Item::End(number) => Some(*number),
            Item::Node(..) => None,
        }
    }

    /// The tree and the numbers of its ends; those of a page ascend by what `order` says of
    /// them. Where parts of the tree are missing, there is an end with number 0.
    ///
    /// # Errors
    /// It is too large.
    pub fn finish(&self, order: impl Fn(u32) -> u32) -> Result<(Tree, Pages), Overflow> {
        let large = self.features.board().squares() > 64;
        let feature_bits = node::feature_bits(self.features.list().len());
        let head = Head {
            large,
            feature_bits,
            shapes: node::shapes_told_apart(feature_bits),
        };
        let mut made = Made {
            bytes: Vec::with_capacity(BYTES_AN_ITEM * self.items.len()),
            ends: Vec::with_capacity(self.items.len() / 2 + 1),
        };
        let mut open = Vec::<Below>::new();
        for item in self.items.iter().rev() {
            match *item {
                Item::End(number) => open.push(Below::End(number)),
                Item::Node(feature, [low, high]) => {
                    let left = u128::from(high) << 64 | u128::from(low);
                    let children = [(); 2].map(|()| open.pop().unwrap_or(Below::End(0)));
                    let size = self.features.list().get(usize::from(feature));
                    let size = size.map_or(128, |feature| feature.size);
                    let bytes = made.node(head, Split { feature, left }, size, children);
                    open.push(bytes?);
                }
            }
        }
        match open.pop().unwrap_or(Below::End(0)) {
            Below::End(number) => made.ends(&[number]),
            Below::Node(_) => {}
        }
        Ok(made.finish(head, order))
    }
}

/// The layout of heads.
#[derive(Clone, Copy)]
struct Head {
    large: bool,
    feature_bits: u32,
    /// The number of shapes of sets that they can tell from each other.
    shapes: usize,
}

impl Made {
    /// Adds a node and the ends below it, given its question, the number of values of its feature,
    /// and its left and right child.
    fn node(
        &mut self,
        head: Head,
        Split { feature, left }: Split,
        size: u8,
        children: [Below; 2],
    ) -> Result<Below, Overflow> {
        let before = self.bytes.len();
        let ends = match children {
            [Below::Node(left), Below::Node(_)] => {
                let ends = match left {
                    ..=255 => Ends::NoneNear,
                    _ => Ends::NoneFar,
                };
                let number = &left.to_le_bytes()[..ends.bytes() as usize];
                self.bytes.extend(number.iter().rev());
                ends
            }
            [Below::End(left), Below::Node(_)] => {
                self.ends(&[left]);
                Ends::Left
            }
            [Below::Node(_), Below::End(right)] => {
                self.ends(&[right]);
                Ends::Right
            }
            [Below::End(left), Below::End(right)] => {
                self.ends(&[right, left]);
                Ends::Both
            }
        };
        let number = node::shortest(head.large, head.shapes, left, size);
        let shape = node::shapes_of(head.large)[number];
        let (from, len) = (usize::from(shape.from), usize::from(shape.len));
        let set = &left.to_le_bytes()[from..from + len];
        self.bytes.extend(set.iter().rev());
        let number = node::number(number, ends) << head.feature_bits | usize::from(feature);
        self.bytes.extend((number as u16).to_be_bytes());
        if self.bytes.len() >= END as usize / 2 {
            return Err(Overflow);
        }
        let below = children.iter().map(|child| match child {
            Below::End(_) => 0,
            Below::Node(bytes) => *bytes,
        });
        Ok(Below::Node(
            (self.bytes.len() - before) as u32 + below.sum::<u32>(),
        ))
    }

    /// Adds ends.
    fn ends(&mut self, numbers: &[u32]) {
        for &number in numbers {
            self.bytes.push(0);
            self.ends.push((self.bytes.len(), number));
        }
    }

    fn finish(mut self, head: Head, order: impl Fn(u32) -> u32) -> (Tree, Pages) {
        self.bytes.reverse();
        let len = self.bytes.len();
        let key = |number: u32| u64::from(order(number)) << 32 | u64::from(number);
        let ends = self.ends.iter();
        let mut ends: Vec<_> = ends.map(|&(at, end)| (key(end), len - at)).collect();
        ends.sort_unstable_by_key(|&(key, _)| key);
        // Pages as large as can be; as many bytes as a page has places have no more ends.
        let mut page_bits = usize::BITS - len.leading_zeros();
        let pages = loop {
            if let Some(pages) = paged(&mut self.bytes, &ends, page_bits) {
                break pages;
            }
            page_bits -= 1;
        };
        let tree = Tree {
            bytes: self.bytes.into(),
            nodes: len as u32,
            page_bits: page_bits as u8,
            feature: u8::MAX >> (8 - head.feature_bits),
            large: head.large,
        };
        (tree.followed_by(&[]), Pages(pages))
    }
}

/// The number of pages of so many bytes of nodes: their last byte is an end.
#[inline]
fn pages_of(nodes: usize, page_bits: u32) -> usize {
    (nodes.saturating_sub(1) >> page_bits) + 1
}

/// Writes the bytes of ends, given these in order, of each a key whose lower half is its number
/// and where its byte is, and the logarithm of the bytes of a page. Returns the numbers of the
/// ends of each page, or nothing if one has too many.
fn paged(bytes: &mut [u8], ends: &[(u64, usize)], page_bits: u32) -> Option<Vec<Vec<u32>>> {
    let mut pages = vec![Vec::new(); pages_of(bytes.len(), page_bits)];
    for &(key, at) in ends {
        let number = key as u32;
        let page: &mut Vec<u32> = pages.get_mut(at >> page_bits)?;
        if page.last() != Some(&number) {
            page.push(number);
        }
        *bytes.get_mut(at)? = u8::try_from(page.len() - 1).ok()?;
    }
    Some(pages)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CodecBoard, CodecPiece, Moves};

    /// The bytes behind the nodes have an entry for each page, and are found by how many there are.
    #[test]
    fn a_tree_knows_how_many_pages_it_has() {
        let piece = CodecPiece {
            black: false,
            moves: Moves::KING,
            royal: true,
        };
        let board = CodecBoard::new(8, 8).unwrap();
        let features = Features::new(board, &[piece], &[]).unwrap();
        let mut full = 0;
        for nodes in 0..1200 {
            let mut builder = TreeBuilder::new(&features);
            for node in 0..nodes {
                builder.node(Split {
                    feature: 0,
                    left: 1,
                });
                builder.end(node);
            }
            builder.end(nodes);
            let (tree, pages) = builder.finish(|_| 0).unwrap();
            assert_eq!(tree.pages(), pages.0.len(), "{nodes} nodes");
            let is_full = tree.nodes.is_multiple_of(1 << tree.page_bits);
            full += u32::from(is_full && tree.nodes > 0);
        }
        assert!(full > 0, "no tree fills its pages");
    }
}
