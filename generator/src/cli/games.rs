//! Lists the games and their rule options, for `retrograde games`; reads games on the command line.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};
use retrograde::import::{self, ImportError, Imported};
use retrograde::plan::Plan;
use retrograde_probe::advice::quoted;
use retrograde_probe::object::GameObject;
use retrograde_probe::{FindError, GameFinder, Metric, default_folders};
use retrograde_rules::{Game, GameError, GameOption, shortened};

use super::arguments::given;
use super::failure::{CommandResult, Failure, Status};
use super::numbers::{bytes, plural};
use super::output::Output;
use super::terminal::message;

/// The help on the argument that names a game.
pub(crate) const GAME: &str = "The game, such as orthodox; some games take options, as in \
                               kings:board=10x10 (see retrograde games). A path to a definition \
                               (./mygame.toml) stands for its game";

/// Where games are looked for, as all commands take it.
#[derive(clap::Args)]
pub(crate) struct Definitions {
    /// A folder of definitions of games, NAME.toml; may be given several times [default: the
    /// folders of RETROGRADE_GAMES]
    #[arg(long, global = true, value_name = "DIR")]
    games: Vec<PathBuf>,
    /// Change a key of the game's definition, such as end.stalemate=loss; may be given several
    /// times. That is a game of its own
    #[arg(long, global = true, value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl Definitions {
    /// The folders of definitions that are given before or among the options of a command.
    pub(crate) fn folders(&self) -> &[PathBuf] {
        &self.games
    }

    /// Whether a key of the game is changed.
    pub(crate) fn sets_keys(&self) -> bool {
        !self.set.is_empty()
    }

    /// Checks that the folders that are given can be read.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        check_folders().map_err(Failure::usage)
    }
}

/// Checks that the folders that are given can be read, but not those of the environment.
fn check_folders() -> Result<(), FindError> {
    match values("--games").is_empty() {
        true => Ok(()),
        false => finder().check_folders(),
    }
}

/// The games that are not built in: their ids, and how they were named.
static NAMED: Mutex<Vec<(String, String)>> = Mutex::new(Vec::new());

/// Forgets how games were named in an earlier run.
pub(super) fn forget_names() {
    let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    named.clear();
}

/// A game of an id in a command that is to mean the same game: as it was named, with the options
/// that this takes. The id itself finds it only where there are tables.
pub(super) fn as_named(id: &str) -> String {
    let named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some((_, text)) = named.iter().find(|(known, text)| known == id && text != id) else {
        return id.to_owned();
    };
    let mut words = quoted(text.as_ref()).to_string();
    for option in ["--games", "--set"] {
        for value in values(option) {
            words += &format!(" {option} {}", quoted(value.as_ref()));
        }
    }
    words
}

/// The values of an option in the arguments.
fn values(option: &str) -> Vec<OsString> {
    let (mut values, given) = (Vec::new(), given());
    for (place, argument) in given.iter().enumerate() {
        match argument.to_string_lossy().strip_prefix(option) {
            Some("") => values.extend(given.get(place + 1).cloned()),
            Some(rest) => values.extend(rest.strip_prefix('=').map(OsString::from)),
            None => {}
        }
    }
    values
}

/// The finder of games by the arguments. Games are read while arguments are, so this looks at the
/// arguments themselves.
pub(crate) fn finder() -> GameFinder {
    let paths = |option| {
        values(option)
            .into_iter()
            .map(PathBuf::from)
            .collect::<Vec<_>>()
    };
    let mut finder = GameFinder::from_environment();
    if let named @ [_, ..] = &paths("--games")[..] {
        finder.folders = named.to_vec();
    }
    finder.tables = match paths("--tables") {
        named if named.is_empty() => default_folders(),
        named => named,
    };
    let sets = values("--set").into_iter();
    finder.sets = sets.filter_map(|set| set.into_string().ok()).collect();
    finder
}

/// The keys that are set in every game, with their values.
pub(crate) fn keys_set() -> Vec<(String, String)> {
    let sets = finder().sets;
    let sets = sets.iter().filter_map(|set| set.split_once('='));
    sets.map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
        .collect()
}

/// List the games, their boards, pieces, metrics and rule options, or check a definition
///
/// Options follow the name of the game, separated by commas:
/// high-chess:vital-restores=both,vitality=5. Any left out keep their defaults. With the path of
/// a definition, or the name of a game, it is printed in full: what it says, what follows from
/// it, and what its tables of up to three men take.
#[derive(clap::Args)]
pub(crate) struct GamesCommand {
    /// The game, or the path of its definition
    #[arg(value_parser = GameParser)]
    game: Option<Game>,
    /// Print the definition as it is written
    #[arg(long, requires = "game")]
    toml: bool,
    /// Turn a section of a variants.ini, as it is written for Fairy-Stockfish, into a definition;
    /// without NAME, every section
    #[arg(long, num_args = 1..=2, value_names = ["FILE", "NAME"], conflicts_with_all = ["game", "toml", "json"])]
    import: Vec<String>,
    /// Print one JSON array
    #[arg(long, conflicts_with = "toml")]
    json: bool,
}

impl GamesCommand {
    pub(crate) fn run(&self, definitions: &Definitions) -> CommandResult {
        if definitions.sets_keys() && self.game.is_none() {
            let text = "--set changes a key of one game; name the game";
            return Err(Failure::usage(text));
        }
        if definitions.sets_keys() && self.toml {
            let text = "--toml prints a definition as it is written, so leave out --set; without \
                        --toml all keys are printed as they are set";
            return Err(Failure::usage(text));
        }
        if let Some((file, name)) = self.import.split_first() {
            return import(file, name.first().map(String::as_str));
        }
        let mut output = Output::new();
        let (games, status) = match self.game {
            Some(game) => (vec![(None, game)], Status::Fine),
            None => every_game(),
        };
        if let (true, Some(game)) = (self.toml, self.game) {
            output.bytes(game.definition().as_bytes())?;
        } else if self.json {
            let games = games.into_iter().map(|(file, game)| {
                let mut object = GameObject::new(game);
                object.file = file;
                object
            });
            output.json(&games.collect::<Vec<GameObject>>())?;
        } else if let Some(game) = self.game {
            write_in_full(game, &mut output)?;
        } else {
            for (file, game) in games {
                let name = match &file {
                    Some(file) if file != game.name() => format!("{file} ({})", game.name()),
                    _ => game.name().to_owned(),
                };
                write_game(&name, game, &mut output)?;
            }
        }
        output.flush()?;
        Ok(status)
    }
}

/// Prints the definitions of sections of a file; if there are several, each below a comment with
/// the name of its file.
fn import(file: &str, name: Option<&str>) -> CommandResult {
    let text = fs::read_to_string(file).map_err(|error| {
        let text = format!("{} cannot be read: {error}", shortened(file));
        Failure::new(Status::Io, text)
    })?;
    let wrong = |error: ImportError| Failure::usage(format_args!("{}, {error}", shortened(file)));
    let imported = import::import(&text, name).map_err(wrong)?;
    let several = imported.len() > 1;
    let (mut output, mut status) = (Output::new(), Status::Fine);
    for definition in imported {
        match definition {
            Ok(Imported { name, text }) => {
                if several {
                    output.foreign_line(&format!("# {name}.toml"))?;
                }
                output.bytes(text.as_bytes())?;
                if several {
                    output.line("")?;
                }
            }
            Err(error) => status = status.max(wrong(error).end()),
        }
    }
    output.flush()?;
    Ok(status)
}

/// The games that are built in, then those of the folders, with the names of their files. It is
/// said which definitions and folders cannot be read.
fn every_game() -> (Vec<(Option<String>, Game)>, Status) {
    let mut games: Vec<_> = Game::all().iter().map(|&game| (None, game)).collect();
    let mut status = Status::Fine;
    let finder = finder();
    for folder in finder.absent() {
        message(&format!("there is no folder {}", folder.display()));
    }
    for (file, game) in finder.all() {
        match game {
            Ok(game) => games.push((Some(file), game)),
            Err(error) => {
                status = status.max(Failure::usage(&error).end());
                if matches!(error, FindError::Game(GameError::TooMany)) {
                    // And so it would be said of every other file.
                    break;
                }
            }
        }
    }
    (games, status)
}

/// Writes all that there is to say about a game.
fn write_in_full(game: Game, output: &mut Output) -> Result<(), Failure> {
    output.foreign_line(&format!("{}: {}", game.id(), game.title()))?;
    if let Some(about) = game.about() {
        output.foreign_line(about)?;
    }
    output.line("")?;
    write_game(game.name(), game, output)?;
    output.line("")?;
    for line in game.in_full().lines() {
        output.foreign_line(line)?;
    }
    output.line("")?;
    let plan = Plan::new(game, &[], Some(3)).map_err(|error| Failure::usage(&error))?;
    let positions: u64 = plan.tables().iter().map(|table| table.positions).sum();
    let disk: u64 = plan.tables().iter().map(|table| table.disk_bytes).sum();
    let seconds: f64 = plan.tables().iter().map(|table| table.cpu_seconds).sum();
    output.line(format_args!(
        "--men 3: {} of {}, {}, {seconds:.1} s of CPU time (estimated)",
        plural(plan.tables().len() as u64, "material", "materials"),
        plural(positions, "index", "indices"),
        bytes(disk)
    ))
}

/// A line for the game, and one for each option.
fn write_game(name: &str, game: Game, output: &mut Output) -> Result<(), Failure> {
    let GameObject {
        board,
        pieces,
        metrics,
        ..
    } = GameObject::new(game);
    let mut metrics = metrics.join(", ");
    for metric in Metric::on_request(game) {
        metrics.push_str(&format!(", {metric} on request"));
    }
    output.line(format_args!("{name:<18} {board:<6} {pieces:<8} {metrics}"))?;
    for offer in game.offers() {
        let GameOption {
            name,
            values,
            default,
            ..
        } = offer;
        output.line(format_args!("    {name} = {values} [default: {default}]"))?;
    }
    Ok(())
}

/// Reads a game id, and offers the names to help texts and completions.
#[derive(Clone)]
pub(crate) struct GameParser;

impl TypedValueParser for GameParser {
    type Value = Game;

    fn parse_ref(
        &self,
        command: &Command,
        argument: Option<&Arg>,
        value: &OsStr,
    ) -> Result<Game, clap::Error> {
        let find = |text: &str| {
            // Other arguments may not have been read so far.
            check_folders()?;
            let game = finder().find(text)?;
            if !game.is_built_in() {
                let mut named = NAMED.lock().unwrap_or_else(PoisonError::into_inner);
                named.push((game.id(), text.to_owned()));
            }
            Ok::<Game, FindError>(game)
        };
        find.parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(Game::names().into_iter().map(PossibleValue::new)))
    }
}
