//! Which samples of a node are looked at.

use crate::rates::Rates;
use crate::samples::{Samples, scramble};
use crate::split::{FIRST_LOOK, Look, SECOND_LOOK, Weight};

/// The samples of a tree.
pub(super) struct Looker<'a> {
    samples: &'a Samples,
    rates: Rates,
}

/// A symbol is common in a node if at most one sample in this many has another one.
const COMMON: usize = 8;

impl<'a> Looker<'a> {
    pub(super) fn new(samples: &'a Samples, rates: Rates) -> Looker<'a> {
        Looker { samples, rates }
    }

    /// Samples that stand for all `total` of a node, each for as many.
    fn alike(&self, mut samples: Vec<u32>, total: usize) -> Look {
        ahead(&mut samples, FIRST_LOOK);
        let seen = samples.len();
        Look {
            samples,
            first: FIRST_LOOK,
            total,
            weight: match self.rates.same() {
                Some(scale) => Weight::Same(scale),
                None => Weight::Apart {
                    common: None,
                    factors: [FIRST_LOOK.min(seen), seen].map(|seen| [factor(total, seen); 2]),
                },
            },
        }
    }

    /// Samples from everywhere in a node. If nearly all have the same symbol, as many of the
    /// others as of these: they tell more.
    pub(super) fn some(&self, order: &[u32]) -> Look {
        let total = order.len();
        let symbol = |sample: u32| self.samples.symbols[sample as usize];
        let drawn = spread(order, SECOND_LOOK);
        let common = most(drawn.iter().map(|&sample| symbol(sample)));
        let is_other = |sample: &u32| symbol(*sample) != common;
        if drawn.iter().filter(|s| is_other(s)).count() > drawn.len() / COMMON {
            return self.alike(drawn, total);
        }
        let (others, commons): (Vec<u32>, Vec<u32>) = order.iter().partition(|s| is_other(s));
        if others.is_empty() {
            return self.alike(drawn, total);
        }
        let looks = [FIRST_LOOK, SECOND_LOOK];
        let rare = looks.map(|look| others.len().min(look / 2));
        let frequent = [0, 1].map(|look| commons.len().min(looks[look] - rare[look]));
        let seen = |samples: &[u32], counts: [usize; 2]| {
            let mut seen = spread(samples, counts[1]);
            ahead(&mut seen, counts[0]);
            seen
        };
        let (rare_samples, frequent_samples) = (seen(&others, rare), seen(&commons, frequent));
        let (first_rare, later_rare) = rare_samples.split_at(rare[0]);
        let (first_frequent, later_frequent) = frequent_samples.split_at(frequent[0]);
        let factors = |look: usize| {
            [
                factor(commons.len(), frequent[look]),
                factor(others.len(), rare[look]),
            ]
        };
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
}

/// `count` of some samples, one from each of as many equal stretches; all if there are no more.
fn spread(samples: &[u32], count: usize) -> Vec<u32> {
    match samples.len() > count {
        true => places(count, samples.len())
            .map(|place| samples[place])
            .collect(),
        false => samples.to_vec(),
    }
}

/// Puts `count` of some samples, one from each of as many equal stretches, before the others.
fn ahead(samples: &mut [u32], count: usize) {
    if samples.len() > count {
        let places = places(count, samples.len()).enumerate();
        places.for_each(|(part, place)| samples.swap(part, place));
    }
}

/// A place in each of `count` equal stretches of `len` places. Which one is a matter of chance:
/// neighbours have much in common.
fn places(count: usize, len: usize) -> impl Iterator<Item = usize> {
    let end = move |part: u64| (part + 1) * len as u64 / count as u64;
    let mut next = 0;
    (0..count as u64).map(move |part| {
        let here = std::mem::replace(&mut next, end(part));
        let chance = scramble(part, 2) >> 32;
        (here + ((chance * (next - here)) >> 32)) as usize
    })
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
