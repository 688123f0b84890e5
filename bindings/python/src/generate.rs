//! Makes tables from Python, for `generate`, in the background of the interpreter.
//!
//! The interpreter stays free to report progress and to hear Ctrl-C.

mod watcher;

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use retrograde_make::generate::{GenerateError, GenerateOptions, TableOutcome};
use retrograde_make::packing::Packing;
use retrograde_make::plan::Plan;
use retrograde_make::repack::{RepackError, RepackOptions};
use retrograde_probe::{Metric, default_folders, environment_folders};
use retrograde_rules::Game;

use crate::arguments;
use crate::errors::{find_game, generate_error, probe_error, table_error};
use crate::folders::folders;
use crate::plan::read_plan;
use crate::results::result;
use crate::signals::LISTEN;
use watcher::{Event, Progress, Stop, Watcher};

/// The reasons why the work ended early.
enum Failure {
    Generate(Box<GenerateError>),
    Repack(Box<RepackError>),
    Threads(String),
    Stopped,
    Panic(Box<dyn Any + Send>),
}

/// The fields of a `MadeTable`.
#[derive(IntoPyObject)]
struct Made {
    material: String,
    kept: bool,
    bytes: u64,
    longest_depth: Option<usize>,
}

/// The work of the thread in the background.
struct Job {
    game: Game,
    plan: Plan,
    options: GenerateOptions,
    packing: Packing,
    threads: usize,
}

impl Job {
    fn run(&self, watcher: &Watcher) -> Result<Vec<TableOutcome>, Failure> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads)
            .build();
        let pool = pool.map_err(|error| Failure::Threads(error.to_string()))?;
        let work = || pool.install(|| self.work(watcher));
        match catch_unwind(AssertUnwindSafe(work)) {
            Ok(result) => result,
            Err(payload) if payload.is::<Stop>() => Err(Failure::Stopped),
            Err(payload) => Err(Failure::Panic(payload)),
        }
    }

    fn work(&self, watcher: &Watcher) -> Result<Vec<TableOutcome>, Failure> {
        let summary =
            retrograde_make::generate::generate(self.game, &self.plan, &self.options, watcher)
                .map_err(|error| Failure::Generate(Box::new(error)))?;
        if self.packing == Packing::Small {
            let out = &self.options.out;
            let materials = self.plan.found_in(out);
            let options = RepackOptions {
                both_sides: false,
                out: Some(out.clone()),
                tables: self.options.tables.clone(),
                packing: self.packing,
            };
            retrograde_make::repack::repack(self.game, &materials, &options, watcher)
                .map_err(|error| Failure::Repack(Box::new(error)))?;
        }
        Ok(summary.outcomes)
    }
}

/// Makes tables, and all tables that they need; what is there and sound is kept.
///
/// `materials` is a name or a list of names, `men` stands for all materials of up to so
/// many pieces. Tables are written to `out`, else to the first table folder, and read from
/// `tables`, else from where `open_tablebase` looks; a folder that is named alone as `out`
/// will be complete in itself. `threads` is all processors unless it is said, `memory` a
/// limit in bytes, `metrics` are those to make, such as `["wdl"]`, unless all that the game
/// has; what other tables are solved from is made as well. `pack` is `"fast"` or `"small"`.
/// `progress` is called with a `Progress` now and then. `game` and `games` are as in
/// `open_tablebase`.
///
/// Ctrl-C, or an exception of `progress`, stops the work at its next step: what is finished
/// remains, and the same call continues. A second Ctrl-C does not wait for that step.
///
/// >>> import tempfile
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     retrograde.generate("orthodox", "KQK", out=folder)
/// ...     retrograde.open_tablebase(folder).probe_dtm("8/8/8/3k4/8/8/8/KQ6 w - -")
/// [<MadeTable KQvK made, ... bytes>]
/// 17
#[pyfunction]
#[pyo3(signature = (
    game, materials=None, *, men=None, out=None, tables=None, threads=None, memory=None,
    force=false, metrics=None, pack="fast", progress=None, games=None
))]
#[allow(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn generate<'py>(
    py: Python<'py>,
    #[pyo3(from_py_with = arguments::game)] game: String,
    materials: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::men)] men: Option<usize>,
    #[pyo3(from_py_with = arguments::out)] out: Option<PathBuf>,
    tables: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::threads)] threads: Option<usize>,
    #[pyo3(from_py_with = arguments::memory)] memory: Option<u64>,
    force: bool,
    metrics: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::pack)] pack: &str,
    progress: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::games)] games: Option<Vec<PathBuf>>,
) -> PyResult<Vec<Bound<'py, PyAny>>> {
    // As on the command line: a folder that is named alone is to be complete in
    // itself.
    let tables = match (&out, tables.filter(|tables| !tables.is_none())) {
        (Some(out), None) if environment_folders().is_none() => vec![out.clone()],
        (_, None) => default_folders(),
        (_, given) => folders(given)?,
    };
    let game = find_game(&game, games, tables.clone())?;
    let plan = read_plan(game, materials, men)?;
    let packing = match pack {
        "fast" => Packing::Fast,
        "small" => Packing::Small,
        _ => return Err(PyValueError::new_err("pack is \"fast\" or \"small\"")),
    };
    let metrics = arguments::metrics(metrics)?
        .map(|names| read_metrics(game, &names))
        .transpose()?;
    let out = out.or_else(|| tables.first().cloned()).unwrap_or_default();
    let job = Job {
        game,
        plan,
        options: GenerateOptions {
            out,
            tables,
            memory,
            force,
            metrics: metrics.map(|metrics| packing.with_needed(metrics)),
            ..GenerateOptions::default()
        },
        packing,
        threads: threads.unwrap_or(0),
    };
    let outcomes = Listener::start(job)?.listen(py, progress)?;
    let made = |outcome: &TableOutcome| {
        let made = Made {
            material: outcome.material.name(game),
            kept: outcome.kept,
            bytes: outcome.bytes,
            longest_depth: outcome.longest_depth,
        };
        result(py, "MadeTable", (made,))
    };
    outcomes.iter().map(made).collect()
}

/// The metrics of a game by their names.
fn read_metrics(game: Game, names: &[String]) -> PyResult<Vec<Metric>> {
    if names.is_empty() {
        return Err(PyValueError::new_err(
            "metrics names none; leave it out for all",
        ));
    }
    let metrics = names.iter().map(|name| Metric::parse_of(game, name));
    let metrics: Result<Vec<Metric>, _> = metrics.collect();
    metrics.map_err(|error| PyValueError::new_err(error.to_string()))
}

/// The interpreter's side of the work.
struct Listener {
    events: Receiver<Event>,
    stop: Arc<AtomicBool>,
}

impl Listener {
    fn start(job: Job) -> PyResult<Listener> {
        let (sender, events) = channel();
        let stop = Arc::new(AtomicBool::new(false));
        let watcher = Watcher {
            game: job.game,
            events: sender,
            stop: Arc::clone(&stop),
            current: std::sync::Mutex::new(Progress::begin(
                String::new(),
                0,
                job.plan.tables().len(),
            )),
        };
        let work = move || {
            let result = job.run(&watcher);
            let _ = watcher.events.send(Event::Done(result));
        };
        let thread = thread::Builder::new().name("retrograde".to_owned());
        thread.spawn(work)?;
        Ok(Listener { events, stop })
    }

    /// Passes progress on until the work is done. Ctrl-C, or an exception of the
    /// callback, stops it at its next step, and is raised when it has stopped; a
    /// second Ctrl-C does not wait for that.
    fn listen(
        self,
        py: Python<'_>,
        progress: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Vec<TableOutcome>> {
        let progress = progress.filter(|progress| !progress.is_none());
        let mut raised: Option<PyErr> = None;
        let mut events = self.events;
        loop {
            let event;
            (event, events) = py.detach(move || (events.recv_timeout(LISTEN), events));
            if let Err(error) = py.check_signals() {
                if raised.is_some() {
                    return Err(error);
                }
                self.stop.store(true, Ordering::Relaxed);
                raised = Some(error);
            }
            match event {
                Ok(Event::Progress(event)) => {
                    let Some(progress) = progress.filter(|_| raised.is_none()) else {
                        continue;
                    };
                    let event = result(py, "Progress", (event,));
                    if let Err(error) = event.and_then(|event| progress.call1((event,))) {
                        self.stop.store(true, Ordering::Relaxed);
                        raised = Some(error);
                    }
                }
                Ok(Event::Done(result)) => {
                    return match (raised, result) {
                        (Some(error), _) => Err(error),
                        (None, Ok(outcomes)) => Ok(outcomes),
                        (None, Err(failure)) => Err(failure.into()),
                    };
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    let lost = || PyRuntimeError::new_err("the thread at work has ended");
                    return Err(raised.unwrap_or_else(lost));
                }
            }
        }
    }
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> PyErr {
        match failure {
            Failure::Generate(error) => match *error {
                GenerateError::Table(error) => table_error(&error),
                GenerateError::Ground(error) => probe_error(&error),
                error => {
                    let is_exhausted = error.is_exhausted();
                    generate_error(error.to_string(), is_exhausted, error.io_error())
                }
            },
            Failure::Repack(error) => match *error {
                RepackError::Table(error) => table_error(&error),
                RepackError::Ground(error) => probe_error(&error),
                error => {
                    let is_exhausted = error.is_exhausted();
                    generate_error(error.to_string(), is_exhausted, error.io_error())
                }
            },
            Failure::Threads(error) => {
                PyRuntimeError::new_err(format!("cannot start threads: {error}; use fewer"))
            }
            Failure::Stopped => PyRuntimeError::new_err("the work was stopped"),
            Failure::Panic(payload) => {
                let text = payload.downcast_ref::<&str>().copied();
                let text = text.or(payload.downcast_ref::<String>().map(String::as_str));
                let text = text.unwrap_or("no reason given");
                PyRuntimeError::new_err(format!("a fault in retrograde itself: {text}"))
            }
        }
    }
}
