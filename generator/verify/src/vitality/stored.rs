//! The stored curves and needs of a material with vitality.

use std::path::Path;

use retrograde_probe::{Index, Metric, Reindexing, VitalityAnswer, Wdl, WinBy, needs};
use retrograde_rules::{Colour, Game, Material, Piece, Square, VitalityRules};

use super::super::VerifyError;
use super::super::statistics::Proved;
use super::rows::CurveRows;
use retrograde_folder::{ReadError, Reader, open_needed, read_side};

/// The stored values of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Entry {
    /// The place of its curve among those of the material.
    pub(super) curve: u32,
    /// What White and Black need to force mate.
    pub(super) needs: [u8; 2],
}

/// The tables of a material.
pub(super) struct StoredCurves<const N: usize> {
    pub(super) material: Material,
    pub(super) pieces: Vec<Piece>,
    pub(super) index: Index,
    pub(super) curves: Vec<CurveRows<N>>,
    thresholds: Reader,
    mates: Reader,
    /// All values by side to move, if unpacked.
    entries: Option<[Vec<Entry>; 2]>,
}

impl<const N: usize> StoredCurves<N> {
    pub(super) fn open(
        game: Game,
        rules: &'static VitalityRules,
        material: &Material,
        folders: &[&Path],
    ) -> Result<StoredCurves<N>, VerifyError> {
        let find = |metric| open_needed(game, material, metric, folders);
        let (thresholds, mates) = (find(Metric::Thresholds)?, find(Metric::Mates)?);
        let list = thresholds.header().curves.iter();
        Ok(StoredCurves {
            material: *material,
            pieces: material.pieces().collect(),
            index: Index::new(game, material)?,
            curves: list.map(|&t| CurveRows::new(rules, t)).collect(),
            thresholds,
            mates,
            entries: None,
        })
    }

    /// Unpacks all values, since each will be needed dozens of times and in no
    /// order.
    pub(super) fn unpack(&mut self) -> Result<(), VerifyError> {
        let mut entries = [(); 2].map(|()| vec![Entry::default(); self.index.len() as usize]);
        for (turn, entries) in Colour::BOTH.into_iter().zip(&mut entries) {
            for table in [&self.thresholds, &self.mates] {
                let Some(reindexing) = Reindexing::new(table.index(), &self.index) else {
                    unreachable!("tables of the material have its index");
                };
                let mut values = (0..).zip(read_side(table, turn)?);
                reindexing.each(0..self.index.len(), |index| {
                    let (at, value) = values.next().unwrap_or_default();
                    let entry = &mut entries[index as usize];
                    match table.header().metric {
                        Metric::Mates => entry.needs = needs::split(value),
                        _ => entry.curve = table.curve_place_or_first(at, value) as u32,
                    }
                });
            }
        }
        self.entries = Some(entries);
        Ok(())
    }

    /// The memory that unpacking all values takes, in bytes.
    pub(super) fn unpacked_bytes(&self) -> u64 {
        // The entries, and the values of one file for one side to move.
        let bytes = 2 * size_of::<Entry>() + size_of::<i16>();
        self.index.len() * bytes as u64
    }

    pub(super) fn is_unpacked(&self) -> bool {
        self.entries.is_some()
    }

    /// The number of blocks in both files.
    pub(super) fn blocks(&self) -> u64 {
        self.thresholds.header().blocks() + self.mates.header().blocks()
    }

    /// Both files.
    pub(super) fn tables(&self) -> [(Metric, &Reader); 2] {
        [
            (Metric::Thresholds, &self.thresholds),
            (Metric::Mates, &self.mates),
        ]
    }

    /// The values of a position, and its index.
    #[inline]
    pub(super) fn get(&self, turn: Colour, squares: &[Square]) -> Result<(Entry, u64), ReadError> {
        let index = self.index.encode(squares).unwrap_or_default();
        if let Some(entries) = &self.entries {
            return Ok((entries[turn.index()][index as usize], index));
        }
        let value = |table: &Reader| -> Result<(u64, i16), ReadError> {
            let index = table.index().encode(squares).unwrap_or_default();
            Ok((index, table.get(turn, index)?))
        };
        let (at, place) = value(&self.thresholds)?;
        let entry = Entry {
            curve: self.thresholds.curve_place(at, place)? as u32,
            needs: needs::split(value(&self.mates)?.1),
        };
        Ok((entry, index))
    }

    /// The unpacked values of an index; meaningless if they are not unpacked.
    #[inline]
    pub(super) fn unpacked(&self, turn: Colour, index: u64) -> Entry {
        let entries = self.entries.as_ref().map(|e| &e[turn.index()]);
        let entry = entries.and_then(|e| e.get(index as usize));
        entry.copied().unwrap_or_default()
    }

    /// The values to count, both sides having full counters.
    pub(super) fn proved(&self, game: Game, rules: &'static VitalityRules) -> Proved<'_> {
        let full = rules.full();
        Proved {
            game,
            index: &self.index,
            tables: self.tables().into(),
            values: Box::new(move |turn, squares: &[Square]| {
                let (entry, _) = self.get(turn, squares)?;
                let answer = VitalityAnswer {
                    curve: self.thresholds.header().curves[entry.curve as usize],
                    mates: Some(entry.needs),
                };
                let is_won = answer.winner(full) == turn;
                let result = if is_won { Wdl::Win } else { Wdl::Loss };
                let by_mate = answer.win_by(full) == Some(WinBy::Mate);
                Ok([(result, 0), (result, by_mate.into()), (result, 0)])
            }),
        }
    }

    #[inline]
    pub(super) fn curve(&self, entry: Entry) -> &CurveRows<N> {
        &self.curves[entry.curve as usize]
    }
}
