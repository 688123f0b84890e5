//! Estimates what making a table costs, from its size and its pieces alone.
//!
//! It is for tables that were not [measured](super::measured).
//!
//! The constants were fitted by eye to the tables of orthodox chess of three to five
//! pieces, made with two threads and default options: see `docs/FIVE-MEN.md`. They say how
//! costs grow with size; [`super::similar`] corrects them by what similar endings took.

use retrograde_rules::{Colour, Game, Material, Piece, PieceType};

/// Seconds per table, and per million indices: for packing all metrics, and for
/// solving, by how many sides have pawns (with pawns on both, every word has room
/// for e.p. rights; here for one pawn on each side).
const SECONDS_A_TABLE: f64 = 0.015;
const SECONDS_TO_PACK: f64 = 0.065;
const SECONDS_TO_SOLVE: [f64; 3] = [0.016, 0.028, 0.08];

/// Bytes of headers and checksums, and per thousand indices, for all metrics: the mean of
/// five men. Half of the tables are within 1.5 of it.
const BYTES_A_TABLE: u64 = 750;
const BYTES_A_THOUSAND: u64 = 310;

/// The size of the files; `positions` counts indices of both sides to move.
pub(super) fn disk_bytes(positions: u64) -> u64 {
    BYTES_A_TABLE + positions.div_ceil(1000) * BYTES_A_THOUSAND
}

/// The seconds that solving a million indices takes in games with vitality, without and with pawns.
const VITALITY_SECONDS: [f64; 2] = [0.25, 0.6];

/// Seconds of one thread for solving, packing and writing.
pub(super) fn cpu_seconds(game: Game, material: &Material, positions: u64) -> f64 {
    let count = |colour, piece_type| material.count(Piece::new(colour, piece_type));
    let pawns = Colour::BOTH.map(|colour| count(colour, PieceType::Pawn));
    let with_pawns = pawns.into_iter().filter(|&pawns| pawns > 0).count();
    // The solver tells most identical pieces apart, files do not.
    let ways: usize = Colour::BOTH
        .into_iter()
        .flat_map(|colour| {
            PieceType::ALL.map(|piece_type| (1..=count(colour, piece_type)).product::<usize>())
        })
        .product();
    let millions = positions as f64 / 1e6;
    let solving = match game.vitality() {
        // Each further pawn may give rise to e.p. rights, or take e.p.
        None if with_pawns == 2 => SECONDS_TO_SOLVE[2] * pawns.iter().sum::<usize>() as f64 / 2.0,
        None => SECONDS_TO_SOLVE[with_pawns],
        Some(_) => VITALITY_SECONDS[with_pawns.min(1)],
    } * ways as f64;
    rounded(SECONDS_A_TABLE + millions * (SECONDS_TO_PACK + solving))
}

/// Seconds with the digits that are worth telling.
pub(super) fn rounded(seconds: f64) -> f64 {
    (seconds * 1000.0).round() / 1000.0
}
