//! Packs tables anew with the same values, for `retrograde repack`.

use std::path::PathBuf;

use retrograde::repack::{RepackError, RepackObserver, RepackOptions, RepackOutcome, repack};
use retrograde_probe::Metric;
use retrograde_probe::advice::Advice;
use retrograde_rules::{Game, Material};

use super::advice;
use super::failure::{CommandResult, Failure, Status, status_of_fault, status_of_probe};
use super::folders::Folders;
use super::interrupt::Interrupt;
use super::materials::Named;
use super::numbers::bytes;
use super::pack::Pack;
use super::progress::Progress;
use super::threads::Threads;

/// Pack tables anew, small or fast, with the same values
///
/// Without a material, all tables in the folders are packed, smaller ones first. Every
/// value of the new file is read back and compared before it takes its place. Files that
/// are packed that way already are kept, so interrupted work goes on where it stopped.
#[derive(clap::Args)]
pub(crate) struct RepackCommand {
    #[command(flatten)]
    named: Named,
    /// How to pack them
    #[arg(long, value_enum)]
    pack: Pack,
    /// Store both sides to move, which makes probes faster; otherwise small
    /// tables have only one where the other can be computed
    #[arg(long)]
    both_sides: bool,
    /// The table folder to write to [default: where each table is]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    #[command(flatten)]
    folders: Folders,
}

impl RepackCommand {
    pub(crate) fn run(&self) -> CommandResult {
        let materials = self.named.materials_or_all(&self.folders)?;
        if materials.is_empty() {
            return Err(self.named.nothing(&self.folders, "pack"));
        }
        let options = RepackOptions {
            out: self.out.clone(),
            tables: self.folders.list(),
            packing: self.pack.into(),
            both_sides: self.both_sides,
        };
        let progress = Progress::new();
        let interrupt = Interrupt::listen(
            &progress,
            "interrupted: the file at hand will be finished; Ctrl-C again stops at once; \
             run again to continue",
        );
        let watcher = Watcher {
            game: self.named.game,
            interrupt,
            progress,
        };
        watcher.run(&materials, &options, &self.threads, &self.folders)
    }
}

pub(super) fn failure(error: &RepackError, game: Game, folders: &Folders) -> Failure {
    let status = match error {
        error if error.is_exhausted() => Status::Resources,
        RepackError::Table(error) => status_of_fault(&error.fault),
        RepackError::Ground(error) => status_of_probe(error),
        RepackError::Digest(_) | RepackError::Old(_) => Status::Corrupt,
        RepackError::Contradiction { .. } => Status::Corrupt,
        RepackError::Index(_) => Status::Usage,
        RepackError::Solve(_) => Status::Corrupt,
        RepackError::Write(_) | RepackError::Lock(_) => Status::Io,
    };
    let limits = error.io_error().and_then(advice::of_limits);
    let advice = match error {
        RepackError::Table(error) => {
            return Failure::new(status, error.with_advice(folders));
        }
        RepackError::Ground(error) => return folders.probe_failure(error),
        RepackError::Digest(_) => "; make the table again".to_owned(),
        RepackError::Old(_) => "; pack that anew first, with: retrograde repack".to_owned(),
        RepackError::Contradiction { .. } | RepackError::Solve(_) => {
            format!("; {}", folders.contradiction(game.id().as_str()))
        }
        RepackError::Index(_) => String::new(),
        _ if limits.is_some() => format!("; {}", limits.unwrap_or_default()),
        _ if status == Status::Resources => "; make room, or write elsewhere with --out".to_owned(),
        RepackError::Write(_) | RepackError::Lock(_) => {
            "; name another folder with --out".to_owned()
        }
    };
    Failure::new(status, format!("{error}{advice}"))
}

/// Tells people how it goes.
pub(super) struct Watcher {
    pub(super) game: Game,
    pub(super) progress: Progress,
    pub(super) interrupt: Interrupt,
}

impl Watcher {
    /// Packs tables anew.
    pub(super) fn run(
        &self,
        materials: &[Material],
        options: &RepackOptions,
        threads: &Threads,
        folders: &Folders,
    ) -> CommandResult {
        let result = threads.run(|| repack(self.game, materials, options, self))?;
        self.progress.finish();
        match result.map_err(|error| failure(&error, self.game, folders))? {
            true => Ok(Status::Fine),
            false => Ok(Status::Interrupted),
        }
    }
}

impl RepackObserver for Watcher {
    fn begin(&self, material: &Material, metric: Metric) {
        self.progress
            .begin(format!("{}.{metric}", material.name(self.game)));
        self.progress.phase("packing");
    }

    fn waiting(&self, material: &Material) {
        self.progress.phase("waiting");
        self.progress.say(&format!(
            "{} is being made by another process; waiting for it",
            material.name(self.game)
        ));
    }

    fn progress(&self, done: u64, total: u64) {
        self.progress.at(done, total);
    }

    fn end(&self, done: &RepackOutcome) {
        let path = done.path.display();
        let (before, after) = (bytes(done.before), bytes(done.after));
        self.progress.say(&match done.kept {
            true => format!("{path} kept, {after}"),
            false => format!("{path} packed, {before} to {after}, all values equal"),
        });
    }

    fn interrupted(&self) -> bool {
        self.interrupt.happened()
    }
}
