//! Makes tables, with progress and a summary, for `retrograde generate`.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use retrograde::generate::{
    GenerateError, GenerateObserver, GenerateOptions, Phase, Summary, TableOutcome as Made,
    generate,
};
use retrograde::packing::Packing;
use retrograde::plan::{Plan, PlannedTable};
use retrograde::repack::RepackOptions;
use retrograde_probe::{Metric, TableFault, table_path};
use retrograde_rules::{Game, Material};

use super::advice;
use super::failure::{CommandResult, Failure, Status, status_of_fault};
use super::folders::Folders;
use super::interrupt::Interrupt;
use super::materials::Named;
use super::numbers::{bytes, count, parse_size, plural, time};
use super::pack::Pack;
use super::progress::Progress;
use super::repack;
use super::terminal::message;
use super::threads::Threads;

/// Tables expected to take more CPU seconds than this are announced in a log
/// when they are begun.
const LONG: f64 = 60.0;

/// Make tables, and all tables that they need
///
/// Tables of successors are made first. Existing tables are kept if they are
/// sound, so interrupted work continues where it stopped.
#[derive(clap::Args)]
pub(crate) struct GenerateCommand {
    #[command(flatten)]
    named: Named,
    /// The table folder to write to [default: the first table folder]
    ///
    /// Without --tables and RETROGRADE_TABLES it is also the only one that is
    /// read, so that it will be complete in itself.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// The metrics to make, such as wdl,dtz [default: all of the game, except
    /// helpmate]
    ///
    /// The metrics of smaller materials that these are worked out from are made as
    /// well; with --pack small, so is WDL, on which DTM and DTZ then rest. Helpmate,
    /// in orthodox chess only, says whether either side can be mated by any series
    /// of legal moves.
    #[arg(long, value_name = "METRICS", value_delimiter = ',')]
    metric: Vec<String>,
    /// The most memory to use, such as 4G, 512M or 3.5GiB [default: the
    /// memory that is free]
    #[arg(long, value_name = "SIZE", value_parser = parse_size, allow_hyphen_values = true)]
    memory: Option<u64>,
    /// How to pack the tables; with small, they are repacked once all are made
    #[arg(long, value_enum, default_value_t = Pack::Fast)]
    pack: Pack,
    /// Make all of these tables again, even if they exist
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    folders: Folders,
}

impl GenerateCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let plan = self.named.plan()?;
        let tables = match (&self.out, self.folders.named()) {
            // The folder is to be complete in itself.
            (Some(out), None) => vec![out.clone()],
            _ => self.folders.list(),
        };
        let out = self.out.iter().chain(&tables).next().cloned();
        let out = out.unwrap_or_default();
        for folder in self.folders.absent() {
            if folder != out {
                let folder = folder.display();
                message(&format!("there is no table folder {folder}"));
            }
        }
        let options = GenerateOptions {
            out: out.clone(),
            tables: tables.clone(),
            memory: self.memory,
            force: self.force,
            metrics: self.metrics()?,
            limit: None,
        };
        let progress = Progress::new();
        let interrupt = Interrupt::listen(
            &progress,
            "interrupted: what is being solved will be finished; Ctrl-C again stops at once",
        );
        let watcher = Watcher::new(progress, interrupt);
        let began = Instant::now();
        let game = self.named.game;
        let result = self
            .threads
            .run(|| generate(game, &plan, &options, &watcher))?;
        watcher.progress.finish();
        let summary = result.map_err(|error| failure(&error, &self.folders, true))?;
        watcher.progress.say(&conclusion(
            &summary,
            (game, &out),
            plan.tables().len(),
            began,
        ));
        if summary.interrupted {
            return Ok(Status::Interrupted);
        }
        match self.pack {
            Pack::Fast => Ok(Status::Fine),
            Pack::Small => self.repack(&plan, out, tables, watcher),
        }
    }

    /// The metrics that are named; `None` for all.
    fn metrics(&self) -> Result<Option<Vec<Metric>>, Failure> {
        let parse = |name: &String| Metric::parse_of(self.named.game, name.trim());
        let metrics: Result<Vec<Metric>, _> = self.metric.iter().map(parse).collect();
        let metrics = metrics.map_err(|error| Failure::usage(format!("--metric: {error}")))?;
        let metrics = Packing::from(self.pack).with_needed(metrics);
        Ok(Some(metrics).filter(|metrics| !metrics.is_empty()))
    }

    /// Packs the tables of the plan that are in the folder anew.
    fn repack(
        &self,
        plan: &Plan,
        out: PathBuf,
        tables: Vec<PathBuf>,
        watcher: Watcher,
    ) -> CommandResult {
        let materials = plan.found_in(&out);
        let options = RepackOptions {
            out: Some(out),
            tables,
            packing: self.pack.into(),
            both_sides: false,
        };
        let watcher = repack::Watcher {
            game: self.named.game,
            progress: watcher.progress,
            interrupt: watcher.interrupt,
        };
        watcher.run(&materials, &options, &self.threads, &self.folders)
    }
}

/// The failure of a command that makes tables, with advice; `has_options` says whether it has the
/// options `--out` and `--force`.
pub(crate) fn failure(error: &GenerateError, folders: &Folders, has_options: bool) -> Failure {
    let status = match error {
        error if error.is_exhausted() => Status::Resources,
        GenerateError::Table(error) => status_of_fault(&error.fault),
        GenerateError::Ground(error) => return folders.probe_failure(error),
        GenerateError::Solve { .. } => Status::Usage,
        _ => Status::Io,
    };
    let limits = error.io_error().and_then(advice::of_limits);
    let advice = match error {
        GenerateError::Memory { given: true, .. } => {
            "; allow more with --memory; retrograde plan says what each table takes".to_owned()
        }
        GenerateError::Memory { .. } => "; retrograde plan says what each table takes".to_owned(),
        GenerateError::Table(error) if matches!(error.fault, TableFault::Io(_)) => {
            return Failure::new(status, error.with_advice(folders));
        }
        // Nothing replaces what somebody else has written.
        GenerateError::Table(error)
            if matches!(error.fault, TableFault::NotATable) || !has_options =>
        {
            "; move the file away".to_owned()
        }
        GenerateError::Table(_) => {
            "; move the file away, or make all tables again with --force".to_owned()
        }
        GenerateError::Solve { .. } => String::new(),
        _ if limits.is_some() => format!("; {}", limits.unwrap_or_default()),
        _ if status == Status::Resources && has_options => {
            "; make room, or write elsewhere with --out".to_owned()
        }
        _ if status == Status::Resources => "; make room".to_owned(),
        _ if has_options => "; name another folder with --out".to_owned(),
        _ => "; name a folder that can be written to first, with --tables".to_owned(),
    };
    Failure::new(status, format!("{error}{advice}"))
}

/// The summary of the work, in one line.
fn conclusion(
    summary: &Summary,
    (game, out): (Game, &Path),
    planned: usize,
    began: Instant,
) -> String {
    let kept = || summary.outcomes.iter().filter(|o| o.kept);
    let is_there = |material: &Material| {
        let paths = Metric::known(game).map(|metric| table_path(out, game, material, metric));
        paths.into_iter().any(|path| path.exists())
    };
    let absent = kept().filter(|o| !is_there(&o.material)).count();
    let elsewhere = match absent {
        0 => String::new(),
        count => format!(" ({count} of them in other folders)"),
    };
    let kept = kept().count();
    let made = summary.outcomes.iter().filter(|o| !o.kept);
    let mut text = format!(
        "{} made, {kept} kept{elsewhere}, {} written, {}",
        plural(made.clone().count() as u64, "material", "materials"),
        bytes(made.map(|o| o.bytes).sum()),
        time(began.elapsed()),
    );
    // Nobody should look for tables where none are.
    if summary.outcomes.len() > absent {
        text.push_str(&format!("; folder: {}", out.display()));
    }
    if summary.interrupted {
        let left = planned - summary.outcomes.len();
        text.push_str(&format!(
            "; interrupted with {left} left, run again to continue"
        ));
    }
    text
}

/// Reports progress to people.
pub(crate) struct Watcher {
    progress: Progress,
    interrupt: Interrupt,
    current: Mutex<Option<Current>>,
}

/// The current table.
struct Current {
    /// `[12/35] KQvKR`
    name: String,
    positions: u64,
    /// Whether to announce it when it is begun.
    is_long: bool,
    began: Instant,
}

impl Watcher {
    /// Reports to this bar, and stops at this interrupt.
    pub(crate) fn new(progress: Progress, interrupt: Interrupt) -> Watcher {
        Watcher {
            progress,
            interrupt,
            current: Mutex::new(None),
        }
    }

    fn with_current<T>(&self, task: impl FnOnce(&Current) -> T) -> Option<T> {
        let current = self.current.lock().unwrap_or_else(|e| e.into_inner());
        current.as_ref().map(task)
    }
}

impl GenerateObserver for Watcher {
    fn begin(&self, place: usize, of: usize, table: &PlannedTable) {
        let width = of.to_string().len();
        let name = format!("[{:>width$}/{of}] {:<8}", place + 1, table.name());
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
                self.progress.say(&format!("{name} begun"));
            }
            _ => {}
        });
        self.progress.phase(match phase {
            Phase::Waiting => "waiting",
            Phase::Reading => "reading tables",
            Phase::Solving => "solving",
            Phase::Zeroing => "counting fifty moves",
            Phase::Writing(Metric::Wdl) => "writing WDL",
            Phase::Writing(Metric::Thresholds) => "writing curves",
            Phase::Writing(Metric::Mates) => "writing mates",
            Phase::Writing(Metric::Dtz) => "writing DTZ",
            Phase::Writing(Metric::Helpmate) => "writing helpmates",
            Phase::Writing(_) => "writing DTM",
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
        self.progress.say(&format!("{why}; making it again"));
    }

    fn end(&self, made: &Made) {
        self.with_current(|current| {
            let name = &current.name;
            let size = bytes(made.bytes);
            if made.kept {
                self.progress.say(&format!("{name} kept, {size}"));
                return;
            }
            let mut words = format!("{name} {} positions, ", count(current.positions));
            if let Some(longest_depth) = made.longest_depth {
                let plies = plural(longest_depth as u64, "ply", "plies");
                words.push_str(&format!("longest depth {plies}, "));
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
