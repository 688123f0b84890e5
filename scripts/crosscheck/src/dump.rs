//! Writes the depths of whole materials as text, for other programs to compare.

use std::io::{BufWriter, Write, stdout};
use std::path::Path;

use anyhow::{Result, bail};
use retrograde_probe::{Metric, Wdl};
use retrograde_rules::{Colour, Game};

use crate::ours::Endgame;

/// Writes every position of a material with its depth.
pub fn run(tables: &Path, name: &str) -> Result<()> {
    let endgame = Endgame::open(Game::default(), tables, name, &[Metric::Dtm])?;
    let mut out = BufWriter::new(stdout().lock());
    for (index, turn) in (0..endgame.index.len()).flat_map(|n| Colour::BOTH.map(|turn| (n, turn))) {
        let placement = endgame.placement(index, turn)?;
        let Some(position) = placement.position else {
            continue;
        };
        let fen = position.fen();
        let value = endgame.value(&position)?;
        match (value.wdl, value.dtm.map(u32::from)) {
            (Wdl::Win, Some(plies)) => writeln!(out, "{fen}\t{plies}")?,
            (Wdl::Draw, None) => writeln!(out, "{fen}\t0")?,
            (Wdl::Loss, Some(0)) => writeln!(out, "{fen}\tmated")?,
            (Wdl::Loss, Some(plies)) => writeln!(out, "{fen}\t-{plies}")?,
            other => bail!("{fen} has the value {other:?}"),
        }
    }
    out.flush()?;
    Ok(())
}
