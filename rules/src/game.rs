//! Games: handles of records, and what the rest of the program can ask about them.

mod symmetry;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ptr;
use std::str::FromStr;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use thiserror::Error;

use crate::betza::Mover;
use crate::board::Board;
use crate::definition::{self, Definition, DefinitionError, Entry, Resolve, Table, Value};
use crate::end::End;
use crate::features::{BareKings, Goal, LastOfType, Pawns, Royalty};
use crate::geometry::Geometry;
use crate::keys::{CastlingRule, EnPassant, Keys, Outcome, Pass, Stalemate};
use crate::material::Material;
use crate::options::{self, GameOption};
use crate::piece::{Colour, Piece, PieceType};
use crate::position::Position;
use crate::record::{Record, Texts};
use crate::shortened::shortened;
use crate::square::SquareSet;
use crate::vitality::{Vitality, VitalityRules};
pub use symmetry::{Interchange, Symmetry};

/// A game with its rule options: a handle that is as cheap as a number.
///
/// The games that are built in are written down like all others, in `games/*.toml`; further ones
/// come from [`Game::define`].
#[derive(Clone, Copy)]
pub struct Game(&'static Record);

/// Why a game is refused.
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
        /// Its value as given; empty if there is none.
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
    /// More games than a process has room for.
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

/// Games of the same name and rules are equal, whatever their arrays.
impl PartialEq for Game {
    #[inline]
    fn eq(&self, other: &Game) -> bool {
        ptr::eq(self.0, other.0) || self.0.id == other.0.id && self.0.normal == other.0.normal
    }
}

impl Eq for Game {}

impl Hash for Game {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        // Few games meet in one map.
        self.0.normal.len().hash(state);
    }
}

impl fmt::Debug for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Game").field(&self.0.id).finish()
    }
}

/// Orthodox chess, the game of an empty definition.
impl Default for Game {
    fn default() -> Game {
        ALL[0]
    }
}

/// The full id: see [`Game::id`].
impl fmt::Display for Game {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.id)
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
    /// Those of games that are built in, too: keys of such a game have been set.
    All,
    /// Those that no game has that is built in.
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
    record.texts = texts(&table)?;
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

/// Reads the texts of a table that are for people.
fn texts(table: &Table) -> Result<Texts, DefinitionError> {
    let text = |key: &str| table.text(key).map(str::to_owned);
    let mut texts = Texts {
        title: text("title"),
        author: text("author"),
        year: None,
        url: text("url"),
        about: text("about"),
        aliases: Vec::new(),
        pieces: Vec::new(),
    };
    for (key, Entry { value, place }) in &table.0 {
        let wrong = |what: &str| Err(place.fault(format!("{key} is {what}")));
        match (key.as_str(), value) {
            ("title" | "author" | "url" | "about", Value::Text(_)) => {}
            ("title" | "author" | "url" | "about", _) => return wrong("a text"),
            ("year", Value::Number(year)) => texts.year = Some(*year),
            ("year", _) => return wrong("a number"),
            ("aliases", Value::List(list)) => {
                let names = list.iter().filter_map(|name| match name {
                    Value::Text(name) => Some(name.clone()),
                    _ => None,
                });
                texts.aliases = names.collect();
            }
            ("aliases", _) => return wrong("a list of names"),
            _ => {
                let Some(letter) = key.strip_prefix("pieces.names.") else {
                    continue;
                };
                match (letter.chars().next(), value) {
                    (Some(first), Value::Text(name)) if letter.len() == 1 => {
                        texts.pieces.push((first, name.clone()));
                    }
                    _ => {
                        return wrong("the name of a piece by its letter, such as A = \"paladin\"");
                    }
                }
            }
        }
    }
    Ok(texts)
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
    /// How many games a process has room for, besides those that are built in with their
    /// options.
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
        let given = options::read(name, &offers, options)?;
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
        let given = options::read(name, &offers, Some(options).filter(|o| !o.is_empty()))?;
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
        let text = format!("name = \"{name}\"\n{normal}");
        let none = |name: &str, _: &str| Err(format!("there is no {name}"));
        let definition = Definition::read(name, &text, &none)?;
        let game = Game::of_definition(&definition, "", "", &[], Names::All)?;
        match game.0.normal == normal {
            true => game.asked_for(),
            false => Err(GameError::UnknownGame(name.to_owned())),
        }
    }

    /// The game that is built in whose rules are those of a record; of several, such as wild 9
    /// and kings with options, the one of that name.
    fn built_in_like(record: &Record, name: &str) -> Option<Game> {
        let mut places: Vec<usize> = (0..BUILT_IN.len()).collect();
        places.sort_by_key(|&place| BUILT_IN[place].0 != name);
        places
            .into_iter()
            .find_map(|place| Game::variant_like(place, record))
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
        }
        (least == 0).then(|| Game::built_in(place, &borrowed(&given)).ok())?
    }

    /// The record.
    #[inline]
    pub(crate) fn record(self) -> &'static Record {
        self.0
    }

    /// The full id: options sorted, defaults dropped, or the name with a digest of the rules.
    pub fn id(self) -> String {
        self.0.id.clone()
    }

    /// The value that an option, one of [`Game::offers`], has in this game.
    pub fn value_of(self, option: &GameOption) -> String {
        let mut chosen = self.0.chosen.iter();
        let chosen = chosen.find(|(name, _)| *name == option.name);
        chosen.map_or_else(|| option.default.clone(), |(_, value)| value.clone())
    }

    /// The name without options.
    pub fn name(self) -> &'static str {
        &self.0.name
    }

    /// Whether the game is built in, with whatever options.
    pub fn is_built_in(self) -> bool {
        self.0.is_built_in
    }

    /// The definition as it is written; for a game that was read from a table, its normal form.
    pub fn definition(self) -> &'static str {
        match self.0.source.is_empty() {
            true => &self.0.normal,
            false => &self.0.source,
        }
    }

    /// The keys that tables depend on and that differ from their defaults, in TOML, sorted, a
    /// line each. Two games have the same tables if, and only if, this is the same.
    pub fn normal(self) -> &'static str {
        &self.0.normal
    }

    /// Every key with its value, in TOML, a line each, sorted.
    pub fn in_full(self) -> String {
        let listed = self.0.keys.listed().into_iter();
        listed
            .map(|listed| format!("{} = {}\n", listed.key, listed.value))
            .collect()
    }

    /// The title, for people; the name if there is none.
    pub fn title(self) -> &'static str {
        self.0.texts.title.as_deref().unwrap_or(&self.0.name)
    }

    /// A few sentences on the game, for people.
    pub fn about(self) -> Option<&'static str> {
        self.0.texts.about.as_deref()
    }

    /// Who invented the game, for people.
    pub fn author(self) -> Option<&'static str> {
        self.0.texts.author.as_deref()
    }

    /// The year of the game, for people.
    pub fn year(self) -> Option<i64> {
        self.0.texts.year
    }

    /// Where the game is described, for people.
    pub fn url(self) -> Option<&'static str> {
        self.0.texts.url.as_deref()
    }

    /// Names that other programs use in PGN and engine protocols for a game with the
    /// same rules: lower case, no spaces.
    pub fn other_names(self) -> &'static [String] {
        &self.0.texts.aliases
    }

    /// Whether the name of a variant, as other programs give it, means this game: its id, or its
    /// name in any spelling (`King of the Hill`), without the options.
    pub fn is_called(self, variant: &str) -> bool {
        let plain = |name: &str| -> String {
            let letters = name.chars().filter(char::is_ascii_alphanumeric);
            letters.map(|c| c.to_ascii_lowercase()).collect()
        };
        let found = plain(variant);
        variant == self.0.id || found == plain(self.name()) || self.0.texts.aliases.contains(&found)
    }

    /// The available options, sorted by name; [`Game::value_of`] tells which value each has in
    /// this game.
    pub fn offers(self) -> &'static [GameOption] {
        &self.0.offers
    }

    /// The revision of the rules that tables are made by. It is raised when a
    /// ruling changes, so that older files are refused.
    pub fn revision(self) -> u16 {
        self.0.revision
    }

    /// The number of plies within which a win must reach its next capture, pawn move or
    /// end: 100 under the fifty-move rule (O4); `None` in games without such a limit.
    pub fn zeroing_limit(self) -> Option<u32> {
        let limit = self.0.keys.no_progress;
        (limit > 0).then_some(limit.into())
    }

    /// The name of the rule behind [`Game::zeroing_limit`], for people; `None` in games without it.
    pub fn zeroing_rule(self) -> Option<String> {
        self.zeroing_limit().map(|limit| match limit {
            100 => "fifty-move rule".to_owned(),
            1 => "limit of 1 ply without progress".to_owned(),
            _ => format!("limit of {limit} plies without progress"),
        })
    }

    /// Whether the rules speak of dead positions (O5): see [`Position::dead`].
    ///
    /// [`Position::dead`]: crate::Position::dead
    pub fn has_dead_positions(self) -> bool {
        let usual = |piece_type: PieceType| {
            let mover = Mover::parse(&piece_type.letter().to_string());
            self.0.letters[piece_type.index()] == Some(piece_type.letter())
                && mover.as_ref() == Ok(&self.mover(piece_type))
        };
        let keys = &self.0.keys;
        self.geometry() == Geometry::EIGHT
            && (self.goal(), self.royalty()) == (Goal::Mate, Royalty::King)
            && keys.vitality.is_none()
            && keys.no_progress > 0
            && (keys.pass, keys.stalemate) == (Pass::Off, Stalemate::Draw)
            && [PieceType::King, PieceType::Bishop, PieceType::Knight]
                .into_iter()
                .all(usual)
    }

    /// The board.
    #[inline]
    pub fn geometry(self) -> Geometry {
        self.0.geometry
    }

    /// The rank on which pawns start, counted from 0 on their own side. Unless
    /// [`Game::pawns`] says otherwise, they make double steps only from there. They never stand
    /// behind it.
    pub fn pawn_home(self) -> u8 {
        self.0.pawns.ranks[0].0
    }

    /// The piece types, in the order of material names.
    #[inline]
    pub fn piece_types(self) -> &'static [PieceType] {
        &self.0.piece_types
    }

    /// How the pieces of a type move, pawns apart.
    #[inline]
    pub fn mover(self, piece_type: PieceType) -> Mover {
        self.0.movers[piece_type.index()]
    }

    /// The usual value of a piece, in pawns, for ordering and estimates. A piece that decides
    /// the game is worth more than any other.
    pub fn worth(self, piece_type: PieceType) -> u32 {
        match (piece_type, self.last_of_type(piece_type)) {
            (PieceType::King, LastOfType::Decides) => 12,
            (PieceType::Pawn, _) => 1,
            _ => self.mover(piece_type).worth(self.geometry()).max(1),
        }
    }

    /// The piece type of a capital letter; `None` if the game has none of that letter.
    pub fn piece_type_of(self, letter: char) -> Option<PieceType> {
        self.0.type_of(letter)
    }

    /// The piece of a letter in a FEN; `None` if the game has none of that letter.
    pub fn piece_of_letter(self, letter: char) -> Option<Piece> {
        self.piece_of(u8::try_from(letter).ok()?)
    }

    /// The piece of a letter in a FEN, as a byte.
    #[inline]
    pub(crate) fn piece_of(self, byte: u8) -> Option<Piece> {
        self.0.pieces.get(usize::from(byte)).copied().flatten()
    }

    /// The capital letter of a piece type; `?` if the game has no such piece.
    #[inline]
    pub fn letter(self, piece_type: PieceType) -> char {
        self.0.letters[piece_type.index()].unwrap_or('?')
    }

    /// The letter of a piece in a FEN: upper case for White, lower case for Black.
    #[inline]
    pub fn piece_letter(self, piece: Piece) -> char {
        let letter = self.letter(piece.piece_type);
        match piece.colour {
            Colour::White => letter,
            Colour::Black => letter.to_ascii_lowercase(),
        }
    }

    /// The name of a piece type, for people; its letter if it has none.
    pub fn piece_name(self, piece_type: PieceType) -> String {
        let letter = self.letter(piece_type);
        let named = self
            .0
            .texts
            .pieces
            .iter()
            .find(|(known, _)| *known == letter);
        match named {
            Some((_, name)) => name.clone(),
            None if piece_type.letter() == letter => piece_type.name().to_owned(),
            None => letter.to_string(),
        }
    }

    /// The letters of the piece types, in the order of material names: `KQRBNP`.
    pub fn letters(self) -> String {
        self.piece_types().iter().map(|&t| self.letter(t)).collect()
    }

    /// The fewest and the most kings that a side may have: 1 and 1 in
    /// orthodox chess.
    pub fn kings_a_side(self) -> (usize, usize) {
        self.0.kings
    }

    /// The piece types that a pawn may become, some only in some positions (E2).
    pub fn promotions(self) -> &'static [PieceType] {
        &self.0.promotions
    }

    /// Which pieces of a side must not be attacked after its move.
    #[inline]
    pub fn royalty(self) -> Royalty {
        self.0.royalty
    }

    /// Whether the placement decides which pieces are royal: in kings, wild 9 and
    /// extinction chess with mating rules. Elsewhere it is the one king of each side,
    /// or none.
    pub fn royals_vary(self) -> bool {
        match self.royalty() {
            Royalty::King | Royalty::None => false,
            Royalty::FirstKing(_) | Royalty::OnlyOfType => true,
        }
    }

    /// What wins the game.
    #[inline]
    pub fn goal(self) -> Goal {
        self.0.goal
    }

    /// The squares on which a piece wins the game by arriving (T1); none in most games.
    pub fn goal_squares(self, piece: Piece) -> SquareSet {
        match self.goal() {
            Goal::Reach(goal) if goal.piece_type == piece.piece_type => {
                goal.squares[piece.colour.index()]
            }
            _ => SquareSet::default(),
        }
    }

    /// Whether a side has lost that is not in check and has no move.
    #[inline]
    pub fn stalemate_loses(self) -> bool {
        self.0.keys.stalemate == Stalemate::Loss
    }

    /// Whether a side has won that is not in check and has no move.
    #[inline]
    pub fn stalemate_wins(self) -> bool {
        self.0.keys.stalemate == Stalemate::Win
    }

    /// What it means that a side has only one piece of a type left.
    pub fn last_of_type(self, piece_type: PieceType) -> LastOfType {
        match (self.goal(), self.royalty()) {
            (Goal::KingCapture(_), _) if piece_type == PieceType::King => LastOfType::Decides,
            (Goal::Extinction, _) if self.0.extinct_types[piece_type.index()] => {
                LastOfType::Decides
            }
            (_, Royalty::OnlyOfType) => LastOfType::Stays,
            (_, Royalty::King | Royalty::FirstKing(_)) if piece_type == PieceType::King => {
                LastOfType::Stays
            }
            _ => LastOfType::Free,
        }
    }

    /// The end of a game in which a side has lost its last piece, and is to move; `None` where a
    /// side never does.
    pub fn end_without_pieces(self, side: Colour) -> Option<End> {
        let is_possible =
            self.royalty() == Royalty::None && !matches!(self.goal(), Goal::KingCapture(_));
        is_possible.then(|| self.0.end_without_pieces(side))
    }

    /// Whether losing the last piece of a type wins, where it [decides](LastOfType::Decides) the
    /// game (E6).
    pub fn extinction_wins(self) -> bool {
        self.0.keys.extinct == Outcome::Win
    }

    /// Whether a side of a material has several kings or can get them by promotion, where the
    /// first of them is royal. If not, nothing that such games add can occur.
    fn has_spare_kings(self, material: &Material) -> bool {
        let count = |colour, piece_type| material.count(Piece::new(colour, piece_type));
        let promotes = self.promotions().contains(&PieceType::King);
        let has = |colour| {
            let pawns = promotes && count(colour, PieceType::Pawn) > 0;
            count(colour, PieceType::King) > 1 || pawns
        };
        matches!(self.royalty(), Royalty::FirstKing(_)) && Colour::BOTH.into_iter().any(has)
    }

    /// Whether the first piece of each side, in the order of [`Material::pieces`],
    /// may stand on neighbouring squares.
    pub fn leaders_may_touch(self, material: &Material) -> bool {
        let kings = |colour| material.count(Piece::new(colour, PieceType::King));
        let attacks_neighbours = self.mover(PieceType::King).includes(Mover::KING);
        !attacks_neighbours
            || match self.royalty() {
                Royalty::King => false,
                // A spare king may touch the enemy's royal king, protected or not.
                Royalty::FirstKing(_) => self.has_spare_kings(material),
                // Several kings are not royal, and other leaders may always touch.
                Royalty::OnlyOfType => Colour::BOTH.into_iter().any(|colour| kings(colour) != 1),
                Royalty::None => true,
            }
    }

    /// The value of positions with two bare kings. A king never attacks another one that does
    /// not attack it, so they are drawn unless something else than mate decides; and orthodox
    /// kings always have a square that the other one does not attack.
    pub fn bare_kings(self) -> BareKings {
        let keys = &self.0.keys;
        let moves_end_in_draws = keys.stalemate == Stalemate::Draw;
        match self.goal() {
            Goal::Mate
                if moves_end_in_draws
                    && keys.vitality.is_none()
                    && self.royalty() != Royalty::None =>
            {
                BareKings::Drawn
            }
            Goal::Extinction
                if moves_end_in_draws
                    && keys.extinct == Outcome::Loss
                    && self.mover(PieceType::King) == Mover::KING
                    && self.last_of_type(PieceType::King) == LastOfType::Decides =>
            {
                BareKings::DrawnUnlessTaken
            }
            _ => BareKings::Table,
        }
    }

    /// Whether the material is two bare kings, and these have no table.
    pub fn needs_no_table(self, material: &Material) -> bool {
        let king = |colour| material.count(Piece::new(colour, PieceType::King)) == 1;
        // Every probe asks, so what is seen at once comes first.
        material.len() == 2
            && Colour::BOTH.into_iter().all(king)
            && match self.bare_kings() {
                BareKings::Drawn | BareKings::DrawnUnlessTaken => true,
                BareKings::Table => false,
            }
    }

    /// The ranks from which pawns make double steps, counted from 0 on their own side.
    pub fn double_step_ranks(self) -> impl Iterator<Item = u8> {
        let board = self.geometry();
        let steps = self.0.double_steps[Colour::White.index()];
        (0..board.ranks).filter(move |&rank| !(board.rank_squares(rank) & steps).is_empty())
    }

    /// What pawns may do.
    pub fn pawns(self) -> Pawns {
        self.0.pawns
    }

    /// Who may capture en passant.
    pub fn ep_by(self) -> EnPassant {
        self.0.keys.en_passant
    }

    /// Whether an attack en passant is worked out with the square empty on which the pawn has
    /// arrived (C6).
    pub fn ep_vacates(self) -> bool {
        self.0.keys.vacates
    }

    /// The pawns of a side that wait on its last rank (C5): they attack as each piece that they
    /// may become, and move by turning into one.
    pub fn waiting(self, board: &Board, colour: Colour) -> crate::SquareSet {
        self.0.waiting(board, colour)
    }

    /// Whether a king on its first rank castles with the nearest piece there, at any
    /// time and without rights, so that castling is part of the tables (C7).
    pub fn castles_along_first_rank(self) -> bool {
        self.0.castles_along_first_rank()
    }

    /// Whether such a king may castle with a piece that has others between them.
    pub fn castles_past_men(self) -> bool {
        self.0.keys.past_men
    }

    /// The rules of vitality (H3); `None` in games without it.
    #[inline]
    pub fn vitality(self) -> Option<&'static VitalityRules> {
        self.0.vitality.as_ref()
    }

    /// The vitality that both sides start with (H3); `None` in games without it.
    #[inline]
    pub fn full_vitality(self) -> Option<Vitality> {
        self.vitality().map(VitalityRules::full)
    }

    /// Whether a side may pass in some positions (H2).
    pub fn has_pass(self) -> bool {
        self.pass() != Pass::Off
    }

    /// When a side may pass.
    #[inline]
    pub fn pass(self) -> Pass {
        self.0.keys.pass
    }

    /// The symmetries of the board that keep the values of a material.
    pub fn symmetry(self, material: &Material) -> Symmetry {
        let board = self.geometry();
        if self.has_spare_kings(material) {
            return Symmetry::None;
        }
        let widest = match self.0.keys.castling {
            // Castling ties the first and the last rank, with or without pawns (C7).
            CastlingRule::FirstRank => Symmetry::Files,
            // With every option of such games, castling or not.
            _ if matches!(self.goal(), Goal::KingCapture(_)) => Symmetry::Files,
            _ => Symmetry::of_board(board, material.has_pawns()),
        };
        let keeps = |symmetry: &Symmetry| {
            symmetry.transforms().all(|transform| {
                self.0.marked().into_iter().flatten().all(|squares| {
                    squares
                        == squares
                            .map(|square| board.apply(transform, square))
                            .collect()
                })
            })
        };
        widest.and_smaller().find(keeps).unwrap_or(Symmetry::None)
    }

    /// The array, the starting position of the game, including castling rights (X). A game
    /// without one starts with the first piece of each side alone.
    pub fn array(self) -> Position {
        self.start()
            .unwrap_or_else(|error| unreachable!("the array of {self}: {error}"))
    }

    /// Whether the definition has an array.
    pub fn has_array(self) -> bool {
        self.0.keys.array.is_some()
    }

    /// The array, or a position with one piece a side; or why there is none.
    fn start(self) -> Result<Position, String> {
        if let Some(fen) = &self.0.keys.array {
            return Position::from_fen(self, fen).map_err(|error| format!("board.array: {error}"));
        }
        let first = self
            .piece_types()
            .first()
            .copied()
            .unwrap_or(PieceType::King);
        let squares = || self.geometry().all();
        let pairs = squares().flat_map(|a| squares().map(move |b| (a, b)));
        let mut found = pairs.filter_map(|(a, b)| {
            let pieces = [(Colour::White, a), (Colour::Black, b)];
            let pieces = pieces.map(|(colour, at)| (Piece::new(colour, first), at));
            Position::from_pieces(self, pieces, Colour::White)
        });
        found
            .next()
            .ok_or_else(|| "the game has no position of one piece a side".to_owned())
    }

    /// How the colours of a material may be swapped.
    pub fn interchange(self, material: &Material) -> Interchange {
        // At equal distances one colour is High (H1).
        if self.0.vitality.is_some() {
            return Interchange::Never;
        }
        let board = self.geometry();
        let swaps = |interchange: &Interchange| {
            self.0.marked().into_iter().all(|[white, black]| {
                let image = white.map(|square| interchange.image(board, square));
                image.collect::<crate::SquareSet>() == black
            })
        };
        if let Royalty::FirstKing(order) = self.royalty()
            && self.has_spare_kings(material)
        {
            let home = order.ranks[0] != order.ranks[1];
            let corner = order.files[0] == order.files[1];
            let way = match (home, corner) {
                (true, true) => Interchange::MirrorRanks,
                (true, false) => Interchange::HalfTurn,
                // Rank 1 is the same for both sides, so pieces may not change ranks;
                // pawns have to.
                (false, _) if material.has_pawns() => Interchange::Never,
                (false, true) => Interchange::Plain,
                (false, false) => Interchange::MirrorFiles,
            };
            return match way == Interchange::Never || swaps(&way) {
                true => way,
                false => Interchange::Never,
            };
        }
        let plain = match material.has_pawns() {
            true => Interchange::Never,
            false => Interchange::Plain,
        };
        let mut ways = [Interchange::MirrorRanks, plain].into_iter();
        ways.find(|way| *way == Interchange::Never || swaps(way))
            .unwrap_or(Interchange::Never)
    }
}
