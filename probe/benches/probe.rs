//! Measures nanoseconds per probe of random positions, for each way to ask.
//!
//! It alternates between files read by position and mapped ones.
//!
//! `cargo bench --package retrograde-probe --bench probe -- FOLDER [MATERIAL [ASK]]`;
//! the folder must have the tables of the material (default: KQvKR), for which a file of
//! FENs may stand. ASK is one of `wdl`, `dtm`, `dtz`, `value`, `values` (a thousand at once)
//! and `moves` (default: all), or `fens`, which lists the positions, or `first`, which times
//! opening the folder and the first probe after that.

use std::hint::black_box;
use std::time::Instant;

use retrograde_probe::{Metric, ProbeError, Tablebase};
use retrograde_rules::{Colour, Game, Material, Position, Square};

const POSITIONS: usize = 100_000;
const ROUNDS: usize = 3;

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

/// A way to ask for a value.
type Ask = fn(&Tablebase, &Position) -> Result<(), ProbeError>;

const ASKS: [(&str, Ask); 5] = [
    ("wdl", |tables, position| tables.wdl(position).map(drop)),
    ("dtm", |tables, position| tables.dtm(position).map(drop)),
    ("dtz", |tables, position| tables.dtz(position).map(drop)),
    ("value", |tables, position| tables.value(position).map(drop)),
    ("moves", |tables, position| tables.moves(position).map(drop)),
];

/// Nanoseconds of a probe, each timed by itself.
struct Times {
    mean: f64,
    p50: u64,
    p99: u64,
}

/// Asks for all positions. The clock itself takes some twenty nanoseconds, so the mean
/// is of a round without it.
fn measure(ask: Ask, tables: &Tablebase, positions: &[Position]) -> Result<Times, ProbeError> {
    let began = Instant::now();
    for position in positions {
        black_box(ask(tables, position))?;
    }
    let mean = began.elapsed().as_secs_f64() * 1e9 / positions.len() as f64;
    let mut each = Vec::with_capacity(positions.len());
    for position in positions {
        let began = Instant::now();
        black_box(ask(tables, position))?;
        each.push(began.elapsed().as_nanos() as u64);
    }
    each.sort_unstable();
    Ok(Times {
        mean,
        p50: each[each.len() / 2],
        p99: each[each.len() * 99 / 100],
    })
}

/// Asks for all positions, a thousand at once; returns the mean of a position.
fn measure_together(tables: &Tablebase, positions: &[Position]) -> Result<f64, ProbeError> {
    let began = Instant::now();
    for positions in positions.chunks(1000) {
        for value in black_box(tables.probe_batch(positions, Metric::of(tables.game()))) {
            value?;
        }
    }
    Ok(began.elapsed().as_secs_f64() * 1e9 / positions.len() as f64)
}

/// Opens the folder again and again, and asks for one position each time.
fn first(folder: &str, positions: &[Position]) -> Result<(), Box<dyn std::error::Error>> {
    let micros = |began: Instant| began.elapsed().as_nanos() / 1000;
    let mut times = [const { Vec::new() }; 3];
    for position in positions.iter().take(100) {
        for (place, name) in [(1, "wdl"), (2, "value")] {
            let Some((_, ask)) = ASKS.iter().find(|(known, _)| *known == name) else {
                continue;
            };
            let began = Instant::now();
            let tables = Tablebase::open(Game::default(), [folder])?;
            times[0].push(micros(began));
            let began = Instant::now();
            black_box(ask(&tables, position))?;
            times[place].push(micros(began));
        }
    }
    for (what, times) in ["open", "first wdl", "first value"].iter().zip(&mut times) {
        times.sort_unstable();
        let (p50, most) = (times[times.len() / 2], times[times.len() - 1]);
        println!("{what}: p50 {p50} us, most {most} us");
    }
    Ok(())
}

/// The round with the least mean.
fn best(times: Option<Times>, other: Times) -> Option<Times> {
    match times {
        Some(times) if times.mean <= other.mean => Some(times),
        _ => Some(other),
    }
}

#[expect(unsafe_code, reason = "the mapped tables are what is measured")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1).filter(|text| text != "--bench");
    let Some(folder) = arguments.next() else {
        eprintln!("give a folder of tables");
        return Ok(());
    };
    let name = arguments.next().unwrap_or("KQvKR".to_owned());
    let only = arguments.next();
    let positions = match std::fs::read_to_string(&name) {
        Ok(fens) => fens
            .lines()
            .map(|fen| Position::from_fen(Game::default(), fen))
            .collect::<Result<_, _>>()?,
        Err(_) => positions(&Material::parse(Game::default(), &name)?),
    };
    if only.as_deref() == Some("fens") {
        for position in &positions {
            println!("{}", position.fen());
        }
        return Ok(());
    }
    if only.as_deref() == Some("first") {
        return first(&folder, &positions);
    }
    let values = only.as_deref().is_none_or(|only| only == "values");
    // A few positions of one material stay within cached blocks.
    let few: Vec<Position> = positions
        .iter()
        .take(50)
        .copied()
        .cycle()
        .take(POSITIONS)
        .collect();
    let read = Tablebase::open(Game::default(), [&folder])?;
    // SAFETY: nothing else uses the folder while this runs.
    let mapped = unsafe { Tablebase::open_mapped(Game::default(), [&folder])? };
    for (what, positions) in [("random", &positions), ("50 again and again", &few)] {
        if values {
            for (tables, how) in [(&read, "read"), (&mapped, "mapped")] {
                let mean = (0..ROUNDS).map(|_| measure_together(tables, positions));
                let mean = mean.collect::<Result<Vec<f64>, _>>()?;
                let mean = mean.into_iter().fold(f64::INFINITY, f64::min);
                println!("{what}, values, {how}: mean {mean:.0} ns");
            }
        }
        let asks = ASKS
            .iter()
            .filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name));
        for &(name, ask) in asks {
            // Lists of moves take hundreds of probes.
            let some = match name {
                "moves" => positions.len().div_ceil(20),
                _ => positions.len(),
            };
            let positions = &positions[..some];
            let mut times = [const { None }; 2];
            for _ in 0..ROUNDS {
                for (times, tables) in times.iter_mut().zip([&read, &mapped]) {
                    *times = best(times.take(), measure(ask, tables, positions)?);
                }
            }
            for (times, how) in times.iter().flatten().zip(["read", "mapped"]) {
                let Times { mean, p50, p99 } = times;
                println!("{what}, {name}, {how}: mean {mean:.0} ns, p50 {p50} ns, p99 {p99} ns");
            }
        }
    }
    Ok(())
}
