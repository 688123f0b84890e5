//! Computes one pass over one block: every position's value from those after its moves.

use std::marker::PhantomData;

use super::super::vector::Work;
use retrograde_rules::{Colour, Transform};

use super::super::word::Word;
use super::board::{Level, LevelGrid};
use super::kernel::{Fold, STRIP, bits, join, join_image};
use super::officers::Strip;

/// A byte before a position is solved: its best conversion for the side to move is in the
/// low bits, 0 for none. Larger is better for the mover.
pub(super) const SCORE: u8 = 0x7F;
/// The byte of an index that is no position, in place of a score.
pub(super) const ILLEGAL: u8 = 0x7F;
/// The flag, added to a score, of a side to move that is in check, so that it may not pass (H2).
pub(super) const CHECK: u8 = 0x80;

/// Values with one side to move, as the other side's moves read them: a byte
/// for every block, placement of the level, and placement of the officers.
pub(super) type BytePlane = Vec<u8>;

/// The parameters of a pass.
#[derive(Clone, Copy)]
pub(super) struct Rule {
    /// The value of a conversion with score s is `conversion - s` for the side that pays for
    /// its turns, and s - 1 for the other side.
    pub(super) conversion: u8,
    /// The least and the greatest value of a position.
    pub(super) bounds: (u8, u8),
    /// The bounds of the previous pass.
    pub(super) old_bounds: (u8, u8),
    /// Whether mate comes before exhaustion (H6).
    pub(super) mate_first: bool,
}

/// The input of a pass over a side.
pub(super) struct Sweep<'a> {
    pub(super) board: &'a LevelGrid<'a>,
    pub(super) level: &'a Level,
    pub(super) side: Colour,
    /// The values after free moves, and after the others.
    pub(super) free: &'a [u8],
    pub(super) paid: &'a [u8],
    /// Scores of conversions; see [`SCORE`].
    pub(super) starts: &'a [u8],
    pub(super) rule: Rule,
}

/// A pass over one block, compiled for each width of vectors.
pub(super) struct SweepBlock<'a, P> {
    pub(super) sweep: &'a Sweep<'a>,
    pub(super) block: usize,
    /// The block's values from the previous pass.
    pub(super) old: &'a [u8],
    /// The block's values from this pass, left alone where there is no position.
    pub(super) new: &'a mut [u8],
    /// The positions that differ from the previous pass, both values clamped to their bounds; left
    /// out if empty.
    pub(super) rises: &'a mut [u64],
    /// The side that plays.
    pub(super) player: PhantomData<P>,
}

/// A side, by what it prefers and what it pays.
pub(super) trait Player: Copy + Send + Sync {
    /// The choice of the side between values.
    type Own: Fold;
    /// The cost of a turn that is not free.
    const TOLL: u8;
    /// Whether the side's conversions count from [`Rule::conversion`].
    const PAYS: bool;
}

/// The side whose vitality the values are: the lower, the better.
#[derive(Clone, Copy)]
pub(super) struct Payer;

/// The other side.
#[derive(Clone, Copy)]
pub(super) struct Other;

impl Player for Payer {
    type Own = super::kernel::Least;
    const TOLL: u8 = 1;
    const PAYS: bool = true;
}

impl Player for Other {
    type Own = super::kernel::Most;
    const TOLL: u8 = 0;
    const PAYS: bool = false;
}

impl<P: Player> Work for SweepBlock<'_, P> {
    const VECTORS: bool = true;
    type Output = bool;

    /// Returns whether any value differs from `old`.
    #[inline(always)]
    fn call(self) -> bool {
        let SweepBlock {
            sweep,
            block,
            old,
            new,
            rises,
            ..
        } = self;
        let board = sweep.board;
        let size = sweep.level.placements.len() * board.officers;
        let starts = &sweep.starts[block * size..][..size];
        let mut changed = false;
        let mut best = [[P::Own::NONE; STRIP]; 2];
        let mut flags = [0; STRIP];
        if board.officers == 1 {
            // Kings and pawns alone: the placements of a level side by side.
            for (number, from) in (0..size).step_by(STRIP).enumerate() {
                let part = from..(from + STRIP).min(size);
                sweep.kings_alone::<P>(block, part.clone(), &mut best);
                changed |= sweep.settle::<P>(
                    &best,
                    &mut flags,
                    &starts[part.clone()],
                    &old[part.clone()],
                    &mut new[part],
                    rises.get_mut(number * STRIP / 64..).unwrap_or_default(),
                );
            }
            return changed;
        }
        let strip = board.strip();
        for (place, &placement) in sweep.level.placements.iter().enumerate() {
            let pawns = board.occupied_by_pawns(placement).unwrap_or_default();
            for outer in 0..board.officers / strip {
                let part = place * board.officers + outer * strip;
                let Some(occupied) = board.occupied(block, pawns, outer) else {
                    continue;
                };
                let strip_of_pieces = Strip {
                    board,
                    outer,
                    occupied,
                };
                sweep.moves::<P>(block, place, &strip_of_pieces, &mut best);
                let part = part..part + strip;
                changed |= sweep.settle::<P>(
                    &best,
                    &mut flags,
                    &starts[part.clone()],
                    &old[part.clone()],
                    &mut new[part.clone()],
                    rises.get_mut(part.start / 64..).unwrap_or_default(),
                );
            }
        }
        changed
    }
}

impl Sweep<'_> {
    /// The plane that a move reads, and the place of its cost.
    #[inline(always)]
    fn plane(&self, free: bool) -> (&[u8], usize) {
        if free { (self.free, 0) } else { (self.paid, 1) }
    }

    /// The quiet moves and the pass for the positions of a strip. The halves of `best`
    /// receive the free and the paid turns.
    #[inline(always)]
    fn moves<P: Player>(
        &self,
        block: usize,
        place: usize,
        strip: &Strip<'_>,
        best: &mut [[u8; STRIP]; 2],
    ) {
        let board = self.board;
        let count = self.level.placements.len();
        let length = board.strip();
        for best in &mut *best {
            best[..length].fill(P::Own::NONE);
        }
        for king in &board.kings[self.side.index()][block] {
            let (plane, half) = self.plane(king.free);
            let there = self.level.image(place, king.transform);
            let outer = board.image_of_outer(strip.outer, king.transform);
            let at = (king.block * count + there) * board.officers + outer * length;
            let source = &plane[at..][..length];
            join_image::<P::Own>(&mut best[half][..length], source, king.transform);
        }
        let (plane, half) = self.plane(board.stays_free(block, self.side));
        let start = (block * count + place) * board.officers;
        let home = &plane[start..][..board.officers];
        let out = &mut best[half][..length];
        strip.join_moves::<P::Own>(self.side, home, out);
        let at = strip.outer * length;
        let starts = &self.starts[start + at..][..length];
        join_passes::<P::Own>(out, &home[at..][..length], starts);
    }

    /// Joins the values after moves, like [`Sweep::moves`], for materials of kings and pawns.
    #[inline(always)]
    fn kings_alone<P: Player>(
        &self,
        block: usize,
        part: std::ops::Range<usize>,
        best: &mut [[u8; STRIP]; 2],
    ) {
        let board = self.board;
        let count = self.level.placements.len();
        let length = part.len();
        for best in &mut *best {
            best[..length].fill(P::Own::NONE);
        }
        for king in &board.kings[self.side.index()][block] {
            let (plane, half) = self.plane(king.free);
            let source = &plane[king.block * count..][..count];
            let out = &mut best[half][..length];
            if king.transform == Transform::IDENTITY {
                join::<P::Own>(out, &source[part.clone()]);
            } else {
                let images = &self.level.mirror[part.clone()];
                for (out, &image) in out.iter_mut().zip(images) {
                    *out = P::Own::join(*out, source[image]);
                }
            }
        }
        let (plane, half) = self.plane(board.stays_free(block, self.side));
        let home = block * count + part.start;
        let (home, starts) = (&plane[home..][..length], &self.starts[home..][..length]);
        join_passes::<P::Own>(&mut best[half][..length], home, starts);
    }

    /// The values of positions from their best moves. Returns whether any has
    /// changed.
    #[inline(always)]
    fn settle<P: Player>(
        &self,
        best: &[[u8; STRIP]; 2],
        flags: &mut [u8; STRIP],
        starts: &[u8],
        old: &[u8],
        new: &mut [u8],
        rises: &mut [u64],
    ) -> bool {
        let rule = self.rule;
        let length = new.len();
        let [free, paid] = best;
        let (free, paid) = (&free[..length], &paid[..length]);
        let (starts, old) = (&starts[..length], &old[..length]);
        let differ = &mut flags[..length];
        let mut changed = 0;
        for i in 0..length {
            let score = starts[i] & SCORE;
            let conversion = match (P::PAYS, score) {
                (_, 0) => P::Own::NONE,
                (true, _) => rule.conversion.saturating_sub(score),
                (false, _) => score - 1,
            };
            let turn = P::Own::join(free[i], paid[i].saturating_add(P::TOLL));
            let value = P::Own::join(turn, conversion);
            let within = value.clamp(rule.bounds.0, rule.bounds.1);
            // No move: mate, whatever the counters, if it comes before exhaustion.
            let mated = rule.mate_first & (value == P::Own::NONE);
            let value = if mated { value } else { within };
            let illegal = starts[i] == ILLEGAL;
            let value = if illegal { old[i] } else { value };
            new[i] = value;
            changed |= value ^ old[i];
            let before = old[i].clamp(rule.old_bounds.0, rule.old_bounds.1);
            differ[i] = u8::from(!illegal & (within != before));
        }
        for (word, flags) in rises.iter_mut().zip(differ.chunks(64)) {
            *word = bits(flags);
        }
        changed != 0
    }
}

/// Joins the pass (H2), which leads to the same placement with the other side
/// to move.
#[inline(always)]
fn join_passes<F: Fold>(out: &mut [u8], home: &[u8], starts: &[u8]) {
    for ((out, home), start) in out.iter_mut().zip(home).zip(starts) {
        let check = if start & CHECK == 0 { 0 } else { 0xFF };
        *out = F::join(*out, F::unless(*home, check));
    }
}

impl LevelGrid<'_> {
    /// The squares of all pieces outside a strip; `None` if two share one.
    #[inline(always)]
    pub(super) fn occupied(&self, block: usize, pawns: u64, outer: usize) -> Option<u64> {
        let [white, black] = self.layout.block_squares(block);
        let kings = u64::of(white) | u64::of(black);
        let mut occupied = kings | pawns;
        let mut clash = !(kings & pawns).is_empty();
        for square in self.outer_squares(outer) {
            clash |= occupied.has(square);
            occupied |= u64::of(square);
        }
        (!clash).then_some(occupied)
    }
}
