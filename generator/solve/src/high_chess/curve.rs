//! The curves of positions, each kept once.
//!
//! Let D(n) be the least vitality W with which White wins at W + b = n, Black
//! having b. Because more vitality never hurts, D(n + 1) is D(n) or one more:
//! the rises from D(1) = 1 on are those of the walk that [`ThresholdCurve`] are.

use std::collections::HashMap;

use rayon::prelude::*;
use retrograde_index::ThresholdCurve;

use super::super::UNUSED;

/// The walk of a position: bit n - 2 is set if D(n) is more than D(n - 1).
pub(super) type Walk = u128;

/// A number for every position, and what the numbers stand for.
#[derive(Default)]
pub(super) struct Curves {
    numbers: HashMap<Walk, u32>,
    pub(super) list: Vec<Walk>,
}

impl Curves {
    /// The thresholds, by their numbers.
    pub(super) fn thresholds(&self, full: u8) -> Vec<ThresholdCurve> {
        let walks = self.list.iter();
        walks
            .map(|&walk| ThresholdCurve::from_rises(full, walk))
            .collect()
    }

    pub(super) fn number(&mut self, walk: Walk) -> u32 {
        if self.list.len() == UNUSED as u16 as usize {
            // No position may have the value that means none.
            self.list.push(0);
        }
        let next = self.list.len() as u32;
        let number = *self.numbers.entry(walk).or_insert(next);
        if number == next {
            self.list.push(walk);
        }
        number
    }
}

/// Gathers the walks of all positions of a level: `rises` holds the bits of
/// every sum from 2 on, each with `words` words a block of `size` positions.
/// Calls `put(block, numbers)` for every block, in order; the numbers do not
/// depend on the threads.
pub(super) fn gather(
    rises: &[Vec<u64>],
    size: usize,
    walks: &mut Curves,
    mut put: impl FnMut(usize, &[u32]),
) {
    let words = size.div_ceil(64);
    let blocks = rises.first().map_or(0, |first| first.len() / words);
    // Blocks are numbered apart, some at a time, then made one.
    const BATCH: usize = 64;
    for first in (0..blocks).step_by(BATCH) {
        let batch: Vec<(Vec<u32>, Vec<Walk>)> = (first..(first + BATCH).min(blocks))
            .into_par_iter()
            .map(|block| {
                let mut own = Curves::default();
                let mut numbers = Vec::with_capacity(size);
                let mut last = (0, own.number(0));
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
                        let walk = Walk::from(low[position]) | Walk::from(high[position]) << 64;
                        if walk != last.0 {
                            last = (walk, own.number(walk));
                        }
                        numbers.push(last.1);
                    }
                }
                (numbers, own.list)
            })
            .collect();
        for (place, (mut numbers, list)) in batch.into_iter().enumerate() {
            let names: Vec<u32> = list.into_iter().map(|walk| walks.number(walk)).collect();
            for number in &mut numbers {
                *number = names[*number as usize];
            }
            put(first + place, &numbers);
        }
    }
}

/// Turns a square of 64x64 bits (Warren, Hacker's Delight, 7-3).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_walk_has_the_number_of_no_position() {
        let mut walks = Curves::default();
        for walk in 0..40_000_u128 {
            let number = walks.number(walk * 3);
            assert_ne!(number as u16 as i16, UNUSED);
            assert_eq!(walks.list[number as usize], walk * 3);
            assert_eq!(walks.number(walk * 3), number);
        }
        assert_eq!(walks.list.len(), 40_001);
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
