//! Positions with an en-passant right open, inside the grid.
//!
//! A pawn never stands on its own side's first rank, so those squares are
//! free to mean: "this pawn stands three ranks further on and has just made
//! its double step". Only the pusher's step leads into such a position. Its
//! moves are those of the same placement without the right (its *base*), and
//! the captures en passant, which are conversions.

use retrograde_rules::{Colour, Kind};

use super::layout::Layout;
use super::squares::{ahead, first_rank, rank, thrice};
use super::word::Word;

/// A word of a block that can hold positions with a right open.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenWord {
    /// The word, counted from the start of the block.
    pub(crate) word: usize,
    /// The word that holds the same placements without the right.
    pub(crate) base: usize,
    /// Set if the pawn is the inner man: both are the same word then, and his
    /// bits move this many ranks from the base.
    inner_ranks: Option<i32>,
}

impl OpenWord {
    /// The positions of the base word, seen where they have the right open.
    #[inline(always)]
    pub(crate) fn carry<W: Word>(&self, base: W) -> W {
        match self.inner_ranks {
            None => base,
            Some(ranks) => {
                let home = rank::<W>(if ranks < 0 { 0 } else { W::RANKS - 1 });
                thrice(base, ranks.signum()) & home
            }
        }
    }
}

/// The words of a block that can hold positions with a right open after a
/// double step of `pusher`.
pub(crate) fn open_words<W: Word>(layout: &Layout, pusher: Colour) -> Vec<OpenWord> {
    let mut list = Vec::new();
    if !layout.en_passant {
        return list;
    }
    let lanes = layout.lanes;
    let count = layout.coordinates.len();
    for (place, coordinate) in layout.coordinates.iter().enumerate() {
        let man = layout.men[coordinate.man];
        if man.kind != Kind::Pawn || man.colour != pusher {
            continue;
        }
        if place + 1 == count {
            let ranks = if pusher == Colour::White { -3 } else { 3 };
            list.extend((0..layout.block_words()).map(|word| OpenWord {
                word,
                base: word,
                inner_ranks: Some(ranks),
            }));
            continue;
        }
        // Words from one square of this pawn to the next.
        let stride = coordinate.stride / layout.squares;
        for file in 0..W::FILES {
            let open = first_rank::<W>(pusher) * W::FILES + file;
            let Some(arrival) = ahead::<W>(open, pusher, 3) else {
                continue;
            };
            let digit = |square: usize| square - coordinate.low;
            for word in 0..layout.block_words() {
                if word / stride % coordinate.squares == digit(open) {
                    let base = word + digit(arrival) * stride - digit(open) * stride;
                    list.push(OpenWord {
                        word,
                        base,
                        inner_ranks: None,
                    });
                }
            }
        }
    }
    debug_assert!(lanes > 1, "two pawns make four men");
    list
}
