//! Measures CPU seconds and peak memory of solving materials, in memory, without packing.
//!
//! `cargo bench --bench solve -- [--threads N] [MATERIAL...]`; successors are solved
//! first and not counted.

use std::collections::HashMap;
use std::sync::Arc;

use cpu_time::ProcessTime;
use retrograde::solve::{Count, Depths, Solution, Successor, solve, successors};
use retrograde_rules::{Colour, Game, Material};

fn depths(solution: &Solution) -> Depths {
    let indices = solution.index().len();
    let reader = solution.depths(solution.index());
    Colour::BOTH.map(|turn| {
        let mut out = vec![0; indices as usize];
        reader.fill(turn, 0..indices, &mut out);
        out
    })
}

fn with_smaller(material: &Material, known: &mut HashMap<Material, Arc<Successor>>) -> Solution {
    for exit in successors(Game::default(), material) {
        if !known.contains_key(&exit) {
            let smaller = if exit.len() == 2 {
                Successor::drawn(Game::default(), &exit)
            } else {
                let solution = with_smaller(&exit, known);
                Successor::new(Game::default(), solution.index(), &depths(&solution))
            };
            let smaller = smaller.expect("orthodox materials have an index");
            known.insert(exit, Arc::new(smaller));
        }
    }
    let find = |exit: &Material| known.get(exit).cloned();
    let (wall, cpu) = (std::time::Instant::now(), ProcessTime::now());
    let solution =
        solve(Game::default(), material, Count::ToMate, &find).expect("everything needed is there");
    println!(
        "{material:<10} {:8.1} ms CPU {:8.1} ms wall  longest depth {} plies, {} MiB peak so far",
        cpu.elapsed().as_secs_f64() * 1e3,
        wall.elapsed().as_secs_f64() * 1e3,
        solution.longest_depth(),
        peak_mib(),
    );
    solution
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
    let mut names = Vec::new();
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    let mut threads = 1;
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--threads" => threads = args.next().and_then(|n| n.parse().ok()).unwrap_or(1),
            _ => names.push(arg),
        }
    }
    if names.is_empty() {
        names = ["KBNvK", "KQvKR", "KRvKN", "KPvKP"]
            .map(str::to_owned)
            .to_vec();
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .expect("the first thread pool");
    let mut known = HashMap::new();
    for name in names {
        let material = Material::parse(Game::default(), &name).expect("a material name");
        with_smaller(&material, &mut known);
    }
}
