//! From values to bytes, and back.

use std::collections::HashMap;

use rayon::prelude::*;
use retrograde_learned::{
    Columns, Directory, LINE, LearnedError, Model, Section, Tree, write_directory,
};
use thiserror::Error;

use crate::entropy::POINT;
use crate::grow::{Grown, grow};
use crate::lines::{LinePlan, Lines, StoredPosition, fill};
use crate::prune::{Counts, Pruner};
use crate::samples::{Palette, Samples, batches, read_some};
use crate::source::{Batch, Source};
use crate::split::{Finder, Prices, bits};
use crate::write;

/// How a section is packed.
#[derive(Clone, Copy, Debug)]
pub struct LearnOptions {
    /// The most positions that the tree is grown on.
    pub samples: u64,
    /// The approximate cost of a node in the model in bits, besides a threshold or a
    /// set.
    pub node: u64,
    /// The approximate cost of a leaf of one symbol in bits.
    pub leaf: u64,
    /// The approximate cost of each further symbol of a leaf in bits.
    pub symbol: u64,
    /// Whether the section is read back, which a caller who reads the file back can do
    /// without.
    pub read_back: bool,
}

impl Default for LearnOptions {
    fn default() -> LearnOptions {
        LearnOptions {
            samples: 2_000_000,
            node: 7,
            leaf: 4,
            symbol: 4,
            read_back: true,
        }
    }
}

impl LearnOptions {
    fn prices(&self) -> Prices {
        Prices {
            node: bits(self.node),
            leaf: bits(self.leaf),
            symbol: bits(self.symbol),
        }
    }
}

/// Why a section cannot be packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum PackError {
    /// The codec has no room for it.
    #[error(transparent)]
    Learned(#[from] LearnedError),
    /// A value reads back differently.
    #[error("index {0} reads back as another value than was packed; this is a bug")]
    ReadBack(u64),
    /// A position takes more bits than a line has.
    #[error("a position takes more bits than a line has; this is a bug")]
    TooLong,
    /// There are more than 65536 different cells.
    #[error("there are {0} different cells, more than can be packed")]
    Cells(usize),
    /// There are no indices, or more lines than the format has room for.
    #[error("a section of {0} indices cannot be packed")]
    Size(u64),
}

/// A section as it is stored.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The number of symbols.
    pub symbols: u32,
    /// The model.
    pub model: Vec<u8>,
    /// A stretch of the directory has `2^bits` indices.
    pub bits: u32,
    /// The directory of lines.
    pub directory: Vec<u8>,
    /// The lines.
    pub lines: Vec<[u8; LINE]>,
}

impl Packed {
    /// The total size in bytes.
    pub fn bytes(&self) -> usize {
        self.model.len() + self.directory.len() + self.lines.len() * LINE
    }
}

/// Statistics of packing.
#[derive(Clone, Copy, Debug, Default)]
pub struct PackReport {
    /// Positions whose value matters.
    pub cared: u64,
    /// The leaves that were grown, and those that were kept.
    pub leaves: [usize; 2],
    /// The bits of all symbols by their codes.
    pub code_bits: u64,
    /// Attempts at a line.
    pub tries: u64,
    /// The size of the model in memory in bytes.
    pub memory: usize,
}

/// Packs a section and, if asked, reads it back.
///
/// # Errors
/// See [`PackError`]; none depends on the values as such.
pub fn pack(
    source: &impl Source,
    options: &LearnOptions,
) -> Result<(Packed, PackReport), PackError> {
    let features = source.features();
    let palette = palette(source)?;
    let mut report = PackReport {
        cared: palette.total(),
        ..PackReport::default()
    };
    let prices = options.prices();
    let samples = Samples::take(source, &palette, options.samples);
    let mut order = samples.shuffled();
    let scale = (palette.total() << 8) / (order.len() as u64).max(1);
    let grown = {
        let mut finder = Finder::new(features, &samples, &palette, prices);
        grow(&mut finder, &mut order, scale)
    };
    let scaled = (order.len() as u64) < palette.total();
    let mut known = if scaled {
        count_all(source, &palette, &grown)?
    } else {
        count_samples(&samples, &order, &palette, &grown)
    }
    .into_iter();
    let mut grown_leaves = 0;
    let counts = |_: &Grown| -> Counts {
        grown_leaves += 1;
        known.next().unwrap_or_default()
    };
    let mut pruner = Pruner {
        features,
        palette: &palette,
        prices,
        counts,
    };
    let (pruned, _) = pruner.prune(&grown);
    report.leaves = [grown_leaves, pruned.leaves()];
    drop((samples, order));

    let bytes = write::model(&pruned, features, source.symbols())?;
    let model = Model::read(&bytes, features, source.symbols())?;
    report.memory = model.bytes();
    let lines = lines(source, &model)?;
    report.tries = lines.tries;
    report.code_bits = lines.bits;
    let count = u32::try_from(lines.bytes.len()).map_err(|_| PackError::Size(source.indices()))?;
    let bits = stretch(source.indices(), count);
    let directory = write_directory(&lines.firsts, source.indices(), bits);
    let packed = Packed {
        symbols: source.symbols(),
        model: bytes,
        bits,
        directory,
        lines: lines.bytes,
    };
    if options.read_back {
        let directory = Directory::new(&packed.directory, source.indices(), bits, count)?;
        let section = Section::new(features.clone(), model, directory);
        read_back(source, &section, &packed.lines)?;
    }
    Ok((packed, report))
}

/// The cells in each leaf, from left to right, if all positions are samples.
fn count_samples(
    samples: &Samples,
    order: &[u32],
    palette: &Palette,
    grown: &Grown,
) -> Vec<Counts> {
    let mut room = vec![0u64; palette.cells.len()];
    let mut all = Vec::new();
    grown.each_leaf(&mut |range| {
        let mut present = Vec::new();
        for &sample in &order[range] {
            let place = samples.cells[sample as usize];
            if room[usize::from(place)] == 0 {
                present.push(place);
            }
            room[usize::from(place)] += 1;
        }
        present.sort_unstable();
        let count = |place: u16| (place, std::mem::take(&mut room[usize::from(place)]));
        all.push(present.into_iter().map(count).collect());
    });
    all
}

/// The cells in each leaf, from left to right, if there are more positions than
/// samples: all positions go down the tree, since a code needs every symbol that a
/// leaf has.
fn count_all(
    source: &impl Source,
    palette: &Palette,
    grown: &Grown,
) -> Result<Vec<Counts>, LearnedError> {
    let mut tree = Tree::new(source.features());
    let mut leaves = 0;
    hang(grown, None, &mut tree, &mut leaves)?;
    let sums = batches(source)
        .map_init(
            || (Batch::default(), Columns::new(), vec![0; Batch::MOST]),
            |(batch, columns, found), first| {
                read_some(source, first, batch, |_| true);
                columns.fill(
                    source.features(),
                    batch.len,
                    &batch.squares,
                    &batch.contexts,
                );
                tree.walk_all(columns, found);
                let mut sums = HashMap::<(u32, u16), u64>::new();
                for (&cell, &leaf) in batch.cells.iter().zip(found.iter()) {
                    let place = palette.place(cell).unwrap_or(0);
                    *sums.entry((leaf, place)).or_default() += 1;
                }
                sums
            },
        )
        .reduce(HashMap::new, |mut all, more| {
            for (key, count) in more {
                *all.entry(key).or_default() += count;
            }
            all
        });
    let mut sums: Vec<((u32, u16), u64)> = sums.into_iter().collect();
    sums.sort_unstable();
    let mut all = vec![Counts::new(); leaves as usize];
    for ((leaf, place), count) in sums {
        all[leaf as usize].push((place, count));
    }
    Ok(all)
}

/// Builds a tree whose leaves are numbered from left to right.
fn hang(
    grown: &Grown,
    parent: Option<(u32, bool)>,
    tree: &mut Tree,
    leaves: &mut u32,
) -> Result<(), LearnedError> {
    match grown {
        Grown::Leaf(_) => {
            tree.hang_leaf(parent, *leaves);
            *leaves += 1;
            Ok(())
        }
        Grown::Node(node) => {
            let (split, left, right) = &**node;
            let number = tree.add(*split)?;
            tree.hang(parent, number);
            hang(left, Some((number, true)), tree, leaves)?;
            hang(right, Some((number, false)), tree, leaves)
        }
    }
}

/// The cells of a source, which the packer numbers with 16 bits.
fn palette(source: &impl Source) -> Result<Palette, PackError> {
    if source.indices() == 0 {
        return Err(PackError::Size(0));
    }
    let palette = Palette::of(source);
    match palette.cells.len() {
        0..=0x1_0000 => Ok(palette),
        many => Err(PackError::Cells(many)),
    }
}

/// The indices whose lines are filled together.
const CHUNK: u64 = 1 << 22;

fn lines(source: &impl Source, model: &Model) -> Result<Lines, PackError> {
    let chunks = source.indices().div_ceil(CHUNK);
    let parts: Vec<Lines> = (0..chunks)
        .into_par_iter()
        .map(|chunk| {
            let first = chunk * CHUNK;
            let last = source.indices().min(first + CHUNK);
            chunk_lines(source, model, first, last)
        })
        .collect::<Result<_, _>>()?;
    let mut all = Lines::default();
    for part in parts {
        all.bytes.extend(part.bytes);
        all.firsts.extend(part.firsts);
        all.tries += part.tries;
        all.bits += part.bits;
    }
    if let Some(first) = all.firsts.first_mut() {
        *first = 0;
    }
    Ok(all)
}

fn chunk_lines(
    source: &impl Source,
    model: &Model,
    first: u64,
    last: u64,
) -> Result<Lines, PackError> {
    let mut plans: Vec<LinePlan> = Vec::new();
    let mut known = HashMap::new();
    let mut stored = Vec::new();
    let (mut batch, mut columns) = (Batch::default(), Columns::new());
    let mut leaves = vec![0; Batch::MOST];
    for first in (first..last).step_by(Batch::MOST) {
        let indices = read_some(source, first, &mut batch, |_| true);
        columns.fill(
            source.features(),
            batch.len,
            &batch.squares,
            &batch.contexts,
        );
        model.tree().walk_all(&columns, &mut leaves);
        for ((&index, &cell), &leaf) in indices.iter().zip(&batch.cells).zip(&leaves) {
            let plan = match known.get(&leaf) {
                Some(&plan) => plan,
                None => {
                    plans.push(LinePlan::new(&model.code(leaf)?));
                    known.insert(leaf, plans.len() as u32 - 1);
                    plans.len() as u32 - 1
                }
            };
            if plans[plan as usize].is_trivial() {
                continue;
            }
            let position = StoredPosition::new(index, plan, &plans, cell);
            stored.push(position.ok_or(PackError::ReadBack(index))?);
        }
    }
    fill(&stored, &plans).ok_or(PackError::TooLong)
}

/// The bits of the length of a stretch: a stretch should have a few dozen lines, so
/// that one is found in few steps.
fn stretch(indices: u64, lines: u32) -> u32 {
    (8..16)
        .rev()
        .find(|&bits| u64::from(lines) <= 48 * (indices.div_ceil(1 << bits)))
        .map_or(8, |bits| (bits + 1).min(16))
}

fn read_back(
    source: &impl Source,
    section: &Section<&Vec<u8>>,
    lines: &[[u8; LINE]],
) -> Result<(), PackError> {
    let line = |number: u32| -> Result<[u8; LINE], LearnedError> {
        let line = lines.get(number as usize).copied();
        line.ok_or(LearnedError::Line("it does not exist"))
    };
    batches(source).try_for_each_init(
        || (Batch::default(), Columns::new(), vec![0; Batch::MOST]),
        |(batch, columns, symbols), first| {
            let indices = read_some(source, first, batch, |_| true);
            columns.fill(
                source.features(),
                batch.len,
                &batch.squares,
                &batch.contexts,
            );
            section.symbols(&indices, columns, symbols, line)?;
            let wrong = batch
                .cells
                .iter()
                .zip(symbols.iter())
                .position(|(cell, &symbol)| !cell.allows(symbol));
            match wrong {
                Some(place) => Err(PackError::ReadBack(indices[place])),
                None => Ok(()),
            }
        },
    )
}

/// The approximate size of a section in bytes, from a tree grown on a few positions.
/// Good enough to compare sides.
///
/// # Errors
/// As [`pack`].
pub fn estimate(source: &impl Source) -> Result<u64, PackError> {
    let palette = palette(source)?;
    let prices = LearnOptions::default().prices();
    let samples = Samples::take(source, &palette, 60_000);
    let mut order = samples.shuffled();
    let scale = (palette.total() << 8) / (order.len() as u64).max(1);
    let features = source.features();
    let mut finder = Finder::new(features, &samples, &palette, prices);
    // Each position counts once: a deeper tree would only learn the sample.
    let grown = grow(&mut finder, &mut order, 1 << 8);
    let counts = |leaf: &Grown| -> Counts {
        let Grown::Leaf(range) = leaf else {
            return vec![];
        };
        let mut sums = std::collections::BTreeMap::new();
        for &sample in &order[range.clone()] {
            *sums.entry(samples.cells[sample as usize]).or_default() += 1;
        }
        sums.into_iter().collect()
    };
    let mut pruner = Pruner {
        features,
        palette: &palette,
        prices,
        counts,
    };
    let (_, cost) = pruner.prune(&grown);
    Ok(((u128::from(cost) * u128::from(scale)) >> (8 + POINT + 3)) as u64)
}
