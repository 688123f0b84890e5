//! Lists the words of the grid that can hold e.p. rights, each with its word without the right.
//!
//! A pawn never stands behind its starting rank, so the squares of the rank behind that are
//! free to mean: "this pawn stands three ranks further on and has just made its double
//! step". Only that step leads to such a position. Its moves are those of the same
//! placement without the right (its *base*), and the captures en passant, which are
//! conversions.

use retrograde_rules::{Colour, Piece, PieceType};

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
    let is_pushed = |piece: Piece| piece == Piece::new(pusher, PieceType::Pawn);
    if layout.inner_piece().is_some_and(is_pushed) {
        let ranks = if pusher == Colour::White { -3 } else { 3 };
        list.extend((0..layout.block_words()).map(|word| OpenWord {
            word,
            base: word,
            inner_ranks: Some(ranks),
        }));
    }
    let mut add = |word, base| {
        list.push(OpenWord {
            word,
            base,
            inner_ranks: None,
        });
    };
    let first = open_rank(board, pusher) * board.files();
    let squares = first..first + board.files();
    for row in 0..layout.rows {
        if layout.lane_piece().is_some_and(is_pushed) {
            for open in squares.clone() {
                if let Some(arrival) = ahead(board, open, pusher, 3) {
                    add(row * lanes + open, row * lanes + arrival);
                }
            }
        }
        let outer = layout.outer_squares(row);
        for (place, coordinate) in layout.outer().iter().enumerate() {
            let open = outer[place];
            if !is_pushed(layout.pieces[coordinate.piece]) || !squares.contains(&open) {
                continue;
            }
            let base = ahead(board, open, pusher, 3).and_then(|arrival| {
                let mut outer = outer;
                outer[place] = arrival;
                layout.row_of(outer.into_iter())
            });
            if let Some(base) = base {
                (0..lanes).for_each(|lane| add(row * lanes + lane, base * lanes + lane));
            }
        }
    }
    list
}
