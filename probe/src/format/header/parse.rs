//! Parses the header and block table of a file, and checks everything before it is believed.

use std::borrow::Cow;

use retrograde_index::{Index, MOST_CURVES, Metric, Rises, ThresholdCurve, needs};
use retrograde_rules::{Colour, Game, Material, Piece, PieceType, VitalityRules};

use super::super::block_table::BlockTable;
use super::super::chapters;
use super::super::codec::Codec;
use super::super::source::Source;
use super::super::{
    BUILT_IN_VERSION, CHECKSUM, HAS_PAGES, HAS_STATISTICS, LINES, MAGIC, MOST_BLOCK_BYTES,
    MOST_LINES, PAGE, VERSION, checksum, symbols,
};
use super::reader::HeaderReader;
use super::{
    ENTRY, FIXED, HAS_CHAPTERS, Header, Need, Section, curve_bytes, parse_name, shape_bytes,
};
use crate::error::TableFault;

/// The parts before the blocks of a table.
pub(in crate::format) struct Front {
    /// The header.
    pub(in crate::format) header: Header,
    /// The index of its material.
    pub(in crate::format) index: Index,
    /// The places of the blocks.
    pub(in crate::format) blocks: BlockTable,
}

impl Front {
    /// Reads what a table begins with. The checksum is looked at before
    /// anything is believed but the magic, the version and the lengths.
    pub(in crate::format) fn read(source: &Source) -> Result<Front, TableFault> {
        let fixed = source.bytes(0..source.len().min(FIXED as u64))?;
        let known = fixed.len().min(MAGIC.len());
        if fixed[..known] != MAGIC[..known] {
            return Err(TableFault::NotATable);
        }
        let truncated = || TableFault::Truncated {
            expected: FIXED as u64,
            found: source.len(),
        };
        let mut reader = HeaderReader::new(&fixed);
        reader.skip(MAGIC.len());
        let version = reader.u16().map_err(|_| truncated())?;
        if !(1..=VERSION).contains(&version) {
            return Err(TableFault::Version {
                found: version,
                known: VERSION,
            });
        }
        if fixed.len() < FIXED {
            return Err(truncated());
        }
        Front::read_rest(version, &mut reader, source)
    }

    fn read_rest(
        version: u16,
        fixed: &mut HeaderReader,
        source: &Source,
    ) -> Result<Front, TableFault> {
        let flags = fixed.u16()?;
        let table_at = fixed.u32()? as usize;
        let file_len = fixed.u64()?;
        let positions = fixed.u64()?;
        let revision = fixed.u16()?;
        let [metric, unit, codec, sections, pieces] = fixed.bytes()?;
        let shape: [u8; 8] = fixed.bytes()?;
        let [zero] = fixed.bytes()?;
        let pairs = fixed.u32()?;
        let blocks = fixed.u32()?;
        let has_pages = version > 1 && flags & HAS_PAGES != 0;
        // From afar, of a block table with pages only those are read that are asked for.
        let by_pages = has_pages && source.is_remote();
        let blocks_end = match by_pages {
            true => table_at as u64,
            false => u64::from(blocks) * ENTRY as u64 + table_at as u64 + CHECKSUM as u64,
        };
        let bytes = checked(source, file_len, blocks_end)?;
        let body = bytes.get(..bytes.len() - CHECKSUM).filter(|_| !by_pages);
        let Some((front, table)) = body.unwrap_or(&bytes).split_at_checked(table_at) else {
            return fail("it is too short");
        };

        // What follows is as it was written. It may still have been written
        // by something else than this program, so nothing is taken for
        // granted.
        let known = match version {
            1 => 0,
            _ => HAS_STATISTICS | HAS_PAGES,
        };
        if flags & !known != 0 || zero != 0 {
            return Err(TableFault::Unknown("flags"));
        }
        let metric = Metric::from_id(metric).filter(|m| m.unit() == unit);
        let metric = metric.ok_or(TableFault::Unknown("metric"))?;
        let codec = Codec::from_id(codec).filter(|&codec| version > 1 || codec != Codec::Learned);
        let codec = codec.ok_or(TableFault::Unknown("codec"))?;
        let mut reader = HeaderReader::new(front);
        reader.skip(FIXED);
        let (game, order, index) = read_index(&mut reader, version, revision, pieces)?;
        if shape != shape_bytes(index.shape())
            || index.pairs().len() != pairs as usize
            || index.len() != positions
        {
            return fail("its index is not the one of the game");
        }
        reader.align()?;
        let mut header = Header {
            game,
            material: *index.material(),
            metric,
            order,
            positions,
            codec,
            sections: Vec::new(),
            curves: Vec::new(),
            chapters: None,
            digest: None,
            needs: Vec::new(),
            has_statistics: flags & HAS_STATISTICS != 0,
            file_len,
            table_at,
        };
        if version > 1 {
            header.parse_needs(&mut reader)?;
        }
        header.parse_sections(&mut reader, sections, &index)?;
        let mut sums = Vec::new();
        if has_pages {
            for _ in 0..blocks.div_ceil(PAGE) {
                sums.push(reader.u64()?);
            }
            let at = front.len().saturating_sub(CHECKSUM);
            if reader.u64()? != checksum(&front[..at]) {
                return fail("the checksum of its front does not fit");
            }
        }
        if !reader.is_done() || header.entries() != u64::from(blocks) {
            return fail("its parts do not add up to its length");
        }
        let end = file_len.saturating_sub(CHECKSUM as u64);
        let places = BlockTable::by_pages(table_at as u64, blocks, end, sums);
        Ok(Front {
            header,
            index,
            blocks: match by_pages {
                true => places,
                false => places.with_all(table)?,
            },
        })
    }
}

/// Reads the front of a table up to where a checksum of it ends, and checks that the file has the
/// length that it says and that the checksum fits.
fn checked(source: &Source, file_len: u64, end: u64) -> Result<Cow<'_, [u8]>, TableFault> {
    let found = source.len();
    if found < file_len {
        let expected = file_len;
        return Err(TableFault::Truncated { expected, found });
    }
    if found > file_len {
        return fail("the file is longer than it says");
    }
    if end > found || end < FIXED as u64 {
        return fail("it is too short");
    }
    let bytes = source.bytes(0..end)?;
    let (body, sum) = bytes.split_at(bytes.len() - CHECKSUM);
    if sum != checksum(body).to_le_bytes() {
        return fail("its checksum does not fit");
    }
    Ok(bytes)
}

/// Reads what the index is of: game, material and the order of the groups.
fn read_index(
    reader: &mut HeaderReader,
    version: u16,
    revision: u16,
    pieces: u8,
) -> Result<(Game, Vec<Piece>, Index), TableFault> {
    let [id, letters, name, order] = [(); 4].map(|()| reader.text());
    let (id, letters, name, order) = (id?, letters?, name?, order?);
    let unknown = || TableFault::Game {
        found: id.to_owned(),
        wanted: String::new(),
    };
    let game = match version <= BUILT_IN_VERSION {
        true => Game::parse(id).ok().filter(|game| game.is_built_in()),
        // The rules come with the table; the id is only their name.
        false => {
            let rules = reader.long_text()?;
            let name = id.split_once('@').map_or(id, |(name, _)| name);
            Game::of_normal(name, rules)
                .ok()
                .filter(|game| game.id() == id)
        }
    };
    let game = game.ok_or_else(unknown)?;
    if revision != game.revision() {
        return Err(TableFault::Revision {
            game: game.id(),
            found: revision,
            wanted: game.revision(),
        });
    }
    if letters != game.letters() {
        return Err(TableFault::Unknown("letters of the pieces"));
    }
    let Ok(material) = Material::parse(game, name) else {
        return fail("its material is none of the game");
    };
    if material.name(game) != name || material.len() != pieces as usize {
        return fail("its material is not as it should be written");
    }
    let order: Option<Vec<Piece>> = order
        .chars()
        .map(|letter| game.piece_of_letter(letter))
        .collect();
    let groups = order.and_then(|order| {
        let index = Index::with_order(game, &material, &order).ok()?;
        Some((game, order, index))
    });
    groups.ok_or(TableFault::Header(
        "its groups of pieces are not those of the material",
    ))
}

fn fail<T>(what: &'static str) -> Result<T, TableFault> {
    Err(TableFault::Header(what))
}

impl Header {
    /// Whether the values can depend on a table, so that none depends on itself: on
    /// that of fewer pieces, or of as many and fewer pawns, or on the results of
    /// the material.
    fn may_need(&self, material: &Material, metric: Metric) -> bool {
        let size = |material: &Material| {
            let pawns = Colour::BOTH.map(|c| material.count(Piece::new(c, PieceType::Pawn)));
            (material.len(), pawns[0] + pawns[1])
        };
        let own = *material == self.material && self.metric != Metric::Wdl;
        let smaller = size(material) < size(&self.material);
        match metric {
            Metric::Wdl => own || smaller,
            // For the side to move that is left out.
            Metric::Dtm => self.metric == Metric::Dtm && smaller,
            _ => false,
        }
    }

    /// Reads the digest of the values, and the tables that they depend on.
    fn parse_needs(&mut self, reader: &mut HeaderReader) -> Result<(), TableFault> {
        self.digest = Some(reader.u64()?);
        for _ in 0..reader.u16()? {
            let (name, digest) = (reader.text()?, reader.u64()?);
            let named = parse_name(self.game, name);
            let named = named.filter(|(material, metric)| self.may_need(material, *metric));
            let Some((material, metric)) = named else {
                return fail("it rests on a table that there cannot be");
            };
            self.needs.push(Need {
                material,
                metric,
                digest,
            });
        }
        reader.align()
    }

    /// The sides to move, and what their values stand for.
    fn parse_sections(
        &mut self,
        reader: &mut HeaderReader,
        sections: u8,
        index: &Index,
    ) -> Result<(), TableFault> {
        for _ in 0..sections {
            let section = self.parse_section(reader)?;
            self.sections.push(section);
        }
        let own = |need: &Need| need.material == self.material && need.metric == Metric::Wdl;
        let asks_result = self.sections.iter().any(|section| section.asks_result);
        if asks_result && !self.needs.iter().any(own) {
            return fail("it asks who wins, but names no table that tells");
        }
        if self.metric == Metric::Wdl && !self.needs.is_empty() {
            return fail("it rests on other tables, which its metric does not");
        }
        let turns: Vec<Colour> = self.sections.iter().map(|s| s.turn).collect();
        if turns.is_empty() || turns.windows(2).any(|w| w[0] >= w[1]) {
            return fail("its sides to move are not in order");
        }
        match self.metric {
            Metric::Thresholds => self.parse_curves(reader, index),
            _ => Ok(()),
        }
    }

    fn parse_section(&self, reader: &mut HeaderReader) -> Result<Section, TableFault> {
        let [turn, bits, contexts, has_branches] = reader.bytes()?;
        let block_len = reader.u32()?;
        let blocks = reader.u32()?;
        let entries = reader.u32()? as usize;
        let branches = match has_branches {
            0 => 0,
            _ => reader.u32()?,
        };
        if turn > 1 {
            return fail("its side to move is neither White nor Black");
        }
        let may_branch = self.codec == Codec::Learned && bits > 0;
        let is_said = has_branches == 1;
        if has_branches > 1 || is_said != (branches > 0) || (is_said && !may_branch) {
            return fail("its number of branches is impossible");
        }
        let fits = match self.codec {
            Codec::Raw | Codec::Zstd => symbols::WIDTHS.contains(&bits) && entries <= 1 << bits,
            Codec::Learned if bits == 0 => entries == 1,
            Codec::Learned => (4..=32).contains(&bits) && entries <= 1 << 16,
        };
        if !fits || entries == 0 {
            return fail("its values do not fit the width of symbols");
        }
        let mut palette = Vec::new();
        for _ in 0..entries {
            palette.push(reader.u16()? as i16);
        }
        let counters = (self.game.vitality()).map(VitalityRules::counters);
        let possible = |value| {
            let mut needs = Colour::BOTH.into_iter().zip(needs::split(value));
            counters.is_some_and(|counters| {
                needs.all(|(side, need)| (counters.least..=counters.never(side)).contains(&need))
            })
        };
        let allows =
            |value| self.metric.allows(value) && (self.metric != Metric::Mates || possible(value));
        if !palette.iter().all(|&value| allows(value)) {
            return fail("it has a value that its metric has not");
        }
        reader.align()?;
        let needed = if bits == 0 {
            0
        } else if self.codec == Codec::Learned {
            if !(1..=MOST_LINES).contains(&block_len) {
                return fail("its blocks have no possible length");
            }
            u64::from(blocks).max(u64::from(LINES) + u64::from(branches))
        } else if block_len == 0
            || (u64::from(block_len) * u64::from(bits)).div_ceil(8) > MOST_BLOCK_BYTES as u64
        {
            return fail("its blocks have no possible length");
        } else {
            self.positions.div_ceil(u64::from(block_len))
        };
        if u64::from(blocks) != needed {
            return fail("it has the wrong number of blocks");
        }
        let first_block = self.blocks();
        let asks_result = match (self.codec, self.metric, contexts) {
            (_, _, 0) => false,
            (Codec::Learned, Metric::Dtm | Metric::Dtz, 1) => true,
            (Codec::Learned, Metric::Wdl | Metric::Dtm | Metric::Dtz, 2..8) => {
                return Err(TableFault::Earlier);
            }
            _ => return fail("it leaves out what its metric does not"),
        };
        Ok(Section {
            turn: Colour::BOTH[turn as usize],
            bits,
            block_len,
            blocks,
            branches,
            first_block,
            asks_result,
            palette,
        })
    }

    /// The threshold curves, and how values name them.
    fn parse_curves(&mut self, reader: &mut HeaderReader, index: &Index) -> Result<(), TableFault> {
        let Some(counters) = self.game.vitality().map(VitalityRules::counters) else {
            return fail("its metric is none of the game");
        };
        let count = reader.u32()?;
        let has_chapters = count & HAS_CHAPTERS != 0;
        let count = (count & !HAS_CHAPTERS) as usize;
        if count > MOST_CURVES && !has_chapters {
            return fail("it has more threshold curves than values");
        }
        for _ in 0..count {
            let mut bytes = [0; 32];
            for byte in &mut bytes[..curve_bytes(counters)] {
                [*byte] = reader.bytes()?;
            }
            let (words, _) = bytes.as_chunks();
            let rises = Rises([0, 1].map(|word| u128::from_le_bytes(words[word])));
            self.curves
                .push(ThresholdCurve::from_rises(counters, rises));
        }
        let mut most = count;
        if has_chapters {
            let chapters = chapters::parse(reader, index, count)?;
            most = chapters.lists.iter().map(Vec::len).max().unwrap_or(0);
            self.chapters = Some(chapters);
        }
        let values = self.sections.iter().flat_map(|s| &s.palette);
        if values
            .into_iter()
            .any(|&value| usize::from(value as u16) >= most)
        {
            return fail("it has a value without a threshold curve");
        }
        reader.align()
    }
}
