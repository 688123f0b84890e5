//! Reads the statistics of a material that its files keep, instead of counting again.

use std::collections::HashMap;

use retrograde_probe::format::{SideStatistics, Statistics};
use retrograde_probe::{Metric, Wdl};
use retrograde_rules::{Colour, Position};

use super::tally::Tally;
use super::{SideStats, Stats, Zugzwangs};
use crate::values::{Present, SideReader, ValuesError};

/// The statistics of a material; `None` if one of its files keeps none, or if they do not
/// count the same positions.
pub(super) fn stats(present: &Present) -> Result<Option<Stats>, ValuesError> {
    let (tables, material) = (present.tables, present.material);
    let mut kept = HashMap::new();
    for metric in present.metrics() {
        match tables.statistics(&material, metric)? {
            Some(statistics) => kept.insert(metric, statistics),
            None => return Ok(None),
        };
    }
    // Files that do not belong together are counted.
    let sums = |kept: &Statistics| kept.sides.each_ref().map(SideStatistics::positions);
    let mut all = kept.values().map(sums);
    if let Some(first) = all.next()
        && !all.all(|sums| sums == first)
    {
        return Ok(None);
    }
    // The one that says best who wins.
    let best = [Metric::Wdl, Metric::Thresholds, Metric::Dtm];
    let Some(results) = best.iter().find_map(|metric| kept.get(metric)) else {
        return Ok(None);
    };
    let readers = present.sides();
    let side = |turn: Colour| {
        let of = |statistics: &Statistics| statistics.sides[turn.index()].clone();
        let of_metric = |metric| kept.get(&metric).map(of);
        let mut tally = Tally::default();
        let may_block = !tables.game().goal().check_forbids_moves();
        tally.add_results(&of(results), may_block);
        let longest = of_metric(Metric::Dtm).map_or(Vec::new(), |depths| {
            tally.add_depths(&depths);
            depths.longest
        });
        if let Some(plies) = of_metric(Metric::Dtz) {
            tally.add_plies(&plies);
        }
        if let Some(mates) = of_metric(Metric::Mates) {
            tally.add_mates(&mates);
        }
        let limit = tables.game().zeroing_limit();
        SideStats {
            longest_fens: fens(&readers[turn.index()], &longest),
            ..tally.into_stats(limit, present.has_wdl())
        }
    };
    let found = &results.zugzwangs;
    Ok(Some(Stats {
        game: tables.game(),
        material,
        sides: Colour::BOTH.map(side),
        zugzwangs: Zugzwangs {
            positions: found.positions,
            up_to_symmetry: found.up_to_symmetry,
            full_point: found.full_point,
            fens: fens(&readers[0], &found.lowest),
        },
    }))
}

/// The positions with some indices.
fn fens(side: &SideReader, indices: &[u64]) -> Vec<String> {
    let mut squares = side.no_squares();
    let positions = indices.iter();
    let positions = positions.filter_map(|&index| side.position(index, &mut squares));
    positions.map(|position: Position| position.fen()).collect()
}

impl Tally {
    /// Adds all positions by who wins, with those that have no move if that is asked.
    fn add_results(&mut self, kept: &SideStatistics, may_block: bool) {
        for count in &kept.counts {
            let positions = count.positions;
            self.positions += positions;
            match count.result {
                Wdl::Win | Wdl::CursedWin => self.win += positions,
                Wdl::Draw => self.draw += positions,
                Wdl::Loss | Wdl::BlessedLoss => self.loss += positions,
            }
            match count.result {
                Wdl::CursedWin => self.cursed += positions,
                Wdl::BlessedLoss => self.blessed += positions,
                _ => {}
            }
        }
        if may_block {
            self.add_blocked(kept.blocked);
        }
    }

    /// Adds how long wins and losses take.
    fn add_depths(&mut self, kept: &SideStatistics) {
        for count in &kept.counts {
            let histogram = match count.result {
                Wdl::Win | Wdl::CursedWin => &mut self.win_plies,
                Wdl::Loss | Wdl::BlessedLoss => &mut self.loss_plies,
                Wdl::Draw => continue,
            };
            super::tally::count(histogram, count.plies.into(), count.positions);
        }
    }

    /// Adds how long it is to the next zeroing move.
    fn add_plies(&mut self, kept: &SideStatistics) {
        for count in &kept.counts {
            if let Some(category) = super::tally::category(count.result) {
                let histogram = &mut self.dtz[category];
                super::tally::count(histogram, count.plies.into(), count.positions);
            }
        }
    }

    /// Adds how winners win.
    fn add_mates(&mut self, kept: &SideStatistics) {
        for count in &kept.counts {
            self.add_win_by(count.positions, count.plies > 0);
        }
    }
}
