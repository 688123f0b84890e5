//! What moves gain in material, for the order in which they are tried.

use retrograde_rules::{Move, Position};

/// What a move gains in material, in pawns.
pub fn gain(position: &Position, mv: Move) -> i32 {
    let captured = mv.captured.and_then(|at| position.board().piece_at(at));
    let worth = |piece_type| position.game().worth(piece_type) as i32;
    let captured = captured.map_or(0, |piece| worth(piece.piece_type));
    let promoted = mv.promotion.map_or(0, |to| worth(to) - 1);
    captured + promoted
}
