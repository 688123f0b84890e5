//! Writes a plan as a Snakemake workflow: one JSON object of jobs, and the rules that read it.
//!
//! The object has what each job takes.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use retrograde::plan::{Plan, PlannedTable};
use retrograde_probe::{Metric, game_folder};
use retrograde_rules::Material;
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::output::Output;

/// The rules that follow every plan.
const RULES: &str = include_str!("rules.smk");

/// The memory that a job takes beyond the estimate of solving: for the program itself, and for
/// Snakemake, which a cluster runs in every job.
const MIB_BESIDES: u64 = 256;

/// The memory that many clusters have for each core. A job that takes the memory of several cores
/// may as well use them; nobody else can.
const MIB_A_THREAD: u64 = 4096;

/// The most threads of a job; it is not known how well more would work.
const MOST_THREADS: u64 = 32;

/// The minutes that starting a job may take on a busy cluster.
const MINUTES_BESIDES: f64 = 5.0;

/// The speed at which a shared file system reads large files for a job. Before it makes anything, a
/// job checks all tables that its own depends on, however indirectly.
const MIB_A_SECOND: f64 = 200.0;

/// The factor by which a job may take longer than estimated: materials differ, and machines more.
const SLOWEST: f64 = 3.0;

/// The resources of a job that Snakemake asks a cluster for.
#[derive(Serialize)]
struct Job {
    needs: Vec<String>,
    threads: u64,
    mem_mb: u64,
    disk_mb: u64,
    /// Minutes after which a cluster may kill it.
    runtime: u64,
}

impl Job {
    /// `read` is how many bytes the tables have that this one depends on.
    fn new(table: &PlannedTable, read: u64) -> Job {
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        let memory = mib(table.memory_bytes);
        let threads = memory.div_ceil(MIB_A_THREAD).clamp(1, MOST_THREADS);
        // As if each thread but the first were worth half of one.
        let worth = (threads + 1) as f64 / 2.0;
        let moving = mib(read + table.disk_bytes) as f64 / MIB_A_SECOND;
        let solving = SLOWEST * table.cpu_seconds / worth;
        let minutes = MINUTES_BESIDES + (moving + solving) / 60.0;
        Job {
            needs: table
                .needs
                .iter()
                .map(|need| need.name(table.game))
                .collect(),
            threads,
            mem_mb: memory + MIB_BESIDES,
            disk_mb: mib(table.disk_bytes),
            runtime: minutes.ceil() as u64,
        }
    }
}

/// The bytes of the tables that each table of a plan depends on.
fn grounds(plan: &Plan) -> Vec<u64> {
    let tables = plan.tables();
    let places: BTreeMap<Material, usize> = tables
        .iter()
        .enumerate()
        .map(|(place, table)| (table.material, place))
        .collect();
    let mut grounds: Vec<BTreeSet<usize>> = Vec::new();
    for table in tables {
        let mut ground = BTreeSet::new();
        for place in table.needs.iter().map(|need| places[need]) {
            // Earlier in the plan, so known by now.
            ground.extend(&grounds[place]);
            ground.insert(place);
        }
        grounds.push(ground);
    }
    let bytes = |ground: &BTreeSet<usize>| ground.iter().map(|&n| tables[n].disk_bytes).sum();
    grounds.iter().map(bytes).collect()
}

/// The plan and the rules. The plan is JSON and Python at once, so that other
/// programs can read it too: it stands between the lines `PLAN = {` and `}`.
pub(super) fn write(plan: &Plan, output: &mut Output) -> Result<(), Failure> {
    let game = plan.game();
    let id = game.id();
    output.line(format_args!(
        "# Makes tables of {id}, each as soon as those that it needs are there:\n\
         #\n\
         #     snakemake --snakefile THIS-FILE --cores all --config tables=DIR\n\
         #\n\
         # Memory, disk (in MiB) and run time (in minutes) are estimates.\n"
    ))?;
    // The files of every table, relative to the table folder.
    let folder = game_folder(Path::new(""), game);
    let files: Vec<String> = Metric::of(game)
        .iter()
        .map(|metric| format!("{}/{{material}}.{metric}", folder.display()))
        .collect();
    output.line("PLAN = {")?;
    output.line(format_args!("  \"game\": {},", json(&id)?))?;
    output.line(format_args!("  \"files\": {},", json(&files)?))?;
    output.line("  \"tables\": {")?;
    let mut tables = plan.tables().iter().zip(grounds(plan)).peekable();
    while let Some((table, read)) = tables.next() {
        let comma = if tables.peek().is_some() { "," } else { "" };
        let job = json(&Job::new(table, read))?;
        let name = table.name();
        output.line(format_args!("    {}: {job}{comma}", json(&name)?))?;
    }
    output.line("  }\n}\n")?;
    output.line(RULES.trim_end())
}

/// JSON on one line.
fn json(value: &impl Serialize) -> Result<String, Failure> {
    serde_json::to_string(value).map_err(|error| Failure::stdout(&error.into()))
}
