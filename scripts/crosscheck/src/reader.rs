//! The Syzygy reader by itself, so that another one can be held against it.

use std::io::{BufRead, BufWriter, Write, stdin, stdout};
use std::path::Path;

use anyhow::Result;

use crate::diagram::Diagram;
use crate::syzygy::Syzygy;

/// Answers the FENs on standard input.
pub fn run(syzygy: &Path) -> Result<()> {
    let syzygy = Syzygy::open(syzygy)?;
    let mut out = BufWriter::new(stdout().lock());
    for line in stdin().lock().lines() {
        writeln!(out, "{}", syzygy.wdl(&Diagram::parse(&line?)?)?)?;
    }
    out.flush()?;
    Ok(())
}
