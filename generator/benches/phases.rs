//! Measures CPU seconds of making tables of orthodox chess, phase by phase.
//!
//! `cargo bench --bench phases -- [--threads N] [--men N] [MATERIAL...]`; the
//! materials that those need are made too. Files go to a temporary folder.
//!
//! - `read`: tables of successors brought into the solver's form, not counting
//!   unpacking
//! - `solve`: DTM; `zeroing`: WDL and DTZ
//! - `order`: search for the best order of pieces; `pack`: values to blocks
//! - `write`: bytes to the disk, synced

use std::collections::HashMap;
use std::io::Write;
use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cpu_time::ProcessTime;
use retrograde::plan::Plan;
use retrograde::solve::{Count, Depths, FindSuccessor, GridReader, Successor, solve, successors};
use retrograde_probe::write::{PackOptions, TablePlan, Watch, best_order, pack_to_bytes};
use retrograde_probe::{Group, Index, Metric, Wdl};
use retrograde_rules::{Colour, Game, Material, Piece};

const PHASES: [&str; 6] = ["read", "solve", "zeroing", "order", "pack", "write"];

/// CPU and wall time of each phase.
#[derive(Clone, Copy, Default)]
struct Costs([[Duration; 2]; PHASES.len()]);

impl Costs {
    fn measure<T>(&mut self, phase: &str, work: impl FnOnce() -> T) -> T {
        let (wall, cpu) = (Instant::now(), ProcessTime::now());
        let result = work();
        let place = PHASES.iter().position(|&p| p == phase);
        let costs = &mut self.0[place.expect("a phase of the list")];
        costs[0] += cpu.elapsed();
        costs[1] += wall.elapsed();
        result
    }

    fn add(&mut self, other: &Costs) {
        for (mine, theirs) in self.0.iter_mut().zip(other.0) {
            mine[0] += theirs[0];
            mine[1] += theirs[1];
        }
    }

    fn print(&self, name: &str, bytes: usize) {
        let ms = |time: Duration| format!("{:.0}", time.as_secs_f64() * 1e3);
        let sum = |which: usize| self.0.iter().map(|costs| costs[which]).sum::<Duration>();
        let cpu: Vec<String> = self.0.iter().map(|c| format!("{:>8}", ms(c[0]))).collect();
        println!(
            "{name:<10} {} {:>8} {:>8} {:>10}",
            cpu.join(" "),
            ms(sum(0)),
            ms(sum(1)),
            bytes >> 10
        );
    }
}

/// The values of a metric, by side to move.
fn values(reader: &GridReader<'_>, indices: u64) -> Depths {
    Colour::BOTH.map(|turn| {
        let mut out = vec![0; indices as usize];
        reader.fill(turn, 0..indices, &mut out);
        out
    })
}

/// The values of a material, kept for those that lead to it.
struct Known {
    depths: Depths,
    wdl: Depths,
}

impl Known {
    fn any_cursed(&self) -> bool {
        let mut values = self.wdl.iter().flatten();
        values.any(|&value| Wdl::from_value(value).is_cursed() && value != i16::MIN)
    }
}

/// Orders, packs and writes a metric; returns the bytes of the file.
fn write<'s>(
    costs: &mut Costs,
    order: &mut Vec<Piece>,
    material: &Material,
    metric: Metric,
    reader: impl Fn(&Index) -> GridReader<'s>,
) -> usize {
    let plan = TablePlan::new(Game::default(), material, metric)
        .expect("orthodox materials have an index");
    let options = PackOptions::default();
    let filler = |index: &Index| {
        let reader = reader(index);
        move |turn, range: Range<u64>, out: &mut [i16]| reader.fill(turn, range, out)
    };
    // All metrics of a material have the order that is best for the first.
    let plan = match order.as_slice() {
        [] => costs.measure("order", || {
            best_order(&plan, &options, Watch::default(), filler).expect("values of the metric")
        }),
        order => plan.order(order).expect("groups of the material"),
    };
    *order = plan.index().groups().iter().map(Group::piece).collect();
    let bytes = costs.measure("pack", || {
        let fill = filler(plan.index());
        pack_to_bytes(&plan, &options, Watch::default(), fill).expect("values of the metric")
    });
    costs.measure("write", || {
        let mut file = tempfile::tempfile().expect("room for temporary files");
        file.write_all(&bytes).expect("room on the disk");
        file.sync_all().expect("room on the disk");
    });
    bytes.len()
}

fn make(material: &Material, known: &mut HashMap<Material, Known>) -> (Costs, usize) {
    let mut costs = Costs::default();
    let successors = successors(Game::default(), material);
    let smaller = |of_wdl: bool| -> HashMap<Material, Arc<Successor>> {
        let smaller = successors.iter().map(|exit| {
            let index =
                Index::new(Game::default(), exit).expect("orthodox materials have an index");
            let smaller = match known.get(exit) {
                None => Successor::drawn(Game::default(), exit),
                Some(known) if of_wdl => Successor::of_wdl(Game::default(), &index, &known.wdl),
                Some(known) => Successor::new(Game::default(), &index, &known.depths),
            };
            let smaller = smaller.expect("orthodox materials have an index");
            (*exit, Arc::new(smaller))
        });
        smaller.collect()
    };
    let cursed = successors
        .iter()
        .any(|e| known.get(e).is_some_and(Known::any_cursed));
    let depths = costs.measure("read", || smaller(false));
    let find = |exit: &Material| depths.get(exit).cloned();
    let solution = costs.measure("solve", || {
        solve(Game::default(), material, Count::ToMate, &find)
    });
    let solution = solution.expect("everything needed is there");
    drop(depths);
    let index = Index::new(Game::default(), material).expect("orthodox materials have an index");
    let depths = values(&solution.depths(&index), index.len());
    let mut order = Vec::new();
    let mut bytes = write(&mut costs, &mut order, material, Metric::Dtm, |index| {
        solution.depths(index)
    });
    let wdl = cursed.then(|| costs.measure("read", || smaller(true)));
    let limit = Game::default()
        .zeroing_limit()
        .expect("orthodox chess has the rule");
    let find = |exit: &Material| wdl.as_ref()?.get(exit).cloned();
    let find = wdl.is_some().then_some(&find as &FindSuccessor<'_>);
    let zeroing = costs.measure("zeroing", || solution.zeroing(find, limit));
    let zeroing = zeroing.expect("everything needed is there");
    bytes += write(&mut costs, &mut order, material, Metric::Wdl, |index| {
        zeroing.wdl(index)
    });
    bytes += write(&mut costs, &mut order, material, Metric::Dtz, |index| {
        zeroing.dtz(index)
    });
    let wdl = values(&zeroing.wdl(&index), index.len());
    known.insert(*material, Known { depths, wdl });
    (costs, bytes)
}

fn main() {
    let (mut materials, mut pieces, mut threads) = (Vec::new(), None, 1);
    let mut args = std::env::args().skip(1).filter(|a| a != "--bench");
    while let Some(arg) = args.next() {
        let mut number = || args.next().and_then(|n| n.parse().ok());
        match arg.as_str() {
            "--threads" => threads = number().expect("--threads N"),
            "--men" => pieces = Some(number().expect("--men N")),
            name => {
                materials.push(Material::parse(Game::default(), name).expect("a material name"))
            }
        }
    }
    if materials.is_empty() && pieces.is_none() {
        pieces = Some(3);
    }
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .expect("the first thread pool");
    let plan = Plan::new(Game::default(), &materials, pieces).expect("materials that have tables");
    let phases: Vec<String> = PHASES.iter().map(|p| format!("{p:>8}")).collect();
    println!(
        "CPU ms     {}      all     wall        KiB",
        phases.join(" ")
    );
    let (mut known, mut total, mut bytes) = (HashMap::new(), Costs::default(), 0);
    for table in plan.tables() {
        let (costs, size) = make(&table.material, &mut known);
        costs.print(&table.material.to_string(), size);
        total.add(&costs);
        bytes += size;
    }
    total.print("all", bytes);
}
