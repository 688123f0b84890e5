//! Implements the word of all boards but 8x8: up to 128 squares in two machine words.
//!
//! The two are kept and moved separately, because the compiler turns loops over `u128` into scalar
//! code.
//!
//! The board is data, not part of the type: the solver's code is large, and this way
//! there is only one more copy of it, whatever boards games have. A loop takes what it
//! needs of the board beforehand, as a [`Step`] or an [`Image`].

mod board;
mod image;

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use retrograde_rules::{Geometry, SquareSet, Transform};

use crate::steps::MoveTable;
use crate::word::Word;
pub(crate) use board::{Wide, WideBoard};
use image::Image;

/// A set of squares: the first 64, rank by rank, are the bits of the first
/// half, the rest those of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word128(u64, u64);

impl BitAnd for Word128 {
    type Output = Word128;
    #[inline(always)]
    fn bitand(self, other: Word128) -> Word128 {
        Word128(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for Word128 {
    type Output = Word128;
    #[inline(always)]
    fn bitor(self, other: Word128) -> Word128 {
        Word128(self.0 | other.0, self.1 | other.1)
    }
}

impl Not for Word128 {
    type Output = Word128;
    #[inline(always)]
    fn not(self) -> Word128 {
        Word128(!self.0, !self.1)
    }
}

impl BitAndAssign for Word128 {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Word128) {
        *self = *self & other;
    }
}

impl BitOrAssign for Word128 {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Word128) {
        *self = *self | other;
    }
}

impl Word128 {
    const fn from_squares(set: SquareSet) -> Word128 {
        Word128(set.0 as u64, (set.0 >> 64) as u64)
    }

    /// The bits moved up by 1 or more.
    #[inline(always)]
    fn up(self, by: u32) -> Word128 {
        match by {
            ..64 => Word128(self.0 << by, self.1 << by | self.0 >> (64 - by)),
            _ => Word128(0, self.0.checked_shl(by - 64).unwrap_or(0)),
        }
    }

    /// The bits moved down by 1 or more.
    #[inline(always)]
    fn down(self, by: u32) -> Word128 {
        match by {
            ..64 => Word128(self.0 >> by | self.1 << (64 - by), self.1 >> by),
            _ => Word128(self.1.checked_shr(by - 64).unwrap_or(0), 0),
        }
    }
}

/// A step on a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Step {
    /// The number of bits, and whether towards higher ones.
    by: u32,
    up: bool,
    /// Whether lines in this direction are so long that a slide needs one more
    /// round.
    far: bool,
    /// The number of rounds of four steps needed beyond that.
    farther: u8,
    /// The squares that the step can lead to.
    reachable: Word128,
}

impl Step {
    /// A step that leads to no square.
    const NONE: Step = Step {
        by: 1,
        up: true,
        far: false,
        farther: 0,
        reachable: Word128(0, 0),
    };

    fn new(board: Geometry, files: i8, ranks: i8) -> Step {
        let reachable: SquareSet = board
            .all()
            .filter_map(|square| board.offset(square, files, ranks))
            .collect();
        if (files, ranks) == (0, 0) || reachable.is_empty() {
            return Step::NONE;
        }
        let by = i32::from(ranks) * i32::from(board.files) + i32::from(files);
        let line = match (files, ranks) {
            (0, _) => board.ranks,
            (_, 0) => board.files,
            _ => board.files.min(board.ranks),
        };
        Step {
            by: by.unsigned_abs(),
            up: by > 0,
            far: line > 9,
            farther: line.saturating_sub(7) / 4,
            reachable: Word128::from_squares(reachable),
        }
    }

    /// The set moved by this many steps. Squares that leave the board are not removed.
    #[inline(always)]
    fn times(self, times: u32, set: Word128) -> Word128 {
        if self.up {
            set.up(times * self.by)
        } else {
            set.down(times * self.by)
        }
    }
}

impl Word for Word128 {
    type Board = Wide;
    type Step = Step;
    type Image = Image;
    const ZERO: Word128 = Word128(0, 0);
    const ALL: Word128 = Word128(!0, !0);
    type Row = [Word128; WideBoard::MOST];
    // Measured: what vectors save is lost again to the two halves of each word.
    const VECTORS: bool = false;
    const EMPTY_ROW: [Word128; WideBoard::MOST] = [Word128(0, 0); WideBoard::MOST];

    #[inline(always)]
    fn board(geometry: Geometry, pawn_home: u8, moves: &'static MoveTable) -> Wide {
        Wide::new(WideBoard::of(geometry, pawn_home), moves)
    }

    #[inline(always)]
    fn full(board: Wide) -> Word128 {
        board.full
    }

    #[inline(always)]
    fn holes(board: Wide) -> Word128 {
        board.holes
    }

    #[inline(always)]
    fn rank(board: Wide, rank: usize) -> Word128 {
        Word128::from_squares(board.geometry.rank_squares(rank as u8))
    }

    #[inline(always)]
    fn of(square: usize) -> Word128 {
        // No branch: one of the halves gets nothing.
        let below = (square < 64) as u64;
        let bit = 1 << (square % 64);
        Word128(bit * below, bit * (1 - below))
    }

    #[inline(always)]
    fn has(self, square: usize) -> bool {
        let half = if square < 64 { self.0 } else { self.1 };
        half >> (square % 64) & 1 != 0
    }

    #[inline(always)]
    fn byte(self, n: usize) -> u8 {
        let half = if n < 8 { self.0 } else { self.1 };
        (half >> (8 * n % 64)) as u8
    }

    #[inline(always)]
    fn of_bytes(bytes: &[u8]) -> Word128 {
        let (low, high) = bytes.split_at(bytes.len().min(8));
        Word128(u64::of_bytes(low), u64::of_bytes(high))
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.0.count_ones() + self.1.count_ones()
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self.0 | self.1 == 0
    }

    #[inline(always)]
    fn pop(&mut self) -> usize {
        if self.0 != 0 {
            let square = self.0.trailing_zeros() as usize;
            self.0 &= self.0 - 1;
            square
        } else {
            let square = 64 + self.1.trailing_zeros() as usize;
            self.1 &= self.1.wrapping_sub(1);
            square
        }
    }

    #[inline(always)]
    fn step(board: Wide, files: i32, ranks: i32) -> Step {
        board.steps[(files + 3) as usize][(ranks + 3) as usize]
    }

    #[inline(always)]
    fn shift(self, step: Step) -> Word128 {
        step.times(1, self) & step.reachable
    }

    #[inline(always)]
    fn slide(self, empty: Word128, step: Step) -> Word128 {
        let first = empty & step.reachable;
        let mut through = first;
        let mut set = self;
        set |= through & step.times(1, set);
        through &= step.times(1, through);
        set |= through & step.times(2, set);
        through &= step.times(2, through);
        set |= through & step.times(4, set);
        if step.far {
            set |= first & step.times(1, set);
            for _ in 0..step.farther {
                set |= through & step.times(4, set);
            }
        }
        set.shift(step)
    }

    #[inline(always)]
    fn image(board: Wide, transform: Transform) -> Image {
        Image {
            transform,
            ..board.image
        }
    }

    #[inline(always)]
    fn apply(self, image: Image) -> Word128 {
        let mut set = self;
        if image.transform.flips_diagonal() {
            for swap in image.diagonal {
                set = swap.apply(set);
            }
        }
        if image.transform.flips_files() {
            for swap in image.files {
                set = swap.apply(set);
            }
        }
        if image.transform.flips_ranks() {
            for swap in image.ranks {
                set = swap.apply(set);
            }
        }
        set
    }
}
