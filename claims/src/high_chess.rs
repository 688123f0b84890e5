//! High Chess (Grant Sinclair, 2021).

mod hc0;
mod hc1;
mod hc10;
mod hc11;
mod hc2;
mod hc3;
mod hc4;
mod hc5;
mod hc6;
mod hc7;
mod hc8;
mod hc9;
mod turns;

use std::sync::LazyLock;

use retrograde_rules::{Board, Colour, Game, Piece, PieceType, Vitality, VitalityRules};

use crate::claim::Claim;

/// The rules of vitality that the claims are about.
pub(crate) static VITALITY: LazyLock<&VitalityRules> = LazyLock::new(|| {
    let game = Game::parse("high-chess").ok();
    let rules = game.and_then(Game::vitality);
    rules.unwrap_or_else(|| unreachable!("High Chess has vitality"))
});

/// The claims of this game.
pub(crate) const CLAIMS: &[&Claim] = &[
    &hc0::CLAIM,
    &hc1::CLAIM,
    &hc2::CLAIM,
    &hc3::CLAIM,
    &hc4::CLAIM,
    &hc5::CLAIM,
    &hc6::CLAIM,
    &hc7::CLAIM,
    &hc8::CLAIM,
    &hc9::CLAIM,
    &hc10::CLAIM,
    &hc11::CLAIM,
];

/// Full counters for both sides.
fn full(rules: &'static VitalityRules) -> Vitality {
    rules.full()
}

/// The distances of White's and Black's king from the centre (H1).
#[inline]
fn distances(board: &Board) -> [u8; 2] {
    Colour::BOTH.map(|colour| {
        let king = board.of(Piece::new(colour, PieceType::King)).first();
        king.map_or(0, |king| VITALITY.distance(king))
    })
}

/// The side whose king is the first to be able to step on a central square: the nearer
/// one, and with equal distances the side to move.
#[inline]
fn first_to_the_centre(board: &Board, turn: Colour) -> Colour {
    let [white, black] = distances(board);
    match white.cmp(&black) {
        std::cmp::Ordering::Less => Colour::White,
        std::cmp::Ordering::Greater => Colour::Black,
        std::cmp::Ordering::Equal => turn,
    }
}
