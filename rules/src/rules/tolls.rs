//! Tells who is High in a position with vitality, and what a turn costs (H1-H7).

use super::{Rules, moved_pieces, with_rules};
use crate::board::Board;
use crate::moves::Move;
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::square::{Square, SquareSet};
use crate::vitality::{Toll, VitalityRules};

impl VitalityRules {
    /// The side that is High in a position (H1). For a turn, what counts is who is High in the
    /// position *after* it (H3).
    #[inline]
    pub fn high(&self, position: &Position) -> Colour {
        self.high_on(position, &position.board)
    }

    /// The side that is High with these pieces, in a position of the game of `position`.
    #[inline]
    fn high_on(&self, position: &Position, board: &Board) -> Colour {
        if self.goes_by_one_king() {
            let [white, black] = Colour::BOTH.map(|colour| king(board, colour));
            return self.high_by_kings(white, black);
        }
        let royals: [SquareSet; 2] = with_rules!(position.game, rules => {
            Colour::BOTH.map(|colour| rules.royals(board, colour))
        });
        let [white, black] = royals.map(|royals| royals.map(|square| self.distance(square)).min());
        match white.cmp(&black) {
            std::cmp::Ordering::Less => Colour::White,
            std::cmp::Ordering::Equal => self.ties(),
            std::cmp::Ordering::Greater => Colour::Black,
        }
    }

    /// Whether a side is High in a position; if not, it is Low (H1).
    #[inline]
    pub fn is_high(&self, position: &Position, colour: Colour) -> bool {
        self.high(position) == colour
    }

    /// Whether a legal move of a position is vital (H7): a capture, a pawn move, a move
    /// that ends a right to castle, or, if [rights make moves
    /// vital](VitalityRules::rights_make_vital), any move, a pass included, while an e.p.
    /// square counts (O2).
    #[inline]
    pub fn is_vital(&self, position: &Position, mv: Move) -> bool {
        let ends_a_right = || {
            let castling = position.game.record().castling.as_ref();
            let geometry = position.game.geometry();
            castling.is_some_and(|castling| castling.is_ended_by(geometry, position, mv))
        };
        mv.is_zeroing() || (position.ep.is_some() && self.rights_make_vital()) || ends_a_right()
    }

    /// The cost of a legal move of a position to the mover. It depends neither on the options
    /// nor on the counters.
    #[inline]
    pub fn toll(&self, position: &Position, mv: Move) -> Toll {
        if self.is_vital(position, mv) {
            return Toll::Vital;
        }
        let mover = position.turn;
        let high = if self.goes_by_one_king() {
            let [white, black] = Colour::BOTH.map(|colour| {
                if colour == mover && mv.piece == PieceType::King {
                    mv.to
                } else {
                    king(&position.board, colour)
                }
            });
            self.high_by_kings(white, black)
        } else {
            self.high_on(position, &moved_pieces(&position.board, mover, mv))
        };
        match (high == mover, self.high_is_free()) {
            (false, _) => Toll::Paid,
            (true, true) => Toll::Free,
            (true, false) => Toll::PaidByHigh,
        }
    }

    /// The cost of a legal move of a position to the mover, given whether it ends the game: where
    /// mate comes before exhaustion, a move that does costs nothing (H6).
    #[inline]
    pub fn toll_to(&self, position: &Position, mv: Move, ends: bool) -> Toll {
        match ends && self.mate_comes_first() {
            true => Toll::Vital,
            false => self.toll(position, mv),
        }
    }

    /// Whether the side that has just moved is Low and has no points left (H6).
    #[inline]
    pub(crate) fn is_exhausted(position: &Position) -> bool {
        let mover = position.turn.other();
        position.counters.is_some_and(|left| left.of(mover) == 0)
            && position.game.vitality().is_some_and(|rules| {
                // Where High never pays, who has no points left is Low.
                rules.high_is_free() || !rules.is_high(position, mover)
            })
    }
}

/// The square of a side's king. Every position has one; for a board without it the
/// answer is meaningless.
#[inline]
fn king(board: &Board, colour: Colour) -> Square {
    let king = board.of(Piece::new(colour, PieceType::King));
    king.first().unwrap_or_default()
}
