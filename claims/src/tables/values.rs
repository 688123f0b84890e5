//! All values of a material in games without vitality.

use std::path::Path;

use retrograde_folder::{open_needed, read_side};
use retrograde_index::{Index, Metric, Reindexing, Wdl, score};
use retrograde_rules::{Colour, Game, Material};

use crate::error::ClaimError;

/// The results and depths of a material, by side to move and index.
#[derive(Clone, Debug)]
pub(crate) struct Values {
    index: Index,
    /// As in tables of WDL.
    wdl: [Vec<i8>; 2],
    /// As in tables of DTM; empty unless asked for.
    dtm: [Vec<i16>; 2],
}

impl Values {
    /// Reads a material in normal form, with depths or without.
    pub(super) fn read(
        game: Game,
        material: &Material,
        folders: &[&Path],
        with_depths: bool,
    ) -> Result<Values, ClaimError> {
        let index = Index::new(game, material)?;
        let wdl = read(game, material, Metric::Wdl, folders, &index, |value| {
            value as i8
        })?;
        let dtm = match with_depths {
            true => read(game, material, Metric::Dtm, folders, &index, |value| value)?,
            false => Default::default(),
        };
        Ok(Values { index, wdl, dtm })
    }

    /// Whether depths were asked for.
    pub(super) fn has_depths(&self) -> bool {
        !self.dtm[0].is_empty()
    }

    /// The index of the values.
    pub(crate) fn index(&self) -> &Index {
        &self.index
    }

    /// Who wins, for the side to move.
    #[inline]
    pub(crate) fn wdl(&self, turn: Colour, index: u64) -> Wdl {
        Wdl::from_value(self.wdl[turn.index()][index as usize].into())
    }

    /// Plies to the end; `None` for draws, and if depths were not asked for.
    #[inline]
    pub(crate) fn plies(&self, turn: Colour, index: u64) -> Option<u32> {
        let depth = self.dtm[turn.index()].get(index as usize);
        depth.and_then(|&depth| score::plies(depth))
    }

    /// The bytes that the values take.
    pub(super) fn bytes(&self) -> usize {
        self.wdl.iter().map(Vec::len).sum::<usize>()
            + 2 * self.dtm.iter().map(Vec::len).sum::<usize>()
    }

    /// A material with made-up results and depths, for tests.
    #[cfg(test)]
    pub(crate) fn filled(
        game: Game,
        material: &Material,
        wdl: impl Fn(Colour, u64) -> Wdl,
    ) -> Values {
        let index = Index::new(game, material).unwrap();
        let sides = Colour::BOTH.map(|turn| {
            (0..index.len())
                .map(|n| wdl(turn, n).to_value() as i8)
                .collect()
        });
        let dtm =
            Colour::BOTH.map(|turn| (0..index.len()).map(|n| wdl(turn, n).to_value()).collect());
        Values {
            index,
            wdl: sides,
            dtm,
        }
    }

    /// Replaces values by others, for tests: all for which `change` says so.
    #[cfg(test)]
    pub(crate) fn doctor(&mut self, change: impl Fn(Colour, u64, Wdl) -> Wdl) {
        for (turn, wdl) in Colour::BOTH.into_iter().zip(&mut self.wdl) {
            for (index, value) in (0..).zip(wdl) {
                let new = change(turn, index, Wdl::from_value((*value).into()));
                *value = new.to_value() as i8;
            }
        }
    }
}

/// All values of a metric by side to move, in the order of `index`.
pub(super) fn read<T: Copy + Default>(
    game: Game,
    material: &Material,
    metric: Metric,
    folders: &[&Path],
    index: &Index,
    convert: impl Fn(i16) -> T,
) -> Result<[Vec<T>; 2], ClaimError> {
    let mut sides = [(); 2].map(|()| vec![T::default(); index.len() as usize]);
    let table = open_needed(game, material, metric, folders)?;
    let Some(reindexing) = Reindexing::new(table.index(), index) else {
        unreachable!("tables of a material have its index");
    };
    for (turn, side) in Colour::BOTH.into_iter().zip(&mut sides) {
        let mut values = read_side(&table, turn)?.into_iter();
        reindexing.each(0..index.len(), |index| {
            side[index as usize] = convert(values.next().unwrap_or_default());
        });
    }
    Ok(sides)
}
