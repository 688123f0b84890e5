//! Who wins, layer by layer. A layer is all states whose counters have one
//! total: a turn that costs a point leads to the layer before, a free one
//! stays, a vital one leads out of the place. What is known of a place and a
//! turn is one bit for each number of White's points; Black has the rest.
//!
//! The layers hold finished games, too: those in which the side that has just
//! moved has no points left (H6).

use super::super::state::Side;
use super::quiet::{Quiet, Status};
use super::rules::distance;

/// A set of White's points, as it is stored.
pub(crate) trait Cell: Copy + Default {
    fn bits(self) -> u64;
    fn of(bits: u64) -> Self;
}

impl Cell for u64 {
    fn bits(self) -> u64 {
        self
    }
    fn of(bits: u64) -> u64 {
        bits
    }
}

/// For full counters of at most 7.
impl Cell for u8 {
    fn bits(self) -> u64 {
        u64::from(self)
    }
    fn of(bits: u64) -> u8 {
        u8::try_from(bits).expect("few points")
    }
}

/// The set of all points from `least` on.
pub(crate) fn from(least: u8) -> u64 {
    u64::MAX.checked_shl(u32::from(least)).unwrap_or(0)
}

/// The set of one number of points.
fn just(points: u8) -> u64 {
    from(points) & !from(points + 1)
}

/// The thresholds of all states of a place, one after the other.
pub(crate) fn thresholds<C: Cell>(quiet: &Quiet, full: u8) -> Vec<u8> {
    let mut lists = vec![full + 1; quiet.len() * usize::from(full)];
    let mut before = vec![C::default(); quiet.len()];
    let mut now = before.clone();
    let blocks = order(quiet);
    let may_be_free = |&(first, last): &(usize, usize)| {
        (first..last).any(|index| quiet.targets(index).any(|targets| targets.free != 0))
    };
    let free: Vec<(usize, usize)> = blocks.iter().copied().filter(may_be_free).collect();
    for total in 1..=2 * full {
        let layer = Layer { quiet, full, total };
        // Free turns cannot form a cycle (H8), so this comes to rest, and where
        // it does depends on nothing that was there before. The order of the
        // blocks only makes few rounds of it.
        let mut round = &blocks;
        while layer.round(round, &before, &mut now) {
            // Where nothing is free, one look at the layer before does.
            round = &free;
        }
        for index in 0..quiet.len() {
            let (earlier, later) = (before[index].bits(), now[index].bits());
            layer.check_monotone(index, earlier, later);
            // White wins with so many points, but not with one less while
            // Black has the same.
            let least = later & !((earlier & !1) << 1) & !1;
            for white in (1..=full).filter(|white| least >> white & 1 != 0) {
                let black = total - white;
                if black > 0 {
                    lists[index * usize::from(full) + usize::from(black) - 1] = white;
                }
            }
        }
        std::mem::swap(&mut before, &mut now);
    }
    lists
}

/// The indices in blocks of the same turn and kings, so ordered that a free
/// turn leads to an earlier block: a free turn of White ends with its king
/// nearer than Black's, one of Black's with its king no farther than White's.
fn order(quiet: &Quiet) -> Vec<(usize, usize)> {
    let block = quiet.len() / (2 * 64 * 64);
    let mut blocks: Vec<usize> = (0..quiet.len()).step_by(block).collect();
    blocks.sort_by_key(|&first| {
        let [white, black] = quiet.kings(first).map(distance);
        match quiet.turn(first) {
            Side::White => 2 * black,
            Side::Black => 2 * white + 1,
        }
    });
    blocks.iter().map(|&first| (first, first + block)).collect()
}

struct Layer<'a> {
    quiet: &'a Quiet,
    full: u8,
    total: u8,
}

impl Layer<'_> {
    /// White's points for which neither side has more than a full counter.
    fn possible(&self) -> u64 {
        from(self.total.saturating_sub(self.full)) & !from(self.full.min(self.total) + 1)
    }

    /// Works out the states of some blocks; says whether something changed.
    fn round<C: Cell>(&self, blocks: &[(usize, usize)], before: &[C], now: &mut [C]) -> bool {
        let mut changed = false;
        for index in blocks.iter().flat_map(|&(first, last)| first..last) {
            if self.quiet.status[index] != Status::Illegal {
                let bits = self.wins(index, before, now);
                changed |= bits != now[index].bits();
                now[index] = C::of(bits);
            }
        }
        changed
    }

    /// The points with which White wins.
    fn wins<C: Cell>(&self, index: usize, before: &[C], now: &[C]) -> u64 {
        let Layer { quiet, total, .. } = *self;
        let vital = quiet.vital[index].wins;
        let mated = quiet.status[index] == Status::Mated;
        let mut bits;
        match quiet.turn(index) {
            Side::White if mated => bits = 0,
            Side::White => {
                bits = match vital {
                    0 => 0,
                    most => from(total.saturating_sub(most)),
                };
                for targets in quiet.targets(index) {
                    for to in targets.to(targets.free) {
                        bits |= now[to].bits();
                    }
                    for to in targets.to(targets.paid) {
                        bits |= before[to].bits() << 1;
                    }
                }
                // Black has just used up its last point; White never has none
                // on its turn.
                bits = (bits | just(total)) & !1;
            }
            Side::Black => {
                bits = if mated { u64::MAX } else { from(vital) };
                for targets in quiet.targets(index) {
                    for to in targets.to(targets.free) {
                        bits &= now[to].bits();
                    }
                    for to in targets.to(targets.paid) {
                        bits &= before[to].bits();
                    }
                }
                // White has just used up its last point, if it did not mate;
                // Black never has none on its turn.
                if !mated {
                    bits &= !1;
                }
                bits &= !just(total);
            }
        }
        bits & self.possible()
    }

    /// Neither more points of White's own nor fewer of Black's ever hurt White.
    fn check_monotone(&self, index: usize, earlier: u64, later: u64) {
        let one_more = earlier << 1 & self.possible();
        assert_eq!(one_more & !later, 0, "{index}: a point more loses");
        let black = match self.quiet.turn(index) {
            Side::White => 1,
            Side::Black => 2,
        };
        // Black can give one away if it has so many.
        let can = !from((self.total + 1).saturating_sub(black));
        assert_eq!(
            later & can & !earlier,
            0,
            "{index}: a point less of Black's loses"
        );
    }
}
