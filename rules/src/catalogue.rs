//! Finds the games that a process knows: those built in, and those of further definitions.

use std::collections::BTreeMap;
use std::ptr;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use crate::definition::{self, Definition, GameOption, Resolve};
use crate::game::Game;
use crate::keys::Keys;
use crate::material::Material;
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::record::{Record, Texts};
use crate::shortened::shortened;
use crate::square::Square;
use crate::table::{DefinitionError, Entry, Value};

/// The errors of looking a game up by its id.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GameError {
    /// No game has this name.
    #[error(
        "there is no game \"{}\"; the games are: {}",
        shortened(.0), Game::names().join(", ")
    )]
    UnknownGame(String),
    /// The game has no such option.
    #[error("{game} has no rule option \"{}\"; {known}", shortened(.option))]
    UnknownOption {
        /// The game's name.
        game: String,
        /// The option as given.
        option: String,
        /// The options of the game, as a sentence.
        known: String,
    },
    /// The option has no such value.
    #[error("the {option} of {game} is {known}, not \"{}\"", shortened(.value))]
    UnknownValue {
        /// The game's name.
        game: String,
        /// The option.
        option: String,
        /// The value as given; empty if there is none.
        value: String,
        /// The values that exist, in words.
        known: String,
    },
    /// Values of options, or of keys that are set, that do not go together.
    #[error("{game}: {why}")]
    Together {
        /// The game's id as given.
        game: String,
        /// The reason, and the remedy.
        why: String,
    },
    /// An option is given more than once.
    #[error("the rule option {} of {game} is given twice; leave one", shortened(.option))]
    RepeatedOption {
        /// The game's name.
        game: String,
        /// The option.
        option: String,
    },
    /// The definition of the game is wrong.
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    /// The process has made as many games as it has room for.
    #[error("more than {most} games at once; use several processes", most = Game::MOST)]
    TooMany,
}

/// The texts of the games that are built in, in the order in which they are listed.
const BUILT_IN: &[(&str, &str)] = &[
    ("orthodox", include_str!("../games/orthodox.toml")),
    ("high-chess", include_str!("../games/high-chess.toml")),
    ("chess99", include_str!("../games/chess99.toml")),
    ("kings", include_str!("../games/kings.toml")),
    ("wild9", include_str!("../games/wild9.toml")),
    (
        "extinction-mating",
        include_str!("../games/extinction-mating.toml"),
    ),
    ("extinction", include_str!("../games/extinction.toml")),
    (
        "king-of-the-hill",
        include_str!("../games/king-of-the-hill.toml"),
    ),
    ("antichess", include_str!("../games/antichess.toml")),
    ("atomic", include_str!("../games/atomic.toml")),
    ("racing-kings", include_str!("../games/racing-kings.toml")),
    ("shatranj", include_str!("../games/shatranj.toml")),
    ("makruk", include_str!("../games/makruk.toml")),
    ("capablanca", include_str!("../games/capablanca.toml")),
    ("three-check", include_str!("../games/three-check.toml")),
    ("horde", include_str!("../games/horde.toml")),
];

/// The text of a built-in game that another definition extends.
fn built_in_text(name: &str) -> Option<(String, String)> {
    let found = BUILT_IN.iter().find(|(known, _)| *known == name);
    found.map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
}

/// The definitions of the games that are built in.
static DEFINITIONS: LazyLock<Vec<Definition>> = LazyLock::new(|| {
    let read = |&(name, text): &(&str, &str)| {
        let resolve = |name: &str, _: &str| built_in_text(name).ok_or_else(String::new);
        Definition::read(name, text, &resolve)
            .unwrap_or_else(|error| unreachable!("the definition of {name}: {error}"))
    };
    BUILT_IN.iter().map(read).collect()
});

/// The games that are built in, with their default options.
static ALL: LazyLock<Vec<Game>> = LazyLock::new(|| {
    let build = |place: usize| {
        Game::built_in(place, &[]).unwrap_or_else(|error| {
            unreachable!("the definition of {}: {error}", BUILT_IN[place].0)
        })
    };
    (0..BUILT_IN.len()).map(build).collect()
});

/// Every game that has been made.
static MADE: Mutex<Vec<Made>> = Mutex::new(Vec::new());

/// A game that has been made.
struct Made {
    game: Game,
    /// Whether it has been asked for; others were only checked, or are refused for their arrays.
    is_asked_for: bool,
}

/// The games that have been made, for this thread alone.
fn all_made() -> MutexGuard<'static, Vec<Made>> {
    MADE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Orthodox chess, the game of an empty definition.
impl Default for Game {
    fn default() -> Game {
        ALL[0]
    }
}

/// Reads a game id: see [`Game::parse`].
impl FromStr for Game {
    type Err = GameError;

    fn from_str(id: &str) -> Result<Game, GameError> {
        Game::parse(id)
    }
}

/// The names that a definition may have.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Names {
    /// Any name, even that of a built-in game: keys of such a game have been set.
    All,
    /// Names that no built-in game has.
    Free,
}

/// A record with the name and the options of the definition that it was made of.
struct Outline {
    definition_name: String,
    chosen: Vec<(String, String)>,
    record: Record,
}

/// Makes the record of a definition with options chosen and keys set.
fn make(
    definition: &Definition,
    offers: Vec<GameOption>,
    given: &[(&str, &str)],
    sets: &[(String, Entry)],
) -> Result<Outline, DefinitionError> {
    let (table, chosen) = definition.choose(given, sets)?;
    let place = &definition.place;
    let keys = Keys::read(&table)?;
    let mut record = Record::new(keys, place)?;
    let name = match table.0.get("name") {
        None => String::new(),
        Some(Entry {
            value: Value::Text(name),
            ..
        }) if definition::is_name(name) && name.starts_with(|c: char| c.is_ascii_lowercase()) => {
            name.clone()
        }
        Some(Entry { place, .. }) => {
            return Err(place.fault(
                "a name begins with a small letter, followed by small letters, digits and -, 32 \
                 in all",
            ));
        }
    };
    record.texts = Texts::read(&table)?;
    record.offers = offers;
    if let Some(Entry {
        value: Value::Number(revision),
        ..
    }) = table.0.get("revision")
    {
        record.revision = u16::try_from(*revision).unwrap_or(record.revision);
    }
    Ok(Outline {
        definition_name: name,
        chosen,
        record,
    })
}

/// Options as they are given.
fn borrowed(options: &[(String, String)]) -> Vec<(&str, &str)> {
    options
        .iter()
        .map(|(name, value)| (name.as_str(), value.as_str()))
        .collect()
}

/// The digest of a text in eight hexadecimal digits (FNV-1a).
fn digest(text: &str) -> String {
    let fold = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    format!("{:08x}", text.bytes().fold(0x811c_9dc5, fold))
}

impl Game {
    /// The number of games that a process has room for, besides those that are built in with
    /// their options.
    pub const MOST: usize = 256;

    /// The games that are built in, with their default options.
    pub fn all() -> &'static [Game] {
        &ALL
    }

    /// The names of the games that are built in, without options.
    pub fn names() -> Vec<&'static str> {
        BUILT_IN.iter().map(|&(name, _)| name).collect()
    }

    /// Keeps a record, unless there is one of the same id, keys and text.
    fn keep(record: Record) -> Game {
        let mut made = all_made();
        let same = |kept: &Record| {
            (&kept.id, &kept.source, &kept.chosen) == (&record.id, &record.source, &record.chosen)
                && kept.keys == record.keys
        };
        if let Some(made) = made.iter().find(|made| same(made.game.0)) {
            return made.game;
        }
        let game = Game(Box::leak(Box::new(record)));
        made.push(Made {
            game,
            is_asked_for: false,
        });
        game
    }

    /// Lets the game count from now on, and be found by its id.
    ///
    /// # Errors
    /// There are [`Game::MOST`] games already.
    fn asked_for(self) -> Result<Game, GameError> {
        let mut made = all_made();
        let counts = |made: &&Made| made.is_asked_for && made.game.0.is_defined;
        let defined = made.iter().filter(counts).count();
        let mut all = made.iter_mut();
        if let Some(made) = all.find(|made| ptr::eq(made.game.0, self.0) && !made.is_asked_for) {
            if self.0.is_defined && defined >= Game::MOST {
                return Err(GameError::TooMany);
            }
            made.is_asked_for = true;
        }
        Ok(self)
    }

    fn built_in(place: usize, given: &[(&str, &str)]) -> Result<Game, GameError> {
        let definition = &DEFINITIONS[place];
        let (name, source) = BUILT_IN[place];
        let outline = make(definition, definition.offers(), given, &[]);
        let Outline {
            chosen, mut record, ..
        } = outline.map_err(|error| GameError::Together {
            game: name.to_owned(),
            why: error.message,
        })?;
        let options: Vec<String> = chosen
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        record.id = match options.is_empty() {
            true => name.to_owned(),
            false => format!("{name}:{}", options.join(",")),
        };
        record.name = name.to_owned();
        record.is_built_in = true;
        record.source = source.to_owned();
        record.chosen = chosen;
        Game::keep(record).asked_for()
    }

    /// Reads the id of a game that is built in, such as `orthodox` or
    /// `high-chess:vital-restores=both`, or of one that has been [defined](Game::define);
    /// options may come in any order.
    ///
    /// # Errors
    /// An unknown name, option or value, with the list of what exists, or an
    /// option that is given twice.
    pub fn parse(id: &str) -> Result<Game, GameError> {
        let (name, options) = match id.split_once(':') {
            Some((name, options)) => (name, Some(options)),
            None => (id, None),
        };
        let made = || {
            let made = all_made();
            let asked_for = made.iter().filter(|made| made.is_asked_for);
            let games = asked_for.map(|made| made.game);
            let is_meant =
                |game: &Game| game.0.id == id && !(game.0.is_built_in && game.0.is_defined);
            // What tables carry has no texts for people.
            let meant = games.filter(is_meant);
            meant.max_by_key(|game| !game.0.source.is_empty())
        };
        if let Some(game) = made() {
            return Ok(game);
        }
        let Some(place) = BUILT_IN.iter().position(|(known, _)| *known == name) else {
            return Err(GameError::UnknownGame(name.to_owned()));
        };
        let offers = DEFINITIONS[place].offers();
        let given = read_options(name, &offers, options)?;
        Game::built_in(place, &given)
    }

    /// Makes a game from the text of its definition, with the options of an id
    /// (`size=5x5,pass=on`, empty for the defaults) and some keys set, each as `KEY=VALUE`.
    /// `source` names the text in messages, and `resolve` finds what it extends, if that is no
    /// game that is built in.
    ///
    /// A game whose rules are those of one that is built in is that game.
    ///
    /// # Errors
    /// The first thing that is wrong with the definition, and where.
    pub fn define(
        source: &str,
        text: &str,
        options: &str,
        sets: &[&str],
        resolve: &Resolve,
    ) -> Result<Game, GameError> {
        let definition = Game::read_definition(source, text, resolve)?;
        Game::of_definition(&definition, text, options, sets, Names::Free)?.asked_for()
    }

    /// Checks the text of a definition, as [`Game::define`] does, without making it one of the
    /// [`Game::MOST`] games.
    ///
    /// # Errors
    /// The first thing that is wrong with the definition, and where.
    pub fn check(source: &str, text: &str, resolve: &Resolve) -> Result<(), GameError> {
        let definition = Game::read_definition(source, text, resolve)?;
        Game::of_definition(&definition, text, "", &[], Names::Free).map(|_| ())
    }

    fn read_definition(
        source: &str,
        text: &str,
        resolve: &Resolve,
    ) -> Result<Definition, DefinitionError> {
        let both = |name: &str, from: &str| match built_in_text(name) {
            Some(found) => Ok(found),
            None => resolve(name, from),
        };
        let definition = Definition::read(source, text, &both)?;
        definition.check_values()?;
        match definition.table.text("name") {
            Some(_) => Ok(definition),
            None => {
                let why = "the definition needs a name, such as name = \"mygame\"";
                Err(definition.place.fault(why))
            }
        }
    }

    /// A game that is built in with some keys changed, each given as `KEY=VALUE`.
    ///
    /// # Errors
    /// A key or value that makes no sense, or that does not go together with others.
    pub fn with_sets(self, sets: &[&str]) -> Result<Game, GameError> {
        if sets.is_empty() {
            return Ok(self);
        }
        let options: Vec<String> = self
            .0
            .chosen
            .iter()
            .map(|(n, v)| format!("{n}={v}"))
            .collect();
        let place = BUILT_IN.iter().position(|(known, _)| *known == self.0.name);
        match place.filter(|_| self.0.is_built_in) {
            Some(place) => {
                let (definition, text) = (&DEFINITIONS[place], BUILT_IN[place].1);
                Game::of_definition(definition, text, &options.join(","), sets, Names::All)?
                    .asked_for()
            }
            None => {
                let resolve = |name: &str, _: &str| {
                    built_in_text(name).ok_or_else(|| "keys can only be set of a file".to_owned())
                };
                let mut text = self.0.source.clone();
                if text.is_empty() {
                    text = format!("name = \"{}\"\n{}", self.0.name, self.0.normal);
                }
                Game::define(&self.0.name, &text, &options.join(","), sets, &resolve)
            }
        }
    }

    /// The game of a definition, which does not count so far.
    fn of_definition(
        definition: &Definition,
        text: &str,
        options: &str,
        sets: &[&str],
        names: Names,
    ) -> Result<Game, GameError> {
        let offers = definition.offers();
        let name = definition.table.text("name").unwrap_or_default();
        let given = read_options(name, &offers, Some(options).filter(|o| !o.is_empty()))?;
        let mut entries = Vec::new();
        for set in sets {
            entries.extend(definition::read_set(set)?);
        }
        let Outline {
            definition_name,
            chosen,
            mut record,
        } = make(definition, offers, &given, &entries)?;
        let place = |key: &str| {
            let entry = definition.table.0.get(key);
            entry.map_or_else(|| definition.place.clone(), |entry| entry.place.clone())
        };
        record.is_defined = true;
        record.source = text.to_owned();
        if let Some(game) = Game::built_in_like(&record, &definition_name) {
            let known = game.0;
            if record.keys.array.is_none() || record.keys == known.keys {
                return Ok(game);
            }
            // It has the tables of that game, and an array or castling of its own.
            record.id.clone_from(&known.id);
            record.name.clone_from(&known.name);
            record.offers.clone_from(&known.offers);
            record.chosen.clone_from(&known.chosen);
            (record.is_built_in, record.revision) = (true, known.revision);
        } else if names == Names::Free && Game::names().contains(&definition_name.as_str()) {
            let why = format!("{definition_name} is built in; give the game another name");
            return Err(place("name").fault(why).into());
        } else {
            record.id = format!("{definition_name}@{}", digest(&record.normal));
            record.name = definition_name;
            record.chosen = chosen;
        }
        let game = Game::keep(record);
        game.start()
            .map_err(|why| place("board.array").fault(why))?;
        Ok(game)
    }

    /// The game whose rules have a [normal form](Game::normal), as tables carry it.
    ///
    /// # Errors
    /// The text is not the normal form of a game that this program knows.
    pub fn of_normal(name: &str, normal: &str) -> Result<Game, GameError> {
        // Every table of a game carries the same text, which takes a millisecond to read.
        static READ: Mutex<BTreeMap<String, Game>> = Mutex::new(BTreeMap::new());
        let read = || READ.lock().unwrap_or_else(PoisonError::into_inner);
        let text = format!("name = \"{name}\"\n{normal}");
        if let Some(&game) = read().get(&text) {
            return Ok(game);
        }
        let none = |name: &str, _: &str| Err(format!("there is no {name}"));
        let definition = Definition::read(name, &text, &none)?;
        let game = Game::of_definition(&definition, "", "", &[], Names::All)?;
        if game.0.normal != normal {
            return Err(GameError::UnknownGame(name.to_owned()));
        }
        game.asked_for()?;
        read().insert(text, game);
        Ok(game)
    }

    /// The game that is built in whose rules are those of a record; of several, such as wild 9
    /// and kings with options, the one of that name.
    fn built_in_like(record: &Record, name: &str) -> Option<Game> {
        let named = BUILT_IN.iter().position(|&(known, _)| known == name);
        let mut places = named.into_iter().chain(0..BUILT_IN.len());
        places.find_map(|place| Game::variant_like(place, record))
    }

    /// The game that is built in at a place of the list, with the options that give it the rules
    /// of a record.
    fn variant_like(place: usize, record: &Record) -> Option<Game> {
        let definition = &DEFINITIONS[place];
        let wanted: Vec<&str> = record.normal.lines().collect();
        // How many lines of the normal forms differ.
        let apart = |given: &[(String, String)]| -> Option<usize> {
            let given = borrowed(given);
            let normal = make(definition, Vec::new(), &given, &[])
                .ok()?
                .record
                .normal;
            let same = normal.lines().filter(|line| wanted.contains(line)).count();
            Some(wanted.len() + normal.lines().count() - 2 * same)
        };
        // Each option changes keys of its own, so the value of each is found by itself; twice,
        // since some values are refused without those of others.
        let mut given: Vec<(String, String)> = Vec::new();
        let mut least = apart(&given)?;
        for _ in 0..2 {
            let before = least;
            for offer in definition.offers() {
                if least == 0 {
                    break;
                }
                for value in offer.values.list() {
                    let mut tried = given.clone();
                    tried.retain(|(name, _)| *name != offer.name);
                    tried.push((offer.name.clone(), value));
                    if let Some(found) = apart(&tried).filter(|&found| found < least) {
                        (least, given) = (found, tried);
                    }
                }
            }
            if least == before {
                break;
            }
        }
        (least == 0).then(|| Game::built_in(place, &borrowed(&given)).ok())?
    }

    /// The array, the starting position of the game, including castling rights (X). A game
    /// without one starts with the first piece of each side alone.
    pub fn array(self) -> Position {
        self.start()
            .unwrap_or_else(|error| unreachable!("the array of {self}: {error}"))
    }

    /// The array, or a position with as few pieces a side as there may be; or why there is none.
    fn start(self) -> Result<Position, String> {
        if let Some(fen) = &self.0.keys.array {
            return Position::from_fen(self, fen).map_err(|error| format!("board.array: {error}"));
        }
        let first = |side| {
            let has_king = self.kings(side).1 > 0;
            let mut types = match self.royal_types() {
                [] => self.piece_types().iter().copied(),
                royal => royal.iter().copied(),
            };
            let first = types.find(|&piece_type| has_king || piece_type != PieceType::King);
            first.unwrap_or(PieceType::King)
        };
        let squares = || self.geometry().all();
        let pairs = squares().flat_map(|a| squares().map(move |b| (a, b)));
        let mut found = pairs.filter_map(|(a, b)| {
            let sides = [(Colour::White, a), (Colour::Black, b)].into_iter();
            // Beside each other, where several kings are needed.
            let pieces = sides.flat_map(|(colour, at)| {
                let fewest = self.kings(colour).0.max(1) as u8;
                let piece = Piece::new(colour, first(colour));
                (0..fewest).map(move |more| (piece, Square(at.0 + more)))
            });
            Position::from_pieces(self, pieces, Colour::White)
        });
        found
            .next()
            .ok_or_else(|| "the game has no position of so few pieces as it needs".to_owned())
    }
}

/// Reads the options of an id, the text after its colon, in any order; `None` means that there
/// is no colon.
///
/// # Errors
/// An option or value that does not exist, or an option that is given twice.
fn read_options<'a>(
    game: &str,
    offers: &[GameOption],
    text: Option<&'a str>,
) -> Result<Vec<(&'a str, &'a str)>, GameError> {
    let mut given: Vec<(&str, &str)> = Vec::new();
    for part in text.into_iter().flat_map(|text| text.split(',')) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let Some(offer) = offers.iter().find(|offer| offer.name == name) else {
            return Err(GameError::UnknownOption {
                game: game.to_owned(),
                option: name.to_owned(),
                known: list_options(offers),
            });
        };
        if given.iter().any(|&(known, _)| known == name) {
            return Err(GameError::RepeatedOption {
                game: game.to_owned(),
                option: name.to_owned(),
            });
        }
        if !offer.values.contain(value) {
            return Err(GameError::UnknownValue {
                game: game.to_owned(),
                option: name.to_owned(),
                value: value.to_owned(),
                known: offer.values.to_string(),
            });
        }
        given.push((name, value));
    }
    Ok(given)
}

/// The options of a game, as a sentence without a full stop.
fn list_options(offers: &[GameOption]) -> String {
    if offers.is_empty() {
        return "it has no options".to_owned();
    }
    let names: Vec<String> = offers
        .iter()
        .map(|GameOption { name, values, .. }| format!("{name} = {values}"))
        .collect();
    format!("its options are: {}", names.join(", "))
}

impl Material {
    /// The name of the material in the letters of the game with an id, as errors have them.
    pub fn name_in(&self, game: &str) -> String {
        let game = Game::parse(game);
        self.spelled(|piece_type| {
            let letter = game.as_ref().map(|game| game.letter(piece_type));
            letter.unwrap_or(piece_type.letter())
        })
    }
}
