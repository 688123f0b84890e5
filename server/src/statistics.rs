//! Counts the statistics of each material once, and keeps them as JSON.

use std::collections::HashMap;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::http::StatusCode;
use bytes::Bytes;
use rayon::{ThreadPool, ThreadPoolBuilder};
use retrograde::stats::{Stats, StatsObject, kept, recount, recount_bytes};
use retrograde::values::ValuesError;
use retrograde_probe::Tablebase;
use retrograde_rules::{Game, Material};
use tokio::sync::{Semaphore, watch};

use crate::problem::Problem;
use crate::reply::unwritten;

/// The number of statistics that are kept: more than there are materials in any folder of four men.
const MOST_KEPT: usize = 512;

/// The number of materials that may be read or counted at once, or wait for that.
pub(crate) const MOST_WAITING: usize = 16;

/// `None` while a material is being counted.
type Counted = Option<Result<Bytes, Problem>>;

type Kept = HashMap<(Game, Material), watch::Receiver<Counted>>;

/// Statistics as JSON. One material is counted at a time; whoever asks in the meantime waits.
#[derive(Clone)]
pub(crate) struct Tallies {
    kept: Arc<Mutex<Kept>>,
    turn: Arc<Semaphore>,
    /// Threads to count in; `None` if none could be started.
    threads: Option<Arc<ThreadPool>>,
    folders: Arc<[PathBuf]>,
    /// The most bytes of memory that counting may take.
    memory: u64,
}

impl Tallies {
    pub(crate) fn new(folders: &[PathBuf], memory: u64) -> Tallies {
        Tallies {
            kept: Arc::default(),
            turn: Arc::new(Semaphore::new(1)),
            threads: threads().map(Arc::new),
            folders: folders.into(),
            memory,
        }
    }

    /// The statistics of a material in normal form.
    ///
    /// # Errors
    /// A table is missing or damaged, or counting takes longer than `time`: it goes on, and
    /// the next question finds more done.
    pub(crate) async fn of(
        &self,
        tables: Arc<Tablebase>,
        material: Material,
        time: Duration,
    ) -> Result<Bytes, Problem> {
        let name = material.name(tables.game());
        let mut counted = self.counting(tables, material)?;
        let done = tokio::time::timeout(time, counted.wait_for(Option::is_some)).await;
        match done {
            Ok(Ok(done)) => done
                .clone()
                .unwrap_or_else(|| Err(fault(&"it is not done", &name))),
            Ok(Err(error)) => Err(fault(&error, &name)),
            Err(_) => Err(Problem::busy(
                format!("{name} is being counted; ask again"),
                10,
            )),
        }
    }

    /// A receiver that learns when a material has been counted; starts counting if nobody has.
    fn counting(
        &self,
        tables: Arc<Tablebase>,
        material: Material,
    ) -> Result<watch::Receiver<Counted>, Problem> {
        let key = (tables.game(), material);
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        // Of one whose task has died, nothing more is heard.
        kept.retain(|_, counted| counted.borrow().is_some() || counted.has_changed().is_ok());
        if let Some(counted) = kept.get(&key) {
            return Ok(counted.clone());
        }
        let unfinished = kept.values().filter(|counted| counted.borrow().is_none());
        if unfinished.count() >= MOST_WAITING {
            return Err(Problem::busy("other materials are being counted first", 10));
        }
        if kept.len() >= MOST_KEPT {
            kept.retain(|_, counted| counted.borrow().is_none());
        }
        let (sender, counted) = watch::channel(None);
        kept.insert(key, counted.clone());
        drop(kept);
        let all = self.clone();
        tokio::spawn(async move {
            let result = match read(tables.clone(), material).await {
                Some(result) => result,
                // Files of older programs keep no numbers.
                None => all.count(tables, material).await,
            };
            if result.is_err() {
                // What is wrong may be mended.
                let mut kept = all.kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.remove(&key);
            }
            let _ = sender.send(Some(result));
        });
        Ok(counted)
    }

    /// Counts a material once it is its turn.
    async fn count(&self, tables: Arc<Tablebase>, material: Material) -> Result<Bytes, Problem> {
        let name = material.name(tables.game());
        let called = name.clone();
        let _turn = self.turn.acquire().await;
        let (threads, memory) = (self.threads.clone(), self.memory);
        let folders = Arc::clone(&self.folders);
        let work = move || {
            // Whole tables that counting keeps in memory go with it.
            let tables = Tablebase::open(tables.game(), &*folders);
            let tables = tables.map_err(|error| fault(&error, &called))?;
            let count = threads
                .as_ref()
                .map_or(1, |pool| pool.current_num_threads());
            let bytes = recount_bytes(&tables, &material, count).map_err(problem)?;
            if bytes > memory {
                return Err(too_large(&called, bytes));
            }
            let count = || recount(&tables, &material).map_err(problem);
            match &threads {
                Some(threads) => threads.install(count),
                None => count(),
            }
        };
        let counted = tokio::task::spawn_blocking(work).await;
        json(&counted.unwrap_or_else(|error| Err(fault(&error, &name)))?)
    }
}

/// Reads the statistics that the files of a material keep; `None` if it has to be counted.
async fn read(tables: Arc<Tablebase>, material: Material) -> Option<Result<Bytes, Problem>> {
    let name = material.name(tables.game());
    let kept = tokio::task::spawn_blocking(move || kept(&tables, &material)).await;
    match kept {
        Ok(Ok(kept)) => kept.map(|stats| json(&stats)),
        Ok(Err(error)) => Some(Err(problem(error))),
        Err(error) => Some(Err(fault(&error, &name))),
    }
}

fn fault(error: &dyn Display, material: &str) -> Problem {
    Problem::fault(&format!("{material} could not be counted"), error)
}

/// Counting takes more memory than it may. Asking again does not help.
fn too_large(material: &str, bytes: u64) -> Problem {
    let mebibytes = bytes.div_ceil(1 << 20);
    let detail = format!(
        "counting {material} may take {mebibytes} MiB of memory, more than this server gives; \
        count it with `retrograde stats`"
    );
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unsupported", detail)
}

/// Half the processors: whoever looks up positions in the meantime has the others.
fn threads() -> Option<ThreadPool> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let builder = ThreadPoolBuilder::new().num_threads(cores.div_ceil(2));
    builder.thread_name(|_| "stats".to_owned()).build().ok()
}

fn problem(error: ValuesError) -> Problem {
    match error {
        ValuesError::Probe(error) => Problem::from(error),
        error => Problem::bad_request(error.to_string()),
    }
}

fn json(stats: &Stats) -> Result<Bytes, Problem> {
    let json = serde_json::to_vec(&StatsObject::new(stats));
    json.map(Bytes::from).map_err(|error| unwritten(&error))
}
