//! Where nodes are.

/// Where a node is: what its probabilities depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spot {
    /// The number of nodes above it.
    pub depth: u8,
    /// For a right child, whether the left one is a leaf.
    pub sibling: Option<bool>,
}

impl Spot {
    /// The root of a tree.
    pub const ROOT: Spot = Spot {
        depth: 0,
        sibling: None,
    };

    /// The left child of a node.
    #[must_use]
    pub fn below(self) -> Spot {
        Spot {
            depth: self.depth.saturating_add(1),
            sibling: None,
        }
    }

    /// The right child of a node, given whether the left one is a leaf.
    #[must_use]
    pub fn beside(self, leaf: bool) -> Spot {
        Spot {
            depth: self.depth.saturating_add(1),
            sibling: Some(leaf),
        }
    }
}
