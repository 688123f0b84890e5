//! Finds the positions of a word whose captures and promotions take effect at a ply.
//!
//! A word remembers only the first coming ply that its cells name, so that at other plies
//! the cells, which are far away in memory, are not read.

use super::depth::Depth;
use super::word::Word;

/// The positions whose cells name `ply`, and the first later ply named, [`Depth::NONE`] if
/// there is none. Cells of decided positions may be among them, at no cost but an
/// unnecessary read.
#[inline(always)]
pub(crate) fn falling<W: Word, D: Depth>(cells: &[D], ply: D) -> (W, D) {
    let (mut fallen, mut next) = (W::ZERO, D::NONE);
    for (bit, &cell) in cells.iter().enumerate() {
        if cell == ply {
            fallen |= W::of(bit);
        }
    }
    for &cell in cells {
        next = next.min(if cell > ply { cell } else { D::NONE });
    }
    (fallen, next)
}

/// Notes that a conversion of a word falls due at `ply`.
#[inline(always)]
pub(crate) fn note<D: Depth>(due: &mut D, ply: usize) {
    *due = D::of(ply).min(*due);
}
