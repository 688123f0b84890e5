//! Packs the values of a side to move into the bytes of a section, and reads them back to check.

use std::ops::Range;

use rayon::prelude::*;
use retrograde_learned::{
    CodesBuilder, Directory, Features, LINE, LearnedError, Model, Section, Store, write_directory,
};

use crate::PackError;
use crate::entropy::{POINT, Prices, bits};
use crate::grow::{Extent, Grown, grow};
use crate::lines::{LinePlan, Lines, StoredPosition, fill};
use crate::positions::{Positions, RUN, RunRows, Source};
use crate::prune::{Counts, Pruned, Pruner};
use crate::refine::{Leaves, joined, refine};
use crate::samples::{Picks, Rates, Samples};
use crate::split::Finder;
use crate::write;

/// The options with which a section is packed.
#[derive(Clone, Copy, Debug)]
pub struct LearnOptions {
    /// About how many positions the top of the tree is grown on, if there are more.
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
            samples: 1 << 20,
            node: 7,
            leaf: 3,
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

/// A section as it is stored.
#[derive(Clone, Debug)]
pub struct Packed {
    /// The number of symbols.
    pub symbols: u32,
    /// The trunk of the model.
    pub model: Vec<u8>,
    /// The branches of the model.
    pub branches: Vec<Vec<u8>>,
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
        let branches: usize = self.branches.iter().map(Vec::len).sum();
        self.model.len() + branches + self.directory.len() + self.lines.len() * LINE
    }

    /// The section to read, given the features and how many indices there are.
    ///
    /// # Errors
    /// It has been changed so that it is none.
    pub fn section(
        &self,
        features: &Features,
        indices: u64,
    ) -> Result<Section<&[u8]>, LearnedError> {
        let branches = self.branches.len() as u32;
        let model = Model::read(&self.model, features, self.symbols, branches)?;
        let lines = self.lines.len() as u32;
        let directory = Directory::new(&self.directory[..], indices, self.bits, lines)?;
        Ok(Section::new(features.clone(), model, directory))
    }
}

impl Store for Packed {
    type Error = LearnedError;

    fn line(&self, number: u32) -> Result<[u8; LINE], LearnedError> {
        let line = self.lines.get(number as usize).copied();
        line.ok_or(LearnedError::Line("it does not exist"))
    }

    fn branch(&self, number: u32) -> Result<Vec<u8>, LearnedError> {
        let branch = self.branches.get(number as usize).cloned();
        branch.ok_or(LearnedError::Model("it has no such branch"))
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
    /// The size of the model in memory in bytes, if the section was read back.
    pub memory: usize,
}

/// Packs a section, given its positions, and, if asked, reads it back.
///
/// # Errors
/// See [`PackError`]; none depends on the values as such.
pub fn pack(
    source: &impl Source,
    positions: &Positions,
    options: &LearnOptions,
) -> Result<(Packed, PackReport), PackError> {
    let features = source.features();
    let mut report = PackReport {
        cared: positions.total(),
        ..PackReport::default()
    };
    let prices = options.prices();
    let samples = Samples::take(source, positions, &Picks::new(positions, options.samples))?;
    let is_sampled = (samples.len() as u64) < positions.total();
    let extent = match is_sampled {
        true => Extent::Top,
        false => Extent::Below(0),
    };
    let (grown, order) = {
        let mut finder = Finder::new(features, &samples, positions.counts().len(), prices);
        grow(&mut finder, *samples.rates(), extent)
    };
    let (grown, leaves) = if is_sampled {
        drop((samples, order));
        refine(source, positions, prices, grown)?
    } else {
        let leaves = Leaves::of_samples(&order, &grown);
        (grown, leaves)
    };
    let mut counts = leaves.counts(positions.symbols()).into_iter();
    let mut grown_leaves = 0;
    let mut pruner = Pruner {
        features,
        prices,
        counts: |_: &Grown| -> Counts {
            grown_leaves += 1;
            counts.next().unwrap_or_default()
        },
    };
    let (pruned, _) = pruner.prune(&grown);
    report.leaves = [grown_leaves, pruned.leaves()];

    let (trunk, branches) = write::model(&pruned, features, source.symbols())?;
    let lines = lines(
        positions,
        &leaves,
        &Plans::new(&grown, &pruned, source.symbols())?,
    )?;
    report.tries = lines.tries;
    report.code_bits = lines.bits;
    let count = u32::try_from(lines.bytes.len()).map_err(|_| PackError::Size(source.indices()))?;
    let bits = stretch(source.indices(), count);
    let directory = write_directory(&lines.firsts, source.indices(), bits);
    let packed = Packed {
        symbols: source.symbols(),
        model: trunk,
        branches,
        bits,
        directory,
        lines: lines.bytes,
    };
    if options.read_back {
        let section = packed.section(features, source.indices())?;
        read_back(source, positions, &section, &packed)?;
        report.memory = section.model().bytes();
    }
    Ok((packed, report))
}

/// The runs whose lines are filled together.
const CHUNK: u64 = 1 << 10;

/// The codes of the leaves of a grown tree.
struct Plans {
    all: Vec<LinePlan>,
    /// The number of the plan of each leaf; [`NOTHING`] where nothing is stored.
    of: Vec<u32>,
}

/// The number of any plan by which nothing is stored.
const NOTHING: u32 = u32::MAX;

impl Plans {
    fn new(grown: &Grown, pruned: &Pruned, symbols: u32) -> Result<Plans, LearnedError> {
        let mut counts = Vec::new();
        joined(grown, pruned, &mut counts);
        let (mut codes, mut numbers) = (CodesBuilder::new(symbols), Vec::new());
        let mut add = |shape| codes.add(shape).map(|number| numbers.push(number));
        let mut added = Ok(());
        pruned.each_leaf(&mut |shape| added = added.and_then(|()| add(shape)));
        added?;
        let all = (0..).map_while(|number| Some(LinePlan::new(&codes.get(number)?)));
        let all: Vec<LinePlan> = all.collect();
        let number = |number: u32| match all[number as usize].is_trivial() {
            true => NOTHING,
            false => number,
        };
        let both = numbers.into_iter().map(number).zip(counts);
        let of = both.flat_map(|(number, count)| std::iter::repeat_n(number, count));
        Ok(Plans {
            of: of.collect(),
            all,
        })
    }
}

fn lines(positions: &Positions, leaves: &Leaves, plans: &Plans) -> Result<Lines, PackError> {
    let chunks = positions.runs().div_ceil(CHUNK);
    let parts: Vec<Lines> = (0..chunks)
        .into_par_iter()
        .map(|chunk| {
            let first = chunk * CHUNK;
            let last = positions.runs().min(first + CHUNK);
            chunk_lines(positions, leaves, plans, first..last)
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
    positions: &Positions,
    leaves: &Leaves,
    plans: &Plans,
    runs: Range<u64>,
) -> Result<Lines, PackError> {
    let plan_of = |leaf: u32| plans.of[leaf as usize];
    let is_stored = |&leaf: &u32| plan_of(leaf) != NOTHING;
    let all = leaves.of[positions.range(runs.clone())].iter();
    let mut stored = Vec::with_capacity(all.filter(|leaf| is_stored(leaf)).count());
    for run in runs {
        let leaves = &leaves.of[positions.range(run..run + 1)];
        if !leaves.iter().any(is_stored) {
            continue;
        }
        for ((index, symbol), leaf) in positions.of_run(run).zip(leaves) {
            if is_stored(leaf) {
                let position = StoredPosition::new(index, plan_of(*leaf), &plans.all, symbol);
                stored.push(position.ok_or(PackError::ReadBack(index))?);
            }
        }
    }
    fill(&stored, &plans.all).ok_or(PackError::TooLong)
}

/// The bits of the length of a stretch: those with which the directory is smallest, if a
/// stretch has a few dozen lines then, so that one is found in few steps.
fn stretch(indices: u64, lines: u32) -> u32 {
    let size = |&bits: &u32| Directory::<&[u8]>::size(indices, bits, lines);
    let is_quick = |&bits: &u32| u64::from(lines) <= 96 * (((indices - 1) >> bits) + 1);
    let bits = (9..=32).filter(is_quick).min_by_key(size);
    bits.unwrap_or(9)
}

fn read_back(
    source: &impl Source,
    positions: &Positions,
    section: &Section<&[u8]>,
    packed: &Packed,
) -> Result<(), PackError> {
    (0..positions.runs()).into_par_iter().try_for_each_init(
        || (RunRows::new(source), Vec::new()),
        |(batch, symbols), run| {
            let batch = batch.as_mut().map_err(|&mut fault| fault)?;
            let rows = batch.look(source, positions, run);
            let first = run * RUN as u64;
            symbols.clear();
            symbols.resize(RUN, None);
            section.symbols_of_rows(first, rows, packed, |place, symbol| {
                symbols[place] = Some(symbol);
            })?;
            let mut all = positions.of_run(run);
            match all.find(|&(index, symbol)| symbols[(index - first) as usize] != Some(symbol)) {
                Some((index, _)) => Err(PackError::ReadBack(index)),
                None => Ok(()),
            }
        },
    )
}

/// The approximate size of a section in bytes, given its positions, from a tree grown on a few of
/// them. Good enough to compare sides.
///
/// # Errors
/// As [`pack`].
pub fn estimate(source: &impl Source, positions: &Positions) -> Result<u64, PackError> {
    let prices = LearnOptions::default().prices();
    let samples = Samples::take(source, positions, &Picks::even(positions, 20_000))?;
    let scale = (positions.total() << 8) / (samples.len() as u64).max(1);
    let features = source.features();
    let mut finder = Finder::new(features, &samples, positions.counts().len(), prices);
    // Each position counts once: a deeper tree would only learn the sample.
    let (grown, order) = grow(&mut finder, Rates::each_once(), Extent::Below(0));
    let counts = |leaf: &Grown| -> Counts {
        let Grown::Leaf(range) = leaf else {
            return vec![];
        };
        let mut sums = std::collections::BTreeMap::new();
        for &sample in &order[range.clone()] {
            *sums.entry(samples.symbols[sample as usize]).or_default() += 1;
        }
        sums.into_iter().collect()
    };
    let mut pruner = Pruner {
        features,
        prices,
        counts,
    };
    let (_, cost) = pruner.prune(&grown);
    Ok(((u128::from(cost) * u128::from(scale)) >> (8 + POINT + 3)) as u64)
}
