//! Computes logarithms in fixed point, and the price of a split in the model.

use std::sync::LazyLock;

use retrograde_learned::{Domain, Feature};

/// The bits after the binary point.
pub(crate) const POINT: u32 = 10;

/// Counts below this are looked up.
pub(crate) const TABLE: usize = 1 << 16;

static PRODUCTS: LazyLock<Vec<u32>> =
    LazyLock::new(|| (0..=TABLE as u64).map(|n| product(n) as u32).collect());

/// `log2(n)` for n from 1 on, with 24 bits after the point, rounded down.
pub(crate) fn log2(n: u64) -> u64 {
    let whole = n.max(1).ilog2();
    // From 1 to 2, with 63 bits after the point; squaring doubles the
    // logarithm, whose next bit is whether 2 is reached.
    let mut y = n.max(1) << (63 - whole);
    let mut bits = u64::from(whole);
    for _ in 0..24 {
        let square = u128::from(y) * u128::from(y);
        let above = square >> 127 != 0;
        y = (square >> if above { 64 } else { 63 }) as u64;
        bits = bits << 1 | u64::from(above);
    }
    bits
}

/// `n * log2(n)` with [`POINT`] bits after the point, rounded down; 0 for 0.
fn product(n: u64) -> u64 {
    ((u128::from(n) * u128::from(log2(n))) >> (24 - POINT)) as u64
}

/// `n * log2(n)` in bits, [`POINT`] of them after the point; 0 for 0.
#[inline]
pub(crate) fn n_log_n(n: u64) -> u64 {
    match PRODUCTS.get(n as usize) {
        Some(&known) => u64::from(known),
        None => product(n),
    }
}

/// `log2(1 + n / 4096)` for n up to 4096, with 32 bits after the point.
static FRACTIONS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let fraction = |n: u64| (log2(4096 + n) - (12 << 24)) << 8;
    (0..=4096).map(fraction).collect()
});

/// `n * log2(n)` of great numbers (below 2^48), quickly and nearly; 0 for 0.
#[inline]
pub(crate) fn about_n_log_n(n: u64) -> i64 {
    if n <= TABLE as u64 {
        return n_log_n(n) as i64;
    }
    let whole = n.ilog2();
    let place = (n >> (whole - 12) & 0xFFF) as usize;
    // What follows these 12 bits, with 32 after the point.
    let rest = (n << (63 - whole)) << 13 >> 32;
    let fractions = &*FRACTIONS;
    let (below, above) = (fractions[place], fractions[place + 1]);
    let log = (u64::from(whole) << 32) + below + (((above - below) * rest) >> 32);
    ((u128::from(n) * u128::from(log)) >> (32 - POINT)) as i64
}

/// The table itself, for loops.
pub(crate) fn products() -> &'static [u32] {
    &PRODUCTS
}

/// The price of a node and the leaf that it adds in the model, in bits with
/// [`POINT`] after the point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prices {
    /// A node, whatever it asks.
    pub(crate) node: u64,
    /// A leaf, and each symbol that it has.
    pub(crate) leaf: u64,
    /// The price of each symbol of a leaf besides the first.
    pub(crate) symbol: u64,
}

impl Prices {
    /// The least that asking about a feature takes.
    pub(crate) fn least(&self, feature: &Feature) -> u64 {
        self.node
            + match feature.domain {
                Domain::Order => bits(4),
                // As if all values went where their neighbours do.
                Domain::Set { .. } => (u64::from(EVEN * u32::from(feature.size)) << POINT) / 10,
            }
    }

    /// The price of a question.
    pub(crate) fn ask(&self, feature: &Feature, left: u128) -> u64 {
        self.node
            + match feature.domain {
                Domain::Order => bits(4),
                Domain::Set { row } => set_price(left, feature.size, row),
            }
    }
}

/// The price of a value that goes where its neighbours do, in tenths of a bit.
const EVEN: u32 = 3;

/// About what a set takes: values that go where their neighbours do are cheap.
fn set_price(left: u128, size: u8, row: u8) -> u64 {
    let all = u128::MAX >> (128 - u32::from(size.clamp(1, 128)));
    let row = u32::from(row.max(1));
    let mut starts = 0u128;
    for start in (0..u32::from(size)).step_by(row as usize) {
        starts |= 1 << start;
    }
    let below = left << row.min(127) | left & ((1 << row.min(127)) - 1);
    let west = left << 1 & !starts | below & starts;
    let torn = (west ^ below) & all;
    let odd = (west ^ left) & !torn & all;
    let even = u32::from(size) - torn.count_ones() - odd.count_ones();
    let tenths = 10 * torn.count_ones() + 28 * odd.count_ones() + EVEN * even;
    (u64::from(tenths) << POINT) / 10
}

/// Bits as they are counted here.
pub(crate) const fn bits(bits: u64) -> u64 {
    bits << POINT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_right() {
        assert_eq!(log2(1), 0);
        assert_eq!(log2(1 << 40), 40 << 24);
        for n in [3u64, 5, 7, 1000, 65535, 123_456_789, u64::MAX] {
            let right = (n as f64).log2();
            let ours = log2(n) as f64 / f64::from(1 << 24);
            assert!((right - ours).abs() < 1e-6, "{n}: {right} {ours}");
        }
        for n in [65537u64, 99_999, 123_456_789, 5_000_000_011, (1 << 47) - 1] {
            let right = n as f64 * (n as f64).log2();
            let ours = about_n_log_n(n) as f64 / f64::from(1 << POINT);
            assert!(
                (right - ours).abs() < n as f64 * 1e-7,
                "{n}: {right} {ours}"
            );
        }
        assert_eq!(n_log_n(0), 0);
        assert_eq!(n_log_n(1), 0);
        assert_eq!(n_log_n(8), 24 << POINT);
        assert_eq!(n_log_n(1 << 20), (20 << 20) << POINT);
    }
}
