//! What moves gain in material, for the order in which they are tried.

use retrograde_rules::{Move, PieceType, Position};

/// What a piece type counts, in pawns.
fn worth(piece_type: PieceType) -> i32 {
    match piece_type {
        // Where kings are captured like others, they are more than any.
        PieceType::King => 10,
        PieceType::Queen => 9,
        PieceType::Chancellor => 8,
        PieceType::Paladin => 7,
        PieceType::Rook => 5,
        PieceType::Bishop | PieceType::Knight => 3,
        PieceType::Pawn => 1,
    }
}

/// What a move gains in material, in pawns.
pub fn gain(position: &Position, mv: Move) -> i32 {
    let captured = mv.captured.and_then(|at| position.board().piece_at(at));
    let captured = captured.map_or(0, |piece| worth(piece.piece_type));
    let promoted = mv.promotion.map_or(0, |to| worth(to) - 1);
    captured + promoted
}
