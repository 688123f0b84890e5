//! Holds the settings of an engine session: the game, its table folders, memory and threads.

use std::path::PathBuf;
use std::sync::Arc;

use retrograde_probe::{GameFinder, listed_folders};
use retrograde_rules::Game;

use crate::tables::Tables;

/// The settings that hold until another program says otherwise.
#[derive(Clone, Debug)]
pub struct Defaults {
    /// The table folders, in the order in which they are searched.
    pub folders: Vec<PathBuf>,
    /// The finder of games.
    pub games: GameFinder,
}

/// The settings of a session. They may be given in any order: tables are opened when they
/// are first needed.
pub(crate) struct Settings {
    defaults: Defaults,
    pub(crate) game: Game,
    /// The games that are built in, then those of the folders.
    games: Vec<(String, Game)>,
    /// `None` for the default folders.
    folders: Option<Vec<PathBuf>>,
    /// Memory for what a search has proved, in MiB.
    pub(crate) hash: u64,
    pub(crate) threads: usize,
    pub(crate) show_wdl: bool,
    /// The number of moves to report on.
    pub(crate) lines: usize,
    /// The tables of the current game in the current folders.
    tables: Option<Arc<Tables>>,
}

/// A number that is set within bounds.
#[derive(Clone, Copy)]
pub(crate) struct Spin {
    pub(crate) least: u64,
    pub(crate) default: u64,
    pub(crate) most: u64,
}

/// The least, the default and the most of [`Settings::hash`].
pub(crate) const HASH: Spin = Spin {
    least: 1,
    default: 64,
    most: 65536,
};

/// The least, the default and the most of [`Settings::threads`].
pub(crate) const THREADS: Spin = Spin {
    least: 1,
    default: 1,
    most: 1024,
};

/// The least, the default and the most of [`Settings::lines`].
pub(crate) const LINES: Spin = Spin {
    least: 1,
    default: 1,
    most: 500,
};

impl Settings {
    pub(crate) fn new(defaults: Defaults) -> Settings {
        let built_in = Game::all().iter();
        let built_in = built_in.map(|&game| (game.name().to_owned(), game));
        let defined = defaults.games.all().into_iter();
        let defined = defined.filter_map(|(file, game)| Some((file, game.ok()?)));
        let games = built_in.chain(defined).collect();
        Settings {
            game: defaults
                .games
                .find(&Game::default().id())
                .unwrap_or_default(),
            games,
            defaults,
            folders: None,
            hash: HASH.default,
            threads: THREADS.default as usize,
            show_wdl: false,
            lines: LINES.default as usize,
            tables: None,
        }
    }

    /// The names of all games for other programs: our names, then what these call the games
    /// whose rules are the same there.
    pub(crate) fn variants(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.games.iter().map(|(name, _)| name.as_str()).collect();
        let others = self.games.iter().flat_map(|(_, game)| game.other_names());
        names.extend(others.map(String::as_str));
        let mut seen = std::collections::HashSet::new();
        names.retain(|name| seen.insert(*name));
        names
    }

    /// The game of a name in [`Settings::variants`] (in any spelling), of an id with rule
    /// options, or of the path of a definition.
    pub(crate) fn variant(&self, name: &str) -> Result<Game, String> {
        self.defaults.games.find(name).or_else(|error| {
            let called = self.games.iter().find(|(_, game)| game.is_called(name));
            let Some((called, _)) = called else {
                return Err(error.to_string());
            };
            // With the keys that are set in every game.
            let found = self.defaults.games.find(called);
            found.map_err(|error| error.to_string())
        })
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

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(games: GameFinder) -> Settings {
        Settings::new(Defaults {
            folders: Vec::new(),
            games,
        })
    }

    #[test]
    fn games_of_folders_are_variants() {
        let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/examples");
        let settings = settings(GameFinder {
            folders: vec![examples.into()],
            ..GameFinder::default()
        });
        assert!(settings.variants().contains(&"gardner"));
        for name in [
            "gardner",
            "centaur:board=8x8",
            &format!("{examples}/gardner.toml"),
        ] {
            let game = settings.variant(name).unwrap();
            assert!(game.id().contains('@'), "{name}");
        }
    }

    /// A definition is found by the name of its file, and by its own where it is another one.
    #[test]
    fn files_with_other_names() {
        let folder = tempfile::tempdir().unwrap();
        let text = "name = \"inside\"\nend.stalemate = \"loss\"\n";
        std::fs::write(folder.path().join("outside.toml"), text).unwrap();
        let settings = settings(GameFinder {
            folders: vec![folder.path().to_owned()],
            ..GameFinder::default()
        });
        assert!(settings.variants().contains(&"outside"));
        for name in ["outside", "inside"] {
            assert_eq!(settings.variant(name).unwrap().name(), "inside");
        }
    }

    #[test]
    fn games_have_the_names_of_other_programs() {
        let settings = settings(GameFinder::default());
        let variant = |name: &str| settings.variant(name);
        for (name, id) in [
            ("chess", "orthodox"),
            ("normal", "orthodox"),
            ("kingofthehill", "king-of-the-hill"),
            ("racingkings", "racing-kings"),
            ("King of the Hill", "king-of-the-hill"),
            ("twokings", "wild9"),
            ("extinction", "extinction"),
            ("kings:board=10x10", "kings:board=10x10"),
        ] {
            assert_eq!(variant(name).map(Game::id), Ok(id.to_owned()));
        }
        assert!(variant("crazyhouse").unwrap_err().contains("the games are"));
        for name in settings.variants() {
            assert!(variant(name).is_ok(), "{name}");
        }
    }
}
