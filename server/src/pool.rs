//! Runs lookups in a bounded number of threads, beside those that serve connections.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use crate::problem::Problem;

/// Runs what may wait for a disk in a bounded number of threads. A question that takes too
/// long is answered by a problem, but its thread counts as taken until it is done.
pub(crate) struct Pool {
    threads: Arc<Semaphore>,
    waiting: AtomicUsize,
    most_waiting: usize,
    time: Duration,
}

impl Pool {
    pub(crate) fn new(threads: usize, most_waiting: usize, time: Duration) -> Pool {
        Pool {
            threads: Arc::new(Semaphore::new(threads)),
            waiting: AtomicUsize::new(0),
            most_waiting,
            time,
        }
    }

    /// Runs a function in one of the threads.
    ///
    /// # Errors
    /// Too many wait already, it takes too long, or it panics.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = match Arc::clone(&self.threads).try_acquire_owned() {
            Ok(permit) => permit,
            Err(_) => self.wait().await?,
        };
        let task = spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        match tokio::time::timeout(self.time, task).await {
            Ok(Ok(result)) => Ok(result),
            Ok(Err(error)) => Err(Problem::fault("a question could not be answered", &error)),
            Err(_) => Err(Problem::busy("this takes too long; try again later", 10)),
        }
    }

    async fn wait(&self) -> Result<tokio::sync::OwnedSemaphorePermit, Problem> {
        let busy = || Problem::busy("the server is busy; try again", 1);
        let _place = Place::take(&self.waiting, self.most_waiting).ok_or_else(busy)?;
        let permit = Arc::clone(&self.threads).acquire_owned();
        match tokio::time::timeout(self.time, permit).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(busy()),
        }
    }
}

/// A place among those who wait; it is given back when it is dropped.
struct Place<'a>(&'a AtomicUsize);

impl Place<'_> {
    fn take(waiting: &AtomicUsize, most: usize) -> Option<Place<'_>> {
        let place = Place(waiting);
        (waiting.fetch_add(1, Ordering::Relaxed) < most).then_some(place)
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}
