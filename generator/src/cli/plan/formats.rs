//! Writes a plan of tables as text, JSON or Graphviz.

use std::time::Duration;

use retrograde::plan::{Plan, PlannedTable};
use retrograde_rules::{Game, Material};
use serde::Serialize;

use crate::cli::failure::Failure;
use crate::cli::numbers::{bytes, count, time};
use crate::cli::output::Output;

fn names(game: Game, materials: &[Material]) -> Vec<String> {
    let names = materials.iter().map(|material| material.name(game));
    names.collect()
}

fn seconds(seconds: f64) -> String {
    time(Duration::from_secs_f64(seconds))
}

/// A table for people, with totals.
pub(super) fn text(plan: &Plan, output: &mut Output) -> Result<(), Failure> {
    let row = |name: String, [positions, memory, least, disk]: [u64; 4], cpu: f64, needs| {
        [
            name,
            count(positions),
            bytes(memory),
            bytes(least),
            bytes(disk),
            seconds(cpu),
            needs,
        ]
    };
    let (game, tables) = (plan.game(), plan.tables());
    let mut rows = vec![
        [
            "material",
            "positions",
            "memory",
            "least",
            "disk",
            "CPU",
            "needs",
        ]
        .map(str::to_owned),
    ];
    rows.extend(tables.iter().map(|table| {
        row(
            table.name(),
            [
                table.positions,
                table.memory_bytes,
                table.least_memory_bytes,
                table.disk_bytes,
            ],
            table.cpu_seconds,
            names(game, &table.needs).join(" "),
        )
    }));
    let sum = |value: fn(&PlannedTable) -> u64| tables.iter().map(value).sum::<u64>();
    let most = |value: fn(&PlannedTable) -> u64| tables.iter().map(value).max().unwrap_or(0);
    rows.push(row(
        format!("{} in all", tables.len()),
        [
            sum(|t| t.positions),
            most(|t| t.memory_bytes),
            most(|t| t.least_memory_bytes),
            sum(|t| t.disk_bytes),
        ],
        tables.iter().map(|t| t.cpu_seconds).sum(),
        String::new(),
    ));
    // At least as wide as most plans need.
    let mut widths = [11, 18, 8, 8, 8, 9];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let [name, a, b, c, d, e] = widths;
    for [table, positions, memory, least, disk, cpu, needs] in rows {
        let line = format!(
            "{table:<name$}  {positions:>a$}  {memory:>b$}  {least:>c$}  {disk:>d$}  {cpu:>e$}  \
             {needs}"
        );
        output.line(line.trim_end())?;
    }
    Ok(())
}

/// An element of the JSON array. Names and order of the fields are a
/// contract.
#[derive(Serialize)]
struct Element {
    game: String,
    material: String,
    positions: u64,
    memory_bytes: u64,
    least_memory_bytes: u64,
    disk_bytes: u64,
    cpu_seconds: f64,
    needs: Vec<String>,
}

/// Writes the plan as one JSON array.
pub(super) fn json(plan: &Plan, output: &mut Output) -> Result<(), Failure> {
    let game = plan.game();
    let element = |table: &PlannedTable| Element {
        game: game.id(),
        material: table.name(),
        positions: table.positions,
        memory_bytes: table.memory_bytes,
        least_memory_bytes: table.least_memory_bytes,
        disk_bytes: table.disk_bytes,
        cpu_seconds: table.cpu_seconds,
        needs: names(game, &table.needs),
    };
    let array: Vec<Element> = plan.tables().iter().map(element).collect();
    output.json(&array)
}

/// A graph with an arrow from each table to those it needs.
pub(super) fn dot(plan: &Plan, output: &mut Output) -> Result<(), Failure> {
    let game = plan.game();
    output.line(format_args!("digraph \"{}\" {{", game.id()))?;
    output.line("  rankdir=BT;\n  node [shape=box];")?;
    for table in plan.tables() {
        let (name, positions) = (table.name(), count(table.positions));
        output.line(format_args!(
            "  \"{name}\" [tooltip=\"{positions} positions\"];"
        ))?;
        for need in names(game, &table.needs) {
            output.line(format_args!("  \"{name}\" -> \"{need}\";"))?;
        }
    }
    output.line("}")
}
