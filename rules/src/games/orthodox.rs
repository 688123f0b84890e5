//! Orthodox chess (O1-O7, X1).

use super::Rules;
use crate::board::Board;
use crate::castling;
use crate::geometry::Geometry;
use crate::guard::Guard;
use crate::moves::{Move, MoveList};
use crate::piece::PieceType;
use crate::position::Position;
use crate::pseudo::View;
use crate::square::{Square, SquareSet};

/// The rules of orthodox chess.
pub(crate) struct Orthodox;

impl Orthodox {
    /// Adds all legal moves to a list, and returns whether the mover's king is in check.
    #[inline]
    pub(super) fn add_moves(&self, position: &Position, list: &mut MoveList) -> bool {
        let view = View::of_list(self.reach(), position, list);
        let View {
            reach,
            own,
            occupied,
            ..
        } = view;
        let Some(king) = view.mine(PieceType::King).first() else {
            return false;
        };
        let enemy = self.powers(view.board, view.turn.other());
        // The king is removed, so that it cannot hide behind itself.
        let attacked = enemy.attacked(reach, occupied - SquareSet::of(king));
        let in_check = attacked.contains(king);
        view.go(PieceType::King, king, reach.king(king) - attacked, list);
        let guard = Guard::new(reach, king, in_check, own, &enemy, occupied);
        let powers = self.powers(view.board, view.turn);
        for piece_type in [
            PieceType::Queen,
            PieceType::Rook,
            PieceType::Bishop,
            PieceType::Knight,
        ] {
            for from in view.mine(piece_type) {
                let targets = powers.targets(reach, from, occupied);
                view.go(piece_type, from, targets & guard.allowed(reach, from), list);
            }
        }
        for from in view.mine(PieceType::Pawn) {
            let allowed = guard.allowed(reach, from);
            view.go_pawn(from, self.pawn_home(), allowed, self.promotions(), list);
        }
        if !position.castling.is_empty() {
            castling::add_moves(self, &view, position.castling, list);
        }
        self.ep_captures(position, |mv| list.push(mv));
        in_check
    }

    /// The captures en passant that do not leave the mover's king attacked. A capture
    /// removes two pieces from their lines at once, so each is tried.
    #[inline]
    fn ep_captures(&self, position: &Position, mut found: impl FnMut(Move)) {
        let Some(ep) = position.ep else { return };
        let view = View::new(self.reach(), position);
        let enemy = self.powers(view.board, view.turn.other());
        let Some(king) = view.mine(PieceType::King).first() else {
            return;
        };
        for from in view.ep_pawns(ep) {
            let Some(mv) = view.ep_capture(from, ep) else {
                continue;
            };
            let taken: SquareSet = mv.captured.into_iter().collect();
            let mut occupied = view.occupied - taken - SquareSet::of(from);
            occupied.insert(ep);
            let attackers = enemy.without(taken).attackers(view.reach, king, occupied);
            if attackers.is_empty() {
                found(mv);
            }
        }
    }
}

impl Rules for Orthodox {
    fn name(&self) -> &'static str {
        "orthodox"
    }

    fn other_names(&self) -> &'static [&'static str] {
        &["standard", "chess", "normal", "fromposition"]
    }

    fn revision(&self) -> u16 {
        1
    }

    fn zeroing_limit(&self) -> Option<u32> {
        Some(100)
    }

    fn ep_counts(&self, position: &Position) -> bool {
        let mut counts = position.ep.is_none();
        self.ep_captures(position, |_| counts = true);
        counts
    }

    #[inline]
    fn legal_moves(&self, position: &Position, list: &mut MoveList) {
        self.add_moves(position, list);
    }

    /// A step of the king.
    #[inline]
    fn has_quick_move(&self, position: &Position) -> bool {
        let view = View::new(self.reach(), position);
        let Some(king) = view.mine(PieceType::King).first() else {
            return false;
        };
        let enemy = self.powers(view.board, view.turn.other());
        let occupied = view.occupied - SquareSet::of(king);
        let is_safe = |to| enemy.attackers(view.reach, to, occupied).is_empty();
        // A capture would take an attacker away, so these are left out.
        (view.reach.king(king) - view.occupied).any(is_safe)
    }

    fn dead(&self, board: &Board) -> Option<bool> {
        Some(is_dead(board))
    }
}

/// Whether the pieces alone show that neither side can be mated (O5).
fn is_dead(board: &Board) -> bool {
    let bishops = board.piece_type(PieceType::Bishop);
    let rest = board.occupied() - board.piece_type(PieceType::King) - bishops;
    let is_light =
        |square: Square| (Geometry::EIGHT.file(square) + Geometry::EIGHT.rank(square)) % 2 == 1;
    let light = bishops
        .into_iter()
        .filter(|&square| is_light(square))
        .count();
    match rest.len() {
        0 => light == 0 || light == bishops.len(),
        1 => bishops.is_empty() && rest == board.piece_type(PieceType::Knight),
        _ => false,
    }
}
