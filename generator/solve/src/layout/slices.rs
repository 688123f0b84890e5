//! Divides a grid into slices: rows whose outer pawns have made the same number of steps in all.
//!
//! A move of an outer pawn leads to a slice with more steps, and every other quiet move
//! stays within its slice. So the slices of a material can be solved one after another,
//! those with the most steps first, and only one of them needs to be in memory.

use std::collections::BTreeMap;

use retrograde_index::IndexError;
use retrograde_rules::{Colour, Game, Material, Piece, PieceType};

use super::{Coordinate, Layout, NO_LEADER, Passes};
use crate::squares::{ahead, promotes_on, rank_of};
use crate::word::{BoardShape, Word};

/// The rows of a slice.
#[derive(Clone)]
pub(super) struct Slice {
    /// The place of each row among the rows of all slices.
    rows: Vec<u32>,
    /// The place in this slice of each row of all slices; [`ELSEWHERE`] if it is in another.
    places: Vec<u32>,
}

/// The row is in another slice.
const ELSEWHERE: u32 = u32::MAX;

impl Slice {
    fn new(undivided: usize, rows: Vec<u32>) -> Slice {
        let mut places = vec![ELSEWHERE; undivided];
        for (place, &row) in (0..).zip(&rows) {
            places[row as usize] = place;
        }
        Slice { rows, places }
    }

    #[inline(always)]
    pub(super) fn undivided(&self, row: usize) -> usize {
        self.rows[row] as usize
    }

    #[inline(always)]
    pub(super) fn row_of(&self, undivided: usize) -> Option<usize> {
        let place = self.places[undivided];
        (place != ELSEWHERE).then_some(place as usize)
    }
}

impl Layout {
    /// The grid of a material for a solution in slices, not yet divided; `None` if the material has
    /// no pawns, or pawns that do not only go forward from their first rank or move in another way
    /// than orthodox ones, if a side that is stalemated passes, or if the game has counters.
    ///
    /// # Errors
    /// If the material has no index.
    pub(crate) fn to_divide(game: Game, material: &Material) -> Result<Option<Layout>, IndexError> {
        let natural = Layout::new(game, material)?;
        let counts = game.counters().is_some();
        let passes = natural.passes == Passes::WhenStuck;
        let moves = natural.moves.own_pawns.is_some();
        if natural.beside || moves || passes || natural.must_capture || natural.may_end() || counts
        {
            return Ok(None);
        }
        let pawn = |&leader: &usize| natural.pieces[leader].piece_type == PieceType::Pawn;
        let leaders = match natural.en_passant && natural.leaders.iter().any(pawn) {
            true => [NO_LEADER; 2],
            false => natural.leaders,
        };
        let mut layout = Layout::with_leaders(game, material, leaders, None, 1)?;
        if !layout.en_passant && natural.outer > 0 {
            layout = layout.share_coordinates(true);
        }
        let divides = layout.outer().iter().any(|c| layout.is_pawn(c));
        Ok(divides.then_some(layout))
    }

    /// The slices of an undivided grid, those with the most steps of the outer pawns first.
    pub(crate) fn slices<W: Word>(&self) -> Vec<Layout> {
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for row in 0..self.rows {
            let steps = self.steps::<W>(row);
            rows.resize_with(rows.len().max(steps + 1), Vec::new);
            rows[steps].push(row as u32);
        }
        let slice = |rows: Vec<u32>| Layout {
            rows: rows.len(),
            slice: Some(Slice::new(self.rows, rows)),
            ..self.clone()
        };
        rows.into_iter().rev().map(slice).collect()
    }

    /// The slices without their rows, which tells what each takes, in the order of
    /// [`Layout::slices`]; each with whether a pawn of a side, White first, can stand where its
    /// next step promotes. Rows are counted, not listed: there may be hundreds of
    /// millions.
    pub(crate) fn slice_sizes<W: Word>(&self) -> Vec<(Layout, [bool; 2])> {
        // How many rows there are by steps and by who is about to promote: first without
        // outer pieces, then with one group of pieces more at a time.
        let mut rows = BTreeMap::from([((0, [false; 2]), 1_usize)]);
        let mut outer = self.outer();
        while let Some(&first) = outer.first() {
            let alike = match (&self.equals, outer.len() == self.outer) {
                (Some(equals), true) => equals.places().len(),
                _ => 1,
            };
            outer = &outer[alike..];
            // Sets of squares for pieces that share a coordinate, by their size.
            let mut sets = vec![BTreeMap::new(); alike + 1];
            sets[0] = BTreeMap::from([((0, [false; 2]), 1)]);
            for square in first.low..first.low + first.squares {
                let promotes =
                    Colour::BOTH.map(|side| self.is_to_promote::<W>(&first, square, side));
                let one = BTreeMap::from([((self.steps_to::<W>(&first, square), promotes), 1)]);
                for size in (0..alike).rev() {
                    for (key, count) in combined(&sets[size], &one) {
                        *sets[size + 1].entry(key).or_default() += count;
                    }
                }
            }
            rows = combined(&rows, &sets[alike]);
        }
        let always = Colour::BOTH.map(|side| self.promotes_in_all_rows(side));
        let mut slices: BTreeMap<usize, (usize, [bool; 2])> = BTreeMap::new();
        for ((steps, promotes), count) in rows {
            let slice = slices.entry(steps).or_insert((0, always));
            slice.0 += count;
            slice.1 = either(slice.1, promotes);
        }
        let slice = |(rows, promotes)| {
            (
                Layout {
                    rows,
                    ..self.clone()
                },
                promotes,
            )
        };
        slices.into_values().rev().map(slice).collect()
    }

    /// The steps that the outer pawns of a row have made in all. A position with an e.p.
    /// right is counted like the same placement without it.
    fn steps<W: Word>(&self, row: usize) -> usize {
        let outer = self.outer().iter().zip(self.outer_squares(row));
        outer.map(|(c, square)| self.steps_to::<W>(c, square)).sum()
    }

    /// The steps that an outer piece has made if it is a pawn.
    fn steps_to<W: Word>(&self, coordinate: &Coordinate, square: usize) -> usize {
        if !self.is_pawn(coordinate) {
            return 0;
        }
        let board = self.board::<W>();
        let colour = self.pieces[coordinate.piece].colour;
        let rank = rank_of(board, colour, board.rank(square));
        // Behind its first rank it stands for a pawn after a double step.
        rank.checked_sub(board.pawn_home()).unwrap_or(2)
    }

    /// The rows of a slice, as rows of the undivided grid; empty if this is no slice.
    pub(crate) fn undivided_rows(&self) -> &[u32] {
        self.slice.as_ref().map_or(&[], |slice| &slice.rows)
    }

    /// Whether moves of the outer pawns leave the grid.
    pub(crate) fn is_slice(&self) -> bool {
        self.slice.is_some()
    }

    /// Whether a coordinate is that of a pawn.
    pub(crate) fn is_pawn(&self, coordinate: &Coordinate) -> bool {
        self.pieces[coordinate.piece].piece_type == PieceType::Pawn
    }

    /// Whether a pawn of a side can stand where its next step promotes.
    pub(crate) fn can_promote<W: Word>(&self, side: Colour) -> bool {
        self.promotes_in_all_rows(side)
            || (0..self.rows).any(|row| {
                let mut outer = self.outer().iter().zip(self.outer_squares(row));
                outer.any(|(c, square)| self.is_to_promote::<W>(c, square, side))
            })
    }

    /// Whether an outer piece is a pawn of a side whose next step promotes.
    fn is_to_promote<W: Word>(&self, coordinate: &Coordinate, square: usize, side: Colour) -> bool {
        let board = self.board::<W>();
        self.pieces[coordinate.piece] == Piece::new(side, PieceType::Pawn)
            // A capture may lead to a single square of promotion from the file beside it.
            && (board.moves().pawn_squares.is_some()
                || ahead(board, square, side, 1).is_some_and(|to| promotes_on(board, to, side)))
    }

    /// Whether a side has a pawn that is not an outer piece, and stands where its next step
    /// promotes in some position of every row.
    fn promotes_in_all_rows(&self, side: Colour) -> bool {
        let within = self.coordinates[self.outer..].iter().map(|c| c.piece);
        let mut pieces = within
            .chain(self.leaders)
            .filter_map(|piece| self.pieces.get(piece));
        pieces.any(|piece| *piece == Piece::new(side, PieceType::Pawn))
    }

    /// The row with one outer piece (its place among the coordinates) on another square,
    /// among those of all slices.
    pub(crate) fn undivided_row_with(
        &self,
        outer: &[usize],
        place: usize,
        square: usize,
    ) -> Option<usize> {
        let squares = outer.iter().enumerate();
        self.undivided_row_of(squares.map(|(n, &there)| if n == place { square } else { there }))
    }
}

/// The number of placements, by the steps of pawns and by the sides that are about to promote one.
type Counts = BTreeMap<(usize, [bool; 2]), usize>;

/// The placements of two groups of pieces together.
fn combined(some: &Counts, others: &Counts) -> Counts {
    let mut all = Counts::new();
    for (&(steps, promotes), count) in some {
        for (&(more, also), times) in others {
            let key = (steps + more, either(promotes, also));
            *all.entry(key).or_default() += count * times;
        }
    }
    all
}

fn either(some: [bool; 2], others: [bool; 2]) -> [bool; 2] {
    [some[0] || others[0], some[1] || others[1]]
}

#[cfg(test)]
mod tests {
    use super::super::RowAt;
    use super::*;

    fn to_divide(name: &str) -> Option<Layout> {
        let material = Material::parse(Game::default(), name).unwrap();
        Layout::to_divide(Game::default(), &material).unwrap()
    }

    #[test]
    fn slices_divide_the_rows() {
        for (name, rows) in [
            ("KPvK", vec![8; 6]),
            ("KRPvKR", vec![8; 6]),
            // Two pawns that share a coordinate: C(48, 2) sets.
            (
                "KRPPvKR",
                vec![28, 64, 92, 128, 156, 192, 156, 128, 92, 64, 28],
            ),
            // With the places of pawns after a double step.
            ("KRPvKP", vec![8, 8, 8, 16, 8, 8]),
            // The rooks would share one, if that did not move the pawn into the row.
            ("KRRPvKN", vec![8 * 64; 6]),
        ] {
            let layout = to_divide(name).unwrap();
            let slices = layout.slices::<u64>();
            let found: Vec<usize> = slices.iter().map(|slice| slice.rows).collect();
            assert_eq!(found, rows, "{name}");
            let sizes = layout.slice_sizes::<u64>();
            assert_eq!(sizes.len(), slices.len(), "{name}");
            for ((size, promotes), slice) in sizes.iter().zip(&slices) {
                assert_eq!(size.rows, slice.rows, "{name}");
                let can_promote = Colour::BOTH.map(|side| slice.can_promote::<u64>(side));
                assert_eq!(*promotes, can_promote, "{name}");
            }
            assert_eq!(found.iter().sum::<usize>(), layout.rows, "{name}");
            let mut seen = vec![false; layout.rows];
            for slice in &slices {
                for row in 0..slice.rows {
                    let outer = RowAt::<u64>::new(slice, 0, row).outer;
                    assert_eq!(slice.row_of(outer.into_iter()), Some(row), "{name}");
                    let undivided = layout.row_of(outer.into_iter()).unwrap();
                    assert_eq!(slice.undivided_rows()[row] as usize, undivided, "{name}");
                    assert!(!std::mem::replace(&mut seen[undivided], true), "{name}");
                    let elsewhere = slices
                        .iter()
                        .filter(|s| s.row_of(outer.into_iter()).is_some());
                    assert_eq!(elsewhere.count(), 1, "{name}");
                }
            }
        }
        assert!(to_divide("KRRvKR").is_none());
    }

    #[test]
    fn pawns_promote_from_their_last_rank_but_one() {
        let slices = to_divide("KRPvKR").unwrap().slices::<u64>();
        let promotes = |slice: &Layout| Colour::BOTH.map(|side| slice.can_promote::<u64>(side));
        let found: Vec<[bool; 2]> = slices.iter().map(promotes).collect();
        assert_eq!(found[0], [true, false]);
        assert_eq!(found[1..], [[false; 2]; 5]);
        // Black's pawn moves within the rows.
        let slices = to_divide("KRPvKP").unwrap().slices::<u64>();
        assert!(
            slices
                .iter()
                .all(|slice| slice.can_promote::<u64>(Colour::Black))
        );
        assert!(!slices[2].can_promote::<u64>(Colour::White));
    }
}
