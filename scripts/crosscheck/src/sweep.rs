//! Compares who wins, in every position of every published material, with Syzygy's WDL.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use rayon::prelude::*;
use retrograde_probe::Metric;
use retrograde_rules::{Colour, Game};

use crate::diagram::Diagram;
use crate::ours::Endgame;
use crate::syzygy::Syzygy;

/// The most differences of a material that are shown.
const SHOWN: usize = 10;

/// Indices handled by one task.
pub const BATCH: u64 = 1 << 16;

/// The findings in some indices of a material.
#[derive(Default)]
pub struct Findings {
    /// Positions up to symmetry, and the positions on the whole board that they
    /// represent.
    pub compared: u64,
    pub whole: u64,
    /// Positions that the fifty-move rule turns into draws; or distances that are a ply
    /// longer than in a file that is rounded there.
    pub special: u64,
    pub different: u64,
    pub examples: Vec<String>,
}

impl Findings {
    pub fn and(mut self, other: Findings) -> Findings {
        self.compared += other.compared;
        self.whole += other.whole;
        self.special += other.special;
        self.different += other.different;
        self.examples.extend(other.examples);
        self.examples.truncate(SHOWN);
        self
    }

    pub fn differs(&mut self, how: String) {
        self.different += 1;
        if self.examples.len() < SHOWN {
            self.examples.push(how);
        }
    }
}

/// Compares all materials with up to `pieces` pieces, or only the named ones if any
/// are named, and prints what `compare` finds: `metric` is what it compares, `special`
/// what it calls special. Returns whether all agree.
pub fn each(
    folder: &Path,
    (pieces, named): (usize, &[String]),
    [metric, special]: [&str; 2],
    compare: impl Fn(&Syzygy, &str) -> Result<Findings>,
) -> Result<bool> {
    let syzygy = Syzygy::open(folder)?;
    let mut total = Findings::default();
    println!("material  positions   on the board  {special:>7}  different  seconds");
    for name in syzygy.wanted(pieces, named)? {
        let start = Instant::now();
        let found = compare(&syzygy, name)?;
        println!(
            "{name:<8} {:10} {:14} {:8} {:10} {:8.1}",
            found.compared,
            found.whole,
            found.special,
            found.different,
            start.elapsed().as_secs_f64()
        );
        for example in &found.examples {
            println!("    {example}");
        }
        total = total.and(found);
    }
    println!(
        "{metric}: {} positions up to symmetry ({} on the whole board) compared with Syzygy, {} \
         {special}, {} differ",
        total.compared, total.whole, total.special, total.different
    );
    Ok(total.different == 0 && total.compared > 0)
}

/// Compares WDL: see [`each`].
pub fn run(folder: &Path, tables: &Path, which: (usize, &[String])) -> Result<bool> {
    each(folder, which, ["WDL", "cursed"], |syzygy, name| {
        let endgame = Endgame::open(Game::default(), tables, name, &[Metric::Wdl])?;
        let batches = (0..endgame.index.len().div_ceil(BATCH)).into_par_iter();
        batches
            .map(|batch| compare(&endgame, syzygy, batch * BATCH))
            .try_reduce(Findings::default, |a, b| Ok(a.and(b)))
    })
}

fn compare(endgame: &Endgame, syzygy: &Syzygy, first: u64) -> Result<Findings> {
    let mut found = Findings::default();
    let last = endgame.index.len().min(first + BATCH);
    for (index, turn) in (first..last).flat_map(|n| Colour::BOTH.map(|turn| (n, turn))) {
        let placement = endgame.placement(index, turn)?;
        let diagram = placement.diagram.filter(Diagram::is_legal);
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
        let theirs = syzygy.wdl(&diagram)?;
        let ours = endgame.value(&position)?.wdl;
        found.compared += 1;
        let pair = index / endgame.index.indices_per_pair();
        found.whole += endgame.index.pair_weight(pair as usize);
        found.special += u64::from(theirs.abs() == 1);
        if ours.number() != theirs {
            let (fen, ours) = (position.fen(), ours.name());
            found.differs(format!("{fen}: Retrograde {ours}, Syzygy {theirs}"));
        }
    }
    Ok(found)
}
