//! Measures nanoseconds per WDL probe by bitboards through the C functions and directly in Rust.
//!
//! The library in Rust is asked the same question, from bitboards and of positions that are there
//! already.
//!
//! `cargo bench --package retrograde-c --bench wdl -- FOLDER [MATERIAL]`; the folder must
//! have the tables of the material (default: KQvKR).
#![allow(unsafe_code, reason = "the functions for C are what is measured")]

use std::ffi::CString;
use std::hint::black_box;
use std::ptr::null_mut;
use std::time::Instant;

use retrograde_c::{RetrogradeStatus, retrograde_close, retrograde_open, retrograde_probe_wdl};
use retrograde_probe::Tablebase;
use retrograde_rules::{Bitboards, Colour, Game, Material, PieceType, Position, Square};

const POSITIONS: usize = 100_000;
const ROUNDS: usize = 7;

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
        list.extend(Position::from_pieces(Game::default(), pieces, turn));
    }
    list
}

/// Nanoseconds a call, the least of some rounds.
fn measure(positions: &[Position], mut ask: impl FnMut(&Position) -> i32) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        for position in positions {
            black_box(ask(black_box(position)));
        }
        best = best.min(began.elapsed().as_secs_f64() * 1e9 / positions.len() as f64);
    }
    best
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).filter(|text| text != "--bench");
    let Some(folder) = arguments.next() else {
        eprintln!("give a folder of tables");
        return Ok(());
    };
    let name = arguments.next().unwrap_or("KQvKR".to_owned());
    let random = positions(&Material::parse(Game::default(), &name)?);
    // A few positions of one material stay within cached blocks.
    let few: Vec<Position> = random[..50]
        .iter()
        .copied()
        .cycle()
        .take(POSITIONS)
        .collect();
    let rust = Tablebase::open(Game::default(), [&folder])?;
    let (game, path) = (CString::new("orthodox")?, CString::new(folder.as_str())?);
    let mut tables = null_mut();
    // SAFETY: the texts end with a 0, and there is room for a pointer.
    let status = unsafe { retrograde_open(game.as_ptr(), path.as_ptr(), &mut tables) };
    if status != RetrogradeStatus::Ok {
        return Err("the tables cannot be opened".into());
    }
    for (what, positions) in [("random", &random), ("50 again and again", &few)] {
        let there = measure(positions, |position| match rust.wdl(position) {
            Ok(wdl) => wdl as i32,
            Err(_) => i32::MIN,
        });
        let made = measure(positions, |position| {
            let board = position.board();
            let set = |piece_type| board.piece_type(piece_type).0 as u64;
            let bitboards = Bitboards {
                white: board.by(Colour::White).0 as u64,
                black: board.by(Colour::Black).0 as u64,
                sets: Bitboards::PIECE_TYPES.map(set),
                turn: position.turn(),
                ep: None,
                halfmoves: 0,
                fullmoves: 1,
            };
            let position = Position::from_bitboards(Game::default(), &bitboards);
            match position.map(|position| rust.wdl(&position)) {
                Ok(Ok(wdl)) => wdl as i32,
                _ => i32::MIN,
            }
        });
        let by_c = measure(positions, |position| {
            let board = position.board();
            let set = |piece_type| board.piece_type(piece_type).0 as u64;
            let colour = |colour| board.by(colour).0 as u64;
            let mut wdl = i32::MIN;
            // SAFETY: the tablebase is open, and there is room for a number.
            unsafe {
                retrograde_probe_wdl(
                    tables,
                    colour(Colour::White),
                    colour(Colour::Black),
                    set(PieceType::King),
                    set(PieceType::Queen),
                    set(PieceType::Rook),
                    set(PieceType::Bishop),
                    set(PieceType::Knight),
                    set(PieceType::Pawn),
                    0,
                    0,
                    0,
                    position.turn() == Colour::White,
                    &mut wdl,
                );
            }
            wdl
        });
        println!(
            "{name}, {what}: Rust {made:.0} ns, of positions that are there {there:.0} ns, C {by_c:.0} ns; \
             C to Rust {:.2}, of positions that are there {:.2}",
            by_c / made,
            by_c / there
        );
    }
    // SAFETY: it is open, and not used any more.
    unsafe { retrograde_close(tables) };
    Ok(())
}
