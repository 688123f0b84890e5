//! A section: the values of one side to move.

use crate::columns::Columns;
use crate::directory::Directory;
use crate::error::LearnedError;
use crate::feature::{FeatureRow, Features};
use crate::line::{LINE, Line};
use crate::model::Model;

/// The values of one side to move, except the lines, which stay where they are.
#[derive(Clone, Debug)]
pub struct Section<B> {
    features: Features,
    model: Model,
    directory: Directory<B>,
}

impl<B: AsRef<[u8]>> Section<B> {
    /// A section from its parts.
    pub fn new(features: Features, model: Model, directory: Directory<B>) -> Section<B> {
        Section {
            features,
            model,
            directory,
        }
    }

    /// The features.
    pub fn features(&self) -> &Features {
        &self.features
    }

    /// The tree and the codes.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The directory of lines.
    pub fn directory(&self) -> &Directory<B> {
        &self.directory
    }

    /// The symbol of a position, given its index, the squares of its pieces and the
    /// contexts. `line` gives a line by its number.
    ///
    /// A position that the packer was told to ignore has an arbitrary symbol.
    ///
    /// # Errors
    /// Those of `line`, and any [`LearnedError`].
    #[inline]
    pub fn symbol<E: From<LearnedError>>(
        &self,
        index: u64,
        squares: &[u8],
        contexts: &[u8],
        line: impl FnOnce(u32) -> Result<[u8; LINE], E>,
    ) -> Result<u16, E> {
        // The line is requested first, so that it arrives while the tree is walked.
        let line = match self.directory.lines() {
            0 => None,
            _ => Some(line(self.directory.find(index)?)?),
        };
        let mut row: FeatureRow = [0; 256];
        self.features.row(squares, contexts, &mut row)?;
        let code = self.model.code(self.model.tree().walk(&row))?;
        match (code.only(), line) {
            (Some(symbol), _) => Ok(symbol),
            (None, Some(line)) => Ok(code.read(&Line::new(&line)?, index)),
            (None, None) => Err(LearnedError::Line("there is none").into()),
        }
    }

    /// The symbols of many positions, as [`Section::symbol`] gives them:
    /// `columns` has their features; `indices` ascend.
    ///
    /// # Errors
    /// Those of `line`, and any [`LearnedError`].
    pub fn symbols<E: From<LearnedError>>(
        &self,
        indices: &[u64],
        columns: &Columns,
        symbols: &mut [u16],
        mut line: impl FnMut(u32) -> Result<[u8; LINE], E>,
    ) -> Result<(), E> {
        let mut leaves = vec![0; columns.len().min(symbols.len())];
        self.model.tree().walk_all(columns, &mut leaves);
        let mut held: Option<(u64, u64, Line)> = None;
        for ((symbol, &leaf), &index) in symbols.iter_mut().zip(&leaves).zip(indices) {
            let code = self.model.code(leaf)?;
            if let Some(only) = code.only() {
                *symbol = only;
                continue;
            }
            let now = match held {
                Some((from, to, now)) if from <= index && index < to => now,
                _ => {
                    let (number, to) = self.directory.find_range(index)?;
                    let now = Line::new(&line(number)?)?;
                    held = Some((index, to, now));
                    now
                }
            };
            *symbol = code.read(&now, index);
        }
        Ok(())
    }
}
