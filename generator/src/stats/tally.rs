//! Counts of a range of numbers, which can be added up in any order.

use std::collections::BTreeMap;

use retrograde_probe::{Category, Value};

use super::{LONGEST_LISTED, SideStats};

/// What is counted, for one side to move.
#[derive(Default)]
pub(super) struct Tally {
    positions: u64,
    win: u64,
    draw: u64,
    loss: u64,
    /// By plies.
    win_plies: Vec<u64>,
    loss_plies: Vec<u64>,
    /// The most plies so far, and the lowest numbers that take as many, in
    /// ascending order.
    longest: Option<(u32, Vec<u64>)>,
}

impl Tally {
    /// Counts a position that stands for `weight` of them.
    pub(super) fn add(&mut self, number: u64, weight: u64, value: Value) {
        self.positions += weight;
        let histogram = match value.category {
            Category::Win | Category::CursedWin => {
                self.win += weight;
                &mut self.win_plies
            }
            Category::Loss | Category::BlessedLoss => {
                self.loss += weight;
                &mut self.loss_plies
            }
            Category::Draw | Category::Unknown => {
                self.draw += weight;
                return;
            }
        };
        let Some(plies) = value.depth_plies else {
            return;
        };
        let place = plies as usize;
        if histogram.len() <= place {
            histogram.resize(place + 1, 0);
        }
        histogram[place] += weight;
        match &mut self.longest {
            Some((most, _)) if *most > plies => {}
            Some((most, numbers)) if *most == plies => {
                if numbers.len() < LONGEST_LISTED {
                    numbers.push(number);
                }
            }
            longest => *longest = Some((plies, vec![number])),
        }
    }

    /// Both together, whichever comes first.
    pub(super) fn and(mut self, other: Tally) -> Tally {
        self.positions += other.positions;
        self.win += other.win;
        self.draw += other.draw;
        self.loss += other.loss;
        self.win_plies = sum(self.win_plies, other.win_plies);
        self.loss_plies = sum(self.loss_plies, other.loss_plies);
        self.longest = match (self.longest, other.longest) {
            (Some((a, mut numbers)), Some((b, more))) if a == b => {
                numbers.extend(more);
                numbers.sort_unstable();
                numbers.truncate(LONGEST_LISTED);
                Some((a, numbers))
            }
            // `None` is less than anything.
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

    /// The lowest numbers of those that take the most plies.
    pub(super) fn longest_numbers(&self) -> &[u64] {
        self.longest.as_ref().map_or(&[], |(_, numbers)| numbers)
    }

    /// The counts, without the list of the longest positions.
    pub(super) fn into_stats(self) -> SideStats {
        SideStats {
            positions: self.positions,
            win: self.win,
            draw: self.draw,
            loss: self.loss,
            win_plies: by_plies(self.win_plies),
            loss_plies: by_plies(self.loss_plies),
            longest_fens: Vec::new(),
        }
    }
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
