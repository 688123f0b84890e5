//! Answers FENs by the Syzygy reader alone, so that another reader can be held against it.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::path::Path;

use anyhow::Result;

use crate::diagram::Diagram;
use crate::rtbz::{RTBZ, Rtbz};
use crate::syzygy::Syzygy;

/// Answers the FENs on standard input: the result and the distance that the
/// file has, as far as it has the side to move; a dash else.
pub fn run(folder: &Path) -> Result<()> {
    let syzygy = Syzygy::open(folder)?;
    let mut files = HashMap::new();
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        let diagram = Diagram::parse(&line?)?;
        let wdl = syzygy.wdl(&diagram)?;
        let name = syzygy.name(&diagram)?;
        let file = match files.entry(name) {
            Entry::Occupied(file) => file.into_mut(),
            Entry::Vacant(slot) => {
                let file = Rtbz::open(folder, slot.key(), RTBZ)?;
                slot.insert(file)
            }
        };
        let distance = match wdl {
            0 => None,
            _ => file.distance(&diagram, wdl)?,
        };
        match distance {
            Some(distance) => writeln!(out, "{wdl} {}", distance.plies)?,
            None => writeln!(out, "{wdl} -")?,
        }
    }
    out.flush()?;
    Ok(())
}
