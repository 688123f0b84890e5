//! Retracts quiet moves of the leaders, which go from block to block of the grid.

use retrograde_rules::{Colour, Piece, PieceType, Transform};

use super::super::layout::{Layout, RowAt};
use super::super::movement::{Between, targets};
use super::super::squares::members;
use super::super::steps::Way;
use super::super::word::Word;
use super::pawns::pawn_steps;
use super::{Mover, Source};

/// The neighbours of each block by moves of a leader.
pub(super) type Neighbours<W> = Vec<Vec<Neighbour<W>>>;

/// A block that a leader's move leads to, the symmetry that takes the board
/// there, and the squares passed on the way.
pub(super) struct Neighbour<W> {
    block: usize,
    transform: Transform,
    passed: W,
}

impl<W: Word> Mover<'_, W> {
    /// The leader of `side`.
    #[inline(always)]
    pub(super) fn retract_leader(
        &self,
        at: &RowAt<W>,
        side: Colour,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        if !self.layout.is_led() {
            return;
        }
        let leader = self.layout.pieces[self.layout.leaders[side.index()]];
        if from.movers.include(leader.piece_type) {
            self.retract_block(at, &self.neighbours[side.index()], from, out);
        }
    }

    /// A leader that can go where `neighbours` says.
    #[inline(always)]
    pub(super) fn retract_block(
        &self,
        at: &RowAt<W>,
        neighbours: &Neighbours<W>,
        from: Source<'_, W>,
        out: &mut [W],
    ) {
        let row = at.row - at.block * self.layout.rows;
        for neighbour in &neighbours[at.block] {
            if !(neighbour.passed & at.occupied).is_empty() {
                continue;
            }
            let transform = neighbour.transform;
            if let Some(image) = self.images[transform.index()][row] {
                let busy = from.plane.busy.get(neighbour.block);
                if busy.is_some_and(|rows| !rows.has(image as usize)) {
                    continue;
                }
                let row = neighbour.block * self.layout.rows + image as usize;
                self.add_row(from, row, transform, neighbour.passed, out);
            }
        }
    }
}

/// The neighbours of each block by moves of a leader that moves as `piece`; pawns step.
pub(super) fn neighbours_of<W: Word>(
    layout: &Layout,
    between: &Between<W>,
    piece: Piece,
) -> Neighbours<W> {
    let me = piece.colour.index();
    let of_block = |block| {
        let leaders = layout.block_squares(block);
        let from = leaders[me];
        let occupied = W::of(leaders[0]) | W::of(leaders[1]);
        let to = if piece.piece_type == PieceType::Pawn {
            pawn_steps::<W>(between.board, from, piece.colour)
        } else {
            targets::<W>(between.board, piece, from, occupied)
        };
        members(to & !occupied)
            .filter_map(|square| {
                let mut moved = leaders;
                moved[me] = square;
                let (block, transform) = layout.block_of(moved)?;
                let passed = between.passed(piece, Way::Quiet, from, square);
                Some(Neighbour {
                    block,
                    transform,
                    passed,
                })
            })
            .collect()
    };
    (0..layout.blocks()).map(of_block).collect()
}
