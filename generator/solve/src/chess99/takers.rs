//! Captures en passant (C6): any piece that attacks the square that a pawn passed over may
//! go there and capture the pawn, as if it had never arrived.

use retrograde_rules::{Colour, Material, Piece, PieceType};

use super::super::layout::Layout;
use super::super::movement::attacks;
use super::super::score::{self, Score};
use super::super::squares::members;
use super::super::successor::{Passage, Successor, View};
use super::super::word::Word;
use super::changes::{PieceChange, en_passants, leader_targets, passage};

/// A piece that can capture a pawn, and where that leads.
struct Taker<'a> {
    piece: usize,
    pawn: usize,
    way: PieceChange,
    passage: Passage<'a>,
}

/// All captures en passant of one side.
pub(super) struct Takers<'a> {
    side: Colour,
    list: Vec<Taker<'a>>,
}

impl<'a> Takers<'a> {
    pub(super) fn new(
        layout: &Layout,
        side: Colour,
        find: &impl Fn(&Material) -> &'a Successor,
    ) -> Takers<'a> {
        let pieces = &layout.pieces;
        let mut list = Vec::new();
        for (pawn, pushed) in pieces.iter().enumerate() {
            if pushed.colour == side || pushed.piece_type != PieceType::Pawn {
                continue;
            }
            for (piece, taker) in pieces.iter().enumerate().filter(|(_, m)| m.colour == side) {
                for way in en_passants(layout.game, taker.piece_type) {
                    let passage =
                        passage(layout.game, pieces, (piece, way.becomes), Some(pawn), find);
                    list.push(Taker {
                        piece,
                        pawn,
                        way,
                        passage,
                    });
                }
            }
        }
        Takers { side, list }
    }

    /// The captures with the leaders as in a block.
    pub(super) fn in_block<'c, W: Word>(
        &'c self,
        layout: &Layout,
        block: usize,
    ) -> BlockTakers<'a, 'c> {
        let leaders = layout.block_squares(block);
        let mut list = Vec::new();
        for taker in &self.list {
            let view = |squares| {
                taker
                    .passage
                    .with_leaders::<W>(layout.leaders, squares, self.side.other())
            };
            match layout.leaders.iter().position(|&l| l == taker.piece) {
                None => list.extend(view(leaders).map(|view| ReadyTaker {
                    taker,
                    to: None,
                    view,
                })),
                Some(slot) => {
                    for to in members(leader_targets::<W>(layout, leaders, slot)) {
                        let mut squares = leaders;
                        squares[slot] = to;
                        list.extend(view(squares).map(|view| ReadyTaker {
                            taker,
                            to: Some(to),
                            view,
                        }));
                    }
                }
            }
        }
        BlockTakers {
            side: self.side,
            list,
        }
    }
}

/// A capture with the leaders on given squares.
struct ReadyTaker<'a, 'c> {
    taker: &'c Taker<'a>,
    /// Where the taker goes, if it is a leader.
    to: Option<usize>,
    view: View<'a>,
}

/// All captures en passant of one side in one block.
pub(super) struct BlockTakers<'a, 'c> {
    side: Colour,
    list: Vec<ReadyTaker<'a, 'c>>,
}

impl BlockTakers<'_, '_> {
    /// The value, for the captor, of the best capture of a pawn on the square that it
    /// passed over; [`score::NONE`] if there is none. `squares` has the square of every
    /// piece, `occupied` those of all but the pawn.
    #[inline]
    pub(super) fn best<W: Word>(
        &self,
        layout: &Layout,
        pawn: usize,
        passed: usize,
        occupied: W,
        squares: &[usize],
    ) -> Score {
        let board = layout.board::<W>();
        let mut best = score::NONE;
        for ready in &self.list {
            let Taker {
                piece,
                pawn: taken,
                way,
                ..
            } = *ready.taker;
            if taken != pawn
                || ready.to.is_some_and(|to| to != passed)
                || !way.from.has(board, self.side, squares[piece])
            {
                continue;
            }
            let acts = Piece::new(self.side, way.acts);
            if !attacks::<W>(board, acts, squares[piece], occupied).has(passed) {
                continue;
            }
            let mut place = 0;
            for coordinate in &layout.coordinates {
                if let Some(table) = &ready.view.tables[coordinate.piece] {
                    let stands = squares[coordinate.piece];
                    let square = if coordinate.piece == piece {
                        passed
                    } else {
                        stands
                    };
                    place += table[square] as usize;
                }
            }
            best = best.max(ready.view.scores[place]);
        }
        best
    }
}
