//! Measures CPU nanoseconds per index of reading whole tables of orthodox chess.
//!
//! `cargo bench --bench read -- [--threads N] FOLDER MATERIAL...`; the folder must have what
//! the tables rest on.
//!
//! - `prepare`: tables that the values depend on, unpacked into memory
//! - `unstored side`: the side to move that is not stored, worked out set-wise
//! - then each side to move, stored or missing

use std::path::Path;

use cpu_time::ProcessTime;
use retrograde::unstored::prepare_reader;
use retrograde_folder::{open, read_side};
use retrograde_probe::Metric;
use retrograde_rules::{Colour, Game, Material};

fn measure(folder: &Path, material: &Material, metric: Metric) {
    let table = open(Game::default(), material, metric, [folder]).expect("the table can be read");
    let Some(table) = table else {
        return println!("{material}.{metric}: missing");
    };
    let positions = table.header().positions as f64;
    let timed = |work: &dyn Fn()| {
        let began = ProcessTime::now();
        work();
        began.elapsed().as_nanos() as f64 / positions
    };
    let prepare = timed(&|| table.prepare(&|| false).expect("the table can be prepared"));
    let unstored = timed(&|| prepare_reader(&table, &|| false).expect("the solver can read"));
    print!("{material}.{metric}: prepare {prepare:.1} ns, unstored side {unstored:.1} ns");
    for turn in Colour::BOTH {
        let read = timed(&|| drop(read_side(&table, turn).expect("the side can be read")));
        let how = match table.header().section(turn) {
            Some(_) => "stored",
            None => "missing",
        };
        print!(", {} {read:.1} ns ({how})", turn.name());
    }
    println!();
}

fn main() {
    let (mut threads, mut names) = (1, Vec::new());
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--threads" => threads = args.next().and_then(|n| n.parse().ok()).unwrap_or(1),
            _ => names.push(arg),
        }
    }
    let Some((folder, materials)) = names.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return println!("name a folder with tables, and materials");
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads can be started").install(|| {
        for name in materials {
            let material = Material::parse(Game::default(), name).expect("a material is named");
            for &metric in Metric::of(Game::default()) {
                measure(
                    Path::new(folder),
                    &material.normal(Game::default()).0,
                    metric,
                );
            }
        }
    });
}
