//! Writes a model as bytes: the trunk of its tree, and the branches that the trunk leaves out.

use retrograde_learned::{
    Encoder, Features, LearnedError, node_coding::Book, node_coding::Split, node_coding::Spot,
};

use crate::prune::Pruned;

/// A model of at most so many bytes has no branches.
const WHOLE: usize = 6 << 10;
/// The most bytes of a branch, approximately.
const MOST: usize = 2 << 10;
/// Smaller subtrees belong to the trunk.
const LEAST: usize = 256;
/// The bytes of the first subtrees that belong to the trunk though they could be branches, so
/// that the chances that branches begin with have seen leaves.
const LEARNED: usize = 2 << 10;

/// The bytes of a model's trunk, and those of its branches.
pub(crate) fn model(
    tree: &Pruned,
    features: &Features,
    symbols: u32,
) -> Result<(Vec<u8>, Vec<Vec<u8>>), LearnedError> {
    let mut whole = Writer::new(features, Book::new(features, symbols));
    let sized = whole.below(tree, Spot::ROOT)?;
    let whole = whole.encoder.finish();
    if whole.len() <= WHOLE {
        return Ok((whole, Vec::new()));
    }
    let mut trunk = Writer::new(features, Book::new(features, symbols));
    trunk.trunk(&sized, Spot::ROOT, true)?;
    if trunk.branches.is_empty() {
        return Ok((whole, Vec::new()));
    }
    let mut branches = Vec::new();
    for &(node, spot) in &trunk.branches {
        let mut writer = Writer::new(features, trunk.book.clone());
        writer.node(node, spot)?;
        branches.push(writer.encoder.finish());
    }
    Ok((trunk.encoder.finish(), branches))
}

/// A node and its children, left and right.
type Node = (Split, Pruned, Pruned);

/// A subtree, and how many bytes it takes in a model without branches.
struct Sized<'t> {
    tree: &'t Pruned,
    bytes: usize,
    children: Option<Box<[Sized<'t>; 2]>>,
}

/// Writes a trunk or a branch.
struct Writer<'t> {
    features: &'t Features,
    encoder: Encoder,
    book: Book,
    /// The branches that have been left out of the trunk.
    branches: Vec<(&'t Node, Spot)>,
    /// The number of bytes of subtrees in the trunk that could be branches.
    learned: usize,
}

impl<'t> Writer<'t> {
    fn new(features: &'t Features, book: Book) -> Writer<'t> {
        Writer {
            features,
            encoder: Encoder::new(),
            book,
            branches: Vec::new(),
            learned: 0,
        }
    }

    fn is_leaf(&mut self, tree: &Pruned, spot: Spot) {
        self.book.is_leaf(&mut self.encoder, spot, tree.is_leaf());
    }

    /// Writes a subtree whole.
    fn below(&mut self, tree: &'t Pruned, spot: Spot) -> Result<Sized<'t>, LearnedError> {
        let before = self.encoder.len();
        self.is_leaf(tree, spot);
        let children = match tree {
            Pruned::Leaf(shape) => {
                self.book.shape(&mut self.encoder, &mut shape.clone())?;
                None
            }
            Pruned::Node(node) => Some(Box::new(self.node(node, spot)?)),
        };
        Ok(Sized {
            tree,
            bytes: self.encoder.len() - before,
            children,
        })
    }

    /// Writes a node and all below it.
    fn node(&mut self, node: &'t Node, spot: Spot) -> Result<[Sized<'t>; 2], LearnedError> {
        let (split, left, right) = node;
        self.book.split(&mut self.encoder, self.features, *split)?;
        let first = self.below(left, spot.child(None))?;
        Ok([first, self.below(right, spot.child(Some(left.is_leaf())))?])
    }

    /// Writes what of a subtree belongs to the trunk, the rest being left out if it may be.
    fn trunk(
        &mut self,
        sized: &Sized<'t>,
        spot: Spot,
        mut may_cut: bool,
    ) -> Result<(), LearnedError> {
        self.is_leaf(sized.tree, spot);
        let (node, children) = match (sized.tree, &sized.children) {
            (Pruned::Node(node), Some(children)) => (&**node, &**children),
            (Pruned::Leaf(shape), _) => {
                return self.book.shape(&mut self.encoder, &mut shape.clone());
            }
            (Pruned::Node(_), None) => return Err(LearnedError::Model("a node has no children")),
        };
        let mut is_branch = false;
        if may_cut && (LEAST..=MOST).contains(&sized.bytes) {
            is_branch = self.learned >= LEARNED;
            self.learned += sized.bytes;
            may_cut = false;
        }
        self.book.is_branch(&mut self.encoder, spot, is_branch);
        if is_branch {
            self.branches.push((node, spot));
            return Ok(());
        }
        let (split, left, _) = node;
        self.book.split(&mut self.encoder, self.features, *split)?;
        self.trunk(&children[0], spot.child(None), may_cut)?;
        self.trunk(&children[1], spot.child(Some(left.is_leaf())), may_cut)
    }
}
