//! Finds moves, check and endings where captures explode (M1-M4, D11).

use super::{Rules, View, moved_pieces};
use crate::board::Board;
use crate::features::{End, Royalty};
use crate::keys::Pass;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::record::Record;
use crate::square::{Square, SquareSet};

/// Games in which captures explode, and each side has one royal king, or nothing is royal.
#[derive(Clone, Copy)]
pub(crate) struct Exploding(pub(crate) &'static Record);

impl Exploding {
    /// Takes the piece that has captured on a square, unless it survives, and its neighbours but
    /// those that are spared, off the board.
    #[inline]
    fn blow_up(self, board: &mut Board, centre: Square) {
        let of_types = |types: &[PieceType]| {
            let sets = types.iter().map(|&piece_type| board.piece_type(piece_type));
            sets.fold(SquareSet::EMPTY, |all, set| all | set)
        };
        let blast = (self.reach().king(centre) - of_types(&self.0.spared))
            | (SquareSet::of(centre) - of_types(&self.0.survivors));
        for square in blast & board.occupied() {
            board.take(square);
        }
    }
}

impl Rules for Exploding {
    #[inline]
    fn record(self) -> &'static Record {
        self.0
    }

    #[inline]
    fn royals(self, board: &Board, colour: Colour) -> SquareSet {
        match self.0.royalty[colour.index()] {
            Royalty::None => SquareSet::EMPTY,
            _ => board.of(Piece::new(colour, PieceType::King)),
        }
    }

    /// No royal piece captures, and none is attacked by a capture that would blow up that of
    /// the captor (M3).
    #[inline]
    fn attacked_royals(self, board: &Board, colour: Colour) -> SquareSet {
        let royals = self.royals(board, colour) - self.never_attacked(board, colour);
        let others = self.royals(board, colour.other());
        let enemy = self.powers(board, colour.other()).without(others);
        let occupied = board.occupied();
        let is_attacked = |&royal: &Square| {
            let attackers = enemy.attackers(self.reach(), royal, occupied);
            !attackers.is_empty()
        };
        royals.filter(is_attacked).collect()
    }

    /// The neighbours of the other side's royal piece.
    #[inline]
    fn never_attacked(self, board: &Board, colour: Colour) -> SquareSet {
        let others = self.royals(board, colour.other());
        others.fold(SquareSet::EMPTY, |all, royal| {
            all | self.reach().king(royal)
        })
    }

    #[inline]
    fn add_moves(self, position: &Position, list: &mut MoveList) -> bool {
        let view = View::of_list(self.reach(), position, list);
        let all = |piece_type, _| !view.immune(self.0, piece_type);
        let promotions = &self.0.promotions[position.turn.index()];
        self.add_pseudo_legal(&view, position, promotions, all, list);
        if let Some(ep) = position.ep {
            self.ep_captures(&view, ep, |mv| list.push(mv));
        }
        list.retain(|mv| self.is_safe(position, mv));
        self.0.keys.pass != Pass::Off && self.in_check(view.board, view.turn)
    }

    /// A step of the king to an empty square.
    #[inline]
    fn has_quick_move(self, position: &Position) -> bool {
        let view = View::new(self.reach(), position);
        let Some(king) = view.mine(PieceType::King).first() else {
            return false;
        };
        let powers = self.powers(view.board, view.turn);
        let mut steps = powers.targets(view.reach, king, view.occupied) - view.occupied;
        steps.any(|to| {
            let step = Move {
                from: king,
                to,
                piece: PieceType::King,
                promotion: None,
                captured: None,
                kind: MoveKind::Ordinary,
            };
            self.is_safe(position, step)
        })
    }

    /// Whether a move blows up the other royal piece, and not the mover's, or leaves the mover's
    /// unattacked.
    #[inline]
    fn is_safe(self, position: &Position, mv: Move) -> bool {
        if self.0.royalty[position.turn.index()] == Royalty::None {
            return true;
        }
        if mv.is_capture() && mv.piece == PieceType::King {
            return false;
        }
        let after = self.after(position, mv);
        let royals = Colour::BOTH.map(|side| !self.royals(&after, side).is_empty());
        let (turn, other) = (position.turn, position.turn.other());
        royals[turn.index()] && (!royals[other.index()] || !self.in_check(&after, turn))
    }

    #[inline]
    fn after(self, position: &Position, mv: Move) -> Board {
        let mut after = moved_pieces(&position.board, position.turn, mv);
        if mv.is_capture() {
            self.blow_up(&mut after, mv.to);
        }
        after
    }

    #[inline]
    fn explode(self, mv: Move, after: &mut Position) {
        if mv.is_capture() {
            self.blow_up(&mut after.board, mv.to);
            if !after.castling.is_empty() {
                after.castling = after.castling_left(mv);
            }
        }
    }

    #[inline]
    fn end_by_loss(self, position: &Position) -> Option<End> {
        if self.0.royalty[position.turn.index()] == Royalty::None {
            let men = Colour::BOTH.map(|side| position.board.by(side).len());
            return self.0.end_without_some(position.turn, men);
        }
        let royals = self.royals(&position.board, position.turn);
        royals.is_empty().then_some(End::Explosion)
    }
}
