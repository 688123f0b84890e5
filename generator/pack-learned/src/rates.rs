//! How many positions samples stand for: those that are rare are picked more often.

use crate::positions::Positions;
use crate::samples::scramble;

/// How many positions a sample stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rates {
    /// The symbol that nearly all positions have, if there is one: so that there
    /// are enough of the others, these are picked more often.
    common: Option<u16>,
    /// The positions that a sample with the common symbol, and any other, stands for, with
    /// 8 bits after the point.
    scales: [u64; 2],
}

impl Rates {
    /// A symbol is common if at most one position in this many has another one.
    const COMMON: u64 = 8;

    /// Each sample stands for one position.
    pub(crate) fn each_once() -> Rates {
        Rates {
            common: None,
            scales: [1 << 8; 2],
        }
    }

    /// How many positions a sample with this symbol stands for.
    #[inline]
    pub(crate) fn scale(&self, symbol: u16) -> u64 {
        self.scales[usize::from(self.common != Some(symbol))]
    }

    /// The number that all samples stand for, if it is the same for all.
    pub(crate) fn same(&self) -> Option<u64> {
        let [common, others] = self.scales;
        (self.common.is_none() || common == others).then_some(others)
    }
}

/// Which positions become samples.
pub(crate) struct Picks {
    common: Option<u16>,
    /// How many positions there are with the common symbol, and with others.
    positions: [u64; 2],
    /// Of these, those become samples whose number is not above this.
    limits: [u64; 2],
}

impl Picks {
    /// All positions whose value matters, or about `most` of them, half of which at most
    /// have another symbol than a common one.
    pub(crate) fn new(positions: &Positions, most: u64) -> Picks {
        let total = positions.total();
        let counts = (0..=u16::MAX).zip(positions.counts());
        match counts.max_by_key(|&(symbol, count)| (count, !symbol)) {
            Some((symbol, &count)) if total - count <= total / Rates::COMMON => {
                let others = (total - count).min(most / 2);
                Picks::of(
                    Some(symbol),
                    [(count, most - others), (total - count, others)],
                )
            }
            _ => Picks::even(positions, most),
        }
    }

    /// All positions whose value matters, or about `most` of them, all of them equally
    /// likely.
    pub(crate) fn even(positions: &Positions, most: u64) -> Picks {
        Picks::of(None, [(0, 0), (positions.total(), most)])
    }

    /// So many of so many positions.
    fn of(common: Option<u16>, parts: [(u64, u64); 2]) -> Picks {
        let limit = |(all, picked): (u64, u64)| match picked < all {
            true => (u128::from(u64::MAX) * u128::from(picked) / u128::from(all)) as u64,
            false => u64::MAX,
        };
        Picks {
            common,
            positions: parts.map(|(all, _)| all),
            limits: parts.map(limit),
        }
    }

    /// Whether the position of an index becomes a sample, if it has this symbol.
    pub(crate) fn has(&self, index: u64, symbol: u16) -> bool {
        scramble(index, 1) <= self.limits[usize::from(self.common != Some(symbol))]
    }

    /// How many positions the samples stand for, given their symbols.
    pub(crate) fn rates(&self, symbols: &[u16]) -> Rates {
        let mut picked = [0u64; 2];
        for &symbol in symbols {
            picked[usize::from(self.common != Some(symbol))] += 1;
        }
        Rates {
            common: self.common,
            scales: std::array::from_fn(|part| (self.positions[part] << 8) / picked[part].max(1)),
        }
    }
}
