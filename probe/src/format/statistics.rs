//! What a table keeps of the statistics of its values: how many positions have each.
//!
//! The last block of the file holds them; `docs/FORMAT.md` draws it.

use retrograde_index::Wdl;

use super::header::rank;
use super::header::reader::HeaderReader;
use super::table::Table;
use super::{MOST_BLOCK_BYTES, checksum};
use crate::error::{TableError, TableFault};

/// The most positions that a list has.
pub const MOST_LISTED: usize = 10;

/// How many positions of a material have each value of one metric. All legal positions on
/// the whole board are counted, mirror images and finished positions included, those with
/// an e.p. right excluded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// By side to move, White first.
    pub sides: [SideStatistics; 2],
    /// The mutual zugzwangs, without regard to the fifty-move rule; none if the metric does
    /// not say who wins. Of High Chess both sides have full counters.
    pub zugzwangs: ZugzwangStatistics,
}

/// The statistics of the positions with one side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideStatistics {
    /// The values that occur, in ascending order of [`Count::result`] from a win to a loss,
    /// then of plies.
    pub counts: Vec<Count>,
    /// The positions that take the most plies, won or lost: the lowest indices of the
    /// material, with its groups in their plain order, at most [`MOST_LISTED`]. Only DTM
    /// has them.
    pub longest: Vec<u64>,
    /// How many of the draws are positions without any pseudo-legal move (C4, E6); 0 in
    /// games where check forbids moves, and if the metric does not say who wins.
    pub blocked: u64,
}

/// How many positions have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// Who wins, for the side to move. DTM does not tell cursed wins from others; of High
    /// Chess both sides have full counters.
    pub result: Wdl,
    /// DTM and DTZ: the plies. Mates: 1 if the winner, whichever side that is, can force
    /// mate though the other side's vitality is never lowered. Otherwise 0.
    pub plies: u16,
    /// How many positions there are, at least 1.
    pub positions: u64,
}

/// The mutual zugzwangs: placements in which either side would do better if it were the
/// other's turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZugzwangStatistics {
    /// How many there are on the whole board.
    pub positions: u64,
    /// How many there are if mirror images count once.
    pub up_to_symmetry: u64,
    /// In how many, on the whole board, whoever is to move loses.
    pub full_point: u64,
    /// The lowest indices of the material, as [`SideStatistics::longest`].
    pub lowest: Vec<u64>,
}

/// The place of a result in the order of the counts.
fn place(result: Wdl) -> u8 {
    4 - rank(result)
}

impl Statistics {
    /// The bytes of the block.
    #[cfg(feature = "write")]
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let list = |indices: &[u64], out: &mut Vec<u8>| {
            out.extend((indices.len() as u32).to_le_bytes());
            indices
                .iter()
                .for_each(|index| out.extend(index.to_le_bytes()));
        };
        for side in &self.sides {
            out.extend((side.counts.len() as u32).to_le_bytes());
            for count in &side.counts {
                out.extend(count.result.to_value().to_le_bytes());
                out.extend(count.plies.to_le_bytes());
                out.extend(count.positions.to_le_bytes());
            }
            list(&side.longest, &mut out);
            out.extend(side.blocked.to_le_bytes());
        }
        let found = &self.zugzwangs;
        for number in [found.positions, found.up_to_symmetry, found.full_point] {
            out.extend(number.to_le_bytes());
        }
        list(&found.lowest, &mut out);
        out
    }

    /// Reads the block of a table with so many indices; `None` if it is damaged.
    fn parse(bytes: &[u8], indices: u64) -> Option<Statistics> {
        let mut reader = HeaderReader::new(bytes);
        let mut statistics = Statistics::default();
        for side in &mut statistics.sides {
            for _ in 0..reader.u32()? {
                let value = reader.u16()? as i16;
                let result = Wdl::ALL.into_iter().find(|wdl| wdl.to_value() == value)?;
                side.counts.push(Count {
                    result,
                    plies: reader.u16()?,
                    positions: reader.u64().filter(|&positions| positions > 0)?,
                });
            }
            let key = |count: &Count| (place(count.result), count.plies);
            if !side.counts.is_sorted_by(|a, b| key(a) < key(b)) {
                return None;
            }
            side.longest = list(&mut reader, indices)?;
            side.blocked = reader.u64()?;
        }
        statistics.zugzwangs = ZugzwangStatistics {
            positions: reader.u64()?,
            up_to_symmetry: reader.u64()?,
            full_point: reader.u64()?,
            lowest: list(&mut reader, indices)?,
        };
        reader.is_done().then_some(statistics)
    }
}

/// Reads a list of indices, which ascend.
fn list(reader: &mut HeaderReader, indices: u64) -> Option<Vec<u64>> {
    let count = reader.u32().filter(|&n| n as usize <= MOST_LISTED)?;
    let list: Vec<u64> = (0..count).map(|_| reader.u64()).collect::<Option<_>>()?;
    let is_sound = list.is_sorted_by(|a, b| a < b) && list.last().is_none_or(|&i| i < indices);
    is_sound.then_some(list)
}

impl Table {
    /// The statistics that the file keeps; `None` if it keeps none.
    ///
    /// # Errors
    /// The file cannot be read, or they are damaged.
    pub fn statistics(&self) -> Result<Option<Statistics>, TableError> {
        self.read_statistics().map_err(|fault| self.error(fault))
    }

    pub(super) fn read_statistics(&self) -> Result<Option<Statistics>, TableFault> {
        if !self.header.has_statistics {
            return Ok(None);
        }
        let (from, to, sum) = self.entry_at(self.header.blocks());
        if to.saturating_sub(from) > MOST_BLOCK_BYTES as u64 {
            return Err(TableFault::Statistics("they are too long"));
        }
        self.source.with(from..to, |bytes| {
            if checksum(bytes) != sum {
                return Err(TableFault::Statistics("their checksum does not fit"));
            }
            match Statistics::parse(bytes, self.header.positions) {
                Some(statistics) => Ok(Some(statistics)),
                None => Err(TableFault::Statistics("they cannot be what they say")),
            }
        })?
    }
}
