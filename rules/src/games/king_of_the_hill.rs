//! King of the Hill (T1-T3): orthodox chess that is also won by a king that reaches one
//! of the four central squares.

use super::{Orthodox, Rules};
use crate::board::Board;
use crate::end::End;
use crate::fault::Fault;
use crate::features::{BareKings, Goal};
use crate::moves::MoveList;
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::square::SquareSet;

/// The rules of King of the Hill.
pub(crate) struct KingOfTheHill;

/// d4, e4, d5 and e5.
const HILL: SquareSet = SquareSet(0b11 << 27 | 0b11 << 35);

/// The king of a side, if it stands on the hill.
#[inline]
fn on_hill(board: &Board, colour: Colour) -> SquareSet {
    board.of(Piece::new(colour, PieceType::King)) & HILL
}

impl Rules for KingOfTheHill {
    fn name(&self) -> &'static str {
        "king-of-the-hill"
    }

    fn other_names(&self) -> &'static [&'static str] {
        &["kingofthehill"]
    }

    fn revision(&self) -> u16 {
        1
    }

    #[inline]
    fn goal(&self) -> Goal {
        Goal::Hill(HILL)
    }

    /// Two bare kings race (T3).
    fn bare_kings(&self) -> BareKings {
        BareKings::Table
    }

    #[inline]
    fn faults(&self, board: &Board, turn: Colour, report: &mut dyn FnMut(Fault)) {
        Orthodox.faults(board, turn, report);
        for king in on_hill(board, turn) {
            report(Fault::OverBefore(king));
        }
    }

    /// A finished game has no e.p. right (T2).
    fn ep_counts(&self, position: &Position) -> bool {
        match self.finished(position) {
            None => Orthodox.ep_counts(position),
            Some(_) => position.ep.is_none(),
        }
    }

    #[inline]
    fn legal_moves(&self, position: &Position, list: &mut MoveList) {
        if self.finished(position).is_none() {
            Orthodox.add_moves(position, list);
        }
    }

    #[inline]
    fn has_quick_move(&self, position: &Position) -> bool {
        self.finished(position).is_none() && Orthodox.has_quick_move(position)
    }

    /// The hill comes before mate and stalemate (T2).
    #[inline]
    fn finished(&self, position: &Position) -> Option<End> {
        let reached = on_hill(&position.board, position.turn.other());
        (!reached.is_empty()).then_some(End::Hill)
    }
}
