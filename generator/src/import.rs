//! Turns the sections of a Fairy-Stockfish `variants.ini` into definitions of games.
//!
//! A section is a list of settings and may build on another, `[name:base]`. Every setting is
//! either turned into keys of a definition or has the value that changes nothing; what is left
//! over is an error that names the line.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use retrograde_rules::{Game, GameError, is_usual, shortened};
use thiserror::Error;

/// The names of pieces with their moves in Betza's notation, in the order of material names.
const PIECES: &[(&str, &str)] = &[
    ("king", "K"),
    ("amazon", "QN"),
    ("queen", "Q"),
    ("aiwok", "RNF"),
    ("archbishop", "BN"),
    ("chancellor", "RN"),
    ("bers", "RF"),
    ("rook", "R"),
    ("dragonHorse", "BW"),
    ("centaur", "KN"),
    ("bishop", "B"),
    ("commoner", "K"),
    ("knight", "N"),
    ("knibis", "mNcB"),
    ("biskni", "mBcN"),
    ("kniroo", "mNcR"),
    ("rookni", "mRcN"),
    ("gold", "WfF"),
    ("silver", "FfW"),
    ("lance", "fR"),
    ("shogiKnight", "fN"),
    ("shogiPawn", "fW"),
    ("horse", "nN"),
    ("elephant", "nA"),
    ("fersAlfil", "FA"),
    ("fers", "F"),
    ("wazir", "W"),
    ("alfil", "A"),
    ("soldier", "fsW"),
    ("breakthrough", "fmWfF"),
    ("clobber", "cW"),
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
            "oppositeCastling",
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
            "blastImmuneTypes",
            "diagonalLines",
            "dropNoDoubled",
            "mutuallyImmuneTypes",
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
    (
        "0",
        &[
            "connectN",
        ],
    ),
    ("1", &["flagPieceCount", "soldierPromotionRank"]),
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

/// A value, the line that it stands in, and how many sections build on the one with that line; 0
/// is the line of what comes from a game that is known here.
#[derive(Clone, Copy)]
struct Setting<'a> {
    value: &'a str,
    line: usize,
    depth: usize,
}

/// Settings by their keys.
type Settings<'a> = BTreeMap<&'a str, Setting<'a>>;

/// A section as it is written.
struct Section<'a> {
    name: &'a str,
    base: Option<&'a str>,
    line: usize,
    settings: Vec<(&'a str, Setting<'a>)>,
}

/// Turns the sections of a text into definitions: the one of a name, or all.
///
/// # Errors
/// The text is no list of sections, or has none of the name. Each section that cannot be turned
/// into a definition has an error of its own.
pub fn import(text: &str, name: Option<&str>) -> Read<Vec<Read<Imported>>> {
    let sections = sections(text)?;
    let bases = self::sections(BASES)?;
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
        let (settings, lettered) = collect(&sections[..=place], &bases)?;
        Translation::new(section, settings, lettered).run()
    };
    Ok(places.into_iter().map(one).collect())
}

/// Reads the sections of a text. Lines that begin with `#` or `;` are comments, and so is what
/// follows a `#` after a space.
fn sections(text: &str) -> Read<Vec<Section<'_>>> {
    let mut sections: Vec<Section> = Vec::new();
    for (line, written) in (1..).zip(text.trim_start_matches('\u{feff}').lines()) {
        let written = written.split(" #").next().unwrap_or_default().trim();
        if written.is_empty() || written.starts_with(['#', ';']) {
            continue;
        }
        if let Some(title) = written.strip_prefix('[') {
            let Some(title) = title.strip_suffix(']') else {
                return fault(line, "the name of a section ends with ]");
            };
            let (name, base) = match title.split_once(':') {
                Some((name, base)) => (name.trim(), Some(base.trim())),
                None => (title.trim(), None),
            };
            sections.push(Section {
                name,
                base,
                line,
                settings: Vec::new(),
            });
        } else if let (Some((key, value)), Some(section)) =
            (written.split_once('='), sections.last_mut())
        {
            let value = value.trim();
            let depth = 0;
            let setting = Setting { value, line, depth };
            section.settings.push((key.trim(), setting));
        } else {
            let shown = shortened(written);
            return fault(
                line,
                format!("\"{shown}\" is neither [name], [name:base] nor key = value below one"),
            );
        }
    }
    Ok(sections)
}

/// A letter that a section gives a piece.
struct Lettered<'a> {
    key: &'a str,
    letter: char,
    depth: usize,
}

/// The place of a key of a piece in the order of material names.
fn order_of(key: &str) -> Option<usize> {
    let custom = || key.strip_prefix("customPiece")?.parse::<u8>().ok();
    let known = PIECES.iter().position(|&(name, _)| name == key);
    known.or_else(|| custom().map(|number| PIECES.len() + usize::from(number)))
}

fn is_piece(key: &str) -> bool {
    key == "pawn" || order_of(key).is_some()
}

/// The most sections that one may build on, each on the next.
const MOST_BASES: usize = 100;

/// The settings of the last of some sections, with those of all that it builds on: those that
/// count, and the letters of pieces as each section gives them.
fn collect<'a>(
    sections: &[Section<'a>],
    bases: &[Section<'a>],
) -> Read<(Settings<'a>, Vec<Lettered<'a>>)> {
    let (mut settings, mut lettered) = (BTreeMap::new(), Vec::new());
    let (mut above, mut is_known_here) = (sections, false);
    for depth in 0..=MOST_BASES {
        let Some((section, earlier)) = above.split_last() else {
            return Ok((settings, lettered));
        };
        for &(key, mut setting) in section.settings.iter().rev() {
            setting.depth = depth;
            if is_known_here {
                setting.line = 0;
            }
            if let Some(letter) = setting.value.chars().next().filter(|_| is_piece(key)) {
                let letter = letter.to_ascii_uppercase();
                lettered.push(Lettered { key, letter, depth });
            }
            // The last of several is the one that counts, and a section goes before its base.
            settings.entry(key).or_insert(setting);
        }
        let Some(base) = section.base else {
            return Ok((settings, lettered));
        };
        let place = |sections: &[Section]| sections.iter().rposition(|s| s.name == base);
        above = if let Some(place) = place(earlier) {
            &earlier[..=place]
        } else if let (Some(place), false) = (place(bases), is_known_here) {
            is_known_here = true;
            &bases[..=place]
        } else {
            let known: Vec<&str> = bases.iter().map(|base| base.name).collect();
            return fault(
                section.line,
                format!(
                    "there is no section [{}] above, and no such game is known here; those known \
                     are: {}",
                    shortened(base),
                    known.join(", ")
                ),
            );
        };
    }
    let last = sections.last().map_or(0, |section| section.line);
    fault(
        last,
        format!("at most {MOST_BASES} sections build on one another; write the settings out"),
    )
}

/// Squares as files and ranks, counted from 0.
type Squares = BTreeSet<(u8, u8)>;

/// A piece of the game.
struct Kind<'a> {
    key: &'a str,
    letter: char,
    /// The place in the order of material names.
    order: usize,
    moves: String,
    /// Whether pawns become such a piece unless more is said.
    promotes: bool,
    line: usize,
}

/// A section on the way to its definition.
struct Translation<'a> {
    section: &'a Section<'a>,
    /// The settings that have not been understood so far.
    settings: BTreeMap<&'a str, Setting<'a>>,
    files: u8,
    ranks: u8,
    /// The letters of pieces, by all sections.
    lettered: Vec<Lettered<'a>>,
    /// The pieces by their keys, each with its letter there and here.
    pieces: Vec<(&'a str, char, char)>,
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
            lettered,
            pieces: Vec::new(),
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
        let [white, black] = regions.map(|key| self.take(key));
        let lines = [white, black].into_iter().flatten().map(|s| s.line);
        let line = lines.max().unwrap_or(0);
        let usual = [format!("*{default}"), format!("*{}", 9 - default)];
        let mut sides = Vec::new();
        for ((setting, key), usual) in [white, black].into_iter().zip(regions).zip(&usual) {
            let usual = Setting {
                value: usual,
                line,
                depth: 0,
            };
            sides.push(self.squares(key, setting.unwrap_or(usual))?);
        }
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
        self.keys.insert(
            self.keys.iter().take_while(|key| key.0 != "pieces").count(),
            ("board", "array".to_owned(), quoted(&array), line),
        );
        let letters: Vec<char> = kinds.iter().map(|kind| kind.letter).collect();
        if letters.last() == Some(&'P') {
            let promotes = |kind: &&Kind| kind.promotes;
            let usual = kinds
                .iter()
                .filter(promotes)
                .map(|kind| kind.letter)
                .collect();
            self.pawns(&letters, usual, &array)?;
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
        Ok((array, fen.line))
    }

    /// The kinds of piece in the order of material names, the pawn last.
    fn pieces(&mut self, array: &str) -> Read<Vec<Kind<'a>>> {
        let names: Vec<(usize, &str)> = (self.settings.keys())
            .filter_map(|&key| Some((order_of(key)?, key)))
            .collect();
        let mut kinds: Vec<(Kind, usize)> = Vec::new();
        for (order, name) in names {
            let Some(setting) = self.take(name).filter(|setting| setting.value != "-") else {
                continue;
            };
            let usual = PIECES.get(order).map(|&(_, moves)| moves);
            let (letter, moves) = match setting.value.split_once(':') {
                Some((letter, moves)) => (letter.trim(), Some(moves.trim())),
                None => (setting.value, usual),
            };
            let mut letters = letter.chars();
            let (Some(letter), None) = (letters.next(), letters.next()) else {
                return self.wrong(name, setting, "write one letter for a piece");
            };
            let Some(moves) = moves else {
                return self.wrong(name, setting, "write a letter and moves, such as a:BN");
            };
            let kind = Kind {
                key: name,
                letter: letter.to_ascii_uppercase(),
                order,
                moves: moves.to_owned(),
                promotes: ["queen", "rook", "bishop", "knight"].contains(&name),
                line: setting.line,
            };
            kinds.push((kind, setting.depth));
        }
        if let Some(setting) = self.take("pawn").filter(|setting| setting.value != "-") {
            if !setting.value.eq_ignore_ascii_case("p") {
                return self.wrong("pawn", setting, "the letter of the pawn is p");
            }
            let kind = Kind {
                key: "pawn",
                letter: 'P',
                order: 0,
                moves: String::new(),
                promotes: false,
                line: setting.line,
            };
            kinds.push((kind, setting.depth));
        }
        // A piece takes the place of one that has the letter in a section below.
        let kept = |&(ref kind, depth): &(Kind, usize), kinds: &[(Kind, usize)]| {
            let above = |other: &&(Kind, usize)| other.0.letter == kind.letter && other.1 < depth;
            kinds.iter().find(above).is_none()
        };
        let kept: Vec<bool> = kinds.iter().map(|kind| kept(kind, &kinds)).collect();
        let mut kept = kept.into_iter();
        kinds.retain(|_| kept.next().unwrap_or_default());
        let mut kinds: Vec<Kind> = kinds.into_iter().map(|(kind, _)| kind).collect();
        for kind in &kinds {
            let alike = kinds.iter().filter(|other| other.letter == kind.letter);
            if alike.clone().count() > 1 {
                let line = alike.map(|kind| kind.line).max().unwrap_or(0);
                let message = format!(
                    "two pieces have the letter {}; write - for the one that is not there",
                    kind.letter.to_ascii_lowercase()
                );
                return self.fault(line, message);
            }
        }
        // Pieces that are not in the array and that no pawn becomes are never on the board.
        self.pieces = kinds.iter().map(|kind| (kind.key, kind.letter, kind.letter)).collect();
        let placement = array.split(' ').next().unwrap_or_default();
        let promotes = match self.settings.get("promotionPieceTypes") {
            Some(_) if kinds.iter().all(|kind| kind.key != "pawn") => Some(String::new()),
            Some(&setting) => Some(self.resolved("promotionPieceTypes", setting)?),
            None => None,
        };
        kinds.retain(|kind| {
            let stands = |letter: char| letter.eq_ignore_ascii_case(&kind.letter);
            let promoted = match &promotes {
                Some(letters) => letters.contains(kind.letter),
                None => kind.promotes,
            };
            kind.key == "king" || kind.key == "pawn" || promoted || placement.contains(stands)
        });
        self.pieces.retain(|(key, ..)| kinds.iter().any(|kind| kind.key == *key));
        // Some letters are never those of pieces here.
        let mut free: Vec<char> = ('A'..='Z').rev().collect();
        free.retain(|letter| !"POV".contains(*letter) && kinds.iter().all(|k| k.letter != *letter));
        for (kind, place) in kinds.iter_mut().zip(&mut self.pieces) {
            if "OV".contains(kind.letter) || kind.letter == 'P' && kind.key != "pawn" {
                let Some(letter) = free.pop() else {
                    return self.fault(kind.line, "there are no letters left");
                };
                (kind.letter, place.2) = (letter, letter);
            }
        }
        let royal = kinds.iter().find(|kind| kind.key == "king");
        let royal = royal.map(|kind| kind.letter);
        // Without a king, the piece of its letter takes its place.
        let first = royal.unwrap_or('K');
        kinds.sort_by_key(|kind| (kind.key == "pawn", kind.letter != first, kind.order));
        let order: String = kinds.iter().map(|kind| kind.letter).collect();
        let line = kinds.iter().map(|kind| kind.line).max().unwrap_or(0);
        if order != "KQRBNP" {
            self.set_text("pieces", "order", &order, line);
        }
        for kind in &kinds {
            if kind.letter != 'P' && !is_usual(kind.letter, &kind.moves) {
                self.set_text("pieces", &kind.letter.to_string(), &kind.moves, kind.line);
            }
        }
        match royal {
            Some('K') => {}
            Some(letter) => self.set_text("royal", "piece", &letter.to_string(), line),
            None => {
                self.set_text("royal", "rule", "none", 0);
                self.set("royal", "kings", "[0, \"any\"]".to_owned(), 0);
            }
        }
        Ok(kinds)
    }

    /// The letters here of the pieces that a setting means by theirs, which are those of its
    /// section; without those that are no longer there.
    fn resolved(&self, key: &str, setting: Setting) -> Read<String> {
        let mut resolved = String::new();
        for letter in setting.value.chars().filter(|c| !c.is_whitespace()) {
            let letter = letter.to_ascii_uppercase();
            let known = |known: &&Lettered| known.depth >= setting.depth && known.letter == letter;
            let piece = self.lettered.iter().filter(known).min_by_key(|known| known.depth);
            let Some(piece) = piece else {
                let wanted = format!("no piece has the letter {letter}");
                return self.wrong(key, setting, &wanted);
            };
            let here = self.pieces.iter().find(|(key, ..)| *key == piece.key);
            resolved.extend(here.map(|&(.., letter)| letter));
        }
        Ok(resolved)
    }

    /// A FEN with the letters that the pieces have here.
    fn with_letters(&self, fen: &str) -> String {
        let (placement, rest) = fen.split_once(' ').unwrap_or((fen, ""));
        let renamed = |letter: char| {
            let upper = letter.to_ascii_uppercase();
            match self.pieces.iter().find(|&&(_, there, _)| there == upper) {
                Some(&(.., here)) if letter.is_ascii_lowercase() => here.to_ascii_lowercase(),
                Some(&(.., here)) => here,
                None => letter,
            }
        };
        let placement: String = placement.chars().map(renamed).collect();
        format!("{placement} {rest}")
    }

    /// Letters of pieces, in the order of the game.
    fn letters(&mut self, key: &str, order: &[char]) -> Read<Option<(String, usize)>> {
        let Some(setting) = self.take(key) else {
            return Ok(None);
        };
        let given = match setting.value {
            "-" => String::new(),
            "*" => order.iter().collect(),
            _ => self.resolved(key, setting)?,
        };
        let letters = order.iter().filter(|&&letter| given.contains(letter));
        Ok(Some((letters.collect(), setting.line)))
    }

    fn pawns(&mut self, order: &[char], usual: String, array: &str) -> Read<()> {
        let (promotes, line) = match self.letters("promotionPieceTypes", order)? {
            Some(given) => given,
            None => (usual, 0),
        };
        self.set_text("pawns", "promotes-to", &promotes, line);
        let regions = ["promotionRegionWhite", "promotionRegionBlack"];
        if promotes.is_empty() {
            // Pawns go to the last rank, and stay pawns.
            let _ = regions.map(|key| self.take(key));
            let _ = self.flag("mandatoryPawnPromotion", true)?;
            self.set_text("pawns", "promotion", "must-wait", line);
            return self.double_steps(array);
        }
        let (ranks, line) = self.ranks_of(regions, 8)?;
        let zone = self.ranks - ranks.first().copied().unwrap_or(self.ranks);
        if usize::from(zone) != ranks.len() || zone == 0 {
            let message = "pawns promote on the last ranks here; give promotionRegionWhite and \
                           promotionRegionBlack";
            return self.fault(line, message);
        }
        if zone > 1 {
            self.set("pawns", "promotion-ranks", zone.to_string(), line);
        }
        let (compulsory, line) = self.flag("mandatoryPawnPromotion", true)?;
        if !compulsory {
            self.set_text("pawns", "promotion", "optional", line);
        }
        self.double_steps(array)
    }

    fn double_steps(&mut self, array: &str) -> Read<()> {
        let (steps, line) = self.flag("doubleStep", true)?;
        let regions = ["doubleStepRegionWhite", "doubleStepRegionBlack"];
        let (ranks, step_line) = match steps {
            true => self.ranks_of(regions, 2)?,
            false => {
                let _ = regions.map(|key| self.take(key));
                (Vec::new(), line)
            }
        };
        let placement = array.split(' ').next().unwrap_or_default();
        let white = placement.rsplit('/').position(|row| row.contains('P'));
        let black = placement.split('/').position(|row| row.contains('p'));
        let first = white
            .into_iter()
            .chain(black)
            .min()
            .map_or(2, |rank| rank + 1);
        // Pawns that all begin beyond the middle say nothing about where pawns begin.
        let first = match first > usize::from(self.ranks / 2) {
            true => 2,
            false => first,
        };
        if first != 2 {
            self.set("pawns", "first-rank", first.to_string(), 0);
        }
        let ranks: Vec<usize> = ranks
            .into_iter()
            .map(|rank| usize::from(rank) + 1)
            .collect();
        let ranks: Vec<usize> = ranks.into_iter().filter(|&rank| rank >= first).collect();
        match ranks[..] {
            [2] => {}
            [] => self.set_text("pawns", "double-step", "off", step_line),
            _ => self.set("pawns", "double-step", format!("{ranks:?}"), step_line),
        }
        let (passing, line) = self.word("enPassantRegion", &["*", "-"])?;
        if passing == "-" {
            self.set_text("pawns", "en-passant", "off", line);
        }
        Ok(())
    }

    fn endings(&mut self, order: &[char]) -> Read<()> {
        let (stalemate, line) = self.word("stalemateValue", &["draw", "loss", "win"])?;
        let (by_count, count_line) = self.flag("stalematePieceCount", false)?;
        match (by_count, stalemate) {
            (false, "draw") => {}
            (false, value) => self.set_text("end", "stalemate", value, line),
            (true, "win") => self.set_text("end", "stalemate", "fewer-men", count_line),
            (true, _) => {
                return self.fault(
                    count_line,
                    "stalematePieceCount needs stalemateValue = win here",
                );
            }
        }
        let (checkmate, line) = self.word("checkmateValue", &["loss", "win"])?;
        if checkmate == "win" {
            self.set_text("end", "checkmate", checkmate, line);
        }
        let all = self
            .settings
            .get("extinctionPieceTypes")
            .map(|setting| setting.value);
        let (types, types_line) = self
            .letters("extinctionPieceTypes", order)?
            .unwrap_or_default();
        let (extinct, line) = self.word("extinctionValue", &["none", "loss", "win"])?;
        let (claimed, _) = self.flag("extinctionClaim", false)?;
        let (royal, _) = self.flag("extinctionPseudoRoyal", false)?;
        let (fewest, count_line) = self.number("extinctionPieceCount", 0)?;
        let (others, others_line) = self.number("extinctionOpponentPieceCount", 0)?;
        let (explodes, blast_line) = self.flag("blastOnCapture", false)?;
        if explodes {
            self.set("capture", "explodes", "true".to_owned(), blast_line);
        }
        let none = self.keys.iter().position(|key| (key.0, &*key.1) == ("royal", "rule"));
        let stripped = match (claimed, fewest, others) {
            (true, 1, 2) => Some("loss-unless-answered"),
            (false, 1, 0) => Some("loss"),
            _ => None,
        };
        match (extinct, all) {
            ("none", _) | (_, None | Some("-")) => {}
            ("loss", Some("*")) if none.is_none() && stripped.is_some() => {
                self.set_text("end", "bare", stripped.unwrap_or_default(), count_line);
            }
            (_, _) if claimed || fewest != 0 => {
                return self.fault(
                    count_line,
                    "extinctionPieceCount has a like here only as the bare king of shatranj",
                );
            }
            (_, _) if others > 1 || others == 1 && all != Some("*") => {
                return self.fault(others_line, "extinctionOpponentPieceCount has no like here");
            }
            ("loss", Some(_)) if royal && types.len() == 1 && none.is_some() => {
                // Its one piece of this type is royal.
                self.keys.retain(|key| key.0 != "royal");
                if types != "K" {
                    self.set_text("royal", "piece", &types, types_line);
                }
            }
            (_, _) if royal => {
                return self.fault(
                    line,
                    "extinctionPseudoRoyal has a like here only where one type is royal",
                );
            }
            (value, Some("*")) => self.set_text("end", "all-lost", value, line),
            (value, _) => {
                self.set_text("end", "extinct", value, line);
                self.set_text("end", "extinct-types", &types, types_line);
            }
        }
        self.flags()?;
        let (moves, line) = self.number("nMoveRule", 50)?;
        if moves != 50 {
            self.set(
                "end",
                "no-progress",
                (u16::from(moves) * 2).to_string(),
                line,
            );
        }
        Ok(())
    }

    /// The squares that a piece wins on.
    fn flags(&mut self) -> Read<()> {
        let region = self.take("flagRegion");
        let [white, black] =
            ["flagRegionWhite", "flagRegionBlack"].map(|key| self.take(key).or(region));
        let (reply, reply_line) = self.flag("flagMove", false)?;
        let piece = self.take("flagPiece").filter(|setting| setting.value != "*");
        let Some(line) = white.or(black).map(|setting| setting.line) else {
            return Ok(());
        };
        let Some(piece) = piece else {
            return self.fault(line, "flagPiece is missing: one kind of piece wins here");
        };
        let letter = self.resolved("flagPiece", piece)?;
        // Where a side has no such piece and no pawns, its squares are of no matter.
        let stands = |letter: String| self.placement.contains(&letter) || self.placement.contains(['P', 'p']);
        let needless = [letter.clone(), letter.to_ascii_lowercase()].map(|letter| !stands(letter));
        let (white, black) = match (white, black) {
            (Some(white), Some(black)) => (white, Some(black)),
            (Some(white), None) if needless[1] => (white, None),
            _ => return self.fault(line, "flagRegionWhite and flagRegionBlack need each other"),
        };
        let white_squares = self.squares("flagRegionWhite", white)?;
        let black_squares = match black {
            Some(black) => self.squares("flagRegionBlack", black)?,
            None => self.mirrored(&white_squares),
        };
        let black = black.unwrap_or(white);
        let sides = [white_squares, black_squares];
        let both = match (self.mirrored(&sides[0]) == sides[1], sides[0] == sides[1]) {
            (true, _) => false,
            (false, true) => true,
            (false, false) => {
                return self.wrong("flagRegionBlack", black, "White's squares are mirrored");
            }
        };
        let named = |word: &str| match (word.strip_prefix('*'), word.strip_suffix('*')) {
            (Some(rank), _) => format!("rank{rank}"),
            (_, Some(file)) => format!("file{file}"),
            _ => word.to_owned(),
        };
        let squares = white.value.split_whitespace();
        let squares: Vec<String> = squares.map(|word| quoted(&named(word))).collect();
        self.set_text(
            "end.reach",
            "piece",
            &letter,
            piece.line,
        );
        self.set(
            "end.reach",
            "squares",
            format!("[{}]", squares.join(", ")),
            white.line,
        );
        if both {
            self.set("end.reach", "both", "true".to_owned(), black.line);
        }
        if reply {
            self.set("end.reach", "reply", "true".to_owned(), reply_line);
        }
        Ok(())
    }

    fn turns(&mut self, array: &str) -> Read<()> {
        let (always, line) = self.flag("pass", false)?;
        let (stuck, stuck_line) = self.flag("passOnStalemate", false)?;
        match (always, stuck) {
            (true, _) => self.set_text("turn", "pass", "always", line),
            (false, true) => self.set_text("turn", "pass", "when-stuck", stuck_line),
            (false, false) => {}
        }
        for (key, usual, ours) in [
            ("mustCapture", false, "must-capture"),
            ("checking", true, "no-checks"),
        ] {
            let (given, line) = self.flag(key, usual)?;
            if given != usual {
                self.set("turn", ours, "true".to_owned(), line);
            }
        }
        let (counts, line) = self.flag("checkCounting", false)?;
        if counts {
            // How many are left to give stands in the array, such as 3+3.
            let left = array.split(' ').find_map(|field| field.split_once('+'));
            let left = left.map_or("3", |(white, _)| white);
            self.set("counters", "checks", left.to_owned(), line);
        }
        Ok(())
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
        let rooks = [
            self.take("castlingKingPiece"),
            self.take("castlingRookPieces"),
        ];
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
        let keys = ["castlingKingPiece", "castlingRookPieces"];
        for ((setting, key), letter) in rooks.into_iter().zip(keys).zip([king, 'R']) {
            let other =
                |setting: &Setting| !setting.value.eq_ignore_ascii_case(&letter.to_string());
            if let Some(setting) = setting.filter(other) {
                return self.wrong(key, setting, &format!("only {letter} castles"));
            }
        }
        for (corner, usual) in corners.into_iter().zip([0, self.files - 1]) {
            if let Some((_, line)) = corner.filter(|&(file, _)| file != usual) {
                return self.fault(line, "only the outermost rooks castle here");
            }
        }
        if !kinds.iter().any(|kind| kind.letter == 'R') {
            return self.fault(
                line,
                "kings castle with the piece R here; write castling = false",
            );
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
        let no_royal = self
            .keys
            .iter()
            .any(|(table, key, ..)| (*table, &**key) == ("royal", "rule"));
        if no_royal {
            self.set("castling", "through-check", "true".to_owned(), 0);
        }
        Ok(())
    }

    fn has_pawns(&self) -> bool {
        self.pieces.iter().any(|&(key, ..)| key == "pawn")
    }

    /// Refuses what has not been understood and changes something.
    fn left(&self) -> Read<()> {
        for (&key, &setting) in &self.settings {
            if WITHOUT_EFFECT.contains(&key) {
                continue;
            }
            let known = NEUTRAL.iter().find(|(_, keys)| keys.contains(&key));
            match known {
                Some(&("p", _)) if setting.value == "p" && !self.has_pawns() => {
                    return self.wrong(key, setting, "pawns move as in orthodox chess here");
                }
                Some(&(usual, _)) if setting.value == usual => {}
                Some((usual, _)) => {
                    return self.wrong(key, setting, &format!("only {key} = {usual} has"));
                }
                None => {
                    let message = format!("the key {} is not known here", shortened(key));
                    return self.fault(setting.line, message);
                }
            }
        }
        Ok(())
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
