//! Writes the header of a table file as bytes.

use super::super::chapters;
use super::super::{
    BUILT_IN_VERSION, CHECKSUM, HAS_PAGES, HAS_STATISTICS, MAGIC, VERSION, checksum,
};
use super::{FIXED, HAS_CHAPTERS, Header, curve_bytes, shape_bytes};
use retrograde_index::Index;
use retrograde_index::Metric;

impl Header {
    /// The bytes of the header, up to the block table, padded to a multiple of 8, given the
    /// checksums of the pages of the block table, if it has any. `file_len` is written as it is;
    /// the rest of the lengths follow.
    pub(crate) fn to_bytes(&self, index: &Index, page_sums: &[u64]) -> Vec<u8> {
        let mut out = Vec::with_capacity(256);
        out.extend(MAGIC);
        let carries_rules = !self.game.is_built_in();
        let version = if carries_rules {
            VERSION
        } else {
            BUILT_IN_VERSION
        };
        out.extend(version.to_le_bytes());
        let flag = |flag, is_set| if is_set { flag } else { 0 };
        let has_pages = !page_sums.is_empty();
        let flags = flag(HAS_STATISTICS, self.has_statistics) | flag(HAS_PAGES, has_pages);
        out.extend(flags.to_le_bytes());
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
        out.extend((self.entries() as u32).to_le_bytes());
        debug_assert_eq!(out.len(), FIXED);
        let order: String = {
            let letters = self.order.iter().map(|&m| self.game.piece_letter(m));
            letters.collect()
        };
        for text in [
            self.game.id(),
            self.game.letters(),
            self.material.name(self.game),
            order,
        ] {
            debug_assert!(text.is_ascii() && text.len() < 256);
            out.push(text.len() as u8);
            out.extend(text.as_bytes());
        }
        if carries_rules {
            let rules = self.game.normal();
            debug_assert!(rules.is_ascii() && rules.len() < 1 << 16);
            out.extend((rules.len() as u16).to_le_bytes());
            out.extend(rules.as_bytes());
        }
        out.resize(out.len().next_multiple_of(8), 0);
        out.extend(self.digest.unwrap_or_default().to_le_bytes());
        out.extend((self.needs.len() as u16).to_le_bytes());
        for need in &self.needs {
            let name = need.file_name(self.game);
            out.push(name.len() as u8);
            out.extend(name.as_bytes());
            out.extend(need.digest.to_le_bytes());
        }
        out.resize(out.len().next_multiple_of(8), 0);
        for section in &self.sections {
            let contexts = u8::from(section.asks_result);
            let has_branches = section.branches > 0;
            let turn = section.turn.index() as u8;
            out.extend([turn, section.bits, contexts, u8::from(has_branches)]);
            out.extend(section.block_len.to_le_bytes());
            out.extend(section.blocks.to_le_bytes());
            out.extend((section.palette.len() as u32).to_le_bytes());
            if has_branches {
                out.extend(section.branches.to_le_bytes());
            }
            for value in &section.palette {
                out.extend(value.to_le_bytes());
            }
            out.resize(out.len().next_multiple_of(8), 0);
        }
        if let (Metric::Thresholds, Some(rules)) = (self.metric, self.game.vitality()) {
            let flag = match self.chapters {
                Some(_) => HAS_CHAPTERS,
                None => 0,
            };
            out.extend((self.curves.len() as u32 | flag).to_le_bytes());
            for curve in &self.curves {
                let [low, high] = curve.rises().0.map(u128::to_le_bytes);
                let bytes = low.into_iter().chain(high);
                out.extend(bytes.take(curve_bytes(rules.counters())));
            }
            if let Some(chapters) = &self.chapters {
                chapters::to_bytes(chapters, &mut out);
            }
            out.resize(out.len().next_multiple_of(8), 0);
        }
        out.extend(page_sums.iter().flat_map(|sum| sum.to_le_bytes()));
        let table_at = out.len() + if has_pages { CHECKSUM } else { 0 };
        out[12..16].copy_from_slice(&(table_at as u32).to_le_bytes());
        if has_pages {
            out.extend(checksum(&out).to_le_bytes());
        }
        out
    }
}
