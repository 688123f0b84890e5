//! Finds tables at addresses, which nothing lists: every material may have some there.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use elsa::sync::FrozenMap;
use retrograde_rules::{Game, Material};

use super::MaterialTables;
use crate::error::{TableError, TableFault};
use crate::format::{Expected, Table};
use crate::remote::{Fetch, RemoteFile};

/// The addresses that tables are at, and the materials that were asked for.
pub(crate) struct Remote {
    fetch: Arc<dyn Fetch>,
    folders: Vec<PathBuf>,
    /// By the colouring of a position, as [`Store::materials`](super::Store).
    materials: FrozenMap<Material, Box<MaterialTables>>,
}

impl Remote {
    /// No addresses yet, for a way to fetch parts of files.
    pub(super) fn new(fetch: Arc<dyn Fetch>) -> Remote {
        Remote {
            fetch,
            folders: Vec::new(),
            materials: FrozenMap::new(),
        }
    }

    /// Adds an address.
    pub(super) fn add(&mut self, folder: &Path) {
        self.folders.push(folder.to_owned());
    }

    /// The addresses, in the order of preference.
    pub(super) fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// The way to fetch parts of files.
    pub(crate) fn fetch(&self) -> &dyn Fetch {
        &*self.fetch
    }

    /// The tables of a material, in either colouring; `None` if there can be none.
    pub(super) fn entry(&self, game: Game, material: &Material) -> Option<&MaterialTables> {
        if let Some(known) = self.materials.get(material) {
            return Some(known);
        }
        if material.len() > Material::MOST_PIECES || game.needs_no_table(material) {
            return None;
        }
        let (normal, swapped) = material.normal(game);
        let shelf = match swapped {
            true => Arc::clone(&self.entry(game, &normal)?.shelf),
            false => Arc::default(),
        };
        let entry = MaterialTables::new(game, shelf, normal, swapped);
        Some(self.materials.insert(*material, Box::new(entry)))
    }

    /// Opens the table at an address; `None` if there is no file.
    pub(super) fn open(
        &self,
        path: &Path,
        expected: &Expected,
    ) -> Option<Result<Table, TableError>> {
        // Elsewhere paths are joined by something else; and some servers take a plus sign, which
        // is in the folders of games with options, for a space.
        let address = path.to_str().unwrap_or_default();
        let address = address.replace('\\', "/").replace('+', "%2B");
        match RemoteFile::open(&self.fetch, &address) {
            Ok(file) => Some(Table::open_remote(file, path, expected)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => Some(Err(TableFault::Io(error).at(Some(path)))),
        }
    }
}
