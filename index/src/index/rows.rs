//! Consecutive indices by rows, in which one piece moves square by square.

use std::ops::Range;

use retrograde_rules::{Material, Square};

use super::Index;

/// Consecutive indices whose placements differ in the square of one piece only, the
/// [moving piece](Index::moving_piece): from one index to the next it moves up by one square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The first index.
    pub first: u64,
    /// How many there are, from 1 to the squares of the board.
    pub len: u8,
    /// The squares of the pieces at the first index, in the order of the material.
    pub squares: [Square; Material::MOST_PIECES],
}

impl Index {
    /// The place, among the pieces of the material, of the piece whose square changes first from
    /// one index to the next; 0 if there are no pieces but the leaders, whose rows have one
    /// index each.
    pub fn moving_piece(&self) -> usize {
        self.groups.last().map_or(0, |last| last.places().start)
    }

    /// The rows of some indices, as far as these exist, in ascending order. The first and the
    /// last may be parts of rows.
    pub fn rows(&self, indices: Range<u64>) -> impl Iterator<Item = Row> + '_ {
        let (mut next, end) = (indices.start, indices.end.min(self.len()));
        std::iter::from_fn(move || {
            let mut squares = [Square(0); Material::MOST_PIECES];
            if next >= end || !self.decode(next, squares.get_mut(..self.pieces)?) {
                return None;
            }
            let left = self.groups.last().map_or(1, |last| {
                // Of identical pieces, the first stands below the second.
                let places = last.places();
                let above = squares.get(places.start + 1).filter(|_| places.len() > 1);
                let limit = above.map_or(last.squares().end, |square| square.0);
                u64::from(limit.saturating_sub(squares[places.start].0).max(1))
            });
            let first = next;
            let len = left.min(end - first);
            next += len;
            Some(Row {
                first,
                len: len as u8,
                squares,
            })
        })
    }
}
