//! From the nodes and ends of a tree, in the order in which models have them, to its bytes.

use super::steps::{self, Ends};
use super::{END, PAGE, Tree, questions};
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

/// Most trees take no more for each node and each end.
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
    /// For each page those of its ends, in the order of their places.
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

    /// How many nodes and ends there are.
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
        let feature_bits = steps::feature_bits(self.features.list().len());
        let head = Head {
            large,
            feature_bits,
            questions: steps::questions(feature_bits),
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
                    let bytes = made.node(head, (feature, left, size), children);
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

/// What heads are like.
#[derive(Clone, Copy)]
struct Head {
    large: bool,
    feature_bits: u32,
    /// How many questions they can tell from each other.
    questions: usize,
}

impl Made {
    /// Adds a node and the ends below it, given its feature, the values of it that go left and
    /// how many there are, and its left and right child.
    fn node(
        &mut self,
        head: Head,
        (feature, left, size): (u8, u128, u8),
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
        let number = questions::shortest(head.large, head.questions, left, size);
        let question = questions::of(head.large)[number];
        let (from, len) = (usize::from(question.from), usize::from(question.len));
        let set = &left.to_le_bytes()[from..from + len];
        self.bytes.extend(set.iter().rev());
        let number = steps::number(number, ends) << head.feature_bits | usize::from(feature);
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

/// How many pages so many bytes of nodes have: their last byte is an end.
#[inline]
pub(super) fn pages_of(nodes: usize, page_bits: u32) -> usize {
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

    /// What is behind the nodes has an entry for each page, and is found by how many there are.
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
