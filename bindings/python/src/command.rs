//! Runs the command `retrograde` for Python, which installs it.

use std::ffi::OsString;

use pyo3::prelude::*;
use retrograde::cli;

/// Runs the command with the given arguments, the first of which is its name, and returns the exit
/// code. For a process that does nothing else: the command takes over its signals.
#[pyfunction(name = "_run")]
pub(crate) fn run(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
    py.detach(|| cli::run(arguments))
}
