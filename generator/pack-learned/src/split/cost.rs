//! What the values of a node take, by class.

use super::classes::MOST;
use crate::entropy::{about_n_log_n, n_log_n};

/// How many positions a sample of each class stands for, with 8 bits after the point;
/// nothing if that is the same for all.
pub(super) type Weights = Option<[u64; MOST]>;

/// The entropy of counts of samples, or of the positions that they stand for if there are
/// weights.
#[inline]
pub(super) fn cost<const K: usize>(counts: &[u32; K], weights: &Weights) -> i64 {
    let Some(weights) = weights else {
        let parts: u64 = counts.iter().map(|&n| n_log_n(u64::from(n))).sum();
        return n_log_n(counts.iter().map(|&n| u64::from(n)).sum()) as i64 - parts as i64;
    };
    let sums: [u64; K] = std::array::from_fn(|class| u64::from(counts[class]) * weights[class]);
    let parts: i64 = sums.iter().map(|&n| about_n_log_n(n)).sum();
    about_n_log_n(sums.iter().sum()) - parts
}

/// Visits the counts of a bin that are not 0; most are.
#[inline]
pub(super) fn each<const K: usize>(counts: &[u16; K], mut visit: impl FnMut(usize, u32)) {
    for (four, counts) in counts.as_chunks::<4>().0.iter().enumerate() {
        let [a, b, c, d] = counts.map(u64::from);
        let mut left = a | b << 16 | c << 32 | d << 48;
        while left != 0 {
            let lane = left.trailing_zeros() / 16;
            visit(
                4 * four + lane as usize,
                (left >> (16 * lane)) as u16 as u32,
            );
            left &= !(0xFFFF << (16 * lane));
        }
    }
}
