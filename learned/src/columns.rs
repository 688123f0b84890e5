//! The features of many placements at once, a column for each feature: for packing,
//! and for what is the same for all of a row of [`Rows`](crate::Rows).

use crate::board::SLIDES;
use crate::feature::{A_PAIR, A_PIECE, Features, hanging};

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
    pub const MOST: usize = 4096;

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

        let mut piece_columns = self.values.chunks_exact_mut(len);
        for given in squares.chunks_exact(len).take(pieces) {
            let mut next = || piece_columns.next().unwrap_or_default();
            let (square, file, rank) = (next(), next(), next());
            for (place, &at) in given.iter().enumerate() {
                let at = if at < size { at } else { 0 };
                square[place] = at;
                [file[place], rank[place]] = features.sights.file_and_rank(at);
            }
            for (half, occupied) in self.occupied[..halves].iter_mut().enumerate() {
                for (occupied, &at) in occupied.iter_mut().zip(&*square) {
                    let here = usize::from(at >> 6) == half;
                    *occupied |= u64::from(here) << (at & 63);
                }
            }
        }

        let (before, pairs) = self.values.split_at_mut(pieces * A_PIECE * len);
        // The squares of a piece, their files or their ranks.
        let column_of = |piece: u8, which: usize| {
            let start = (usize::from(piece) * A_PIECE + which) * len;
            before.get(start..start + len).unwrap_or(&[])
        };
        let square_of = |piece| column_of(piece, 0);
        for (pair, out) in features
            .pairs
            .iter()
            .zip(pairs.chunks_exact_mut(A_PAIR * len))
        {
            let (first, second) = (usize::from(pair.first), usize::from(pair.second));
            let [apart, by_files, by_ranks, steps, touch] = split(out, len);
            // In short loops, which take eight and more at a time: each with what it reads
            // and writes.
            let [files, ranks] = [1, 2].map(|which| {
                let column = |piece| &column_of(piece, which)[..len];
                (column(pair.first), column(pair.second))
            });
            for (out, (&a, &b)) in by_files.iter_mut().zip(files.0.iter().zip(files.1)) {
                *out = (15 + a).wrapping_sub(b);
            }
            for (out, (&a, &b)) in by_ranks.iter_mut().zip(ranks.0.iter().zip(ranks.1)) {
                *out = (15 + a).wrapping_sub(b);
            }
            let high = board.ranks();
            let both = by_files.iter().zip(&*by_ranks);
            for ((apart, steps), (&files, &ranks)) in apart.iter_mut().zip(steps).zip(both) {
                let (files, ranks) = (files.abs_diff(15), ranks.abs_diff(15));
                *apart = files.wrapping_mul(high).wrapping_add(ranks);
                *steps = files.max(ranks);
            }
            let sights = &features.sights;
            let low = sights.low();
            let squares = square_of(pair.first).iter().zip(square_of(pair.second));
            let see = touch.iter_mut().zip(squares);
            let attack = |reach, blocked| {
                let (there, back) = pair.attacks(reach, blocked);
                there | back << 1
            };
            let slides = (pair.there | pair.back) & SLIDES != 0;
            match &self.occupied {
                _ if !slides => see.for_each(|(touch, (&from, &to))| {
                    *touch = attack(low(from, to).0, false);
                }),
                [occupied, _] if halves == 1 => {
                    for ((touch, (&from, &to)), occupied) in see.zip(occupied) {
                        let (reach, between) = low(from, to);
                        *touch = attack(reach, between & occupied != 0);
                    }
                }
                [lower, higher] => {
                    let occupied = lower.iter().zip(higher);
                    for ((touch, (&from, &to)), (lower, higher)) in see.zip(occupied) {
                        let occupied = u128::from(*higher) << 64 | u128::from(*lower);
                        let (_, reach) = sights.near(from, to);
                        *touch = attack(reach, sights.between(from, to) & occupied != 0);
                    }
                }
            }
            let on_second = &mut self.tally[second * len..][..len];
            for (tally, &touch) in on_second.iter_mut().zip(&*touch) {
                *tally += (touch & 1) * pair.counts;
            }
            let on_first = &mut self.tally[first * len..][..len];
            for (tally, &touch) in on_first.iter_mut().zip(&*touch) {
                *tally += (touch >> 1) * pair.counts;
            }
        }

        let (_, rest) = pairs.split_at_mut(features.pairs.len() * A_PAIR * len);
        let (tallies, rest) = rest.split_at_mut(pieces * len);
        for (value, &tally) in tallies.iter_mut().zip(&self.tally) {
            *value = hanging(tally);
        }
        let (races, last) = rest.split_at_mut(features.races.len() * len);
        for (race, out) in features.races.iter().zip(races.chunks_exact_mut(len)) {
            let squares = square_of(race.pawn).iter().zip(square_of(race.royal));
            for (value, (&pawn, &royal)) in out.iter_mut().zip(squares) {
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

/// The columns of a pair, of `len` values each.
fn split(columns: &mut [u8], len: usize) -> [&mut [u8]; A_PAIR] {
    let mut chunks = columns.chunks_exact_mut(len);
    std::array::from_fn(|_| &mut chunks.next().unwrap_or_default()[..len])
}
