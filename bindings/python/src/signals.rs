//! Runs long work without the interpreter's lock, and stops it at Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use pyo3::prelude::*;
use rayon::ThreadPool;
use retrograde_probe::ProbeError;
use retrograde_probe::whole::Stop;

use crate::errors::Trouble;

/// The interval at which it is asked whether Ctrl-C has been pressed.
pub(crate) const LISTEN: Duration = Duration::from_millis(50);

/// Has a pool do work without the interpreter's lock, and hears signals meanwhile. What a
/// signal's handler raises stops the work at its next step, and is raised when it has stopped.
pub(crate) fn listening<T: Send>(
    py: Python<'_>,
    pool: &ThreadPool,
    work: impl FnOnce(Stop<'_>) -> Result<T, Trouble> + Send,
) -> PyResult<T> {
    let (sender, mut results) = channel();
    let (stop, mut heard) = (AtomicBool::new(false), Ok(()));
    let result = pool.in_place_scope(|scope| {
        let stop = &stop;
        scope.spawn(move |_| {
            let _ = sender.send(work(&|| stop.load(Ordering::Relaxed)));
        });
        loop {
            let result;
            (result, results) = py.detach(move || (results.recv_timeout(LISTEN), results));
            if heard.is_ok() {
                heard = py.check_signals();
                stop.store(heard.is_err(), Ordering::Relaxed);
            }
            match result {
                Err(RecvTimeoutError::Timeout) => {}
                // Without a result the work has panicked, and the scope passes that on.
                result => return result.unwrap_or(Err(ProbeError::Stopped.into())),
            }
        }
    });
    heard?;
    Ok(result?)
}

/// An error if the work is to stop.
pub(crate) fn go_on(stop: Stop<'_>) -> Result<(), Trouble> {
    match stop() {
        true => Err(ProbeError::Stopped.into()),
        false => Ok(()),
    }
}
