//! Extinction chess (E1, E6), and the same with mating rules (E1-E5): what counts are
//! the piece types that a side has, and the king is one of them.

use super::{Orthodox, Rules, mating};
use crate::board::Board;
use crate::castling::{Castling, CastlingSafety};
use crate::end::End;
use crate::fault::{EpFault, Fault};
use crate::features::{BareKings, Goal, LastOfType, Royalty};
use crate::material::Material;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::reach::EIGHT;
use crate::square::{Square, SquareSet};

/// What a pawn may become: any piece type but a pawn.
const PROMOTIONS: &[PieceType] = &[
    PieceType::King,
    PieceType::Queen,
    PieceType::Rook,
    PieceType::Bishop,
    PieceType::Knight,
];

/// Extinction chess with mating rules: a side's only piece of a type is royal.
pub(crate) struct ExtinctionMating;

/// Extinction chess: a side that loses its last piece of a type loses the game.
pub(crate) struct Extinction;

/// The pieces of a side that are the only ones of their type (E2).
#[inline]
fn only_ones(board: &Board, colour: Colour) -> SquareSet {
    let mut only = SquareSet::EMPTY;
    for &piece_type in Orthodox.piece_types() {
        let pieces = board.of(Piece::new(colour, piece_type));
        if pieces.len() == 1 {
            only |= pieces;
        }
    }
    only
}

/// Whether a piece is the only one of its colour and type.
#[inline]
fn is_only(board: &Board, piece: Piece) -> bool {
    board.of(piece).len() == 1
}

/// Reports sides without pieces: they have no piece types in play (E1), so there is
/// nothing to play for.
#[inline]
fn report_no_pieces(board: &Board, report: &mut dyn FnMut(Fault)) {
    for colour in Colour::BOTH {
        if board.by(colour).is_empty() {
            report(Fault::NoPieces(colour));
        }
    }
}

/// What the two games have in common.
macro_rules! extinction_basics {
    () => {
        fn revision(&self) -> u16 {
            1
        }

        fn kings_a_side(&self) -> (usize, usize) {
            (0, usize::MAX)
        }

        fn promotions(&self) -> &'static [PieceType] {
            PROMOTIONS
        }

        /// A pawn need only stand so as to capture (O2).
        #[inline]
        fn ep_counts(&self, position: &Position) -> bool {
            mating::ep_stands(self, position)
        }
    };
}

impl Rules for ExtinctionMating {
    extinction_basics!();

    fn name(&self) -> &'static str {
        "extinction-mating"
    }

    #[inline]
    fn royals(&self, board: &Board, colour: Colour) -> SquareSet {
        only_ones(board, colour)
    }

    fn royalty(&self) -> Royalty {
        Royalty::OnlyOfType
    }

    fn last_of_type(&self, _piece_type: PieceType) -> LastOfType {
        LastOfType::Stays
    }

    /// Unless each side has exactly one king: several kings are not royal, and other
    /// leaders may always touch.
    fn leaders_may_touch(&self, material: &Material) -> bool {
        let kings = |colour| material.count(Piece::new(colour, PieceType::King));
        Colour::BOTH.into_iter().any(|colour| kings(colour) != 1)
    }

    #[inline]
    fn faults(&self, board: &Board, turn: Colour, report: &mut dyn FnMut(Fault)) {
        mating::report_stranded_pawns(self, board, report);
        report_no_pieces(board, report);
        mating::report_opposite_check(self, board, turn, report);
    }

    /// In addition to the usual faults, a right to capture the other side's only pawn:
    /// that pawn is attacked, so its double step was illegal (E3).
    fn ep_fault(&self, board: &Board, turn: Colour, ep: Square) -> Option<EpFault> {
        let impossible = Orthodox.ep_fault(board, turn, ep);
        let only_pawn = board.of(Piece::new(turn.other(), PieceType::Pawn));
        let takers =
            EIGHT.pawn_takes(turn.other(), ep) & board.of(Piece::new(turn, PieceType::Pawn));
        match only_pawn.first() {
            Some(pawn) if only_pawn.len() == 1 && !takers.is_empty() => {
                impossible.or(Some(EpFault::OnlyPawn(pawn)))
            }
            _ => impossible,
        }
    }

    #[inline]
    fn legal_moves(&self, position: &Position, list: &mut MoveList) {
        let pawn = Piece::new(position.turn, PieceType::Pawn);
        if !is_only(&position.board, pawn) {
            mating::add_moves(self, position, PROMOTIONS, list);
            return;
        }
        // The last pawn may not promote, for the piece type would be gone (E2), and
        // may not step to where it can be taken en passant (E3).
        mating::add_moves(self, position, &[], list);
        let reach = &EIGHT;
        let takers = position
            .board
            .of(Piece::new(position.turn.other(), PieceType::Pawn));
        list.retain(|mv| {
            let passed = reach.between(mv.from, mv.to).first();
            mv.kind != MoveKind::DoubleStep
                || passed.is_none_or(|passed| {
                    (reach.pawn_takes(position.turn, passed) & takers).is_empty()
                })
        });
    }

    /// None of the last pawn, which may not do all that others may.
    #[inline]
    fn has_quick_move(&self, position: &Position) -> bool {
        let pawn = Piece::new(position.turn, PieceType::Pawn);
        !is_only(&position.board, pawn) && mating::has_quick_move(self, position)
    }
}

impl Rules for Extinction {
    extinction_basics!();

    fn name(&self) -> &'static str {
        "extinction"
    }

    fn royalty(&self) -> Royalty {
        Royalty::None
    }

    fn goal(&self) -> Goal {
        Goal::Extinction
    }

    fn last_of_type(&self, _piece_type: PieceType) -> LastOfType {
        LastOfType::Decides
    }

    fn leaders_may_touch(&self, _material: &Material) -> bool {
        true
    }

    fn bare_kings(&self) -> BareKings {
        BareKings::DrawnUnlessTaken
    }

    /// Attacks prevent nothing (E6, X1).
    #[inline]
    fn castling(&self) -> Option<&'static Castling> {
        const FREE: Castling = Castling {
            safety: CastlingSafety::Free,
            ..Castling::ORTHODOX
        };
        Some(&FREE)
    }

    /// None: any piece may be left attacked (E6).
    #[inline]
    fn royals(&self, _board: &Board, _colour: Colour) -> SquareSet {
        SquareSet::EMPTY
    }

    #[inline]
    fn faults(&self, board: &Board, _turn: Colour, report: &mut dyn FnMut(Fault)) {
        mating::report_stranded_pawns(self, board, report);
        report_no_pieces(board, report);
    }

    #[inline]
    fn legal_moves(&self, position: &Position, list: &mut MoveList) {
        if position.extinct.is_none() {
            mating::add_pseudo_legal(self, position, PROMOTIONS, list);
        }
    }

    /// Capturing the last piece of a type wins, even by a move that promotes the last
    /// pawn; otherwise promoting the last pawn loses (E6).
    #[inline]
    fn settle(&self, before: &Position, mv: Move, after: &mut Position) {
        mating::settle_ep(self, mv, after);
        let (mover, enemy) = (before.turn, before.turn.other());
        let takes_last = mv.captured.is_some_and(|square| {
            let piece_type = before.board.piece_type_at(square);
            piece_type
                .is_some_and(|piece_type| is_only(&before.board, Piece::new(enemy, piece_type)))
        });
        if takes_last {
            after.extinct = Some(enemy);
        } else if mv.promotion.is_some()
            && is_only(&before.board, Piece::new(mover, PieceType::Pawn))
        {
            after.extinct = Some(mover);
        }
    }

    /// Never: there is no check (E6).
    #[inline]
    fn in_check(&self, _board: &Board, _colour: Colour) -> bool {
        false
    }

    #[inline]
    fn finished(&self, position: &Position) -> Option<End> {
        position.extinct.map(|loser| End::Extinction {
            winner: loser.other(),
        })
    }
}
