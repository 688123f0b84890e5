//! Sampling the positions that a tree is grown on.

use std::collections::BTreeMap;

use rayon::prelude::*;

use crate::batch::{Batch, runs};
use crate::grow::TASK;
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

/// A pseudorandom number that depends only on the arguments.
pub(crate) fn scramble(number: u64, salt: u64) -> u64 {
    let mut x = number.wrapping_add(salt.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ x >> 31
}

/// Sampled positions: their features and their cells.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    /// The number of features in a row.
    stride: usize,
    /// The features, a row for each position: a few samples are looked at whole.
    rows: Vec<u8>,
    /// The same by columns: many samples are parted by one feature. Copies have none.
    columns: Vec<u8>,
    /// Places in the palette.
    pub(crate) cells: Vec<u16>,
    rates: Rates,
}

/// How many positions a sample stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rates {
    /// The symbol that nearly all positions have or may have, if there is one: so that there
    /// are enough of the others, these are picked more often.
    common: Option<u16>,
    /// The positions that a sample with the common symbol, and any other, stands for, with
    /// 8 bits after the point.
    scales: [u64; 2],
}

impl Rates {
    /// A symbol is common if at most one position in this many has another one.
    const COMMON: u64 = 8;

    /// Each sample stands for one position.
    pub(crate) fn each_once() -> Rates {
        Rates {
            common: None,
            scales: [1 << 8; 2],
        }
    }

    /// The common symbol, if there is one, and how many positions have it, and another.
    fn strata(palette: &Palette) -> (Option<u16>, [u64; 2]) {
        let mut counts = BTreeMap::<u16, u64>::new();
        for (&symbol, &count) in palette.symbols.iter().zip(&palette.counts) {
            *counts.entry(symbol).or_default() += count;
        }
        let total = palette.total();
        match counts
            .into_iter()
            .max_by_key(|&(symbol, count)| (count, !symbol))
        {
            Some((symbol, count)) if total - count <= total / Rates::COMMON => {
                (Some(symbol), [count, total - count])
            }
            _ => (None, [0, total]),
        }
    }

    /// How many positions a sample with this symbol stands for.
    #[inline]
    pub(crate) fn scale(&self, symbol: u16) -> u64 {
        self.scales[usize::from(self.common != Some(symbol))]
    }

    /// The number that all samples stand for, if it is the same for all.
    pub(crate) fn same(&self) -> Option<u64> {
        let [common, others] = self.scales;
        (self.common.is_none() || common == others).then_some(others)
    }
}

impl Samples {
    /// All positions whose value matters, or about `most` of them picked at random, those of
    /// rare cells more often than others.
    pub(crate) fn take(source: &impl Source, palette: &Palette, most: u64) -> Samples {
        Samples::pick_from(source, palette, most, Rates::strata(palette))
    }

    /// The same, all of them equally often.
    pub(crate) fn take_evenly(source: &impl Source, palette: &Palette, most: u64) -> Samples {
        Samples::pick_from(source, palette, most, (None, [0, palette.total()]))
    }

    fn pick_from(
        source: &impl Source,
        palette: &Palette,
        most: u64,
        (common, positions): (Option<u16>, [u64; 2]),
    ) -> Samples {
        let total: u64 = positions.iter().sum();
        // Half of the samples at most have another symbol than the common one.
        let others = match common {
            Some(_) => positions[1].min(most / 2),
            None => most,
        };
        let limits = [most - others, others];
        let limits = std::array::from_fn::<u64, 2, _>(|part| match positions[part] {
            _ if total <= most => u64::MAX,
            all if all <= limits[part] => u64::MAX,
            all => (u128::from(u64::MAX) * u128::from(limits[part]) / u128::from(all)) as u64,
        });
        let picks = |index: u64, cell: Cell| {
            let is_other = common != Some(palette.symbols[usize::from(palette.place(cell))]);
            scramble(index, 1) <= limits[usize::from(is_other)]
        };
        let stride = source.features().list().len();
        let parts: Vec<(Vec<u8>, Vec<u16>)> = runs(source)
            .map_init(Batch::default, |batch, first| {
                batch.take(source, first, picks);
                if batch.indices.is_empty() {
                    return (vec![], vec![]);
                }
                batch.look(source);
                let columns = (0..stride).flat_map(|feature| batch.columns.column(feature));
                let cells = batch.cells.iter();
                (
                    columns.copied().collect(),
                    cells.map(|&cell| palette.place(cell)).collect(),
                )
            })
            .collect();
        let len = parts.iter().map(|(_, cells)| cells.len()).sum();
        let mut samples = Samples {
            stride,
            rows: vec![0; stride * len],
            columns: vec![0; stride * len],
            cells: Vec::with_capacity(len),
            rates: Rates::default(),
        };
        let mut rows_left = &mut samples.rows[..];
        let mut jobs = Vec::with_capacity(parts.len());
        for (columns, cells) in &parts {
            let first = samples.cells.len();
            samples.cells.extend_from_slice(cells);
            let here = first..samples.cells.len();
            let (rows, after) = rows_left.split_at_mut(columns.len());
            rows_left = after;
            for (all, part) in (samples.columns.chunks_exact_mut(len.max(1)))
                .zip(columns.chunks_exact(cells.len().max(1)))
            {
                all[here.clone()].copy_from_slice(part);
            }
            jobs.push((rows, columns, cells.len()));
        }
        jobs.into_par_iter().for_each(|(rows, columns, len)| {
            for (feature, column) in columns.chunks_exact(len.max(1)).enumerate() {
                for (row, &value) in rows.chunks_exact_mut(stride.max(1)).zip(column) {
                    row[feature] = value;
                }
            }
        });
        let is_other = |&&place: &&u16| common != Some(palette.symbols[usize::from(place)]);
        let others = samples.cells.iter().filter(is_other).count() as u64;
        let picked = [len as u64 - others, others];
        samples.rates = Rates {
            common,
            scales: std::array::from_fn(|part| (positions[part] << 8) / picked[part].max(1)),
        };
        samples
    }

    /// All of some positions, by their indices in ascending order and their places in the
    /// palette.
    pub(crate) fn of_positions(source: &impl Source, indices: &[u64], cells: Vec<u16>) -> Samples {
        let stride = source.features().list().len();
        let len = indices.len();
        // Few samples are not parted by columns.
        let with_columns = if len > TASK { stride * len } else { 0 };
        let mut samples = Samples {
            stride,
            rows: vec![0; stride * len],
            columns: vec![0; with_columns],
            cells,
            rates: Rates::each_once(),
        };
        let mut batch = Batch::default();
        for (number, indices) in indices.chunks(Batch::RUN).enumerate() {
            batch.look_at(source, indices);
            let first = number * Batch::RUN;
            let rows = &mut samples.rows[stride * first..];
            for feature in 0..stride {
                let column = &batch.columns.column(feature)[..indices.len()];
                for (row, &value) in rows.chunks_exact_mut(stride).zip(column) {
                    row[feature] = value;
                }
                if let Some(all) = samples.columns.get_mut(feature * len..) {
                    if let Some(part) = all.get_mut(first..first + indices.len()) {
                        part.copy_from_slice(column);
                    }
                }
            }
        }
        samples
    }

    /// How many positions they stand for.
    pub(crate) fn rates(&self) -> &Rates {
        &self.rates
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The place of each sample in a pseudorandom order of all.
    pub(crate) fn ranks(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.cells.len() as u32).collect();
        for last in (1..order.len()).rev() {
            let drawn = (u128::from(scramble(last as u64, 2)) * (last as u128 + 1)) >> 64;
            order.swap(last, drawn as usize);
        }
        let mut ranks = vec![0; order.len()];
        for (rank, &sample) in (0..).zip(&order) {
            ranks[sample as usize] = rank;
        }
        ranks
    }

    /// Copies of some samples.
    pub(crate) fn pick(&self, samples: &[u32]) -> Samples {
        let mut rows = Vec::with_capacity(samples.len() * self.stride);
        for &sample in samples {
            rows.extend_from_slice(self.row(sample));
        }
        Samples {
            stride: self.stride,
            rows,
            columns: Vec::new(),
            cells: samples.iter().map(|&s| self.cells[s as usize]).collect(),
            rates: self.rates,
        }
    }

    /// The features of a sample.
    #[inline]
    pub(crate) fn row(&self, sample: u32) -> &[u8] {
        &self.rows[sample as usize * self.stride..][..self.stride]
    }

    /// A feature of all samples; nothing in copies.
    pub(crate) fn column(&self, feature: u8) -> &[u8] {
        let start = usize::from(feature) * self.len();
        self.columns.get(start..start + self.len()).unwrap_or(&[])
    }
}
