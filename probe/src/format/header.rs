//! The header of a table file.

pub(super) mod reader;

use retrograde_rules::{Colour, Game, Kind, Man, Material, Symmetry};

use super::chapters::Chapters;
use super::codec::Codec;
use super::symbols;
use super::{ENTRY, MAGIC, MOST_BLOCK_BYTES, VERSION};
use crate::error::Fault;
use crate::index::{Index, Shape};
use crate::metric::{Metric, needs};
use crate::thresholds::Thresholds;
use reader::Reader;

/// The size of the part of the header whose fields have fixed places.
const FIXED: usize = 56;

/// How many thresholds a table can list: their numbers are values of 16 bits.
/// Nothing has the number of [`DONT_CARE`](crate::score::DONT_CARE); a list
/// that goes beyond it has anything in its place.
pub const MOST_THRESHOLDS: usize = 1 << 16;

/// Beside the number of thresholds: that values name them by chapters.
const HAS_CHAPTERS: u32 = 1 << 31;

/// The bytes of thresholds in a file: two bits a point.
fn walk_bytes(full: u8) -> usize {
    usize::from(full).div_ceil(4)
}

/// Which sides to move a table has values for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sides {
    /// Both.
    #[default]
    Both,
    /// One only; the values of the other follow from one ply of search.
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

/// The values of one side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The side to move.
    pub turn: Colour,
    /// Bits a symbol: 0, 1, 2, 4, 8 or 16; 0 if all values are the same, and
    /// then there are no blocks.
    pub bits: u8,
    /// How many values a block has; the last may have fewer.
    pub block_len: u32,
    /// How many blocks there are.
    pub blocks: u32,
    /// The number of the first block among all blocks of the file.
    pub first_block: u64,
    /// The value of every symbol, the most frequent first.
    pub palette: Vec<i16>,
}

/// What the header of a table says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The game with its options.
    pub game: Game,
    /// The class.
    pub material: Material,
    /// What the values are.
    pub metric: Metric,
    /// The groups of the index, the most significant first.
    pub order: Vec<Man>,
    /// How many numbers there are a side.
    pub positions: u64,
    /// How blocks are packed.
    pub codec: Codec,
    /// The sides to move, White first.
    pub sections: Vec<Section>,
    /// What the values of [`Metric::Thresholds`] stand for; empty for other
    /// metrics.
    pub thresholds: Vec<Thresholds>,
    /// How values name those, if they are more than values. Without, a value
    /// is a place in the list.
    pub chapters: Option<Chapters>,
    /// The length of the whole file.
    pub file_len: u64,
    /// Where the block table begins.
    pub(crate) table_at: usize,
}

/// Thresholds, and how values name them.
type Named = (Vec<Thresholds>, Option<Chapters>);

/// The letters of a game's men in the order of material names: `KQRBNP`.
fn letters(game: Game) -> String {
    game.kinds().iter().map(|k: &Kind| k.letter()).collect()
}

fn symmetry_id(symmetry: Symmetry) -> u8 {
    match symmetry {
        Symmetry::None => 0,
        Symmetry::Files => 1,
        Symmetry::Full => 2,
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
    /// How many blocks the file has.
    pub fn blocks(&self) -> u64 {
        self.sections.iter().map(|s| u64::from(s.blocks)).sum()
    }

    /// The values of a side to move, if the table has them.
    pub fn section(&self, turn: Colour) -> Option<&Section> {
        self.sections.iter().find(|s| s.turn == turn)
    }

    /// Which sides to move there are.
    pub fn sides(&self) -> Sides {
        match *self.sections.as_slice() {
            [ref one] => Sides::Only(one.turn),
            _ => Sides::Both,
        }
    }

    /// Where the first block begins: behind the block table and the checksum
    /// of all that is before.
    pub(crate) fn data_at(&self) -> u64 {
        (self.table_at as u64 + self.blocks() * ENTRY as u64) + super::CHECKSUM as u64
    }

    /// Reads the header of a file. The checksum is looked at before anything
    /// is believed but the magic, the version and the lengths.
    pub(crate) fn parse(bytes: &[u8]) -> Result<(Header, Index), Fault> {
        let known = bytes.len().min(MAGIC.len());
        if bytes[..known] != MAGIC[..known] {
            return Err(Fault::NotATable);
        }
        let found = bytes.len() as u64;
        let truncated = |expected: u64| Fault::Truncated { expected, found };
        let mut reader = Reader::new(bytes);
        reader.skip(MAGIC.len());
        let version = reader.u16().ok_or(truncated(FIXED as u64))?;
        if version != VERSION {
            let known = VERSION;
            return Err(Fault::Version {
                found: version,
                known,
            });
        }
        let mut reader = Reader::new(bytes.get(..FIXED).ok_or(truncated(FIXED as u64))?);
        reader.skip(10);
        Header::parse_fixed(&mut reader, bytes).unwrap_or(Err(Fault::Header("it is too short")))
    }

    /// `None` if the header ends too early.
    fn parse_fixed(fixed: &mut Reader, bytes: &[u8]) -> Option<Result<(Header, Index), Fault>> {
        let fail = |what| Some(Err(Fault::Header(what)));
        let flags = fixed.u16()?;
        let table_at = fixed.u32()? as usize;
        let file_len = fixed.u64()?;
        let positions = fixed.u64()?;
        let revision = fixed.u16()?;
        let [metric, unit, codec, sections, men] = fixed.bytes()?;
        let shape: [u8; 8] = fixed.bytes()?;
        let [zero] = fixed.bytes()?;
        let pairs = fixed.u32()?;
        let blocks = fixed.u32()?;

        let found = bytes.len() as u64;
        if found < file_len {
            let expected = file_len;
            return Some(Err(Fault::Truncated { expected, found }));
        }
        if found > file_len {
            return fail("the file is longer than it says");
        }
        let table_end = (blocks as usize)
            .checked_mul(ENTRY)?
            .checked_add(table_at)?;
        let body = bytes.get(..table_end)?;
        let mut sum = Reader::new(bytes.get(table_end..)?);
        if sum.u64()? != super::checksum(body) {
            return fail("its checksum does not fit");
        }

        // What follows is as it was written. It may still have been written
        // by something else than this program, so nothing is taken for
        // granted.
        if flags != 0 || zero != 0 {
            return Some(Err(Fault::Unknown("flags")));
        }
        let Some(metric) = Metric::from_id(metric).filter(|m| m.unit() == unit) else {
            return Some(Err(Fault::Unknown("metric")));
        };
        let Some(codec) = Codec::from_id(codec) else {
            return Some(Err(Fault::Unknown("codec")));
        };
        let mut reader = Reader::new(body.get(..table_at)?);
        reader.skip(FIXED);
        let id = reader.text()?;
        let Ok(game) = Game::parse(id) else {
            let (found, wanted) = (id.to_owned(), String::new());
            return Some(Err(Fault::Game { found, wanted }));
        };
        if revision != game.revision() {
            return Some(Err(Fault::Revision {
                game: game.id(),
                found: revision,
                wanted: game.revision(),
            }));
        }
        if reader.text()? != letters(game) {
            return Some(Err(Fault::Unknown("letters of the men")));
        }
        let name = reader.text()?;
        let Ok(material) = Material::parse(game, name) else {
            return fail("its material is none of the game");
        };
        if material.to_string() != name || material.len() != men as usize {
            return fail("its material is not as it should be written");
        }
        let order: Option<Vec<Man>> = reader.text()?.chars().map(Man::from_letter).collect();
        let order = order?;
        let Ok(index) = Index::with_order(game, &material, &order) else {
            return fail("its groups of men are not those of the material");
        };
        if shape != shape_bytes(index.shape())
            || index.pairs().len() != pairs as usize
            || index.len() != positions
        {
            return fail("its index is not the one of the game");
        }
        if !reader.align() {
            return fail("its padding is not zero");
        }
        let mut header = Header {
            game,
            material,
            metric,
            order,
            positions,
            codec,
            sections: Vec::new(),
            thresholds: Vec::new(),
            chapters: None,
            file_len,
            table_at,
        };
        for _ in 0..sections {
            match header.parse_section(&mut reader)? {
                Ok(section) => header.sections.push(section),
                Err(what) => return fail(what),
            }
        }
        let turns: Vec<Colour> = header.sections.iter().map(|s| s.turn).collect();
        if turns.is_empty() || turns.windows(2).any(|w| w[0] >= w[1]) {
            return fail("its sides to move are not in order");
        }
        if header.metric == Metric::Thresholds {
            match header.parse_thresholds(&mut reader, &index)? {
                Ok((thresholds, chapters)) => {
                    header.thresholds = thresholds;
                    header.chapters = chapters;
                }
                Err(what) => return fail(what),
            }
        }
        if !reader.is_done() || header.blocks() != u64::from(blocks) {
            return fail("its parts do not fill it");
        }
        Some(Ok((header, index)))
    }

    fn parse_section(&self, reader: &mut Reader) -> Option<Result<Section, &'static str>> {
        let [turn, bits] = reader.bytes()?;
        let zero = reader.u16()?;
        let block_len = reader.u32()?;
        let blocks = reader.u32()?;
        let entries = reader.u32()? as usize;
        if turn > 1 || zero != 0 {
            return Some(Err("its side to move is neither White nor Black"));
        }
        if !symbols::WIDTHS.contains(&bits) || entries == 0 || entries > 1 << bits {
            return Some(Err("its values do not fit the width of symbols"));
        }
        let mut palette = Vec::new();
        for _ in 0..entries {
            palette.push(reader.u16()? as i16);
        }
        let most = self.game.full_vitality().unwrap_or_default() + 1;
        let too_much = |value| needs::split(value).into_iter().any(|need| need > most);
        let allows =
            |value| self.metric.allows(value) && !(self.metric == Metric::Mates && too_much(value));
        if !palette.iter().all(|&value| allows(value)) {
            return Some(Err("it has a value that its metric has not"));
        }
        if !reader.align() {
            return Some(Err("its padding is not zero"));
        }
        let needed = if bits == 0 {
            0
        } else if block_len == 0 || symbols::packed_len(block_len as usize, bits) > MOST_BLOCK_BYTES
        {
            return Some(Err("its blocks have no possible length"));
        } else {
            self.positions.div_ceil(u64::from(block_len))
        };
        if u64::from(blocks) != needed {
            return Some(Err("it has not as many blocks as it needs"));
        }
        let first_block = self.blocks();
        Some(Ok(Section {
            turn: Colour::BOTH[turn as usize],
            bits,
            block_len,
            blocks,
            first_block,
            palette,
        }))
    }

    fn parse_thresholds(
        &self,
        reader: &mut Reader,
        index: &Index,
    ) -> Option<Result<Named, &'static str>> {
        let Some(full) = self.game.full_vitality() else {
            return Some(Err("its metric is none of the game"));
        };
        let count = reader.u32()?;
        let has_chapters = count & HAS_CHAPTERS != 0;
        let count = (count & !HAS_CHAPTERS) as usize;
        if count > MOST_THRESHOLDS && !has_chapters {
            return Some(Err("it has more thresholds than values"));
        }
        let mut list = Vec::new();
        for _ in 0..count {
            let mut bytes = [0; 16];
            for byte in &mut bytes[..walk_bytes(full)] {
                [*byte] = reader.bytes()?;
            }
            list.push(Thresholds::from_rises(full, u128::from_le_bytes(bytes)));
        }
        let mut most = count;
        let mut chapters = None;
        if has_chapters {
            match Chapters::parse(reader, index, count)? {
                Ok(parsed) => {
                    most = parsed.lists.iter().map(Vec::len).max().unwrap_or(0);
                    chapters = Some(parsed);
                }
                Err(what) => return Some(Err(what)),
            }
        }
        let values = self.sections.iter().flat_map(|s| &s.palette);
        if values
            .into_iter()
            .any(|&value| usize::from(value as u16) >= most)
        {
            return Some(Err("it has a value without thresholds"));
        }
        if !reader.align() {
            return Some(Err("its padding is not zero"));
        }
        Some(Ok((list, chapters)))
    }

    /// The bytes of the header, up to the block table, padded to a multiple
    /// of 8. `file_len` is written as it is; the rest of the lengths follow.
    #[cfg(any(feature = "write", test))]
    pub(crate) fn to_bytes(&self, index: &Index) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        out.extend(MAGIC);
        out.extend(VERSION.to_le_bytes());
        out.extend([0; 2]);
        out.extend([0; 4]); // the place of the block table, filled in below
        out.extend(self.file_len.to_le_bytes());
        out.extend(self.positions.to_le_bytes());
        out.extend(self.game.revision().to_le_bytes());
        out.extend([
            self.metric.id(),
            self.metric.unit(),
            self.codec.id(),
            self.sections.len() as u8,
            self.material.len() as u8,
        ]);
        out.extend(shape_bytes(index.shape()));
        out.push(0);
        out.extend((index.pairs().len() as u32).to_le_bytes());
        out.extend((self.blocks() as u32).to_le_bytes());
        debug_assert_eq!(out.len(), FIXED);
        let order: String = self.order.iter().map(|m| m.letter()).collect();
        for text in [
            self.game.id(),
            letters(self.game),
            self.material.to_string(),
            order,
        ] {
            debug_assert!(text.is_ascii() && text.len() < 256);
            out.push(text.len() as u8);
            out.extend(text.as_bytes());
        }
        out.resize(out.len().next_multiple_of(8), 0);
        for section in &self.sections {
            out.extend([section.turn.index() as u8, section.bits, 0, 0]);
            out.extend(section.block_len.to_le_bytes());
            out.extend(section.blocks.to_le_bytes());
            out.extend((section.palette.len() as u32).to_le_bytes());
            for value in &section.palette {
                out.extend(value.to_le_bytes());
            }
            out.resize(out.len().next_multiple_of(8), 0);
        }
        if let (Metric::Thresholds, Some(full)) = (self.metric, self.game.full_vitality()) {
            let flag = match self.chapters {
                Some(_) => HAS_CHAPTERS,
                None => 0,
            };
            out.extend((self.thresholds.len() as u32 | flag).to_le_bytes());
            for thresholds in &self.thresholds {
                out.extend(&thresholds.rises().to_le_bytes()[..walk_bytes(full)]);
            }
            if let Some(chapters) = &self.chapters {
                chapters.to_bytes(&mut out);
            }
            out.resize(out.len().next_multiple_of(8), 0);
        }
        let table_at = out.len() as u32;
        out[12..16].copy_from_slice(&table_at.to_le_bytes());
        out
    }
}
