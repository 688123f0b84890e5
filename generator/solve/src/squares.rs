//! Squares as the solver counts them: members and images of sets, ranks, and
//! the ways of pawns.

use retrograde_rules::{Colour, Square, Transform};

use super::word::Word;

/// The members of a set, lowest first.
#[inline(always)]
pub(crate) fn members<W: Word>(mut set: W) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || (!set.is_empty()).then(|| set.pop()))
}

/// The lanes of a row whose words hold anything.
#[inline(always)]
pub(crate) fn filled<W: Word>(words: &[W]) -> W {
    let all = words.iter().fold(W::ZERO, |all, word| all | *word);
    let mut lanes = W::ZERO;
    if !all.is_empty() {
        for (lane, word) in words.iter().enumerate() {
            lanes |= if word.is_empty() {
                W::ZERO
            } else {
                W::of(lane)
            };
        }
    }
    lanes
}

/// How many steps in one direction stay on the board.
#[inline(always)]
pub(crate) fn room<W: Word>(square: usize, files: i32, ranks: i32) -> usize {
    let along = |place: usize, size: usize, by: i32| match by {
        0 => usize::MAX,
        1.. => (size - 1 - place) / by as usize,
        _ => place / by.unsigned_abs() as usize,
    };
    along(square % W::FILES, W::FILES, files).min(along(square / W::FILES, W::RANKS, ranks))
}

/// The square one step on, which must be on the board.
#[inline(always)]
pub(crate) fn beyond<W: Word>(square: usize, files: i32, ranks: i32) -> usize {
    square.wrapping_add_signed(ranks as isize * W::FILES as isize + files as isize)
}

/// The image of a square.
#[inline(always)]
pub(crate) fn image<W: Word>(transform: Transform, square: usize) -> usize {
    W::BOARD.apply(transform, Square(square as u8)).index()
}

/// The square so many ranks ahead of a side's pawn, if there is one.
#[inline(always)]
pub(crate) fn ahead<W: Word>(square: usize, side: Colour, ranks: usize) -> Option<usize> {
    let by = ranks * W::FILES;
    match side {
        Colour::White => Some(square + by).filter(|&s| s < W::SQUARES),
        Colour::Black => square.checked_sub(by),
    }
}

/// The side's own first rank, counted from 0.
#[inline(always)]
pub(crate) fn first_rank<W: Word>(side: Colour) -> usize {
    match side {
        Colour::White => 0,
        Colour::Black => W::RANKS - 1,
    }
}

/// The rank on which double steps arrive, counted from 0.
#[inline(always)]
pub(crate) fn double_rank<W: Word>(side: Colour) -> usize {
    match side {
        Colour::White => 3,
        Colour::Black => W::RANKS - 4,
    }
}

/// Where a double step from a square leads, if one may be made from there.
#[inline(always)]
pub(crate) fn double_step<W: Word>(square: usize, side: Colour) -> Option<usize> {
    let two = ahead::<W>(square, side, 2)?;
    (two / W::FILES == double_rank::<W>(side)).then_some(two)
}

/// The square that stands for a pawn on `arrival` that has just made its
/// double step there and may be taken en passant.
#[inline(always)]
pub(crate) fn open_square<W: Word>(arrival: usize, side: Colour) -> usize {
    match side {
        Colour::White => arrival - 3 * W::FILES,
        Colour::Black => arrival + 3 * W::FILES,
    }
}

/// All squares of a rank.
#[inline(always)]
pub(crate) fn rank<W: Word>(rank: usize) -> W {
    let mut set = W::ZERO;
    for file in 0..W::FILES {
        set |= W::of(rank * W::FILES + file);
    }
    set
}

/// Three steps along a file.
#[inline(always)]
pub(crate) fn thrice<W: Word>(set: W, ranks: i32) -> W {
    set.shift(0, 2 * ranks).shift(0, ranks)
}
