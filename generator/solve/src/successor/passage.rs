//! Maps the pieces and squares of a material to those of a successor.

use std::borrow::Cow;

use retrograde_rules::{Colour, Interchange, Material, Piece, Square};

use super::{Scores, Successor};
use crate::layout::Layout;
use crate::score::{self, Score};
use crate::word::{BoardShape, Word};

/// The way in which the pieces of a material become those of a successor.
pub(crate) struct Passage<'a> {
    smaller: &'a Successor,
    /// Whether the successor has the colours swapped.
    swapped: bool,
    interchange: Interchange,
    /// The place in the successor of each piece of the material, in order; `None` for the piece
    /// that is gone.
    pub(crate) places: Vec<Option<usize>>,
}

impl<'a> Passage<'a> {
    /// The passage from `pieces` (with `None` for the captured piece, and a promoted piece in
    /// the place of its pawn) to `smaller`.
    pub(crate) fn new(
        pieces: &[Option<Piece>],
        smaller: &'a Successor,
        swapped: bool,
    ) -> Passage<'a> {
        let mut free: Vec<Option<Piece>> =
            smaller.layout.pieces.iter().copied().map(Some).collect();
        let places = pieces
            .iter()
            .map(|piece| {
                let piece = (*piece)?;
                let colour = if swapped {
                    piece.colour.other()
                } else {
                    piece.colour
                };
                let place = free
                    .iter()
                    .position(|&f| f == Some(Piece::new(colour, piece.piece_type)))?;
                free[place] = None;
                Some(place)
            })
            .collect();
        let layout = &smaller.layout;
        let material = Material::of(layout.pieces.iter().copied());
        let interchange = layout.game.interchange(&material);
        Passage {
            smaller,
            swapped,
            interchange,
            places,
        }
    }

    /// Whether the pieces become the same pieces of the same successor.
    pub(crate) fn is_like(&self, other: &Passage<'_>) -> bool {
        std::ptr::eq(self.smaller, other.smaller)
            && self.swapped == other.swapped
            && self.places == other.places
    }

    /// The passage with the leaders on given squares, `leader_pieces` being their places
    /// among the pieces; `None` if they cannot stand there.
    pub(crate) fn with_leaders<W: Word>(
        &self,
        leader_pieces: [usize; 2],
        squares: [usize; 2],
        turn_after: Colour,
    ) -> Option<View<'a>> {
        let layout = &self.smaller.layout;
        let mut leaders = [0; 2];
        for (piece, square) in leader_pieces.into_iter().zip(squares) {
            let place = self.places[piece]?;
            let slot = layout.leaders.iter().position(|&l| l == place)?;
            leaders[slot] = self.turned(square);
        }
        let (block, transform) = layout.block_of(leaders)?;
        let board = layout.board::<W>();
        let tables = self
            .places
            .iter()
            .map(|&place| {
                let mut table = [0_u32; 128];
                let place = place?;
                let coordinate = layout.coordinates.iter().find(|c| c.piece == place)?;
                for (square, entry) in table[..board.squares()].iter_mut().enumerate() {
                    let there = board.image(transform, self.turned(square));
                    *entry = coordinate.place_of(there) as u32;
                }
                Some(table)
            })
            .collect();
        let turn = self.turned_side(turn_after);
        let size = layout.block_positions();
        let scores = match &self.smaller.scores {
            Scores::Here(scores) => Cow::Borrowed(&scores[turn.index()][block * size..][..size]),
            Scores::Far(map, read) => {
                let indices = layout.index.indices_per_pair();
                let first = block as u64 * indices;
                let mut depths = vec![0; indices as usize];
                read(turn, first..first + indices, &mut depths);
                let mut scores = vec![score::NONE; size];
                map.scatter(block, &mut scores, |index| {
                    score::of_child(depths[index - first as usize])
                });
                Cow::Owned(scores)
            }
        };
        Some(View { scores, tables })
    }

    /// The successor's grid.
    pub(crate) fn layout(&self) -> &'a Layout {
        &self.smaller.layout
    }

    /// Whether the leaders of the material are also those of the successor.
    pub(crate) fn keeps_leaders(&self, leaders: [usize; 2]) -> bool {
        let after = leaders.map(|piece| self.places[piece]);
        let mut those = self.smaller.layout.leaders.iter();
        those.all(|&leader| after.contains(&Some(leader)))
    }

    /// The successor's scores over the whole grid, given the side to move
    /// after the conversion; `None` if they are not in memory.
    pub(crate) fn scores(&self, turn_after: Colour) -> Option<&'a [Score]> {
        match &self.smaller.scores {
            Scores::Here(scores) => Some(&scores[self.turned_side(turn_after).index()]),
            Scores::Far(..) => None,
        }
    }

    /// The side in the successor that corresponds to a side of the material.
    fn turned_side(&self, side: Colour) -> Colour {
        if self.swapped { side.other() } else { side }
    }

    /// The square in the successor that corresponds to a square of the material.
    #[inline]
    pub(crate) fn turned(&self, square: usize) -> usize {
        if !self.swapped {
            return square;
        }
        let geometry = self.smaller.layout.game.geometry();
        let image = self.interchange.image(geometry, Square(square as u8));
        image.index()
    }
}

/// A successor seen from one placement of the leaders: the place of a position in `scores`
/// is the sum of what the table of each piece has for its square.
pub(crate) struct View<'a> {
    pub(crate) scores: Cow<'a, [Score]>,
    /// The tables of contributions, by piece of the larger material.
    pub(crate) tables: Vec<Option<[u32; 128]>>,
}
