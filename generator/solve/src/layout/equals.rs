//! Lets identical outer pieces share a coordinate, to keep each placement in the grid once.
//!
//! Their placements are numbered as sets of squares, as in the index, so that each is in
//! the grid once and not in every order: half the memory and half the work for two pieces.

use retrograde_index::Group;
use retrograde_rules::PieceType;

use super::{Coordinate, Layout};

impl Layout {
    /// Lets outer pieces share a coordinate if there are identical ones. Not for grids
    /// whose places are sums over pieces: those that positions of other materials enter,
    /// and those with e.p. rights. If `pawns_stay`, outer pawns remain outer pieces.
    pub(super) fn share_coordinates(mut self, pawns_stay: bool) -> Layout {
        let outer = self.outer;
        let candidates = self.coordinates.iter().map(|first| {
            let same = |c: &&Coordinate| self.pieces[c.piece] == self.pieces[first.piece];
            let count = self.coordinates.iter().filter(same).count().min(outer);
            self.sharing(first, count)
        });
        let outer_pawns = |rest: &[Coordinate]| {
            let outer = &rest[..rest.len().saturating_sub(2)];
            outer.iter().filter(|c| self.is_pawn(c)).count()
        };
        let keeps = |equals: &Group, rest: &[Coordinate]| {
            let shared = match equals.piece().piece_type {
                PieceType::Pawn => equals.places().len(),
                _ => 0,
            };
            !pawns_stay || outer_pawns(rest) + shared == outer_pawns(&self.coordinates)
        };
        let fewest = candidates
            .filter(|(equals, rest)| equals.places().len() > 1 && keeps(equals, rest))
            .min_by_key(|(equals, rest)| {
                let rest = rest.iter().map(|c| c.squares as u64);
                equals.size() * rest.product::<u64>()
            });
        if let Some((equals, rest)) = fewest {
            self.arrange(equals, rest);
        }
        self
    }

    /// The group of the first `count` pieces that are identical to one, and the coordinates
    /// of all others.
    fn sharing(&self, first: &Coordinate, count: usize) -> (Group, Vec<Coordinate>) {
        let piece = self.pieces[first.piece];
        let squares = first.low as u8..(first.low + first.squares) as u8;
        let mut left = count;
        let mut rest = self.coordinates.clone();
        rest.retain(|c| {
            let shares = left > 0 && self.pieces[c.piece] == piece;
            left -= usize::from(shares);
            !shares
        });
        // The lane piece and the inner piece have a place for every square.
        let within = rest.len().saturating_sub(2);
        for c in &mut rest[within..] {
            (c.low, c.squares) = (0, self.squares);
        }
        (Group::new(piece, 0..count, squares), rest)
    }

    /// Arranges the grid: the pieces that share a coordinate, then the others.
    fn arrange(&mut self, equals: Group, rest: Vec<Coordinate>) {
        let mut shared = self.coordinates.clone();
        shared.retain(|c| rest.iter().all(|other| other.piece != c.piece));
        self.coordinates = rest;
        let mut stride = 1;
        for c in self.coordinates.iter_mut().rev() {
            c.stride = stride;
            stride *= c.squares;
        }
        for c in &mut shared {
            c.stride = stride;
        }
        self.rows = equals.size() as usize * stride / self.row_positions();
        self.coordinates.splice(0..0, shared);
        self.equals = Some(equals);
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Game, Material};

    use super::super::{Layout, RowAt};
    use crate::word::Word;

    fn layout(game: Game, name: &str) -> Layout {
        Layout::to_solve(game, &Material::parse(game, name).unwrap()).unwrap()
    }

    #[test]
    fn sets_of_squares_take_the_place_of_orders() {
        for (name, rows) in [
            ("KRRvKRR", 2016),
            ("KQRRvKR", 2016),
            ("KRRRvKR", 2016),
            ("KPPRvKR", 1128),
            ("KRRPvKN", 2016),
            ("KRRPvKP", 56 * 56),
            ("KRRRRvKR", 41_664),
            ("KRRRvKRR", 41_664),
            ("KRRvKQNN", 2016 * 64),
            ("KQRBvKN", 4096),
            ("KRRvKR", 64),
        ] {
            let layout = layout(Game::default(), name);
            if name == "KRRPvKP" {
                // Rights to take en passant need places of their own, 8 for each pawn.
                assert!(layout.equals.is_none());
            }
            assert_eq!(layout.rows, rows, "{name}");
        }
    }

    #[test]
    fn rows_and_their_squares_agree() {
        for name in ["KRRvKRR", "KPPRvKR", "KNNvKQRR", "KNNNvKR", "KRRBvKN"] {
            let layout = layout(Game::default(), name);
            let outer = layout.outer().len();
            let mut seen = std::collections::HashSet::new();
            for row in 0..layout.rows {
                let at = RowAt::<u64>::new(&layout, 3, row);
                assert_eq!(layout.row_of(at.outer.into_iter()), Some(row), "{name}");
                let reversed = at.outer[..2].iter().rev().chain(&at.outer[2..]);
                assert_eq!(layout.row_of(reversed.copied()), Some(row), "{name}");
                assert!(seen.insert(at.outer[..outer].to_vec()), "{name}");
                for (c, square) in layout.outer().iter().zip(at.outer) {
                    let allowed: u64 = layout.squares_of(layout.pieces[c.piece]);
                    assert!(allowed.has(square), "{name}");
                }
            }
            assert_eq!(layout.row_of([9, 9, 9, 9, 9].into_iter()), None, "{name}");
        }
    }
}
