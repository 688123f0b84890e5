//! Moves that leave the material: captures, promotions, and captures of the king. Only
//! the best conversion of a position is kept.

use retrograde_rules::{CaptureInCheck, Colour, Material, Piece, PieceType};

use super::super::convert::{raise_where, sum};
use super::super::layout::{Layout, Role, RowAt};
use super::super::movement::Between;
use super::super::score::{self, Score};
use super::super::sight::Sight;
use super::super::squares::members;
use super::super::successor::{Passage, Successor, View};
use super::super::word::{BoardShape, Word};
use super::changes::{PieceChange, captures, leader_targets, passage};
use super::kings::king_captures;
use super::promote::{BlockPromotions, Promotions};
use super::takers::{BlockTakers, Takers};

/// A kind of capture, and where it leads.
struct Capture<'a> {
    mover: usize,
    victim: usize,
    way: PieceChange,
    passage: Passage<'a>,
}

/// All conversions of one side.
pub(crate) struct Chess99Conversions<'a> {
    in_check: CaptureInCheck,
    layout: &'a Layout,
    side: Colour,
    captures: Vec<Capture<'a>>,
    promotions: Promotions<'a>,
    /// Captures en passant, by the side that makes them.
    takers: [Takers<'a>; 2],
}

impl<'a> Chess99Conversions<'a> {
    /// The conversions of `side`; `in_check` is the value of capturing the king while
    /// one's own is attacked, and `find` gives the successors.
    pub(crate) fn new<F>(
        in_check: CaptureInCheck,
        layout: &'a Layout,
        side: Colour,
        find: F,
    ) -> Chess99Conversions<'a>
    where
        F: Fn(&Material) -> &'a Successor,
    {
        let pieces = &layout.pieces;
        let mut list = Vec::new();
        for (mover, piece) in pieces.iter().enumerate().filter(|(_, m)| m.colour == side) {
            for way in captures(layout.game, piece.piece_type) {
                for (victim, taken) in pieces.iter().enumerate() {
                    if taken.colour != side && taken.piece_type != PieceType::King {
                        let mover_after = (mover, way.becomes);
                        list.push(Capture {
                            mover,
                            victim,
                            way,
                            passage: passage(layout.game, pieces, mover_after, Some(victim), &find),
                        });
                    }
                }
            }
        }
        Chess99Conversions {
            in_check,
            layout,
            side,
            captures: list,
            promotions: Promotions::new(layout, side, &find),
            takers: Colour::BOTH.map(|side| Takers::new(layout, side, &find)),
        }
    }

    /// The conversions with the leaders as in a block.
    pub(crate) fn in_block<'c, W: Word>(&'c self, block: usize) -> Chess99BlockConversions<'a, 'c> {
        let layout = self.layout;
        let leaders = layout.block_squares(block);
        let turn_after = self.side.other();
        let mut ready = Vec::new();
        for capture in &self.captures {
            let mut add = |squares, to| {
                let view = capture
                    .passage
                    .with_leaders::<W>(layout.leaders, squares, turn_after);
                ready.extend(view.map(|view| ReadyCapture { capture, to, view }));
            };
            match layout.leaders.iter().position(|&l| l == capture.mover) {
                None => add(leaders, None),
                Some(slot) => {
                    for to in members(leader_targets::<W>(layout, leaders, slot)) {
                        let mut squares = leaders;
                        squares[slot] = to;
                        add(squares, Some(to));
                    }
                }
            }
        }
        let takers = |side: Colour| self.takers[side.index()].in_block::<W>(layout, block);
        Chess99BlockConversions {
            in_check: self.in_check,
            layout,
            side: self.side,
            ready,
            promotions: self.promotions.in_block::<W>(layout, block),
            against: takers(self.side.other()),
        }
    }

    /// The captures en passant by the side, in a block.
    pub(super) fn takers_in_block<W: Word>(&self, block: usize) -> BlockTakers<'a, '_> {
        self.takers[self.side.index()].in_block::<W>(self.layout, block)
    }
}

/// A capture with the leaders on given squares.
struct ReadyCapture<'a, 'c> {
    capture: &'c Capture<'a>,
    /// Where the mover goes, if it is a leader.
    to: Option<usize>,
    view: View<'a>,
}

/// The conversions of one side in one block.
pub(crate) struct Chess99BlockConversions<'a, 'c> {
    in_check: CaptureInCheck,
    layout: &'a Layout,
    side: Colour,
    ready: Vec<ReadyCapture<'a, 'c>>,
    promotions: BlockPromotions<'a>,
    /// The captures en passant by the other side.
    against: BlockTakers<'a, 'c>,
}

impl Chess99BlockConversions<'_, '_> {
    /// Raises `scores`, a row of positions with the side to move, to the best
    /// conversion of each. Only positions of `placed` matter.
    pub(crate) fn raise<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &[W],
        scores: &mut [Score],
    ) {
        let layout = self.layout;
        let sight = Sight::new(layout, between, at);
        for ready in &self.ready {
            let Capture {
                mover, victim, way, ..
            } = *ready.capture;
            let target = layout.role(at, victim);
            let mut targets = way.to.squares::<W>(at.board, self.side);
            if let Some(to) = ready.to {
                targets &= W::of(to);
            }
            if matches!(target, Role::Fixed(square) if !targets.has(square)) {
                continue;
            }
            let acts = Piece::new(self.side, way.acts);
            let from = (
                layout.role(at, mover),
                way.from.squares::<W>(at.board, self.side),
            );
            let mut mask = W::EMPTY_ROW;
            sight.add(acts, from, (target, targets), mask.as_mut());
            let sum = sum::<W>(
                layout,
                &ready.view,
                at,
                (mover, target.into()),
                Some(victim),
            );
            raise_where(&sum, &ready.view, placed, mask.as_ref(), layout, scores);
        }
        self.promotions
            .raise(layout, at, placed, &self.against, scores);
        self.raise_king_captures(between, at, placed, scores);
    }

    fn raise_king_captures<W: Word>(
        &self,
        between: &Between<W>,
        at: &RowAt<W>,
        placed: &[W],
        scores: &mut [Score],
    ) {
        let captures = king_captures::<W>(self.in_check, self.layout, between, at, self.side);
        for (lane, placed) in placed.iter().enumerate() {
            let any = captures.any.as_ref()[lane] & *placed;
            let won = captures.won.as_ref()[lane];
            let out = &mut scores[lane * at.board.squares()..][..at.board.squares()];
            for bit in members(any) {
                let value = if won.has(bit) {
                    score::WINS_AT_ONCE
                } else {
                    score::DRAW
                };
                out[bit] = out[bit].max(value);
            }
        }
    }
}
