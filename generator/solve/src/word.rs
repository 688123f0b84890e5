//! A word: one bit for every square of the board, and the moves of many men
//! at once, one in each bit. The solver is written once over this trait.

use std::fmt::Debug;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use retrograde_rules::{Geometry, Transform};

/// A set of squares that is fast enough for inner loops. Every operation is
/// branch-free, so that loops over many words become vector code.
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
    /// The board that the bits stand for.
    const BOARD: Geometry;
    /// Files of the board.
    const FILES: usize = Self::BOARD.files as usize;
    /// Ranks of the board.
    const RANKS: usize = Self::BOARD.ranks as usize;
    /// Squares of the board: bits in use, and lanes in a row of words.
    const SQUARES: usize = Self::FILES * Self::RANKS;
    /// The empty set.
    const ZERO: Self;
    /// Room for a row: a word for every square.
    type Row: Copy + AsRef<[Self]> + AsMut<[Self]>;
    /// A row of empty words.
    const EMPTY_ROW: Self::Row;
    /// All squares of the board.
    const FULL: Self;

    /// The set of one square.
    fn of(square: usize) -> Self;
    /// Whether the set contains a square.
    fn has(self, square: usize) -> bool;
    /// How many squares the set has.
    fn count(self) -> u32;
    /// Whether the set is empty.
    fn is_empty(self) -> bool;
    /// Takes out and returns the lowest square; the set must not be empty.
    fn pop(&mut self) -> usize;
    /// Every square moved by a step; what leaves the board is gone. Each of
    /// `files` and `ranks` lies in -2..=2.
    fn shift(self, files: i32, ranks: i32) -> Self;
    /// The image of the set under a symmetry of the board.
    fn apply(self, transform: Transform) -> Self;

    /// All squares that can be reached from the set by sliding in one
    /// direction (each step -1..=1) over squares of `empty`, the first square
    /// that is not empty included. Kogge-Stone: log2(7) rounds.
    fn slide(self, empty: Self, files: i32, ranks: i32) -> Self;
}

/// `set << by`, or right when `by` is negative.
#[inline(always)]
const fn shifted(set: u64, by: i32) -> u64 {
    if by >= 0 { set << by } else { set >> -by }
}

/// The files that a step of `files` can lead to on the 8x8 board.
#[inline(always)]
const fn reachable_files(files: i32) -> u64 {
    const A: u64 = 0x0101_0101_0101_0101;
    match files {
        1 => !A,
        2 => !(A | A << 1),
        -1 => !(A << 7),
        -2 => !(A << 7 | A << 6),
        _ => !0,
    }
}

impl Word for u64 {
    const BOARD: Geometry = Geometry::EIGHT;
    const ZERO: u64 = 0;
    type Row = [u64; 64];
    const EMPTY_ROW: [u64; 64] = [0; 64];
    const FULL: u64 = !0;

    #[inline(always)]
    fn of(square: usize) -> u64 {
        1 << square
    }

    #[inline(always)]
    fn has(self, square: usize) -> bool {
        self >> square & 1 != 0
    }

    #[inline(always)]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline(always)]
    fn is_empty(self) -> bool {
        self == 0
    }

    #[inline(always)]
    fn pop(&mut self) -> usize {
        let square = self.trailing_zeros() as usize;
        *self &= self.wrapping_sub(1);
        square
    }

    #[inline(always)]
    fn shift(self, files: i32, ranks: i32) -> u64 {
        shifted(self, 8 * ranks + files) & reachable_files(files)
    }

    #[inline(always)]
    fn apply(self, transform: Transform) -> u64 {
        let mut set = self;
        if transform.flips_diagonal() {
            for (by, mask) in [
                (28, 0x0F0F_0F0F_0000_0000_u64),
                (14, 0x3333_0000_3333_0000),
                (7, 0x5500_5500_5500_5500),
            ] {
                let swap = mask & (set ^ set << by);
                set ^= swap ^ swap >> by;
            }
        }
        if transform.flips_files() {
            for (by, mask) in [
                (1, 0x5555_5555_5555_5555_u64),
                (2, 0x3333_3333_3333_3333),
                (4, 0x0F0F_0F0F_0F0F_0F0F),
            ] {
                set = (set >> by & mask) | (set & mask) << by;
            }
        }
        if transform.flips_ranks() {
            set = set.swap_bytes();
        }
        set
    }

    #[inline(always)]
    fn slide(self, empty: u64, files: i32, ranks: i32) -> u64 {
        let by = 8 * ranks + files;
        let mut through = empty & reachable_files(files);
        let mut set = self;
        set |= through & shifted(set, by);
        through &= shifted(through, by);
        set |= through & shifted(set, 2 * by);
        through &= shifted(through, 2 * by);
        set |= through & shifted(set, 4 * by);
        set.shift(files, ranks)
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::Square;

    use super::super::nine::Nine;
    use super::*;

    /// Plain stepping over the board, square by square.
    fn plain_slide<W: Word>(from: W, empty: W, files: i8, ranks: i8) -> W {
        let mut reached = W::ZERO;
        for start in W::BOARD.all().filter(|s| from.has(s.index())) {
            let mut square = start;
            while let Some(next) = W::BOARD.offset(square, files, ranks) {
                reached |= W::of(next.index());
                if !empty.has(next.index()) {
                    break;
                }
                square = next;
            }
        }
        reached
    }

    fn image<W: Word>(set: W, to: impl Fn(Square) -> Option<Square>) -> W {
        W::BOARD
            .all()
            .filter(|s| set.has(s.index()))
            .filter_map(to)
            .fold(W::ZERO, |set, s| set | W::of(s.index()))
    }

    /// Sets of many densities.
    fn some_sets<W: Word>() -> impl Iterator<Item = W> {
        let mut seed = 1_u64;
        (0..500).map(move |round| {
            let mut set = W::ZERO;
            for square in 0..W::SQUARES {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if seed >> 33 & 7 <= round % 8 {
                    set |= W::of(square);
                }
            }
            set
        })
    }

    fn moves_equal_plain_stepping<W: Word>() {
        let sets: Vec<W> = some_sets().collect();
        for (i, &from) in sets.iter().enumerate() {
            let empty = !sets[(i + 7) % sets.len()];
            for files in -1..=1_i8 {
                for ranks in -1..=1_i8 {
                    if (files, ranks) == (0, 0) {
                        continue;
                    }
                    let fast = from.slide(empty, files.into(), ranks.into());
                    assert_eq!(fast, plain_slide(from, empty, files, ranks));
                }
            }
            for files in -2..=2_i8 {
                for ranks in -2..=2_i8 {
                    let plain = image(from, |s| W::BOARD.offset(s, files, ranks));
                    assert_eq!(from.shift(files.into(), ranks.into()), plain);
                }
            }
            for transform in Transform::all() {
                let plain = image(from, |s| Some(W::BOARD.apply(transform, s)));
                assert_eq!(from.apply(transform), plain);
            }
        }
    }

    fn sets_are_sets<W: Word>() {
        for set in some_sets::<W>() {
            let squares: Vec<usize> = (0..W::SQUARES).filter(|&s| set.has(s)).collect();
            assert_eq!(set.count() as usize, squares.len());
            assert_eq!(set.is_empty(), squares.is_empty());
            let mut left = set;
            let mut popped = Vec::new();
            while !left.is_empty() {
                popped.push(left.pop());
            }
            assert_eq!(popped, squares);
            assert_eq!(!!set, set);
            assert_eq!(set | !set, W::FULL);
            assert_eq!(set & !set, W::ZERO);
        }
    }

    #[test]
    fn slides_shifts_and_images_equal_plain_stepping() {
        moves_equal_plain_stepping::<u64>();
        moves_equal_plain_stepping::<Nine>();
    }

    #[test]
    fn words_are_sets_of_squares() {
        sets_are_sets::<u64>();
        sets_are_sets::<Nine>();
    }
}
