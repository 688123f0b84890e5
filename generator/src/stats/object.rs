//! Turns statistics into an object for other programs, such as JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{SideStats, Stats as Counts};

/// A value for each side to move.
#[derive(Serialize)]
struct PerSide<T> {
    white: T,
    black: T,
}

impl<T> PerSide<T> {
    fn of<'a>(counts: &'a Counts, value: impl Fn(&'a SideStats) -> T) -> PerSide<T> {
        let [white, black] = &counts.sides;
        PerSide {
            white: value(white),
            black: value(black),
        }
    }
}

/// The statistics as JSON. Names and order of the fields are a contract.
#[derive(Serialize)]
pub struct StatsObject<'a> {
    game: String,
    material: String,
    positions: PerSide<u64>,
    win: PerSide<u64>,
    draw: PerSide<u64>,
    loss: PerSide<u64>,
    /// Null if no table tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    cursed_win: Option<PerSide<Option<u64>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blessed_loss: Option<PerSide<Option<u64>>>,
    longest_win_plies: PerSide<Option<u32>>,
    longest_loss_plies: PerSide<Option<u32>>,
    /// Left out if no table has distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    histogram: Option<PerSide<Histogram<'a>>>,
    longest_fens: PerSide<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dtz_histogram: Option<PerSide<DtzHistogram<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_by: Option<WinBy>,
    zugzwang: PerSide<u64>,
    mutual_zugzwang: MutualZugzwang<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    blocked: Option<PerSide<u64>>,
    /// Whether positions were counted for this, or their numbers are what files say; left out
    /// if nobody has said it.
    #[serde(skip_serializing_if = "Option::is_none")]
    counted: Option<bool>,
}

/// Placements in which neither side wants to move.
#[derive(Serialize)]
struct MutualZugzwang<'a> {
    positions: u64,
    up_to_symmetry: u64,
    full_point: u64,
    fens: &'a [String],
}

/// The counts of the ways to win, by the side to move.
#[derive(Serialize)]
struct WinBy {
    mate: PerSide<u64>,
    exhaustion: PerSide<u64>,
}

#[derive(Serialize)]
struct Histogram<'a> {
    win: &'a BTreeMap<u32, u64>,
    loss: &'a BTreeMap<u32, u64>,
}

/// Plies to the next zeroing move, by category.
#[derive(Serialize)]
struct DtzHistogram<'a> {
    win: &'a BTreeMap<u32, u64>,
    cursed_win: &'a BTreeMap<u32, u64>,
    blessed_loss: &'a BTreeMap<u32, u64>,
    loss: &'a BTreeMap<u32, u64>,
}

impl<'a> StatsObject<'a> {
    /// The object of these counts.
    pub fn new(counts: &'a Counts) -> StatsObject<'a> {
        let vitality = counts.game.full_vitality().is_some();
        let win_by = |s: &SideStats| s.win_by.unwrap_or_default();
        let fifty_moves = counts.game.zeroing_limit().is_some();
        StatsObject {
            game: counts.game.id(),
            material: counts.material.name(counts.game),
            positions: PerSide::of(counts, |s| s.positions),
            win: PerSide::of(counts, |s| s.win),
            draw: PerSide::of(counts, |s| s.draw),
            loss: PerSide::of(counts, |s| s.loss),
            cursed_win: fifty_moves.then(|| PerSide::of(counts, |s| s.cursed_win)),
            blessed_loss: fifty_moves.then(|| PerSide::of(counts, |s| s.blessed_loss)),
            longest_win_plies: PerSide::of(counts, SideStats::longest_win),
            longest_loss_plies: PerSide::of(counts, SideStats::longest_loss),
            histogram: (!vitality).then(|| {
                PerSide::of(counts, |s| Histogram {
                    win: &s.win_plies,
                    loss: &s.loss_plies,
                })
            }),
            longest_fens: PerSide::of(counts, |s| s.longest_fens.as_slice()),
            dtz_histogram: fifty_moves.then(|| {
                PerSide::of(counts, |s| DtzHistogram {
                    win: &s.dtz.win,
                    cursed_win: &s.dtz.cursed_win,
                    blessed_loss: &s.dtz.blessed_loss,
                    loss: &s.dtz.loss,
                })
            }),
            win_by: vitality.then(|| WinBy {
                mate: PerSide::of(counts, |s| win_by(s).mate),
                exhaustion: PerSide::of(counts, |s| win_by(s).exhaustion),
            }),
            // Every zugzwang is mutual: what one side gains the other loses.
            zugzwang: PerSide::of(counts, |_| counts.zugzwangs.positions),
            mutual_zugzwang: MutualZugzwang {
                positions: counts.zugzwangs.positions,
                up_to_symmetry: counts.zugzwangs.up_to_symmetry,
                full_point: counts.zugzwangs.full_point,
                fens: &counts.zugzwangs.fens,
            },
            blocked: counts.sides[0]
                .blocked
                .map(|_| PerSide::of(counts, |s| s.blocked.unwrap_or_default())),
            counted: None,
        }
    }

    /// Says whether positions were counted for this, or their numbers are what files say.
    #[must_use]
    pub fn counted(mut self, counted: bool) -> StatsObject<'a> {
        self.counted = Some(counted);
        self
    }
}
