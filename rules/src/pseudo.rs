//! Generates pseudo-legal moves: what a piece may do, within a mask of squares from the game.

use crate::board::Board;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::{EpRight, Position};
use crate::reach::Reach;
use crate::record::Record;
use crate::square::{Square, SquareSet};

/// The pieces of a position as the side to move sees them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'a> {
    pub(crate) reach: &'static Reach,
    pub(crate) board: &'a Board,
    pub(crate) turn: Colour,
    pub(crate) own: SquareSet,
    pub(crate) enemy: SquareSet,
    pub(crate) occupied: SquareSet,
    /// Whether quiet moves are wanted: if not, most of them are left out.
    quiet: bool,
}

impl<'a> View<'a> {
    /// The view of the side to move.
    #[inline]
    pub(crate) fn new(reach: &'static Reach, position: &'a Position) -> View<'a> {
        let board = &position.board;
        let (own, enemy) = (board.by(position.turn), board.by(position.turn.other()));
        View {
            reach,
            board,
            turn: position.turn,
            own,
            enemy,
            occupied: own | enemy,
            quiet: true,
        }
    }

    /// The other side's pieces that those of a type do not capture, being of it, too (D17).
    #[inline]
    pub(crate) fn immune(&self, record: &Record, piece_type: PieceType) -> SquareSet {
        match record.mutually_immune.contains(&piece_type) {
            true => self.enemy & self.board.piece_type(piece_type),
            false => SquareSet::EMPTY,
        }
    }

    /// The view for a list of moves, which may want captures and promotions only.
    #[inline]
    pub(crate) fn of_list(
        reach: &'static Reach,
        position: &'a Position,
        list: &MoveList,
    ) -> View<'a> {
        View {
            quiet: list.quiet,
            ..View::new(reach, position)
        }
    }

    /// The squares of the mover's pieces of a piece type.
    #[inline]
    pub(crate) fn mine(&self, piece_type: PieceType) -> SquareSet {
        self.own & self.board.piece_type(piece_type)
    }

    /// Moves the piece on `from`, which is not a pawn, to each of `targets`, except those
    /// occupied by own pieces.
    #[inline]
    pub(crate) fn go(
        &self,
        piece: PieceType,
        from: Square,
        targets: SquareSet,
        list: &mut MoveList,
    ) {
        let targets = match self.quiet {
            true => targets - self.own,
            false => targets & self.enemy,
        };
        for to in targets {
            list.push(Move {
                from,
                to,
                piece,
                promotion: None,
                captured: self.enemy.contains(to).then_some(to),
                kind: MoveKind::Ordinary,
            });
        }
    }

    /// Moves the pawn on `from`, which does not wait, by steps and captures within `allowed`;
    /// it may become one of `promotions`. En passant is handled separately.
    #[inline]
    pub(crate) fn go_pawn(
        &self,
        record: &Record,
        from: Square,
        allowed: SquareSet,
        promotions: &[PieceType],
        list: &mut MoveList,
    ) {
        let steps = self.reach.pawn_steps(self.turn, from) - self.occupied;
        let takes = self.reach.pawn_takes(self.turn, from) & self.enemy;
        let last = record.last_rank(self.turn);
        let mut arrive = |to: Square, kind| {
            let mv = Move {
                from,
                to,
                piece: PieceType::Pawn,
                promotion: None,
                captured: takes.contains(to).then_some(to),
                kind,
            };
            if !last.contains(to) {
                list.push(mv);
                return;
            }
            if record.pawns.promote_on_arrival {
                for &piece_type in promotions {
                    list.push(Move {
                        promotion: Some(piece_type),
                        ..mv
                    });
                }
            }
            if record.pawns.stay {
                list.push(mv);
            }
        };
        let is_wanted = |to: &Square| self.quiet || takes.contains(*to) || last.contains(*to);
        for to in ((steps | takes) & allowed).filter(is_wanted) {
            arrive(to, MoveKind::Ordinary);
        }
        if !record.double_steps[self.turn.index()].contains(from) {
            return;
        }
        for (passed, to) in self.reach.double_steps(self.turn, from) {
            let is_free = steps.contains(passed) && !self.occupied.contains(to);
            if is_free && allowed.contains(to) && is_wanted(&to) {
                arrive(to, MoveKind::DoubleStep);
            }
        }
    }

    /// Turns the waiting pawn on `from` into `promotion` and moves it to each of `targets`,
    /// except those occupied by own pieces (C5).
    #[inline]
    pub(crate) fn go_deferred(
        &self,
        from: Square,
        promotion: PieceType,
        targets: SquareSet,
        list: &mut MoveList,
    ) {
        for to in targets - self.own {
            list.push(Move {
                from,
                to,
                piece: PieceType::Pawn,
                promotion: Some(promotion),
                captured: self.enemy.contains(to).then_some(to),
                kind: MoveKind::Deferred,
            });
        }
    }

    /// The pawns of the side to move that stand so as to capture on `ep`.
    #[inline]
    pub(crate) fn ep_pawns(&self, ep: Square) -> SquareSet {
        self.reach.pawn_takers(self.turn, ep) & self.mine(PieceType::Pawn)
    }

    /// A capture en passant by the piece on `from`; `None` if there is none.
    #[inline]
    pub(crate) fn ep_capture(&self, from: Square, ep: EpRight) -> Option<Move> {
        Some(Move {
            from,
            to: ep.passed,
            piece: self.board.piece_type_at(from)?,
            promotion: None,
            captured: Some(ep.pawn),
            kind: MoveKind::EnPassant,
        })
    }
}

/// Moves king and partner; a function of its own, because it is rare.
#[cold]
#[inline(never)]
fn castle(board: &mut Board, mover: Colour, mv: Move) {
    if mv.kind == MoveKind::Castling {
        board.castle(mover, mv.from, mv.to);
    } else {
        board.castle_by_right(mover, mv.from, mv.to);
    }
}

/// Moves, captures and promotes pieces.
#[inline]
fn move_pieces(board: &mut Board, mover: Colour, mv: Move) {
    if let Some(square) = mv.captured {
        board.take(square);
    }
    match mv.promotion {
        _ if matches!(mv.kind, MoveKind::Castling | MoveKind::CastlingByRight) => {
            castle(board, mover, mv);
        }
        None => board.shift(Piece::new(mover, mv.piece), mv.from, mv.to),
        Some(piece_type) => {
            board.lift(mv.from, Piece::new(mover, mv.piece));
            board.put(mv.to, Piece::new(mover, piece_type));
        }
    }
}

/// The pieces after a move.
#[inline]
pub(crate) fn moved_pieces(board: &Board, mover: Colour, mv: Move) -> Board {
    let mut after = *board;
    move_pieces(&mut after, mover, mv);
    after
}

/// Makes a move as far as all games agree: pieces moved, captured and promoted, clocks advanced,
/// the other side to move, no e.p. right.
#[inline(always)]
pub(crate) fn advance(position: &mut Position, mv: Move) {
    let mover = position.turn;
    move_pieces(&mut position.board, mover, mv);
    position.turn = mover.other();
    position.ep = None;
    position.halfmoves = match mv.is_zeroing() {
        true => 0,
        false => position.halfmoves.saturating_add(1),
    };
    let after_black = u32::from(mover == Colour::Black);
    position.fullmoves = position.fullmoves.saturating_add(after_black);
}
