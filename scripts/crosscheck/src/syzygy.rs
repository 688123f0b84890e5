//! Reads the WDL of a diagram from Syzygy's published .rtbw tables.

use std::path::Path;

use anyhow::{Context, Result, anyhow, bail};
use pyrrhic_rs::{TableBases, WdlProbeResult};

use crate::attacks::Attacks;
use crate::diagram::Diagram;

/// The published tables. At most one at a time can be open.
pub struct Syzygy {
    tables: TableBases<Attacks>,
    names: Vec<String>,
}

impl Syzygy {
    /// Opens a folder of .rtbw files.
    pub fn open(folder: &Path) -> Result<Syzygy> {
        let read = || format!("cannot read the folder {}", folder.display());
        let mut names = Vec::new();
        for entry in folder.read_dir().with_context(read)? {
            let path = entry.with_context(read)?.path();
            let stem = path.file_stem().and_then(|s| s.to_str());
            if let (Some(name), Some("rtbw")) = (stem, path.extension().and_then(|e| e.to_str())) {
                names.push(name.to_owned());
            }
        }
        if names.is_empty() {
            bail!("{} has no .rtbw files", folder.display());
        }
        names.sort_by_key(|name| (name.len(), name.clone()));
        let path = folder.to_str().context("the folder's name is not UTF-8")?;
        let tables = TableBases::new(path).map_err(|error| anyhow!("Syzygy: {error:?}"))?;
        Ok(Syzygy { tables, names })
    }

    /// The materials with up to `pieces` pieces, or only the named ones if any are named.
    pub fn wanted(&self, pieces: usize, named: &[String]) -> Result<Vec<&String>> {
        if let Some(unknown) = named.iter().find(|name| !self.names.contains(name)) {
            bail!("there is no Syzygy table {unknown}.rtbw");
        }
        // A name has a letter for each piece, and the "v".
        let wanted =
            |name: &&String| name.len() <= pieces + 1 && (named.is_empty() || named.contains(name));
        Ok(self.names.iter().filter(wanted).collect())
    }

    /// The name of the material of a diagram, which is among the tables.
    pub fn name(&self, diagram: &Diagram) -> Result<String> {
        let [white, black] = diagram
            .letters()
            .map(|l| String::from_utf8_lossy(&l).into_owned());
        let both = [format!("{white}v{black}"), format!("{black}v{white}")];
        let name = both.into_iter().find(|name| self.names.contains(name));
        name.context("a material without a table")
    }

    /// The WDL of a legal position: 2 for a win, 1 for a cursed win, 0 for a draw, and
    /// so on down to -2.
    pub fn wdl(&self, diagram: &Diagram) -> Result<i8> {
        let [kings, queens, rooks, bishops, knights, pawns] = diagram.piece_types;
        let found = self.tables.probe_wdl(
            diagram.sides[0],
            diagram.sides[1],
            kings,
            queens,
            rooks,
            bishops,
            knights,
            pawns,
            diagram.ep,
            diagram.turn == 0,
        );
        match found {
            Ok(WdlProbeResult::Win) => Ok(2),
            Ok(WdlProbeResult::CursedWin) => Ok(1),
            Ok(WdlProbeResult::Draw) => Ok(0),
            Ok(WdlProbeResult::BlessedLoss) => Ok(-1),
            Ok(WdlProbeResult::Loss) => Ok(-2),
            Err(error) => Err(anyhow!("Syzygy: {error:?}")),
        }
    }
}
