//! Kings (Sibahi, 2007) and the game it came from, wild 9.

mod boards;
mod escape;
mod flaws;
mod promotion;
mod puzzles;
mod tie_break;
mod two_kings;

use retrograde_rules::{Colour, Game, Material, Piece, PieceType};

use crate::claim::Claim;

/// The claims of these games.
pub(crate) const CLAIMS: &[&Claim] = &[
    &puzzles::CLAIM,
    &promotion::CLAIM,
    &tie_break::CLAIM,
    &two_kings::CLAIM,
    &escape::CLAIM,
    &flaws::CLAIM,
    &boards::CLAIM,
];

/// Whether a side has several kings, or can get them by promotion: else the ending is one of
/// orthodox chess.
fn has_spare_kings(game: Game, material: &Material) -> bool {
    Colour::BOTH.into_iter().any(|colour| {
        let count = |piece_type| material.count(Piece::new(colour, piece_type));
        let promotes = game.promotions().contains(&PieceType::King);
        count(PieceType::King) > 1 || promotes && count(PieceType::Pawn) > 0
    })
}
