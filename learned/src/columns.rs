//! The features of many placements at once, a column for each feature: for packing,
//! and for what is the same for all of a row of [`Rows`](crate::Rows).

use crate::board::{SLIDES, Sights};
use crate::feature::{A_PAIR, A_PIECE, Features, Pair, hanging};

/// The features of up to [`Columns::MOST`] placements.
#[derive(Clone, Debug, Default)]
pub struct Columns {
    len: usize,
    values: Vec<u8>,
    /// The occupied squares below 64, and the others if the board has any.
    occupied: [Vec<u64>; 2],
    tally: Vec<u8>,
}

impl Columns {
    /// The most placements at once.
    pub const MOST: usize = 1 << 16;

    /// No placements yet; the memory is reused.
    pub fn new() -> Columns {
        Columns::default()
    }

    /// The number of placements.
    #[allow(clippy::len_without_is_empty, reason = "an empty batch is never used")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The values of a feature, one for each placement; empty if there is no such
    /// feature.
    #[inline]
    pub fn column(&self, feature: usize) -> &[u8] {
        let start = feature * self.len;
        self.values.get(start..start + self.len).unwrap_or(&[])
    }

    /// Computes the features of `len` placements (at most
    /// [`Columns::MOST`]): `squares` holds a column for each piece, `contexts`
    /// one for each context, `len` values each. What is missing or out of
    /// range counts as 0. The values equal those of [`Features::row`].
    pub fn fill(&mut self, features: &Features, len: usize, squares: &[u8], contexts: &[u8]) {
        let len = len.min(Columns::MOST);
        let (pieces, count) = (features.pieces(), features.list().len());
        self.len = len;
        // The columns of squares come first, as given.
        self.values.clear();
        self.values.resize(count * len, 0);
        if len == 0 {
            return;
        }
        let board = features.board();
        let size = board.squares();
        let halves = usize::from(size).div_ceil(64);
        for occupied in &mut self.occupied[..halves] {
            occupied.clear();
            occupied.resize(len, 0);
        }
        self.tally.clear();
        self.tally.resize(pieces * len, 0);

        let pieces_end = pieces * A_PIECE * len;
        let pairs_end = pieces_end + features.pairs.len() * A_PAIR * len;
        let (values, rest) = self.values.split_at_mut(pairs_end);
        let (by_piece, by_pair) = values.split_at_mut(pieces_end);
        let occupied = &mut self.occupied[..halves];
        fill_pieces(features, squares, (by_piece, len), occupied);
        let by_piece = ByPiece {
            values: by_piece,
            len,
        };
        let columns = by_pair.chunks_exact_mut(A_PAIR * len);
        for (pair, out) in features.pairs.iter().zip(columns) {
            fill_pair(features, pair, (by_piece, occupied), out, &mut self.tally);
        }

        let (tallies, rest) = rest.split_at_mut(pieces * len);
        for (value, &tally) in tallies.iter_mut().zip(&self.tally) {
            *value = hanging(tally);
        }
        let (races, last) = rest.split_at_mut(features.races.len() * len);
        for (race, out) in features.races.iter().zip(races.chunks_exact_mut(len)) {
            let (pawns, royals) = (by_piece.squares(race.pawn), by_piece.squares(race.royal));
            for (value, (&pawn, &royal)) in out.iter_mut().zip(pawns.iter().zip(royals)) {
                *value = board.race(race.down, pawn, royal);
            }
        }
        for ((column, out), &size) in contexts
            .chunks_exact(len)
            .zip(last.chunks_exact_mut(len))
            .zip(features.contexts())
        {
            for (value, &given) in out.iter_mut().zip(column) {
                *value = if given < size { given } else { 0 };
            }
        }
    }
}

/// Writes the squares of each piece, with their files and ranks, and adds them to those that
/// are occupied.
fn fill_pieces(
    features: &Features,
    squares: &[u8],
    (values, len): (&mut [u8], usize),
    occupied: &mut [Vec<u64>],
) {
    let size = features.board().squares();
    let mut columns = values.chunks_exact_mut(len);
    for given in squares.chunks_exact(len).take(features.pieces()) {
        let mut next = || columns.next().unwrap_or_default();
        let (square, file, rank) = (next(), next(), next());
        for (place, &at) in given.iter().enumerate() {
            let at = if at < size { at } else { 0 };
            square[place] = at;
            [file[place], rank[place]] = features.sights.file_and_rank(at);
        }
        for (half, occupied) in occupied.iter_mut().enumerate() {
            for (occupied, &at) in occupied.iter_mut().zip(&*square) {
                let here = usize::from(at >> 6) == half;
                *occupied |= u64::from(here) << (at & 63);
            }
        }
    }
}

/// The columns of [`fill_pieces`].
#[derive(Clone, Copy)]
struct ByPiece<'a> {
    values: &'a [u8],
    len: usize,
}

impl<'a> ByPiece<'a> {
    fn squares(self, piece: u8) -> &'a [u8] {
        self.column(piece, 0)
    }

    fn files(self, piece: u8) -> &'a [u8] {
        self.column(piece, 1)
    }

    fn ranks(self, piece: u8) -> &'a [u8] {
        self.column(piece, 2)
    }

    fn column(self, piece: u8, which: usize) -> &'a [u8] {
        let start = (usize::from(piece) * A_PIECE + which) * self.len;
        self.values.get(start..start + self.len).unwrap_or(&[])
    }
}

/// Writes what there is to say about two pieces, and adds to the tallies of both.
fn fill_pair(
    features: &Features,
    pair: &Pair,
    (by_piece, occupied): (ByPiece, &[Vec<u64>]),
    out: &mut [u8],
    tally: &mut [u8],
) {
    let len = by_piece.len;
    let [apart, by_files, by_ranks, steps, touch] = split(out, len);
    // In short loops, which take eight and more at a time: each with what it reads and writes.
    let files = [pair.first, pair.second].map(|piece| &by_piece.files(piece)[..len]);
    for (out, (&a, &b)) in by_files.iter_mut().zip(files[0].iter().zip(files[1])) {
        *out = (15 + a).wrapping_sub(b);
    }
    let ranks = [pair.first, pair.second].map(|piece| &by_piece.ranks(piece)[..len]);
    for (out, (&a, &b)) in by_ranks.iter_mut().zip(ranks[0].iter().zip(ranks[1])) {
        *out = (15 + a).wrapping_sub(b);
    }
    let high = features.board().ranks();
    let both = by_files.iter().zip(&*by_ranks);
    for ((apart, steps), (&files, &ranks)) in apart.iter_mut().zip(steps).zip(both) {
        let (files, ranks) = (files.abs_diff(15), ranks.abs_diff(15));
        *apart = files.wrapping_mul(high).wrapping_add(ranks);
        *steps = files.max(ranks);
    }
    look(&features.sights, pair, (by_piece, occupied), touch);
    let on_second = &mut tally[usize::from(pair.second) * len..][..len];
    for (tally, &touch) in on_second.iter_mut().zip(&*touch) {
        *tally += (touch & 1) * pair.counts;
    }
    let on_first = &mut tally[usize::from(pair.first) * len..][..len];
    for (tally, &touch) in on_first.iter_mut().zip(&*touch) {
        *tally += (touch >> 1) * pair.counts;
    }
}

/// Writes whether two pieces attack each other: 1 if the first does, 2 more if the second
/// does.
fn look(
    sights: &Sights,
    pair: &Pair,
    (by_piece, occupied): (ByPiece, &[Vec<u64>]),
    touch: &mut [u8],
) {
    let low = sights.low();
    let (from, to) = (by_piece.squares(pair.first), by_piece.squares(pair.second));
    let see = touch.iter_mut().zip(from.iter().zip(to));
    let attack = |reach, blocked| {
        let (there, back) = pair.attacks(reach, blocked);
        there | back << 1
    };
    let slides = (pair.there | pair.back) & SLIDES != 0;
    match occupied {
        [occupied] if slides => {
            for ((touch, (&from, &to)), occupied) in see.zip(occupied) {
                let (reach, between) = low(from, to);
                *touch = attack(reach, between & occupied != 0);
            }
        }
        [lower, higher] if slides => {
            let occupied = lower.iter().zip(higher);
            for ((touch, (&from, &to)), (lower, higher)) in see.zip(occupied) {
                let occupied = u128::from(*higher) << 64 | u128::from(*lower);
                let (_, reach) = sights.near(from, to);
                *touch = attack(reach, sights.between(from, to) & occupied != 0);
            }
        }
        _ => see.for_each(|(touch, (&from, &to))| *touch = attack(low(from, to).0, false)),
    }
}

/// The columns of a pair, of `len` values each.
fn split(columns: &mut [u8], len: usize) -> [&mut [u8]; A_PAIR] {
    let mut chunks = columns.chunks_exact_mut(len);
    std::array::from_fn(|_| &mut chunks.next().unwrap_or_default()[..len])
}
