//! Quiet moves, compiled for each width of vectors.

use pulp::NullaryFnOnce;
use retrograde_rules::Colour;

use super::super::layout::RowAt;
use super::super::squares::filled;
use super::super::word::Word;
use super::{Mover, Source};

/// [`Mover::retract`], compiled for each width of vectors. It is a type of its
/// own rather than a closure, because only so it can be inlined there.
pub(super) struct Retract<'a, W: Word> {
    pub(super) mover: &'a Mover<'a, W>,
    pub(super) at: &'a RowAt<W>,
    pub(super) side: Colour,
    pub(super) from: Source<'a, W>,
    pub(super) out: &'a mut [W],
}

impl<W: Word> NullaryFnOnce for Retract<'_, W> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Retract {
            mover,
            at,
            side,
            from,
            out,
        } = self;
        mover.retract_here(at, side, from, out);
    }
}

/// [`Mover::remove_predecessors`], likewise.
pub(super) struct RemovePredecessors<'a, W: Word> {
    pub(super) mover: &'a Mover<'a, W>,
    pub(super) at: &'a RowAt<W>,
    pub(super) side: Colour,
    pub(super) from: Source<'a, W>,
    pub(super) held: &'a mut [W],
}

impl<W: Word> NullaryFnOnce for RemovePredecessors<'_, W> {
    type Output = bool;

    #[inline(always)]
    fn call(self) -> bool {
        let RemovePredecessors {
            mover,
            at,
            side,
            mut from,
            held,
        } = self;
        let mut row = W::EMPTY_ROW;
        let out = &mut row.as_mut()[..held.len()];
        let stages = if mover.layout.has_spare_moves { 5 } else { 4 };
        for stage in 0..stages {
            from.wanted = filled(held);
            if from.wanted.is_empty() {
                return false;
            }
            match stage {
                0 => {
                    mover.retract_leader(at, side, from, out);
                    mover.retract_castling(at, side, from, out);
                }
                1 => mover.retract_inner(at, side, from, out),
                2 => mover.retract_lane(at, side, from, out),
                3 => mover.retract_outer(at, side, from, out),
                _ => mover.retract_spares(at, side, from, out),
            }
            for (held, out) in held.iter_mut().zip(&*out) {
                *held &= !*out;
            }
        }
        held.iter().any(|word| !word.is_empty())
    }
}
