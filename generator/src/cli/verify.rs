//! Proves tables from the rules, position by position, for `retrograde verify`.

mod independent;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use retrograde::verify::{
    JournalFile, MaterialReport, VerifyError, VerifyObserver, VerifyOptions, Wrong, verify,
};
use retrograde_folder::state_folder;
use retrograde_probe::{Metric, ProbeError};
use retrograde_rules::{Game, Material};

use super::advice;
use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;
use super::interrupt::Interrupt;
use super::materials::Named;
use super::numbers::{count, plural, positive};
use super::output::Output;
use super::progress::Progress;
use super::terminal::message;
use super::threads::Threads;

/// Derive the values of tables again from the rules, and compare
///
/// The value of every position is derived from the values after each of its
/// moves. Wrong ones are listed. An interrupted run continues where it stopped, if this
/// program is run by the same user on the same files; nothing that lies in a table folder is
/// believed. A table relies on those of its successors: verify those too. Without --sample,
/// the statistics that files keep are counted once more, and the checksum of each whole file
/// is compared.
#[derive(clap::Args)]
pub(crate) struct VerifyCommand {
    #[command(flatten)]
    named: Named,
    /// Verify N index values of each material, picked evenly, instead of all
    ///
    /// Some of them stand for no position. In games with vitality a sample does not show
    /// that mates are forced without going round in circles.
    #[arg(long, value_name = "N", value_parser = positive)]
    #[arg(allow_negative_numbers = true)]
    sample: Option<u64>,
    /// Compare every position with the naive interpreter instead, which shares no code with
    /// anything else: for two and three men, and more on small boards
    #[arg(long, conflicts_with = "sample")]
    independent: bool,
    /// Keep the progress in FILE, so that an interrupted run can be continued; not in a table
    /// folder [default: a file in the user's state folder, such as ~/.local/state]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Ignore what earlier runs have found
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    threads: Threads,
}

impl VerifyCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let game = self.named.game;
        let materials = self.named.materials_or_all(&self.folders)?;
        if materials.is_empty() {
            return Err(self.named.nothing(&self.folders, "verify"));
        }
        if self.independent {
            return independent::run(game, &materials, &self.folders);
        }
        let options = VerifyOptions {
            tables: self.folders.list(),
            sample: self.sample,
            limit: None,
            memory: None,
            journal: self.journal_file()?,
        };
        if self.sample.is_some() && game.vitality().is_some() {
            message(
                "a sample does not show that mates are forced without going round in circles; \
                 without --sample that is proved too",
            );
        }
        let progress = Progress::new();
        let watcher = Watcher {
            game,
            interrupt: Interrupt::listen(&progress, "interrupted: run again to continue"),
            progress,
            output: Mutex::new((Output::new(), None)),
        };
        let result = self
            .threads
            .run(|| verify(game, &materials, &options, &watcher))?;
        watcher.progress.finish();
        let (_, failed) = watcher
            .output
            .into_inner()
            .unwrap_or_else(|e| e.into_inner());
        if let Some(failure) = failed {
            return Err(failure);
        }
        let report = result.map_err(|error| self.failure(error, &materials))?;
        if report.positions() == 0 {
            let text = "no position was verified; use a larger --sample";
            return match report.interrupted {
                true => Ok(Status::Interrupted),
                false => Err(Failure::new(Status::Missing, text)),
            };
        }
        let wrong: u64 = report.materials.iter().map(|m| m.wrong).sum();
        let bad = report.materials.iter().filter(|m| !m.is_sound());
        let bad = bad.map(|m| m.material);
        let force = " --force".to_owned() + &self.folders.option();
        message(&format!(
            "{} verified{}, {}{}, {}",
            plural(report.materials.len() as u64, "material", "materials"),
            match self.sample {
                Some(_) => " by sample",
                None => "",
            },
            plural(report.positions(), "position", "positions"),
            earlier(report.resumed()),
            match wrong {
                0 if report.is_sound() => "all of them right".to_owned(),
                _ => format!(
                    "{}; make those tables again with: {}",
                    match wrong {
                        0 => "all values right, but not all statistics".to_owned(),
                        wrong => plural(wrong, "wrong value", "wrong values"),
                    },
                    advice::generate(&game.id(), bad, &force)
                ),
            }
        ));
        Ok(match (report.is_sound(), report.interrupted) {
            (_, true) => Status::Interrupted,
            (true, false) => Status::Fine,
            (false, false) => Status::Negative,
        })
    }

    /// The file that keeps progress.
    fn journal_file(&self) -> Result<Option<JournalFile>, Failure> {
        let folders = self.folders.list();
        if let Some(path) = &self.journal
            && folders.iter().any(|folder| is_within(path, folder))
        {
            let path = path.display();
            let text = format!(
                "{path} is in a table folder, where nothing is evidence; name another file with \
                 --journal"
            );
            return Err(Failure::usage(text));
        }
        let Some(state) = state_folder() else {
            message(
                "there is no folder for what this user keeps, so an interrupted run cannot be \
                 continued; set HOME or XDG_STATE_HOME",
            );
            return Ok(None);
        };
        let path = self.journal.clone().unwrap_or_else(|| {
            let mut hasher = DefaultHasher::new();
            let folders = folders
                .iter()
                .map(|f| f.canonicalize().unwrap_or(f.clone()));
            (self.named.game.id(), self.sample).hash(&mut hasher);
            folders.for_each(|folder| folder.hash(&mut hasher));
            let name = format!("verify-{:016x}.json", hasher.finish());
            state.join(name)
        });
        Ok(Some(JournalFile {
            path,
            secrets: state,
            fresh: self.fresh,
        }))
    }

    /// The failure of the command at an error while these materials were verified, with advice.
    fn failure(&self, error: VerifyError, verified: &[Material]) -> Failure {
        let folders = &self.folders;
        match error {
            VerifyError::Ground(ProbeError::Missing {
                ref game,
                ref material,
                metric: Some(metric),
                ..
            }) if verified.contains(material) => {
                let (why, metrics) = proved_with(self.named.game, metric);
                let options = metrics.to_owned() + &folders.option();
                let command = advice::generate(game, [*material], &options);
                let text = format!("{error}{why}; make it with: {command}");
                Failure::new(Status::Missing, text)
            }
            VerifyError::Table(error) => folders.table_failure(&error),
            VerifyError::Ground(error) => folders.probe_failure(&error),
            VerifyError::Memory { .. } => {
                let text = format!("{error}; --sample N verifies a part of it with less memory");
                Failure::new(Status::Resources, text)
            }
            _ => Failure::usage(error),
        }
    }
}

/// Whether a file is in a folder, or would be.
fn is_within(file: &Path, folder: &Path) -> bool {
    let parent = file.parent().filter(|parent| *parent != Path::new(""));
    let parent = parent.unwrap_or(Path::new(".")).canonicalize();
    let folder = folder.canonicalize();
    matches!((parent, folder), (Ok(parent), Ok(folder)) if parent.starts_with(&folder))
}

/// The words for the positions that earlier runs have derived, if any.
fn earlier(resumed: u64) -> String {
    match resumed {
        0 => String::new(),
        resumed => format!(
            " ({} of them in earlier runs, which --fresh ignores)",
            count(resumed)
        ),
    }
}

/// The reason why proving takes a table of a metric that nobody may have asked for, and the option
/// that makes it.
fn proved_with(game: Game, metric: Metric) -> (&'static str, &'static str) {
    match (metric, game.zeroing_limit()) {
        (Metric::Helpmate, _) => ("", " --metric helpmate"),
        (Metric::Dtz, Some(_)) => (
            "; WDL and DTZ are proved together, because without distances wins that lead only \
             to each other would look right",
            " --metric wdl,dtz",
        ),
        (Metric::Dtm, None) => (
            "; WDL is proved with DTM, because without distances wins that lead only to each \
             other would look right",
            " --metric wdl,dtm",
        ),
        _ => ("", ""),
    }
}

/// Prints the verdict on each material as soon as it is known.
struct Watcher {
    game: Game,
    progress: Progress,
    interrupt: Interrupt,
    /// Stdout, and the error that ended it.
    output: Mutex<(Output, Option<Failure>)>,
}

impl VerifyObserver for Watcher {
    fn begin(&self, place: usize, of: usize, material: &Material) {
        let name = format!("[{}/{of}] {:<8}", place + 1, material.name(self.game));
        self.progress.begin(name);
    }

    fn progress(&self, done: u64, total: u64) {
        self.progress.at(done, total);
    }

    fn end(&self, report: &MaterialReport) {
        let mut output = self.output.lock().unwrap_or_else(|e| e.into_inner());
        let written = self
            .progress
            .beside_bar(|| write_report(self.game, report, &mut output.0));
        if let Err(failure) = written {
            output.1.get_or_insert(failure);
        }
    }

    fn not_resumable(&self, why: &str) {
        self.progress.say(&format!(
            "{why}; if this run is interrupted, the next will start from the beginning"
        ));
    }

    fn interrupted(&self) -> bool {
        let output = self.output.lock().unwrap_or_else(|e| e.into_inner());
        output.1.is_some() || self.interrupt.happened()
    }
}

fn write_report(game: Game, report: &MaterialReport, output: &mut Output) -> Result<(), Failure> {
    let material = report.material.name(game);
    let positions = plural(report.positions, "position", "positions");
    let verdict = match report.wrong {
        0 => "all right".to_owned(),
        wrong => plural(wrong, "wrong value", "wrong values"),
    };
    let earlier = earlier(report.resumed);
    output.line(format_args!("{material}: {positions}{earlier}, {verdict}"))?;
    for metric in &report.statistics {
        output.line(format_args!(
            "  {material}.{metric}: the statistics are not those of its values"
        ))?;
    }
    for Wrong {
        fen,
        metric,
        stored,
        derived,
    } in &report.examples
    {
        output.line(format_args!(
            "  {fen}: the {metric} table says {stored}, it should say {derived}"
        ))?;
    }
    output.flush()
}
