//! Computes the best over the moves of one piece, for whole rows of positions, a byte each.
//!
//! A *lane* holds the bytes of 64 squares of the inner piece, a *strip* a lane for every
//! square of the lane piece. Values flow from where a move leads to where it starts. All
//! moves of officers are reversible, so a move may be followed from either end.

use retrograde_rules::Transform;

use super::super::steps::Step;

/// Files and ranks of the board, and squares.
const SIDE: usize = 8;
pub(super) const SQUARES: usize = SIDE * SIDE;

/// Bytes of a strip.
pub(super) const STRIP: usize = SQUARES * SQUARES;

/// The choice of a side between two values.
pub(super) trait Fold: Copy + Send + Sync + 'static {
    /// The value without a move: any other is preferred.
    const NONE: u8;
    /// The preferred value.
    fn join(a: u8, b: u8) -> u8;
    /// The value, or [`Fold::NONE`] where the mask is 0xFF and not 0.
    fn unless(value: u8, mask: u8) -> u8;
}

/// The side that wants the value to be small.
#[derive(Clone, Copy)]
pub(super) struct Least;

/// The side that wants the value to be large.
#[derive(Clone, Copy)]
pub(super) struct Most;

impl Fold for Least {
    const NONE: u8 = u8::MAX;

    #[inline(always)]
    fn join(a: u8, b: u8) -> u8 {
        a.min(b)
    }

    #[inline(always)]
    fn unless(value: u8, mask: u8) -> u8 {
        value | mask
    }
}

impl Fold for Most {
    const NONE: u8 = 0;

    #[inline(always)]
    fn join(a: u8, b: u8) -> u8 {
        a.max(b)
    }

    #[inline(always)]
    fn unless(value: u8, mask: u8) -> u8 {
        value & !mask
    }
}

/// Joins values to others, one by one.
#[inline(always)]
pub(super) fn join<F: Fold>(out: &mut [u8], values: &[u8]) {
    for (out, value) in out.iter_mut().zip(values) {
        *out = F::join(*out, *value);
    }
}

/// Joins values to others but where `mask` is 0xFF; the mask is a lane, for
/// every lane of `values`.
#[inline(always)]
pub(super) fn join_unless<F: Fold>(out: &mut [u8], values: &[u8], mask: &[u8; SQUARES]) {
    let lanes = values.as_chunks::<SQUARES>().0;
    for (out, values) in out.as_chunks_mut::<SQUARES>().0.iter_mut().zip(lanes) {
        for square in 0..SQUARES {
            out[square] = F::join(out[square], F::unless(values[square], mask[square]));
        }
    }
}

/// A piece that leaps: `files` and `ranks` of one leap, over lanes of `V` bytes.
#[inline(always)]
pub(super) fn leap<F: Fold, const V: usize>(
    source: &[[u8; V]],
    (files, ranks): Step,
    out: &mut [[u8; V]],
) {
    let width = SIDE - files.unsigned_abs() as usize;
    let (to_file, from_file) = ((-files).max(0) as usize, files.max(0) as usize);
    for rank in 0..SIDE {
        let there = rank.wrapping_add_signed(ranks as isize);
        if there >= SIDE {
            continue;
        }
        let to = out[rank * SIDE + to_file..][..width].as_flattened_mut();
        join::<F>(
            to,
            source[there * SIDE + from_file..][..width].as_flattened(),
        );
    }
}

/// A piece that slides one way, over lanes of `V` bytes. `barred` is 0xFF where
/// nothing passes a lane.
#[inline(always)]
pub(super) fn slide<F: Fold, const V: usize>(
    source: &[[u8; V]],
    barred: &[[u8; V]],
    (files, ranks): Step,
    out: &mut [[u8; V]],
) {
    // All lines of a way are walked together, so that no step has to wait
    // for the one before. Line `n + 1` of the accumulators enters rank or
    // file `n`; the two at the ends stay empty.
    let mut running = [[F::NONE; V]; SIDE + 2];
    for step in 0..SIDE {
        let forwards = if ranks == 0 { files > 0 } else { ranks > 0 };
        let across = if forwards { step } else { SIDE - 1 - step };
        let mut next = [[F::NONE; V]; SIDE + 2];
        for line in 0..SIDE {
            let (lane, entering) = if ranks == 0 {
                (line * SIDE + across, &running[line + 1])
            } else {
                let from = (line as i32 + 1 - files) as usize;
                (across * SIDE + line, &running[from])
            };
            let (source, barred) = (&source[lane], &barred[lane]);
            let (out, next) = (&mut out[lane], &mut next[line + 1]);
            for i in 0..V {
                out[i] = F::join(out[i], entering[i]);
                next[i] = F::unless(F::join(entering[i], source[i]), barred[i]);
            }
        }
        running = next;
    }
}

/// Exchanges the roles of lane piece and inner piece. Blocks of 8x8 bytes are
/// turned by exchanging halves, quarters and single bytes (Warren, Hacker's
/// Delight, 7-3), eight blocks side by side.
#[inline(always)]
pub(super) fn transpose(source: &[u8], out: &mut [u8]) {
    for band in 0..SIDE {
        let mut rows = [[0_u64; SIDE]; SIDE];
        for (row, words) in rows.iter_mut().enumerate() {
            let lane = &source[(band * SIDE + row) * SQUARES..][..SQUARES];
            for (word, bytes) in words.iter_mut().zip(lane.as_chunks().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
        turn(&mut rows);
        for (row, words) in rows.iter().enumerate() {
            for (column, word) in words.iter().enumerate() {
                let at = (column * SIDE + row) * SQUARES + band * SIDE;
                out[at..at + SIDE].copy_from_slice(&word.to_le_bytes());
            }
        }
    }
}

/// Turns blocks of 8x8 bytes, block `n` in the words `rows[..][n]`.
#[inline(always)]
fn turn<const N: usize>(rows: &mut [[u64; N]; SIDE]) {
    for (half, mask) in [
        (4, 0x0000_0000_FFFF_FFFF_u64),
        (2, 0x0000_FFFF_0000_FFFF),
        (1, 0x00FF_00FF_00FF_00FF),
    ] {
        for low in (0..SIDE).filter(|row| row & half == 0) {
            for block in 0..N {
                let (a, b) = (rows[low][block], rows[low + half][block]);
                let swap = (a >> (8 * half) ^ b) & mask;
                rows[low + half][block] = b ^ swap;
                rows[low][block] = a ^ swap << (8 * half);
            }
        }
    }
}

/// The bytes of the images of all squares: byte `s` of the result is the byte
/// of the image of `s`.
#[inline(always)]
fn seen_through<const T: usize>(lane: &[u8; SQUARES]) -> [u8; SQUARES] {
    let transform = const { Transform::ALL[T] };
    let mut rows = [[0_u64; 1]; SIDE];
    for (rank, bytes) in lane.as_chunks().0.iter().enumerate() {
        rows[rank][0] = u64::from_le_bytes(*bytes);
    }
    if transform.flips_ranks() {
        rows.reverse();
    }
    if transform.flips_files() {
        for row in &mut rows {
            row[0] = row[0].swap_bytes();
        }
    }
    if transform.flips_diagonal() {
        turn(&mut rows);
    }
    let mut out = [0; SQUARES];
    for (bytes, row) in out.as_chunks_mut().0.iter_mut().zip(rows) {
        *bytes = row[0].to_le_bytes();
    }
    out
}

/// Joins lanes of another block, seen through the symmetry that takes the
/// board to that block: to lane `l` the one of the image of `l`, or to a
/// single lane the single one.
#[inline(always)]
pub(super) fn join_image<F: Fold>(out: &mut [u8], values: &[u8], transform: Transform) {
    match transform.index() {
        0 => join::<F>(out, values),
        1 => join_through::<F, 1>(out, values),
        2 => join_through::<F, 2>(out, values),
        3 => join_through::<F, 3>(out, values),
        4 => join_through::<F, 4>(out, values),
        5 => join_through::<F, 5>(out, values),
        6 => join_through::<F, 6>(out, values),
        _ => join_through::<F, 7>(out, values),
    }
}

#[inline(always)]
fn join_through<F: Fold, const T: usize>(out: &mut [u8], values: &[u8]) {
    let out = out.as_chunks_mut::<SQUARES>().0;
    let values = values.as_chunks::<SQUARES>().0;
    if let ([out], [lane]) = (&mut *out, values) {
        join::<F>(out, &seen_through::<T>(lane));
        return;
    }
    for (lane, out) in out.iter_mut().enumerate() {
        let there = image::<T>(lane);
        join::<F>(out, &seen_through::<T>(&values[there]));
    }
}

/// The image of a square.
#[inline(always)]
fn image<const T: usize>(square: usize) -> usize {
    let transform = const { Transform::ALL[T] };
    let (mut file, mut rank) = (square % SIDE, square / SIDE);
    if transform.flips_diagonal() {
        (file, rank) = (rank, file);
    }
    if transform.flips_files() {
        file = SIDE - 1 - file;
    }
    if transform.flips_ranks() {
        rank = SIDE - 1 - rank;
    }
    rank * SIDE + file
}

/// The flags of at most 64 bytes as bits: one bit for every byte that is not 0.
#[inline(always)]
pub(super) fn bits(flags: &[u8]) -> u64 {
    let mut bits = 0;
    for (place, flags) in flags.chunks(8).enumerate() {
        let mut bytes = [0; 8];
        bytes[..flags.len()].copy_from_slice(flags);
        let ones = u64::from_le_bytes(bytes);
        // Bit `7 * n` of the product's top byte collects byte `n`.
        bits |= (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * place);
    }
    bits
}

#[cfg(test)]
mod tests {
    use retrograde_rules::{Geometry, Square};

    use super::super::super::movement::ALL_WAYS;
    use super::*;

    fn random(seed: &mut u64) -> u8 {
        *seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 56) as u8
    }

    fn strip(seed: &mut u64) -> Vec<u8> {
        (0..STRIP).map(|_| random(seed)).collect()
    }

    #[test]
    fn a_transposed_strip_has_its_pieces_exchanged() {
        let source = strip(&mut 1);
        let mut out = vec![0; STRIP];
        transpose(&source, &mut out);
        for lane in 0..SQUARES {
            for square in 0..SQUARES {
                assert_eq!(
                    out[square * SQUARES + lane],
                    source[lane * SQUARES + square]
                );
            }
        }
    }

    #[test]
    fn images_equal_the_geometry() {
        let source = strip(&mut 2);
        for transform in Transform::ALL {
            let place = |s: usize| Geometry::EIGHT.apply(transform, Square(s as u8)).index();
            let mut out = vec![u8::MAX; STRIP];
            join_image::<Least>(&mut out, &source, transform);
            let mut one = vec![0; SQUARES];
            join_image::<Most>(&mut one, &source[..SQUARES], transform);
            for lane in 0..SQUARES {
                for square in 0..SQUARES {
                    let there = place(lane) * SQUARES + place(square);
                    assert_eq!(out[lane * SQUARES + square], source[there]);
                }
                assert_eq!(one[lane], source[place(lane)]);
            }
        }
    }

    fn plain<F: Fold>(source: &[u8], barred: &[u8], (files, ranks): Step) -> Vec<u8> {
        let board = Geometry::EIGHT;
        (0..STRIP)
            .map(|at| {
                let (mut lane, square) = (Square((at / SQUARES) as u8), at % SQUARES);
                let mut best = F::NONE;
                while let Some(next) = board.offset(lane, -files as i8, -ranks as i8) {
                    lane = next;
                    best = F::join(best, source[lane.index() * SQUARES + square]);
                    if barred[lane.index() * SQUARES + square] != 0 {
                        break;
                    }
                }
                best
            })
            .collect()
    }

    #[test]
    fn slides_equal_plain_walks() {
        let seed = &mut 3;
        let barred: Vec<u8> = strip(seed)
            .iter()
            .map(|b| if b % 5 == 0 { 255 } else { 0 })
            .collect();
        for way in ALL_WAYS {
            // No piece stands where nothing passes.
            let least: Vec<u8> = strip(seed)
                .iter()
                .zip(&barred)
                .map(|(v, m)| v | m)
                .collect();
            let most: Vec<u8> = least.iter().zip(&barred).map(|(v, m)| v & !m).collect();
            let chunks = |bytes: &[u8]| bytes.as_chunks::<SQUARES>().0.to_vec();
            let mut out = chunks(&vec![Least::NONE; STRIP]);
            slide::<Least, SQUARES>(&chunks(&least), &chunks(&barred), way, &mut out);
            assert_eq!(out.as_flattened(), plain::<Least>(&least, &barred, way));
            let mut out = chunks(&vec![Most::NONE; STRIP]);
            slide::<Most, SQUARES>(&chunks(&most), &chunks(&barred), way, &mut out);
            assert_eq!(out.as_flattened(), plain::<Most>(&most, &barred, way));
        }
    }

    #[test]
    fn bits_of_flags() {
        let flags: Vec<u8> = (0..61).map(|i| u8::from(i % 3 == 1 || i == 60)).collect();
        for (place, flag) in flags.iter().enumerate() {
            assert_eq!(bits(&flags) >> place & 1, u64::from(*flag));
        }
        assert_eq!(bits(&flags) >> 61, 0);
    }
}
