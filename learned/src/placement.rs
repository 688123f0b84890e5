//! A placement that is looked up together with others.

use crate::error::LearnedError;
use crate::feature::{FeatureRow, Features, MOST};

/// A placement of the pieces of a material. Whichever sections of the material it is looked up
/// in, its features are computed once.
#[derive(Clone, Debug)]
pub struct Placement {
    squares: [u8; MOST],
    pieces: u8,
    /// Whether the row has the features, contexts aside.
    is_ready: bool,
    row: FeatureRow,
}

/// One without pieces.
impl Default for Placement {
    #[inline]
    fn default() -> Placement {
        Placement {
            squares: [0; MOST],
            pieces: 0,
            is_ready: false,
            row: [0; 256],
        }
    }
}

impl Placement {
    /// The squares of its pieces.
    #[inline]
    pub fn squares(&self) -> &[u8] {
        self.squares.get(..usize::from(self.pieces)).unwrap_or(&[])
    }

    /// Sets the squares of its pieces; more than 8 are left out.
    #[inline]
    pub fn set(&mut self, squares: impl IntoIterator<Item = u8>) {
        self.pieces = 0;
        self.is_ready = false;
        for (to, square) in self.squares.iter_mut().zip(squares) {
            *to = square;
            self.pieces += 1;
        }
    }

    /// The features, with these contexts.
    ///
    /// # Errors
    /// Those of [`Features::row`].
    #[inline]
    pub(crate) fn row(
        &mut self,
        features: &Features,
        contexts: &[u8],
    ) -> Result<&FeatureRow, LearnedError> {
        if !self.is_ready {
            let squares = self.squares.get(..usize::from(self.pieces)).unwrap_or(&[]);
            features.row_without_contexts(squares, &mut self.row)?;
            self.is_ready = true;
        }
        features.add_contexts(contexts, &mut self.row)?;
        Ok(&self.row)
    }
}
