//! Writes the report on the designers' claims about their games, for `retrograde claims`.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, IsTerminal};
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Duration;

use retrograde::generate::{GenerateOptions, generate};
use retrograde::plan::{self, Plan};
use retrograde_claims::{Answer, Claim, ClaimError, Observer, Options, Supply, Verdict, report};
use retrograde_folder::state_folder;
use retrograde_probe::Metric;
use retrograde_rules::{Game, Material, shortened};

use super::failure::{CommandResult, Failure, Status};
use super::folders::Folders;
use super::games::{GAME, GameParser};
use super::generate::{Watcher, failure};
use super::interrupt::Interrupt;
use super::numbers::{bytes, men, plural, time};
use super::output::Output;
use super::progress::Progress;
use super::threads::Threads;

/// Check what the designers claim about their games against tables
///
/// Writes claims.json, CLAIMS.md, and into the folder claims beside them a page for each game
/// and index.html to start with; about one game, its page alone. Tables that are missing are
/// made first, into the first table folder; the time, memory and disk that they take are said
/// before. Answers are kept beside the report, so interrupted work continues where it stopped.
#[derive(clap::Args)]
pub(crate) struct ClaimsCommand {
    #[arg(value_parser = GameParser, help = format!("{GAME} [default: all games]"))]
    game: Option<Game>,
    /// Use all tables of up to N pieces
    #[arg(
        long,
        value_name = "N",
        default_value_t = 4,
        value_parser = men,
        allow_negative_numbers = true
    )]
    men: usize,
    /// The folder to write the report to
    #[arg(long, value_name = "DIR", default_value = "claims-report")]
    out: PathBuf,
    /// Only the claim with this tag, such as HC1; may be given several times
    #[arg(long, value_name = "TAG")]
    only: Vec<String>,
    #[command(flatten)]
    consent: Consent,
    #[command(flatten)]
    folders: Folders,
    #[command(flatten)]
    threads: Threads,
}

/// The user's consent to making the tables that are missing.
#[derive(clap::Args)]
pub(super) struct Consent {
    /// Make missing tables without asking; only a terminal is asked, if they take over a minute
    #[arg(long)]
    yes: bool,
}

impl Consent {
    /// Whether a user is asked before tables are made that take so many seconds: at a terminal, if
    /// it is over a minute.
    fn is_asked(&self, seconds: f64, is_terminal: bool) -> bool {
        is_terminal && !self.yes && seconds > 60.0
    }
}

/// The help with all claims: by their tags in short, else as sentences. To know them takes time,
/// so this is done where the help is asked for.
pub(super) fn with_claims(command: clap::Command) -> clap::Command {
    let claims = || retrograde_claims::claims();
    let tags: Vec<&str> = claims().map(|claim| claim.tag.as_str()).collect();
    let lines = claims().map(|claim| format!("\n  {:<6} {}", claim.tag, claim.title));
    command
        .after_help(format!("Tags of claims: {}.", tags.join(", ")))
        .after_long_help(format!("Claims:{}", lines.collect::<String>()))
}

impl ClaimsCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let options = Options {
            tables: self.folders.list(),
            out: Some(self.out.clone()),
            secrets: state_folder(),
            men: self.men,
            game: self.game,
            compare: None,
            only: self.only.clone(),
        };
        self.check(&options)?;
        let worker = Worker::new(&self.folders, true);
        worker.announce(&options, self.threads.count(), &self.consent)?;
        let result = self.threads.run(|| {
            let report = report(&options, &worker, &worker)?;
            let page = report.write(&self.out)?;
            Ok((report, page))
        })?;
        worker.progress.finish();
        let (report, page) = match result {
            Ok(written) => written,
            Err(error) => return worker.ended(error),
        };
        let fails = report
            .answers
            .iter()
            .filter(|a| a.verdict() == Verdict::Fails)
            .count();
        worker.line(&format!(
            "{} answered, {} of them with the verdict \"fails\"; read {}",
            plural(report.answers.len() as u64, "claim", "claims"),
            fails,
            page.display()
        ));
        worker.written()?;
        Ok(Status::Fine)
    }

    /// Refuses what cannot be answered before any work is done.
    fn check(&self, options: &Options) -> Result<(), Failure> {
        let orthodox = Game::default();
        Plan::new(orthodox, &[], Some(self.men))?;
        let all = Options {
            only: Vec::new(),
            ..options.clone()
        };
        let claims = all.claims().map_err(Failure::usage)?;
        let known: Vec<&str> = claims.iter().map(|claim| claim.tag.as_str()).collect();
        let game = self.game.map(|game| format!(" about {}", game.name()));
        let game = game.unwrap_or_default();
        if known.is_empty() {
            let text = format!(
                "there is no claim{game}; leave the game out for all claims, or write claims into \
                 its definition as [[claims]]"
            );
            return Err(Failure::usage(text));
        }
        let is_known = |tag: &str| known.iter().any(|known| known.eq_ignore_ascii_case(tag));
        if let Some(tag) = self.only.iter().find(|tag| !is_known(tag)) {
            let known = known.join(", ");
            let text = format!(
                "there is no claim \"{}\"{game}; the claims are: {known}",
                shortened(tag)
            );
            return Err(Failure::usage(text));
        }
        Ok(())
    }
}

/// The first of some names, and the number of the others.
fn some_of(names: &BTreeSet<String>) -> String {
    const SHOWN: usize = 8;
    let shown: Vec<&str> = names.iter().map(String::as_str).take(SHOWN).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => shown.join(" "),
        more => format!("{} and {more} more", shown.join(" ")),
    }
}

/// Makes tables that are missing, and follows the work.
pub(super) struct Worker<'a> {
    folders: &'a Folders,
    watcher: Watcher,
    pub(super) progress: Progress,
    interrupt: Interrupt,
    says_verdicts: bool,
    /// Why tables could not be made, or nothing can be written to stdout.
    failure: Mutex<Option<Failure>>,
    /// Stdout.
    output: Mutex<Output>,
}

impl<'a> Worker<'a> {
    /// Listens for Ctrl-C from now on.
    /// Verdicts are said on stdout only if they are to be.
    pub(super) fn new(folders: &'a Folders, says_verdicts: bool) -> Worker<'a> {
        let progress = Progress::new();
        let interrupt = Interrupt::listen(&progress, "interrupted: run again to continue");
        Worker {
            folders,
            watcher: Watcher::new(progress.clone(), interrupt.clone()),
            progress,
            interrupt,
            says_verdicts,
            failure: Mutex::default(),
            output: Mutex::new(Output::new()),
        }
    }
}

impl Worker<'_> {
    /// Says which tables are made first, if any are, and what they take, and asks whether to make
    /// them if that takes long.
    pub(super) fn announce(
        &self,
        options: &Options,
        threads: Option<usize>,
        consent: &Consent,
    ) -> Result<(), Failure> {
        let mut missing: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let (mut seconds, mut disk, mut memory) = (0.0, 0, 0);
        for (game, materials, metrics) in options.tables_needed(self).map_err(Failure::usage)? {
            let names = missing.entry(game.id()).or_default();
            for table in self.absent(game, &materials, metrics)?.tables() {
                if names.insert(table.name()) {
                    seconds += table.cpu_seconds;
                    disk += table.disk_bytes;
                    memory = table.memory_bytes.max(memory);
                }
            }
        }
        missing.retain(|_, names| !names.is_empty());
        if missing.is_empty() {
            return Ok(());
        }
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        let processors = threads.unwrap_or(processors);
        self.progress.say(&format!(
            "tables of {} are missing and made first: up to {} of CPU time on {}, {} of memory, \
             and {} of disk in {}",
            plural(
                missing.values().map(BTreeSet::len).sum::<usize>() as u64,
                "material",
                "materials"
            ),
            time(Duration::from_secs_f64(seconds)),
            plural(processors as u64, "processor", "processors"),
            bytes(memory),
            bytes(disk),
            self.folders
                .list()
                .first()
                .cloned()
                .unwrap_or_default()
                .display(),
        ));
        for (game, names) in &missing {
            self.progress.say(&format!("  {game}: {}", some_of(names)));
        }
        let is_terminal = io::stdin().is_terminal() && io::stderr().is_terminal();
        let wall_time = seconds / processors as f64;
        if consent.is_asked(wall_time, is_terminal) && !self.agreed() {
            let text = "no tables were made; with --yes they are made without a question, and \
                        retrograde generate makes some at a time";
            return Err(Failure::new(Status::Missing, text));
        }
        Ok(())
    }

    /// Asks a terminal whether to go on.
    fn agreed(&self) -> bool {
        let ask = || {
            let mut answer = String::new();
            eprint!("Make them now? [y/N] ");
            let read = io::stdin().lock().read_line(&mut answer);
            read.is_ok() && matches!(answer.trim(), "y" | "Y" | "yes" | "Yes")
        };
        self.progress.beside_bar(ask)
    }

    /// The plan for those of some materials, and of all that they need, of which a table is
    /// missing.
    fn absent(
        &self,
        game: Game,
        materials: &[Material],
        metrics: &[Metric],
    ) -> Result<Plan, Failure> {
        let tables = self.folders.list();
        let absent = |material: &Material| {
            metrics.iter().any(|&metric| {
                let path = |folder| retrograde_probe::table_path(folder, game, material, metric);
                !tables.iter().any(|folder| path(folder).exists())
            })
        };
        let named = materials.iter().filter(|m| !game.needs_no_table(m));
        let all = Plan::new(game, &named.copied().collect::<Vec<Material>>(), None)?;
        let all = all.tables().iter().map(|table| table.material);
        let absent: Vec<Material> = all.filter(|material| absent(material)).collect();
        Ok(Plan::new(game, &absent, None)?)
    }

    /// Writes a line to stdout.
    fn line(&self, text: &str) {
        let mut output = self.output.lock().unwrap_or_else(|e| e.into_inner());
        let line = || output.line(text).and_then(|()| output.flush());
        if let Err(failure) = self.progress.beside_bar(line) {
            let mut failed = self.failure.lock().unwrap_or_else(|e| e.into_inner());
            failed.get_or_insert(failure);
        }
    }

    /// Whether all lines could be written.
    fn written(self) -> Result<(), Failure> {
        let failed = self.failure.into_inner().unwrap_or_else(|e| e.into_inner());
        failed.map_or(Ok(()), Err)
    }

    /// How the command ends after an error.
    pub(super) fn ended(self, error: ClaimError) -> CommandResult {
        let failed = self.failure.into_inner().unwrap_or_else(|e| e.into_inner());
        match error {
            ClaimError::Interrupted => failed.map_or(Ok(Status::Interrupted), Err),
            ClaimError::Unsupplied => {
                Err(failed.unwrap_or_else(|| Failure::new(Status::Missing, error)))
            }
            ClaimError::Table(error) => Err(self.folders.table_failure(&error)),
            ClaimError::Probe(error) => Err(self.folders.probe_failure(&error)),
            ClaimError::Io { ref source, .. } => {
                let status = match retrograde_folder::is_exhausted(source) {
                    true => Status::Resources,
                    false => Status::Io,
                };
                let text = format!("{error}; name another folder with --out");
                Err(Failure::new(status, text))
            }
            ClaimError::Contradiction { .. } => {
                let text = format!("{error}; prove the tables with: retrograde verify");
                Err(Failure::new(Status::Corrupt, text))
            }
            _ => Err(Failure::usage(error)),
        }
    }
}

impl Supply for Worker<'_> {
    fn materials(&self, game: Game, men: usize) -> Vec<Material> {
        plan::materials(game, men)
    }

    fn ensure(
        &self,
        game: Game,
        materials: &[Material],
        metrics: &[Metric],
    ) -> Result<(), ClaimError> {
        let fail = |failure: Failure| {
            *self.failure.lock().unwrap_or_else(|e| e.into_inner()) = Some(failure);
            ClaimError::Unsupplied
        };
        let tables = self.folders.list();
        let plan = self.absent(game, materials, metrics).map_err(fail)?;
        if plan.tables().is_empty() {
            return Ok(());
        }
        let options = GenerateOptions {
            out: tables.first().cloned().unwrap_or_default(),
            tables,
            metrics: Some(metrics.to_vec()),
            ..GenerateOptions::default()
        };
        let name = game.id();
        let names: Vec<&str> = metrics.iter().map(|metric| metric.name()).collect();
        self.progress.say(&format!(
            "{} of {name} to make first: {}",
            plural(plan.tables().len() as u64, "material", "materials"),
            names.join(", ")
        ));
        let made = generate(game, &plan, &options, &self.watcher);
        let summary = made.map_err(|error| fail(failure(&error, self.folders, false)))?;
        match summary.interrupted {
            true => Err(ClaimError::Interrupted),
            false => Ok(()),
        }
    }
}

impl Observer for Worker<'_> {
    fn begin(&self, place: usize, of: usize, tag: &str) {
        let width = of.to_string().len();
        self.progress
            .begin(format!("[{:>width$}/{of}] {tag:<6}", place + 1));
        self.progress.phase("reading tables");
    }

    fn progress(&self, done: u64, total: u64) {
        self.progress.at(done, total);
    }

    fn end(&self, answer: &Answer, kept: bool) {
        if !self.says_verdicts {
            return;
        }
        let Claim { tag, title, .. } = &*answer.claim;
        let verdict = answer.verdict().words();
        let kept = if kept { ", answered before" } else { "" };
        let sentence = answer.sentence();
        self.line(&format!(
            "{tag:<6} {verdict}{kept}\n       {title}\n       {sentence}"
        ));
    }

    fn interrupted(&self) -> bool {
        let failed = self.failure.lock().unwrap_or_else(|e| e.into_inner());
        failed.is_some() || self.interrupt.happened()
    }
}

#[cfg(test)]
mod tests {
    use super::Consent;

    #[test]
    fn only_terminals_are_asked_before_long_work() {
        let is_asked = |seconds, is_terminal, yes| Consent { yes }.is_asked(seconds, is_terminal);
        assert!(is_asked(61.0, true, false));
        for (seconds, is_terminal, yes) in
            [(59.0, true, false), (9e9, false, false), (9e9, true, true)]
        {
            assert!(!is_asked(seconds, is_terminal, yes));
        }
    }
}
