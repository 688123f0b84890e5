//! Gathers the points of vitality that each position takes to win, as curves over the other
//! side's points, and keeps each curve once.
//!
//! Let D(n) be the least vitality W with which White wins at W + b = n, Black
//! having b. Because more vitality never hurts, D(n + 1) is D(n) or one more:
//! the rises from D(1) = 1 on are those of which a [`ThresholdCurve`] is made.

use std::collections::HashMap;

use retrograde_index::{Index, ThresholdCurve};
use retrograde_rules::CounterRange;

use super::super::parallel::map;
use super::super::read::UNUSED;

/// The curve of a position: bit n - 2 is set if D(n) is more than D(n - 1).
pub(super) type CurveBits = u128;

/// The curves that occur, each once.
#[derive(Default)]
pub(super) struct Curves {
    indices: HashMap<CurveBits, u32>,
    pub(super) list: Vec<CurveBits>,
}

impl Curves {
    /// All curves, as thresholds.
    pub(super) fn to_curves(&self, counters: CounterRange) -> Vec<ThresholdCurve> {
        let curves = self.list.iter();
        curves
            .map(|&curve| ThresholdCurve::from_rises(counters, curve))
            .collect()
    }

    pub(super) fn index_of(&mut self, curve: CurveBits) -> u32 {
        if self.list.len() == UNUSED as u16 as usize {
            // No position may have the value that means none.
            self.list.push(0);
        }
        let next = self.list.len() as u32;
        let index = *self.indices.entry(curve).or_insert(next);
        if index == next {
            self.list.push(curve);
        }
        index
    }
}

/// Gathers the curves of all positions of a level: `rises` holds the bits of every sum from
/// 2 on, each with `words` words per block of `size` positions. Calls `put(block, indices)`
/// for every block, in order, with the index of each position's curve; the indices do not
/// depend on the threads.
pub(super) fn gather(
    rises: &[Vec<u64>],
    size: usize,
    curves: &mut Curves,
    mut put: impl FnMut(usize, &[u32]),
) {
    let words = size.div_ceil(64);
    let blocks = rises.first().map_or(0, |first| first.len() / words);
    // Blocks are numbered separately, some at a time, and then combined.
    const BATCH: usize = 64;
    for first in (0..blocks).step_by(BATCH) {
        let batch = map(first..(first + BATCH).min(blocks), |block| {
            let mut own = Curves::default();
            let mut indices = Vec::with_capacity(size);
            let mut last = (0, own.index_of(0));
            for word in 0..words {
                let positions = (size - word * 64).min(64);
                let bits = |n: usize| match rises.get(n) {
                    Some(plane) => plane[block * words + word],
                    None => 0,
                };
                let mut low = std::array::from_fn(bits);
                let mut high = std::array::from_fn(|n| bits(64 + n));
                transpose(&mut low);
                transpose(&mut high);
                for position in 0..positions {
                    let curve =
                        CurveBits::from(low[position]) | CurveBits::from(high[position]) << 64;
                    if curve != last.0 {
                        last = (curve, own.index_of(curve));
                    }
                    indices.push(last.1);
                }
            }
            (indices, own.list)
        });
        for (place, (mut indices, list)) in batch.into_iter().enumerate() {
            let names: Vec<u32> = list
                .into_iter()
                .map(|curve| curves.index_of(curve))
                .collect();
            for index in &mut indices {
                *index = names[*index as usize];
            }
            put(first + place, &indices);
        }
    }
}

/// Transposes 64x64 bits (Warren, Hacker's Delight, 7-3).
fn transpose(rows: &mut [u64; 64]) {
    let mut half = 32;
    let mut mask = 0x0000_0000_FFFF_FFFF_u64;
    while half > 0 {
        let mut low = 0;
        while low < 64 {
            let swap = (rows[low] >> half ^ rows[low + half]) & mask;
            rows[low + half] ^= swap;
            rows[low] ^= swap << half;
            low = (low + half + 1) & !half;
        }
        half /= 2;
        mask ^= mask << half;
    }
}

/// The answers of a material by side to move, in the order of its index and as tables store them:
/// indices that stand for no position have any value.
#[derive(Clone, Copy)]
pub struct KnownCurves<'a> {
    /// The index.
    pub index: &'a Index,
    /// Values of [`Metric::Thresholds`](retrograde_index::Metric::Thresholds)
    /// as places among `curves`.
    pub curve_of: &'a [Vec<u32>; 2],
    /// The curves that these stand for.
    pub curves: &'a [ThresholdCurve],
    /// Values of [`Metric::Mates`](retrograde_index::Metric::Mates).
    pub mates: &'a [Vec<i16>; 2],
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_curve_has_the_index_of_no_position() {
        let mut curves = Curves::default();
        for curve in 0..40_000_u128 {
            let index = curves.index_of(curve * 3);
            assert_ne!(index as u16 as i16, UNUSED);
            assert_eq!(curves.list[index as usize], curve * 3);
            assert_eq!(curves.index_of(curve * 3), index);
        }
        assert_eq!(curves.list.len(), 40_001);
    }

    #[test]
    fn transposed_bits() {
        let rows: [u64; 64] =
            std::array::from_fn(|n| (n as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut turned = rows;
        transpose(&mut turned);
        for row in 0..64 {
            for bit in 0..64 {
                assert_eq!(turned[bit] >> row & 1, rows[row] >> bit & 1);
            }
        }
    }
}
