//! Statistics of a material: how many positions are won, drawn and lost, and in
//! how many plies.
//!
//! All legal positions on the whole board are counted, mirror images and finished
//! positions included, positions with an e.p. right excluded. Swapping identical
//! pieces does not make another position.

mod high_chess;
mod tally;
#[cfg(test)]
mod tests;
mod zugzwang;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use retrograde_probe::format::Contexts;
use retrograde_probe::index::{Index, IndexError};
use retrograde_probe::{
    Metric, ProbeError, Reindexing, Stored, Table, TableError, Tablebase, Value, Wdl,
};
use retrograde_rules::{Colour, End, Game, Goal, Material, Piece, Position, Square};
use thiserror::Error;

use tally::Tally;
pub use zugzwang::{ZUGZWANGS_LISTED, Zugzwangs};

/// The most positions of longest play that are listed for a side to move.
pub const LONGEST_LISTED: usize = 10;

/// How many indices a task counts, unless a block has more.
const CHUNK: u64 = 1 << 16;

/// Why there are no statistics.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum StatsError {
    /// The material has no table.
    #[error("the table {material} of {game} is missing")]
    Missing {
        /// The game with its options.
        game: String,
        /// The material in normal form.
        material: Material,
    },
    /// The material has no index, so it can have no table.
    #[error("there can be no table of {material}: {source}")]
    Index {
        /// The material.
        material: Material,
        /// Why it has none.
        source: IndexError,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// The statistics of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The game.
    pub game: Game,
    /// The material in normal form.
    pub material: Material,
    /// By side to move, White first: [`Colour::index`].
    pub sides: [SideStats; 2],
    /// The mutual zugzwangs. Of High Chess both sides have full counters.
    pub zugzwangs: Zugzwangs,
}

/// The statistics of the positions with one side to move. Values are for
/// that side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideStats {
    /// How many positions there are.
    pub positions: u64,
    /// How many of them are won.
    pub win: u64,
    /// How many are drawn, stalemates included.
    pub draw: u64,
    /// How many are lost, mates included.
    pub loss: u64,
    /// How many of the wins are cursed (O4); `None`
    /// in games without the fifty-move rule, and if no table tells.
    pub cursed_win: Option<u64>,
    /// How many of the losses are blessed, likewise.
    pub blessed_loss: Option<u64>,
    /// The wins by plies to the end; empty if there is no table of depths.
    pub win_plies: BTreeMap<u32, u64>,
    /// The losses by plies to the end, 0 being mate; empty if there is no table
    /// of depths.
    pub loss_plies: BTreeMap<u32, u64>,
    /// The positions by plies to the next zeroing move; empty if there is no table
    /// of DTZ.
    pub dtz: DtzPlies,
    /// How many of the draws are positions without any pseudo-legal move (C4);
    /// `None` in games where check forbids moves.
    pub blocked: Option<u64>,
    /// In High Chess, how the winner wins, whichever side that is. Both sides have
    /// full counters.
    pub win_by: Option<WinByCounts>,
    /// Positions that take the most plies, won or lost: those with the lowest
    /// indices in the table, at most [`LONGEST_LISTED`]. Positions that are
    /// symmetric to these are not listed.
    pub longest_fens: Vec<String>,
}

impl SideStats {
    /// The plies of the longest win; `None` if no win has a depth.
    pub fn longest_win(&self) -> Option<u32> {
        self.win_plies.keys().next_back().copied()
    }

    /// The plies of the longest loss; `None` if no loss has a depth.
    pub fn longest_loss(&self) -> Option<u32> {
        self.loss_plies.keys().next_back().copied()
    }

    /// The longest distance to a zeroing move; `None` if there is no table of
    /// it, or nothing but draws.
    pub fn longest_dtz(&self) -> Option<u32> {
        let all = self.dtz.all().into_iter();
        let longest = all.filter_map(|(_, plies)| plies.keys().next_back().copied());
        longest.max()
    }
}

/// How many positions are won in which way (High Chess).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WinByCounts {
    /// The winner could force mate even if the loser's vitality were never
    /// lowered.
    pub mate: u64,
    /// The winner needs the loser's counter to run out.
    pub exhaustion: u64,
}

/// The positions of each category by plies to the next capture, pawn move or mate
/// (O4).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DtzPlies {
    /// Wins.
    pub win: BTreeMap<u32, u64>,
    /// Cursed wins.
    pub cursed_win: BTreeMap<u32, u64>,
    /// Blessed losses.
    pub blessed_loss: BTreeMap<u32, u64>,
    /// Losses.
    pub loss: BTreeMap<u32, u64>,
}

impl DtzPlies {
    /// All of them, the best category first.
    pub fn all(&self) -> [(Wdl, &BTreeMap<u32, u64>); 4] {
        [
            (Wdl::Win, &self.win),
            (Wdl::CursedWin, &self.cursed_win),
            (Wdl::BlessedLoss, &self.blessed_loss),
            (Wdl::Loss, &self.loss),
        ]
    }
}

/// Where the values of one side to move come from.
enum ValueSource<'a> {
    /// The tables themselves, and how to find an index in each.
    Stored(Vec<(Metric, &'a Table, Reindexing)>),
    /// Some table has only the other side, or rests on others, or none is needed:
    /// probing tells.
    Probed,
}

/// Counts a material, which need not be in normal form. Runs in the current rayon
/// pool; the result does not depend on the number of threads.
///
/// # Errors
/// See [`StatsError`].
pub fn stats(tables: &Tablebase, material: &Material) -> Result<Stats, StatsError> {
    let game = tables.game();
    let (material, _) = material.normal(game);
    let mut stored = Vec::new();
    for metric in Metric::ALL {
        stored.extend(tables.table(&material, metric)?.map(|t| (metric, t)));
    }
    // Without WDL, a distance to zeroing does not tell who wins.
    if !stored.iter().any(|&(metric, _)| metric == Metric::Wdl) {
        stored.retain(|&(metric, _)| metric != Metric::Dtz);
    }
    let has = |metric| stored.iter().any(|&(m, _)| m == metric);
    let says_who_wins = match game.counters() {
        None => has(Metric::Wdl) || has(Metric::Dtm),
        Some(_) => has(Metric::Thresholds) && has(Metric::Mates),
    };
    if !says_who_wins && !game.needs_no_table(&material) {
        let game = game.id();
        return Err(StatsError::Missing { game, material });
    }
    let index =
        Index::new(game, &material).map_err(|source| StatsError::Index { material, source })?;
    let counters = Colour::BOTH.map(|turn| {
        let has_side = |(_, table): &(Metric, &Table)| {
            table.header().sides().has(turn) && table.contexts(turn) == Contexts::default()
        };
        let values = if stored.is_empty() || !stored.iter().all(has_side) {
            ValueSource::Probed
        } else {
            let numbered = stored.iter().filter_map(|&(metric, table)| {
                let reindexing = Reindexing::new(table.index(), &index)?;
                Some((metric, table, reindexing))
            });
            ValueSource::Stored(numbered.collect())
        };
        Counter {
            tables,
            index: &index,
            pieces: material.pieces().collect(),
            turn,
            values,
        }
    });
    let has_wdl = stored.is_empty() || has(Metric::Wdl);
    let [white, black] = &counters;
    Ok(Stats {
        game,
        material,
        sides: [white.count(has_wdl)?, black.count(has_wdl)?],
        zugzwangs: zugzwang::count(&counters)?,
    })
}

/// Whether a side may have no pseudo-legal move, check forbidding none (C4, E6).
fn may_block(game: Game) -> bool {
    match game.goal() {
        Goal::KingCapture(_) | Goal::Extinction => true,
        Goal::Mate | Goal::Hill(_) => false,
    }
}

/// Counts the positions with one side to move.
struct Counter<'a> {
    tables: &'a Tablebase,
    index: &'a Index,
    pieces: Vec<Piece>,
    turn: Colour,
    values: ValueSource<'a>,
}

impl Counter<'_> {
    /// `has_wdl` says whether the values tell cursed wins from others.
    fn count(&self, has_wdl: bool) -> Result<SideStats, StatsError> {
        let tally = self
            .ranges()
            .into_par_iter()
            .map(|range| match self.tables.game().counters() {
                Some(rules) => self.tally_vitality(rules, range),
                None => self.tally(range),
            })
            .try_reduce(Tally::default, |a, b| Ok(a.and(b)))?;
        let longest = tally.longest_indices();
        let fens = longest.iter().filter_map(|&index| {
            let position = self.position(index, &mut self.no_squares())?;
            Some(position.fen())
        });
        Ok(SideStats {
            longest_fens: fens.collect(),
            ..tally.into_stats(self.tables.game().zeroing_limit(), has_wdl)
        })
    }

    /// All indices in parts. Each is whole pairs, because their indices are the
    /// same in every order, and whole blocks where possible, so that few are
    /// unpacked twice.
    fn ranges(&self) -> Vec<Range<u64>> {
        let pair = self.index.indices_per_pair();
        let chunk = pair * CHUNK.div_ceil(pair);
        let len = self.index.len();
        let starts = (0..len.div_ceil(chunk)).map(|n| n * chunk);
        starts.map(|at| at..len.min(at + chunk)).collect()
    }

    /// The stored values of a range of indices, which must be that of whole
    /// pairs; `None` if they must be probed for.
    fn stored(&self, range: Range<u64>) -> Result<Option<Vec<Stored>>, StatsError> {
        let ValueSource::Stored(tables) = &self.values else {
            return Ok(None);
        };
        let count = (range.end - range.start) as usize;
        let mut stored = vec![Stored::default(); count];
        let mut values = vec![0; count];
        for (metric, table, reindexing) in tables {
            table
                .read(self.turn, range.start, &mut values)
                .map_err(|error| self.bad_table(error))?;
            let mut values = values.iter();
            reindexing.each(range.clone(), |index| {
                let place = (index - range.start) as usize;
                if let Some(&value) = values.next() {
                    stored[place].set(*metric, value);
                }
            });
        }
        Ok(Some(stored))
    }

    /// The results of a range of indices, likewise.
    fn wdls(&self, range: Range<u64>) -> Result<Option<Vec<Wdl>>, StatsError> {
        if let Some(rules) = self.tables.game().counters() {
            return self.wdls_with_vitality(rules, range);
        }
        let stored = self.stored(range)?;
        let wdl = |stored: Stored| {
            let value = stored.value_without_clock();
            value.map_or(Wdl::Draw, |value| value.wdl)
        };
        Ok(stored.map(|stored| stored.into_iter().map(wdl).collect()))
    }

    /// Counts a range of indices, which must be that of whole pairs.
    fn tally(&self, range: Range<u64>) -> Result<Tally, StatsError> {
        let stored = self.stored(range.clone())?;
        let may_block = may_block(self.tables.game());
        let mut tally = Tally::default();
        let mut squares = self.no_squares();
        for (place, index) in range.enumerate() {
            let Some(position) = self.position(index, &mut squares) else {
                continue;
            };
            let weight = self.index.weight(index);
            if weight == 0 {
                continue;
            }
            let value = match &stored {
                // Some table that says who wins is there.
                Some(stored) => stored[place].value_without_clock().unwrap_or(Value::DRAW),
                None => self.tables.value(&position)?,
            };
            tally.add(index, weight, value);
            if may_block {
                let is_draw = value.wdl == Wdl::Draw;
                let is_blocked = is_draw && position.end() == Some(End::Blocked);
                tally.add_blocked(if is_blocked { weight } else { 0 });
            }
        }
        Ok(tally)
    }

    fn no_squares(&self) -> Vec<Square> {
        vec![Square(0); self.pieces.len()]
    }

    /// The position of an index, if it stands for one.
    fn position(&self, index: u64, squares: &mut [Square]) -> Option<Position> {
        if !self.index.decode(index, squares) {
            return None;
        }
        let pieces = self.pieces.iter().copied().zip(squares.iter().copied());
        Position::from_pieces(self.tables.game(), pieces, self.turn)
    }

    fn bad_table(&self, error: TableError) -> StatsError {
        StatsError::Probe(ProbeError::Table {
            error: Arc::new(error),
            game: self.tables.game().id(),
            material: *self.index.material(),
        })
    }
}
