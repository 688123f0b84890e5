//! Finds the positions of a row in which a given piece is royal.
//!
//! A royal piece may not be attacked after its side's move. Which pieces are royal depends on the
//! placement alone.

use super::layout::{Layout, Role, RowAt};
use super::royals::Royals;
use super::steps::Step;
use super::word::Word;

/// The squares that come after a square.
#[inline(always)]
fn after<W: Word>(board: W::Board, square: usize, (files, ranks): Step) -> W {
    let here = W::of(square);
    let up = here.slide(W::ALL, W::step(board, 0, 1));
    let down = here.slide(W::ALL, W::step(board, 0, -1));
    let beyond = if ranks > 0 { up } else { down };
    beyond | (here | up | down).slide(W::ALL, W::step(board, files, 0))
}

/// The positions of a row in which a piece, one of the candidates of its side, is royal. May
/// include positions that do not exist.
#[inline(never)]
pub(crate) fn royal<W: Word>(layout: &Layout, at: &RowAt<W>, piece: usize) -> W::Row {
    let mut row = W::EMPTY_ROW;
    let words = &mut row.as_mut()[..layout.lanes];
    words.fill(W::ALL);
    let Royals::First(order) = &layout.royals else {
        return row;
    };
    let side = layout.pieces[piece].colour.index();
    let way = order.ways[side];
    let back = (-way.0, -way.1);
    let mine = layout.role(at, piece);
    for &other in order.kings[side].iter().filter(|&&other| other != piece) {
        // Where the other king comes after this one.
        match (mine, layout.role(at, other)) {
            (Role::Fixed(here), Role::Fixed(there)) => {
                if !after::<W>(at.board, here, way).has(there) {
                    words.fill(W::ZERO);
                }
            }
            (Role::Fixed(here), Role::Lane) => {
                let later = after::<W>(at.board, here, way);
                for (lane, word) in words.iter_mut().enumerate() {
                    if !later.has(lane) {
                        *word = W::ZERO;
                    }
                }
            }
            (Role::Lane, Role::Fixed(there)) => {
                let earlier = after::<W>(at.board, there, back);
                for (lane, word) in words.iter_mut().enumerate() {
                    if !earlier.has(lane) {
                        *word = W::ZERO;
                    }
                }
            }
            (Role::Fixed(here), Role::Inner) => {
                let later = after::<W>(at.board, here, way);
                words.iter_mut().for_each(|word| *word &= later);
            }
            (Role::Inner, Role::Fixed(there)) => {
                let earlier = after::<W>(at.board, there, back);
                words.iter_mut().for_each(|word| *word &= earlier);
            }
            (Role::Lane, _) => {
                for (lane, word) in words.iter_mut().enumerate() {
                    *word &= after::<W>(at.board, lane, way);
                }
            }
            (Role::Inner, _) => {
                for (lane, word) in words.iter_mut().enumerate() {
                    *word &= after::<W>(at.board, lane, back);
                }
            }
        }
    }
    row
}
