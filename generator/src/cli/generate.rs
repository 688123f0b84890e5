//! `retrograde generate`: makes tables.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use retrograde::generate::{
    GenerateError, GenerateObserver, GenerateOptions, Phase, Summary, TableOutcome as Made,
    generate,
};
use retrograde::plan::PlannedTable;
use retrograde_probe::Metric;

use super::advice;
use super::failure::{CommandResult, Failure, Status, status_of_fault};
use super::folders::Folders;
use super::interrupt::Interrupt;
use super::named::Named;
use super::numbers::{bytes, count, parse_size, plural, time};
use super::output::message;
use super::progress::Progress;
use super::threads::Threads;

/// Tables that are expected to take longer than this many seconds of CPU are
/// mentioned in a log before they are done.
const LONG: f64 = 60.0;

/// Make tables, and every table that they need
///
/// Successor tables are made first. What is there and sound is kept, so work
/// that was interrupted goes on where it stopped.
#[derive(clap::Args)]
pub(crate) struct GenerateCommand {
    #[command(flatten)]
    named: Named,
    /// The table folder to write to [default: the first table folder]
    ///
    /// Without --tables and RETROGRADE_TABLES it is the only one that is read,
    /// too, so that it will be complete in itself.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// The most memory to use, such as 4G, 512M or 3.5GiB [default: what is
    /// free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// Make all of these tables anew, even if they are there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    folders: Folders,
}

impl GenerateCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let plan = self.named.plan()?;
        let tables = match (&self.out, self.folders.named()) {
            // So that the folder is complete in itself.
            (Some(out), None) => vec![out.clone()],
            _ => self.folders.list(),
        };
        let out = self.out.iter().chain(&tables).next().cloned();
        let out = out.unwrap_or_default();
        for folder in self.folders.absent() {
            if folder != out {
                let folder = folder.display();
                message(&format!("--tables {folder}: there is no such folder"));
            }
        }
        let options = GenerateOptions {
            out: out.clone(),
            tables,
            memory: self.memory,
            force: self.force,
            limit: None,
        };
        let progress = Progress::new();
        let watcher = Watcher {
            interrupt: Interrupt::listen(
                &progress,
                "interrupted: the table at hand will be finished; Ctrl-C again stops at once",
            ),
            progress,
            current: Mutex::new(None),
        };
        let began = Instant::now();
        let game = self.named.game;
        let result = self
            .threads
            .run(|| generate(game, &plan, &options, &watcher))?;
        watcher.progress.finish();
        let summary = result.map_err(|error| self.failure(&error))?;
        watcher
            .progress
            .say(&conclusion(&summary, &out, plan.tables().len(), began));
        Ok(if summary.interrupted {
            Status::Interrupted
        } else {
            Status::Fine
        })
    }
}

impl GenerateCommand {
    fn failure(&self, error: &GenerateError) -> Failure {
        let status = match error {
            error if error.is_exhausted() => Status::Resources,
            GenerateError::Missing(..) => Status::Missing,
            GenerateError::Table(error) => status_of_fault(&error.fault),
            GenerateError::Solve { .. } => Status::Usage,
            _ => Status::Io,
        };
        let advice = match error {
            GenerateError::Memory { given: true, .. } => {
                "; allow more with --memory; retrograde plan says what each table takes".to_owned()
            }
            GenerateError::Memory { .. } => {
                "; retrograde plan says what each table takes".to_owned()
            }
            GenerateError::Missing(material, game) => {
                let command = advice::generate(game, [material], &self.folders.option());
                format!("; make it with: {command}")
            }
            GenerateError::Table(_) => {
                "; move the file away, or make all anew with --force".to_owned()
            }
            GenerateError::Solve { .. } => String::new(),
            _ if status == Status::Resources => {
                "; make room, or write elsewhere with --out".to_owned()
            }
            _ => "; name another folder with --out".to_owned(),
        };
        Failure::new(status, format!("{error}{advice}"))
    }
}

/// What was done, in a line.
fn conclusion(summary: &Summary, out: &Path, planned: usize, began: Instant) -> String {
    let kept = summary.outcomes.iter().filter(|o| o.kept).count();
    let made = summary.outcomes.len() - kept;
    let size = summary.outcomes.iter().map(|o| o.bytes).sum();
    let mut text = format!(
        "{} made, {kept} kept, {} in all, {}; folder: {}",
        plural(made as u64, "table", "tables"),
        bytes(size),
        time(began.elapsed()),
        out.display()
    );
    if summary.interrupted {
        let left = planned - summary.outcomes.len();
        text.push_str(&format!(
            "; interrupted with {left} left, run again to go on"
        ));
    }
    text
}

/// Tells people how it goes.
struct Watcher {
    progress: Progress,
    interrupt: Interrupt,
    current: Mutex<Option<Current>>,
}

/// The table at hand.
struct Current {
    /// `[12/35] KQvKR`
    name: String,
    positions: u64,
    /// Whether it is worth saying that it has begun.
    is_long: bool,
    began: Instant,
}

impl Watcher {
    fn with_current<T>(&self, task: impl FnOnce(&Current) -> T) -> Option<T> {
        let current = self.current.lock().unwrap_or_else(|e| e.into_inner());
        current.as_ref().map(task)
    }
}

impl GenerateObserver for Watcher {
    fn begin(&self, place: usize, of: usize, table: &PlannedTable) {
        let width = of.to_string().len();
        let name = format!("[{:>width$}/{of}] {:<8}", place + 1, table.material);
        self.progress.begin(name.clone());
        let mut current = self.current.lock().unwrap_or_else(|e| e.into_inner());
        *current = Some(Current {
            name,
            positions: table.positions,
            is_long: table.cpu_seconds > LONG,
            began: Instant::now(),
        });
    }

    fn phase(&self, phase: Phase) {
        self.with_current(|Current { name, is_long, .. }| match phase {
            Phase::Waiting => self.progress.say(&format!(
                "{name} is being made by another process; waiting for it"
            )),
            Phase::Reading if *is_long && !self.progress.has_bar() => {
                self.progress.say(&format!("{name} begins"));
            }
            _ => {}
        });
        self.progress.phase(match phase {
            Phase::Waiting => "waiting",
            Phase::Reading => "reading tables",
            Phase::Solving => "solving",
            Phase::Zeroing => "counting fifty moves",
            Phase::Writing(Metric::Wdl) => "writing results",
            Phase::Writing(Metric::Thresholds) => "writing thresholds",
            Phase::Writing(Metric::Mates) => "writing mates",
            Phase::Writing(Metric::Dtz) => "writing distances",
            Phase::Writing(_) => "writing depths",
        });
    }

    fn progress(&self, done: u64, total: u64) {
        self.progress.at(done, total);
    }

    fn replacing(&self, path: &Path, why: &str) {
        let path = path.display().to_string();
        // Most reasons name the file themselves.
        let why = match why.starts_with(&path) {
            true => why.to_owned(),
            false => format!("{path}: {why}"),
        };
        self.progress.say(&format!("{why}; making it anew"));
    }

    fn end(&self, made: &Made) {
        self.with_current(|current| {
            let name = &current.name;
            let size = bytes(made.bytes);
            if made.kept {
                self.progress.say(&format!("{name} kept, {size}"));
                return;
            }
            let mut words = format!("{name} {} numbers, ", count(current.positions));
            if let Some(longest_win) = made.longest_win {
                words.push_str(&format!("longest win {longest_win} plies, "));
            }
            if let Some(longest) = made.longest {
                words.push_str(&format!("DTZ {}, ", longest.real));
                if let Some(cursed) = longest.cursed {
                    words.push_str(&format!("cursed {cursed}, "));
                }
            }
            let time = time(current.began.elapsed());
            self.progress.say(&format!("{words}{size}, {time}"));
        });
    }

    fn interrupted(&self) -> bool {
        self.interrupt.happened()
    }
}
