//! Tallies positions of ranges of indices, in parts that can be added up in any order.

use std::collections::BTreeMap;

use retrograde_probe::{Dtm, Value, Wdl};

use super::{DtzPlies, LONGEST_LISTED, SideStats, WinByCounts};

/// The counts for one side to move.
#[derive(Default)]
pub(super) struct Tally {
    pub(super) positions: u64,
    pub(super) win: u64,
    pub(super) draw: u64,
    pub(super) loss: u64,
    /// The wins and the losses by plies.
    pub(super) win_plies: Vec<u64>,
    pub(super) loss_plies: Vec<u64>,
    /// The numbers of wins that are cursed, and of losses that are blessed.
    pub(super) cursed: u64,
    pub(super) blessed: u64,
    /// The positions by category (win, cursed win, blessed loss, loss), and by plies to the next
    /// zeroing move.
    pub(super) dtz: [Vec<u64>; 4],
    /// Without a pseudo-legal move, where that is asked.
    blocked: Option<u64>,
    /// The wins by mate and by exhaustion, if they are counted.
    win_by: Option<WinByCounts>,
    /// The most plies so far, and the lowest indices that take as many, in
    /// ascending order.
    longest: Option<(u32, Vec<u64>)>,
}

impl Tally {
    /// Counts a position that stands for `weight` of them.
    pub(super) fn add(&mut self, index: u64, weight: u64, value: Value) {
        self.positions += weight;
        if let Some((category, dtz)) = category(value.wdl).zip(value.dtz) {
            count(&mut self.dtz[category], dtz.0, weight);
        }
        match value.wdl {
            Wdl::CursedWin => self.cursed += weight,
            Wdl::BlessedLoss => self.blessed += weight,
            _ => {}
        }
        let histogram = match value.wdl {
            Wdl::Win | Wdl::CursedWin => {
                self.win += weight;
                &mut self.win_plies
            }
            Wdl::Loss | Wdl::BlessedLoss => {
                self.loss += weight;
                &mut self.loss_plies
            }
            Wdl::Draw => {
                self.draw += weight;
                return;
            }
        };
        let Some(Dtm(plies)) = value.dtm else {
            return;
        };
        count(histogram, plies, weight);
        match &mut self.longest {
            Some((most, _)) if *most > plies => {}
            Some((most, indices)) if *most == plies => {
                if indices.len() < LONGEST_LISTED {
                    indices.push(index);
                }
            }
            longest => *longest = Some((plies, vec![index])),
        }
    }

    /// Marks `weight` of the positions already counted as blocked.
    pub(super) fn add_blocked(&mut self, weight: u64) {
        *self.blocked.get_or_insert_default() += weight;
    }

    /// Adds how a position is won that has been counted.
    pub(super) fn add_win_by(&mut self, weight: u64, mate: bool) {
        let counts = self.win_by.get_or_insert_default();
        if mate {
            counts.mate += weight;
        } else {
            counts.exhaustion += weight;
        }
    }

    /// The sum of both, in either order.
    pub(super) fn and(mut self, other: Tally) -> Tally {
        self.positions += other.positions;
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
        self.win_plies = sum(self.win_plies, other.win_plies);
        self.loss_plies = sum(self.loss_plies, other.loss_plies);
        self.cursed += other.cursed;
        self.blessed += other.blessed;
        for (mine, theirs) in self.dtz.iter_mut().zip(other.dtz) {
            *mine = sum(std::mem::take(mine), theirs);
        }
        if let Some(other) = other.blocked {
            self.add_blocked(other);
        }
        if let Some(other) = other.win_by {
            let counts = self.win_by.get_or_insert_default();
            counts.mate += other.mate;
            counts.exhaustion += other.exhaustion;
        }
        self.longest = match (self.longest, other.longest) {
            (Some((a, mut indices)), Some((b, more))) if a == b => {
                indices.extend(more);
                indices.sort_unstable();
                indices.truncate(LONGEST_LISTED);
                Some((a, indices))
            }
            // `None` is less than any other.
            (a, b) => {
                if a.as_ref().map(|l| l.0) > b.as_ref().map(|l| l.0) {
                    a
                } else {
                    b
                }
            }
        };
        self
    }

    /// The lowest indices among the positions that take the most plies.
    pub(super) fn longest_indices(&self) -> &[u64] {
        self.longest.as_ref().map_or(&[], |(_, indices)| indices)
    }

    /// The counts, without the list of the longest positions. `limit` is that of
    /// the fifty-move rule in plies, if the game has the rule; `has_wdl` says
    /// whether the categories take it into account.
    pub(super) fn into_stats(self, limit: Option<u32>, has_wdl: bool) -> SideStats {
        let [win_plies, loss_plies] = [self.win_plies, self.loss_plies].map(by_plies);
        // Without WDL, the depths suffice if all are decided too soon for the
        // rule to matter.
        let spoilt = |count: u64, all: u64, plies: &BTreeMap<u32, u64>| {
            let soon: u64 = plies.range(..=limit?).map(|(_, count)| count).sum();
            (has_wdl || soon == all).then_some(count)
        };
        let [win, cursed_win, blessed_loss, loss] = self.dtz.map(by_plies);
        SideStats {
            positions: self.positions,
            win: self.win,
            draw: self.draw,
            loss: self.loss,
            cursed_win: spoilt(self.cursed, self.win, &win_plies),
            blessed_loss: spoilt(self.blessed, self.loss, &loss_plies),
            win_plies,
            loss_plies,
            dtz: DtzPlies {
                win,
                cursed_win,
                blessed_loss,
                loss,
            },
            blocked: self.blocked,
            win_by: self.win_by,
            longest_fens: Vec::new(),
        }
    }
}

/// The place of a result among [`Tally::dtz`].
pub(super) fn category(wdl: Wdl) -> Option<usize> {
    match wdl {
        Wdl::Win => Some(0),
        Wdl::CursedWin => Some(1),
        Wdl::BlessedLoss => Some(2),
        Wdl::Loss => Some(3),
        Wdl::Draw => None,
    }
}

/// Adds to a histogram of plies.
pub(super) fn count(histogram: &mut Vec<u64>, plies: u32, weight: u64) {
    let place = plies as usize;
    if histogram.len() <= place {
        histogram.resize(place + 1, 0);
    }
    histogram[place] += weight;
}

fn sum(a: Vec<u64>, b: Vec<u64>) -> Vec<u64> {
    let (mut long, short) = if a.len() < b.len() { (b, a) } else { (a, b) };
    for (count, more) in long.iter_mut().zip(short) {
        *count += more;
    }
    long
}

fn by_plies(histogram: Vec<u64>) -> BTreeMap<u32, u64> {
    let entries = (0..).zip(histogram);
    entries.filter(|&(_, count)| count > 0).collect()
}
