//! A node that is looked at, and what splitting it amounts to.

use super::Offer;
use super::classes::Classes;

/// A node that is looked at.
pub(super) struct Node<'a> {
    pub(super) looked: &'a [u32],
    pub(super) classes: &'a Classes,
    /// How many samples it has.
    pub(super) total: usize,
    /// How many positions each stands for, with 8 bits after the point.
    pub(super) scale: u64,
}

impl Node<'_> {
    /// What a gain on some samples amounts to on all positions.
    pub(super) fn worth(&self, gain: i64, seen: usize) -> i64 {
        let all = i128::from(gain) * self.total as i128 * i128::from(self.scale);
        ((all / seen as i128) >> 8) as i64
    }

    /// What an offer gains in all.
    pub(super) fn rank(&self, offer: &Offer, seen: usize) -> i64 {
        self.worth(offer.gain, seen) - offer.price as i64
    }
}
