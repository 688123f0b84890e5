//! The moves of Chess 99. Check forbids none of them (C1), so all pseudo-legal moves are
//! legal.

use super::{Chess99, Rules, last_rank};
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::PieceType;
use crate::position::Position;
use crate::pseudo::View;
use crate::square::{Square, SquareSet};

impl Chess99 {
    /// Adds all moves to a list; none if the mover's king has been captured.
    #[inline]
    pub(super) fn add_moves(self, position: &Position, list: &mut MoveList) {
        let view = View::of_list(self.reach(), position, list);
        let (reach, occupied) = (view.reach, view.occupied);
        let Some(king) = view.mine(PieceType::King).first() else {
            return;
        };
        view.go(PieceType::King, king, reach.king(king), list);
        if self.has_castling() {
            castle(&view, king, list);
        }
        let diagonal = |from| reach.slide(from, reach.diagonals(from), occupied);
        for from in view.mine(PieceType::Queen) {
            let lines = reach.diagonals(from) | reach.straights(from);
            view.go(
                PieceType::Queen,
                from,
                reach.slide(from, lines, occupied),
                list,
            );
        }
        for from in view.mine(PieceType::Paladin) {
            let targets = diagonal(from) | reach.knight(from);
            view.go(PieceType::Paladin, from, targets, list);
        }
        for from in view.mine(PieceType::Rook) {
            let targets = reach.slide(from, reach.straights(from), occupied);
            view.go(PieceType::Rook, from, targets, list);
        }
        for from in view.mine(PieceType::Bishop) {
            view.go(PieceType::Bishop, from, diagonal(from), list);
        }
        for from in view.mine(PieceType::Knight) {
            view.go(PieceType::Knight, from, reach.knight(from), list);
        }
        let waiting = self.waiting(view.board, view.turn);
        for from in view.mine(PieceType::Pawn) - waiting {
            self.go_pawn(&view, from, list);
        }
        for from in waiting {
            go_deferred(&view, from, PieceType::Bishop, diagonal(from), list);
            go_deferred(&view, from, PieceType::Knight, reach.knight(from), list);
        }
        if let Some(ep) = position.ep {
            self.ep_captures(&view, ep, list);
        }
    }

    /// Moves the pawn on `from`, which does not wait, by steps and captures (C5).
    #[inline]
    fn go_pawn(self, view: &View, from: Square, list: &mut MoveList) {
        let step = view.reach.pawn_step(view.turn, from) - view.occupied;
        let takes = view.reach.pawn_takes(view.turn, from) & view.enemy;
        let mut arrive = |to, captured, kind| {
            let mv = Move {
                from,
                to,
                piece: PieceType::Pawn,
                promotion: None,
                captured,
                kind,
            };
            let promotes = last_rank(view.turn).contains(to);
            if promotes {
                for &promotion in Chess99::PROMOTIONS {
                    list.push(Move {
                        promotion: Some(promotion),
                        ..mv
                    });
                }
            }
            if !promotes || self.has_deferred_promotion() {
                list.push(mv);
            }
        };
        for to in takes {
            arrive(to, Some(to), MoveKind::Ordinary);
        }
        for passed in step {
            arrive(passed, None, MoveKind::Ordinary);
            for to in view.reach.pawn_step(view.turn, passed) - view.occupied {
                arrive(to, None, MoveKind::DoubleStep);
            }
        }
    }

    /// Adds the captures en passant of every piece that stands so as to make one (C6). A
    /// waiting pawn captures as the piece that reaches the square.
    fn ep_captures(self, view: &View, ep: Square, list: &mut MoveList) {
        let captured = view.reach.pawn_step(view.turn.other(), ep).first();
        let waiting = self.waiting(view.board, view.turn);
        for from in self.ep_takers(view, ep) {
            let Some(piece) = view.board.piece_type_at(from) else {
                continue;
            };
            let promotion = waiting.contains(from).then(|| {
                if view.reach.diagonals(from).contains(ep) {
                    PieceType::Bishop
                } else {
                    PieceType::Knight
                }
            });
            list.push(Move {
                from,
                to: ep,
                piece,
                promotion,
                captured,
                kind: MoveKind::EnPassant,
            });
        }
    }
}

/// Turns the waiting pawn on `from` into `promotion` and moves it to each of `targets`,
/// except those occupied by own pieces (C5).
#[inline]
fn go_deferred(
    view: &View,
    from: Square,
    promotion: PieceType,
    targets: SquareSet,
    list: &mut MoveList,
) {
    for to in targets - view.own {
        list.push(Move {
            from,
            to,
            piece: PieceType::Pawn,
            promotion: Some(promotion),
            captured: view.enemy.contains(to).then_some(to),
            kind: MoveKind::Deferred,
        });
    }
}

/// Castles the king on `king`, if it is on its first rank, with the nearest piece on
/// either side, if that is its own (C7).
#[inline]
fn castle(view: &View, king: Square, list: &mut MoveList) {
    let home = last_rank(view.turn.other());
    if !home.contains(king) {
        return;
    }
    let pieces = home & view.occupied;
    let left = SquareSet((1 << king.0) - 1);
    let right = SquareSet(!1 << king.0);
    for partner in [(pieces & left).last(), (pieces & right).first()] {
        let Some(partner) = partner else { continue };
        if view.own.contains(partner) {
            list.push(Move {
                from: king,
                to: partner,
                piece: PieceType::King,
                promotion: None,
                captured: None,
                kind: MoveKind::Castling,
            });
        }
    }
}
