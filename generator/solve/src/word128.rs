//! The word of the 9x9 board: 81 bits in two halves. They are kept apart, and
//! moved as two machine words, because the compiler turns loops over `u128`
//! into scalar code.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};

use retrograde_rules::{Geometry, Transform};

use super::word::Word;

/// A set of squares of the 9x9 board: a1 to a8 (rank by rank) are the bits of
/// the first half, from b8 on those of the second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nine(u64, u64);

/// The bits of the second half that are squares.
const HIGH: u64 = (1 << 17) - 1;

impl BitAnd for Nine {
    type Output = Nine;
    #[inline(always)]
    fn bitand(self, other: Nine) -> Nine {
        Nine(self.0 & other.0, self.1 & other.1)
    }
}

impl BitOr for Nine {
    type Output = Nine;
    #[inline(always)]
    fn bitor(self, other: Nine) -> Nine {
        Nine(self.0 | other.0, self.1 | other.1)
    }
}

impl Not for Nine {
    type Output = Nine;
    #[inline(always)]
    fn not(self) -> Nine {
        Nine(!self.0, !self.1 & HIGH)
    }
}

impl BitAndAssign for Nine {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Nine) {
        *self = *self & other;
    }
}

impl BitOrAssign for Nine {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Nine) {
        *self = *self | other;
    }
}

/// `set << by`, or right when `by` is negative; -63..=63.
#[inline(always)]
const fn shifted(set: Nine, by: i32) -> Nine {
    let Nine(low, high) = set;
    match by {
        0 => set,
        // Shifting twice keeps every count below 64.
        1.. => Nine(low << by, (high << by | low >> 1 >> (63 - by)) & HIGH),
        _ => Nine(low >> -by | high << 1 << (63 + by), high >> -by),
    }
}

/// The squares of a file.
const fn file(file: u32) -> Nine {
    let mut set = Nine(0, 0);
    let mut rank = 0;
    while rank < 9 {
        let square = 9 * rank + file;
        if square < 64 {
            set.0 |= 1 << square;
        } else {
            set.1 |= 1 << (square - 64);
        }
        rank += 1;
    }
    set
}

/// The files that a step of `files` can lead to.
#[inline(always)]
const fn reachable_files(files: i32) -> Nine {
    const fn without(one: u32, other: u32) -> Nine {
        let (one, other) = (file(one), file(other));
        Nine(!(one.0 | other.0), !(one.1 | other.1) & HIGH)
    }
    const ONE: Nine = without(0, 0);
    const TWO: Nine = without(0, 1);
    const BACK_ONE: Nine = without(8, 8);
    const BACK_TWO: Nine = without(8, 7);
    match files {
        1 => ONE,
        2 => TWO,
        -1 => BACK_ONE,
        -2 => BACK_TWO,
        _ => Nine(!0, HIGH),
    }
}

impl Word for Nine {
    const BOARD: Geometry = Geometry::NINE;
    const ZERO: Nine = Nine(0, 0);
    type Row = [Nine; 81];
    const EMPTY_ROW: [Nine; 81] = [Nine(0, 0); 81];
    const FULL: Nine = Nine(!0, HIGH);

    #[inline(always)]
    fn of(square: usize) -> Nine {
        // No branch: one of the halves gets nothing.
        let below = (square < 64) as u64;
        let bit = 1 << (square % 64);
        Nine(bit * below, bit * (1 - below))
    }

    #[inline(always)]
    fn has(self, square: usize) -> bool {
        let half = if square < 64 { self.0 } else { self.1 };
        half >> (square % 64) & 1 != 0
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
    fn shift(self, files: i32, ranks: i32) -> Nine {
        shifted(self, 9 * ranks + files) & reachable_files(files)
    }

    #[inline(always)]
    fn apply(self, transform: Transform) -> Nine {
        if transform.flips_diagonal() || transform.flips_ranks() {
            // No game on this board has these symmetries.
            let mut image = Nine::ZERO;
            let mut set = self;
            while !set.is_empty() {
                let square = retrograde_rules::Square(set.pop() as u8);
                image |= Nine::of(Geometry::NINE.apply(transform, square).index());
            }
            return image;
        }
        if !transform.flips_files() {
            return self;
        }
        let mut image = self & const { file(4) };
        macro_rules! swap {
            ($($from:literal)*) => {$(
                let by = 8 - 2 * $from;
                image |= shifted(self & const { file($from) }, by);
                image |= shifted(self & const { file(8 - $from) }, -by);
            )*};
        }
        swap!(0 1 2 3);
        image
    }

    #[inline(always)]
    fn slide(self, empty: Nine, files: i32, ranks: i32) -> Nine {
        let by = 9 * ranks + files;
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
