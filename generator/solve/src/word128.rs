//! The word of all boards but 8x8: up to 100 squares in two machine words.
//! They are kept and moved separately, because the compiler turns loops
//! over `u128` into scalar code.
//!
//! The board is data, not part of the type: the solver's code is large, and this way
//! there is only one more copy of it, whatever boards games have. A loop takes what it
//! needs of the board beforehand, as a [`Step`] or an [`Image`].

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not};
use std::sync::OnceLock;

use retrograde_rules::{Geometry, Square, SquareSet, Transform};

use crate::word::{BoardShape, Word};

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

    /// The bits moved up by 1..=63.
    #[inline(always)]
    const fn up(self, by: u32) -> Word128 {
        Word128(self.0 << by, self.1 << by | self.0 >> (64 - by))
    }

    /// The bits moved down by 1..=63.
    #[inline(always)]
    const fn down(self, by: u32) -> Word128 {
        Word128(self.0 >> by | self.1 << (64 - by), self.1 >> by)
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
    /// The squares that the step can lead to.
    reachable: Word128,
}

impl Step {
    /// A step that leads to no square.
    const NONE: Step = Step {
        by: 1,
        up: true,
        far: false,
        reachable: Word128(0, 0),
    };

    fn new(board: Geometry, files: i8, ranks: i8) -> Step {
        if (files, ranks) == (0, 0) {
            return Step::NONE;
        }
        let by = i32::from(ranks) * i32::from(board.files) + i32::from(files);
        let line = match (files, ranks) {
            (0, _) => board.ranks,
            (_, 0) => board.files,
            _ => board.files.min(board.ranks),
        };
        let reachable = board
            .all()
            .filter_map(|square| board.offset(square, files, ranks))
            .collect();
        Step {
            by: by.unsigned_abs(),
            up: by > 0,
            far: line > 9,
            reachable: Word128::from_squares(reachable),
        }
    }

    /// The set moved by this many steps, which must be few enough to stay
    /// below 64 bits. Squares that leave the board are not removed.
    #[inline(always)]
    fn times(self, times: u32, set: Word128) -> Word128 {
        if self.up {
            set.up(times * self.by)
        } else {
            set.down(times * self.by)
        }
    }
}

/// Squares that change places with those a number of bits higher.
#[derive(Clone, Copy, Debug)]
struct Swap {
    by: u32,
    lower: Word128,
}

impl Swap {
    /// Changes nothing.
    const NONE: Swap = Swap {
        by: 1,
        lower: Word128(0, 0),
    };

    #[inline(always)]
    fn apply(self, set: Word128) -> Word128 {
        let Word128(low, high) = set.down(self.by);
        let moved = Word128(low ^ set.0, high ^ set.1) & self.lower;
        let back = moved.up(self.by);
        Word128(set.0 ^ moved.0 ^ back.0, set.1 ^ moved.1 ^ back.1)
    }
}

/// The swaps that mirror a line of up to 10: the halves change places, then
/// the halves of these, and so on; of an odd line the middle stays.
const FLIPS: usize = 3;
/// Those that mirror a square board of up to 10x10 in its diagonal: the
/// quarters off it change places, then those of each quarter; and the middle
/// file and rank of an odd one do so step by step.
const TURNS: usize = 5;

/// A symmetry of a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    transform: Transform,
    diagonal: [Swap; TURNS],
    files: [Swap; FLIPS],
    ranks: [Swap; FLIPS],
}

/// A board of up to ten files and ten ranks.
#[derive(Debug)]
pub(crate) struct WideBoard {
    geometry: Geometry,
    pawn_home: usize,
    full: Word128,
    files: [u8; WideBoard::MOST],
    ranks: [u8; WideBoard::MOST],
    /// By files and ranks, from -2.
    steps: [[Step; 5]; 5],
    /// With the transform that it is made of last.
    image: Image,
    /// The images of all squares under every symmetry.
    images: [[u8; WideBoard::MOST]; Transform::ALL.len()],
}

impl WideBoard {
    /// The most squares.
    const MOST: usize = 100;
    /// The most files, and the most ranks.
    const SIDE: usize = 10;

    /// The board of this size with pawns that start on this rank (from 0),
    /// made at first use.
    pub(crate) fn of(geometry: Geometry, pawn_home: u8) -> &'static WideBoard {
        const HOMES: usize = 4;
        static BOARDS: [[[OnceLock<WideBoard>; HOMES]; WideBoard::SIDE]; WideBoard::SIDE] =
            [const { [const { [const { OnceLock::new() }; HOMES] }; WideBoard::SIDE] };
                WideBoard::SIDE];
        let Geometry { files, ranks } = geometry;
        let made = &BOARDS[usize::from(files) - 1][usize::from(ranks) - 1][usize::from(pawn_home)];
        made.get_or_init(|| WideBoard::new(geometry, pawn_home.into()))
    }

    fn new(geometry: Geometry, pawn_home: usize) -> WideBoard {
        let per_square = |value: &dyn Fn(Square) -> u8| {
            let mut values = [0; WideBoard::MOST];
            for square in geometry.all() {
                values[square.index()] = value(square);
            }
            values
        };
        let step =
            |files: usize, ranks: usize| Step::new(geometry, files as i8 - 2, ranks as i8 - 2);
        let mut images = [[0; WideBoard::MOST]; Transform::ALL.len()];
        for transform in geometry.transforms() {
            images[transform.index()] = per_square(&|square| geometry.apply(transform, square).0);
        }
        WideBoard {
            geometry,
            pawn_home,
            full: Word128::from_squares(geometry.full()),
            files: per_square(&|square| geometry.file(square)),
            ranks: per_square(&|square| geometry.rank(square)),
            steps: std::array::from_fn(|files| std::array::from_fn(|ranks| step(files, ranks))),
            image: Image {
                transform: Transform::IDENTITY,
                diagonal: if geometry.is_square() {
                    diagonal_swaps(geometry)
                } else {
                    [Swap::NONE; TURNS]
                },
                files: flips(geometry, false),
                ranks: flips(geometry, true),
            },
            images,
        }
    }
}

/// The halves of a line of this many places: how many places each has, and how
/// far they are apart. The middle of an odd line is in neither.
fn halves(length: u8) -> (u8, u8) {
    (length / 2, length.div_ceil(2))
}

/// The swaps that mirror all ranks, or all files (`across`).
fn flips(board: Geometry, across: bool) -> [Swap; FLIPS] {
    let (mut length, bits) = if across {
        (board.ranks, board.files)
    } else {
        (board.files, 1)
    };
    let place = |square| {
        if across {
            board.rank(square)
        } else {
            board.file(square)
        }
    };
    // The starts of the parts still to be mirrored, each `length` long.
    let mut parts = vec![0];
    std::array::from_fn(|_| {
        let (half, apart) = halves(length);
        let in_lower_half = |&square: &Square| {
            let mut parts = parts.iter();
            parts.any(|part| (*part..part + half).contains(&place(square)))
        };
        if half == 0 {
            return Swap::NONE;
        }
        let lower = board.all().filter(in_lower_half).collect();
        parts = parts
            .iter()
            .flat_map(|&part| [part, part + apart])
            .collect();
        length = half;
        Swap {
            by: u32::from(apart * bits),
            lower: Word128::from_squares(lower),
        }
    })
}

/// The swaps that exchange the files and the ranks of a square board, those
/// over the longest way first.
fn diagonal_swaps(board: Geometry) -> [Swap; TURNS] {
    // The distance between the files and ranks that change places.
    let mut lower = [SquareSet::EMPTY; TURNS + 1];
    // The blocks of squares still to be mirrored in their diagonals.
    let mut parts = vec![(0, 0)];
    let mut length = board.files;
    while length > 1 {
        let (half, apart) = halves(length);
        for &(file, rank) in &parts {
            for (x, y) in (0..half).flat_map(|x| (0..half).map(move |y| (x, y))) {
                lower[usize::from(apart)].insert(board.square(file + x + apart, rank + y));
            }
            if half < apart {
                for x in (0..length).filter(|&x| x != half) {
                    let (near, far) = (x.min(half), x.max(half));
                    lower[usize::from(far - near)].insert(board.square(file + far, rank + near));
                }
            }
        }
        parts = parts
            .iter()
            .flat_map(|&(file, rank)| {
                let (right, up) = (file + apart, rank + apart);
                [(file, rank), (right, rank), (file, up), (right, up)]
            })
            .collect();
        length = half;
    }
    std::array::from_fn(|n| {
        let apart = TURNS - n;
        Swap {
            by: (apart * (usize::from(board.files) - 1)).max(1) as u32,
            lower: Word128::from_squares(lower[apart]),
        }
    })
}

impl BoardShape for &'static WideBoard {
    #[inline(always)]
    fn geometry(self) -> Geometry {
        self.geometry
    }

    #[inline(always)]
    fn pawn_home(self) -> usize {
        self.pawn_home
    }

    #[inline(always)]
    fn file(self, square: usize) -> usize {
        self.files[square].into()
    }

    #[inline(always)]
    fn rank(self, square: usize) -> usize {
        self.ranks[square].into()
    }

    #[inline(always)]
    fn image(self, transform: Transform, square: usize) -> usize {
        self.images[transform.index()][square].into()
    }
}

impl Word for Word128 {
    type Board = &'static WideBoard;
    type Step = Step;
    type Image = Image;
    const ZERO: Word128 = Word128(0, 0);
    const ALL: Word128 = Word128(!0, !0);
    type Row = [Word128; WideBoard::MOST];
    // Measured: what vectors save is lost again to the two halves of each word.
    const VECTORS: bool = false;
    const EMPTY_ROW: [Word128; WideBoard::MOST] = [Word128(0, 0); WideBoard::MOST];

    #[inline(always)]
    fn board(geometry: Geometry, pawn_home: u8) -> &'static WideBoard {
        WideBoard::of(geometry, pawn_home)
    }

    #[inline(always)]
    fn full(board: &'static WideBoard) -> Word128 {
        board.full
    }

    #[inline(always)]
    fn rank(board: &'static WideBoard, rank: usize) -> Word128 {
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
    fn step(board: &'static WideBoard, files: i32, ranks: i32) -> Step {
        board.steps[(files + 2) as usize][(ranks + 2) as usize]
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
        }
        set.shift(step)
    }

    #[inline(always)]
    fn image(board: &'static WideBoard, transform: Transform) -> Image {
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
