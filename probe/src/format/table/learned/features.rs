//! Describes the board and pieces of a material to the codec `learned`.

use std::sync::{Mutex, PoisonError};

use retrograde_learned::{CodecBoard, CodecPiece, Features, LearnedError, Moves};
use retrograde_rules::{Colour, Game, LastOfType, Material, Parts, PieceType};

/// The features of the positions of a material that the codec looks at, its pieces in the order of
/// the material.
///
/// # Errors
///
/// The codec has no room for the material.
pub(crate) fn features(
    game: Game,
    material: &Material,
    contexts: &[u8],
) -> Result<Features, LearnedError> {
    let geometry = game.geometry();
    let pieces: Vec<CodecPiece> = material
        .pieces()
        .map(|piece| CodecPiece {
            black: piece.colour == Colour::Black,
            moves: moves(game, piece.piece_type),
            royal: game.last_of_type(piece.piece_type) != LastOfType::Free
                && (piece.piece_type == PieceType::King || material.count(piece) == 1),
        })
        .collect();
    let board = CodecBoard::new(geometry.files, geometry.ranks)?;
    // What follows from the board alone is worked out once.
    static BOARDS: Mutex<Vec<Features>> = Mutex::new(Vec::new());
    let mut boards = BOARDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = boards.iter().find(|known| known.board() == board) {
        return known.of_material(&pieces, contexts);
    }
    let features = Features::new(board, &pieces, contexts)?;
    boards.push(features.clone());
    Ok(features)
}

/// The moves that the codec takes a piece type to have: those that it does not know are left out,
/// for it only predicts.
fn moves(game: Game, piece_type: PieceType) -> Moves {
    let parts = Parts::of(game.mover(piece_type));
    [
        (parts.king, Moves::KING),
        (parts.knight, Moves::KNIGHT),
        (parts.diagonal, Moves::DIAGONAL),
        (parts.straight, Moves::STRAIGHT),
        (piece_type == PieceType::Pawn, Moves::PAWN),
    ]
    .into_iter()
    .filter(|&(has, _)| has)
    .fold(Moves::default(), |all, (_, moves)| all | moves)
}
