//! Tables of all games, each read whole when it is first needed, and let go when others
//! need the memory.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use retrograde_probe::Tablebase;
use retrograde_rules::{Game, Material};

use crate::error::ClaimError;

use super::{Curves, Helpmates, Values};

/// How many bytes of values are kept for later. What is in use is kept in any case.
const MOST_BYTES: usize = 2 << 30;

/// The values of a material, by kind.
#[derive(Clone)]
enum Volume {
    Values(Arc<Values>),
    Helpmates(Arc<Helpmates>),
    Curves(Arc<Curves>),
}

impl Volume {
    fn bytes(&self) -> usize {
        match self {
            Volume::Values(values) => values.bytes(),
            Volume::Helpmates(helpmates) => helpmates.bytes(),
            Volume::Curves(curves) => curves.bytes(),
        }
    }
}

/// A material, and whether its values are helpmates.
type Key = (Game, Material, bool);

/// What has been read, the most recently used last.
#[derive(Default)]
struct Recent {
    volumes: Vec<(Key, Volume)>,
}

impl Recent {
    fn take(&mut self, key: Key) -> Option<Volume> {
        let place = self.volumes.iter().position(|(k, _)| *k == key)?;
        let volume = self.volumes.remove(place);
        self.volumes.push(volume.clone());
        Some(volume.1)
    }

    fn put(&mut self, key: Key, volume: Volume) {
        self.volumes.retain(|(k, _)| *k != key);
        self.volumes.push((key, volume));
        let mut bytes: usize = self.volumes.iter().map(|(_, v)| v.bytes()).sum();
        while bytes > MOST_BYTES && self.volumes.len() > 1 {
            bytes -= self.volumes.remove(0).1.bytes();
        }
    }
}

/// All tables in some folders.
pub(crate) struct Library {
    folders: Vec<PathBuf>,
    kept: Mutex<Recent>,
    bases: Mutex<HashMap<Game, Arc<Tablebase>>>,
    /// Whether a test has put other values in place of those of the files.
    doctored: std::sync::atomic::AtomicBool,
}

impl Library {
    /// The tables in these folders, an earlier folder taking precedence.
    pub(crate) fn new(folders: Vec<PathBuf>) -> Library {
        Library {
            folders,
            kept: Mutex::default(),
            bases: Mutex::default(),
            doctored: Default::default(),
        }
    }

    fn folders(&self) -> Vec<&Path> {
        self.folders.iter().map(PathBuf::as_path).collect()
    }

    /// What answers for single positions of a game.
    pub(crate) fn probe(&self, game: Game) -> Result<Arc<Tablebase>, ClaimError> {
        let mut bases = self.bases.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(base) = bases.get(&game) {
            return Ok(Arc::clone(base));
        }
        let base = Arc::new(Tablebase::open(game, &self.folders)?);
        bases.insert(game, Arc::clone(&base));
        Ok(base)
    }

    /// Forgets which files there are, because more have been made.
    pub(crate) fn refresh(&self) {
        self.bases.lock().unwrap_or_else(|e| e.into_inner()).clear();
    }

    fn kept(&self, key: Key) -> Option<Volume> {
        self.kept
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .take(key)
    }

    fn keep(&self, key: Key, volume: Volume) {
        self.kept
            .lock()
            .unwrap_or_else(|e| e.into_inner())
            .put(key, volume);
    }

    /// The results of a material in normal form, of a game without vitality.
    pub(crate) fn values(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<Arc<Values>, ClaimError> {
        self.read(game, material, false)
    }

    /// The results and depths of such a material.
    pub(crate) fn depths(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<Arc<Values>, ClaimError> {
        self.read(game, material, true)
    }

    fn read(
        &self,
        game: Game,
        material: &Material,
        with_depths: bool,
    ) -> Result<Arc<Values>, ClaimError> {
        let key = (game, *material, false);
        if let Some(Volume::Values(values)) = self.kept(key)
            && (values.has_depths() || !with_depths)
        {
            return Ok(values);
        }
        let values = Arc::new(Values::read(game, material, &self.folders(), with_depths)?);
        self.keep(key, Volume::Values(Arc::clone(&values)));
        Ok(values)
    }

    /// The values of a material of High Chess.
    pub(crate) fn curves(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<Arc<Curves>, ClaimError> {
        let key = (game, *material, false);
        if let Some(Volume::Curves(curves)) = self.kept(key) {
            return Ok(curves);
        }
        let curves = Arc::new(Curves::read(game, material, &self.folders())?);
        self.keep(key, Volume::Curves(Arc::clone(&curves)));
        Ok(curves)
    }

    /// Which sides can be mated with a material in normal form.
    pub(crate) fn helpmates(
        &self,
        game: Game,
        material: &Material,
    ) -> Result<Arc<Helpmates>, ClaimError> {
        let key = (game, *material, true);
        if let Some(Volume::Helpmates(helpmates)) = self.kept(key) {
            return Ok(helpmates);
        }
        let helpmates = Arc::new(Helpmates::read(game, material, &self.folders())?);
        self.keep(key, Volume::Helpmates(Arc::clone(&helpmates)));
        Ok(helpmates)
    }

    /// Whether values need not be those of the files.
    pub(crate) fn is_doctored(&self) -> bool {
        self.doctored.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Puts other values in place of those of the files, for tests.
    #[cfg(test)]
    pub(crate) fn put_values(&self, game: Game, material: &Material, values: Values) {
        self.doctored
            .store(true, std::sync::atomic::Ordering::Relaxed);
        self.keep((game, *material, false), Volume::Values(Arc::new(values)));
    }

    /// Likewise for helpmates.
    #[cfg(test)]
    pub(crate) fn put_helpmates(&self, game: Game, material: &Material, helpmates: Helpmates) {
        self.doctored
            .store(true, std::sync::atomic::Ordering::Relaxed);
        self.keep(
            (game, *material, true),
            Volume::Helpmates(Arc::new(helpmates)),
        );
    }

    /// Likewise for High Chess.
    #[cfg(test)]
    pub(crate) fn put_curves(&self, game: Game, material: &Material, curves: Curves) {
        self.doctored
            .store(true, std::sync::atomic::Ordering::Relaxed);
        self.keep((game, *material, false), Volume::Curves(Arc::new(curves)));
    }
}
