//! Implements the word of the 8x8 board: its 64 squares in one machine word.

use retrograde_rules::{Geometry, Square, Transform};

use crate::steps::MoveTable;
use crate::word::{BoardShape, Word};

/// The board of orthodox chess.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Eight {
    moves: &'static MoveTable,
}

impl Eight {
    /// Whether a board is that of orthodox chess.
    pub(crate) fn is(geometry: Geometry, pawn_home: u8) -> bool {
        (geometry, pawn_home) == (Geometry::EIGHT, 1)
    }
}

impl BoardShape for Eight {
    #[inline(always)]
    fn geometry(self) -> Geometry {
        Geometry::EIGHT
    }

    #[inline(always)]
    fn moves(self) -> &'static MoveTable {
        self.moves
    }

    #[inline(always)]
    fn pawn_home(self) -> usize {
        1
    }

    #[inline(always)]
    fn file(self, square: usize) -> usize {
        square % 8
    }

    #[inline(always)]
    fn rank(self, square: usize) -> usize {
        square / 8
    }

    #[inline(always)]
    fn is_hole(self, _: usize) -> bool {
        false
    }

    #[inline(always)]
    fn image(self, transform: Transform, square: usize) -> usize {
        let square = Square(square as u8);
        Geometry::EIGHT.apply(transform, square).index()
    }
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
        3 => !(A | A << 1 | A << 2),
        -1 => !(A << 7),
        -2 => !(A << 7 | A << 6),
        -3 => !(A << 7 | A << 6 | A << 5),
        _ => !0,
    }
}

impl Word for u64 {
    type Board = Eight;
    /// Files and ranks.
    type Step = (i32, i32);
    type Image = Transform;
    const ZERO: u64 = 0;
    const ALL: u64 = !0;
    type Row = [u64; 64];
    const VECTORS: bool = true;
    const EMPTY_ROW: [u64; 64] = [0; 64];

    #[inline(always)]
    fn board(geometry: Geometry, pawn_home: u8, moves: &'static MoveTable) -> Eight {
        assert!(
            Eight::is(geometry, pawn_home),
            "a board of more than one word"
        );
        Eight { moves }
    }

    #[inline(always)]
    fn full(_: Eight) -> u64 {
        !0
    }

    #[inline(always)]
    fn holes(_: Eight) -> u64 {
        0
    }

    #[inline(always)]
    fn rank(_: Eight, rank: usize) -> u64 {
        0xFF << (8 * rank)
    }

    #[inline(always)]
    fn of(square: usize) -> u64 {
        1 << square
    }

    #[inline(always)]
    fn has(self, square: usize) -> bool {
        self >> square & 1 != 0
    }

    #[inline(always)]
    fn byte(self, n: usize) -> u8 {
        (self >> (8 * n % 64)) as u8
    }

    #[inline(always)]
    fn of_bytes(bytes: &[u8]) -> u64 {
        let bytes = bytes.iter().rev();
        bytes.fold(0, |word, &byte| word << 8 | u64::from(byte))
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
    fn step(_: Eight, files: i32, ranks: i32) -> (i32, i32) {
        (files, ranks)
    }

    #[inline(always)]
    fn shift(self, (files, ranks): (i32, i32)) -> u64 {
        shifted(self, 8 * ranks + files) & reachable_files(files)
    }

    #[inline(always)]
    fn image(_: Eight, transform: Transform) -> Transform {
        transform
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
    fn slide(self, empty: u64, (files, ranks): (i32, i32)) -> u64 {
        let by = 8 * ranks + files;
        let mut through = empty & reachable_files(files);
        let mut set = self;
        set |= through & shifted(set, by);
        through &= shifted(through, by);
        set |= through & shifted(set, 2 * by);
        through &= shifted(through, 2 * by);
        set |= through & shifted(set, 4 * by);
        set.shift((files, ranks))
    }
}
