//! Reads the text of a game's definition into a record of its board, pieces and rules.

use toml::{Table, Value};

use crate::betza::{self, Ray};

/// One of the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Side {
    /// The side that moves up the board and is written in capitals.
    White,
    /// The side that moves down the board.
    Black,
}

impl Side {
    /// The opponent.
    pub fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Royal {
    Nothing,
    King,
    FirstKing,
    OnlyOfType,
}

/// The effect on a side of something that happens to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    Off,
    Win,
    Draw,
    Loss,
    Illegal,
    FewerMen,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Promotion {
    Compulsory,
    Optional,
    MayWait,
    MustWait,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EnPassant {
    Off,
    Pawns,
    All,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pass {
    Off,
    UnlessInCheck,
    Always,
    WhenStuck,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bare {
    Off,
    Loss,
    Win,
    LossUnlessAnswered,
}

/// The condition under which every move is vital while an e.p. capture is possible (H7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Vital {
    Standing,
    Legal,
    OnlyMade,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CastlingRule {
    Off,
    Chess,
    RoyalKing,
    FirstRank,
}

/// `counters.vitality` (H1 to H8).
#[derive(Clone, Debug)]
pub(crate) struct Vitality {
    pub full: [u8; 2],
    pub restores_both: bool,
    /// The side that is High when the distances are equal.
    pub ties: Side,
    pub centre: Vec<usize>,
    pub both_pay: bool,
    pub before_mate: bool,
    pub en_passant: Vital,
    /// The side whose vitality is never lowered.
    pub spared: Option<Side>,
}

/// `end.reach`: the squares for White and for Black.
#[derive(Clone, Debug)]
pub(crate) struct Reach {
    pub pieces: Vec<u8>,
    pub squares: [u128; 2],
    pub reply: bool,
    /// The number of pieces that have to be there.
    pub count: usize,
    /// They have to be safe there, or to stay for a move of the other side.
    pub safe: bool,
    pub stays: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Castling {
    pub rule: CastlingRule,
    /// The kinds of pieces that kings castle with.
    pub with: Vec<u8>,
    /// Who castles takes from the other side the right to castle to the same side.
    pub opposite_sides: bool,
    /// The squares that the king goes to: towards file a, and away from it.
    pub to: [usize; 2],
    pub leap: usize,
    /// Counted from 0, from the own side.
    pub rank: usize,
    pub side_a_only: bool,
    pub any_king_ends: bool,
    pub through_check: bool,
    pub past_men: bool,
}

/// The moves of one kind of piece.
#[derive(Clone, Debug)]
pub(crate) struct Kind {
    pub letter: char,
    /// Seen from White; empty for the pawn.
    pub rays: Vec<Ray>,
}

/// A game: a definition with its options applied.
#[derive(Clone, Debug)]
pub struct Game {
    pub(crate) name: String,
    pub(crate) files: usize,
    pub(crate) ranks: usize,
    /// The squares that do not exist.
    pub(crate) holes: u128,
    pub(crate) array: Option<String>,
    pub(crate) kinds: Vec<Kind>,
    pub(crate) pawn: Option<u8>,
    /// The moves of the pawn, each of a single step.
    pub(crate) pawn_rays: Vec<Ray>,
    /// Ranks counted from 0, from the own side, from which a pawn may step twice.
    pub(crate) double_step: Vec<bool>,
    /// The ranks from which a pawn that steps twice can be taken en passant; others do not matter.
    pub(crate) taken_from: Vec<bool>,
    /// The first rank of White's and of Black's pawns.
    pub(crate) first_rank: [usize; 2],
    /// What White's and Black's pawns may become.
    pub(crate) promotes_to: [Vec<u8>; 2],
    /// Whether White's and Black's pawns promote on each square.
    pub(crate) promotes_on: [Vec<bool>; 2],
    pub(crate) promotion: Promotion,
    pub(crate) en_passant: EnPassant,
    pub(crate) en_passant_vacates: bool,
    pub(crate) royal: [Royal; 2],
    /// The kind that is royal, castles and is looked for in the centre.
    pub(crate) king: Option<u8>,
    pub(crate) royal_rays: Vec<Ray>,
    pub(crate) spare_rays: Vec<Ray>,
    pub(crate) kings: (usize, usize),
    pub(crate) low_file: [bool; 2],
    pub(crate) low_rank: [bool; 2],
    pub(crate) stalemate: Ruling,
    pub(crate) checkmate: Ruling,
    pub(crate) king_capture: bool,
    pub(crate) king_capture_in_check: Ruling,
    pub(crate) extinct: Ruling,
    pub(crate) extinct_types: Vec<u8>,
    /// With so many men of a kind left, or fewer, a side has lost it.
    pub(crate) extinct_count: usize,
    pub(crate) all_lost: Ruling,
    /// A side has not lost all if the other has lost all, too.
    pub(crate) all_lost_alone: bool,
    pub(crate) reach: Option<Reach>,
    pub(crate) bare: Bare,
    pub(crate) no_progress: u16,
    pub(crate) pass: Pass,
    pub(crate) must_capture: bool,
    pub(crate) no_checks: bool,
    pub(crate) explodes: bool,
    /// The kinds that stay beside an explosion.
    pub(crate) spares: Vec<u8>,
    /// The kinds of which the last men are royal, if so few are left.
    pub(crate) royal_kinds: Vec<u8>,
    pub(crate) royal_at_most: usize,
    pub(crate) survives: Vec<u8>,
    pub(crate) mutually_immune: Vec<u8>,
    pub(crate) vitality: Option<Vitality>,
    pub(crate) checks: u8,
    pub(crate) castling: Castling,
    /// Squares of the kings and rooks that have not moved in the array.
    pub(crate) unmoved: u128,
    pub(crate) unmoved_kings: u128,
}

type Result<T> = std::result::Result<T, String>;

/// Gives the text of what `extends` names: a built-in game or a path.
pub type Resolve<'a> = dyn Fn(&str) -> Option<String> + 'a;

/// Reads a definition: see [`Game::read`]. Who has not moved in the array is left out, since only
/// the board tells it.
pub(crate) fn read(text: &str, resolve: &Resolve, options: &[(&str, &str)]) -> Result<Game> {
    let mut table = load(text, resolve, 0)?;
    choose(&mut table, options)?;
    interpret(table)
}

impl Game {
    /// The game in which the vitality of a side is never lowered. There the other side wins
    /// with those counters of its own with which it forces mate.
    pub fn sparing(mut self, side: Side) -> Game {
        if let Some(vitality) = &mut self.vitality {
            vitality.spared = Some(side);
        }
        self
    }

    /// The name of the game.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The FEN of the array, if the definition has one.
    pub fn array(&self) -> Option<&str> {
        self.array.as_deref()
    }

    pub(crate) fn size(&self) -> usize {
        self.files * self.ranks
    }

    /// The rank of a square counted from 0 and from `side`.
    pub(crate) fn rank_for(&self, side: Side, square: usize) -> usize {
        let rank = square / self.files;
        match side {
            Side::White => rank,
            Side::Black => self.ranks - 1 - rank,
        }
    }

    pub(crate) fn kind(&self, letter: char) -> Option<u8> {
        let place = self.kinds.iter().position(|kind| kind.letter == letter)?;
        u8::try_from(place).ok()
    }

    pub(crate) fn square(&self, name: &str) -> Option<usize> {
        let mut letters = name.chars();
        let file = (letters.next()? as usize).checked_sub('a' as usize)?;
        let rank = letters.as_str().parse::<usize>().ok()?.checked_sub(1)?;
        (file < self.files && rank < self.ranks && !letters.as_str().starts_with(['+', '0']))
            .then_some(rank * self.files + file)
            .filter(|&square| !self.is_hole(square))
    }

    /// Whether a square of the rectangle does not exist.
    pub(crate) fn is_hole(&self, square: usize) -> bool {
        self.holes >> square & 1 != 0
    }

    pub(crate) fn square_name(&self, square: usize) -> String {
        let file = char::from(b'a' + (square % self.files) as u8);
        format!("{file}{}", square / self.files + 1)
    }

    /// A royal man may not be left attacked by `side`, which is then in check.
    pub(crate) fn knows_check(&self, side: Side) -> bool {
        !self.king_capture && self.royal[side as usize] != Royal::Nothing
    }
}

/// The tables of a definition, with those that it extends.
fn load(text: &str, resolve: &Resolve, depth: usize) -> Result<Table> {
    if depth > 16 {
        return Err("extends: too many definitions extend one another".into());
    }
    let mut own: Table = text.parse().map_err(|error| format!("{error}"))?;
    let Some(base) = own.remove("extends") else {
        return Ok(own);
    };
    let base = base.as_str().ok_or("extends: must be a string")?;
    let base = resolve(base).ok_or_else(|| format!("extends: there is no {base}"))?;
    let mut table = load(&base, resolve, depth + 1)?;
    // Texts for people are not inherited, and neither is a name.
    for key in [
        "name", "aliases", "title", "author", "year", "url", "about", "claims",
    ] {
        table.remove(key);
    }
    merge(&mut table, own);
    Ok(table)
}

/// Tables merge; strings and lists replace, except `+C` and `-K` in lists of letters.
fn merge(base: &mut Table, over: Table) {
    for (key, value) in over {
        // A quoted path stands for nested tables.
        if let Some((first, rest)) = key.split_once('.') {
            let mut inner = Table::new();
            inner.insert(rest.into(), value);
            let mut outer = Table::new();
            outer.insert(first.into(), Value::Table(inner));
            merge(base, outer);
            continue;
        }
        match (base.get_mut(&key), value) {
            (Some(Value::Table(old)), Value::Table(new)) => merge(old, new),
            (_, Value::Table(new)) => {
                let mut table = Table::new();
                merge(&mut table, new);
                base.insert(key, Value::Table(table));
            }
            (Some(Value::String(old)), Value::String(new))
                if is_letters(&key) && new.starts_with(['+', '-']) =>
            {
                *old = if old.starts_with(['+', '-']) {
                    format!("{old}{new}")
                } else {
                    edit(old, &new)
                };
            }
            // White's and Black's.
            (Some(Value::Array(both)), Value::String(new))
                if is_letters(&key) && new.starts_with(['+', '-']) =>
            {
                for side in both {
                    if let Value::String(old) = side {
                        *old = edit(old, &new);
                    }
                }
            }
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

fn is_letters(key: &str) -> bool {
    matches!(key, "order" | "promotes-to" | "types" | "extinct-types")
}

/// Adds and removes letters: `+CA-K`.
fn edit(letters: &str, change: &str) -> String {
    let mut letters = letters.to_owned();
    let mut adds = true;
    for letter in change.chars() {
        match letter {
            '+' => adds = true,
            '-' => adds = false,
            _ => {
                letters.retain(|old| adds || old != letter);
                if adds && !letters.contains(letter) {
                    letters.push(letter);
                }
            }
        }
    }
    letters
}

fn set(table: &mut Table, path: &str, value: Value) {
    let mut over = Table::new();
    over.insert(path.into(), value);
    merge(table, over);
}

/// A key has a value, or the table that it belongs to is switched off.
fn contains(table: &Table, path: &str) -> bool {
    let (first, rest) = path.split_once('.').unwrap_or((path, ""));
    match table.get(first) {
        Some(Value::Table(inner)) if !rest.is_empty() => contains(inner, rest),
        value => value.is_some(),
    }
}

/// Applies the options, then `[[when]]` in the order of the file, then single keys.
fn choose(table: &mut Table, given: &[(&str, &str)]) -> Result<()> {
    let options = match table.remove("options") {
        None => Table::new(),
        Some(Value::Table(options)) => options,
        Some(_) => return Err("options: must be a table".into()),
    };
    let whens = match table.remove("when") {
        None => Vec::new(),
        Some(Value::Array(whens)) => whens,
        Some(_) => return Err("when: must be written [[when]]".into()),
    };
    for (name, _) in given {
        if !name.contains('.') && !options.contains_key(*name) {
            return Err(format!("there is no option {name}"));
        }
    }
    let mut chosen: Vec<(String, String)> = Vec::new();
    for (name, option) in &options {
        let option = option
            .as_table()
            .ok_or_else(|| format!("options.{name}: must be a table"))?;
        let default = option
            .get("default")
            .map(plain)
            .ok_or(format!("options.{name}: no default"))?;
        let own = given.iter().rev().find(|(own, _)| own == name);
        let value = own.map_or(default.clone(), |(_, value)| (*value).to_owned());
        let wrong = || format!("option {name}: there is no value {value}");
        if let Some(range) = option.get("range") {
            let range = pair(range, &format!("options.{name}.range"))?;
            let number: i64 = value.parse().map_err(|_| wrong())?;
            if !(range.0..=range.1).contains(&number) {
                return Err(wrong());
            }
            let path = option.get("sets").and_then(Value::as_str);
            let path = path.ok_or_else(|| format!("options.{name}: a range needs sets"))?;
            // A number that a definition sets itself stands unless the option is given.
            if own.is_some() || !contains(table, path) {
                set(table, path, Value::Integer(number));
            }
        } else {
            let values = option.get("values").and_then(Value::as_table);
            match values.and_then(|values| values.get(&value)) {
                Some(Value::Table(over)) => merge(table, over.clone()),
                None if value == default => {}
                _ => return Err(wrong()),
            }
        }
        chosen.push((name.clone(), value));
    }
    for when in whens {
        let when = when.as_table().ok_or("when: must be a table")?;
        let conditions = when.get("options").and_then(Value::as_table);
        let conditions = conditions.ok_or("when: needs options")?;
        let holds =
            |(name, value): (&String, &Value)| chosen.contains(&(name.clone(), plain(value)));
        if !conditions.iter().all(holds) {
            continue;
        }
        if let Some(reason) = when.get("refuse") {
            return Err(plain(reason));
        }
        let over = when
            .get("set")
            .and_then(Value::as_table)
            .ok_or("when: needs set or refuse")?;
        merge(table, over.clone());
    }
    for (path, value) in given.iter().filter(|(name, _)| name.contains('.')) {
        let parsed = format!("value = {value}").parse::<Table>().ok();
        let parsed = parsed.and_then(|mut table| table.remove("value"));
        set(
            table,
            path,
            parsed.unwrap_or_else(|| Value::String((*value).into())),
        );
    }
    Ok(())
}

fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        _ => String::new(),
    }
}

fn pair(value: &Value, key: &str) -> Result<(i64, i64)> {
    match value.as_array().map(Vec::as_slice) {
        Some([Value::Integer(low), Value::Integer(high)]) => Ok((*low, *high)),
        _ => Err(format!("{key}: must be two numbers")),
    }
}

/// A section of a definition. Keys are taken out of it, and those that are left are unknown.
struct Section {
    path: &'static str,
    table: Table,
}

impl Section {
    fn error<T>(&self, key: &str, what: &str) -> Result<T> {
        Err(format!("{}{key}: {what}", self.path))
    }

    fn of(value: Option<Value>, path: &'static str) -> Result<Section> {
        match value {
            None => Ok(Section {
                path,
                table: Table::new(),
            }),
            Some(Value::Table(table)) => Ok(Section { path, table }),
            Some(_) => Err(format!("{} must be a table", path.trim_end_matches('.'))),
        }
    }

    fn section(&mut self, key: &str, path: &'static str) -> Result<Section> {
        Section::of(self.table.remove(key), path)
    }

    /// A table that may be switched off, as it is if it is left out.
    fn optional(&mut self, key: &str, path: &'static str) -> Result<Option<Section>> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::String(off)) if off == "off" => Ok(None),
            value => Section::of(value, path).map(Some),
        }
    }

    fn text(&mut self, key: &str) -> Result<Option<String>> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => self.error(key, "must be a string"),
        }
    }

    /// Takes a key whose value is one of several words, the first of which is the default.
    fn word<T: Copy>(&mut self, key: &str, words: &[(&str, T)]) -> Result<T> {
        let Some(text) = self.text(key)? else {
            return Ok(words[0].1);
        };
        match words.iter().find(|(word, _)| *word == text) {
            Some((_, value)) => Ok(*value),
            None => {
                let all: Vec<_> = words.iter().map(|(word, _)| *word).collect();
                self.error(key, &format!("{text} is none of {}", all.join(", ")))
            }
        }
    }

    fn flag(&mut self, key: &str) -> Result<bool> {
        match self.table.remove(key) {
            None => Ok(false),
            Some(Value::Boolean(flag)) => Ok(flag),
            Some(_) => self.error(key, "must be true or false"),
        }
    }

    fn number(&mut self, key: &str, default: usize, range: (usize, usize)) -> Result<usize> {
        match self.table.remove(key) {
            None => Ok(default),
            Some(Value::Integer(number)) => match usize::try_from(number) {
                Ok(number) if (range.0..=range.1).contains(&number) => Ok(number),
                _ => self.error(
                    key,
                    &format!("{number} is not from {} to {}", range.0, range.1),
                ),
            },
            Some(_) => self.error(key, "must be a number"),
        }
    }

    /// A list of strings, or one string.
    fn list(&mut self, key: &str) -> Result<Option<Vec<String>>> {
        match self.table.remove(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(vec![text])),
            Some(Value::Array(list)) => {
                let texts: Option<Vec<_>> =
                    list.iter().map(|v| v.as_str().map(str::to_owned)).collect();
                texts.map_or_else(
                    || self.error(key, "must be a list of strings"),
                    |list| Ok(Some(list)),
                )
            }
            Some(_) => self.error(key, "must be a list of strings"),
        }
    }

    /// White's and Black's `"low"` or `"high"`.
    fn lows(&mut self, key: &str, default: [bool; 2]) -> Result<[bool; 2]> {
        let Some(list) = self.list(key)? else {
            return Ok(default);
        };
        let low = |text: &str| match text {
            "low" => Some(true),
            "high" => Some(false),
            _ => None,
        };
        match list.as_slice() {
            [white, black] => low(white).zip(low(black)).map(<[bool; 2]>::from),
            _ => None,
        }
        .map_or_else(|| self.error(key, "must be two of low, high"), Ok)
    }

    fn done(self) -> Result<()> {
        match self.table.keys().next() {
            None => Ok(()),
            Some(key) => self.error(key, "there is no such key"),
        }
    }
}

/// Letters as a string or a list, edits of the default included.
fn letters(section: &mut Section, key: &str, default: &str) -> Result<String> {
    let Some(list) = section.list(key)? else {
        return Ok(default.into());
    };
    let text = list.concat();
    Ok(if text.starts_with(['+', '-']) {
        edit(default, &text)
    } else {
        text
    })
}

const RULINGS: [(&str, Ruling); 3] = [
    ("off", Ruling::Off),
    ("loss", Ruling::Loss),
    ("win", Ruling::Win),
];
const ORTHODOX: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn interpret(table: Table) -> Result<Game> {
    let mut root = Section { path: "", table };
    if !matches!(root.table.remove("format"), None | Some(Value::Integer(1))) {
        return Err("format: must be 1".into());
    }
    for key in [
        "aliases", "title", "author", "year", "url", "about", "claims",
    ] {
        root.table.remove(key);
    }
    let name = root.text("name")?.ok_or("name: is missing")?;
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if !name.starts_with(|c: char| c.is_ascii_lowercase())
        || name.len() > 32
        || !name.chars().all(fits)
    {
        return Err(format!(
            "name: {name} must be a to z, 0 to 9 and -, a letter first, 32 at most"
        ));
    }

    let mut board = root.section("board", "board.")?;
    let size = board.text("size")?.unwrap_or_else(|| "8x8".into());
    let sides = size
        .split_once('x')
        .and_then(|(files, ranks)| files.parse().ok().zip(ranks.parse().ok()));
    let (files, ranks): (usize, usize) = sides.ok_or("board.size: must be like 8x8")?;
    if !(2..=16).contains(&files) || !(2..=16).contains(&ranks) || files * ranks > 128 {
        return Err("board.size: a side has 2 to 16 squares, a board at most 128".into());
    }
    let array = board.text("array")?;
    let missing = board.list("holes")?.unwrap_or_default();
    board.done()?;

    let mut pieces = root.section("pieces", "pieces.")?;
    pieces.table.remove("names");
    let order = letters(&mut pieces, "order", "KQRBNP")?;
    let mut kinds: Vec<Kind> = Vec::new();
    for letter in order.chars() {
        if !letter.is_ascii_uppercase() || letter == 'O' || letter == 'V' {
            return Err(format!("pieces.order: {letter} cannot be a letter"));
        }
        if kinds.iter().any(|kind| kind.letter == letter) {
            return Err(format!("pieces.order: {letter} stands there twice"));
        }
        let rays = match pieces.text(&letter.to_string())? {
            Some(_) if letter == 'P' => return Err("pieces.P: is the pawn of [pawns]".into()),
            Some(text) => {
                betza::read(&text).map_err(|error| format!("pieces.{letter}: {error}"))?
            }
            None if letter == 'P' => Vec::new(),
            None if "KQRBN".contains(letter) => betza::read(&letter.to_string())?,
            None => return Err(format!("pieces.{letter}: is missing")),
        };
        kinds.push(Kind { letter, rays });
    }
    pieces.done()?;
    let index = |letter: char| {
        kinds
            .iter()
            .position(|kind| kind.letter == letter)
            .map(|i| i as u8)
    };
    let indices = |text: &str, key: &str| -> Result<Vec<u8>> {
        text.chars()
            .map(|c| index(c).ok_or_else(|| format!("{key}: there is no piece {c}")))
            .collect()
    };
    let pawn = index('P');

    let mut royal = root.section("royal", "royal.")?;
    let rules = royal.list("rule")?.unwrap_or_else(|| vec!["king".into()]);
    let rule = |text: &String| match text.as_str() {
        "king" => Ok(Royal::King),
        "first-king" => Ok(Royal::FirstKing),
        "only-of-type" => Ok(Royal::OnlyOfType),
        "none" => Ok(Royal::Nothing),
        _ => Err(format!(
            "royal.rule: {text} is none of king, first-king, only-of-type, none"
        )),
    };
    let rule = match rules.as_slice() {
        [both] => [rule(both)?; 2],
        [white, black] => [rule(white)?, rule(black)?],
        _ => return Err("royal.rule: must be one rule or two".into()),
    };
    // The letter of the royal piece comes first; anything else says how that one moves.
    let piece = royal.text("piece")?;
    let first = kinds
        .first()
        .map(|kind| kind.letter)
        .filter(|letter| *letter != 'P');
    let wanted = piece.as_deref().unwrap_or("K");
    let named = first.filter(|first| wanted == first.to_string());
    let (king, royal_rays) = match (named, first, &piece) {
        (Some(letter), _, _) => (index(letter), None),
        (None, Some(letter), Some(text)) => {
            let rays = betza::read(text).map_err(|error| format!("royal.piece: {error}"))?;
            (index(letter), Some(rays))
        }
        _ => (None, None),
    };
    if king.is_none()
        && rule
            .iter()
            .any(|rule| matches!(rule, Royal::King | Royal::FirstKing))
    {
        return Err("royal.piece: the royal letter must come first in pieces.order".into());
    }
    let king_rays = king.map_or_else(Vec::new, |king| kinds[usize::from(king)].rays.clone());
    let royal_rays = royal_rays.unwrap_or(king_rays);
    let spare_rays = match royal.text("spare")? {
        Some(text) => betza::read(&text).map_err(|error| format!("royal.spare: {error}"))?,
        None => betza::read("K")?,
    };
    let royal_kinds = match royal.text("types")? {
        None => (0..kinds.len() as u8).collect(),
        Some(text) => indices(&text, "royal.types")?,
    };
    let royal_at_most = royal.number("at-most", 1, (1, 9))?;
    let given_kings = royal.table.remove("kings");
    let low_file = royal.lows("files", [true, true])?;
    let low_rank = royal.lows("ranks", [true, false])?;
    royal.done()?;

    let mut pawns = root.section("pawns", "pawns.")?;
    let on_ranks = |value: Option<Value>, default: Vec<bool>, key: &str| match value {
        None => Ok(default),
        Some(Value::String(text)) if text == "off" => Ok(vec![false; ranks]),
        Some(Value::String(text)) if text == "anywhere" => Ok(vec![true; ranks]),
        Some(Value::Array(list)) => {
            let mut from = vec![false; ranks];
            for rank in list {
                let rank = rank
                    .as_integer()
                    .and_then(|rank| usize::try_from(rank - 1).ok());
                let slot = rank.and_then(|rank| from.get_mut(rank));
                *slot.ok_or_else(|| format!("{key}: there is no such rank"))? = true;
            }
            Ok(from)
        }
        Some(_) => Err(format!("{key}: must be ranks, anywhere or off")),
    };
    let pawn_moves = pawns.text("moves")?;
    let pawn_rays = betza::read(pawn_moves.as_deref().unwrap_or("mfWcfF"))
        .map_err(|error| format!("pawns.moves: {error}"))?;
    let is_step = |ray: &Ray| ray.limit == 1 && ray.dx.abs().max(ray.dy.abs()) == 1;
    if !pawn_rays.iter().all(is_step) {
        return Err("pawns.moves: a pawn goes a step at a time".into());
    }
    let second = (0..ranks).map(|rank| rank == 1).collect();
    let given = pawns.table.remove("double-step");
    let steps_twice = on_ranks(given, second, "pawns.double-step")?;
    let given = pawns.table.remove("en-passant-from");
    let taken_from = on_ranks(given, vec![true; ranks], "pawns.en-passant-from")?;
    // Without pawns nothing steps twice, and nothing is taken en passant.
    let double_step = match pawn {
        Some(_) => steps_twice,
        None => vec![false; ranks],
    };
    let first_rank = match pawns.table.remove("first-rank") {
        None => (2, 2),
        Some(Value::Integer(both)) => (both, both),
        Some(list) => pair(&list, "pawns.first-rank")?,
    };
    let from_0 = |rank: i64| {
        let place = usize::try_from(rank - 1).ok();
        place.filter(|place| *place < ranks)
    };
    let first_rank = (from_0(first_rank.0).zip(from_0(first_rank.1)))
        .map(<[usize; 2]>::from)
        .ok_or("pawns.first-rank: there is no such rank")?;
    let is_royal = rule != [Royal::Nothing; 2] && rule != [Royal::OnlyOfType; 2];
    let default: String = order
        .chars()
        .filter(|c| *c != 'P' && !(is_royal && index(*c) == king))
        .collect();
    let by_sides = match pawns.table.get("promotes-to") {
        Some(Value::Array(_)) => pawns.list("promotes-to")?,
        _ => None,
    };
    let promotes_to = match by_sides.as_deref() {
        None => {
            let both = letters(&mut pawns, "promotes-to", &default)?;
            [both.clone(), both]
        }
        Some([white, black]) => [white.clone(), black.clone()],
        Some(_) => return Err("pawns.promotes-to: must be White's and Black's".into()),
    };
    let [white, black] = promotes_to.map(|letters| indices(&letters, "pawns.promotes-to"));
    let promotes_to = [white?, black?];
    if pawn.is_some_and(|pawn| promotes_to.iter().any(|side| side.contains(&pawn))) {
        return Err("pawns.promotes-to: a pawn cannot become a pawn".into());
    }
    let zone = ranks - pawns.number("promotion-ranks", 1, (1, ranks - 1))?;
    let promotes_on = match pawns.table.remove("promotion-squares") {
        None => {
            let squares = 0..files * ranks;
            let white = squares.clone().map(|square| square / files >= zone);
            let black = squares.map(|square| ranks - 1 - square / files >= zone);
            [white.collect(), black.collect()]
        }
        Some(given) => promotion_squares(&given, (files, ranks))?,
    };
    let promotion = pawns.word(
        "promotion",
        &[
            ("compulsory", Promotion::Compulsory),
            ("optional", Promotion::Optional),
            ("may-wait", Promotion::MayWait),
            ("must-wait", Promotion::MustWait),
        ],
    )?;
    let en_passant = pawns.word(
        "en-passant",
        &[
            ("pawns", EnPassant::Pawns),
            ("all", EnPassant::All),
            ("off", EnPassant::Off),
        ],
    )?;
    let en_passant_vacates = pawns.flag("en-passant-vacates")?;
    pawns.done()?;

    // What follows asks for names of squares.
    let mut game = Game {
        name,
        files,
        ranks,
        holes: 0,
        array,
        pawn,
        pawn_rays,
        double_step,
        taken_from,
        first_rank,
        promotes_on,
        promotes_to,
        promotion,
        en_passant,
        en_passant_vacates,
        royal: rule,
        king,
        royal_rays,
        spare_rays,
        kings: (0, usize::MAX),
        low_file,
        low_rank,
        stalemate: Ruling::Draw,
        checkmate: Ruling::Loss,
        king_capture: false,
        king_capture_in_check: Ruling::Win,
        extinct: Ruling::Off,
        extinct_types: (0..kinds.len() as u8).collect(),
        extinct_count: 0,
        all_lost: Ruling::Off,
        all_lost_alone: false,
        reach: None,
        bare: Bare::Off,
        no_progress: 100,
        pass: Pass::Off,
        must_capture: false,
        no_checks: false,
        explodes: false,
        spares: Vec::new(),
        royal_kinds,
        royal_at_most,
        survives: Vec::new(),
        mutually_immune: Vec::new(),
        vitality: None,
        checks: 0,
        castling: Castling {
            rule: CastlingRule::Off,
            with: Vec::new(),
            opposite_sides: false,
            to: [2, 6],
            leap: 2,
            rank: 0,
            side_a_only: false,
            any_king_ends: false,
            through_check: false,
            past_men: false,
        },
        unmoved: 0,
        unmoved_kings: 0,
        kinds,
    };
    game.holes = squares_named(&game, &missing).map_err(|error| format!("board.holes: {error}"))?;
    ends(&mut root, &mut game)?;
    game.kings = kings(given_kings, &game)?;

    let mut turn = root.section("turn", "turn.")?;
    game.pass = turn.word(
        "pass",
        &[
            ("off", Pass::Off),
            ("unless-in-check", Pass::UnlessInCheck),
            ("always", Pass::Always),
            ("when-stuck", Pass::WhenStuck),
        ],
    )?;
    game.must_capture = turn.flag("must-capture")?;
    game.no_checks = turn.flag("no-checks")?;
    turn.done()?;
    let mut capture = root.section("capture", "capture.")?;
    game.explodes = capture.flag("explodes")?;
    for letter in capture.text("spares")?.unwrap_or("P".into()).chars() {
        match game.kind(letter) {
            Some(kind) => game.spares.push(kind),
            None if letter == 'P' => {}
            None => return Err("capture.spares: the game has no such piece".into()),
        }
    }
    for (key, is_immunity) in [("survives", false), ("mutually-immune", true)] {
        for letter in capture.text(key)?.unwrap_or_default().chars() {
            let kind = game.kind(letter);
            let kind = kind.ok_or_else(|| format!("capture.{key}: the game has no {letter}"))?;
            match is_immunity {
                false => game.survives.push(kind),
                true => game.mutually_immune.push(kind),
            }
        }
    }
    capture.done()?;
    let mut counters = root.section("counters", "counters.")?;
    game.checks = counters.number("checks", 0, (0, 100))? as u8;
    if let Some(section) = counters.optional("vitality", "counters.vitality.")? {
        game.vitality = Some(vitality(section, &game)?);
    }
    counters.done()?;
    if game.checks > 0 && game.vitality.is_some() {
        return Err("counters.checks and counters.vitality do not go together".into());
    }
    if let Some(section) = root.optional_castling()? {
        castling(section, &mut game)?;
    }
    if game.castling.rule == CastlingRule::Off {
        // Rights of an array that is extended mean nothing.
        game.array = game.array.as_deref().map(|array| {
            let mut fields: Vec<&str> = array.split_ascii_whitespace().collect();
            fields
                .iter_mut()
                .skip(2)
                .take(1)
                .for_each(|rights| *rights = "-");
            fields.join(" ")
        });
    }
    root.done()?;
    Ok(game)
}

impl Section {
    /// Castling is as in chess unless it is switched off.
    fn optional_castling(&mut self) -> Result<Option<Section>> {
        if self.table.contains_key("castling") {
            self.optional("castling", "castling.")
        } else {
            self.section("castling", "castling.").map(Some)
        }
    }
}

/// `pawns.promotion-squares`: squares of White's, whose mirror images are Black's, or the squares of
/// both.
fn promotion_squares(given: &Value, (files, ranks): (usize, usize)) -> Result<[Vec<bool>; 2]> {
    let wrong = || String::from("pawns.promotion-squares: must be squares, or two lists of them");
    let read = |list: &[Value]| -> Result<Vec<bool>> {
        let names: Option<Vec<&str>> = list.iter().map(Value::as_str).collect();
        let names = names.filter(|names| !names.is_empty()).ok_or_else(wrong)?;
        let mut known = vec![false; names.len()];
        let mut on = Vec::new();
        for square in 0..files * ranks {
            let file = char::from(b'a' + (square % files) as u8);
            let rank = square / files + 1;
            let mine = [
                format!("{file}{rank}"),
                format!("file{file}"),
                format!("rank{rank}"),
            ];
            let mut is_there = false;
            for (name, known) in names.iter().zip(&mut known) {
                if mine.iter().any(|mine| mine == name) {
                    (*known, is_there) = (true, true);
                }
            }
            on.push(is_there);
        }
        match known.contains(&false) {
            true => Err(wrong()),
            false => Ok(on),
        }
    };
    let list = given.as_array().ok_or_else(wrong)?;
    if let [Value::Array(white), Value::Array(black)] = list.as_slice() {
        return Ok([read(white)?, read(black)?]);
    }
    let white = read(list)?;
    let black = white.chunks(files).rev().flatten().copied().collect();
    Ok([white, black])
}

/// `royal.kings`: by default one a side, where a king decides the game.
fn kings(given: Option<Value>, game: &Game) -> Result<(usize, usize)> {
    let any = |value: &Value| value.as_str() == Some("any");
    match given {
        None if game.royal.contains(&Royal::King) => Ok((1, 1)),
        None if game.royal.contains(&Royal::FirstKing) => Ok((1, usize::MAX)),
        None => Ok((0, usize::MAX)),
        Some(value) if any(&value) => Ok((
            usize::from(game.royal.contains(&Royal::FirstKing)),
            usize::MAX,
        )),
        Some(value) => match value.as_array().map(Vec::as_slice) {
            Some([low, high]) => {
                let low = if any(low) { Some(0) } else { low.as_integer() };
                let high = if any(high) {
                    Some(i64::MAX)
                } else {
                    high.as_integer()
                };
                let fewest = low.and_then(|low| usize::try_from(low).ok());
                let most = high.and_then(|high| usize::try_from(high).ok());
                fewest.zip(most).filter(|(fewest, most)| fewest <= most)
            }
            _ => None,
        }
        .ok_or_else(|| "royal.kings: must be the fewest and the most, or any".into()),
    }
}

/// The squares that names stand for: squares, `filea` and `rank1`.
fn squares_named(game: &Game, names: &[String]) -> Result<u128> {
    let mut found = 0;
    for name in names {
        let all = (0..game.size()).filter(|square| {
            let own = game.square_name(*square);
            let (file, rank) = own.split_at(1);
            *name == own || *name == format!("file{file}") || *name == format!("rank{rank}")
        });
        let all: u128 = all.fold(0, |set, square| set | 1 << square);
        if all == 0 {
            return Err(format!("there is no {name}"));
        }
        found |= all;
    }
    Ok(found)
}

fn ends(root: &mut Section, game: &mut Game) -> Result<()> {
    let mut end = root.section("end", "end.")?;
    game.stalemate = end.word(
        "stalemate",
        &[
            ("draw", Ruling::Draw),
            ("loss", Ruling::Loss),
            ("win", Ruling::Win),
            ("fewer-men", Ruling::FewerMen),
        ],
    )?;
    game.checkmate = end.word("checkmate", &[("loss", Ruling::Loss), ("win", Ruling::Win)])?;
    game.king_capture = end.word("king-capture", &[("off", false), ("win", true)])?;
    game.king_capture_in_check = end.word(
        "king-capture-in-check",
        &[
            ("win", Ruling::Win),
            ("draw", Ruling::Draw),
            ("loss", Ruling::Loss),
            ("illegal", Ruling::Illegal),
        ],
    )?;
    if game.king_capture && game.royal.contains(&Royal::Nothing) {
        return Err("end.king-capture: needs something royal, and royal.rule is none".into());
    }
    game.extinct = end.word("extinct", &RULINGS)?;
    let all: String = game.kinds.iter().map(|kind| kind.letter).collect();
    let types = letters(&mut end, "extinct-types", &all)?;
    game.extinct_types = types
        .chars()
        .map(|c| {
            game.kind(c)
                .ok_or_else(|| format!("end.extinct-types: there is no piece {c}"))
        })
        .collect::<Result<_>>()?;
    game.extinct_count = end.number("extinct-count", 0, (0, 9))?;
    game.all_lost = end.word("all-lost", &RULINGS)?;
    game.all_lost_alone = end.flag("all-lost-alone")?;
    game.bare = end.word(
        "bare",
        &[
            ("off", Bare::Off),
            ("loss", Bare::Loss),
            ("win", Bare::Win),
            ("loss-unless-answered", Bare::LossUnlessAnswered),
        ],
    )?;
    game.no_progress = end.number("no-progress", 100, (0, 200))? as u16;
    if let Some(mut reach) = end.optional("reach", "end.reach.")? {
        let piece = reach.text("piece")?.unwrap_or_else(|| "K".into());
        let pieces: Option<Vec<u8>> = match piece.as_str() {
            "" => None,
            "*" => Some((0..game.kinds.len() as u8).collect()),
            letters => letters.chars().map(|c| game.kind(c)).collect(),
        };
        let pieces = pieces.ok_or_else(|| format!("end.reach.piece: there is no piece {piece}"))?;
        let names = reach
            .list("squares")?
            .ok_or("end.reach.squares: is missing")?;
        let both = reach.flag("both")?;
        let black = reach.list("black")?;
        if both && black.is_some() {
            return Err("end.reach.black: both says already which squares are Black's".into());
        }
        let mut squares = [0u128; 2];
        for square in 0..game.size() {
            let name = game.square_name(square);
            let (file, rank) = name.split_at(1);
            let is = |text: &String| {
                *text == name || *text == format!("file{file}") || *text == format!("rank{rank}")
            };
            if black.iter().flatten().any(is) {
                squares[1] |= 1 << square;
            }
            if names.iter().any(is) {
                let mirrored =
                    (game.ranks - 1 - square / game.files) * game.files + square % game.files;
                squares[0] |= 1 << square;
                if black.is_none() {
                    squares[1] |= 1 << if both { square } else { mirrored };
                }
            }
        }
        let exists = |text: &&String| squares_named(game, std::slice::from_ref(*text)).is_ok();
        let mut all = names.iter().chain(black.iter().flatten());
        if let Some(wrong) = all.find(|text| !exists(text)) {
            return Err(format!("end.reach.squares: there is no {wrong}"));
        }
        game.reach = Some(Reach {
            pieces,
            squares,
            reply: reach.flag("reply")?,
            count: reach.number("count", 1, (1, 128))?,
            safe: reach.flag("safe")?,
            stays: reach.flag("stays")?,
        });
        reach.done()?;
    }
    end.done()
}

/// The squares in the middle of a board: four, or two or one where it has an odd number of files or
/// ranks.
fn middle(files: usize, ranks: usize) -> Vec<usize> {
    let on = |line: usize, lines: usize| (2 * line + 1).abs_diff(lines) <= 1;
    let squares = 0..files * ranks;
    squares
        .filter(|&square| on(square % files, files) && on(square / files, ranks))
        .collect()
}

fn vitality(mut section: Section, game: &Game) -> Result<Vitality> {
    let wrong = || String::from("counters.vitality.full: must be 1 to 100, or two such numbers");
    let full = match section.table.remove("full") {
        None => (50, 50),
        Some(Value::Integer(full)) => (full, full),
        Some(list) => pair(&list, "counters.vitality.full")?,
    };
    if ![full.0, full.1].iter().all(|full| (1..=100).contains(full)) {
        return Err(wrong());
    }
    let square = |name: &String| {
        game.square(name)
            .ok_or_else(|| format!("counters.vitality.centre: there is no {name}"))
    };
    let centre = match section.list("centre")? {
        Some(names) => names.iter().map(square).collect::<Result<_>>()?,
        None => middle(game.files, game.ranks),
    };
    let read = Vitality {
        full: [full.0 as u8, full.1 as u8],
        restores_both: section.word("restores", &[("mover", false), ("both", true)])?,
        ties: section.word("ties", &[("black", Side::Black), ("white", Side::White)])?,
        centre,
        both_pay: section.word("pays", &[("low", false), ("both", true)])?,
        before_mate: section.word(
            "exhaustion",
            &[("after-mate", false), ("before-mate", true)],
        )?,
        en_passant: section.word(
            "en-passant",
            &[
                ("standing", Vital::Standing),
                ("legal", Vital::Legal),
                ("made", Vital::OnlyMade),
                ("off", Vital::OnlyMade),
            ],
        )?,
        spared: None,
    };
    section.done()?;
    Ok(read)
}

fn castling(mut section: Section, game: &mut Game) -> Result<()> {
    let rule = section.word(
        "rule",
        &[
            ("chess", CastlingRule::Chess),
            ("royal-king", CastlingRule::RoyalKing),
            ("first-rank", CastlingRule::FirstRank),
            ("off", CastlingRule::Off),
        ],
    )?;
    let with = section.text("with")?;
    game.castling.with = with
        .as_deref()
        .unwrap_or("R")
        .chars()
        .filter_map(|letter| game.kind(letter))
        .collect();
    if with.is_some_and(|with| with != "R" && with.len() != game.castling.with.len()) {
        return Err("castling.with: the game has no such piece".into());
    }
    if game
        .king
        .is_some_and(|king| game.castling.with.contains(&king))
    {
        return Err("castling.with: a king does not castle with a king".into());
    }
    let castling = &mut game.castling;
    if let Some(to) = section.list("to")? {
        let file = |text: &String| {
            let file = text
                .bytes()
                .next()
                .filter(|_| text.len() == 1)?
                .checked_sub(b'a')?;
            Some(usize::from(file)).filter(|file| *file < game.files)
        };
        castling.to = match to.as_slice() {
            [a, h] => file(a).zip(file(h)).map(<[usize; 2]>::from),
            _ => None,
        }
        .ok_or("castling.to: must be two files")?;
    }
    castling.opposite_sides = section.flag("opposite-sides")? && rule == CastlingRule::Chess;
    castling.leap = section.number("leap", 2, (1, 16))?;
    castling.rank = section.number("rank", 1, (1, game.ranks))? - 1;
    castling.side_a_only = section.word("sides", &[("both", false), ("a", true)])?;
    castling.any_king_ends = section.flag("any-king-ends")?;
    castling.through_check = section.flag("through-check")?;
    castling.past_men = section.flag("past-men")?;
    section.done()?;
    // The array of orthodox chess stands for one that is left out, if its men are there.
    let fits = (game.files, game.ranks, game.holes) == (8, 8, 0)
        && "KQRBNP".chars().all(|c| game.kind(c).is_some());
    if game.array.is_none() && fits {
        game.array = Some(ORTHODOX.into());
    }
    let Some(array) = &game.array else {
        game.castling.rule = if rule == CastlingRule::FirstRank {
            rule
        } else {
            CastlingRule::Off
        };
        return Ok(());
    };
    let has_rights = array
        .split_ascii_whitespace()
        .nth(2)
        .is_some_and(|field| field != "-");
    if rule == CastlingRule::Chess
        && has_rights
        && game.castling.to.iter().any(|to| *to >= game.files)
    {
        return Err("castling.to: the board has no such file".into());
    }
    if rule == CastlingRule::FirstRank || (has_rights && rule != CastlingRule::Off) {
        game.castling.rule = rule;
    }
    Ok(())
}
