//! Numbers the rows of the grid, and tells where the outer pieces stand in each of them.

use retrograde_rules::Square;

use super::{Layout, MOST_OUTER, Role};
use crate::word::Word;

impl Layout {
    /// The row within a block for outer pieces on these squares; `None` if the
    /// grid leaves a square out, or if pieces that share a coordinate share a square.
    #[inline(always)]
    pub(crate) fn row_of(&self, outer: impl Iterator<Item = usize>) -> Option<usize> {
        let row = self.undivided_row_of(outer)?;
        match &self.slice {
            None => Some(row),
            Some(slice) => slice.row_of(row),
        }
    }

    /// The row among the rows of all slices for outer pieces on these squares; `None` as in
    /// [`Layout::row_of`].
    #[inline(always)]
    pub(super) fn undivided_row_of(&self, outer: impl Iterator<Item = usize>) -> Option<usize> {
        let mut outer = outer;
        let mut position = 0;
        let mut own = self.outer();
        if let Some(equals) = &self.equals {
            let (shared, others) = own.split_at(equals.places().len());
            let mut squares = [Square(0); MOST_OUTER];
            let squares = &mut squares[..shared.len()];
            for (square, from) in squares.iter_mut().zip(&mut outer) {
                *square = Square(from as u8);
            }
            position = equals.digit_of(squares)? as usize * shared[0].stride;
            own = others;
        }
        for (coordinate, square) in own.iter().zip(outer) {
            let digit = square.wrapping_sub(coordinate.low);
            if digit >= coordinate.squares {
                return None;
            }
            position += digit * coordinate.stride;
        }
        Some(position / self.row_positions())
    }

    /// The squares of the outer pieces in a row of a block.
    #[inline(always)]
    pub(crate) fn outer_squares(&self, row: usize) -> [usize; MOST_OUTER] {
        let row = match &self.slice {
            None => row,
            Some(slice) => slice.undivided(row),
        };
        let mut outer = [0; MOST_OUTER];
        let position = row * self.row_positions();
        let mut own = self.outer();
        let mut others = &mut outer[..];
        if let Some(equals) = &self.equals {
            let shared = equals.places().len();
            let mut squares = [Square(0); MOST_OUTER];
            let squares = &mut squares[..shared];
            equals.squares_of((position / own[0].stride) as u64, squares);
            let (to, rest) = others.split_at_mut(shared);
            for (to, square) in to.iter_mut().zip(squares) {
                *to = square.index();
            }
            (own, others) = (&own[shared..], rest);
        }
        for (square, c) in others.iter_mut().zip(own) {
            *square = c.low + position / c.stride % c.squares;
        }
        outer
    }

    /// The contribution of the squares of pieces to a place in a block; `None` if the grid leaves
    /// one out. The pieces, by place among the coordinates, are some or all of those that have
    /// coordinates of their own, and all or none of those that share one.
    pub(crate) fn place_of(&self, pieces: &[(usize, usize)]) -> Option<usize> {
        let shared = self
            .equals
            .as_ref()
            .map_or(0, |equals| equals.places().len());
        let mut place = 0;
        let mut squares = Vec::new();
        for &(coordinate, square) in pieces {
            let c = &self.coordinates[coordinate];
            if coordinate < shared {
                squares.push(Square(square as u8));
                continue;
            }
            let digit = square.wrapping_sub(c.low);
            if digit >= c.squares {
                return None;
            }
            place += digit * c.stride;
        }
        match &self.equals {
            Some(equals) if !squares.is_empty() => {
                Some(place + equals.digit_of(&squares)? as usize * self.coordinates[0].stride)
            }
            _ => Some(place),
        }
    }
}

/// A row of the grid: the squares of the leaders and the outer pieces.
#[derive(Clone, Copy)]
pub(crate) struct RowAt<W: Word> {
    pub(crate) board: W::Board,
    pub(crate) block: usize,
    /// The row's place in the whole grid.
    pub(crate) row: usize,
    /// Squares of the leaders, if there are any.
    pub(crate) leaders: [usize; 2],
    /// The set of these.
    pub(crate) led: W,
    /// Squares of the outer pieces; entries past their number are unused.
    pub(crate) outer: [usize; MOST_OUTER],
    /// The squares of leaders and outer pieces, and holes.
    pub(crate) occupied: W,
    /// Whether two of them share a square.
    pub(crate) clash: bool,
}

impl<W: Word> RowAt<W> {
    /// Row `row` of block `block`.
    #[inline(always)]
    pub(crate) fn new(layout: &Layout, block: usize, row: usize) -> RowAt<W> {
        let (mut leaders, mut led) = ([0; 2], W::ZERO);
        if layout.is_led() {
            leaders = layout.block_squares(block);
            led = W::of(leaders[0]) | W::of(leaders[1]);
        }
        let board = layout.board::<W>();
        // As if a piece stood there that never moves.
        let mut occupied = led | W::holes(board);
        let outer = layout.outer_squares(row);
        let mut clash = false;
        for &square in &outer[..layout.outer().len()] {
            clash |= occupied.has(square);
            occupied |= W::of(square);
        }
        RowAt {
            board,
            block,
            row: block * layout.rows + row,
            leaders,
            led,
            outer,
            occupied,
            clash,
        }
    }

    /// The role in the row of a piece, given by its place among the coordinates.
    #[inline(always)]
    pub(crate) fn role(&self, layout: &Layout, coordinate: usize) -> Role {
        if coordinate < layout.outer {
            Role::Fixed(self.outer[coordinate])
        } else if coordinate + 1 == layout.coordinates.len() {
            Role::Inner
        } else {
            Role::Lane
        }
    }
}
