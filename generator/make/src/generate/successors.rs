//! Loads the tables of successors into memory, for the solver to look up conversions.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use retrograde_folder::{ReadError, open_needed};
use retrograde_probe::whole::Stop;
use retrograde_probe::{IndexError, Metric, ProbeError};
use retrograde_rules::{Counters, Game, Material};

use super::GenerateError;
use crate::unstored::prepare_reader;
use retrograde_solve::{Successor, is_read_later, successors};

/// The successors of a material, ready for the solver: their DTM or their WDL.
pub(super) struct Successors<'a> {
    game: Game,
    /// The material.
    larger: &'a Material,
    /// The successors that have tables.
    needs: &'a [Material],
    folders: &'a [&'a Path],
    metric: Metric,
    /// Whether to give up.
    stop: Stop<'a>,
    /// The successors that stay in memory.
    loaded: RefCell<HashMap<Material, Arc<Successor>>>,
    /// The bytes that more of them may take.
    spare: Cell<u64>,
    failures: Failures,
    failure: RefCell<Option<GenerateError>>,
}

impl<'a> Successors<'a> {
    /// The successors of the material `larger`, of which those in `needs` have tables. Each
    /// is read whenever it is asked for. `stop` says whether to give up.
    pub(super) fn new(
        game: Game,
        (larger, needs): (&'a Material, &'a [Material]),
        folders: &'a [&'a Path],
        metric: Metric,
        stop: Stop<'a>,
    ) -> Successors<'a> {
        Successors {
            game,
            larger,
            needs,
            folders,
            metric,
            stop,
            loaded: RefCell::default(),
            spare: Cell::new(0),
            failures: Failures::default(),
            failure: RefCell::default(),
        }
    }

    /// Reads all of them now.
    pub(super) fn load_all(self) -> Result<Successors<'a>, GenerateError> {
        for material in successors(self.game, self.larger) {
            let successor = self.load(&material, None)?;
            self.loaded.borrow_mut().insert(material, successor);
        }
        Ok(self)
    }

    /// Keeps those that have been read in memory, as long as they take no more than `spare`
    /// bytes.
    pub(super) fn keep(self, spare: u64) -> Successors<'a> {
        self.spare.set(spare);
        self
    }

    /// Finds a successor; `None` if it cannot be read, for the reason that [`Successors::failure`]
    /// gives.
    pub(super) fn find(&self, material: &Material) -> Option<Arc<Successor>> {
        if let Some(loaded) = self.loaded.borrow().get(material) {
            return Some(Arc::clone(loaded));
        }
        let loaded = self.load(material, None);
        let failed = |error| self.failure.replace(Some(error));
        let loaded = loaded.map_err(failed).ok()?;
        if let Some(spare) = self.spare.get().checked_sub(loaded.bytes()) {
            self.spare.set(spare);
            let mut kept = self.loaded.borrow_mut();
            kept.insert(*material, Arc::clone(&loaded));
        }
        Some(loaded)
    }

    /// Finds a successor after a conversion with some counters, where checks are counted: see
    /// [`Successor::read_counted`]. It is read each time.
    pub(super) fn find_counted(
        &self,
        material: &Material,
        counters: Counters,
    ) -> Option<Arc<Successor>> {
        let loaded = self.load(material, Some(counters));
        let failed = |error| self.failure.replace(Some(error));
        loaded.map_err(failed).ok()
    }

    /// The reason why a successor could not be read; `None` if all could.
    pub(super) fn failure(&self) -> Option<GenerateError> {
        let later = first(&self.failures).take().map(GenerateError::from);
        self.failure.take().or(later)
    }

    fn load(
        &self,
        material: &Material,
        counters: Option<Counters>,
    ) -> Result<Arc<Successor>, GenerateError> {
        let successor = match self.needs.contains(material) {
            true => self.load_table(material, counters)?,
            false if self.metric == Metric::Wdl => Successor::drawn_wdl(self.game, material),
            false => Successor::drawn(self.game, material),
        };
        let successor = successor.map_err(|source| GenerateError::Solve {
            material: material.name(self.game),
            source: source.into(),
        })?;
        match first(&self.failures).take() {
            Some(error) => Err(error.into()),
            None => Ok(Arc::new(successor)),
        }
    }

    /// Loads a successor that has a table.
    fn load_table(
        &self,
        material: &Material,
        counters: Option<Counters>,
    ) -> Result<Result<Successor, IndexError>, GenerateError> {
        let (game, larger, metric) = (self.game, self.larger, self.metric);
        let table = open_needed(game, material, metric, self.folders)?;
        let index = table.index().clone();
        let is_later = is_read_later(game, material, larger.len());
        if !is_later {
            prepare_reader(&table, self.stop)?;
        }
        let failures = Arc::clone(&self.failures);
        let read = move |turn, indices: Range<u64>, values: &mut [i16]| {
            if let Err(error) = table.read(turn, indices.start, values) {
                first(&failures).get_or_insert(error);
            }
        };
        let (stop, failures) = (self.stop, &self.failures);
        let read_on = |turn, indices: Range<u64>, values: &mut [i16]| match stop() {
            true => {
                first(failures).get_or_insert(ProbeError::Stopped.into());
            }
            false => read(turn, indices, values),
        };
        if let Some(counters) = counters {
            let read = Successor::read_counted(game, larger, &index, &read_on, counters);
            return Ok(read);
        }
        Ok(match metric {
            _ if is_later => Successor::read_later(game, &index, Box::new(read)),
            Metric::Wdl => Successor::read_wdl(game, larger, &index, &read_on),
            _ => Successor::read(game, larger, &index, &read_on),
        })
    }
}

/// The first table that could not be read while solving.
type Failures = Arc<Mutex<Option<ReadError>>>;

fn first(failures: &Failures) -> MutexGuard<'_, Option<ReadError>> {
    failures.lock().unwrap_or_else(PoisonError::into_inner)
}
