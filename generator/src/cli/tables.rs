//! Lists the tables in the folders, for `retrograde tables`.

use std::fs::{self, Metadata};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use retrograde::plan;
use retrograde_folder::{Lock, is_exhausted, replace};
use retrograde_probe::{Expected, Table, game_folder, is_dangling, locate, locate_game};
use retrograde_rules::Game;
use retrograde_tables::TABLES;
use serde::Serialize;

use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;
use super::games::{GAME, GameParser};
use super::numbers::{bytes, plural};
use super::output::Output;

/// List the tables in the table folders
///
/// Files are recognised by name and not read; `check` reads them. Of two tables of the same
/// name, the one in the earlier folder is used. A folder without tables has an empty list; if
/// there are no tables and a folder that was named does not exist, the exit code is 3.
#[derive(clap::Args)]
pub(crate) struct TablesCommand {
    #[arg(value_parser = GameParser, help = format!("{GAME} [default: all games]"))]
    game: Option<Game>,
    /// Print one JSON array
    #[arg(long)]
    json: bool,
    /// With --json, read the headers too and print the digest of the values, which is
    /// the same however they are packed
    #[arg(long, requires = "json")]
    digest: bool,
    /// Write the small tables that ship with the program into a folder, except those that are
    /// there, and list the folder
    #[arg(long, value_name = "DIR", conflicts_with = "tables")]
    unpack: Option<PathBuf>,
    #[command(flatten)]
    folders: Folders,
}

/// A file with the name of a table.
struct Found {
    folder: PathBuf,
    table: Expected,
    path: PathBuf,
    bytes: u64,
}

/// An element of the JSON array. Names and order of the fields are a
/// contract.
#[derive(Serialize)]
struct Element {
    game: String,
    material: String,
    metric: &'static str,
    bytes: u64,
    path: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<String>,
}

impl TablesCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let folders = match &self.unpack {
            Some(folder) => {
                self.unpack(folder)?;
                vec![folder.clone()]
            }
            None => self.folders.list(),
        };
        let mut found = Vec::new();
        for folder in folders {
            self.find(&folder, &mut found)?;
        }
        let mut output = Output::new();
        if self.json {
            let mut elements: Vec<Element> = found.iter().map(element).collect();
            if self.digest {
                for (element, found) in elements.iter_mut().zip(&found) {
                    element.digest = self.digest_of(found)?;
                }
            }
            output.json(&elements)?;
        } else {
            text(&found, &mut output)?;
        }
        output.flush()?;
        let are_searched = self.unpack.is_none();
        match found.is_empty() && are_searched && !self.folders.absent().is_empty() {
            true => Err(self.folders.nothing("list")),
            false => Ok(Status::Fine),
        }
    }

    /// Writes the tables that ship, or those of the game, except those that are there.
    fn unpack(&self, folder: &Path) -> Result<(), Failure> {
        let failure = |error: &io::Error, text: String| {
            let status = match is_exhausted(error) {
                true => Status::Resources,
                false => Status::Io,
            };
            Failure::new(status, format!("{text}; name another folder"))
        };
        let lock = Lock::take(folder, "unpack");
        let lock = lock.map_err(|error| failure(&error.source, error.to_string()))?;
        let Some(_lock) = lock else {
            let text = format!(
                "another process unpacks tables in {}; wait until it has ended",
                folder.display()
            );
            return Err(Failure::new(Status::Io, text));
        };
        for (name, bytes) in TABLES {
            let path = folder.join(name);
            let of_game = |game| path.parent() == Some(&game_folder(folder, game));
            if path.exists() || !self.game.is_none_or(of_game) {
                continue;
            }
            let made = path.parent().map_or(Ok(()), fs::create_dir_all);
            made.and_then(|()| replace(&path, |file| file.write_all(bytes)))
                .map_err(|error| failure(&error, format!("{}: {error}", path.display())))?;
        }
        Ok(())
    }

    /// The digest of the values of a table; files of the first version of the format do not have
    /// it.
    fn digest_of(&self, found: &Found) -> Result<Option<String>, Failure> {
        let table = Table::open_as(&found.path, &found.table);
        let table = table.map_err(|error| self.folders.table_failure(&error))?;
        Ok(table.header().digest.map(|digest| format!("{digest:016x}")))
    }

    /// Adds the tables in a folder, by game, material and metric.
    fn find(&self, folder: &Path, found: &mut Vec<Found>) -> Result<(), Failure> {
        let mut games: Vec<(String, PathBuf)> = Vec::new();
        for path in entries(folder)? {
            if let Some((_, game)) = locate_game(&path)
                && self.game.is_none_or(|wanted| wanted == game)
                && metadata(&path)?.is_some_and(|there| there.is_dir())
            {
                games.push((game.id(), path));
            }
        }
        games.sort();
        for (_, path) in games {
            let mut tables = Vec::new();
            for path in entries(&path)? {
                if let Some((_, table)) = locate(&path)
                    && let Some(there) = metadata(&path)?.filter(Metadata::is_file)
                {
                    tables.push(Found {
                        folder: folder.to_owned(),
                        table,
                        path,
                        bytes: there.len(),
                    });
                }
            }
            let mut order: Vec<_> = tables.iter().map(|found| found.table.material).collect();
            plan::sort(&mut order);
            tables.sort_by_key(|found| {
                let place = order.iter().position(|m| *m == found.table.material);
                (place, found.table.metric)
            });
            found.extend(tables);
        }
        Ok(())
    }
}

/// The entries of a folder; none if there is no such folder.
fn entries(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries.map(|entry| Ok(entry?.path())).collect(),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    };
    entries.map_err(|error| unreadable(folder, &error))
}

/// The metadata of a path in a folder; `None` where a link leads nowhere.
fn metadata(path: &Path) -> Result<Option<Metadata>, Failure> {
    match fs::metadata(path) {
        Ok(metadata) => Ok(Some(metadata)),
        Err(_) if is_dangling(path) => Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(unreadable(path, &error)),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> Failure {
    let text = format!("{}: {error}; name another folder", path.display());
    Failure::new(Status::Io, text)
}

fn element(found: &Found) -> Element {
    Element {
        game: found.table.game.id(),
        material: found.table.material.name(found.table.game),
        metric: found.table.metric.name(),
        bytes: found.bytes,
        path: found.path.display().to_string(),
        digest: None,
    }
}

/// A line for each material in each folder, and totals.
fn text(found: &[Found], output: &mut Output) -> Result<(), Failure> {
    let material = |found: &Found| (found.folder.clone(), found.table.game, found.table.material);
    let rows: Vec<[String; 5]> = found
        .chunk_by(|a, b| material(a) == material(b))
        .map(|files| {
            let metrics: Vec<&str> = files.iter().map(|f| f.table.metric.name()).collect();
            [
                files[0].table.game.id(),
                files[0].table.material.name(files[0].table.game),
                metrics.join(" "),
                bytes(files.iter().map(|f| f.bytes).sum()),
                files[0].folder.display().to_string(),
            ]
        })
        .collect();
    let mut widths = [0; 4];
    for row in &rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = cell.chars().count().max(*width);
        }
    }
    let [a, b, c, d] = widths;
    for [game, material, metrics, size, folder] in &rows {
        output.foreign_line(&format!(
            "{game:<a$}  {material:<b$}  {metrics:<c$}  {size:>d$}  {folder}"
        ))?;
    }
    let size = bytes(found.iter().map(|f| f.bytes).sum());
    let files = plural(found.len() as u64, "table", "tables");
    output.line(format_args!("{files}, {size}"))
}
