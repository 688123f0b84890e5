//! Mirrors sets of squares under the symmetries of a board, by swaps of parts of the sets.

use retrograde_rules::{Geometry, Square, SquareSet, Transform};

use super::Word128;

/// Squares that change places with those a number of bits higher.
#[derive(Clone, Copy, Debug)]
pub(super) struct Swap {
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
    pub(super) fn apply(self, set: Word128) -> Word128 {
        let Word128(low, high) = set.down(self.by);
        let moved = Word128(low ^ set.0, high ^ set.1) & self.lower;
        let back = moved.up(self.by);
        Word128(set.0 ^ moved.0 ^ back.0, set.1 ^ moved.1 ^ back.1)
    }
}

/// The swaps that mirror a line of up to 16: the halves change places, then
/// the halves of these, and so on; of an odd line the middle stays.
const FLIPS: usize = 4;
/// The number of swaps that mirror a square board of up to 11x11 in its diagonal: the quarters off
/// it change places, then those of each quarter; and the middle file and rank of an odd one do so
/// step by step.
const TURNS: usize = 6;

/// A symmetry of a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    pub(super) transform: Transform,
    pub(super) diagonal: [Swap; TURNS],
    pub(super) files: [Swap; FLIPS],
    pub(super) ranks: [Swap; FLIPS],
}

impl Image {
    /// The identity, of which the other symmetries of the board are made.
    pub(super) fn identity(board: Geometry) -> Image {
        Image {
            transform: Transform::IDENTITY,
            diagonal: if board.is_square() {
                diagonal_swaps(board)
            } else {
                [Swap::NONE; TURNS]
            },
            files: flips(board, false),
            ranks: flips(board, true),
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
