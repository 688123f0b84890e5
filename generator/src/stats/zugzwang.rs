//! Counts mutual zugzwangs: placements in which neither side wants to be the one to move.
//!
//! Either side would do better there if it were the other's turn.

use std::ops::Range;

use rayon::prelude::*;
use retrograde_probe::Wdl;
use retrograde_probe::format::MOST_LISTED;

use super::wdls;
use crate::values::{SideReader, ValuesError};

/// The most zugzwangs that are listed.
pub const ZUGZWANGS_LISTED: usize = MOST_LISTED;

/// Placements that are positions of the game whoever is to move, and in which
/// the result is worse for a side if it is to move: a draw instead of a win, or a
/// loss instead of either. The fifty-move rule and e.p. rights are left out.
///
/// What one side gains by having the move the other loses, so a side that is
/// in zugzwang is so mutually: the other would be in zugzwang too, were it to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Zugzwangs {
    /// The number of zugzwangs on the whole board.
    pub positions: u64,
    /// The number of zugzwangs if mirror images count once.
    pub up_to_symmetry: u64,
    /// The number of zugzwangs, on the whole board, in which whoever is to move loses.
    pub full_point: u64,
    /// The zugzwangs with the lowest indices in the table, White to move, at most
    /// [`ZUGZWANGS_LISTED`]. Most positions that are symmetric to these are not listed: only those
    /// that have an index of their own.
    pub fens: Vec<String>,
}

/// Counts of a range of indices.
#[derive(Default)]
struct Found {
    positions: u64,
    /// Placements up to symmetry, in eighths.
    eighths: u64,
    full_point: u64,
    /// The lowest indices, in ascending order.
    indices: Vec<u64>,
}

impl Found {
    fn and(mut self, other: Found) -> Found {
        self.positions += other.positions;
        self.eighths += other.eighths;
        self.full_point += other.full_point;
        self.indices.extend(other.indices);
        self.indices.sort_unstable();
        self.indices.truncate(ZUGZWANGS_LISTED);
        self
    }
}

/// Counts the mutual zugzwangs of a material, given what reads each side to move.
pub(super) fn count(sides: &[SideReader<'_>; 2]) -> Result<Zugzwangs, ValuesError> {
    let white = &sides[0];
    let found = white
        .ranges()
        .into_par_iter()
        .map(|range| count_range(sides, range))
        .try_reduce(Found::default, |a, b| Ok(a.and(b)))?;
    let fens = found.indices.iter().filter_map(|&index| {
        let position = white.position(index, &mut white.no_squares())?;
        Some(position.fen())
    });
    Ok(Zugzwangs {
        positions: found.positions,
        up_to_symmetry: found.eighths / 8,
        full_point: found.full_point,
        fens: fens.collect(),
    })
}

fn count_range(sides: &[SideReader<'_>; 2], range: Range<u64>) -> Result<Found, ValuesError> {
    let [white, black] = sides;
    let values = [wdls(white, range.clone())?, wdls(black, range.clone())?];
    let mut found = Found::default();
    let mut squares = white.no_squares();
    for (place, index) in range.enumerate() {
        // Results are cheap to compare, positions are not.
        if let [Some(by_white), Some(by_black)] = &values
            && !is_zugzwang(by_white[place], by_black[place])
        {
            continue;
        }
        let mut wdl = |side: &SideReader<'_>, stored: &Option<Vec<Wdl>>| {
            let Some(position) = side.position(index, &mut squares) else {
                return Ok(None);
            };
            Ok::<_, ValuesError>(Some(match stored {
                Some(stored) => stored[place],
                None => side.tables.value(&position)?.wdl,
            }))
        };
        let Some(by_white) = wdl(white, &values[0])? else {
            continue;
        };
        let Some(by_black) = wdl(black, &values[1])? else {
            continue;
        };
        let weight = white.index.weight(index);
        if weight == 0 || !is_zugzwang(by_white, by_black) {
            continue;
        }
        found.positions += weight;
        found.eighths += 8 * weight / white.index.images(index);
        if plain(by_white) == Wdl::Loss && plain(by_black) == Wdl::Loss {
            found.full_point += weight;
        }
        if found.indices.len() < ZUGZWANGS_LISTED {
            found.indices.push(index);
        }
    }
    Ok(found)
}

/// Whether White would do better if it were Black's turn; then Black would do
/// better if it were White's.
fn is_zugzwang(white_to_move: Wdl, black_to_move: Wdl) -> bool {
    // Better results are less.
    plain(black_to_move).reversed() < plain(white_to_move)
}

/// A result without the fifty-move rule.
fn plain(wdl: Wdl) -> Wdl {
    match wdl {
        Wdl::CursedWin => Wdl::Win,
        Wdl::BlessedLoss => Wdl::Loss,
        wdl => wdl,
    }
}
