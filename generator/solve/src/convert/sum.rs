//! Computes to which places of a successor the positions of a row lead by a conversion.
//!
//! The places are sums of contributions of each piece's square.

use super::super::layout::{Layout, RowAt};
use super::super::new_leaders::Spot;
use super::super::score::Score;
use super::super::successor::View;
use super::super::word::{BoardShape, Word};

/// The contributions of the pieces outside and inside a row to a place in a successor.
pub(in super::super) struct Sum {
    pub(in super::super) base: usize,
    pub(in super::super) by_lane: [u32; 128],
    pub(in super::super) by_bit: [u32; 128],
}

/// A table for the squares that lie `by` further on.
#[inline(always)]
fn moved(table: &[u32; 128], squares: usize, by: isize) -> [u32; 128] {
    let mut moved = [0; 128];
    for (square, entry) in moved[..squares].iter_mut().enumerate() {
        let there = square.checked_add_signed(by);
        if let Some(there) = there.filter(|&there| there < squares) {
            *entry = table[there];
        }
    }
    moved
}

/// The places in the successor of the positions of a row, with the mover on `to` and one piece left
/// out.
#[inline(always)]
pub(in super::super) fn sum<W: Word>(
    layout: &Layout,
    view: &View<'_>,
    at: &RowAt<W>,
    (mover, to): (usize, Spot),
    left_out: Option<usize>,
) -> Sum {
    let mut sum = Sum {
        base: 0,
        by_lane: [0; 128],
        by_bit: [0; 128],
    };
    let squares = at.board.squares();
    for (place, coordinate) in layout.coordinates.iter().enumerate() {
        let piece = coordinate.piece;
        if Some(piece) == left_out {
            continue;
        }
        let Some(table) = &view.tables[piece] else {
            continue;
        };
        let spot = if piece == mover {
            to
        } else {
            at.role(layout, place).into()
        };
        match spot {
            Spot::Fixed(square) => sum.base += table[square] as usize,
            Spot::Lane(0) => add(&mut sum.by_lane, table, squares),
            Spot::Inner(0) => add(&mut sum.by_bit, table, squares),
            Spot::Lane(by) => add(&mut sum.by_lane, &moved(table, squares, by), squares),
            Spot::Inner(by) => add(&mut sum.by_bit, &moved(table, squares, by), squares),
        }
    }
    sum
}

#[inline(always)]
fn add(to: &mut [u32; 128], table: &[u32; 128], squares: usize) {
    for (to, entry) in to[..squares].iter_mut().zip(table) {
        *to += entry;
    }
}

/// Raises the scores of the positions in `mask` that are `placed` to those of a view.
#[inline(always)]
pub(in super::super) fn raise_where<W: Word>(
    sum: &Sum,
    view: &View<'_>,
    placed: &[W],
    mask: &[W],
    layout: &Layout,
    scores: &mut [Score],
) {
    let squares = layout.board::<W>().squares();
    for lane in 0..layout.lanes {
        let mut set = mask[lane] & placed[lane];
        if set.is_empty() {
            continue;
        }
        let base = sum.base + sum.by_lane[lane] as usize;
        let out = &mut scores[lane * squares..][..squares];
        while !set.is_empty() {
            let bit = set.pop();
            let score = view.scores[base + sum.by_bit[bit] as usize];
            out[bit] = out[bit].max(score);
        }
    }
}
