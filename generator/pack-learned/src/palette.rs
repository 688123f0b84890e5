//! What positions have.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::batch::{Batch, runs};
use crate::source::{Cell, Source};

/// The cells that occur, except free ones, and how often.
#[derive(Clone, Debug, Default)]
pub(crate) struct Palette {
    /// In ascending order.
    pub(crate) cells: Vec<Cell>,
    /// How many positions have each.
    pub(crate) counts: Vec<u64>,
    /// The symbol of each, the most frequent one if it leaves a choice.
    pub(crate) symbols: Vec<u16>,
    /// How many positions of each run of indices have any.
    pub(crate) runs: Vec<u32>,
    /// The place of each symbol's exact cell.
    exact: Vec<u16>,
}

impl Palette {
    /// Counts the cells of a source.
    pub(crate) fn of(source: &impl Source) -> Palette {
        let (sums, runs): (Vec<Counts>, Vec<u32>) = runs(source)
            .map_init(Batch::default, |batch, first| {
                let mut counts = Counts::default();
                let mut same: (Cell, u64) = (Cell::FREE, 0);
                let mut cared = 0;
                for &cell in batch.run(source, first) {
                    if cell != same.0 {
                        counts.add(same.0, same.1);
                        same = (cell, 0);
                    }
                    same.1 += 1;
                    cared += u32::from(cell != Cell::FREE);
                }
                counts.add(same.0, same.1);
                (counts, cared)
            })
            .unzip();
        let mut counts = BTreeMap::<Cell, u64>::new();
        for (cell, count) in sums.iter().flat_map(Counts::all) {
            *counts.entry(cell).or_default() += count;
        }
        counts.remove(&Cell::FREE);
        let (cells, counts): (Vec<Cell>, Vec<u64>) = counts.into_iter().unzip();
        let mut exact = Vec::new();
        for (place, cell) in cells.iter().enumerate().filter(|(_, cell)| cell.is_exact()) {
            exact.resize(usize::from(cell.low) + 1, 0);
            exact[usize::from(cell.low)] = place as u16;
        }
        let symbols = likely(&cells, &counts);
        Palette {
            cells,
            counts,
            symbols,
            runs,
            exact,
        }
    }

    /// The place of a cell that occurs.
    #[inline]
    pub(crate) fn place(&self, cell: Cell) -> u16 {
        match self.exact.get(usize::from(cell.low)) {
            Some(&place) if cell.is_exact() => place,
            _ => self.cells.binary_search(&cell).unwrap_or(0) as u16,
        }
    }

    /// The number of positions whose value matters.
    pub(crate) fn total(&self) -> u64 {
        self.counts.iter().sum()
    }
}

/// The most frequent symbol that each cell allows.
fn likely(cells: &[Cell], counts: &[u64]) -> Vec<u16> {
    let exact = || cells.iter().zip(counts).filter(|(cell, _)| cell.is_exact());
    let of = |cell: &Cell| {
        let allowed = exact().filter(|(exact, _)| cell.allows(exact.low));
        let best = allowed.max_by_key(|&(exact, &count)| (count, u16::MAX - exact.low));
        best.map_or(cell.low, |(exact, _)| exact.low)
    };
    cells.iter().map(of).collect()
}

/// How often cells occur in a run. Those that nearly all are have places of their own.
#[derive(Default)]
struct Counts {
    /// By their symbol.
    exact: Vec<u64>,
    /// Those from 0 on, by their highest symbol.
    up_to: Vec<u64>,
    others: BTreeMap<Cell, u64>,
}

impl Counts {
    fn add(&mut self, cell: Cell, count: u64) {
        let high = usize::from(cell.high);
        let counts = match cell {
            Cell::FREE => return *self.others.entry(cell).or_default() += count,
            _ if cell.is_exact() => &mut self.exact,
            _ if cell.low == 0 => &mut self.up_to,
            _ => return *self.others.entry(cell).or_default() += count,
        };
        if counts.len() <= high {
            counts.resize(high + 1, 0);
        }
        counts[high] += count;
    }

    fn all(&self) -> impl Iterator<Item = (Cell, u64)> {
        let exact = (0..=u16::MAX)
            .map(Cell::exact)
            .zip(self.exact.iter().copied());
        let up_to = (0..=u16::MAX)
            .map(Cell::up_to)
            .zip(self.up_to.iter().copied());
        let others = self.others.iter().map(|(&cell, &count)| (cell, count));
        exact
            .chain(up_to)
            .chain(others)
            .filter(|&(_, count)| count > 0)
    }
}
