//! Compares what a table says, by its fingerprint, with what is known to be right.

use std::path::{Path, PathBuf};

use retrograde::repack::fingerprint;
use retrograde_probe::{Table, locate, table_path};

use crate::cli::failure::Status;
use crate::cli::folders::Folders;
use crate::cli::repack::failure;

/// A line for each table whose values are known: its place in a table folder, and what it says,
/// as [`fingerprint`] puts it. `scripts/run tables digests` makes it from tables that are proved.
const KNOWN: &str = include_str!("known.txt");

/// Compares a sound table with what is known of it. Returns words that go on from that; or the exit
/// code and what is wrong.
pub(super) fn compare(
    path: &Path,
    table: &Table,
    folders: &Folders,
) -> Result<String, (Status, String)> {
    let Some((folder, _)) = locate(path) else {
        return Ok("; not compared, because it is in no table folder".to_owned());
    };
    let header = table.header();
    let (game, material, metric) = (header.game, header.material, header.metric);
    let name = table_path(Path::new(""), game, &material, metric);
    let name = name.to_string_lossy().replace('\\', "/");
    let places: Vec<PathBuf> = [folder].into_iter().chain(folders.list()).collect();
    let found = fingerprint(game, &material, metric, &places).map_err(|error| {
        let failure = failure(&error, game, folders);
        let text = format!("cannot be compared: {}", failure.text());
        (failure.status(), text)
    })?;
    let found = found.unwrap_or_default();
    let mut known = KNOWN.lines().filter_map(|line| line.split_once(' '));
    match known.find(|(known, _)| *known == name) {
        Some((_, known)) if known == found => Ok(format!(", as known, digest {found}")),
        Some(_) => {
            let text = "bad: its values are not those that this program knows".to_owned();
            Err((Status::Negative, text))
        }
        None => Ok(format!(", not known, digest {found}")),
    }
}
