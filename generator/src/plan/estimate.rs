//! What a table will roughly cost, from its size alone.
//!
//! The figures were fitted by eye to the 35 tables of up to four men and some
//! of five, solved and packed with default options on one core of about
//! 3 GHz with AVX-512. They are for planning: what fits on a disk or into a
//! night, and which job to start first.

use retrograde_rules::{Colour, Kind, Man, Material};

/// Seconds that any table takes: opening the smaller ones, syncing a file.
const SECONDS_A_TABLE: f64 = 0.02;

/// Seconds for a million numbers, packing included, without and with pawns.
/// With pawns on both sides every word has room for rights to take en
/// passant.
const SECONDS_A_MILLION: [f64; 3] = [0.25, 0.25, 0.3];

/// Bytes of a file for a thousand numbers, by what decides most of it:
/// whether both sides have men beside the king.
const BYTES_A_THOUSAND: [u64; 2] = [120, 160];

/// The length of a header and checksums.
const BYTES_A_TABLE: u64 = 400;

fn pawns(material: &Material, colour: Colour) -> usize {
    material.count(Man::new(colour, Kind::Pawn))
}

/// The length of the file; `positions` is the numbers of both sides to move.
pub(super) fn disk_bytes(material: &Material, positions: u64) -> u64 {
    let contested = material.side_len(Colour::Black) > 1;
    BYTES_A_TABLE + positions.div_ceil(1000) * BYTES_A_THOUSAND[usize::from(contested)]
}

/// Seconds of one thread for solving, packing and writing.
pub(super) fn cpu_seconds(material: &Material, positions: u64) -> f64 {
    let sides = Colour::BOTH.map(|colour| usize::from(pawns(material, colour) > 0));
    let millions = positions as f64 / 1e6;
    let seconds = SECONDS_A_TABLE + millions * SECONDS_A_MILLION[sides[0] + sides[1]];
    // More digits would promise too much.
    (seconds * 1000.0).round() / 1000.0
}
