//! Nanoseconds per probe of random positions, alternating between files read by position
//! and mapped ones.
//!
//! `cargo bench --package retrograde-probe --bench probe -- FOLDER [MATERIAL]`;
//! the folder must have the tables of the material (default: KQvKR).

use std::hint::black_box;
use std::time::Instant;

use retrograde_probe::Tablebase;
use retrograde_rules::{Colour, Game, Material, Position, Square};

const GAME: Game = Game::Orthodox;
const POSITIONS: usize = 200_000;
const ROUNDS: usize = 5;

/// Random positions of a material, always the same.
fn positions(material: &Material) -> Vec<Position> {
    let mut state = 0_u64;
    // The finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
    let mut random = || {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (state ^ state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    };
    let mut list = Vec::new();
    while list.len() < POSITIONS {
        let mut bits = random();
        let turn = Colour::BOTH[(bits & 1) as usize];
        let pieces = material.pieces().map(|piece| {
            bits >>= 6;
            (piece, Square((bits & 63) as u8))
        });
        list.extend(Position::from_pieces(GAME, pieces, turn));
    }
    list
}

/// Nanoseconds per probe.
fn measure(tables: &Tablebase, positions: &[Position]) -> f64 {
    let began = Instant::now();
    for position in positions {
        if let Err(error) = black_box(tables.value(position)) {
            eprintln!("{error}");
            std::process::exit(1);
        }
    }
    began.elapsed().as_secs_f64() * 1e9 / positions.len() as f64
}

#[expect(unsafe_code, reason = "the mapped tables are what is measured")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).filter(|text| text != "--bench");
    let Some(folder) = arguments.next() else {
        eprintln!("give a folder of tables");
        return Ok(());
    };
    let name = arguments.next().unwrap_or("KQvKR".to_owned());
    let positions = positions(&Material::parse(GAME, &name)?);
    // A few positions of one material stay within cached blocks.
    let few: Vec<Position> = positions[..50]
        .iter()
        .copied()
        .cycle()
        .take(POSITIONS)
        .collect();
    let read = Tablebase::open(GAME, [&folder])?;
    // SAFETY: nothing else uses the folder while this runs.
    let mapped = unsafe { Tablebase::open_mapped(GAME, [&folder])? };
    for (what, positions) in [("random", &positions), ("50 again and again", &few)] {
        let (mut best_read, mut best_mapped) = (f64::INFINITY, f64::INFINITY);
        for _ in 0..ROUNDS {
            best_read = best_read.min(measure(&read, positions));
            best_mapped = best_mapped.min(measure(&mapped, positions));
        }
        println!(
            "{name}, {what}: read {best_read:.0} ns, mapped {best_mapped:.0} ns, ratio {:.3}",
            best_read / best_mapped
        );
    }
    Ok(())
}
