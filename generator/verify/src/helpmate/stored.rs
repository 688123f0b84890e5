//! What the helpmate table of a material says.

use retrograde_folder::{ReadError, Reader, read_side};
use retrograde_probe::{Helpmate, Index, Reindexing};
use retrograde_rules::{Colour, Game, Material, Piece, Square};

use super::super::VerifyError;

/// The table of a material.
pub(super) struct StoredHelpmates {
    pub(super) material: Material,
    pub(super) pieces: Vec<Piece>,
    /// The index of the values, groups in the order of the material.
    pub(super) index: Index,
    table: Reader,
    /// All values by side to move, if unpacked.
    values: Option<[Vec<u8>; 2]>,
}

impl StoredHelpmates {
    /// What a helpmate table of a material says.
    pub(super) fn new(
        game: Game,
        material: &Material,
        table: Reader,
    ) -> Result<StoredHelpmates, VerifyError> {
        Ok(StoredHelpmates {
            material: *material,
            pieces: material.pieces().collect(),
            index: Index::new(game, material)?,
            table,
            values: None,
        })
    }

    /// Unpacks all values.
    pub(super) fn unpack(&mut self) -> Result<(), VerifyError> {
        let Some(reindexing) = Reindexing::new(self.table.index(), &self.index) else {
            unreachable!("tables of the material have its index");
        };
        let mut sides: [Vec<u8>; 2] = Default::default();
        for (turn, side) in Colour::BOTH.into_iter().zip(&mut sides) {
            let read = read_side(&self.table, turn)?;
            side.resize(read.len(), 0);
            let mut read = read.into_iter();
            reindexing.each(0..self.index.len(), |index| {
                side[index as usize] = read.next().unwrap_or_default() as u8;
            });
        }
        self.values = Some(sides);
        Ok(())
    }

    /// The size of the unpacked values in bytes.
    pub(super) fn unpacked_bytes(&self) -> u64 {
        2 * self.index.len()
    }

    pub(super) fn is_unpacked(&self) -> bool {
        self.values.is_some()
    }

    /// The number of blocks of the file.
    pub(super) fn blocks(&self) -> u64 {
        self.table.header().blocks()
    }

    /// The value of a position.
    #[inline]
    pub(super) fn get(&self, turn: Colour, squares: &[Square]) -> Result<Helpmate, ReadError> {
        let value = match &self.values {
            Some(values) => {
                let index = self.index.encode(squares).unwrap_or_default();
                values[turn.index()][index as usize].into()
            }
            None => {
                let index = self.table.index().encode(squares).unwrap_or_default();
                self.table.get(turn, index)?
            }
        };
        Ok(Helpmate::from_value(value))
    }
}
