//! Pseudo-legal moves: what a piece may do, restricted by a mask of squares from the
//! game.

use crate::board::Board;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::reach::Reach;
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

    /// Moves the pawn on `from` by steps and captures as in orthodox chess within
    /// `allowed`. A double step starts on its `home` rank, counted from 0 on its own
    /// side; promotion to one of `promotions` is compulsory on the last rank. En passant
    /// is handled separately.
    #[inline]
    pub(crate) fn go_pawn(
        &self,
        from: Square,
        home: u8,
        allowed: SquareSet,
        promotions: &[PieceType],
        list: &mut MoveList,
    ) {
        let step = self.reach.pawn_step(self.turn, from) - self.occupied;
        let takes = self.reach.pawn_takes(self.turn, from) & self.enemy;
        let to_last = |to: Square| self.reach.pawn_step(self.turn, to).is_empty();
        let is_wanted = |to: &Square| self.quiet || takes.contains(*to) || to_last(*to);
        for to in ((step | takes) & allowed).filter(is_wanted) {
            let mv = Move {
                from,
                to,
                piece: PieceType::Pawn,
                promotion: None,
                captured: takes.contains(to).then_some(to),
                kind: MoveKind::Ordinary,
            };
            if to_last(to) {
                for &piece_type in promotions {
                    list.push(Move {
                        promotion: Some(piece_type),
                        ..mv
                    });
                }
            } else {
                list.push(mv);
            }
        }
        let Some(passed) = step.first() else { return };
        if !self.quiet || pawn_rank(self.reach, self.turn, from) != home {
            return;
        }
        for to in (self.reach.pawn_step(self.turn, passed) - self.occupied) & allowed {
            list.push(Move {
                from,
                to,
                piece: PieceType::Pawn,
                promotion: None,
                captured: None,
                kind: MoveKind::DoubleStep,
            });
        }
    }

    /// The pawns of the side to move that stand so as to capture on `ep`.
    #[inline]
    pub(crate) fn ep_pawns(&self, ep: Square) -> SquareSet {
        self.reach.pawn_takes(self.turn.other(), ep) & self.mine(PieceType::Pawn)
    }

    /// A pawn's capture en passant; `None` if no pawn can have made the double step.
    #[inline]
    pub(crate) fn ep_capture(&self, from: Square, ep: Square) -> Option<Move> {
        Some(Move {
            from,
            to: ep,
            piece: PieceType::Pawn,
            promotion: None,
            captured: Some(self.reach.pawn_step(self.turn.other(), ep).first()?),
            kind: MoveKind::EnPassant,
        })
    }
}

/// The rank of a square as its owner counts it, the first being 0.
#[inline]
pub(crate) fn pawn_rank(reach: &Reach, colour: Colour, square: Square) -> u8 {
    let geometry = reach.geometry();
    match colour {
        Colour::White => geometry.rank(square),
        Colour::Black => geometry.ranks - 1 - geometry.rank(square),
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

/// The position after a move, as far as all games agree: pieces moved, captured and
/// promoted, clocks advanced, the other side to move, no e.p. right.
#[inline]
pub(crate) fn moved(position: &Position, mv: Move) -> Position {
    let mover = position.turn;
    // Changed in place: a position is large enough for copies to matter.
    let mut next = *position;
    move_pieces(&mut next.board, mover, mv);
    next.turn = mover.other();
    next.ep = None;
    next.halfmoves = if mv.is_zeroing() {
        0
    } else {
        position.halfmoves.saturating_add(1)
    };
    next.fullmoves = position
        .fullmoves
        .saturating_add(u32::from(mover == Colour::Black));
    next
}
