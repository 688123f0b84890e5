//! Chess 99 (C1-C7): chess on nine files and ranks, won by capturing the king
//! without having one's own under attack.

mod moves;
mod options;

use super::{Rules, mating};
use crate::board::Board;
use crate::castling::Castling;
use crate::end::End;
use crate::fault::{EpFault, Fault};
use crate::features::{BareKings, DoubleStep, Goal, LastOfType, Notation, Pawns, Royalty};
use crate::game::Symmetry;
use crate::geometry::Geometry;
use crate::material::Material;
use crate::moves::MoveList;
use crate::options::{ChosenOption, GameOption};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::powers::Powers;
use crate::pseudo::{View, pawn_rank};
use crate::reach::{NINE, Reach};
use crate::square::{Square, SquareSet};

pub use options::{CaptureInCheck, Chess99, EpBy};

/// The rank on which pawns of a colour promote or wait.
#[inline]
const fn last_rank(colour: Colour) -> SquareSet {
    match colour {
        Colour::White => SquareSet(0x1FF << (8 * 9)),
        Colour::Black => SquareSet(0x1FF),
    }
}

impl Chess99 {
    /// The pawns of a side that wait on its last rank (C5): they attack as
    /// paladins, and move by turning into a bishop or a knight.
    #[inline]
    pub fn waiting(self, board: &Board, colour: Colour) -> SquareSet {
        if self.has_deferred_promotion() {
            board.of(Piece::new(colour, PieceType::Pawn)) & last_rank(colour)
        } else {
            SquareSet::EMPTY
        }
    }

    /// The pieces of the side to move that stand so as to capture on the e.p. square,
    /// with the pawn that double-stepped removed (C6).
    #[inline]
    fn ep_takers(self, view: &View, ep: Square) -> SquareSet {
        match self.ep_by() {
            EpBy::Pawn => view.ep_pawns(ep),
            EpBy::Any => {
                let arrival = view.reach.pawn_step(view.turn.other(), ep);
                let powers = self.powers(view.board, view.turn);
                powers.attackers(view.reach, ep, view.occupied - arrival)
            }
        }
    }
}

impl Rules for Chess99 {
    fn name(&self) -> &'static str {
        Chess99::NAME
    }

    fn options(&self) -> Vec<ChosenOption> {
        self.chosen()
    }

    fn offers(&self) -> &'static [GameOption] {
        Chess99::OFFERS
    }

    fn revision(&self) -> u16 {
        1
    }

    /// A king may stand attacked (C1).
    fn royalty(&self) -> Royalty {
        Royalty::None
    }

    fn goal(&self) -> Goal {
        Goal::KingCapture(self.king_capture_in_check())
    }

    fn last_of_type(&self, piece_type: PieceType) -> LastOfType {
        match piece_type {
            PieceType::King => LastOfType::Decides,
            _ => LastOfType::Free,
        }
    }

    fn leaders_may_touch(&self, _material: &Material) -> bool {
        true
    }

    fn bare_kings(&self) -> BareKings {
        BareKings::Table
    }

    fn pawns(&self) -> Pawns {
        let last = self.geometry().ranks - 1;
        Pawns {
            ranks: if self.has_deferred_promotion() {
                [(1, last), (0, last - 1)]
            } else {
                [(1, last - 1); 2]
            },
            double_step: DoubleStep::FromAnywhere,
            wait: self.has_deferred_promotion(),
        }
    }

    fn ep_by(&self) -> EpBy {
        Chess99::ep_by(*self)
    }

    fn castles_along_first_rank(&self) -> bool {
        self.has_castling()
    }

    #[inline]
    fn geometry(&self) -> Geometry {
        Geometry::NINE
    }

    #[inline]
    fn reach(&self) -> &'static Reach {
        &NINE
    }

    #[inline]
    fn piece_types(&self) -> &'static [PieceType] {
        &[
            PieceType::King,
            PieceType::Queen,
            PieceType::Paladin,
            PieceType::Rook,
            PieceType::Bishop,
            PieceType::Knight,
            PieceType::Pawn,
        ]
    }

    fn promotions(&self) -> &'static [PieceType] {
        Chess99::PROMOTIONS
    }

    // Castling ties rank 1 and rank 9, with or without pawns (C7).
    fn symmetry(&self, _material: &Material) -> Symmetry {
        Symmetry::Files
    }

    #[inline]
    fn powers(&self, board: &Board, colour: Colour) -> Powers {
        let own = board.by(colour);
        let [queens, paladins] =
            [PieceType::Queen, PieceType::Paladin].map(|piece_type| board.piece_type(piece_type));
        let waiting = self.waiting(board, colour);
        Powers {
            colour,
            king: own & board.piece_type(PieceType::King),
            knight: (own & (board.piece_type(PieceType::Knight) | paladins)) | waiting,
            diagonal: (own & (board.piece_type(PieceType::Bishop) | queens | paladins)) | waiting,
            straight: own & (board.piece_type(PieceType::Rook) | queens),
            pawn: (own & board.piece_type(PieceType::Pawn)) - waiting,
        }
    }

    /// Kings may stand attacked and next to each other (C1), so few placements are
    /// impossible.
    #[inline]
    fn faults(&self, board: &Board, _turn: Colour, report: &mut dyn FnMut(Fault)) {
        let mut home = SquareSet::EMPTY;
        let mut last = SquareSet::EMPTY;
        for colour in Colour::BOTH {
            let pawns = board.of(Piece::new(colour, PieceType::Pawn));
            home |= pawns & last_rank(colour.other());
            last |= pawns & last_rank(colour);
        }
        if self.has_deferred_promotion() {
            if !home.is_empty() {
                report(Fault::PawnHome(home));
            }
        } else if !(home | last).is_empty() {
            report(Fault::PawnRank(home | last));
        }
        mating::report_kings(self, board, report);
    }

    fn ep_fault(&self, board: &Board, turn: Colour, ep: Square) -> Option<EpFault> {
        let (reach, pusher) = (self.reach(), turn.other());
        let origin = reach.pawn_step(turn, ep).first();
        let arrival = reach.pawn_step(pusher, ep).first();
        // A pawn never comes from its own first rank (C7).
        let (Some(origin), Some(arrival)) = (origin, arrival) else {
            return Some(EpFault::Rank);
        };
        let own = board.by(pusher);
        let promoted =
            own & (board.piece_type(PieceType::Bishop) | board.piece_type(PieceType::Knight));
        if pawn_rank(reach, pusher, origin) == 0 {
            Some(EpFault::Rank)
        } else if board.occupied().contains(ep) {
            Some(EpFault::Occupied)
        } else if board.occupied().contains(origin) {
            Some(EpFault::Origin(origin))
        } else if (own & board.piece_type(PieceType::Pawn)).contains(arrival) {
            None
        } else if !last_rank(pusher).contains(arrival) {
            Some(EpFault::NoPusher(arrival))
        } else if !promoted.contains(arrival) {
            Some(EpFault::NoArrival(arrival))
        } else {
            None
        }
    }

    /// Any piece that stands so as to capture makes the right count (C6).
    #[inline]
    fn ep_counts(&self, position: &Position) -> bool {
        let view = View::new(self.reach(), position);
        position
            .ep
            .is_none_or(|ep| !self.ep_takers(&view, ep).is_empty())
    }

    #[inline]
    fn legal_moves(&self, position: &Position, list: &mut MoveList) {
        self.add_moves(position, list);
    }

    /// A step of the king, which may leave it under attack (C1).
    #[inline]
    fn has_quick_move(&self, position: &Position) -> bool {
        let view = View::new(self.reach(), position);
        let mut kings = view.mine(PieceType::King);
        kings.any(|king| !(view.reach.king(king) - view.own).is_empty())
    }

    /// None: castling needs no rights (C7).
    fn castling(&self) -> Option<&'static Castling> {
        None
    }

    fn array(&self) -> &'static str {
        "rnbakqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w - -"
    }

    fn notation(&self) -> Notation {
        Notation::Marked
    }

    /// The king of the side to move has been captured (C2).
    #[inline]
    fn finished(&self, position: &Position) -> Option<End> {
        let board = &position.board;
        if !self.royals(board, position.turn).is_empty() {
            return None;
        }
        let draws = self.king_capture_in_check() == CaptureInCheck::Draw
            && self.in_check(board, position.turn.other());
        Some(if draws {
            End::KingCaptureDraw
        } else {
            End::KingCapture
        })
    }
}
