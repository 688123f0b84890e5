//! Finds for every position of a strip the best value that quiet moves of officers lead to.

use retrograde_rules::{Colour, Piece};

use super::super::movement::targets;
use super::super::squares::members;
use super::super::steps::{MoveTable, Way};
use super::super::word::Word;
use super::board::{LevelGrid, lane_mask};
use super::kernel::{Fold, SQUARES, STRIP, join, join_unless, leap, slide, transpose};

/// A strip, or as much of it as the material has officers for.
pub(super) struct Strip<'a> {
    pub(super) board: &'a LevelGrid<'a>,
    /// The number of the strip among those of its placement of the pawns.
    pub(super) outer: usize,
    /// The squares of kings, pawns and officers outside the strip.
    pub(super) occupied: u64,
}

impl Strip<'_> {
    /// Joins to `out` the best quiet move of the officers of `side`; `placement` holds the
    /// values of all placements of the officers, with kings and pawns where they are.
    #[inline(always)]
    pub(super) fn join_moves<F: Fold>(&self, side: Colour, placement: &[u8], out: &mut [u8]) {
        let board = self.board;
        let officers = board.officers();
        let strip = board.strip();
        let source = &placement[self.outer * strip..][..strip];
        let pieces = &board.layout.pieces;
        let of =
            |place: usize| Some(pieces[officers.get(place)?.piece]).filter(|m| m.colour == side);
        match officers.len() {
            0 => {}
            1 => {
                let Some(piece) = of(0) else { return };
                let barred: [[u8; 1]; SQUARES] =
                    std::array::from_fn(|s| [if self.occupied.has(s) { 0xFF } else { 0 }]);
                let (source, out) = (source.as_chunks().0, out.as_chunks_mut().0);
                move_lanes::<F, 1>(self.board.layout.moves, piece, source, &barred, out);
            }
            count => {
                let lane_piece = of(count - 2);
                let inner_piece = of(count - 1);
                if lane_piece.is_some() || inner_piece.is_some() {
                    let barred = self.barred();
                    if let Some(piece) = lane_piece {
                        let (source, out) = (source.as_chunks().0, out.as_chunks_mut().0);
                        move_lanes::<F, SQUARES>(
                            self.board.layout.moves,
                            piece,
                            source,
                            &barred,
                            out,
                        );
                    }
                    if let Some(piece) = inner_piece {
                        self.join_inner::<F>(piece, source, &barred, out);
                    }
                }
                self.join_outer::<F>(side, placement, out);
            }
        }
    }

    /// 0xFF where nothing passes a lane: where a piece outside the strip
    /// stands, and for the position in which the inner piece stands there.
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

    /// The inner piece moves as a lane piece does when the two are exchanged.
    #[inline(always)]
    fn join_inner<F: Fold>(
        &self,
        piece: Piece,
        source: &[u8],
        barred: &[[u8; SQUARES]; SQUARES],
        out: &mut [u8],
    ) {
        let mut turned = [0; STRIP];
        transpose(source, &mut turned);
        let mut best = [F::NONE; STRIP];
        let (lanes, sums) = (turned.as_chunks().0, best.as_chunks_mut().0);
        move_lanes::<F, SQUARES>(self.board.layout.moves, piece, lanes, barred, sums);
        transpose(&best, &mut turned);
        join::<F>(out, &turned);
    }

    #[inline(always)]
    fn join_outer<F: Fold>(&self, side: Colour, placement: &[u8], out: &mut [u8]) {
        let board = self.board;
        for (square, coordinate) in board.outer_squares(self.outer).zip(board.outer()) {
            let piece = board.layout.pieces[coordinate.piece];
            if piece.colour != side {
                continue;
            }
            for target in members(
                targets(board.layout.board::<u64>(), piece, square, self.occupied) & !self.occupied,
            ) {
                let place = self.outer * STRIP + target * coordinate.stride;
                let source = &placement[place - square * coordinate.stride..][..STRIP];
                let passed = board.between.passed(piece, Way::Quiet, square, target);
                if passed.is_empty() {
                    join::<F>(out, source);
                    continue;
                }
                let mask = lane_mask(passed);
                // Lanes between, so that no piece is jumped over.
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

/// Joins the values after all moves of the lane piece.
#[inline(always)]
fn move_lanes<F: Fold, const V: usize>(
    moves: &MoveTable,
    piece: Piece,
    source: &[[u8; V]],
    barred: &[[u8; V]],
    out: &mut [[u8; V]],
) {
    let steps = moves.of_piece(piece, Way::Quiet);
    for &way in &steps.leaps {
        leap::<F, V>(source, way, out);
    }
    for &way in &steps.slides {
        slide::<F, V>(source, barred, way, out);
    }
}
