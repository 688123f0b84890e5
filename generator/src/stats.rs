//! Counts how many positions of a material are won, drawn and lost, and in how many plies.
//!
//! All legal positions on the whole board are counted, mirror images and finished
//! positions included, positions with an e.p. right excluded. Swapping identical
//! pieces does not make another position.

mod object;
mod stored;
mod tally;
#[cfg(test)]
mod tests;
mod vitality;
mod zugzwang;

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;
use retrograde_probe::format::MOST_LISTED;
use retrograde_probe::{Stored, Tablebase, Value, Wdl};
use retrograde_rules::{End, Game, Material};

pub use object::StatsObject;
use tally::Tally;
pub use zugzwang::{ZUGZWANGS_LISTED, Zugzwangs};

use crate::values::{Present, SideReader, ValuesError};

/// The most positions of longest play that are listed for a side to move.
pub const LONGEST_LISTED: usize = MOST_LISTED;

/// The statistics of a material.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stats {
    /// The game.
    pub game: Game,
    /// The material in normal form.
    pub material: Material,
    /// The statistics by side to move, White first:
    /// [`Colour::index`](retrograde_rules::Colour::index).
    pub sides: [SideStats; 2],
    /// The mutual zugzwangs; with vitality, those with both counters full.
    pub zugzwangs: Zugzwangs,
}

/// The statistics of the positions with one side to move. Values are for
/// that side.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SideStats {
    /// The number of positions.
    pub positions: u64,
    /// The number of positions that are won.
    pub win: u64,
    /// The number of positions that are drawn, stalemates included.
    pub draw: u64,
    /// The number of positions that are lost, mates included.
    pub loss: u64,
    /// The number of wins that are cursed (O4); `None` in games without the fifty-move rule, and if
    /// no table tells.
    pub cursed_win: Option<u64>,
    /// The number of losses that are blessed (O4); `None` in games without the fifty-move rule, and
    /// if no table tells.
    pub blessed_loss: Option<u64>,
    /// The wins by plies to the end; empty if there is no table of depths.
    pub win_plies: BTreeMap<u32, u64>,
    /// The losses by plies to the end, 0 being mate; empty if there is no table
    /// of depths.
    pub loss_plies: BTreeMap<u32, u64>,
    /// The positions by plies to the next zeroing move; empty if there is no table
    /// of DTZ.
    pub dtz: DtzPlies,
    /// The number of draws that are positions without any pseudo-legal move (C4); `None` in games
    /// where check forbids moves.
    pub blocked: Option<u64>,
    /// The counts of the ways in which the winner wins, whichever side that is, in games with
    /// vitality. Both sides have full counters.
    pub win_by: Option<WinByCounts>,
    /// Positions that take the most plies, won or lost: those with the lowest
    /// indices in the table, at most [`LONGEST_LISTED`]. Most positions that are
    /// symmetric to these are not listed: only those that have an index of their own.
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

/// The counts of the ways to win a position with vitality.
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
    /// The distances of each category, the best first.
    pub fn all(&self) -> [(Wdl, &BTreeMap<u32, u64>); 4] {
        [
            (Wdl::Win, &self.win),
            (Wdl::CursedWin, &self.cursed_win),
            (Wdl::BlessedLoss, &self.blessed_loss),
            (Wdl::Loss, &self.loss),
        ]
    }
}

/// The statistics of a material, which need not be in normal form: those that its files
/// keep, or else those of a [`recount`].
///
/// # Errors
/// See [`ValuesError`]; what a file keeps is damaged.
pub fn stats(tables: &Tablebase, material: &Material) -> Result<Stats, ValuesError> {
    match kept(tables, material)? {
        Some(stats) => Ok(stats),
        None => recount(tables, material),
    }
}

/// The statistics that the files of a material keep, which takes no time; `None` if they
/// have to be counted.
///
/// # Errors
/// See [`stats`].
pub fn kept(tables: &Tablebase, material: &Material) -> Result<Option<Stats>, ValuesError> {
    stored::stats(&Present::of(tables, material)?)
}

/// Counts a material, which need not be in normal form, whatever its files keep. Runs in
/// the current rayon pool; the result does not depend on the number of threads.
///
/// # Errors
/// See [`ValuesError`].
pub fn recount(tables: &Tablebase, material: &Material) -> Result<Stats, ValuesError> {
    let present = Present::of(tables, material)?;
    present.prepare(&|| false)?;
    let sides = present.sides();
    let [white, black] = &sides;
    Ok(Stats {
        game: tables.game(),
        material: present.material,
        sides: [
            count(white, present.has_wdl())?,
            count(black, present.has_wdl())?,
        ],
        zugzwangs: zugzwang::count(&sides)?,
    })
}

/// The most bytes of memory that a [`recount`] takes in so many threads, beside the tables.
///
/// # Errors
/// See [`ValuesError`].
pub fn recount_bytes(
    tables: &Tablebase,
    material: &Material,
    threads: usize,
) -> Result<u64, ValuesError> {
    Ok(Present::of(tables, material)?.bytes(threads))
}

/// Counts the positions with one side to move. `has_wdl` says whether the values
/// tell cursed wins from others.
fn count(side: &SideReader, has_wdl: bool) -> Result<SideStats, ValuesError> {
    let game = side.tables.game();
    let tally = side
        .ranges()
        .into_par_iter()
        .map(|range| match game.vitality() {
            Some(rules) => vitality::tally(side, rules, range),
            None => tally(side, range),
        })
        .try_reduce(Tally::default, |a, b| Ok(a.and(b)))?;
    let longest = tally.longest_indices();
    let fens = longest.iter().filter_map(|&index| {
        let position = side.position(index, &mut side.no_squares())?;
        Some(position.fen())
    });
    Ok(SideStats {
        longest_fens: fens.collect(),
        ..tally.into_stats(game.zeroing_limit(), has_wdl)
    })
}

/// Counts a range of indices, which must be that of whole pairs.
fn tally(side: &SideReader, range: Range<u64>) -> Result<Tally, ValuesError> {
    let stored = side.stored(range.clone())?;
    let may_block = !side.tables.game().goal().check_forbids_moves();
    let mut tally = Tally::default();
    let mut squares = side.no_squares();
    for (place, index) in range.enumerate() {
        let Some(position) = side.position(index, &mut squares) else {
            continue;
        };
        let weight = side.index.weight(index);
        if weight == 0 {
            continue;
        }
        let value = match &stored {
            // Some table that says who wins is there.
            Some(stored) => stored[place].value_without_clock().unwrap_or(Value::DRAW),
            None => side.tables.value(&position)?,
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

/// The results of a range of indices, likewise.
fn wdls(side: &SideReader, range: Range<u64>) -> Result<Option<Vec<Wdl>>, ValuesError> {
    if let Some(rules) = side.tables.game().vitality() {
        return vitality::wdls(side, rules, range);
    }
    let stored = side.stored_results(range)?;
    let wdl = |stored: Stored| {
        let value = stored.value_without_clock();
        value.map_or(Wdl::Draw, |value| value.wdl)
    };
    Ok(stored.map(|stored| stored.into_iter().map(wdl).collect()))
}
