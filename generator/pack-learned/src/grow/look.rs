//! Which samples of a node are looked at.

use crate::palette::Palette;
use crate::rates::Rates;
use crate::samples::Samples;
use crate::split::{FIRST_LOOK, Look, SECOND_LOOK, Weight};

/// The samples of a tree.
pub(super) struct Looker<'a> {
    samples: &'a Samples,
    palette: &'a Palette,
    /// The place of each sample in a pseudorandom order: those that are looked at are
    /// the first ones, while all are in the order in which they are in memory.
    ranks: Vec<u32>,
    rates: Rates,
}

/// A symbol is common in a node if at most one sample in this many has another one.
const COMMON: usize = 8;

impl<'a> Looker<'a> {
    pub(super) fn new(samples: &'a Samples, palette: &'a Palette, rates: Rates) -> Looker<'a> {
        Looker {
            samples,
            palette,
            ranks: samples.ranks(),
            rates,
        }
    }

    /// The place of a sample in the pseudorandom order.
    pub(super) fn rank(&self, sample: u32) -> u32 {
        self.ranks[sample as usize]
    }

    /// All samples of a small node, in pseudorandom order.
    pub(super) fn all(&self, order: &[u32]) -> Look {
        let total = order.len();
        Look {
            samples: order.to_vec(),
            first: FIRST_LOOK,
            total,
            weight: match self.rates.same() {
                Some(scale) => Weight::Same(scale),
                None => Weight::Apart {
                    common: None,
                    factors: [FIRST_LOOK, total].map(|seen| [factor(total, total.min(seen)); 2]),
                },
            },
        }
    }

    /// The first samples of a node in pseudorandom order. If nearly all have the same
    /// symbol, as many of the others as of these: they tell more.
    pub(super) fn some(&self, order: &[u32]) -> Look {
        let total = order.len();
        let (cells, symbols) = (&self.samples.cells, &self.palette.symbols);
        let symbol = |sample: u32| symbols[usize::from(cells[sample as usize])];
        let common = most(order.iter().map(|&sample| symbol(sample)));
        let is_common = |&sample: &u32| symbol(sample) == common;
        let commons = order.iter().filter(|&sample| is_common(sample)).count();
        let others = total - commons;
        let looks = [FIRST_LOOK, SECOND_LOOK];
        if others == 0 || others > total / COMMON {
            let samples = self.picked(order.iter().copied(), total, looks);
            return Look {
                first: FIRST_LOOK,
                weight: match self.rates.same() {
                    Some(scale) => Weight::Same(scale),
                    None => Weight::Apart {
                        common: None,
                        factors: [FIRST_LOOK, samples.len()].map(|seen| [factor(total, seen); 2]),
                    },
                },
                samples,
                total,
            };
        }
        let rare = looks.map(|look| others.min(look / 2));
        let frequent = [0, 1].map(|look| commons.min(looks[look] - rare[look]));
        let rare_samples = order.iter().copied().filter(|sample| !is_common(sample));
        let rare_samples = self.picked(rare_samples, others, rare);
        let frequent_samples =
            self.picked(order.iter().copied().filter(is_common), commons, frequent);
        let (first_rare, later_rare) = rare_samples.split_at(rare[0]);
        let (first_frequent, later_frequent) = frequent_samples.split_at(frequent[0]);
        let factors = |look: usize| [factor(commons, frequent[look]), factor(others, rare[look])];
        Look {
            samples: [first_rare, first_frequent, later_rare, later_frequent].concat(),
            first: rare[0] + frequent[0],
            total,
            weight: Weight::Apart {
                common: Some(common),
                factors: [factors(0), factors(1)],
            },
        }
    }

    /// The first of `len` samples in pseudorandom order, as many as the second look takes,
    /// those of the first look before the others.
    fn picked(
        &self,
        samples: impl Iterator<Item = u32> + Clone,
        len: usize,
        looks: [usize; 2],
    ) -> Vec<u32> {
        let key = |sample: u32| u64::from(self.rank(sample)) << 32 | u64::from(sample);
        let mut keys: Vec<u64> = Vec::new();
        let mut share = looks[1] * 5 / 4 + 16;
        while keys.len() < len.min(looks[1]) {
            // Ranks below this should be enough; those of a node are spread evenly.
            let limit = (self.ranks.len() as u64 * share as u64 / len as u64) << 32;
            keys.clear();
            keys.extend(samples.clone().map(key).filter(|&key| key < limit));
            share *= 2;
        }
        for look in [looks[1], looks[0]] {
            if keys.len() > look {
                keys.select_nth_unstable(look);
            }
            if look == looks[1] {
                keys.truncate(look);
            }
        }
        keys.into_iter().map(|key| key as u32).collect()
    }
}

/// How many samples there are for each that is seen, with 8 bits after the point.
fn factor(there: usize, seen: usize) -> u64 {
    ((there as u64) << 8) / seen.max(1) as u64
}

/// What more than half of the items are, if anything is.
fn most(items: impl Iterator<Item = u16>) -> u16 {
    let (mut most, mut lead) = (0, 0usize);
    for item in items {
        match lead {
            0 => (most, lead) = (item, 1),
            _ if item == most => lead += 1,
            _ => lead -= 1,
        }
    }
    most
}
