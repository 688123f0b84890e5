//! Holds the open tables of a Python `Tablebase`, for whichever thread asks.
//!
//! They are opened anew after a fork, and replaced when a folder is added.

use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use pyo3::prelude::*;
use retrograde_probe::Tablebase;
use retrograde_rules::Game;

use super::PyTablebase;
use crate::errors::{Trouble, find_game, table_error};
use crate::folders::{add_folder, folders, table_folder};
use crate::fork::forks;

/// The tables as they are now.
pub(super) struct State {
    folders: Vec<PathBuf>,
    /// `None` once closed.
    pub(super) tables: Option<Arc<Tablebase>>,
    /// The number of forks when the tables were opened.
    forks: u64,
}

impl PyTablebase {
    pub(super) fn open(
        py: Python<'_>,
        game: &str,
        games: Option<Vec<PathBuf>>,
        paths: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<PyTablebase> {
        let folders = folders(paths)?;
        let game = find_game(game, games, folders.clone())?;
        let folders = folders.into_iter().map(|path| table_folder(game, path));
        let mut all = Vec::new();
        for folder in folders {
            add_folder(&mut all, folder?);
        }
        let folders = all;
        let tables = py.detach(|| open(game, &folders))?;
        Ok(PyTablebase {
            game,
            state: RwLock::new(State {
                folders,
                tables: Some(Arc::new(tables)),
                forks: forks(),
            }),
        })
    }

    /// Asks the tables, the interpreter's lock being held all the time. The question must
    /// not run Python code: another thread may then wait for the tables' lock with that of
    /// the interpreter in its hands.
    #[inline]
    pub(super) fn ask<T>(
        &self,
        question: impl Fn(&Tablebase) -> Result<T, Trouble>,
    ) -> Result<T, Trouble> {
        {
            let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
            if state.forks == forks() {
                return question(state.tables.as_ref().ok_or(Trouble::Closed)?);
            }
        }
        let tables = self.tables()?;
        question(&tables)
    }

    /// The tables, for work without the interpreter's lock.
    pub(crate) fn tables(&self) -> Result<Arc<Tablebase>, Trouble> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        if state.forks != forks() && state.tables.is_some() {
            // A thread of the parent may have been about to open a table.
            let fresh = Arc::new(open(self.game, &state.folders).map_err(Trouble::Python)?);
            std::mem::forget(state.tables.replace(fresh));
            state.forks = forks();
        }
        state.tables.clone().ok_or(Trouble::Closed)
    }

    pub(super) fn folders(&self) -> Vec<PathBuf> {
        let state = self.state.read().unwrap_or_else(PoisonError::into_inner);
        state.folders.clone()
    }

    /// Replaces the tables, unless they are not those from before any more.
    pub(super) fn replace(
        &self,
        before: &Arc<Tablebase>,
        folders: Vec<PathBuf>,
        tables: Arc<Tablebase>,
    ) -> Result<bool, Trouble> {
        let mut state = self.state.write().unwrap_or_else(PoisonError::into_inner);
        let now = state.tables.as_ref().ok_or(Trouble::Closed)?;
        let is_as_before = Arc::ptr_eq(now, before);
        if is_as_before {
            *state = State {
                folders,
                tables: Some(tables),
                forks: forks(),
            };
        }
        Ok(is_as_before)
    }
}

pub(super) fn open(game: Game, folders: &[PathBuf]) -> PyResult<Tablebase> {
    Tablebase::open(game, folders).map_err(|error| table_error(&error))
}
