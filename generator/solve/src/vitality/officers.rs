//! Quiet moves of officers: for every position of a strip the best over the
//! positions that they lead to.

use retrograde_rules::{Colour, Man};

use super::super::movement::{attacks, leaps, slides};
use super::super::squares::members;
use super::super::word::{Eight, Word};
use super::board::{Board, lane_mask};
use super::kernel::{Fold, SQUARES, STRIP, join, join_unless, leap, slide, transpose};

/// A strip, or as much of it as the class has officers for.
pub(super) struct Strip<'a> {
    pub(super) board: &'a Board<'a>,
    /// The number of the strip among those of its placement of the pawns.
    pub(super) outer: usize,
    /// The squares of kings, pawns and officers outside the strip.
    pub(super) occupied: u64,
}

impl Strip<'_> {
    /// Joins to `out` the best quiet move of the officers of `side`;
    /// `placement` holds the values of all positions of the officers, kings
    /// and pawns being where they are.
    #[inline(always)]
    pub(super) fn join_moves<F: Fold>(&self, side: Colour, placement: &[u8], out: &mut [u8]) {
        let board = self.board;
        let officers = board.officers();
        let strip = board.strip();
        let source = &placement[self.outer * strip..][..strip];
        let men = &board.layout.men;
        let of = |place: usize| Some(men[officers.get(place)?.man]).filter(|m| m.colour == side);
        match officers.len() {
            0 => {}
            1 => {
                let Some(man) = of(0) else { return };
                let barred: [[u8; 1]; SQUARES] =
                    std::array::from_fn(|s| [if self.occupied.has(s) { 0xFF } else { 0 }]);
                let (source, out) = (source.as_chunks().0, out.as_chunks_mut().0);
                move_lanes::<F, 1>(man, source, &barred, out);
            }
            count => {
                let lane_man = of(count - 2);
                let inner_man = of(count - 1);
                if lane_man.is_some() || inner_man.is_some() {
                    let barred = self.barred();
                    if let Some(man) = lane_man {
                        let (source, out) = (source.as_chunks().0, out.as_chunks_mut().0);
                        move_lanes::<F, SQUARES>(man, source, &barred, out);
                    }
                    if let Some(man) = inner_man {
                        self.join_inner::<F>(man, source, &barred, out);
                    }
                }
                self.join_outer::<F>(side, placement, out);
            }
        }
    }

    /// 0xFF where nothing passes a lane: where a man outside the strip
    /// stands, and for the position in which the inner man stands there.
    #[inline(always)]
    fn barred(&self) -> [[u8; SQUARES]; SQUARES] {
        let mut barred = [[0; SQUARES]; SQUARES];
        for (lane, mask) in barred.iter_mut().enumerate() {
            mask[lane] = 0xFF;
        }
        for lane in members(self.occupied) {
            barred[lane] = [0xFF; SQUARES];
        }
        barred
    }

    /// The inner man moves as a lane man does when the two are exchanged.
    #[inline(always)]
    fn join_inner<F: Fold>(
        &self,
        man: Man,
        source: &[u8],
        barred: &[[u8; SQUARES]; SQUARES],
        out: &mut [u8],
    ) {
        let mut turned = [0; STRIP];
        transpose(source, &mut turned);
        let mut best = [F::NONE; STRIP];
        let (lanes, sums) = (turned.as_chunks().0, best.as_chunks_mut().0);
        move_lanes::<F, SQUARES>(man, lanes, barred, sums);
        transpose(&best, &mut turned);
        join::<F>(out, &turned);
    }

    #[inline(always)]
    fn join_outer<F: Fold>(&self, side: Colour, placement: &[u8], out: &mut [u8]) {
        let board = self.board;
        for (square, coordinate) in board.outer_squares(self.outer).zip(board.outer()) {
            let man = board.layout.men[coordinate.man];
            if man.colour != side {
                continue;
            }
            for target in members(attacks(Eight, man, square, self.occupied) & !self.occupied) {
                let place = self.outer * STRIP + target * coordinate.stride;
                let source = &placement[place - square * coordinate.stride..][..STRIP];
                let passed = board.between.get(square, target);
                if passed.is_empty() {
                    join::<F>(out, source);
                    continue;
                }
                let mask = lane_mask(passed);
                // Lanes between passed ones, so that none is jumped over.
                let mut first = 0;
                for lane in members(passed).chain([SQUARES]) {
                    let lanes = first * SQUARES..lane * SQUARES;
                    join_unless::<F>(&mut out[lanes.clone()], &source[lanes], &mask);
                    first = lane + 1;
                }
            }
        }
    }
}

/// All moves of the lane man.
#[inline(always)]
fn move_lanes<F: Fold, const V: usize>(
    man: Man,
    source: &[[u8; V]],
    barred: &[[u8; V]],
    out: &mut [[u8; V]],
) {
    for &way in leaps(man.kind) {
        leap::<F, V>(source, way, out);
    }
    for &way in slides(man.kind) {
        slide::<F, V>(source, barred, way, out);
    }
}
