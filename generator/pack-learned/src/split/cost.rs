//! What the values of a node take, by class.

use super::classes::{Classes, LOOSE, TIGHT};
use crate::entropy::{TABLE, about_n_log_n, n_log_n, products};

/// The entropy of counts.
pub(super) fn cost_tight<const K: usize>(counts: &[u32; K]) -> i64 {
    let parts: u64 = counts.iter().map(|&n| n_log_n(u64::from(n))).sum();
    n_log_n(counts.iter().map(|&n| u64::from(n)).sum()) as i64 - parts as i64
}

/// The entropy of counts of which some are free to choose: the widest first,
/// each joins the most frequent that will do.
#[inline]
pub(super) fn cost_loose(counts: &[u32; LOOSE], classes: &Classes) -> i64 {
    let mut sums = *counts;
    for &(class, low, high) in &classes.loose {
        let count = sums[class & (LOOSE - 1)];
        if count == 0 {
            continue;
        }
        sums[class & (LOOSE - 1)] = 0;
        let mut best = low & (LOOSE - 1);
        for exact in low + 1..high {
            if sums[exact & (LOOSE - 1)] > sums[best] {
                best = exact & (LOOSE - 1);
            }
        }
        sums[best] += count;
    }
    let table = products();
    let log = |n: u32| i64::from(table[(n as usize).min(TABLE)]);
    let all: u32 = sums.iter().sum();
    let parts: i64 = sums.iter().map(|&n| log(n)).sum();
    log(all) - parts
}

/// The same for samples that stand for different numbers of positions, by class.
pub(super) fn cost_weighed<const K: usize>(
    counts: &[u32; K],
    weights: &[u64; TIGHT],
    classes: &Classes,
) -> i64 {
    let mut sums: [u64; K] = std::array::from_fn(|class| u64::from(counts[class]) * weights[class]);
    for &(class, low, high) in &classes.loose {
        let sum = std::mem::take(&mut sums[class]);
        let best = (low..high).max_by_key(|&exact| (sums[exact], usize::MAX - exact));
        sums[best.unwrap_or(low)] += sum;
    }
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
