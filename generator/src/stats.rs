//! Statistics of a class: how many positions are won, drawn and lost, and in
//! how many plies.
//!
//! Positions of the game are counted on the whole board: every legal
//! placement for either side to move, mirror images too, equal men not told
//! apart, finished positions included, without e.p. rights.

mod tally;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use retrograde_probe::index::{Index, IndexError};
use retrograde_probe::{
    Category, Metric, ProbeError, Table, TableError, Tablebase, Value, needs_no_table, score,
};
use retrograde_rules::{Colour, Game, Man, Material, Position, Square};
use thiserror::Error;

use tally::Tally;

/// How many of the longest positions are listed a side at most.
pub const LONGEST_LISTED: usize = 10;

/// The plies without capture or pawn move after which the fifty-move rule
/// makes a draw, unless the last of them mates.
pub const FIFTY_MOVES: u32 = 100;

/// How many numbers a task looks at, unless a block has more.
const CHUNK: u64 = 1 << 16;

/// Why there are no statistics.
#[derive(Clone, Debug, Error)]
#[non_exhaustive]
pub enum StatsError {
    /// There is no table of the class.
    #[error(
        "the table {material} of {game} is missing; make it with: retrograde generate {game} {material}"
    )]
    Missing {
        /// The game with its options.
        game: String,
        /// The class in normal form.
        material: Material,
    },
    /// The class has no index, so it can have no table.
    #[error("there can be no table of {material}: {source}")]
    Index {
        /// The class.
        material: Material,
        /// Why it has none.
        source: IndexError,
    },
    /// A table cannot be read.
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// The statistics of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The game.
    pub game: Game,
    /// The class in normal form.
    pub material: Material,
    /// By side to move, White first: [`Colour::index`].
    pub sides: [SideStats; 2],
}

/// The statistics of the positions with one side to move, values being for
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
    /// How many are won in so many plies; empty if the table has no depths.
    pub win_plies: BTreeMap<u32, u64>,
    /// How many are lost in so many plies, 0 for mate; empty if the table has
    /// no depths.
    pub loss_plies: BTreeMap<u32, u64>,
    /// Positions that take the most plies, won or lost: those with the lowest
    /// numbers in the table, at most [`LONGEST_LISTED`]. Positions that are
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

    /// How many of the wins the fifty-move rule turns into draws (O4): none
    /// if every win takes at most [`FIFTY_MOVES`]; `None` where that alone
    /// does not tell.
    pub fn cursed_win(&self) -> Option<u64> {
        spoilt(self.win, &self.win_plies)
    }

    /// How many of the losses the fifty-move rule turns into draws (O4); see
    /// [`SideStats::cursed_win`].
    pub fn blessed_loss(&self) -> Option<u64> {
        spoilt(self.loss, &self.loss_plies)
    }
}

/// 0 if all of `total` positions are decided before the fifty-move rule can
/// speak up.
fn spoilt(total: u64, plies: &BTreeMap<u32, u64>) -> Option<u64> {
    let soon: u64 = plies.range(..=FIFTY_MOVES).map(|(_, count)| count).sum();
    (soon == total).then_some(0)
}

/// Where the values of one side to move come from.
enum Values<'a> {
    /// The table itself.
    Stored(Metric, &'a Table),
    /// The table has only the other side, or none is needed: probing tells.
    Probed,
}

/// Counts a class, which is brought into normal form. Runs on the threads of
/// the current rayon pool; the result does not depend on how many there are.
///
/// # Errors
/// See [`StatsError`].
pub fn stats(tables: &Tablebase, material: &Material) -> Result<Stats, StatsError> {
    let game = tables.game();
    let (material, _) = material.normal(game);
    let mut table = None;
    for metric in [Metric::Depth, Metric::Result] {
        if table.is_none() {
            table = tables.table(&material, metric)?.map(|t| (metric, t));
        }
    }
    if table.is_none() && !needs_no_table(game, &material) {
        let game = game.id();
        return Err(StatsError::Missing { game, material });
    }
    let index = match table {
        Some((_, table)) => table.index().clone(),
        None => {
            Index::new(game, &material).map_err(|source| StatsError::Index { material, source })?
        }
    };
    let mut sides = [SideStats::default(), SideStats::default()];
    for (turn, side) in Colour::BOTH.into_iter().zip(&mut sides) {
        let values = match table {
            Some((metric, table)) if table.header().sides().has(turn) => {
                Values::Stored(metric, table)
            }
            _ => Values::Probed,
        };
        let counter = Counter {
            tables,
            index: &index,
            men: material.men().collect(),
            turn,
            values,
        };
        *side = counter.count()?;
    }
    Ok(Stats {
        game,
        material,
        sides,
    })
}

/// Counts the positions with one side to move.
struct Counter<'a> {
    tables: &'a Tablebase,
    index: &'a Index,
    men: Vec<Man>,
    turn: Colour,
    values: Values<'a>,
}

impl Counter<'_> {
    fn count(&self) -> Result<SideStats, StatsError> {
        let chunk = match self.values {
            // Whole blocks, so that none is unpacked twice.
            Values::Stored(_, table) => {
                let block = table.block_len(self.turn).map_err(|e| self.bad_table(e))?;
                let block = if block >= self.index.len() { 1 } else { block };
                CHUNK.div_ceil(block) * block
            }
            Values::Probed => CHUNK,
        };
        let tally = (0..self.index.len().div_ceil(chunk))
            .into_par_iter()
            .map(|n| self.tally(n * chunk..self.index.len().min((n + 1) * chunk)))
            .try_reduce(Tally::default, |a, b| Ok(a.and(b)))?;
        let longest = tally.longest_numbers();
        let fens = longest.iter().filter_map(|&number| {
            let position = self.position(number, &mut self.no_squares())?;
            Some(position.fen(self.tables.game()))
        });
        Ok(SideStats {
            longest_fens: fens.collect(),
            ..tally.into_stats()
        })
    }

    /// Counts a range of numbers.
    fn tally(&self, range: Range<u64>) -> Result<Tally, StatsError> {
        let mut stored = Vec::new();
        if let Values::Stored(_, table) = self.values {
            stored = vec![0; (range.end - range.start) as usize];
            table
                .read(self.turn, range.start, &mut stored)
                .map_err(|error| self.bad_table(error))?;
        }
        let mut tally = Tally::default();
        let mut squares = self.no_squares();
        for (place, number) in range.enumerate() {
            let Some(position) = self.position(number, &mut squares) else {
                continue;
            };
            let pair = number / self.index.numbers_per_pair();
            let weight = self.index.pair_weight(pair as usize);
            let value = match self.values {
                Values::Stored(metric, _) => read_value(metric, stored[place]),
                Values::Probed => self.tables.value(&position)?,
            };
            tally.add(number, weight, value);
        }
        Ok(tally)
    }

    fn no_squares(&self) -> Vec<Square> {
        vec![Square(0); self.men.len()]
    }

    /// The position that a number stands for, if it stands for one.
    fn position(&self, number: u64, squares: &mut [Square]) -> Option<Position> {
        if !self.index.decode(number, squares) {
            return None;
        }
        let men = self.men.iter().copied().zip(squares.iter().copied());
        Position::from_men(self.tables.game(), men, self.turn)
    }

    fn bad_table(&self, error: TableError) -> StatsError {
        StatsError::Probe(ProbeError::Table {
            error: Arc::new(error),
            game: self.tables.game().id(),
            material: *self.index.material(),
        })
    }
}

/// What a value of a table says.
fn read_value(metric: Metric, value: i16) -> Value {
    Value {
        category: match value {
            1.. => Category::Win,
            0 => Category::Draw,
            _ => Category::Loss,
        },
        depth_plies: match metric {
            Metric::Depth => score::plies(value),
            _ => None,
        },
    }
}
