//! A model: the tree of a section and the codes of its leaves.

use crate::chance::Decoder;
use crate::code::{Code, CodeShape, Codes};
use crate::error::LearnedError;
use crate::feature::Features;
use crate::layout::{Book, DEEPEST, Spot};
use crate::tree::Tree;

/// The tree of a section, whose leaves are codes.
#[derive(Clone, Debug)]
pub struct Model {
    tree: Tree,
    codes: Codes,
}

impl Model {
    /// Reads a model with symbols below `symbols` (1 to 65536).
    ///
    /// # Errors
    /// [`LearnedError::Model`] if the bytes are not those of a model of this material.
    pub fn read(bytes: &[u8], features: &Features, symbols: u32) -> Result<Model, LearnedError> {
        if symbols == 0 || symbols > 1 << 16 {
            return Err(LearnedError::Model("it has no symbols, or too many"));
        }
        let mut decoder = Decoder::new(bytes);
        let mut book = Book::new(features, symbols);
        let (mut tree, mut codes) = (Tree::new(features), Codes::new());
        let mut shape = CodeShape::default();
        let root = Spot {
            depth: 0,
            sibling: None,
        };
        let mut leaf_before = false;
        let mut open = vec![(None, root)];
        while let Some((parent, mut spot)) = open.pop() {
            if decoder.is_over() {
                return Err(LearnedError::Model("it is truncated"));
            }
            if let Some((parent, false)) = parent {
                spot.sibling = Some(tree.is_leaf(parent, true));
            }
            leaf_before = book.is_leaf(&mut decoder, spot, leaf_before);
            if leaf_before {
                book.shape(&mut decoder, &mut shape)?;
                tree.hang_leaf(parent, codes.add(&shape)?);
                continue;
            }
            if spot.depth >= DEEPEST {
                return Err(LearnedError::Model("its tree is too deep"));
            }
            let ask = crate::layout::Split {
                feature: 0,
                left: 0,
            };
            let node = tree.add(book.split(&mut decoder, features, ask)?)?;
            tree.hang(parent, node);
            let below = Spot {
                depth: spot.depth + 1,
                sibling: None,
            };
            open.push((Some((node, false)), below));
            open.push((Some((node, true)), below));
        }
        if !decoder.is_done() {
            return Err(LearnedError::Model("its length is wrong"));
        }
        tree.finish();
        codes.finish();
        Ok(Model { tree, codes })
    }

    /// The tree; its leaves are places for [`Model::code`].
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The code of a leaf.
    ///
    /// # Errors
    /// There is no code at this place.
    #[inline]
    pub fn code(&self, leaf: u32) -> Result<Code<'_>, LearnedError> {
        let fault = LearnedError::Model("a leaf has no code");
        self.codes.get(leaf).ok_or(fault)
    }

    /// The size of the model in memory in bytes.
    pub fn bytes(&self) -> usize {
        self.tree.bytes() + self.codes.bytes()
    }
}
