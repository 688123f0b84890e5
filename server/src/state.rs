//! Holds what all requests share: tables, limits, threads and counters.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::pool::Pool;
use crate::rate::Rate;
use crate::statistics::Tallies;
use crate::tables::Library;

/// The application: tables, limits, and what is counted. Cloning it is cheap.
#[derive(Clone)]
pub struct App(Arc<Shared>);

/// The state that clones of an [`App`] share.
pub struct Shared {
    pub(crate) library: Library,
    pub(crate) limits: Limits,
    pub(crate) pool: Pool,
    pub(crate) tallies: Tallies,
    pub(crate) metrics: Metrics,
    pub(crate) rate: Option<Rate>,
    /// A permit for each search that may run.
    pub(crate) searches: Arc<Semaphore>,
    /// Cancelled when the program has been told to stop.
    pub(crate) stop: CancellationToken,
}

impl App {
    /// An application that answers from these tables within these limits.
    pub fn new(library: Library, limits: Limits) -> App {
        App(Arc::new(Shared {
            pool: Pool::new(limits.threads, limits.waiting, limits.time),
            tallies: Tallies::new(library.folders(), limits.memory),
            metrics: Metrics::new(library.len()),
            rate: limits.rate.map(Rate::new),
            searches: Arc::new(Semaphore::new(limits.searches)),
            stop: CancellationToken::new(),
            library,
            limits,
        }))
    }
}

impl std::ops::Deref for App {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}
