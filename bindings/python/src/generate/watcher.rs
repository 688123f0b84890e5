//! Passes progress from the thread that makes tables to Python's, and the signal to stop back.

use std::panic::resume_unwind;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;

use pyo3::IntoPyObject;
use retrograde_make::generate::{GenerateObserver, Phase, TableOutcome};
use retrograde_make::plan::PlannedTable;
use retrograde_make::repack::{RepackObserver, RepackOutcome};
use retrograde_probe::Metric;
use retrograde_rules::{Game, Material};

use super::Failure;

/// News from the working thread.
pub(super) enum Event {
    Progress(Progress),
    Done(Result<Vec<TableOutcome>, Failure>),
}

/// The fields of a `Progress`.
#[derive(Clone, IntoPyObject)]
pub(super) struct Progress {
    material: String,
    place: usize,
    of: usize,
    phase: &'static str,
    metric: Option<&'static str>,
    done: u64,
    total: u64,
    message: Option<String>,
}

impl Progress {
    /// A table begins: the material, its place, and of how many.
    pub(super) fn begin(material: String, place: usize, of: usize) -> Progress {
        Progress {
            material,
            place,
            of,
            phase: "reading",
            metric: None,
            done: 0,
            total: 0,
            message: None,
        }
    }

    /// A phase begins: nothing of it is done, and what was said of others is over.
    fn enter(&mut self, phase: &'static str, metric: Option<Metric>) {
        (self.phase, self.metric) = (phase, metric.map(|metric| metric.name()));
        (self.done, self.total) = (0, 0);
        self.message = None;
    }
}

/// Unwinds the working thread: what is unfinished is removed on the way.
pub(super) struct Stop;

/// Tells the interpreter's thread how it goes.
pub(super) struct Watcher {
    pub(super) game: Game,
    pub(super) events: Sender<Event>,
    pub(super) stop: Arc<AtomicBool>,
    pub(super) current: std::sync::Mutex<Progress>,
}

impl Watcher {
    /// Ends the work, if that is wanted: the fastest way out, and nothing is lost but
    /// the table in progress.
    fn heed(&self) {
        if self.stop.load(Ordering::Relaxed) {
            resume_unwind(Box::new(Stop));
        }
    }

    fn tell(&self, change: impl FnOnce(&mut Progress)) {
        self.heed();
        let event = {
            let mut current = self.current.lock().unwrap_or_else(|e| e.into_inner());
            change(&mut current);
            current.clone()
        };
        // Nobody listens any more after a second Ctrl-C.
        let _ = self.events.send(Event::Progress(event));
    }
}

impl GenerateObserver for Watcher {
    fn begin(&self, place: usize, of: usize, table: &PlannedTable) {
        self.tell(|current| *current = Progress::begin(table.name(), place + 1, of));
    }

    fn phase(&self, phase: Phase) {
        self.tell(|current| {
            let (phase, metric) = match phase {
                Phase::Waiting => ("waiting", None),
                Phase::Reading => ("reading", None),
                Phase::Solving => ("solving", None),
                Phase::Zeroing => ("zeroing", None),
                Phase::Writing(metric) => ("writing", Some(metric)),
            };
            current.enter(phase, metric);
        });
    }

    fn progress(&self, done: u64, total: u64) {
        self.tell(|current| (current.done, current.total) = (done, total));
    }

    fn replacing(&self, path: &Path, why: &str) {
        self.tell(|current| {
            current.enter("replacing", None);
            current.message = Some(format!("{}: {why}", path.display()));
        });
    }

    fn end(&self, outcome: &TableOutcome) {
        self.tell(|current| {
            current.enter(if outcome.kept { "kept" } else { "made" }, None);
        });
    }

    fn interrupted(&self) -> bool {
        self.heed();
        false
    }
}

impl RepackObserver for Watcher {
    fn begin(&self, material: &Material, metric: Metric) {
        self.tell(|current| {
            current.material = material.name(self.game);
            current.enter("packing", Some(metric));
        });
    }

    fn waiting(&self, material: &Material) {
        self.tell(|current| {
            current.material = material.name(self.game);
            current.enter("waiting", None);
        });
    }

    fn progress(&self, done: u64, total: u64) {
        self.tell(|current| (current.done, current.total) = (done, total));
    }

    fn end(&self, _outcome: &RepackOutcome) {}

    fn interrupted(&self) -> bool {
        self.heed();
        false
    }
}
