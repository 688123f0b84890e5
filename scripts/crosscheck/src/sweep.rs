//! Who wins: every position of every published material.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use rayon::prelude::*;
use retrograde_probe::Metric;
use retrograde_rules::Colour;

use crate::ours::Endgame;
use crate::syzygy::Syzygy;

/// The most differences of a material that are shown.
const SHOWN: usize = 10;

/// Indices handled by one task.
const BATCH: u64 = 1 << 16;

/// What was found in some indices of a material.
#[derive(Default)]
pub struct Findings {
    /// Positions up to symmetry, and the positions on the whole board that they
    /// represent.
    pub compared: u64,
    pub whole: u64,
    /// Positions that the fifty-move rule turns into draws.
    pub cursed: u64,
    /// Distances that are a ply longer than in a file that is rounded there.
    pub rounded: u64,
    pub different: u64,
    examples: Vec<String>,
}

impl Findings {
    pub fn and(mut self, other: Findings) -> Findings {
        self.compared += other.compared;
        self.whole += other.whole;
        self.cursed += other.cursed;
        self.rounded += other.rounded;
        self.different += other.different;
        self.examples.extend(other.examples);
        self.examples.truncate(SHOWN);
        self
    }

    /// Shows some of the differences.
    pub fn show(&self) {
        for example in &self.examples {
            println!("    {example}");
        }
    }

    pub fn differs(&mut self, how: String) {
        self.different += 1;
        if self.examples.len() < SHOWN {
            self.examples.push(how);
        }
    }
}

/// Compares all materials with up to `pieces` pieces, or only the named ones if any
/// are named. Returns whether all agree.
pub fn run(syzygy: &Path, tables: &Path, pieces: usize, named: &[String]) -> Result<bool> {
    let syzygy = Syzygy::open(syzygy)?;
    let mut total = Findings::default();
    let mut materials = 0;
    println!("material  positions   on the board   cursed  different  seconds");
    for name in syzygy.wanted(pieces, named)? {
        let start = Instant::now();
        let endgame = Endgame::open(tables, name, &[Metric::Wdl])?;
        let batches = endgame.index.len().div_ceil(BATCH);
        let found = (0..batches)
            .into_par_iter()
            .map(|batch| compare(&endgame, &syzygy, batch * BATCH))
            .try_reduce(Findings::default, |a, b| Ok(a.and(b)))?;
        println!(
            "{name:<8} {:10} {:14} {:8} {:10} {:8.1}",
            found.compared,
            found.whole,
            found.cursed,
            found.different,
            start.elapsed().as_secs_f64()
        );
        found.show();
        materials += 1;
        total = total.and(found);
    }
    println!(
        "{materials} materials: {} positions up to symmetry ({} on the whole board) compared with \
         Syzygy, {} differ",
        total.compared, total.whole, total.different
    );
    Ok(total.different == 0 && total.compared > 0)
}

fn compare(endgame: &Endgame, syzygy: &Syzygy, first: u64) -> Result<Findings> {
    let mut found = Findings::default();
    let last = endgame.index.len().min(first + BATCH);
    for (index, turn) in (first..last).flat_map(|n| Colour::BOTH.map(|turn| (n, turn))) {
        let placement = endgame.placement(index, turn)?;
        let (position, diagram) = match (placement.position, placement.diagram) {
            (Some(position), Some(diagram)) => (position, diagram),
            (None, None) => continue,
            (ours, _) => {
                let word = if ours.is_some() { "legal" } else { "illegal" };
                let pieces = endgame.describe(&placement.squares, turn);
                found.differs(format!("{pieces}: {word} for Retrograde only"));
                continue;
            }
        };
        let theirs = syzygy.wdl(&diagram)?;
        let ours = endgame.value(&position)?.wdl;
        found.compared += 1;
        let pair = index / endgame.index.indices_per_pair();
        found.whole += endgame.index.pair_weight(pair as usize);
        found.cursed += u64::from(theirs.abs() == 1);
        if ours.number() != theirs {
            let (fen, ours) = (position.fen(), ours.name());
            found.differs(format!("{fen}: Retrograde {ours}, Syzygy {theirs}"));
        }
    }
    Ok(found)
}
