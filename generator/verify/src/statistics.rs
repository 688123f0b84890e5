//! Counts the proved values of a material again, to check the statistics that its files keep.

use std::collections::BTreeSet;
use std::ops::Range;

use rayon::prelude::*;
use retrograde_folder::{ReadError, Reader};
use retrograde_probe::format::{
    Count, MOST_LISTED, SideStatistics, Statistics, ZugzwangStatistics,
};
use retrograde_probe::{Index, Metric, TableError, Wdl};
use retrograde_rules::{Colour, End, Game, Piece, Position, Square};

use super::placements::position_of;
use super::{VerifyError, VerifyObserver};

/// Indices per task, and tasks between two questions whether to stop.
const CHUNK: u64 = 1 << 14;
const BATCH: u64 = 64;

/// The result and the plies that are counted with it: see [`Count`].
pub(super) type Value = (Wdl, u16);

/// The most tables of a material.
pub(super) const MOST_TABLES: usize = 3;

/// The values of the position with these squares, one for each table; more mean nothing.
pub(super) type Values<'a> =
    dyn Fn(Colour, &[Square]) -> Result<[Value; MOST_TABLES], ReadError> + Sync + 'a;

/// The proved tables of a material, and what they say.
pub(super) struct Proved<'a> {
    pub(super) game: Game,
    pub(super) index: &'a Index,
    pub(super) tables: Vec<(Metric, &'a Reader)>,
    /// The value of a position in each of the tables.
    pub(super) values: Box<Values<'a>>,
}

/// The counts of one metric.
#[derive(Default)]
struct Counted {
    /// The positions by side, result from the best, and plies.
    counts: [[Vec<u64>; Wdl::ALL.len()]; 2],
    /// The most plies by side, and the lowest indices that take as many.
    longest: [Option<(u16, Vec<u64>)>; 2],
    blocked: [u64; 2],
    zugzwangs: u64,
    full_points: u64,
    /// The zugzwangs of which none is the mirror image of another.
    orbits: u64,
    lowest: Vec<u64>,
}

impl Proved<'_> {
    /// The metrics whose tables keep statistics that are not those of their values; `None`
    /// if the observer stopped the work.
    pub(super) fn compare(
        &self,
        observer: &dyn VerifyObserver,
    ) -> Result<Option<Vec<Metric>>, VerifyError> {
        let kept = self.tables.iter().map(|(_, table)| table.statistics());
        let kept = kept.collect::<Result<Vec<_>, TableError>>()?;
        if kept.iter().all(Option::is_none) {
            return Ok(Some(Vec::new()));
        }
        let mut all: Vec<Counted> = self.tables.iter().map(|_| Counted::default()).collect();
        // What is counted is counted with full counters.
        let len = self.index.layer_len();
        for batch in (0..len).step_by((BATCH * CHUNK) as usize) {
            if observer.interrupted() {
                return Ok(None);
            }
            observer.progress(batch, len);
            let end = len.min(batch + BATCH * CHUNK);
            let tasks: Vec<u64> = (batch..end).step_by(CHUNK as usize).collect();
            let parts = tasks
                .into_par_iter()
                .map(|first| self.count(first..end.min(first + CHUNK)))
                .collect::<Result<Vec<_>, ReadError>>()?;
            for part in parts {
                all.iter_mut()
                    .zip(part)
                    .for_each(|(all, part)| all.add(part));
            }
        }
        let both = self.tables.iter().zip(kept.into_iter().zip(all));
        let wrong = both.filter_map(|(&(metric, _), (kept, counted))| {
            let is_wrong = kept? != counted.statistics(metric);
            is_wrong.then_some(metric)
        });
        Ok(Some(wrong.collect()))
    }

    /// Counts some indices.
    fn count(&self, indices: Range<u64>) -> Result<Vec<Counted>, ReadError> {
        let pieces: Vec<Piece> = self.index.material().pieces().collect();
        let mut squares = vec![Square(0); pieces.len()];
        let mut all: Vec<Counted> = self.tables.iter().map(|_| Counted::default()).collect();
        for index in indices.filter(|&index| self.index.is_canonical(index)) {
            self.index.decode(index, &mut squares);
            let weight = self.index.weight(index);
            let mut both = [None, None];
            for turn in Colour::BOTH {
                let Some(position) = position_of(self.game, &pieces, &squares, turn) else {
                    continue;
                };
                let values = (self.values)(turn, &squares)?;
                for ((counted, &value), &(metric, _)) in
                    all.iter_mut().zip(&values).zip(&self.tables)
                {
                    counted.position(metric, turn, index, weight, value, &position);
                }
                both[turn.index()] = Some(values);
            }
            let [Some(white), Some(black)] = both else {
                continue;
            };
            for (((counted, white), black), &(metric, _)) in
                all.iter_mut().zip(white).zip(black).zip(&self.tables)
            {
                if says_who_wins(metric) && points(white.0) + points(black.0) < 0 {
                    counted.zugzwangs += weight;
                    counted.orbits += 8 * weight / orbit(self.game, self.index, &squares);
                    let is_full_point = [white, black].iter().all(|v| points(v.0) < 0);
                    counted.full_points += if is_full_point { weight } else { 0 };
                    counted.lowest.push(index);
                }
            }
        }
        Ok(all)
    }
}

impl Counted {
    fn position(
        &mut self,
        metric: Metric,
        turn: Colour,
        index: u64,
        weight: u64,
        (result, plies): Value,
        position: &Position,
    ) {
        let side = turn.index();
        let place = Wdl::ALL.iter().position(|&wdl| wdl == result);
        *count(
            &mut self.counts[side][place.unwrap_or_default()],
            plies.into(),
        ) += weight;
        if metric == Metric::Dtm && result != Wdl::Draw {
            self.list(side, plies, [index]);
        }
        let may_block = !position.game().goal().check_forbids_moves();
        if says_who_wins(metric) && may_block && result == Wdl::Draw {
            let is_blocked = position.end() == Some(End::Blocked);
            self.blocked[side] += if is_blocked { weight } else { 0 };
        }
    }

    /// Lists higher indices that take so many plies, unless others take more.
    fn list(&mut self, side: usize, plies: u16, indices: impl IntoIterator<Item = u64>) {
        let longest = &mut self.longest[side];
        if longest.as_ref().is_none_or(|&(most, _)| most < plies) {
            *longest = Some((plies, Vec::new()));
        }
        if let Some((most, list)) = longest
            && *most == plies
        {
            let room = MOST_LISTED.saturating_sub(list.len());
            list.extend(indices.into_iter().take(room));
        }
    }

    /// Adds what was counted of higher indices.
    fn add(&mut self, other: Counted) {
        for (all, other) in self.counts.iter_mut().zip(other.counts) {
            for (all, other) in all.iter_mut().zip(other) {
                for (plies, positions) in other.into_iter().enumerate() {
                    *count(all, plies) += positions;
                }
            }
        }
        for (side, longest) in other.longest.into_iter().enumerate() {
            if let Some((plies, indices)) = longest {
                self.list(side, plies, indices);
            }
        }
        for (side, blocked) in other.blocked.into_iter().enumerate() {
            self.blocked[side] += blocked;
        }
        self.zugzwangs += other.zugzwangs;
        self.full_points += other.full_points;
        self.orbits += other.orbits;
        self.lowest.extend(other.lowest);
        self.lowest.truncate(MOST_LISTED);
    }

    fn statistics(mut self, metric: Metric) -> Statistics {
        let sides = Colour::BOTH.map(|turn| {
            let side = turn.index();
            let counts = Wdl::ALL.into_iter().zip(&self.counts[side]);
            let counts = counts.flat_map(|(result, counts)| {
                (counts.iter().zip(0..)).map(move |(&positions, plies)| Count {
                    result,
                    plies,
                    positions,
                })
            });
            SideStatistics {
                counts: counts.filter(|count| count.positions > 0).collect(),
                longest: self.longest[side].take().map_or(Vec::new(), |(_, l)| l),
                blocked: self.blocked[side],
            }
        });
        debug_assert!(metric == Metric::Dtm || sides.iter().all(|s| s.longest.is_empty()));
        Statistics {
            sides,
            zugzwangs: ZugzwangStatistics {
                positions: self.zugzwangs,
                up_to_symmetry: self.orbits / 8,
                full_point: self.full_points,
                lowest: self.lowest,
            },
        }
    }
}

/// The place where positions that take so many plies are counted.
fn count(counts: &mut Vec<u64>, plies: usize) -> &mut u64 {
    if counts.len() <= plies {
        counts.resize(plies + 1, 0);
    }
    &mut counts[plies]
}

/// Whether the zugzwangs are counted by a metric.
fn says_who_wins(metric: Metric) -> bool {
    matches!(metric, Metric::Wdl | Metric::Dtm | Metric::Thresholds)
}

/// The points of a result without the fifty-move rule.
fn points(result: Wdl) -> i8 {
    result.number().signum()
}

/// The number of placements that are mirror images of one, itself included.
fn orbit(game: Game, index: &Index, squares: &[Square]) -> u64 {
    let geometry = game.geometry();
    let transforms = game.symmetry(index.material()).transforms();
    let images = transforms.map(|transform| {
        let squares = squares.iter().map(|&s| geometry.apply(transform, s));
        let mut image: Vec<_> = index.material().pieces().zip(squares).collect();
        image.sort_unstable();
        image
    });
    images.collect::<BTreeSet<_>>().len() as u64
}
