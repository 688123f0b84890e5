//! Writing models.

use retrograde_learned::{Coder, Encoder, Features, LearnedError, layout::Book, layout::Spot};

use crate::prune::Pruned;

/// The bytes of a model.
pub(crate) fn model(
    tree: &Pruned,
    features: &Features,
    symbols: u32,
) -> Result<Vec<u8>, LearnedError> {
    let mut encoder = Encoder::new();
    let mut book = Book::new(features, symbols);
    let root = Spot {
        depth: 0,
        sibling: None,
    };
    below(tree, features, &mut encoder, &mut book, root)?;
    Ok(encoder.finish())
}

fn below(
    tree: &Pruned,
    features: &Features,
    coder: &mut impl Coder,
    book: &mut Book,
    spot: Spot,
) -> Result<(), LearnedError> {
    book.is_leaf(coder, spot, matches!(tree, Pruned::Leaf(_)));
    match tree {
        Pruned::Leaf(shape) => book.shape(coder, &mut shape.clone()),
        Pruned::Node(node) => {
            let (split, left, right) = &**node;
            book.split(coder, features, *split)?;
            let mut child = Spot {
                depth: spot.depth + 1,
                sibling: None,
            };
            below(left, features, coder, book, child)?;
            child.sibling = Some(matches!(left, Pruned::Leaf(_)));
            below(right, features, coder, book, child)
        }
    }
}
