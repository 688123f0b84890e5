//! Moves, each with its squares, kind and promotion, and lists of them that need no heap.

use std::ops::Deref;

use smallvec::SmallVec;

use crate::piece::PieceType;
use crate::square::Square;

/// The kind of a move: an ordinary one, or what sets it apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum MoveKind {
    /// A piece goes from one square to another, maybe capturing there.
    Ordinary,
    /// A pawn's double step, which may give an e.p. right.
    DoubleStep,
    /// A capture en passant: [`Move::captured`] is not [`Move::to`].
    EnPassant,
    /// A pass (H2): no piece moves. [`Move::from`] and [`Move::to`] are the square of the mover's
    /// king, and [`Move::piece`] is the king.
    Pass,
    /// A pawn that waits on its last rank turns into [`Move::promotion`] and
    /// moves as that piece, maybe capturing where it arrives (C5). A waiting
    /// pawn that captures en passant is [`MoveKind::EnPassant`] with a
    /// promotion.
    Deferred,
    /// The king on [`Move::from`] goes one square towards its partner, and the
    /// partner, whose square is [`Move::to`], goes to where the king stood
    /// (C7).
    Castling,
    /// The king goes from [`Move::from`] to [`Move::to`], and the rook beyond
    /// that, which has not moved either, to the square beside it on the side
    /// that the king came from (X1-X3).
    CastlingByRight,
}

/// A move of a certain position of a certain game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move {
    /// The square that the piece leaves.
    pub from: Square,
    /// The square that the piece goes to; for [`MoveKind::Castling`], the partner's square.
    pub to: Square,
    /// The piece type that moves, before a promotion.
    pub piece: PieceType,
    /// The type that a pawn becomes.
    pub promotion: Option<PieceType>,
    /// The square of the captured piece.
    pub captured: Option<Square>,
    /// The kind of the move.
    pub kind: MoveKind,
}

impl Move {
    /// The pass of the side whose king stands on `king`.
    #[inline]
    pub(crate) const fn pass(king: Square) -> Move {
        Move {
            from: king,
            to: king,
            piece: PieceType::King,
            promotion: None,
            captured: None,
            kind: MoveKind::Pass,
        }
    }

    /// Whether no piece moves (H2).
    #[inline]
    pub const fn is_pass(self) -> bool {
        matches!(self.kind, MoveKind::Pass)
    }

    /// Whether a pawn that waits on its last rank turns into another piece and
    /// moves as that, en passant captures included (C5).
    #[inline]
    pub const fn is_deferred_promotion(self) -> bool {
        match self.kind {
            MoveKind::Deferred => true,
            // No pawn captures en passant on its last rank.
            MoveKind::EnPassant => self.promotion.is_some(),
            _ => false,
        }
    }

    /// Whether something is captured.
    #[inline]
    pub const fn is_capture(self) -> bool {
        self.captured.is_some()
    }

    /// Whether the move is a capture or a pawn move, which restart the fifty-move count
    /// (O4).
    #[inline]
    pub const fn is_zeroing(self) -> bool {
        self.is_capture() || matches!(self.piece, PieceType::Pawn)
    }
}

/// The moves of a position, without a heap allocation unless there are very many. It
/// is used as a slice.
#[derive(Clone, Debug)]
pub struct MoveList {
    moves: SmallVec<[Move; MoveList::INLINE]>,
    /// Whether it is to have moves that are neither captures nor promotions.
    pub(crate) quiet: bool,
}

impl MoveList {
    /// Positions with few pieces stay below this; more moves go to the heap.
    const INLINE: usize = 64;

    /// A list without moves.
    #[inline]
    pub fn new() -> MoveList {
        MoveList {
            moves: SmallVec::new(),
            quiet: true,
        }
    }

    /// Adds a move.
    #[inline]
    pub fn push(&mut self, mv: Move) {
        self.moves.push(mv);
    }

    /// Keeps the moves that are wanted, in their order.
    #[inline]
    pub(crate) fn retain(&mut self, wanted: impl Fn(Move) -> bool) {
        self.moves.retain(|mv| wanted(*mv));
    }

    /// Takes all moves out, keeping the memory.
    #[inline]
    pub fn clear(&mut self) {
        self.moves.clear();
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Deref for MoveList {
    type Target = [Move];

    #[inline]
    fn deref(&self) -> &[Move] {
        &self.moves
    }
}

impl<'a> IntoIterator for &'a MoveList {
    type Item = &'a Move;
    type IntoIter = std::slice::Iter<'a, Move>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_any_length_keep_their_moves() {
        let mut list = MoveList::new();
        for round in 0..2 {
            let total = 3 * MoveList::INLINE + round;
            for n in 0..total {
                assert_eq!(list.len(), n);
                list.push(Move {
                    from: Square(n as u8),
                    ..Move::pass(Square(0))
                });
            }
            assert!(list.iter().enumerate().all(|(n, m)| m.from.index() == n));
            assert_eq!(list.len(), total);
            // Once to more than fit, once to fewer.
            for every in [2, 2, 4] {
                let before: Vec<Move> = list.to_vec();
                list.retain(|m| m.from.index() % every == 0);
                let kept = before.iter().filter(|m| m.from.index() % every == 0);
                assert!(list.iter().eq(kept));
            }
            list.clear();
            assert!(list.is_empty());
        }
    }
}
