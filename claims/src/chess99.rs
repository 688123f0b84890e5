//! Chess 99 (Claude Lapointe).

mod blocked;
mod castling;
mod double_check;
mod en_passant;
mod first_move;
mod material;
mod standoff;

use retrograde_rules::{Colour, Game, Material, Position};

use crate::claim::Claim;
use crate::scope::Scope;

/// The claims of this game.
pub(crate) const CLAIMS: &[&Claim] = &[
    &first_move::CLAIM,
    &double_check::CLAIM,
    &material::CLAIM,
    &blocked::CLAIM,
    &en_passant::CLAIM,
    &castling::CLAIM,
    &standoff::CLAIM,
];

/// The game with the designer's rule that the capture of a king while in check draws, and
/// without it, whichever of these is asked about.
fn with_and_without_the_rule(scope: &Scope) -> [Game; 2] {
    ["draw", "win"].map(|value| scope.with_option("chess99", "king-capture-in-check", value))
}

/// Whether both kings are attacked.
fn is_double_check(position: &Position) -> bool {
    Colour::BOTH
        .into_iter()
        .all(|colour| position.in_check(colour))
}

/// The classes of up to three men, and those of more with the same men on both sides: what
/// takes every move of every position is asked of these.
fn few_or_even(scope: &Scope, game: Game) -> Vec<Material> {
    let mut list = scope.materials(game);
    list.retain(|material| material.len() <= 3 || *material == material.swapped());
    list
}
