//! Compares tables of atomic, antichess and shatranj with those of Syzygy's generators.

mod published;
mod rules;

use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use rayon::prelude::*;
use retrograde_probe::Metric;
use retrograde_rules::{Colour, Game};

use crate::diagram::Diagram;
use crate::ours::Endgame;
use crate::sweep::{BATCH, Findings};
use published::{Published, Variant};

/// Which positions are compared.
pub struct Which<'a> {
    /// Materials with at most this many pieces, or only the named ones if any are named.
    pub pieces: usize,
    pub materials: &'a [String],
    /// The stride over the indices of materials of four pieces or more: every n-th is compared.
    pub every: u64,
}

/// Compares results and distances, and prints what differs. Returns whether all agree.
pub fn run(id: &str, syzygy: &Path, tables: &Path, which: &Which<'_>) -> Result<bool> {
    let game = Game::parse(id)?;
    let published = Published::open(syzygy, Variant::of(id)?, which.pieces)?;
    let mut total = Findings::default();
    println!("material  positions explained different  seconds");
    for name in &published.names {
        if !which.materials.is_empty() && !which.materials.contains(name) {
            continue;
        }
        let start = Instant::now();
        let endgame = Endgame::open(game, tables, name, &[Metric::Wdl, Metric::Dtz])?;
        let every = if name.len() > 4 { which.every } else { 1 };
        let batches = (0..endgame.index.len().div_ceil(BATCH)).into_par_iter();
        let found = batches
            .map(|batch| compare(&endgame, &published, batch * BATCH, every))
            .try_reduce(Findings::default, |a, b| Ok(a.and(b)))?;
        let seconds = start.elapsed().as_secs_f64();
        let (compared, explained, different) = (found.compared, found.special, found.different);
        println!("{name:<8} {compared:10} {explained:9} {different:9} {seconds:8.1}");
        for example in &found.examples {
            println!("    {example}");
        }
        total = total.and(found);
    }
    println!(
        "{} positions up to symmetry compared with Syzygy, {} distances of which are less exact there, \
         {} differ",
        total.compared, total.special, total.different
    );
    Ok(total.different == 0 && total.compared > 0)
}

fn compare(endgame: &Endgame, published: &Published, first: u64, every: u64) -> Result<Findings> {
    let mut found = Findings::default();
    let last = endgame.index.len().min(first + BATCH);
    let rules = published.variant.rules;
    for index in (first..last).filter(|index| index % every == 0) {
        for turn in Colour::BOTH {
            let placement = endgame.placement(index, turn)?;
            let diagram = placement.diagram.filter(|diagram| rules.is_legal(diagram));
            let (position, diagram) = match (placement.position, diagram) {
                (Some(position), Some(diagram)) => (position, diagram),
                (None, None) => continue,
                (ours, _) => {
                    let word = if ours.is_some() { "legal" } else { "illegal" };
                    let pieces = endgame.describe(&placement.squares, turn);
                    found.differs(format!("{pieces}: {word} for Retrograde only"));
                    continue;
                }
            };
            let ours = endgame.value(&position)?;
            let (wdl, distance) = published.value(&diagram)?;
            found.compared += 1;
            // Distances of cursed wins are counted in another way: see O4 in docs/RULES.md.
            let longer = match (ours.dtz, distance) {
                _ if wdl.abs() == 1 => 0,
                (Some(ours), Some(theirs)) => i64::from(ours.0) - i64::from(theirs.plies),
                (None, None) => 0,
                _ => i64::MAX,
            };
            let explained = match distance {
                Some(distance) if distance.lost => (0..i64::MAX).contains(&longer),
                Some(distance) if distance.rounded && longer == 1 => true,
                _ => false,
            };
            found.special += u64::from(longer != 0 && explained);
            if ours.wdl.number() != wdl || !(longer == 0 || explained) {
                let fen = position.fen();
                found.differs(format!(
                    "{fen}: Retrograde {ours:?}, Syzygy {wdl} {distance:?}"
                ));
            }
        }
    }
    Ok(found)
}

/// Answers the FENs on standard input by Syzygy's files alone: the result, and the distance.
pub fn read(id: &str, syzygy: &Path) -> Result<()> {
    let published = Published::open(syzygy, Variant::of(id)?, 4)?;
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        match published.value(&Diagram::parse(&line?)?)? {
            (wdl, None) => writeln!(out, "{wdl} -")?,
            (wdl, Some(distance)) => writeln!(out, "{wdl} {}", distance.plies)?,
        }
    }
    out.flush()?;
    Ok(())
}
