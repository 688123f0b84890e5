//! Divides positions into levels, by the number of steps that pawns have made in all.
//!
//! A pawn move leads to a higher level, every other move stays on the same. In a slice, whose outer
//! pawns do not move, only the others count.

use retrograde_rules::{Colour, Piece, PieceType};

use super::super::layout::{Layout, Role, RowAt};
use super::super::squares::rank_of;
use super::super::word::{BoardShape, Word};

pub(super) struct Levels<W: Word> {
    count: usize,
    /// The squares where a pawn stands, by the steps that it has made: White's, then Black's.
    squares: [Vec<W>; 2],
    board: W::Board,
}

/// The steps that a pawn on a square has made; `None` where none can stand.
fn steps(board: impl BoardShape, colour: Colour, square: usize) -> Option<usize> {
    let rank = rank_of(board, colour, board.rank(square));
    let (home, last) = (board.pawn_home(), board.moves().last_pawn_rank);
    (home..=last).contains(&rank).then(|| rank - home)
}

impl<W: Word> Levels<W> {
    pub(super) fn new(layout: &Layout) -> Levels<W> {
        let pawns = (layout.coordinates.iter().filter(|c| layout.is_pawn(c))).count()
            + Self::leading_pawns(layout).count();
        let still = match layout.is_slice() {
            true => layout.outer().iter().filter(|c| layout.is_pawn(c)).count(),
            false => 0,
        };
        let board = layout.board::<W>();
        let most = board
            .moves()
            .last_pawn_rank
            .saturating_sub(board.pawn_home());
        let squares = Colour::BOTH.map(|colour| {
            (0..=most)
                .map(|steps| board.pawn_home() + steps)
                .map(|rank| W::rank(board, rank_of(board, colour, rank)))
                .collect()
        });
        Levels {
            count: 1 + most * (pawns - still),
            squares,
            board,
        }
    }

    /// The leaders that are pawns, by their side.
    fn leading_pawns(layout: &Layout) -> impl Iterator<Item = Colour> {
        let leads = |side: &Colour| {
            let leader = layout.leaders[side.index()];
            layout.is_led() && layout.pieces[leader].piece_type == PieceType::Pawn
        };
        Colour::BOTH.into_iter().filter(leads)
    }

    /// The number of levels: one in materials without pawns.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Writes the positions of a row that are on a level, or on any.
    pub(super) fn select(
        &self,
        layout: &Layout,
        at: &RowAt<W>,
        level: Option<usize>,
        out: &mut [W],
    ) {
        let Some(level) = level else {
            out.fill(W::full(self.board));
            return;
        };
        out.fill(W::ZERO);
        let mut left = level;
        let (mut lane_pawn, mut inner_pawn) = (None, None);
        for side in Self::leading_pawns(layout) {
            let made = steps(self.board, side, at.leaders[side.index()]);
            let Some(rest) = made.and_then(|made| left.checked_sub(made)) else {
                return;
            };
            left = rest;
        }
        for (place, coordinate) in layout.coordinates.iter().enumerate() {
            let Piece { piece_type, colour } = layout.pieces[coordinate.piece];
            if piece_type != PieceType::Pawn {
                continue;
            }
            match at.role(layout, place) {
                Role::Fixed(_) if layout.is_slice() => {}
                Role::Lane => lane_pawn = Some(colour),
                Role::Inner => inner_pawn = Some(colour),
                Role::Fixed(square) => {
                    let rest = steps(self.board, colour, square).and_then(|s| left.checked_sub(s));
                    let Some(rest) = rest else { return };
                    left = rest;
                }
            }
        }
        for (lane, out) in out.iter_mut().enumerate() {
            let made = lane_pawn.map_or(Some(0), |colour| steps(self.board, colour, lane));
            let Some(left) = made.and_then(|made| left.checked_sub(made)) else {
                continue;
            };
            *out = match inner_pawn {
                Some(colour) => {
                    let squares = self.squares[colour.index()].get(left);
                    squares.copied().unwrap_or(W::ZERO)
                }
                None if left == 0 => W::full(self.board),
                None => W::ZERO,
            };
        }
    }
}
