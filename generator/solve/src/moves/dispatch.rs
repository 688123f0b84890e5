//! Retracts quiet moves in code that is compiled for each width of vectors.

use super::super::vector::Work;
use retrograde_rules::Colour;

use super::super::layout::RowAt;
use super::super::word::Word;
use super::{Movement, Mover, Source};

/// A part of the moves of [`Mover::retract`], compiled for each width of vectors. It is a type of
/// its own rather than a closure, because only a type can be inlined there; and it is the only one,
/// because all moves are inlined in it: a lot of code, and every further copy takes time to build.
pub(super) struct Retract<'a, W: Word> {
    pub(super) mover: &'a Mover<'a, W>,
    pub(super) at: &'a RowAt<W>,
    pub(super) side: Colour,
    pub(super) from: Source<'a, W>,
    pub(super) movements: &'a [Movement],
    pub(super) out: &'a mut [W],
}

impl<W: Word> Work for Retract<'_, W> {
    const VECTORS: bool = W::VECTORS;
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Retract {
            mover,
            at,
            side,
            from,
            movements,
            out,
        } = self;
        for movement in movements {
            match movement {
                Movement::Leader => {
                    mover.retract_leader(at, side, from, out);
                    mover.retract_castling(at, side, from, out);
                }
                Movement::Inner => mover.retract_inner(at, side, from, out),
                Movement::Lane => mover.retract_lane(at, side, from, out),
                Movement::Outer => mover.retract_outer(at, side, from, out),
                Movement::Spares => mover.retract_spares(at, side, from, out),
            }
        }
    }
}
