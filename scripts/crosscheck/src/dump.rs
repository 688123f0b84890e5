//! The depths of whole materials as text, for other programs to compare.

use std::io::{BufWriter, Write, stdout};
use std::path::Path;

use anyhow::{Result, bail};
use retrograde_probe::{Category, Metric};
use retrograde_rules::Colour;

use crate::ours::Endgame;

/// Writes every position of a material with its depth.
pub fn run(tables: &Path, name: &str) -> Result<()> {
    let endgame = Endgame::open(tables, name, &[Metric::Dtm])?;
    let mut out = BufWriter::new(stdout().lock());
    for (index, turn) in (0..endgame.index.len()).flat_map(|n| Colour::BOTH.map(|turn| (n, turn))) {
        let placement = endgame.placement(index, turn)?;
        let Some(position) = placement.position else {
            continue;
        };
        let fen = position.fen();
        let value = endgame.value(&position)?;
        match (value.category, value.depth_plies) {
            (Category::Win, Some(plies)) => writeln!(out, "{fen}\t{plies}")?,
            (Category::Draw, None) => writeln!(out, "{fen}\t0")?,
            (Category::Loss, Some(0)) => writeln!(out, "{fen}\tmated")?,
            (Category::Loss, Some(plies)) => writeln!(out, "{fen}\t-{plies}")?,
            other => bail!("{fen} has the value {other:?}"),
        }
    }
    out.flush()?;
    Ok(())
}
