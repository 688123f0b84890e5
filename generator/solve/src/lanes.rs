//! Moves the lane piece in a row of positions: whole words go from lane to lane.
//!
//! All lanes of a row are moved at once or a single one.

use retrograde_rules::{Colour, Transform};

use super::squares::{ahead, beyond, double_rank, room};
use super::steps::Step;
use super::word::{BoardShape, Word};

/// Adds a row seen through the inverse of the symmetry with number `T`.
#[inline(always)]
pub(super) fn add_image<W: Word, const T: usize>(
    board: W::Board,
    source: &[W],
    passed: W,
    out: &mut [W],
) {
    let transform = const { Transform::ALL[T] };
    let back = W::image(board, transform.inverse());
    let (source, out) = (&source[..board.squares()], &mut out[..board.squares()]);
    for rank in 0..board.ranks() {
        for file in 0..board.files() {
            let lane = rank * board.files() + file;
            let there = board.image(transform, lane);
            out[lane] |= source[there].apply(back) & !passed;
        }
    }
}

/// Moves every lane by a leap.
#[inline(always)]
pub(super) fn leap_lanes<W: Word>(
    board: W::Board,
    source: &[W],
    (files, ranks): Step,
    out: &mut [W],
) {
    let Some(width) = board.files().checked_sub(files.unsigned_abs() as usize) else {
        return;
    };
    let (to_file, from_file) = (files.max(0) as usize, (-files).max(0) as usize);
    for rank in 0..board.ranks() {
        let Some(there) = rank
            .checked_add_signed(-ranks as isize)
            .filter(|&r| r < board.ranks())
        else {
            continue;
        };
        let to = &mut out[rank * board.files() + to_file..][..width];
        let from = &source[there * board.files() + from_file..][..width];
        for (to, from) in to.iter_mut().zip(from) {
            *to |= *from;
        }
    }
}

/// Takes back the steps of a pawn of `side` to one lane.
#[inline(always)]
pub(super) fn step_lane_back<W: Word>(
    board: W::Board,
    word: W,
    lane: usize,
    occupied: W,
    side: Colour,
    out: &mut [W],
) {
    let Some(one) = ahead(board, lane, side.other(), 1) else {
        return;
    };
    out[one] |= word;
    if board.moves().double_steps
        && board.rank(lane) == double_rank(board, side)
        && !occupied.has(one)
        && let Some(two) = ahead(board, one, side.other(), 1)
    {
        out[two] |= word & !W::of(one);
    }
}

/// Slides one lane in one direction, `most` steps at most, past lanes of squares that are not
/// `occupied`, for positions in which the inner piece is not in the way.
#[inline(always)]
pub(super) fn slide_lane<W: Word>(
    board: W::Board,
    mut moving: W,
    mut lane: usize,
    occupied: W,
    ((files, ranks), most): (Step, usize),
    out: &mut [W],
) {
    for _ in 0..room(board, lane, files, ranks).min(most) {
        lane = beyond(board, lane, files, ranks);
        out[lane] |= moving;
        moving &= !W::of(lane);
        if occupied.has(lane) || moving.is_empty() {
            break;
        }
    }
}

/// Slides every lane in one direction: for each line, an accumulator runs over the board,
/// keeps what `pass` lets through and collects each lane.
#[inline(always)]
pub(super) fn slide_lanes<W: Word>(
    board: W::Board,
    source: &[W],
    pass: &[W],
    (files, ranks): Step,
    out: &mut [W],
) {
    if ranks == 0 {
        for rank in 0..board.ranks() {
            let line = rank * board.files();
            let mut running = W::ZERO;
            for step in 0..board.files() {
                let lane = line
                    + if files > 0 {
                        step
                    } else {
                        board.files() - 1 - step
                    };
                out[lane] |= running;
                running = (running & pass[lane]) | source[lane];
            }
        }
        return;
    }
    // Accumulator `file + 1` is the one that enters that file of the next
    // rank; the two at the ends stay empty.
    const MOST: usize = 16 + 2;
    let mut running = [W::ZERO; MOST];
    for step in 0..board.ranks() {
        let rank = if ranks > 0 {
            step
        } else {
            board.ranks() - 1 - step
        };
        let line = rank * board.files();
        let mut next = [W::ZERO; MOST];
        for file in 0..board.files() {
            let lane = line + file;
            let entering = running[(file as i32 + 1 - files) as usize];
            out[lane] |= entering;
            next[file + 1] = (entering & pass[lane]) | source[lane];
        }
        running = next;
    }
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Game, Geometry, Piece, PieceType};

    use super::super::movement::ALL_WAYS;
    use super::super::steps::{MoveTable, Way};
    use super::super::word128::Word128;
    use super::*;

    fn lanes_move_like_plain_stepping<W: Word>(board: W::Board) {
        let (geometry, squares) = (board.geometry(), board.squares());
        let mut seed = 7_u64;
        // A set with about one in `of` squares.
        let mut next = |of: u64| {
            let mut set = W::ZERO;
            for square in 0..squares {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if (seed >> 33).is_multiple_of(of) {
                    set |= W::of(square);
                }
            }
            set
        };
        for _ in 0..50 {
            let source: Vec<W> = (0..squares).map(|lane| next(4) & !W::of(lane)).collect();
            let occupied = next(8);
            let mut pass = vec![W::ZERO; squares];
            for (lane, pass) in pass.iter_mut().enumerate() {
                if !occupied.has(lane) {
                    *pass = !W::of(lane);
                }
            }
            for step in ALL_WAYS {
                let mut out = vec![W::ZERO; squares];
                slide_lanes(board, &source, &pass, step, &mut out);
                let mut one_by_one = vec![W::ZERO; squares];
                for (lane, &word) in source.iter().enumerate() {
                    let ways = (step, usize::MAX);
                    slide_lane(board, word, lane, occupied, ways, &mut one_by_one);
                }
                let back = (-step.0 as i8, -step.1 as i8);
                for target in geometry.all() {
                    // Walk back from the target until something is in the way.
                    let mut plain = W::ZERO;
                    let mut may_pass = W::ALL;
                    let mut square = target;
                    while let Some(before) = geometry.offset(square, back.0, back.1) {
                        plain |= source[before.index()] & may_pass;
                        may_pass &= pass[before.index()];
                        square = before;
                    }
                    assert_eq!(out[target.index()], plain);
                    // The pieces that slide one by one may leave a square where
                    // the inner piece stands only if that one is not on it.
                    assert_eq!(one_by_one[target.index()], plain);
                }
            }
            let knight = Piece::new(Colour::White, PieceType::Knight);
            for &(files, ranks) in &board.moves().of_piece(knight, Way::Quiet).leaps {
                let mut out = vec![W::ZERO; squares];
                leap_lanes(board, &source, (files, ranks), &mut out);
                for target in geometry.all() {
                    let plain = geometry
                        .offset(target, -files as i8, -ranks as i8)
                        .map_or(W::ZERO, |from| source[from.index()]);
                    assert_eq!(out[target.index()], plain);
                }
            }
        }
    }

    #[test]
    fn lanes_slide_and_leap_like_plain_stepping() {
        let moves = MoveTable::of(Game::default());
        lanes_move_like_plain_stepping::<u64>(u64::board(Geometry::EIGHT, 1, moves));
        for (files, ranks) in [(9, 9), (10, 8), (10, 10), (11, 11), (16, 8), (8, 16)] {
            let board = Word128::board(Geometry::new(files, ranks), 1, moves);
            lanes_move_like_plain_stepping::<Word128>(board);
        }
    }
}
