//! The index: placements of a material's pieces on the board, as indices.
//!
//! An index is made of digits, the most significant first: the *pair* of
//! leading pieces (the first piece of each side, reduced by the symmetries of the
//! board), then one digit for each *group* of identical pieces. Nothing here knows
//! a game beyond the [`Shape`] it is given, and nothing assumes 64 squares.
//!
//! Placements that are not positions have indices, too: pieces of different groups
//! may share a square. Whether an index stands for a position is for the rules to
//! decide, not for this module.
//!
//! If a side has several pieces of the type of its leader, each of them can be
//! taken for the leader, and a placement has several indices. The one with the
//! lowest leaders is canonical ([`Index::is_canonical`]); the others stand for
//! nothing.

mod equals;
mod group;
mod pairs;
mod reindex;
mod rows;
#[cfg(test)]
mod tests;

use std::ops::Range;

use retrograde_rules::{
    Colour, Game, Geometry, Material, Piece, PieceType, Square, Symmetry, Transform,
};
use thiserror::Error;

pub use group::Group;
use pairs::Pairs;
pub use reindex::Reindexing;
pub use rows::Row;

/// What the index needs to know about a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Shape {
    /// The board.
    pub geometry: Geometry,
    /// The symmetries that keep the values of the material.
    pub symmetry: Symmetry,
    /// Whether the two leading pieces may stand on neighbouring squares. If not,
    /// as for most kings, such pairs have no indices.
    pub touching: bool,
    /// The first and the last rank, counted from 0, that White's and Black's pawns
    /// may stand on.
    pub pawn_ranks: [(u8, u8); 2],
}

impl Shape {
    /// The shape of a material of a game.
    pub fn new(game: Game, material: &Material) -> Shape {
        Shape {
            geometry: game.geometry(),
            symmetry: game.symmetry(material),
            touching: game.leaders_may_touch(material),
            pawn_ranks: game.pawns().ranks,
        }
    }

    /// The squares that a piece may stand on, as a range of square numbers.
    pub fn squares(&self, piece: Piece) -> Range<u8> {
        if piece.piece_type == PieceType::Pawn {
            let (first, last) = self.pawn_ranks[piece.colour.index()];
            let end = (last + 1).min(self.geometry.ranks) * self.geometry.files;
            (first * self.geometry.files).min(end)..end
        } else {
            0..self.geometry.squares() as u8
        }
    }
}

/// Why a material has no index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum IndexError {
    /// One side has no pieces.
    #[error("a material needs pieces on both sides")]
    EmptySide,
    /// More pieces than [`Material::MOST_PIECES`].
    #[error("the material has {0} pieces; tables have at most {most}", most = Material::MOST_PIECES)]
    TooMany(usize),
    /// The symmetry does not fit the board.
    #[error("a board of {files} files and {ranks} ranks has no diagonal symmetry")]
    NotSquare {
        /// Files of the board.
        files: u8,
        /// Ranks of the board.
        ranks: u8,
    },
    /// The order of groups does not name every group exactly once.
    #[error("the order of groups must name each group besides the leading two pieces once")]
    Order,
}

/// The digit of a group of pieces in an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Digit {
    stride: u64,
    size: u64,
}

impl Digit {
    /// The value of the digit in an index.
    #[inline]
    pub fn of(self, index: u64) -> u64 {
        index / self.stride % self.size
    }

    /// How many values the digit has.
    pub fn size(self) -> u64 {
        self.size
    }
}

/// The indexing of the placements of one material.
///
/// Squares are always given and returned in the order of
/// [`Material::pieces`]. Indices are the same for both sides to move.
#[derive(Clone, Debug)]
pub struct Index {
    material: Material,
    shape: Shape,
    pieces: usize,
    /// The place of the second leader among the pieces; the first is piece 0.
    second: usize,
    /// How many pieces are identical to each leader, including itself.
    equals: [usize; 2],
    pairs: Pairs,
    groups: Vec<Group>,
    rest: u64,
}

impl Index {
    /// The index of a material of a game, with the groups in the order of
    /// [`Material::pieces`].
    ///
    /// # Errors
    /// See [`IndexError`].
    pub fn new(game: Game, material: &Material) -> Result<Index, IndexError> {
        Index::with_shape(Shape::new(game, material), material, None)
    }

    /// The index of a material with the groups in a given order, the most
    /// significant first.
    ///
    /// # Errors
    /// [`IndexError::Order`] unless `order` names the piece of every group
    /// once; see [`IndexError`] for the others.
    pub fn with_order(
        game: Game,
        material: &Material,
        order: &[Piece],
    ) -> Result<Index, IndexError> {
        Index::with_shape(Shape::new(game, material), material, Some(order))
    }

    /// The index of a material on any board.
    ///
    /// # Errors
    /// See [`IndexError`].
    pub fn with_shape(
        shape: Shape,
        material: &Material,
        order: Option<&[Piece]>,
    ) -> Result<Index, IndexError> {
        let pieces: Vec<Piece> = material.pieces().collect();
        if pieces.len() > Material::MOST_PIECES {
            return Err(IndexError::TooMany(pieces.len()));
        }
        let second = material.side_len(Colour::White);
        let (Some(&white), Some(&black)) = (pieces.first(), pieces.get(second)) else {
            return Err(IndexError::EmptySide);
        };
        if second == 0 {
            return Err(IndexError::EmptySide);
        }
        let equals = [white, black].map(|piece| material.count(piece));
        let Geometry { files, ranks } = shape.geometry;
        if shape.symmetry == Symmetry::Full && !shape.geometry.is_square() {
            return Err(IndexError::NotSquare { files, ranks });
        }

        let mut piece_types: Vec<Piece> = pieces.clone();
        piece_types.dedup();
        let led = |piece: Piece| usize::from(piece == white || piece == black);
        piece_types.retain(|&piece| material.count(piece) > led(piece));
        if let Some(order) = order {
            let mut sorted = order.to_vec();
            sorted.sort_unstable();
            if sorted != piece_types {
                return Err(IndexError::Order);
            }
            piece_types = order.to_vec();
        }
        let groups: Vec<Group> = piece_types
            .into_iter()
            .map(|piece| {
                let first = pieces.iter().position(|&m| m == piece).unwrap_or_default();
                // The first of the pieces identical to a leader is that leader.
                let places = first + led(piece)..first + material.count(piece);
                Group::new(piece, places, shape.squares(piece))
            })
            .collect();
        // At most 121^5: no overflow.
        let rest = groups.iter().map(Group::size).product();
        Ok(Index {
            material: *material,
            shape,
            pieces: pieces.len(),
            second,
            equals,
            pairs: Pairs::new(&shape, white, black),
            groups,
            rest,
        })
    }

    /// The material.
    pub fn material(&self) -> &Material {
        &self.material
    }

    /// The board and its symmetry.
    pub fn shape(&self) -> &Shape {
        &self.shape
    }

    /// The number of indices: `pairs().len() * indices_per_pair()`.
    #[allow(clippy::len_without_is_empty, reason = "an index is never empty")]
    pub fn len(&self) -> u64 {
        self.pairs.list().len() as u64 * self.rest
    }

    /// The number of indices for one pair of leading pieces: the product of the
    /// sizes of the groups.
    pub fn indices_per_pair(&self) -> u64 {
        self.rest
    }

    /// The number of pieces of the material.
    pub fn pieces(&self) -> usize {
        self.pieces
    }

    /// The places of the two leading pieces among the pieces of the material: White's
    /// first piece and Black's first piece.
    pub fn leaders(&self) -> [usize; 2] {
        [0, self.second]
    }

    /// The pairs of squares of the leading pieces that have indices, White's
    /// leader first, in ascending order. Each represents all its images under the
    /// symmetries of the material, and is the lowest of them.
    pub fn pairs(&self) -> &[(Square, Square)] {
        self.pairs.list()
    }

    /// The pair that represents the squares of the two leading pieces, and the
    /// symmetry that takes `(white, black)` to `pairs()[pair]`. `None` if the two
    /// may not stand there (same square, touching kings, off the board).
    ///
    /// If two symmetries would do (both leaders on an axis of reflection), it is
    /// the one with the lowest [`Transform::index`].
    #[inline]
    pub fn pair_of(&self, white: Square, black: Square) -> Option<(usize, Transform)> {
        self.pairs.find(white, black)
    }

    /// How many placements of the two leading pieces on the whole board a pair
    /// represents; 0 if there is no such pair.
    ///
    /// If both leaders stand on an axis of reflection, both mirror images of the
    /// other pieces have indices of their own.
    pub fn pair_weight(&self, pair: usize) -> u64 {
        self.pairs.weight(pair)
    }

    /// The groups of identical pieces, the most significant first. The leading
    /// pieces themselves are in none of them.
    pub fn groups(&self) -> &[Group] {
        &self.groups
    }

    /// The pieces of the groups, in their order.
    pub fn order(&self) -> impl Iterator<Item = Piece> + '_ {
        self.groups.iter().map(Group::piece)
    }

    /// The digit of the group of a piece; `None` if the index has no such group.
    pub fn digit(&self, piece: Piece) -> Option<Digit> {
        let place = self
            .groups
            .iter()
            .position(|group| group.piece() == piece)?;
        Some(Digit {
            stride: self.groups[place + 1..].iter().map(Group::size).product(),
            size: self.groups[place].size(),
        })
    }

    /// The index of a placement; `squares` in the order of the pieces, identical
    /// pieces in any order.
    ///
    /// `None` if the number of `squares` is not that of the pieces, a square is off
    /// the board, identical pieces share a square, a pawn stands where none may,
    /// or the leading pieces may not stand there. Pieces of different groups that
    /// share a square are not noticed: such placements have an index.
    #[inline]
    pub fn encode(&self, squares: &[Square]) -> Option<u64> {
        if squares.len() != self.pieces {
            return None;
        }
        if self.has_equal_leaders() {
            self.encode_equals(squares)
        } else {
            self.encode_as_led(squares)
        }
    }

    /// The index of a placement in which the first piece of each side leads.
    #[inline]
    fn encode_as_led(&self, squares: &[Square]) -> Option<u64> {
        let (pair, transform) = self.pair_of(squares[0], squares[self.second])?;
        let image = self.pairs.images(transform);
        let mut index = pair as u64;
        for group in &self.groups {
            index = index * group.size() + group.digit_of_image(squares, image)?;
        }
        Some(index)
    }

    /// The index of a placement as [`Index::encode`] has it; the squares become those that
    /// [`Index::decode`] gives for it, without the divisions which that takes. If `None`,
    /// the squares are unspecified.
    #[inline]
    pub fn normalize(&self, squares: &mut [Square]) -> Option<u64> {
        if squares.len() != self.pieces {
            return None;
        }
        if self.has_equal_leaders() {
            let index = self.encode_equals(squares)?;
            return self.decode(index, squares).then_some(index);
        }
        let (pair, transform) = self.pair_of(squares[0], squares[self.second])?;
        let image = self.pairs.images(transform);
        for square in &mut *squares {
            *square = Square(image[usize::from(square.0)]);
        }
        let mut index = pair as u64;
        for group in &self.groups {
            let squares = &mut squares[group.places()];
            if squares.len() > 1 {
                squares.sort_unstable();
            }
            index = index * group.size() + group.digit_of(squares)?;
        }
        Some(index)
    }

    /// Writes the squares of an index in the order of the pieces, identical pieces
    /// (the leaders aside) in ascending order. Returns `false` and leaves `squares`
    /// alone if there is no such index or `squares` has the wrong length.
    #[inline]
    pub fn decode(&self, index: u64, squares: &mut [Square]) -> bool {
        if index >= self.len() || squares.len() != self.pieces {
            return false;
        }
        let mut index = index;
        for group in self.groups.iter().rev() {
            let digit = index % group.size();
            index /= group.size();
            group.squares_of(digit, &mut squares[group.places()]);
        }
        let (white, black) = self.pairs.list()[index as usize];
        squares[0] = white;
        squares[self.second] = black;
        true
    }
}
