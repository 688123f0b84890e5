//! Words, a bit for every square of the board, and the moves of many pieces in them at once.
//!
//! There is a piece in each bit. The solver is written once over this trait.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use retrograde_rules::{Geometry, Transform};

use super::steps::MoveTable;

/// The facts about the board that words need. Nothing is looked up for the 8x8 board: there it is
/// part of the code.
pub(crate) trait BoardShape: Copy + Debug + Send + Sync + 'static {
    /// Files and ranks.
    fn geometry(self) -> Geometry;

    /// The moves of pieces on the board.
    fn moves(self) -> &'static MoveTable;

    /// The rank that pawns start on, counted from 0 on their own side.
    fn pawn_home(self) -> usize;

    /// The file of a square, counted from 0.
    fn file(self, square: usize) -> usize;

    /// The rank of a square, counted from 0.
    fn rank(self, square: usize) -> usize;

    /// Whether there is a hole in place of a square.
    fn is_hole(self, square: usize) -> bool;

    /// The image of a square under a symmetry of the board.
    fn image(self, transform: Transform, square: usize) -> usize;

    /// Number of files.
    #[inline(always)]
    fn files(self) -> usize {
        self.geometry().files as usize
    }

    /// Number of ranks.
    #[inline(always)]
    fn ranks(self) -> usize {
        self.geometry().ranks as usize
    }

    /// Number of squares: bits in use, and lanes in a row of words.
    #[inline(always)]
    fn squares(self) -> usize {
        self.geometry().squares()
    }
}

/// A set of squares that is fast enough for inner loops. Every operation is
/// branch-free or branches only on what is constant in a loop, so that loops
/// over many words become vector code.
///
/// The complement of a set may have bits that are not squares of the board: it
/// is for masks.
pub(crate) trait Word:
    Copy
    + Debug
    + Eq
    + Send
    + Sync
    + 'static
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + BitAndAssign
    + BitOrAssign
{
    /// Whether loops over such words gain from wide vectors.
    const VECTORS: bool;

    /// The boards that the bits can stand for.
    type Board: BoardShape;
    /// A step by some files and ranks on a board, prepared for a loop.
    type Step: Copy;
    /// A symmetry of a board, prepared for a loop.
    type Image: Copy;
    /// The empty set.
    const ZERO: Self;
    /// The word with every bit set, including those that are not squares.
    const ALL: Self;
    /// Room for a row: a word for every square.
    type Row: Copy + AsRef<[Self]> + AsMut<[Self]>;
    /// A row of empty words.
    const EMPTY_ROW: Self::Row;

    /// A board on which pawns start from a rank of their own side, counted from 0;
    /// panics if the word is not for such boards.
    fn board(geometry: Geometry, pawn_home: u8, moves: &'static MoveTable) -> Self::Board;

    /// All squares of a board, holes included. Where no piece varies within a word, its one bit is
    /// that of the first square, hole or not.
    fn full(board: Self::Board) -> Self;
    /// The holes of a board.
    fn holes(board: Self::Board) -> Self;
    /// The squares of a rank.
    fn rank(board: Self::Board, rank: usize) -> Self;
    /// The set of one square.
    fn of(square: usize) -> Self;
    /// Whether the set contains a square.
    fn has(self, square: usize) -> bool;
    /// The byte of the eight squares from 8n on, the first in the lowest bit.
    fn byte(self, n: usize) -> u8;
    /// The set that [`Word::byte`] takes apart; as many bytes as the type has.
    fn of_bytes(bytes: &[u8]) -> Self;
    /// The number of squares of the set.
    fn count(self) -> u32;
    /// Whether the set is empty.
    fn is_empty(self) -> bool;
    /// Takes out and returns the lowest square; the set must not be empty.
    fn pop(&mut self) -> usize;

    /// A step; each of `files` and `ranks` lies in -3..=3, not both are 0.
    fn step(board: Self::Board, files: i32, ranks: i32) -> Self::Step;
    /// The set moved by a step; squares that leave the board are dropped.
    fn shift(self, step: Self::Step) -> Self;
    /// The squares that can be reached from the set by sliding in one direction (a step of -1..=1
    /// each way) over squares of `empty`, including the first square that is not empty.
    /// Kogge-Stone: one round per doubling of the distance.
    fn slide(self, empty: Self, step: Self::Step) -> Self;

    /// The squares that can be reached from the set by 1 to `most` equal steps, each of them but
    /// the last to a square of `empty`.
    #[inline(always)]
    fn ride(self, empty: Self, step: Self::Step, most: u8) -> Self {
        let mut last = self.shift(step);
        let mut reached = last;
        for _ in 1..most {
            last = (last & empty).shift(step);
            reached |= last;
        }
        reached
    }

    /// A symmetry of the board.
    fn image(board: Self::Board, transform: Transform) -> Self::Image;
    /// The image of the set under a symmetry of the board.
    fn apply(self, image: Self::Image) -> Self;
}
