//! Reads all tables of a material together: the values of a position in every metric.

use std::path::Path;

use rayon::prelude::*;
use retrograde_probe::format::Codec;
use retrograde_probe::whole::Stop;
use retrograde_probe::{Index, Metric, ProbeError, Reindexing};
use retrograde_rules::{Colour, Counters, Game, Material, Piece, Square};

use super::VerifyError;
use retrograde_folder::{ReadError, Reader, open, open_needed};

/// The stored values of one position; 0 for metrics that the game does not have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) dtm: i16,
    pub(super) dtz: i16,
    pub(super) wdl: i8,
}

impl Cell {
    fn set(&mut self, metric: Metric, value: i16) {
        match metric {
            Metric::Wdl => self.wdl = value as i8,
            Metric::Dtz => self.dtz = value,
            _ => self.dtm = value,
        }
    }

    pub(super) fn get(&self, metric: Metric) -> i16 {
        match metric {
            Metric::Wdl => self.wdl.into(),
            Metric::Dtz => self.dtz,
            _ => self.dtm,
        }
    }
}

/// The tables of a material.
pub(super) struct StoredValues {
    pub(super) material: Material,
    pub(super) pieces: Vec<Piece>,
    /// The index of the cells.
    pub(super) index: Index,
    tables: Vec<(Metric, Reader)>,
    /// The values by side to move, if unpacked.
    cells: Option<[Vec<Cell>; 2]>,
}

/// The metrics of a material that can be proved with the tables that there are. The
/// fifty-move rule ties WDL to DTZ, and without it WDL follows from DTM: what is missing
/// of that has to be made first, and opening it says so.
pub(super) fn provable(
    game: Game,
    material: &Material,
    folders: &[&Path],
) -> Result<Vec<Metric>, VerifyError> {
    let mut there = Vec::new();
    for &metric in Metric::of(game) {
        if open(game, material, metric, folders.iter().copied())?.is_some() {
            there.push(metric);
        }
    }
    let has = |metric| there.contains(&metric);
    let both = game.zeroing_limit().is_some() && (has(Metric::Wdl) || has(Metric::Dtz));
    let mut metrics = Metric::of(game).to_vec();
    metrics.retain(|&metric| match metric {
        _ if there.is_empty() => true,
        Metric::Dtm => has(metric) || game.zeroing_limit().is_none(),
        Metric::Dtz => both,
        _ => both || has(metric),
    });
    Ok(metrics)
}

/// The metrics of its successors that proving some metrics of a material takes: after a
/// zeroing move DTZ begins anew.
pub(super) fn taken(metrics: &[Metric]) -> Vec<Metric> {
    let mut taken = metrics.to_vec();
    taken.retain(|&metric| metric != Metric::Dtz);
    taken
}

impl StoredValues {
    /// Opens tables of some metrics.
    pub(super) fn open(
        game: Game,
        material: &Material,
        metrics: &[Metric],
        folders: &[&Path],
    ) -> Result<StoredValues, VerifyError> {
        let find = |&metric: &Metric| Ok((metric, open_needed(game, material, metric, folders)?));
        Ok(StoredValues {
            material: *material,
            pieces: material.pieces().collect(),
            index: Index::new(game, material)?,
            tables: metrics
                .iter()
                .map(find)
                .collect::<Result<_, VerifyError>>()?,
            cells: None,
        })
    }

    /// Unpacks all values, since each will be needed dozens of times and in no
    /// order, unless `stop` says to give up.
    pub(super) fn unpack(&mut self, stop: Stop<'_>) -> Result<(), VerifyError> {
        let mut cells = [(); 2].map(|()| vec![Cell::default(); self.index.len() as usize]);
        for (metric, table) in &self.tables {
            table.prepare(stop)?;
            let Some(reindexing) = Reindexing::new(table.index(), &self.index) else {
                unreachable!("tables of the material have its index");
            };
            for (turn, cells) in Colour::BOTH.into_iter().zip(&mut cells) {
                // Whole pairs, whose indices are the same in every order, and
                // several blocks, since those at the ends are unpacked twice.
                let pair = self.index.indices_per_pair();
                let wanted = 4 * table.block_len(turn).unwrap_or(1 << 10);
                let chunk = pair * wanted.div_ceil(pair);
                cells
                    .par_chunks_mut(chunk as usize)
                    .enumerate()
                    .try_for_each(|(place, cells)| {
                        if stop() {
                            return Err(ReadError::Ground(ProbeError::Stopped));
                        }
                        let first = place as u64 * chunk;
                        let mut values = vec![0; cells.len()];
                        table.read(turn, first, &mut values)?;
                        let mut values = values.into_iter();
                        reindexing.each(first..first + cells.len() as u64, |index| {
                            let value = values.next().unwrap_or_default();
                            cells[(index - first) as usize].set(*metric, value);
                        });
                        Ok::<_, ReadError>(())
                    })?;
            }
        }
        self.cells = Some(cells);
        Ok(())
    }

    /// The size of the unpacked values in bytes.
    pub(super) fn unpacked_bytes(&self) -> u64 {
        2 * self.index.len() * size_of::<Cell>() as u64
    }

    pub(super) fn is_unpacked(&self) -> bool {
        self.cells.is_some()
    }

    /// The number of positions from which it is cheaper to unpack all values first. Single values
    /// of small tables are at hand.
    pub(super) fn worth_unpacking(&self) -> u64 {
        let headers = || self.tables.iter().map(|(_, table)| table.header());
        if headers().any(|header| header.codec == Codec::Learned) {
            return self.index.len() / 32;
        }
        headers().map(|header| header.blocks()).sum::<u64>() / 64
    }

    /// The tables.
    pub(super) fn tables(&self) -> impl Iterator<Item = (Metric, &Reader)> {
        self.tables.iter().map(|(metric, table)| (*metric, table))
    }

    /// The values of a position with some counters, full ones if there are none.
    #[inline]
    pub(super) fn get(
        &self,
        turn: Colour,
        squares: &[Square],
        counters: Option<Counters>,
    ) -> Result<Cell, ReadError> {
        let index_in = |index: &Index| {
            let first = index.encode(squares).unwrap_or_default();
            index.in_layer_of(first, counters)
        };
        if let Some(cells) = &self.cells {
            let index = index_in(&self.index);
            return Ok(cells[turn.index()][index as usize]);
        }
        let mut cell = Cell::default();
        for (metric, table) in &self.tables {
            let index = index_in(table.index());
            cell.set(*metric, table.get(turn, index)?);
        }
        Ok(cell)
    }
}
