//! Generates castling moves by rights, and finds the moves that end rights (X1-X3, H7).

use super::{Powers, View, moved_pieces};
use crate::castling::{Castling, CastlingRights, CastlingSafety, Goes, side};
use crate::geometry::Geometry;
use crate::moves::{Move, MoveKind, MoveList};
use crate::piece::PieceType;
use crate::position::Position;
use crate::square::{Square, SquareSet};

impl Castling {
    /// Whether a move ends rights of its mover, being the first one of a king or rook
    /// (H7).
    #[inline]
    pub(crate) fn is_ended_by(&self, geometry: Geometry, position: &Position, mv: Move) -> bool {
        !position.castling.is_empty() && self.ends_with(geometry, position, mv)
    }

    /// [`Castling::is_ended_by`] if there are rights, which is rare.
    #[cold]
    #[inline(never)]
    fn ends_with(&self, geometry: Geometry, position: &Position, mv: Move) -> bool {
        let rights = position.castling.of(position.turn);
        let after = moved_pieces(&position.board, position.turn, mv);
        self.kept(geometry, &after, rights) != rights
    }
}

/// Adds the castling moves of the side to move. Attacks are checked as far as
/// [`CastlingSafety`] says, but for squares that are `safe`; whether a royal piece is left attacked afterwards is tested
/// elsewhere.
#[cold]
#[inline(never)]
pub(super) fn add_moves(
    castling: &Castling,
    view: &View,
    rights: CastlingRights,
    royals: SquareSet,
    (enemy, safe): (&Powers, SquareSet),
    list: &mut MoveList,
) {
    let (geometry, reach) = (view.reach.geometry(), view.reach);
    let is_attacked = |square| !enemy.attackers(reach, square, view.occupied).is_empty();
    let homes = |is_king: bool| {
        castling
            .pieces()
            .filter(move |&(bit, piece_type, _)| {
                (piece_type == PieceType::King) == is_king && rights.0 & side(view.turn, bit) != 0
            })
            .map(|(.., file)| castling.home(geometry, view.turn, file))
    };
    for king in homes(true) {
        if castling.safety == CastlingSafety::Royal && !royals.contains(king) {
            continue;
        }
        for rook in homes(false) {
            let right = rook > king;
            let to = match castling.goes {
                Goes::To(files) => {
                    Some(geometry.square(files[usize::from(right)], geometry.rank(king)))
                }
                Goes::Leap(squares) => {
                    let leap = squares as i8;
                    geometry.offset(king, if right { leap } else { -leap }, 0)
                }
            };
            // Not over holes (D16).
            let line = reach.straights(king);
            let is_target = |to: &Square| line.contains(*to) && (*to > king) == right;
            let Some(to) = to.filter(is_target).filter(|_| line.contains(rook)) else {
                continue;
            };
            let mut watched = SquareSet::of(king) | reach.between(king, to);
            match castling.safety {
                CastlingSafety::Free => watched = SquareSet::EMPTY,
                CastlingSafety::Guarded => watched.insert(to),
                CastlingSafety::Royal => {}
            }
            watched -= safe;
            if (reach.between(king, rook) & view.occupied).is_empty() && !watched.any(is_attacked) {
                list.push(Move {
                    from: king,
                    to,
                    piece: PieceType::King,
                    promotion: None,
                    captured: None,
                    kind: MoveKind::CastlingByRight,
                });
            }
        }
    }
}
