//! Detects forks of a Python process, whose children must open tables and start threads anew.
//!
//! The threads of the parent do not exist in the child, and what they were about to open stays
//! half open.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rayon::ThreadPool;

/// The number of forks between the first process and this one.
static FORKS: AtomicU64 = AtomicU64::new(0);

/// The threads for whole batches, and for which process they were started. Kept,
/// because every thread keeps the blocks of tables that it has unpacked.
static POOL: Mutex<Option<(u64, Arc<ThreadPool>)>> = Mutex::new(None);

/// Called in the child after a fork.
#[pyfunction(name = "_after_fork")]
pub(crate) fn after_fork() {
    FORKS.fetch_add(1, Ordering::Relaxed);
}

/// The number of forks so far: what was made at another one may be unusable.
#[inline]
pub(crate) fn forks() -> u64 {
    FORKS.load(Ordering::Relaxed)
}

/// The threads for whole batches. Must be called with the interpreter's lock held,
/// so that no fork can fall in between.
pub(crate) fn pool(_py: Python<'_>) -> PyResult<Arc<ThreadPool>> {
    let mut place = POOL.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((made_at, pool)) = &*place
        && *made_at == forks()
    {
        return Ok(Arc::clone(pool));
    }
    if let Some((_, lost)) = place.take() {
        // Its threads are gone, so it must not wait for them.
        std::mem::forget(lost);
    }
    let pool = rayon::ThreadPoolBuilder::new().build();
    let pool = pool.map_err(|error| {
        PyRuntimeError::new_err(format!(
            "cannot start threads: {error}; close other programs"
        ))
    })?;
    let pool = Arc::new(pool);
    *place = Some((forks(), Arc::clone(&pool)));
    Ok(pool)
}
