//! Reads and writes the statistics in a table: how many positions have each value.
//!
//! The last block of the file holds them; `docs/FORMAT.md` draws it.

use retrograde_index::{Metric, Wdl};

use super::header::rank;
use super::header::reader::HeaderReader;
use super::table::Table;
use super::{MOST_BLOCK_BYTES, checksum};
use crate::error::{TableError, TableFault};

/// The most positions that a list has.
pub const MOST_LISTED: usize = 10;

/// The number of positions of a material that have each value of one metric. All legal positions on
/// the whole board are counted, mirror images and finished positions included, those with an e.p.
/// right excluded.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// The counts by side to move, White first.
    pub sides: [SideStatistics; 2],
    /// The mutual zugzwangs, without regard to the fifty-move rule; none if the metric does
    /// not say who wins. With vitality, both sides have full counters.
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
    /// The number of draws that are positions without any pseudo-legal move (C4, E6); 0 in games
    /// where check forbids moves, and if the metric does not say who wins.
    pub blocked: u64,
}

/// The number of positions that have a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    /// The result for the side to move. DTM does not tell cursed wins from others; of High Chess
    /// both sides have full counters.
    pub result: Wdl,
    /// DTM and DTZ: the plies. Mates: 1 if the winner, whichever side that is, can force
    /// mate though the other side's vitality is never lowered. Otherwise 0.
    pub plies: u16,
    /// The number of positions, at least 1.
    pub positions: u64,
}

impl SideStatistics {
    /// The number of positions; `None` if it takes more than 64 bits.
    pub fn positions(&self) -> Option<u64> {
        let mut counts = self.counts.iter();
        counts.try_fold(0_u64, |sum, count| sum.checked_add(count.positions))
    }
}

impl Count {
    /// Whether a metric has such a value.
    fn may_be(&self, metric: Metric) -> bool {
        let is_draw = self.result == Wdl::Draw;
        let is_cursed = self.result.is_cursed();
        let plies = self.plies;
        match metric {
            Metric::Wdl => plies == 0,
            Metric::Dtm => !is_cursed && i16::try_from(plies).is_ok() && (!is_draw || plies == 0),
            Metric::Dtz => i16::try_from(plies).is_ok() && (!is_draw || plies == 0),
            Metric::Thresholds => !is_cursed && !is_draw && plies == 0,
            Metric::Mates => !is_cursed && !is_draw && plies <= 1,
            _ => false,
        }
    }
}

/// The mutual zugzwangs: placements in which either side would do better if it were the
/// other's turn.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ZugzwangStatistics {
    /// The number of them on the whole board.
    pub positions: u64,
    /// The number of them if mirror images count once.
    pub up_to_symmetry: u64,
    /// The number of them, on the whole board, in which whoever is to move loses.
    pub full_point: u64,
    /// The lowest indices of the material, as [`SideStatistics::longest`].
    pub lowest: Vec<u64>,
}

/// The place of a result in the order of the counts, the best first: that in [`Wdl::ALL`].
pub(crate) fn place(result: Wdl) -> u8 {
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

    /// Reads the block of a table with so many indices; `None` if it cannot be that.
    fn parse(bytes: &[u8], metric: Metric, indices: u64) -> Option<Statistics> {
        let mut reader = HeaderReader::new(bytes);
        let mut statistics = Statistics::default();
        for side in &mut statistics.sides {
            for _ in 0..reader.u32().ok()? {
                let value = reader.u16().ok()? as i16;
                let result = Wdl::ALL.into_iter().find(|wdl| wdl.to_value() == value)?;
                side.counts.push(Count {
                    result,
                    plies: reader.u16().ok()?,
                    positions: reader.u64().ok().filter(|&positions| positions > 0)?,
                });
            }
            let key = |count: &Count| (place(count.result), count.plies);
            let is_sorted = side.counts.is_sorted_by(|a, b| key(a) < key(b));
            let is_known = side.counts.iter().all(|count| count.may_be(metric));
            side.longest = list(&mut reader, indices)?;
            side.blocked = reader.u64().ok()?;
            // An index stands for at most eight placements.
            let most = indices.checked_mul(8)?;
            let fits = side
                .positions()
                .is_some_and(|n| n <= most && side.blocked <= n);
            let has_longest = metric == Metric::Dtm || side.longest.is_empty();
            if !(is_sorted && is_known && fits && has_longest) {
                return None;
            }
        }
        let found = ZugzwangStatistics {
            positions: reader.u64().ok()?,
            up_to_symmetry: reader.u64().ok()?,
            full_point: reader.u64().ok()?,
            lowest: list(&mut reader, indices)?,
        };
        // Each is a position whoever is to move.
        let most = statistics
            .sides
            .iter()
            .filter_map(SideStatistics::positions);
        let fits = most.min().is_some_and(|most| found.positions <= most)
            && found.up_to_symmetry <= found.positions
            && found.full_point <= found.positions
            && (found.lowest.is_empty() || found.positions > 0);
        statistics.zugzwangs = found;
        (reader.is_done() && fits).then_some(statistics)
    }
}

/// Reads a list of indices, which ascend.
fn list(reader: &mut HeaderReader, indices: u64) -> Option<Vec<u64>> {
    let count = reader.u32().ok().filter(|&n| n as usize <= MOST_LISTED)?;
    let list: Vec<u64> = (0..count)
        .map(|_| reader.u64().ok())
        .collect::<Option<_>>()?;
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
        let place = self.place_of(self.header.blocks())?;
        if place.to.saturating_sub(place.from) > MOST_BLOCK_BYTES as u64 {
            return Err(TableFault::Statistics("they are too long"));
        }
        self.source.with(place.from..place.to, |bytes| {
            if checksum(bytes) != place.checksum {
                return Err(TableFault::Statistics("their checksum does not fit"));
            }
            match Statistics::parse(bytes, self.header.metric, self.header.positions) {
                Some(statistics) => Ok(Some(statistics)),
                None => Err(TableFault::Statistics("they contradict themselves")),
            }
        })?
    }
}

#[cfg(all(test, feature = "write"))]
mod tests {
    use super::*;

    fn count(result: Wdl, plies: u16, positions: u64) -> Count {
        Count {
            result,
            plies,
            positions,
        }
    }

    fn sound() -> Statistics {
        let mut statistics = Statistics::default();
        let side = &mut statistics.sides[0];
        side.counts = vec![
            count(Wdl::Win, 1, 7),
            count(Wdl::Win, 3, 1),
            count(Wdl::Draw, 0, 2),
            count(Wdl::Loss, 0, 4),
        ];
        side.longest = vec![3, 9];
        side.blocked = 2;
        statistics.sides[1].counts = statistics.sides[0].counts.clone();
        statistics.zugzwangs = ZugzwangStatistics {
            positions: 7,
            up_to_symmetry: 4,
            full_point: 1,
            lowest: vec![1],
        };
        statistics
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = sound().to_bytes();
        assert_eq!(Statistics::parse(&bytes, Metric::Dtm, 10), Some(sound()));
        for length in 0..bytes.len() {
            assert_eq!(Statistics::parse(&bytes[..length], Metric::Dtm, 10), None);
        }
        assert_eq!(
            Statistics::parse(&[&bytes[..], &[0]].concat(), Metric::Dtm, 10),
            None
        );
    }

    #[test]
    fn contradictions_are_refused() {
        let refused = |metric, indices, change: &dyn Fn(&mut Statistics)| {
            let mut changed = sound();
            change(&mut changed);
            assert_eq!(
                Statistics::parse(&changed.to_bytes(), metric, indices),
                None
            );
        };
        // More positions than there is room for, or than can be counted.
        refused(Metric::Dtm, 1, &|_| ());
        refused(Metric::Dtm, 10, &|s| {
            s.sides[0].counts[0].positions = u64::MAX
        });
        refused(Metric::Dtm, 10, &|s| s.sides[0].counts[0].positions = 0);
        refused(Metric::Dtm, 10, &|s| s.sides[0].blocked = 99);
        refused(Metric::Dtm, 10, &|s| s.zugzwangs.positions = 15);
        refused(Metric::Dtm, 10, &|s| s.zugzwangs.up_to_symmetry = 8);
        refused(Metric::Dtm, 10, &|s| s.zugzwangs.full_point = 8);
        refused(Metric::Dtm, 10, &|s| s.sides[1].counts.clear());
        // Values out of order, or of another metric.
        refused(Metric::Dtm, 10, &|s| s.sides[0].counts.swap(0, 1));
        refused(Metric::Dtm, 10, &|s| {
            s.sides[0].counts[0].result = Wdl::CursedWin
        });
        refused(Metric::Dtm, 10, &|s| s.sides[0].counts[2].plies = 1);
        refused(Metric::Dtz, 10, &|_| ());
        for metric in [
            Metric::Wdl,
            Metric::Thresholds,
            Metric::Mates,
            Metric::Helpmate,
        ] {
            refused(metric, 10, &|_| ());
        }
        // Indices that do not exist, are not in order or too many.
        refused(Metric::Dtm, 10, &|s| s.sides[0].longest = vec![3, 10]);
        refused(Metric::Dtm, 10, &|s| s.sides[0].longest = vec![3, 3]);
        refused(Metric::Dtm, 20, &|s| s.zugzwangs.lowest = (0..11).collect());
    }
}
