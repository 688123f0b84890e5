//! Measures CPU seconds and peak memory of solving High Chess, in memory, without packing.
//!
//! `cargo bench --bench high_chess -- [--threads N] [MATERIAL...]`; successors are
//! solved first and not counted.

use std::collections::HashMap;

use cpu_time::ProcessTime;
use retrograde::solve::successors;
use retrograde::solve::vitality::{CurveAnswers, KnownCurves, solve};
use retrograde_probe::{Index, ThresholdCurve};
use retrograde_rules::{Colour, Game, Material};

/// A solved material in the order of its index.
struct Endgame {
    index: Index,
    curve_of: [Vec<u32>; 2],
    curves: Vec<ThresholdCurve>,
    mates: [Vec<i16>; 2],
}

impl Endgame {
    fn new(answers: &CurveAnswers) -> Endgame {
        let index = answers.index().clone();
        let reader = answers.reader(&index);
        let indices = 0..index.len();
        let mut values = [(); 4].map(|()| vec![0; index.len() as usize]);
        let [white, black, white_mates, black_mates] = &mut values;
        reader.curves(Colour::White, indices.clone(), white);
        reader.curves(Colour::Black, indices.clone(), black);
        reader.mates(Colour::White, indices.clone(), white_mates);
        reader.mates(Colour::Black, indices, black_mates);
        let [white, black, white_mates, black_mates] = values;
        Endgame {
            index,
            curve_of: [white, black].map(|values| {
                let places = values.into_iter().map(|value| u32::from(value as u16));
                places.collect()
            }),
            curves: answers.curves().to_vec(),
            mates: [white_mates, black_mates],
        }
    }
}

fn with_smaller(game: Game, material: &Material, known: &mut HashMap<Material, Endgame>) {
    let rules = game.vitality().expect("a game with counters");
    for exit in successors(game, material) {
        if !known.contains_key(&exit) {
            with_smaller(game, &exit, known);
        }
    }
    let (wall, cpu) = (std::time::Instant::now(), ProcessTime::now());
    let answers = solve(game, rules, material, |material| {
        known.get(material).map(|endgame| KnownCurves {
            index: &endgame.index,
            curve_of: &endgame.curve_of,
            curves: &endgame.curves,
            mates: &endgame.mates,
        })
    })
    .expect("everything needed is there");
    println!(
        "{material:<10} {:8.1} ms CPU {:8.1} ms wall {:6} thresholds, {} MiB peak so far",
        cpu.elapsed().as_secs_f64() * 1e3,
        wall.elapsed().as_secs_f64() * 1e3,
        answers.curves().len(),
        peak_mib(),
    );
    known.insert(*material, Endgame::new(&answers));
}

/// The peak memory of the process, if the system tells.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:"));
    line.and_then(|l| l.trim().trim_end_matches(" kB").parse::<u64>().ok())
        .unwrap_or(0)
        >> 10
}

fn main() {
    let mut arguments = std::env::args().skip(1).filter(|a| a != "--bench");
    let mut threads = 1;
    let mut endgames = Vec::new();
    let mut id = "high-chess".to_owned();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--threads" => {
                let text = arguments.next().unwrap_or_default();
                threads = text.parse().expect("a number of threads");
            }
            "--game" => id = arguments.next().unwrap_or_default(),
            text => endgames.push(text.to_owned()),
        }
    }
    if endgames.is_empty() {
        endgames.extend(["KRvKR", "KBNvK", "KRvKP"].map(str::to_owned));
    }
    let game = Game::parse(&id).expect("a game");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(|| {
        let mut known = HashMap::new();
        for endgame in endgames {
            let material = Material::parse(game, &endgame).expect("material");
            with_smaller(game, &material, &mut known);
        }
    });
}
