//! Which sides can be mated in the positions of a material.

use std::path::Path;

use retrograde_index::{Helpmate, Index, Metric};
use retrograde_rules::{Colour, Game, Material};

use crate::error::ClaimError;

use super::values::read;

/// The values of a helpmate table, by side to move and index.
#[derive(Clone, Debug)]
pub(crate) struct Helpmates {
    index: Index,
    values: [Vec<u8>; 2],
}

impl Helpmates {
    /// Reads a material in normal form.
    pub(super) fn read(
        game: Game,
        material: &Material,
        folders: &[&Path],
    ) -> Result<Helpmates, ClaimError> {
        let index = Index::new(game, material)?;
        let values = read(game, material, Metric::Helpmate, folders, &index, |value| {
            value as u8
        })?;
        Ok(Helpmates { index, values })
    }

    /// The index of the values.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Which sides can be mated.
    #[inline]
    pub(crate) fn get(&self, turn: Colour, index: u64) -> Helpmate {
        Helpmate::from_value(self.values[turn.index()][index as usize].into())
    }

    /// The bytes that the values take.
    pub(super) fn bytes(&self) -> usize {
        self.values.iter().map(Vec::len).sum()
    }

    /// A material with made-up values, for tests.
    #[cfg(test)]
    pub(crate) fn filled(
        game: Game,
        material: &Material,
        value: impl Fn(Colour, u64) -> Helpmate,
    ) -> Helpmates {
        let index = Index::new(game, material).unwrap();
        let values = Colour::BOTH.map(|turn| {
            (0..index.len())
                .map(|n| value(turn, n).to_value() as u8)
                .collect()
        });
        Helpmates { index, values }
    }
}
