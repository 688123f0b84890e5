//! What splits take in the model.

use retrograde_learned::{Domain, Feature};

use crate::entropy::POINT;

/// What a node and the leaf that it adds take in the model, in bits with
/// [`POINT`] after the point.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prices {
    /// Whatever is asked.
    pub(crate) node: u64,
    /// A leaf, and each symbol that it has.
    pub(crate) leaf: u64,
    /// Each symbol of a leaf besides the first.
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

    /// What is asked, in bits as they are counted here.
    pub(crate) fn ask(&self, feature: &Feature, left: u128) -> u64 {
        self.node
            + match feature.domain {
                Domain::Order => bits(4),
                Domain::Set { row } => set_price(left, feature.size, row),
            }
    }
}

/// What a value takes that goes where its neighbours do, in tenths of a bit.
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
