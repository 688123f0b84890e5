//! What games with royal pieces have in common: a move must leave none of them attacked,
//! an attack on a royal piece is check, and check without a legal move is mate (O3, K2,
//! K3, E2, E4). Which pieces are royal depends on the placement ([`Rules::royals`]) and
//! is determined anew after every move.
//!
//! Orthodox chess is the simplest case, in which the royal piece is always the one king;
//! it generates its moves in a faster way of its own.

use super::Rules;
use crate::board::Board;
use crate::castling;
use crate::end::End;
use crate::fault::Fault;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::pseudo::{View, moved_pieces};
use crate::square::SquareSet;

/// The royal pieces of a side that are attacked.
#[inline]
pub(super) fn attacked_royals(
    rules: &(impl Rules + ?Sized),
    board: &Board,
    colour: Colour,
) -> SquareSet {
    let enemy = rules.powers(board, colour.other());
    let occupied = board.occupied();
    let mut attacked = SquareSet::EMPTY;
    for royal in rules.royals(board, colour) {
        let attackers = enemy.attackers(rules.reach(), royal, occupied);
        if !attackers.is_empty() {
            attacked.insert(royal);
        }
    }
    attacked
}

/// Whether a royal piece of a side is attacked.
#[inline]
pub(super) fn in_check(rules: &(impl Rules + ?Sized), board: &Board, colour: Colour) -> bool {
    !attacked_royals(rules, board, colour).is_empty()
}

/// Reports sides with fewer or more kings than they may have.
#[inline]
pub(super) fn report_kings(
    rules: &(impl Rules + ?Sized),
    board: &Board,
    report: &mut dyn FnMut(Fault),
) {
    let (fewest, most) = rules.kings_a_side();
    for colour in Colour::BOTH {
        let squares = board.of(Piece::new(colour, PieceType::King));
        if squares.len() < fewest {
            report(Fault::NoKing(colour));
        } else if squares.len() > most {
            report(Fault::ManyKings { colour, squares });
        }
    }
}

/// Reports royal pieces of the side not to move that are attacked (O6, K2, E5).
#[inline]
pub(super) fn report_opposite_check(
    rules: &(impl Rules + ?Sized),
    board: &Board,
    turn: Colour,
    report: &mut dyn FnMut(Fault),
) {
    let colour = turn.other();
    let royals = attacked_royals(rules, board, colour);
    if !royals.is_empty() {
        report(Fault::OppositeCheck { colour, royals });
    }
}

/// Mate or stalemate if there is no move (O3, K3, E4), or [`End::Blocked`] where check
/// forbids none (C4, E6).
pub(super) fn end(
    rules: &(impl Rules + ?Sized),
    position: &Position,
    moves: &[Move],
) -> Option<End> {
    if !moves.is_empty() {
        None
    } else if !rules.goal().check_forbids_moves() {
        Some(End::Blocked)
    } else if in_check(rules, &position.board, position.turn) {
        Some(End::Checkmate)
    } else {
        Some(End::Stalemate)
    }
}

/// Adds all pseudo-legal moves, whatever they leave attacked.
#[inline]
pub(super) fn add_pseudo_legal(
    rules: &impl Rules,
    position: &Position,
    promotions: &[PieceType],
    list: &mut MoveList,
) {
    let view = View::of_list(rules.reach(), position, list);
    let powers = rules.powers(view.board, view.turn);
    let pieces = rules
        .piece_types()
        .iter()
        .filter(|&&piece_type| piece_type != PieceType::Pawn);
    for &piece_type in pieces {
        for from in view.mine(piece_type) {
            let targets = powers.targets(view.reach, from, view.occupied);
            view.go(piece_type, from, targets, list);
        }
    }
    for from in view.mine(PieceType::Pawn) {
        view.go_pawn(from, rules.pawn_home(), !SquareSet::EMPTY, promotions, list);
    }
    if !position.castling.is_empty() {
        castling::add_moves(rules, &view, position.castling, list);
    }
    if let Some(ep) = position.ep {
        for from in view.ep_pawns(ep) {
            if let Some(mv) = view.ep_capture(from, ep) {
                list.push(mv);
            }
        }
    }
}

/// Adds all moves that leave no royal piece of the mover attacked (K2, E2);
/// pawns become one of `promotions`.
#[inline]
pub(super) fn add_moves(
    rules: &impl Rules,
    position: &Position,
    promotions: &[PieceType],
    list: &mut MoveList,
) {
    add_pseudo_legal(rules, position, promotions, list);
    list.retain(|mv| is_safe(rules, position, mv));
}

/// Whether a move that does not promote leaves no royal piece of the mover attacked.
#[inline]
pub(super) fn has_quick_move(rules: &impl Rules, position: &Position) -> bool {
    let mut list = MoveList::new();
    add_pseudo_legal(rules, position, &[], &mut list);
    list.iter().any(|&mv| is_safe(rules, position, mv))
}

/// Whether a move leaves no royal piece of the mover attacked.
#[inline]
fn is_safe(rules: &(impl Rules + ?Sized), position: &Position, mv: Move) -> bool {
    let (board, turn) = (&position.board, position.turn);
    // The other side's pieces keep the powers that they had before the move (K2): no move
    // captures a royal piece, so none of them becomes royal.
    let mut enemy = rules.powers(board, turn.other());
    if let Some(taken) = mv.captured {
        enemy = enemy.without(SquareSet::of(taken));
    }
    let after = moved_pieces(board, turn, mv);
    let occupied = after.occupied();
    let mut royals = rules.royals(&after, turn);
    let reach = rules.reach();
    royals.all(|royal| enemy.attackers(reach, royal, occupied).is_empty())
}

/// Whether a capture en passant is legal, for games in which an e.p. square counts only
/// then (O2); true if there is no e.p. square.
pub(super) fn ep_is_legal(rules: &(impl Rules + ?Sized), position: &Position) -> bool {
    let Some(ep) = position.ep else { return true };
    let view = View::new(rules.reach(), position);
    view.ep_pawns(ep)
        .filter_map(|from| view.ep_capture(from, ep))
        .any(|mv| is_safe(rules, position, mv))
}

/// Whether a pawn stands so as to capture en passant, for games in which that is enough
/// (O2); true if there is no e.p. square.
#[inline]
pub(super) fn ep_stands(rules: &(impl Rules + ?Sized), position: &Position) -> bool {
    let view = View::new(rules.reach(), position);
    position.ep.is_none_or(|ep| !view.ep_pawns(ep).is_empty())
}

/// Gives the position after a move its e.p. square, if that counts.
#[inline]
pub(super) fn settle_ep(rules: &(impl Rules + ?Sized), mv: Move, after: &mut Position) {
    if mv.kind == MoveKind::DoubleStep {
        after.ep = rules.reach().between(mv.from, mv.to).first();
        if !rules.ep_counts(after) {
            after.ep = None;
        }
    }
}

/// Reports pawns on the first and the last rank, and behind their starting rank.
#[inline]
pub(super) fn report_stranded_pawns(
    rules: &(impl Rules + ?Sized),
    board: &Board,
    report: &mut dyn FnMut(Fault),
) {
    let geometry = rules.geometry();
    let last = geometry.ranks - 1;
    let pawns = board.piece_type(PieceType::Pawn);
    let stranded = pawns & (geometry.rank_squares(0) | geometry.rank_squares(last));
    if !stranded.is_empty() {
        report(Fault::PawnRank(stranded));
    }
    let mut behind = SquareSet::EMPTY;
    for rank in 1..rules.pawn_home() {
        behind |= board.by(Colour::White) & geometry.rank_squares(rank);
        behind |= board.by(Colour::Black) & geometry.rank_squares(last - rank);
    }
    behind &= pawns;
    if !behind.is_empty() {
        report(Fault::PawnBehind(behind));
    }
}
