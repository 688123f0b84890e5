//! Moves of the lane man: whole words go from lane to lane, either all lanes of
//! a row at once or one.

use retrograde_rules::{Colour, Transform};

use super::squares::{ahead, beyond, double_rank, image, room};
use super::word::Word;

/// Adds a row seen through the inverse of the symmetry with number `T`.
#[inline(always)]
pub(super) fn add_image<W: Word, const T: usize>(source: &[W], passed: W, out: &mut [W]) {
    let transform = const { Transform::ALL[T] };
    let back = transform.inverse();
    let (source, out) = (&source[..W::SQUARES], &mut out[..W::SQUARES]);
    for rank in 0..W::RANKS {
        for file in 0..W::FILES {
            let lane = rank * W::FILES + file;
            let there = image::<W>(transform, lane);
            out[lane] |= source[there].apply(back) & !passed;
        }
    }
}

/// Moves every lane by a leap, against its direction or along it: the set of
/// leaps is symmetric.
#[inline(always)]
pub(super) fn leap_lanes<W: Word>(source: &[W], files: i32, ranks: i32, out: &mut [W]) {
    let width = W::FILES - files.unsigned_abs() as usize;
    let (to_file, from_file) = ((-files).max(0) as usize, files.max(0) as usize);
    for rank in 0..W::RANKS {
        let Some(there) = rank
            .checked_add_signed(ranks as isize)
            .filter(|&r| r < W::RANKS)
        else {
            continue;
        };
        let to = &mut out[rank * W::FILES + to_file..][..width];
        let from = &source[there * W::FILES + from_file..][..width];
        for (to, from) in to.iter_mut().zip(from) {
            *to |= *from;
        }
    }
}

/// Takes back the steps of a pawn of `side` to one lane.
#[inline(always)]
pub(super) fn step_lane_back<W: Word>(
    word: W,
    lane: usize,
    occupied: W,
    side: Colour,
    out: &mut [W],
) {
    let Some(one) = ahead::<W>(lane, side.other(), 1) else {
        return;
    };
    out[one] |= word;
    if lane / W::FILES == double_rank::<W>(side)
        && !occupied.has(one)
        && let Some(two) = ahead::<W>(one, side.other(), 1)
    {
        out[two] |= word & !W::of(one);
    }
}

/// Slides one lane in one direction, past lanes of squares that are not
/// `occupied`, where the inner man is not in the way.
#[inline(always)]
pub(super) fn slide_lane<W: Word>(
    mut moving: W,
    mut lane: usize,
    occupied: W,
    files: i32,
    ranks: i32,
    out: &mut [W],
) {
    for _ in 0..room::<W>(lane, files, ranks) {
        lane = beyond::<W>(lane, files, ranks);
        out[lane] |= moving;
        moving &= !W::of(lane);
        if occupied.has(lane) || moving.is_empty() {
            break;
        }
    }
}

/// Slides every lane in one direction: an accumulator a line runs over the
/// board, passes what `pass` lets through and takes up each lane.
#[inline(always)]
pub(super) fn slide_lanes<W: Word>(
    source: &[W],
    pass: &[W],
    files: i32,
    ranks: i32,
    out: &mut [W],
) {
    if ranks == 0 {
        for rank in 0..W::RANKS {
            let line = rank * W::FILES;
            let mut running = W::ZERO;
            for step in 0..W::FILES {
                let lane = line + if files > 0 { step } else { W::FILES - 1 - step };
                out[lane] |= running;
                running = (running & pass[lane]) | source[lane];
            }
        }
        return;
    }
    // Accumulator `file + 1` is the one that enters that file of the next
    // rank; the two at the ends stay empty.
    let mut running = [W::ZERO; 16];
    for step in 0..W::RANKS {
        let rank = if ranks > 0 { step } else { W::RANKS - 1 - step };
        let line = rank * W::FILES;
        let mut next = [W::ZERO; 16];
        for file in 0..W::FILES {
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
    use retrograde_rules::Kind;

    use super::super::movement::{ALL_WAYS, leaps};
    use super::*;

    #[test]
    fn lanes_slide_and_leap_like_plain_stepping() {
        let board = u64::BOARD;
        let mut seed = 7_u64;
        let mut next = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            seed ^ seed >> 31
        };
        for _ in 0..50 {
            let source: Vec<u64> = (0..64).map(|lane| next() & next() & !(1 << lane)).collect();
            let occupied = next() & next() & next();
            let mut pass = [0; 64];
            for (lane, pass) in pass.iter_mut().enumerate() {
                *pass = if occupied.has(lane) { 0 } else { !(1 << lane) };
            }
            for (files, ranks) in ALL_WAYS {
                let mut out = [0; 64];
                slide_lanes(&source, &pass, files, ranks, &mut out);
                for target in board.all() {
                    // Walk back from the target until something is in the way.
                    let mut plain = 0;
                    let mut may_pass = u64::FULL;
                    let mut square = target;
                    while let Some(before) = board.offset(square, -files as i8, -ranks as i8) {
                        plain |= source[before.index()] & may_pass;
                        may_pass &= pass[before.index()];
                        square = before;
                    }
                    assert_eq!(out[target.index()], plain);
                }
            }
            for &(files, ranks) in leaps(Kind::Knight) {
                let mut out = [0; 64];
                leap_lanes(&source, files, ranks, &mut out);
                for target in board.all() {
                    let plain = board
                        .offset(target, files as i8, ranks as i8)
                        .map_or(0, |from| source[from.index()]);
                    assert_eq!(out[target.index()], plain);
                }
            }
        }
    }
}
