//! Promotions (C5): of pawns that arrive on the last rank by a step or a double step, and
//! of pawns that waited there and move as what they turn into; without captures. Few
//! positions have any, so each is treated separately.

use retrograde_rules::{Colour, Material, Piece, PieceType};

use super::super::layout::{Layout, Role, RowAt};
use super::super::movement::attacks;
use super::super::score::{self, Score};
use super::super::squares::{ahead, first_rank, members};
use super::super::successor::{Passage, Successor, View};
use super::super::word::{BoardShape, Word};
use super::changes::passage;
use super::takers::BlockTakers;

/// A promotion of a pawn, and where it leads.
struct Promotion<'a> {
    pawn: usize,
    becomes: PieceType,
    passage: Passage<'a>,
}

/// All promotions of one side.
pub(super) struct Promotions<'a> {
    side: Colour,
    waits: bool,
    list: Vec<Promotion<'a>>,
}

impl<'a> Promotions<'a> {
    pub(super) fn new(
        layout: &Layout,
        side: Colour,
        find: &impl Fn(&Material) -> &'a Successor,
    ) -> Promotions<'a> {
        let mut list = Vec::new();
        for (pawn, piece) in layout.pieces.iter().enumerate() {
            if *piece != Piece::new(side, PieceType::Pawn) {
                continue;
            }
            for &becomes in layout.game.promotions() {
                list.push(Promotion {
                    pawn,
                    becomes,
                    passage: passage(layout.game, &layout.pieces, (pawn, becomes), None, find),
                });
            }
        }
        Promotions {
            side,
            waits: layout.game.pawns().wait,
            list,
        }
    }

    /// The promotions with the leaders as in a block.
    pub(super) fn in_block<W: Word>(&self, layout: &Layout, block: usize) -> BlockPromotions<'a> {
        let leaders = layout.block_squares(block);
        let ready = |promotion: &Promotion<'a>| {
            let view =
                promotion
                    .passage
                    .with_leaders::<W>(layout.leaders, leaders, self.side.other())?;
            Some((promotion.pawn, promotion.becomes, view))
        };
        BlockPromotions {
            side: self.side,
            waits: self.waits,
            list: self.list.iter().filter_map(ready).collect(),
        }
    }
}

/// All promotions of one side in one block.
pub(super) struct BlockPromotions<'a> {
    side: Colour,
    waits: bool,
    list: Vec<(usize, PieceType, View<'a>)>,
}

/// The squares of all pieces of a position of a row, by piece.
#[inline]
pub(super) fn squares_at<W: Word>(
    layout: &Layout,
    at: &RowAt<W>,
    lane: usize,
    bit: usize,
) -> [usize; Material::MOST_PIECES] {
    let mut squares = [0; Material::MOST_PIECES];
    for (slot, &leader) in layout.leaders.iter().enumerate() {
        squares[leader] = at.leaders[slot];
    }
    for (place, coordinate) in layout.coordinates.iter().enumerate() {
        squares[coordinate.piece] = match at.role(layout, place) {
            Role::Fixed(square) => square,
            Role::Lane => lane,
            Role::Inner => bit,
        };
    }
    squares
}

/// The positions of a lane in which a piece stands on one of some squares.
#[inline]
pub(super) fn where_on<W: Word>(role: Role, lane: usize, squares: W) -> W {
    match role {
        Role::Fixed(square) if squares.has(square) => W::ALL,
        Role::Lane if squares.has(lane) => W::ALL,
        Role::Inner => squares,
        _ => W::ZERO,
    }
}

impl BlockPromotions<'_> {
    /// Raises `scores` to the promotions of each position of `placed`;
    /// `against` are the captures en passant of the other side.
    pub(super) fn raise<W: Word>(
        &self,
        layout: &Layout,
        at: &RowAt<W>,
        placed: &[W],
        against: &BlockTakers<'_, '_>,
        scores: &mut [Score],
    ) {
        let side = self.side;
        let last = first_rank(at.board, side.other());
        let (one, two) = match side {
            Colour::White => (last - 1, last - 2),
            Colour::Black => (last + 1, last + 2),
        };
        let mut origins = W::rank(at.board, one) | W::rank(at.board, two);
        if self.waits {
            origins |= W::rank(at.board, last);
        }
        for (pawn, becomes, view) in &self.list {
            let role = layout.role(at, *pawn);
            let piece = Piece::new(side, *becomes);
            for (lane, placed) in placed.iter().enumerate() {
                for bit in members(where_on(role, lane, origins) & *placed) {
                    let squares = squares_at(layout, at, lane, bit);
                    let mut occupied = at.occupied;
                    if layout.lanes > 1 {
                        occupied |= W::of(lane);
                    }
                    // A material with a pawn has an inner piece.
                    occupied |= W::of(bit);
                    let mut rest = 0;
                    for coordinate in layout.coordinates.iter().filter(|c| c.piece != *pawn) {
                        if let Some(table) = &view.tables[coordinate.piece] {
                            rest += table[squares[coordinate.piece]] as usize;
                        }
                    }
                    let Some(table) = &view.tables[*pawn] else {
                        continue;
                    };
                    let value = |to: usize| view.scores[rest + table[to] as usize];
                    let from = squares[*pawn];
                    let score = &mut scores[lane * at.board.squares() + bit];
                    if at.board.rank(from) == last {
                        for to in members(attacks::<W>(at.board, piece, from, occupied) & !occupied)
                        {
                            *score = (*score).max(value(to));
                        }
                        continue;
                    }
                    let Some(next) = ahead(at.board, from, side, 1).filter(|&s| !occupied.has(s))
                    else {
                        continue;
                    };
                    if at.board.rank(from) == one {
                        *score = (*score).max(value(next));
                        continue;
                    }
                    let Some(to) = ahead(at.board, from, side, 2).filter(|&s| !occupied.has(s))
                    else {
                        continue;
                    };
                    let others = occupied & !W::of(from);
                    let reply = against.best(layout, *pawn, next, others, &squares);
                    let mut promoted = value(to);
                    if reply != score::NONE {
                        promoted = promoted.min(score::of_reply(reply));
                    }
                    *score = (*score).max(promoted);
                }
            }
        }
    }
}
