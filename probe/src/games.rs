//! Finds games by name: built-in ones, definitions in files, and the games of tables.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use retrograde_rules::{Game, GameError, nearest, shortened};
use thiserror::Error;

use crate::folders::listed_folders;
use crate::store::locate_game;

/// The environment variable that lists folders with definitions of games.
pub const GAMES_VARIABLE: &str = "RETROGRADE_GAMES";

/// The longest file that is read as a definition; the rules refuse what is longer.
const MOST_BYTES: u64 = 64 * 1024 + 1;

/// A finder of games: by name among those that are built in and the definitions in some folders, or
/// by path.
#[derive(Clone, Debug, Default)]
pub struct GameFinder {
    /// Folders of definitions, `NAME.toml`.
    pub folders: Vec<PathBuf>,
    /// Table folders: a game whose tables are there is found by its id, `NAME@DIGEST`.
    pub tables: Vec<PathBuf>,
    /// Keys that are set in every game, each as `KEY=VALUE`.
    pub sets: Vec<String>,
}

/// The errors of finding a game.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FindError {
    /// The name, options or definition of the game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// No game has this name.
    #[error("{}", unknown(.name, .found, .absent))]
    Unknown {
        /// The name.
        name: String,
        /// The names of the definitions in the folders.
        found: Vec<String>,
        /// The folders that cannot be read.
        absent: Vec<PathBuf>,
    },
    /// A folder of definitions cannot be read.
    #[error(
        "the folder of definitions {} cannot be read: {error}; name one that exists, or none",
        path.display()
    )]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// The file of a definition cannot be read.
    #[error("the definition {} cannot be read: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
}

/// The most names of definitions that a message lists.
const MOST_NAMES: usize = 40;

/// The most letters that may be wrong in a name for a message to ask whether another one is meant.
const MOST_APART: usize = 2;

/// The message that there is no game of a name, which there are, and where none were found.
fn unknown(name: &str, found: &[String], absent: &[PathBuf]) -> String {
    let built_in = Game::names();
    let found = found.iter().map(String::as_str);
    let known: Vec<&str> = built_in.into_iter().chain(found).collect();
    let mut text = format!("there is no game \"{}\"", shortened(name));
    let near = nearest(name, known.iter().copied());
    if let Some((near, _)) = near.filter(|&(_, apart)| apart <= MOST_APART) {
        text += &format!(" (is {near} meant?)");
    }
    let (listed, rest) = known.split_at(known.len().min(MOST_NAMES));
    text += &format!("; the games are: {}", listed.join(", "));
    if !rest.is_empty() {
        text += &format!(" and {} more", rest.len());
    }
    if !absent.is_empty() {
        let absent: Vec<String> = absent.iter().map(|f| f.display().to_string()).collect();
        text += &format!(" (there is no folder {})", absent.join(", "));
    }
    text
}

impl GameFinder {
    /// A finder with the folders of the environment variable `RETROGRADE_GAMES`.
    pub fn from_environment() -> GameFinder {
        let folders = std::env::var_os(GAMES_VARIABLE).and_then(|list| listed_folders(&list));
        GameFinder {
            folders: folders.unwrap_or_default(),
            ..GameFinder::default()
        }
    }

    /// The folders of definitions that cannot be read.
    pub fn absent(&self) -> Vec<PathBuf> {
        let folders = self.folders.iter();
        let folders = folders.filter(|folder| std::fs::read_dir(folder).is_err());
        folders.cloned().collect()
    }

    /// Checks that the folders of definitions can be read.
    ///
    /// # Errors
    /// The first that cannot.
    pub fn check_folders(&self) -> Result<(), FindError> {
        self.folders.iter().try_for_each(|path| {
            let path = path.clone();
            match std::fs::read_dir(&path) {
                Ok(_) => Ok(()),
                Err(error) => Err(FindError::Folder { path, error }),
            }
        })
    }

    /// The game of an id, with its options if it has some (`kings:board=10x10`), of a path to a
    /// definition (it has a `/` or ends in `.toml`), of the name of a definition in the folders,
    /// of the tables in the table folders, or of a definition itself, which has several lines.
    ///
    /// # Errors
    /// There is no such game, its options do not exist, or its definition is wrong.
    pub fn find(&self, text: &str) -> Result<Game, FindError> {
        let sets: Vec<&str> = self.sets.iter().map(String::as_str).collect();
        if text.contains('\n') {
            let none = |name: &str, _: &str| {
                Err(format!(
                    "{name} is not built in, and this text is in no folder"
                ))
            };
            return Ok(Game::define("the definition", text, "", &sets, &none)?);
        }
        let (name, options) = split_options(text);
        if is_path(name) {
            return define(Path::new(name), options, &sets);
        }
        let mut files = self
            .folders
            .iter()
            .map(|folder| folder.join(format!("{name}.toml")));
        if !Game::names().contains(&name)
            && let Some(file) = files.find(|file| file.is_file())
        {
            return define(&file, options, &sets);
        }
        match Game::parse(text) {
            Ok(game) => return Ok(game.with_sets(&sets)?),
            Err(GameError::UnknownGame(_)) => {}
            Err(error) => return Err(error.into()),
        }
        if name.contains('@') {
            let folders = self.tables.iter().map(|folder| folder.join(name));
            let found = folders.into_iter().find_map(|folder| locate_game(&folder));
            if let Some((_, game)) = found {
                return Ok(game.with_sets(&sets)?);
            }
        }
        Err(FindError::Unknown {
            name: name.to_owned(),
            found: self.files().into_iter().map(|(name, _)| name).collect(),
            absent: self.absent(),
        })
    }

    /// Whether the folders have a definition of a name, whatever options follow the name.
    pub fn has(&self, text: &str) -> bool {
        let (name, _) = split_options(text);
        let file = format!("{name}.toml");
        !is_path(name)
            && self
                .folders
                .iter()
                .any(|folder| folder.join(&file).is_file())
    }

    /// The names and files of the definitions in the folders, but for those that have the name of
    /// a game that is built in; a name that several folders have is taken from the first.
    fn files(&self) -> Vec<(String, PathBuf)> {
        let mut found: Vec<(String, PathBuf)> = Vec::new();
        for folder in &self.folders {
            let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let mut names: Vec<String> = entries
                .filter_map(|entry| entry.file_name().into_string().ok())
                .filter_map(|file| Some(file.strip_suffix(".toml")?.to_owned()))
                .collect();
            names.sort();
            for name in names {
                let file = folder.join(format!("{name}.toml"));
                // What follows a colon are options.
                let can_be_written = !name.is_empty() && !name.contains(':') && !is_path(&name);
                let is_new = found.iter().all(|(known, _)| *known != name);
                let is_built_in = Game::names().contains(&name.as_str());
                if can_be_written && is_new && !is_built_in && file.is_file() {
                    found.push((name, file));
                }
            }
        }
        found
    }

    /// Reads every definition in the folders, by the name of its file, by which it is found. A name
    /// that several folders have is taken from the first.
    pub fn all(&self) -> Vec<(String, Result<Game, FindError>)> {
        let sets: Vec<&str> = self.sets.iter().map(String::as_str).collect();
        let files = self.files().into_iter();
        files
            .map(|(name, file)| (name, define(&file, "", &sets)))
            .collect()
    }
}

/// Whether a text names a file, not a game.
fn is_path(name: &str) -> bool {
    name.contains('/') || name.contains(std::path::MAIN_SEPARATOR) || name.ends_with(".toml")
}

/// The name of a game and its options. A colon before the last separator of folders is part of
/// the path.
fn split_options(text: &str) -> (&str, &str) {
    let folders = text.rfind(['/', std::path::MAIN_SEPARATOR]).unwrap_or(0);
    match text[folders..].split_once(':') {
        Some((name, options)) => (&text[..folders + name.len()], options),
        None => (text, ""),
    }
}

/// Reads a definition from a file, with those that it extends.
fn define(path: &Path, options: &str, sets: &[&str]) -> Result<Game, FindError> {
    let file = |error| FindError::File {
        path: path.to_owned(),
        error,
    };
    let text = read(path).map_err(file)?;
    let resolve = |name: &str, from: &str| {
        if !is_path(name) {
            let name = shortened(name);
            return Err(format!(
                "there is no game {name} that is built in; write the path of a definition, such \
                 as \"{name}.toml\""
            ));
        }
        let beside = Path::new(from).parent().unwrap_or(Path::new("")).join(name);
        let source = beside.display().to_string();
        let text = read(&beside).map_err(|error| format!("{source} cannot be read: {error}"));
        Ok((source, text?))
    };
    let source = path.display().to_string();
    Ok(Game::define(&source, &text, options, sets, &resolve)?)
}

/// The text of a file, or more of it than a definition may have.
fn read(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    File::open(path)?.take(MOST_BYTES).read_to_end(&mut bytes)?;
    if bytes.len() as u64 == MOST_BYTES {
        // It may end within a letter, and is refused for its length.
        return Ok(String::from_utf8_lossy(&bytes).into_owned());
    }
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
    String::from_utf8(bytes).map_err(wrong)
}
