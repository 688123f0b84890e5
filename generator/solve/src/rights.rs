//! Positions with an e.p. right, inside the grid.
//!
//! A pawn never stands behind its starting rank, so the squares of the rank behind that are
//! free to mean: "this pawn stands three ranks further on and has just made its double
//! step". Only that step leads to such a position. Its moves are those of the same
//! placement without the right (its *base*), and the captures en passant, which are
//! conversions.

use retrograde_rules::{Colour, PieceType};

use super::layout::Layout;
use super::squares::{ahead, open_rank, thrice};
use super::word::{BoardShape, Word};

/// A word of a block that can hold positions with an e.p. right.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenWord {
    /// The word, counted from the start of the block.
    pub(crate) word: usize,
    /// The word that holds the same placements without the right.
    pub(crate) base: usize,
    /// Set if the pawn is the inner piece: then both are the same word, and its bits move
    /// this many ranks from the base.
    inner_ranks: Option<i32>,
}

impl OpenWord {
    /// The positions of the base word, moved to where they have the right.
    #[inline(always)]
    pub(crate) fn carry<W: Word>(&self, board: W::Board, base: W) -> W {
        match self.inner_ranks {
            None => base,
            Some(ranks) => {
                let side = if ranks < 0 {
                    Colour::White
                } else {
                    Colour::Black
                };
                let home = W::rank(board, open_rank(board, side));
                thrice(board, base, ranks.signum()) & home
            }
        }
    }
}

/// The words of a block that can hold positions with an e.p. right after a double step of
/// `pusher`.
pub(crate) fn open_words<W: Word>(layout: &Layout, pusher: Colour) -> Vec<OpenWord> {
    let board = layout.board::<W>();
    let mut list = Vec::new();
    if !layout.en_passant {
        return list;
    }
    let lanes = layout.lanes;
    let count = layout.coordinates.len();
    for (place, coordinate) in layout.coordinates.iter().enumerate() {
        let piece = layout.pieces[coordinate.piece];
        if piece.piece_type != PieceType::Pawn || piece.colour != pusher {
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
        for file in 0..board.files() {
            let open = open_rank(board, pusher) * board.files() + file;
            let Some(arrival) = ahead(board, open, pusher, 3) else {
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
