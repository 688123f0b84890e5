//! Squares as the solver counts them: members of sets, neighbours, and the paths of pawns.

use retrograde_rules::{Colour, Square};

use super::movement::ALL_WAYS;
use super::steps::Step;
use super::word::{BoardShape, Word};

/// The direction of pawns: +1 for White, -1 for Black.
#[inline(always)]
pub(crate) const fn forward(colour: Colour) -> i32 {
    match colour {
        Colour::White => 1,
        Colour::Black => -1,
    }
}

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

/// The squares beside a square, in all eight directions.
#[inline(always)]
pub(crate) fn neighbours<W: Word>(board: W::Board, square: usize) -> W {
    let step = |(files, ranks): Step| W::of(square).shift(W::step(board, files, ranks));
    ALL_WAYS
        .into_iter()
        .fold(W::ZERO, |set, way| set | step(way))
}

/// The number of steps in one direction that stay on the board.
#[inline(always)]
pub(crate) fn room(board: impl BoardShape, square: usize, files: i32, ranks: i32) -> usize {
    let along = |place: usize, size: usize, by: i32| match by {
        0 => usize::MAX,
        1.. => (size - 1 - place) / by as usize,
        _ => place / by.unsigned_abs() as usize,
    };
    let across = along(board.file(square), board.files(), files);
    across.min(along(board.rank(square), board.ranks(), ranks))
}

/// The square one step on, which must be on the board.
#[inline(always)]
pub(crate) fn beyond(board: impl BoardShape, square: usize, files: i32, ranks: i32) -> usize {
    square.wrapping_add_signed(ranks as isize * board.files() as isize + files as isize)
}

/// The square `ranks` ahead of a side's pawn, if there is one, whatever the squares between.
#[inline(always)]
pub(crate) fn ahead(
    board: impl BoardShape,
    square: usize,
    side: Colour,
    ranks: usize,
) -> Option<usize> {
    let by = ranks * board.files();
    let there = match side {
        Colour::White => Some(square + by).filter(|&s| s < board.squares()),
        Colour::Black => square.checked_sub(by),
    };
    there.filter(|&there| !board.is_hole(there))
}

/// A rank counted from 0 on the side's own first rank.
#[inline(always)]
pub(crate) fn rank_of(board: impl BoardShape, side: Colour, rank: usize) -> usize {
    match side {
        Colour::White => rank,
        Colour::Black => board.ranks() - 1 - rank,
    }
}

/// The side's own first rank.
#[inline(always)]
pub(crate) fn first_rank(board: impl BoardShape, side: Colour) -> usize {
    rank_of(board, side, 0)
}

/// The rank on which double steps arrive.
#[inline(always)]
pub(crate) fn double_rank(board: impl BoardShape, side: Colour) -> usize {
    rank_of(board, side, board.pawn_home() + 2)
}

/// The rank behind that on which pawns start, where none can stand: its
/// squares stand for pawns that have just made a double step, see `rights`.
#[inline(always)]
pub(crate) fn open_rank(board: impl BoardShape, side: Colour) -> usize {
    rank_of(board, side, board.pawn_home() - 1)
}

/// Whether a side's pawn may stand on a square, which is not behind its first rank.
#[inline(always)]
pub(crate) fn is_for_pawns(board: impl BoardShape, square: usize, side: Colour) -> bool {
    match &board.moves().pawn_squares {
        None => rank_of(board, side, board.rank(square)) <= board.moves().last_pawn_rank,
        Some(squares) => squares.stand[side.index()].contains(Square(square as u8)),
    }
}

/// Whether a side's pawns promote as they arrive on a square.
#[inline(always)]
pub(crate) fn promotes_on(board: impl BoardShape, square: usize, side: Colour) -> bool {
    if let Some(squares) = &board.moves().pawn_squares {
        return squares.promote[side.index()].contains(Square(square as u8));
    }
    rank_of(board, side, board.rank(square)) + board.moves().promotion_ranks >= board.ranks()
}

/// The squares on which a side's pawns promote.
#[inline(always)]
pub(crate) fn promotion_squares<W: Word>(board: W::Board, side: Colour) -> W {
    if let Some(squares) = &board.moves().pawn_squares {
        let squares = squares.promote[side.index()].into_iter();
        return squares.fold(W::ZERO, |set, square| set | W::of(square.index()));
    }
    let ranks = board.ranks() - board.moves().promotion_ranks..board.ranks();
    ranks.fold(W::ZERO, |set, rank| {
        set | W::rank(board, rank_of(board, side, rank))
    })
}

/// The square that a double step from a square leads to, if one may be made from there.
#[inline(always)]
pub(crate) fn double_step(board: impl BoardShape, square: usize, side: Colour) -> Option<usize> {
    if !board.moves().double_steps {
        return None;
    }
    let two = ahead(board, square, side, 2)?;
    ahead(board, square, side, 1)?;
    may_step_twice(board, square, side).then_some(two)
}

/// Whether a side's pawns make double steps from the rank of a square.
#[inline(always)]
fn may_step_twice(board: impl BoardShape, square: usize, side: Colour) -> bool {
    let rank = rank_of(board, side, board.rank(square));
    match board.moves().double_step_ranks {
        None => rank == board.pawn_home(),
        Some(ranks) => ranks[side.index()] >> rank & 1 != 0,
    }
}

/// The steps that a side's double steps are made of.
pub(crate) fn doubled_steps(board: impl BoardShape, side: Colour) -> Vec<Step> {
    match &board.moves().own_pawns {
        None => vec![(0, forward(side))],
        Some(pawns) => pawns.doubled[side.index()].clone(),
    }
}

/// The squares that a double step from a square passes over and leads to, made of two equal steps,
/// if one may be made from there.
pub(crate) fn double_step_by(
    board: impl BoardShape,
    square: usize,
    side: Colour,
    (files, ranks): Step,
) -> Option<(usize, usize)> {
    if !board.moves().double_steps
        || !may_step_twice(board, square, side)
        || room(board, square, files, ranks) < 2
    {
        return None;
    }
    let one = beyond(board, square, files, ranks);
    let two = beyond(board, one, files, ranks);
    (!board.is_hole(one) && !board.is_hole(two)).then_some((one, two))
}

/// The squares on which double steps arrive.
#[inline(always)]
pub(crate) fn double_arrivals<W: Word>(board: W::Board, side: Colour) -> W {
    let moves = board.moves();
    match (moves.double_steps, moves.double_step_ranks) {
        (false, _) => W::ZERO,
        (true, None) => W::rank(board, double_rank(board, side)),
        (true, Some(ranks)) => arrivals_from(board, side, ranks[side.index()]),
    }
}

/// The squares on which double steps arrive that may be answered en passant.
pub(crate) fn ep_arrivals<W: Word>(board: W::Board, side: Colour) -> W {
    arrivals_from(board, side, board.moves().ep_step_ranks[side.index()])
}

/// The squares on which double steps from some ranks arrive.
#[inline(always)]
fn arrivals_from<W: Word>(board: W::Board, side: Colour, ranks: u16) -> W {
    (2..board.ranks())
        .filter(|to| ranks >> (to - 2) & 1 != 0)
        .map(|to| W::rank(board, rank_of(board, side, to)))
        .fold(W::ZERO, |all, rank| all | rank)
}

/// The square that represents a pawn on `arrival` that has just made its double step there
/// and may be captured en passant.
#[inline(always)]
pub(crate) fn open_square(board: impl BoardShape, arrival: usize, side: Colour) -> usize {
    match side {
        Colour::White => arrival - 3 * board.files(),
        Colour::Black => arrival + 3 * board.files(),
    }
}

/// Three steps along a file.
#[inline(always)]
pub(crate) fn thrice<W: Word>(board: W::Board, set: W, ranks: i32) -> W {
    set.shift(W::step(board, 0, 2 * ranks))
        .shift(W::step(board, 0, ranks))
}
