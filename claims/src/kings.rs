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
use crate::scope::Scope;

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

/// The materials of a game in which a side has several kings, or can get them by promotion: all
/// others are endings of orthodox chess.
fn with_spare_kings(scope: &Scope, game: Game) -> Vec<Material> {
    let mut list = scope.materials(game);
    list.retain(|material| {
        let mut sides = Colour::BOTH.into_iter();
        sides.any(|side| has_spare_kings(game, material, side))
    });
    list
}

/// Whether a side has several kings, or can get them by promotion.
fn has_spare_kings(game: Game, material: &Material, side: Colour) -> bool {
    let promotes = game.promotions().contains(&PieceType::King);
    let count = |piece_type| material.count(Piece::new(side, piece_type));
    count(PieceType::King) > 1 || promotes && count(PieceType::Pawn) > 0
}
