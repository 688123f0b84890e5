//! The tally of most claims: some numbers, and samples of some kinds of positions; and what the
//! tallies of all materials add up to.

use std::ops::{Index, IndexMut};

use retrograde_rules::{Material, Position};
use serde_json::Value;

use crate::chart::Bars;
use crate::sample::{Sample, Spread};
use crate::study::{Spot, Tally};

/// `N` numbers and `S` samples.
#[derive(Clone, Debug)]
pub(crate) struct Counts<const N: usize, const S: usize = 0> {
    numbers: [u64; N],
    pub(crate) samples: [Sample; S],
}

impl<const N: usize, const S: usize> Default for Counts<N, S> {
    fn default() -> Self {
        Counts {
            numbers: [0; N],
            samples: std::array::from_fn(|_| Sample::default()),
        }
    }
}

impl<const N: usize, const S: usize> Counts<N, S> {
    /// Offers a position as an example of a kind.
    #[inline]
    pub(crate) fn offer(&mut self, kind: usize, spot: &Spot) {
        self.samples[kind].offer(spot.number(), spot.position);
    }

    /// Offers the image of a position under a swap of the colours, which is not walked to.
    #[inline]
    pub(crate) fn offer_image(&mut self, kind: usize, spot: &Spot, image: &Position) {
        self.samples[kind].offer(!spot.number(), image);
    }

    /// Adds the numbers alone.
    pub(crate) fn add<const R: usize>(&mut self, other: &Counts<N, R>) {
        for (mine, theirs) in self.numbers.iter_mut().zip(other.numbers) {
            *mine += theirs;
        }
    }
}

impl<const N: usize, const S: usize> Index<usize> for Counts<N, S> {
    type Output = u64;

    #[inline]
    fn index(&self, place: usize) -> &u64 {
        &self.numbers[place]
    }
}

impl<const N: usize, const S: usize> IndexMut<usize> for Counts<N, S> {
    #[inline]
    fn index_mut(&mut self, place: usize) -> &mut u64 {
        &mut self.numbers[place]
    }
}

impl<const N: usize, const S: usize> Tally for Counts<N, S> {
    fn merge(&mut self, other: Self) {
        self.add(&other);
        for (mine, theirs) in self.samples.iter_mut().zip(other.samples) {
            mine.merge(theirs);
        }
    }
}

/// What the tallies of some materials add up to, and what is told of each.
pub(crate) struct Sums<const N: usize, const S: usize> {
    numbers: Counts<N>,
    pub(crate) spreads: [Spread; S],
    pub(crate) rows: Vec<Value>,
    pub(crate) bars: Bars,
}

impl<const N: usize, const S: usize> Default for Sums<N, S> {
    fn default() -> Self {
        Sums {
            numbers: Counts::default(),
            spreads: std::array::from_fn(|_| Spread::default()),
            rows: Vec::new(),
            bars: Bars::default(),
        }
    }
}

impl<const N: usize, const S: usize> Sums<N, S> {
    /// Adds the tally of a material.
    pub(crate) fn add(&mut self, material: &Material, tally: Counts<N, S>) {
        self.numbers.add(&tally);
        for (spread, sample) in self.spreads.iter_mut().zip(tally.samples) {
            spread.add(material, sample);
        }
    }

    /// Adds the sums over other materials.
    pub(crate) fn append(&mut self, other: Sums<N, S>) {
        self.numbers.add(&other.numbers);
        for (spread, more) in self.spreads.iter_mut().zip(other.spreads) {
            spread.extend(more);
        }
        self.rows.extend(other.rows);
        self.bars.extend(other.bars);
    }
}

impl<const N: usize, const S: usize> Index<usize> for Sums<N, S> {
    type Output = u64;

    #[inline]
    fn index(&self, place: usize) -> &u64 {
        &self.numbers[place]
    }
}
