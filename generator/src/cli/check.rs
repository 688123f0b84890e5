//! Checks checksums and structure of table files, for `retrograde check`.

mod known;
mod remedy;

use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rayon::prelude::*;
use retrograde_probe::{
    Metric, ProbeError, Table, TableFault, Tablebase, game_folder, is_dangling, locate,
    locate_game, whole,
};
use retrograde_rules::{Game, Material, shortened};

use super::failure::{CommandResult, Failure, Status, status_of_fault, status_of_probe};
use super::folders::Folders;
use super::numbers::{bytes, plural};
use super::output::Output;
use super::terminal::message;
use super::threads::Threads;
use remedy::Complaint;

/// Check that table files are complete and undamaged
///
/// Reads every byte and reports which blocks are bad. Whether the values are
/// right is a question for `verify`, or with --known for those of up to four men.
#[derive(clap::Args)]
pub(crate) struct CheckCommand {
    /// Files, or folders of tables [default: all tables in the table
    /// folders]
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Compare all values with digests that this program has of tables of up to four men, in
    /// some games three
    #[arg(long)]
    known: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    threads: Threads,
}

/// The findings about a file.
struct Verdict {
    path: PathBuf,
    status: Status,
    /// The complaint about the file, if something is to be done.
    complaint: Option<Complaint>,
    /// The content of the file, or all that is wrong with it.
    words: Vec<String>,
}

impl CheckCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let (files, empty) = self.files()?;
        if files.is_empty() && empty.is_empty() {
            return Err(self.folders.nothing("check"));
        }
        let mut output = Output::new();
        let mut worst = Status::Fine;
        for folder in empty {
            let folder = folder.display();
            let text = format!("no tables to check in {folder}; name files, or folders of tables");
            worst = Failure::new(Status::Missing, text).end();
        }
        let mut bad = Vec::new();
        let mut unreadable = 0;
        self.threads.run(|| -> Result<(), Failure> {
            // A few files at a time, so that output comes soon and in order.
            for some in files.chunks(2 * rayon::current_num_threads()) {
                let verdicts: Vec<Verdict> = some
                    .par_iter()
                    .map(|path| check(path, &self.folders, self.known))
                    .collect();
                for verdict in verdicts {
                    let path = verdict.path.display();
                    for words in &verdict.words {
                        output.foreign_line(&format!("{path}: {words}"))?;
                    }
                    worst = worst.max(verdict.status);
                    unreadable += u64::from(verdict.status == Status::Io);
                    bad.extend(verdict.complaint.map(|complaint| (verdict.path, complaint)));
                }
                output.flush()?;
            }
            Ok(())
        })??;
        let total = plural(files.len() as u64, "file", "files");
        match bad.len() as u64 - unreadable {
            0 => {}
            1 => message(&format!("1 of {total} is bad")),
            bad => message(&format!("{bad} of {total} are bad")),
        }
        if unreadable > 0 {
            message(&format!("{unreadable} of {total} cannot be read"));
        }
        remedy::advise(&bad, &self.folders);
        Ok(worst)
    }

    /// The files to check, with folders replaced by the tables in them, and the folders
    /// among those named that have none.
    fn files(&self) -> Result<(Vec<PathBuf>, Vec<&Path>), Failure> {
        let mut files = Vec::new();
        let mut empty = Vec::new();
        if self.files.is_empty() {
            for folder in self.folders.list() {
                match fs::metadata(&folder).map(|there| there.is_dir()) {
                    Ok(true) => find_tables(&folder, 1, &mut files),
                    Ok(false) => return Err(unreadable(&folder, &ErrorKind::NotADirectory.into())),
                    // A folder that does not exist counts as empty, but a link is meant to
                    // lead somewhere.
                    Err(error) if error.kind() == ErrorKind::NotFound && !folder.is_symlink() => {}
                    Err(error) => return Err(unreadable(&folder, &error)),
                }
            }
        }
        for path in &self.files {
            if path.is_dir() && metric_of(path).is_none() {
                let before = files.len();
                find_tables(path, 1, &mut files);
                if files.len() == before {
                    empty.push(&**path);
                }
            } else {
                files.push(path.clone());
            }
        }
        Ok((files, empty))
    }
}

/// The failure of a folder that was named and cannot be searched.
fn unreadable(folder: &Path, error: &io::Error) -> Failure {
    let folder = folder.display();
    let text = format!("{folder}: {error}; name a folder that can be read");
    Failure::new(Status::Io, text)
}

/// Adds the tables in a folder and its subfolders down to a depth, in the order
/// of their names; a folder that cannot be read as such, for which that is said later.
fn find_tables(folder: &Path, depth: usize, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).and_then(|entries| {
        let paths = entries.map(|entry| entry.map(|entry| entry.path()));
        paths.collect::<Result<Vec<PathBuf>, io::Error>>()
    });
    let Ok(mut entries) = entries else {
        files.push(folder.to_owned());
        return;
    };
    entries.sort();
    for path in entries {
        // A folder with the name of a table is in the way of the table. A link that leads
        // nowhere may have led to the tables of a game.
        if metric_of(&path).is_some() || is_dangling(&path) && locate_game(&path).is_some() {
            files.push(path);
        } else if path.is_dir() && depth > 0 {
            find_tables(&path, depth - 1, files);
        }
    }
}

/// The metric that a file's name says, if it is the name of a table.
fn metric_of(path: &Path) -> Option<Metric> {
    Metric::parse(path.extension()?.to_str()?)
}

/// Checks one file, and whether it can be used with the tables beside it and in some folders.
fn check(path: &Path, folders: &Folders, known: bool) -> Verdict {
    let mut status = Status::Fine;
    let mut complaint = None;
    let mut words = Vec::new();
    let mut wrong = |fault: &TableFault| {
        status = status.max(match fault {
            TableFault::Io(_) => status_of_fault(fault),
            _ => Status::Negative,
        });
        complaint = complaint.max(Some(Complaint::of(path, fault)));
        words.push(match fault {
            TableFault::Io(_) if is_dangling(path) => "a link that leads nowhere".to_owned(),
            TableFault::Io(error) => format!("cannot be read: {error}"),
            _ => format!("bad: {fault}"),
        });
    };
    match Table::open(path) {
        Err(error) => wrong(&unsearchable(path).unwrap_or(error.fault)),
        Ok(table) => {
            let report = table.check();
            report.faults.iter().for_each(&mut wrong);
            misnamed(path, &table).iter().for_each(&mut wrong);
            let sound = report.is_sound();
            match sound.then(|| usable(path, &table, folders)) {
                None | Some(Ok(())) => {}
                // The file may be all right, but nobody can use it as it is.
                Some(Err(error @ ProbeError::Missing { .. })) => {
                    status = status.max(Status::Missing);
                    let error = error.with_advice(folders);
                    words.push(format!("cannot be used alone: {error}"));
                }
                Some(Err(ProbeError::Table { error, .. })) => wrong(&error.fault),
                Some(Err(error)) => {
                    status = status.max(status_of_probe(&error));
                    words.push(format!("bad: {error}"));
                }
            }
            let mut compared = String::new();
            if known && sound && words.is_empty() {
                match known::compare(path, &table, folders) {
                    Ok(result) => compared = result,
                    Err((code, text)) => {
                        status = status.max(code);
                        words.push(text);
                    }
                }
            }
            if sound && words.is_empty() {
                let header = table.header();
                words.push(format!(
                    "sound: {} of {} {}, {}, {}{}{compared}",
                    header.metric,
                    header.game.id(),
                    header.material,
                    plural(report.blocks, "block", "blocks"),
                    bytes(report.bytes),
                    misplaced(path, header.game)
                ));
            }
        }
    }
    Verdict {
        path: path.to_owned(),
        status,
        complaint,
        words,
    }
}

/// Whether a table can be used where commands look for it: see [`whole::check_usable`].
fn usable(path: &Path, table: &Table, folders: &Folders) -> Result<(), ProbeError> {
    let Some((folder, expected)) = locate(path).filter(|_| !table.header().needs.is_empty()) else {
        return Ok(());
    };
    // The file itself counts, whatever is in folders that are searched earlier.
    let folders = [folder].into_iter().chain(folders.list());
    let tables = Tablebase::open(expected.game, folders).map_err(|error| ProbeError::Table {
        error: Arc::new(error),
        game: expected.game.id(),
        material: expected.material,
    })?;
    whole::check_usable(&tables, &expected.material, expected.metric)
}

/// The fault of a folder that is in the way of no table but cannot be searched, for which reason
/// alone it is among the files.
fn unsearchable(path: &Path) -> Option<TableFault> {
    let is_folder = path.is_dir() && metric_of(path).is_none();
    let error = fs::read_dir(path).err().filter(|_| is_folder)?;
    Some(TableFault::Io(error))
}

/// The remark on where a table of a game belongs, if its folder is that of no game, so that probing
/// would not find it.
fn misplaced(path: &Path, game: Game) -> String {
    if game_of_folder(path).is_some() {
        return String::new();
    }
    let folder = game_folder(Path::new(""), game);
    format!(
        "; commands look for it in a folder named {}",
        folder.display()
    )
}

/// The game in whose folder a file is, if it is in one.
fn game_of_folder(path: &Path) -> Option<Game> {
    // A bare name says nothing of its folder.
    let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    whole.parent().and_then(locate_game).map(|(_, game)| game)
}

/// The fault of a file that has the name of another table or lies in the folder
/// of another game, so that probing would refuse it.
fn misnamed(path: &Path, table: &Table) -> Option<TableFault> {
    let header = table.header();
    let game = header.game;
    let folder = game_of_folder(path);
    if let Some(folder) = folder.filter(|folder| *folder != game) {
        return Some(TableFault::Game {
            found: game.id(),
            wanted: folder.id(),
        });
    }
    // Where commands look they go by what is written; elsewhere a file may have any name
    // but that of another table.
    let name = path.file_stem()?.to_string_lossy();
    let found = header.material.name(header.game);
    let is_other = match Material::parse(game, &name) {
        Ok(named) => named != header.material,
        Err(_) => false,
    };
    if is_other || folder.is_some() && name != found {
        let wanted = shortened(&name).into_owned();
        return Some(TableFault::Material { found, wanted });
    }
    let metric = metric_of(path)?;
    (metric != header.metric).then(|| TableFault::Metric {
        found: header.metric.name(),
        wanted: metric.name(),
    })
}
