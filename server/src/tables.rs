//! Holds the server's tables and game definitions, and finds the game that a request names.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_probe::{
    FindError, GameFinder, Metric, TableError, TableFault, Tablebase, locate_game,
};
use retrograde_rules::{Game, GameError, Material};

/// A library of all tables in some folders, the earlier ones preferred. Opening it looks at names
/// only, and files that appear later are not noticed.
pub struct Library {
    folders: Vec<PathBuf>,
    opened: HashMap<Game, Arc<Tablebase>>,
    len: usize,
    /// The definitions that were read, by the names of their files.
    defined: Vec<(String, Game)>,
    finder: GameFinder,
}

impl Library {
    /// Looks for tables in the folders. One that does not exist is taken as empty.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn open(folders: Vec<PathBuf>) -> Result<Library, TableError> {
        let mut opened = HashMap::new();
        for folder in &folders {
            for game in games(folder)? {
                if let Entry::Vacant(place) = opened.entry(game) {
                    let tables = Tablebase::open(game, &folders)?;
                    place.insert(Arc::new(tables));
                }
            }
        }
        let len = opened.values().map(|t| t.tables().count()).sum();
        Ok(Library {
            folders,
            opened,
            len,
            defined: Vec::new(),
            finder: GameFinder::default(),
        })
    }

    /// Adds the definitions in the folders of a finder.
    ///
    /// # Errors
    /// A definition is wrong.
    pub fn with_games(mut self, finder: GameFinder) -> Result<Library, FindError> {
        for (name, game) in finder.all() {
            self.defined.push((name, game?));
        }
        self.finder = finder;
        Ok(self)
    }

    /// The definitions that were read.
    pub fn defined(&self) -> impl Iterator<Item = Game> {
        self.defined.iter().map(|&(_, game)| game)
    }

    /// The name that requests find a definition by, that of its file; `None` for other games.
    pub fn file(&self, game: Game) -> Option<&str> {
        let is_same = |other: &Game| *other == game;
        // With options it is another game, of one text.
        let is_of_text =
            |other: &Game| !game.is_built_in() && other.definition() == game.definition();
        let by = |is: &dyn Fn(&Game) -> bool| self.defined.iter().find(|(_, other)| is(other));
        let (file, _) = by(&is_same).or_else(|| by(&is_of_text))?;
        Some(file)
    }

    /// A game by its id, or by the name of its definition with any options. Files that were not
    /// there at the start are never read.
    ///
    /// # Errors
    /// There is no such game or option.
    pub fn game(&self, id: &str) -> Result<Game, FindError> {
        let (name, options) = id.split_once(':').unwrap_or((id, ""));
        let defined = self.defined.iter().find(|(known, _)| known == name);
        match defined {
            Some(&(_, game)) if options.is_empty() => Ok(game),
            Some(_) => self.finder.find(id),
            None => Game::parse(id).map_err(|error| match error {
                GameError::UnknownGame(name) => FindError::Unknown {
                    name,
                    found: self.defined.iter().map(|(name, _)| name.clone()).collect(),
                    absent: Vec::new(),
                },
                error => error.into(),
            }),
        }
    }

    /// The tables of a game; empty if there are none.
    pub fn tables(&self, game: Game) -> Arc<Tablebase> {
        match self.opened.get(&game) {
            Some(tables) => Arc::clone(tables),
            None => Arc::new(Tablebase::empty(game)),
        }
    }

    /// The games that have tables, by id.
    pub fn games(&self) -> Vec<Game> {
        let mut games: Vec<Game> = self.opened.keys().copied().collect();
        games.sort_by_key(|game| game.id());
        games
    }

    /// The materials that there are tables of, with their metrics: those with fewer pieces
    /// first.
    pub fn materials(&self, game: Game) -> Vec<(Material, Vec<Metric>)> {
        let mut materials: Vec<(Material, Vec<Metric>)> = Vec::new();
        let tables = self.opened.get(&game).map(|tables| tables.tables());
        for (material, metric) in tables.into_iter().flatten() {
            match materials.last_mut() {
                Some((last, metrics)) if *last == material => metrics.push(metric),
                _ => materials.push((material, vec![metric])),
            }
        }
        materials
    }

    /// The number of tables.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no table at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The folders.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }
}

/// The games that a folder has a subfolder of.
fn games(folder: &Path) -> Result<Vec<Game>, TableError> {
    let fail = |error: io::Error| TableError {
        path: Some(folder.to_owned()),
        fault: TableFault::Io(error),
    };
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(fail(error)),
    };
    let mut games = Vec::new();
    for entry in entries {
        let path = entry.map_err(fail)?.path();
        if let Some((_, game)) = locate_game(&path).filter(|_| path.is_dir()) {
            games.push(game);
        }
    }
    Ok(games)
}
