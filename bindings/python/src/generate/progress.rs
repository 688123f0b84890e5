//! What Python is told of tables in the making, and of those that are made.

use pyo3::prelude::*;
use retrograde_make::generate::TableOutcome;
use retrograde_probe::Metric;
use retrograde_rules::Game;

/// A step in making tables.
#[pyclass(name = "Progress", module = "retrograde", frozen, get_all, eq, hash)]
#[derive(Clone, PartialEq, Hash)]
pub(crate) struct PyProgress {
    /// The table.
    pub(super) material: String,
    /// Its number, from 1.
    pub(super) place: usize,
    /// How many tables there are.
    pub(super) of: usize,
    /// `waiting`, `reading`, `solving`, `zeroing`, `writing`, `packing`, `replacing`,
    /// `made` or `kept`.
    pub(super) phase: &'static str,
    /// The metric that is being written, if one is.
    pub(super) metric: Option<&'static str>,
    /// How much of the phase is done.
    pub(super) done: u64,
    /// How much there is to do; 0 if it is not known.
    pub(super) total: u64,
    /// Why a file is made again, while the phase is `replacing`.
    pub(super) message: Option<String>,
}

impl PyProgress {
    /// A phase begins: nothing of it is done, and what was said of others is over.
    pub(super) fn enter(&mut self, phase: &'static str, metric: Option<Metric>) {
        (self.phase, self.metric) = (phase, metric.map(|metric| metric.name()));
        (self.done, self.total) = (0, 0);
        self.message = None;
    }
}

#[pymethods]
impl PyProgress {
    fn __repr__(&self) -> String {
        let Self {
            material,
            place,
            of,
            phase,
            ..
        } = self;
        let metric = self.metric.map(|metric| format!(" {metric}"));
        let metric = metric.unwrap_or_default();
        let (done, total) = (self.done, self.total);
        match total {
            0 => format!("<Progress {place}/{of} {material}: {phase}{metric}>"),
            _ => format!("<Progress {place}/{of} {material}: {phase}{metric} {done}/{total}>"),
        }
    }
}

/// What became of a table.
#[pyclass(name = "MadeTable", module = "retrograde", frozen, get_all, eq, hash)]
#[derive(PartialEq, Hash)]
pub(crate) struct PyMade {
    /// The material.
    material: String,
    /// Whether sound files existed already.
    kept: bool,
    /// The size of its files.
    bytes: u64,
    /// The plies of the longest win or loss; None if no DTM was made.
    longest_depth: Option<usize>,
}

impl PyMade {
    /// The outcome of a table of a game.
    pub(super) fn new(game: Game, outcome: &TableOutcome) -> PyMade {
        PyMade {
            material: outcome.material.name(game),
            kept: outcome.kept,
            bytes: outcome.bytes,
            longest_depth: outcome.longest_depth,
        }
    }
}

#[pymethods]
impl PyMade {
    fn __repr__(&self) -> String {
        let word = if self.kept { "kept" } else { "made" };
        format!("<MadeTable {} {word}, {} bytes>", self.material, self.bytes)
    }
}
