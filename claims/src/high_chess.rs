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

use retrograde_rules::{Board, Colour, HighChess, Piece, PieceType, Vitality};

use crate::claim::Claim;

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
fn full(rules: HighChess) -> Vitality {
    Vitality::both(rules.vitality())
}

/// The distances of White's and Black's king from the centre (H1).
#[inline]
fn distances(board: &Board) -> [u8; 2] {
    Colour::BOTH.map(|colour| {
        let king = board.of(Piece::new(colour, PieceType::King)).first();
        king.map_or(0, HighChess::distance)
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
