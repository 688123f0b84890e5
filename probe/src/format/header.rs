//! Defines the header of a table file: which table it is, and where its blocks are.

pub(super) mod parse;
pub(super) mod reader;
#[cfg(any(feature = "write", test))]
mod write;

use retrograde_rules::{Colour, CounterRange, Game, Material, Piece, Symmetry};

use super::codec::Codec;
use super::{ENTRY, LINES};
use retrograde_index::{Chapters, Metric, Shape, ThresholdCurve, Wdl};

/// The size of the part of the header whose fields have fixed places.
const FIXED: usize = 56;

/// A flag in the number of curves: values name curves by chapters.
const HAS_CHAPTERS: u32 = 1 << 31;

/// The material and the metric of a file name, if it is that of a table.
pub(crate) fn parse_name(game: Game, name: &str) -> Option<(Material, Metric)> {
    let (stem, extension) = name.rsplit_once('.')?;
    let metric = Metric::parse(extension)?;
    let material = Material::parse(game, stem).ok()?;
    let written = material.is_normal(game) && material.name(game) == stem;
    written.then_some((material, metric))
}

/// The bytes of a threshold curve in a file: a bit for each step.
fn curve_bytes(counters: CounterRange) -> usize {
    ThresholdCurve::steps(counters).div_ceil(8)
}

/// The sides to move that a table has values for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sides {
    /// Both sides to move.
    #[default]
    Both,
    /// One side to move; the values of the other follow from them.
    Only(Colour),
}

impl Sides {
    /// The sides in the order of the file.
    pub fn turns(self) -> impl Iterator<Item = Colour> {
        Colour::BOTH.into_iter().filter(move |&turn| self.has(turn))
    }

    /// Whether a side to move has values.
    pub fn has(self, turn: Colour) -> bool {
        match self {
            Sides::Both => true,
            Sides::Only(side) => side == turn,
        }
    }
}

/// The number of results.
const RESULTS: u8 = 5;

/// The place of a result from the worst, 0, to the best, 4.
pub(crate) fn rank(category: Wdl) -> u8 {
    (category.number() + 2) as u8
}

/// A table that the values of another depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Need {
    /// The material of that table.
    pub material: Material,
    /// The metric of that table.
    pub metric: Metric,
    /// The [`Header::digest`] of that table.
    pub digest: u64,
}

impl Need {
    /// The name of its file: `KQvK.wdl`.
    pub(crate) fn file_name(&self, game: Game) -> String {
        format!("{}.{}", self.material.name(game), self.metric)
    }
}

/// The values of one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The side to move.
    pub turn: Colour,
    /// Bits a symbol: 0, 1, 2, 4, 8 or 16; with [`Codec::Learned`] those of a
    /// stretch of the directory. 0 if all values are the same, and then there
    /// are no blocks.
    pub bits: u8,
    /// The number of values of a block, or with [`Codec::Learned`] of lines; the last block may
    /// have fewer.
    pub block_len: u32,
    /// The number of blocks.
    pub blocks: u32,
    /// The number of blocks that are branches of the model of [`Codec::Learned`]; these come after
    /// the model and the directory, and before the lines.
    pub branches: u32,
    /// The number of the first block among all blocks of the file.
    pub first_block: u64,
    /// Whether the result is asked for first: then nothing is stored of draws, and the tree gets
    /// the result as a context. DTM and DTZ only.
    pub asks_result: bool,
    /// The value of every symbol: the most frequent first, with
    /// [`Codec::Learned`] the least.
    pub palette: Vec<i16>,
}

impl Section {
    /// The number of values of each context that the codec is given.
    pub(crate) fn contexts(&self) -> &'static [u8] {
        match self.asks_result {
            true => &[RESULTS],
            false => &[],
        }
    }

    /// The first block of lines with [`Codec::Learned`].
    pub(super) fn lines_at(&self) -> u32 {
        LINES.saturating_add(self.branches)
    }
}

/// The header of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game with its options.
    pub game: Game,
    /// The material.
    pub material: Material,
    /// The metric of the values.
    pub metric: Metric,
    /// The groups of the index, the most significant first.
    pub order: Vec<Piece>,
    /// The number of indices for each side to move.
    pub positions: u64,
    /// The codec of the blocks.
    pub codec: Codec,
    /// The sides to move, White first.
    pub sections: Vec<Section>,
    /// The curves that the values of [`Metric::Thresholds`] stand for; empty for other metrics.
    pub curves: Vec<ThresholdCurve>,
    /// The chapters by which values name curves, if these are more than values. Otherwise, a value
    /// is a place in the list.
    pub chapters: Option<Chapters>,
    /// A digest of the values, the same however they are packed; `None` in files
    /// of version 1. See `docs/FORMAT.md`.
    pub digest: Option<u64>,
    /// The tables that the values depend on, beside this one.
    pub needs: Vec<Need>,
    /// Whether the file keeps statistics: see
    /// [`Table::statistics`](super::Table::statistics).
    pub has_statistics: bool,
    /// The length of the whole file.
    pub file_len: u64,
    /// The offset of the block table.
    pub(crate) table_at: usize,
}

fn symmetry_id(symmetry: Symmetry) -> u8 {
    match symmetry {
        Symmetry::None => 0,
        Symmetry::Files => 1,
        Symmetry::Full => 2,
        Symmetry::Rectangle => 3,
    }
}

/// The bytes of the header that are the same for all tables of an index:
/// board, symmetry, whether leaders may touch, ranks of pawns.
fn shape_bytes(shape: &Shape) -> [u8; 8] {
    let [white, black] = shape.pawn_ranks;
    [
        shape.geometry.files,
        shape.geometry.ranks,
        symmetry_id(shape.symmetry),
        u8::from(shape.touching),
        white.0,
        white.1,
        black.0,
        black.1,
    ]
}

impl Header {
    /// The number of blocks of all sections.
    pub fn blocks(&self) -> u64 {
        self.sections.iter().map(|s| u64::from(s.blocks)).sum()
    }

    /// The number of entries of the block table.
    pub(crate) fn entries(&self) -> u64 {
        self.blocks() + u64::from(self.has_statistics)
    }

    /// The values of a side to move, if the table has them.
    pub fn section(&self, turn: Colour) -> Option<&Section> {
        self.sections.iter().find(|s| s.turn == turn)
    }

    /// The sides to move that the table has.
    pub fn sides(&self) -> Sides {
        match *self.sections.as_slice() {
            [ref one] => Sides::Only(one.turn),
            _ => Sides::Both,
        }
    }

    /// The offset of the first block: behind the block table and the checksum of all that is
    /// before.
    pub(crate) fn data_at(&self) -> u64 {
        (self.table_at as u64 + self.entries() * ENTRY as u64) + super::CHECKSUM as u64
    }
}
