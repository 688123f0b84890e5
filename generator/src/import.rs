//! Turns the sections of a Fairy-Stockfish `variants.ini` into definitions of games.
//!
//! A section is a list of settings and may build on another, `[name:base]`. Every setting is
//! either turned into keys of a definition or has the value that changes nothing; what is left
//! over is an error that names the line.

mod endings;
mod pawns;
mod pieces;
mod sections;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use retrograde_rules::{Game, GameError, shortened};
use thiserror::Error;

use pieces::Kind;
use sections::{Lettered, Section, Setting, Settings, collect};

/// Settings that are about pawns, and say nothing where there are none.
const OF_PAWNS: &[&str] = &[
    "doubleStep",
    "doubleStepRegionBlack",
    "doubleStepRegionWhite",
    "enPassantRegion",
    "mandatoryPawnPromotion",
    "promotionPieceTypes",
    "promotionPieceTypesBlack",
    "promotionPieceTypesWhite",
    "promotionRegionBlack",
    "promotionRegionWhite",
    "tripleStepRegionBlack",
    "tripleStepRegionWhite",
];

/// Settings that change no rule that tables know.
const WITHOUT_EFFECT: &[&str] = &[
    "castlingKingFile",
    "nFoldRule",
    "nFoldValueAbsolute",
    "nnueAlias",
    "pieceToCharTable",
    "pieceValueEg",
    "pieceValueMg",
    "pocketSize",
    "variantTemplate",
];

/// Settings that mean something else than any key of a definition, by the value that changes
/// nothing.
const NEUTRAL: &[(&str, &[&str])] = &[
    (
        "false",
        &[
            "arrowGating",
            "bikjangRule",
            "cambodianMoves",
            "capturesToHand",
            "castlingDroppedPiece",
            "chess960",
            "dropLoop",
            "dropOnTop",
            "dropOppositeColoredBishop",
            "dropPromoted",
            "duckGating",
            "dupleCheck",
            "firstRankPawnDrops",
            "flagPieceBlockedWin",
            "flagPieceSafe",
            "flyingGeneral",
            "freeDrops",
            "gating",
            "immobilityIllegal",
            "makpongRule",
            "mandatoryPiecePromotion",
            "moveRepetitionIllegal",
            "mustDrop",
            "pastGating",
            "perpetualCheckIllegal",
            "petrifyOnCapture",
            "pieceDemotion",
            "pieceDrops",
            "piecePromotionOnCapture",
            "promotionZonePawnDrops",
            "seirawanGating",
            "shatarMateRule",
            "shogiPawnDropMateIllegal",
            "sittuyinPromotion",
            "sittuyinRookDrop",
            "staticGating",
            "twoBoards",
        ],
    ),
    ("true", &["dropChecks"]),
    (
        "none",
        &[
            "chasingRule",
            "countingRule",
            "enclosingDrop",
            "flipEnclosedPieces",
            "materialCounting",
            "wallingRule",
        ],
    ),
    (
        "-",
        &[
            "diagonalLines",
            "dropNoDoubled",
            "promotedPieceType",
            "promotionLimit",
            "tripleStepRegionBlack",
            "tripleStepRegionWhite",
        ],
    ),
    (
        "p",
        &[
            "enPassantTypes",
            "nMoveRuleTypes",
            "pawnTypes",
            "promotionPawnTypes",
        ],
    ),
    ("0", &["connectN"]),
    ("1", &["soldierPromotionRank"]),
    ("draw", &["nFoldValue"]),
];

/// The games that sections may build on without giving them.
const BASES: &str = include_str!("import/bases.ini");

/// The error of a section that is not turned into a definition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {message}")]
pub struct ImportError {
    /// The line, counted from 1; that of the section where no line of its own is to blame.
    pub line: usize,
    /// The fault, and the remedy.
    pub message: String,
}

/// A section that was turned into a definition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The name of the game: that of the section, in the letters that names have.
    pub name: String,
    /// The definition, in TOML.
    pub text: String,
}

type Read<T> = Result<T, ImportError>;

fn fault<T>(line: usize, message: impl Into<String>) -> Read<T> {
    let message = message.into();
    Err(ImportError { line, message })
}

/// The files of the first and of the last of White's pieces of some letters on a rank, which
/// counts from 1.
fn outermost(array: &str, rank: u8, letters: &str) -> [Option<u8>; 2] {
    let placement = array.split(' ').next().unwrap_or_default();
    let row = placement.rsplit('/').nth(usize::from(rank).wrapping_sub(1));
    let row = row.unwrap_or_default();
    let mut files = row
        .match_indices(|c| letters.contains(c))
        .map(|(place, _)| width_of(&row[..place]) as u8);
    let first = files.next();
    [first, files.next_back().or(first)]
}

/// Turns the sections of a text into definitions: the one of a name, or all.
///
/// # Errors
/// The text is no list of sections, or has none of the name. Each section that cannot be turned
/// into a definition has an error of its own.
pub fn import(text: &str, name: Option<&str>) -> Read<Vec<Read<Imported>>> {
    let sections = sections::sections(text)?;
    let bases = sections::sections(BASES)?;
    let wanted = |section: &Section| name.is_none_or(|name| section.name == name);
    let places: Vec<usize> = (0..sections.len())
        .filter(|&place| wanted(&sections[place]))
        .collect();
    if places.is_empty() {
        let names: Vec<&str> = sections.iter().map(|section| section.name).collect();
        let message = match (name, names.is_empty()) {
            (Some(name), false) => format!(
                "there is no section [{}]; the sections are: {}",
                shortened(name),
                shortened(&names.join(", "))
            ),
            _ => "there is no section, such as [mychess:chess]".to_owned(),
        };
        return fault(text.lines().count().max(1), message);
    }
    let one = |place: usize| {
        let section: &Section = &sections[place];
        let (settings, lettered) = collect(&sections[..=place], &bases, pieces::is_piece)?;
        Translation::new(section, settings, lettered).run()
    };
    Ok(places.into_iter().map(one).collect())
}

/// Squares as files and ranks, counted from 0.
type Squares = BTreeSet<(u8, u8)>;

/// White's and Black's region where none is given: a rank.
fn usual_regions(rank: u8) -> [String; 2] {
    [format!("*{rank}"), format!("*{}", 9 - rank)]
}

/// A section on the way to its definition.
struct Translation<'a> {
    section: &'a Section<'a>,
    /// The settings that have not been understood so far.
    settings: Settings<'a>,
    files: u8,
    ranks: u8,
    /// The squares that do not exist.
    holes: Squares,
    /// The letters of pieces, by all sections.
    lettered: Vec<Lettered<'a>>,
    /// The pieces by their keys, each with its letter there and here.
    pieces: Vec<(&'a str, char, char)>,
    /// The key of the pawn, which may be that of a piece with moves of its own.
    pawn: &'a str,
    /// The first field of the array, with the letters here.
    placement: String,
    /// Keys of the definition with their values and the lines that say so.
    keys: Vec<(&'static str, String, String, usize)>,
}

impl<'a> Translation<'a> {
    fn new(section: &'a Section<'a>, settings: Settings<'a>, lettered: Vec<Lettered<'a>>) -> Self {
        Translation {
            section,
            settings,
            files: 8,
            ranks: 8,
            holes: Squares::new(),
            lettered,
            pieces: Vec::new(),
            pawn: "pawn",
            placement: String::new(),
            keys: Vec::new(),
        }
    }

    fn fault<T>(&self, line: usize, message: impl Into<String>) -> Read<T> {
        let line = if line == 0 { self.section.line } else { line };
        fault(
            line,
            format!("[{}] {}", shortened(self.section.name), message.into()),
        )
    }

    fn take(&mut self, key: &str) -> Option<Setting<'a>> {
        self.settings.remove(key)
    }

    fn wrong<T>(&self, key: &str, setting: Setting, wanted: &str) -> Read<T> {
        let value = shortened(setting.value);
        self.fault(
            setting.line,
            format!("{key} = {value} has no like here; {wanted}"),
        )
    }

    fn flag(&mut self, key: &str, default: bool) -> Read<(bool, usize)> {
        match self.take(key) {
            None => Ok((default, 0)),
            Some(setting) => match setting.value {
                "true" => Ok((true, setting.line)),
                "false" => Ok((false, setting.line)),
                _ => self.wrong(key, setting, "write true or false"),
            },
        }
    }

    /// The value of a setting, one of those that are known.
    fn word(&mut self, key: &str, known: &[&'static str]) -> Read<(&'static str, usize)> {
        let Some(setting) = self.take(key) else {
            return Ok((known[0], 0));
        };
        match known.iter().find(|&&word| word == setting.value) {
            Some(word) => Ok((word, setting.line)),
            None => self.wrong(key, setting, &format!("known are: {}", known.join(", "))),
        }
    }

    fn number(&mut self, key: &str, default: u8) -> Read<(u8, usize)> {
        let Some(setting) = self.take(key) else {
            return Ok((default, 0));
        };
        match setting.value.parse() {
            Ok(number) => Ok((number, setting.line)),
            Err(_) => self.wrong(key, setting, "write a number up to 255"),
        }
    }

    /// A file as a letter or as a number from 1.
    fn file(&mut self, key: &str) -> Read<Option<(u8, usize)>> {
        let Some(setting) = self.take(key) else {
            return Ok(None);
        };
        let mut letters = setting.value.chars();
        let file = match (letters.next(), letters.next()) {
            (Some(letter @ 'a'..='p'), None) => Some(letter as u8 - b'a'),
            _ => setting
                .value
                .parse::<u8>()
                .ok()
                .and_then(|n| n.checked_sub(1)),
        };
        match file {
            Some(file) => Ok(Some((file, setting.line))),
            None => self.wrong(key, setting, "write a file, such as g"),
        }
    }

    /// Adds a key of the definition.
    fn set(&mut self, table: &'static str, key: &str, value: String, line: usize) {
        self.keys.push((table, key.to_owned(), value, line));
    }

    fn set_text(&mut self, table: &'static str, key: &str, value: &str, line: usize) {
        self.set(table, key, quoted(value), line);
    }

    /// Squares as they are written: `e4`, `*8` for a rank, `a*` for a file.
    fn squares(&self, key: &str, setting: Setting) -> Read<Squares> {
        let mut squares = Squares::new();
        for word in setting.value.split_whitespace().filter(|&word| word != "-") {
            let (file, rank) =
                word.split_at(word.char_indices().nth(1).map_or(word.len(), |c| c.0));
            let files = match file.as_bytes() {
                b"*" => Some(0..self.files),
                &[letter @ b'a'..=b'p'] => Some(letter - b'a'..letter - b'a' + 1),
                _ => None,
            };
            let ranks = match rank.parse::<u8>() {
                Ok(rank @ 1..) => Some(rank - 1..rank),
                _ if rank == "*" => Some(0..self.ranks),
                _ => None,
            };
            let (Some(files), Some(ranks)) = (files, ranks) else {
                return self.wrong(key, setting, "write squares, such as e4, *8 or a*");
            };
            squares.extend(files.flat_map(|file| ranks.clone().map(move |rank| (file, rank))));
        }
        Ok(squares)
    }

    fn mirrored(&self, squares: &Squares) -> Squares {
        let ranks = self.ranks;
        let mirror = |&(file, rank): &(u8, u8)| (file, ranks.saturating_sub(rank + 1));
        squares.iter().map(mirror).collect()
    }

    /// The ranks, counted from 0, that a region of White's consists of; Black's has to be its
    /// mirror image.
    fn ranks_of(&mut self, regions: [&str; 2], default: u8) -> Read<(Vec<u8>, usize)> {
        let (sides, line) = self.regions(regions, default)?;
        let usual = usual_regions(default);
        let ranks: BTreeSet<u8> = sides[0].iter().map(|&(_, rank)| rank).collect();
        if sides[0].len() != ranks.len() * usize::from(self.files) {
            return self.fault(line, format!("{} has to be whole ranks here", regions[0]));
        }
        let outside = ranks.iter().any(|&rank| rank >= self.ranks);
        if outside || self.mirrored(&sides[0]) != sides[1] {
            return self.fault(
                line,
                format!(
                    "{} and {}, which are {} and {} unless they are given, have to be like each \
                     other on a board of {} ranks",
                    regions[0], regions[1], usual[0], usual[1], self.ranks
                ),
            );
        }
        Ok((ranks.into_iter().collect(), line))
    }

    /// The squares of White's and Black's region, which need not be on the board.
    fn regions(&mut self, regions: [&str; 2], default: u8) -> Read<([Squares; 2], usize)> {
        let [white, black] = regions.map(|key| self.take(key));
        let lines = [white, black].into_iter().flatten().map(|s| s.line);
        let line = lines.max().unwrap_or(0);
        let usual = usual_regions(default);
        let mut sides = [Squares::new(), Squares::new()];
        let given = [white, black].into_iter().zip(regions).zip(&usual);
        for (side, ((setting, key), usual)) in sides.iter_mut().zip(given) {
            let usual = Setting {
                value: usual,
                line,
                depth: 0,
            };
            *side = self.squares(key, setting.unwrap_or(usual))?;
        }
        Ok((sides, line))
    }

    fn run(mut self) -> Read<Imported> {
        let section = self.section;
        self.set("", "format", "1".to_owned(), 0);
        let name = name_of(section.name);
        self.set_text("", "name", &name, 0);
        if name != section.name {
            let known_as = format!("[{}]", quoted(section.name));
            self.set("", "aliases", known_as, 0);
        }
        let (array, line) = self.board()?;
        let kinds = self.pieces(&array)?;
        let array = self.with_letters(&array);
        self.placement = array.split(' ').next().unwrap_or_default().to_owned();
        let place = self
            .keys
            .iter()
            .take_while(|key| ["", "board"].contains(&key.0))
            .count();
        let key = ("board", "array".to_owned(), quoted(&array), line);
        self.keys.insert(place, key);
        let letters: Vec<char> = kinds.iter().map(|kind| kind.letter).collect();
        if letters.last() == Some(&'P') {
            let promotes = |kind: &&Kind| kind.promotes;
            let usual = kinds
                .iter()
                .filter(promotes)
                .map(|kind| kind.letter)
                .collect();
            let moves = kinds
                .last()
                .map_or(("", 0), |pawn| (&*pawn.moves, pawn.line));
            self.pawns(&letters, usual, &array, moves)?;
        } else {
            self.settings.retain(|key, _| !OF_PAWNS.contains(key));
        }
        self.endings(&letters)?;
        self.turns(&array)?;
        self.castling(&kinds, &array)?;
        self.left()?;
        self.finish()
    }

    /// The board and the array, a FEN.
    fn board(&mut self) -> Read<(String, usize)> {
        let width = self.file("maxFile")?;
        let height = self.number("maxRank", 8)?;
        (self.files, self.ranks) = (width.map_or(8, |(file, _)| file + 1), height.0);
        let line = width.map_or(0, |(_, line)| line).max(height.1);
        if (self.files, self.ranks) != (8, 8) {
            let size = format!("{}x{}", self.files, self.ranks);
            self.set_text("board", "size", &size, line);
        }
        let fen = self.take("startFen").unwrap_or(Setting {
            value: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            line: 0,
            depth: 0,
        });
        let array = all_fields(&fen.value.replacen("[]", "", 1).replacen("[-]", "", 1));
        if fen.line == 0
            && self
                .section
                .base
                .is_none_or(|base| base != self.section.name)
        {
            let rows: Vec<&str> = array
                .split(' ')
                .next()
                .unwrap_or_default()
                .split('/')
                .collect();
            let is_wide = |row: &&str| width_of(row) == usize::from(self.files);
            if rows.len() != usize::from(self.ranks) || !rows.iter().all(is_wide) {
                return self.fault(
                    line,
                    format!(
                        "startFen is missing: the array {array} does not fit a board of {}x{}",
                        self.files, self.ranks
                    ),
                );
            }
        }
        self.holes = holes_of(&array, self.ranks);
        if !self.holes.is_empty() {
            let name =
                |&(file, rank): &(u8, u8)| format!("\"{}{}\"", char::from(b'a' + file), rank + 1);
            let names: Vec<String> = self.holes.iter().map(name).collect();
            self.set(
                "board",
                "holes",
                format!("[{}]", names.join(", ")),
                fen.line,
            );
        }
        Ok((array, fen.line))
    }

    fn castling(&mut self, kinds: &[Kind], array: &str) -> Read<()> {
        let rights = array.split(' ').nth(2).is_some_and(|rights| rights != "-");
        let (castles, line) = self.flag("castling", true)?;
        let to = [
            self.file("castlingQueensideFile")?,
            self.file("castlingKingsideFile")?,
        ];
        let rank = self.number("castlingRank", 1)?;
        let king = kinds.first().map_or('K', |kind| kind.letter);
        let king_piece = self.take("castlingKingPiece");
        let rook_pieces = self.take("castlingRookPieces");
        let opposite = self.flag("oppositeCastling", false)?;
        let corners = [
            self.file("castlingRookQueensideFile")?,
            self.file("castlingRookKingsideFile")?,
        ];
        if !castles {
            if rights {
                self.set_text("castling", "rule", "off", line);
            }
            return Ok(());
        }
        if !rights {
            return Ok(());
        }
        if let Some(setting) =
            king_piece.filter(|setting| !setting.value.eq_ignore_ascii_case(&king.to_string()))
        {
            return self.wrong(
                "castlingKingPiece",
                setting,
                &format!("only {king} castles"),
            );
        }
        let rooks = rook_pieces.map_or("R".to_owned(), |given| given.value.to_ascii_uppercase());
        let is_there = |rook: char| kinds.iter().any(|kind| kind.letter == rook);
        if !rooks.chars().all(is_there) {
            return self.fault(
                line,
                format!("kings castle with the piece {rooks} here; write castling = false"),
            );
        }
        let outermost = outermost(array, rank.0, &rooks);
        for (corner, rook) in corners.into_iter().zip(outermost) {
            if let Some((_, line)) = corner.filter(|&(file, _)| Some(file) != rook) {
                return self.fault(line, "only the outermost rooks castle here");
            }
        }
        if rooks != "R" {
            let line = rook_pieces.map_or(0, |given| given.line);
            self.set_text("castling", "with", &rooks, line);
        }
        if opposite.0 {
            self.set("castling", "opposite-sides", "true".to_owned(), opposite.1);
        }
        let letter = |file: u8| char::from(b'a' + file);
        if to.iter().any(Option::is_some) {
            let [a, h] = [to[0].map_or(2, |to| to.0), to[1].map_or(6, |to| to.0)].map(letter);
            let line = to.into_iter().flatten().map(|to| to.1).max().unwrap_or(0);
            if [a, h] != ['c', 'g'] {
                self.set("castling", "to", format!("[\"{a}\", \"{h}\"]"), line);
            }
        }
        if rank.0 != 1 {
            self.set("castling", "rank", rank.0.to_string(), rank.1);
        }
        let no_royal = self.keys.iter().any(|(table, key, value, _)| {
            (*table, &**key, &**value) == ("royal", "rule", "\"none\"")
        });
        if no_royal {
            self.set("castling", "through-check", "true".to_owned(), 0);
        }
        Ok(())
    }

    fn has_pawns(&self) -> bool {
        self.pieces.iter().any(|&(key, ..)| key == self.pawn)
    }

    /// Refuses what has not been understood and changes something.
    fn left(&self) -> Read<()> {
        let mut wrong: Vec<(String, usize)> = Vec::new();
        let mut unknown: Vec<&str> = Vec::new();
        for (&key, &setting) in &self.settings {
            let known = NEUTRAL.iter().find(|(_, keys)| keys.contains(&key));
            let counts_no_moves = ("end", "no-progress", "0");
            let counts_no_moves = key == "nMoveRuleTypes"
                && (self.keys.iter())
                    .any(|(table, key, value, _)| (*table, &**key, &**value) == counts_no_moves);
            let is_neutral = counts_no_moves
                || match known {
                    Some(("p", _)) => setting.value == "p" && self.has_pawns(),
                    Some((usual, _)) => setting.value == *usual,
                    None => WITHOUT_EFFECT.contains(&key),
                };
            if !is_neutral {
                wrong.push((
                    format!("{key} = {}", shortened(setting.value)),
                    setting.line,
                ));
                unknown.extend(known.is_none().then_some(key));
            }
        }
        let Some(line) = wrong.iter().map(|&(_, line)| line).max() else {
            return Ok(());
        };
        let list = |words: Vec<&str>| shortened(&words.join(", ")).to_string();
        let mut message = list(wrong.iter().map(|(text, _)| &**text).collect());
        message += match wrong.len() {
            1 => " has no like here",
            _ => " have no like here",
        };
        if !unknown.is_empty() {
            let _ = write!(message, "; not known at all: {}", list(unknown));
        }
        self.fault(line, message)
    }

    /// Writes the definition, and has it checked.
    fn finish(self) -> Read<Imported> {
        let mut text = String::new();
        let mut lines = Vec::new();
        let mut tables: Vec<&str> = Vec::new();
        for (table, ..) in &self.keys {
            if !tables.contains(table) {
                tables.push(table);
            }
        }
        for table in tables {
            if !table.is_empty() {
                let _ = write!(text, "\n[{table}]\n");
                lines.extend([0, 0]);
            }
            for (_, key, value, line) in self.keys.iter().filter(|(of, ..)| *of == table) {
                let _ = writeln!(text, "{key} = {value}");
                lines.push(*line);
            }
        }
        for (_, there, here) in self.pieces.iter().filter(|(_, there, here)| there != here) {
            let _ = writeln!(text, "\n# {here} is {there} in Fairy-Stockfish.");
        }
        let none = |name: &str, _: &str| Err(format!("there is no {name}"));
        match Game::check("", &text, &none) {
            Ok(()) => Ok(Imported {
                name: name_of(self.section.name),
                text,
            }),
            Err(GameError::Definition(error)) => {
                let line = error
                    .place
                    .line
                    .checked_sub(1)
                    .and_then(|line| lines.get(line));
                self.fault(line.copied().unwrap_or(0), error.message)
            }
            Err(error) => self.fault(0, error.to_string()),
        }
    }
}

/// The name of a game in small letters, digits and hyphens, the first of which is a letter.
fn name_of(section: &str) -> String {
    let letters = section.chars().map(|c| c.to_ascii_lowercase());
    let mut name: String = letters
        .map(|c| match c {
            'a'..='z' | '0'..='9' => c,
            _ => '-',
        })
        .collect();
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        name.insert_str(0, "game-");
    }
    name.truncate(32);
    name
}

/// A FEN of which fields between the turn and the clocks may be missing, with all of them.
fn all_fields(fen: &str) -> String {
    let mut fields = fen.split_whitespace();
    let placement = fields.next().unwrap_or_default();
    let turn = fields.next().unwrap_or("w");
    let rest: Vec<&str> = fields.collect();
    let is_clock = |field: &&&str| field.starts_with(|c: char| c.is_ascii_digit());
    let mut named = rest.iter().take_while(|field| !is_clock(field)).copied();
    let (rights, passed) = (named.next().unwrap_or("-"), named.next().unwrap_or("-"));
    let clocks: Vec<&str> = rest.iter().filter(is_clock).copied().collect();
    let clocks = match clocks.is_empty() {
        true => "0 1".to_owned(),
        false => clocks.join(" "),
    };
    format!("{placement} {turn} {rights} {passed} {clocks}")
}

/// The holes of the board of a FEN, which it writes as `*`.
fn holes_of(fen: &str, ranks: u8) -> Squares {
    let placement = fen.split(' ').next().unwrap_or_default();
    let rows = placement.split('/').zip((0..ranks).rev());
    let holes = rows.flat_map(|(row, rank)| {
        let stars = row.match_indices('*');
        stars.map(move |(at, _)| (width_of(&row[..at]) as u8, rank))
    });
    holes.collect()
}

/// The width of a row of a FEN.
fn width_of(row: &str) -> usize {
    let mut width = 0;
    let mut number = 0;
    for letter in row.chars() {
        match letter.to_digit(10) {
            Some(digit) => number = number * 10 + digit as usize,
            None => (width, number) = (width + number + 1, 0),
        }
        // No board is that wide.
        number = number.min(1000);
    }
    width + number
}

/// A text of TOML.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            c if c.is_control() => {
                let _ = write!(quoted, "\\u{:04X}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}
