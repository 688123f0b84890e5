//! What a session has been told: the game, where its tables are, how much to use.

use std::path::PathBuf;
use std::sync::Arc;

use retrograde_probe::listed_folders;
use retrograde_rules::Game;

use crate::tables::Tables;

/// What holds until another program says otherwise.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The table folders, in the order in which they are searched.
    pub folders: Vec<PathBuf>,
}

/// The settings of a session. They may be given in any order: tables are opened when they
/// are first needed.
pub(crate) struct Settings {
    defaults: Defaults,
    pub(crate) game: Game,
    /// `None` for the default folders.
    folders: Option<Vec<PathBuf>>,
    /// Memory for what a search has proved, in MiB.
    pub(crate) hash: u64,
    pub(crate) threads: usize,
    pub(crate) show_wdl: bool,
    /// How many moves to report on.
    pub(crate) lines: usize,
    /// The tables of the current game in the current folders.
    tables: Option<Arc<Tables>>,
}

/// The least, the default and the most of [`Settings::hash`].
pub(crate) const HASH: (u64, u64, u64) = (1, 64, 65536);

/// The least, the default and the most of [`Settings::threads`].
pub(crate) const THREADS: (u64, u64, u64) = (1, 1, 1024);

/// The least, the default and the most of [`Settings::lines`].
pub(crate) const LINES: (u64, u64, u64) = (1, 1, 500);

impl Settings {
    pub(crate) fn new(defaults: Defaults) -> Settings {
        Settings {
            defaults,
            game: Game::default(),
            folders: None,
            hash: HASH.1,
            threads: THREADS.1 as usize,
            show_wdl: false,
            lines: LINES.1 as usize,
            tables: None,
        }
    }

    /// Chooses the game.
    pub(crate) fn set_game(&mut self, game: Game) {
        if game != self.game {
            self.game = game;
            self.tables = None;
        }
    }

    /// Chooses the table folders by a path list in the format of the platform; an empty
    /// one stands for the default folders.
    pub(crate) fn set_folders(&mut self, list: &str) {
        self.folders = listed_folders(list.as_ref());
        self.tables = None;
    }

    /// [`Settings::hash`] in bytes.
    pub(crate) fn memory(&self) -> u64 {
        self.hash << 20
    }

    /// The tables, and sentences about them if they have just been opened: how many there are,
    /// and which folders cannot be read.
    pub(crate) fn tables(&mut self) -> (Arc<Tables>, Vec<String>) {
        if let Some(tables) = &self.tables {
            return (Arc::clone(tables), Vec::new());
        }
        let folders = self.folders.as_ref().unwrap_or(&self.defaults.folders);
        let (tables, mut words) = Tables::open(self.game, folders);
        words.push(match tables.folders() {
            [] => "playing without tables".to_owned(),
            folders => {
                let count = tables.count();
                let names: Vec<String> = folders.iter().map(|f| f.display().to_string()).collect();
                let plural = if count == 1 { "" } else { "s" };
                format!(
                    "{count} table{plural} of {} in {}",
                    self.game,
                    names.join(", ")
                )
            }
        });
        let tables = Arc::new(tables);
        self.tables = Some(Arc::clone(&tables));
        (tables, words)
    }
}

/// The names of all games for other programs: our ids, then what these call the games
/// whose rules are the same there.
pub(crate) fn variants() -> Vec<&'static str> {
    let ids = Game::all().iter().map(|game| game.name());
    let others = Game::all().iter().flat_map(|game| game.other_names());
    ids.chain(others.map(String::as_str)).collect()
}

/// The game of a name in [`variants`] (in any spelling), or of an id with rule options.
pub(crate) fn variant(name: &str) -> Result<Game, String> {
    Game::parse(name).or_else(|error| {
        let called = Game::all().iter().find(|game| game.is_called(name));
        called.copied().ok_or_else(|| error.to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_have_the_names_of_other_programs() {
        for (name, id) in [
            ("chess", "orthodox"),
            ("normal", "orthodox"),
            ("kingofthehill", "king-of-the-hill"),
            ("King of the Hill", "king-of-the-hill"),
            ("twokings", "wild9"),
            ("extinction", "extinction"),
            ("kings:board=10x10", "kings:board=10x10"),
        ] {
            assert_eq!(variant(name).map(Game::id), Ok(id.to_owned()));
        }
        assert!(variant("atomic").unwrap_err().contains("the games are"));
        for name in variants() {
            assert!(variant(name).is_ok(), "{name}");
        }
    }
}
