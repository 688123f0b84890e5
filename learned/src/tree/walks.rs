//! Walks that go side by side.

use super::{END, Reading, Tree};
use crate::feature::FeatureRow;

/// How many walks go side by side.
pub(crate) const TOGETHER: usize = 32;
// The open ones are bits of a number.
const _: () = assert!(TOGETHER <= u32::BITS as usize);

/// Walks, each of its own placement, that go side by side: while the node of one is on its way
/// from memory, the others need not wait.
pub(crate) struct Walks<'t> {
    reading: Reading,
    trees: [&'t Tree; TOGETHER],
    /// Where each is.
    at: [u32; TOGETHER],
    /// Those that have not ended: a bit for each.
    open: u32,
}

impl<'t> Walks<'t> {
    /// No walks; `tree` is any of the trees, all of which are of the same features.
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
