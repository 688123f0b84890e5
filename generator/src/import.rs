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
            "blastOnCapture",
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
            "extinctionClaim",
            "extinctionPseudoRoyal",
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
            "extinctionOpponentPieceCount",
            "extinctionPieceCount",
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

/// A value and the line that it stands in; 0 for what comes from a game that is known here.
#[derive(Clone, Copy)]
struct Setting<'a> {
    value: &'a str,
    line: usize,
}

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
        let settings = collect(&sections[..=place], &bases)?;
        Translation::new(section, settings).run()
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
            section.settings.push((key.trim(), Setting { value, line }));
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

/// The most sections that one may build on, each on the next.
const MOST_BASES: usize = 100;

/// The settings of the last of some sections, with those of all that it builds on.
fn collect<'a>(
    sections: &[Section<'a>],
    bases: &[Section<'a>],
) -> Read<BTreeMap<&'a str, Setting<'a>>> {
    let mut settings = BTreeMap::new();
    let (mut above, mut is_known_here) = (sections, false);
    for _ in 0..=MOST_BASES {
        let Some((section, earlier)) = above.split_last() else {
            return Ok(settings);
        };
        for &(key, mut setting) in section.settings.iter().rev() {
            if is_known_here {
                setting.line = 0;
            }
            // The last of several is the one that counts, and a section goes before its base.
            settings.entry(key).or_insert(setting);
        }
        let Some(base) = section.base else {
            return Ok(settings);
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
struct Kind {
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
    /// Keys of the definition with their values and the lines that say so.
    keys: Vec<(&'static str, String, String, usize)>,
}

impl<'a> Translation<'a> {
    fn new(section: &'a Section<'a>, settings: BTreeMap<&'a str, Setting<'a>>) -> Self {
        Translation {
            section,
            settings,
            files: 8,
            ranks: 8,
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
            Some(Setting {
                value: "true",
                line,
            }) => Ok((true, line)),
            Some(Setting {
                value: "false",
                line,
            }) => Ok((false, line)),
            Some(setting) => self.wrong(key, setting, "write true or false"),
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
            let usual = Setting { value: usual, line };
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
        let array = self.board()?;
        let kinds = self.pieces()?;
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
        self.turns()?;
        self.castling(&kinds, &array)?;
        self.left()?;
        self.finish()
    }

    /// The board and the array, a FEN.
    fn board(&mut self) -> Read<String> {
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
        });
        let array = fen.value.replacen("[]", "", 1).replacen("[-]", "", 1);
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
        self.set_text("board", "array", &array, fen.line);
        Ok(array)
    }

    /// The kinds of piece in the order of material names, the pawn last.
    fn pieces(&mut self) -> Read<Vec<Kind>> {
        let custom = |key: &str| {
            let number = key.strip_prefix("customPiece")?;
            number.parse::<u8>().ok().map(usize::from)
        };
        let names: Vec<(usize, &str)> = self
            .settings
            .keys()
            .filter_map(|&key| {
                let known = PIECES.iter().position(|&(name, _)| name == key);
                let known = known.or(custom(key).map(|number| PIECES.len() + number));
                known.map(|order| (order, key))
            })
            .collect();
        let mut kinds: Vec<Kind> = Vec::new();
        let mut royal = None;
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
            let letter = letter.to_ascii_uppercase();
            if name == "king" {
                royal = Some(letter);
            }
            kinds.push(Kind {
                letter,
                order,
                moves: moves.to_owned(),
                promotes: ["queen", "rook", "bishop", "knight"].contains(&name),
                line: setting.line,
            });
        }
        // Without a king, the piece of its letter takes its place.
        let first = royal.unwrap_or('K');
        kinds.sort_by_key(|kind| (kind.letter != first, kind.order));
        if let Some(setting) = self.take("pawn").filter(|setting| setting.value != "-") {
            if !setting.value.eq_ignore_ascii_case("p") {
                return self.wrong("pawn", setting, "the letter of the pawn is p");
            }
            kinds.push(Kind {
                letter: 'P',
                order: 0,
                moves: String::new(),
                promotes: false,
                line: setting.line,
            });
        }
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

    /// Letters of pieces, in the order of the game.
    fn letters(&mut self, key: &str, order: &[char]) -> Read<Option<(String, usize)>> {
        let Some(setting) = self.take(key) else {
            return Ok(None);
        };
        let given: Vec<char> = match setting.value {
            "-" => Vec::new(),
            "*" => order.to_vec(),
            letters => letters
                .chars()
                .filter(|c| !c.is_whitespace())
                .map(|c| c.to_ascii_uppercase())
                .collect(),
        };
        if let Some(letter) = given.iter().find(|letter| !order.contains(letter)) {
            let wanted = format!("no piece has the letter {letter}");
            return self.wrong(key, setting, &wanted);
        }
        let letters = order.iter().filter(|letter| given.contains(letter));
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
        match (extinct, all) {
            ("none", _) | (_, None | Some("-")) => {}
            (value, Some("*")) => self.set_text("end", "all-lost", value, line),
            (value, _) => {
                self.set_text("end", "extinct", value, line);
                self.set_text("end", "extinct-types", &types, types_line);
            }
        }
        self.flags()?;
        let (bare, line) = self.word("bareKingValue", &["none", "loss"])?;
        match (bare, self.flag("bareKingMove", false)?.0) {
            ("none", _) => {}
            (_, false) => self.set_text("end", "bare", "loss", line),
            (_, true) => self.set_text("end", "bare", "loss-unless-answered", line),
        }
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
        let piece = self.take("flagPiece");
        let (Some(piece), Some(white), Some(black)) = (piece, white, black) else {
            return match piece.or(white).or(black) {
                None => Ok(()),
                Some(setting) => self.fault(
                    setting.line,
                    "flagPiece, flagRegionWhite and flagRegionBlack need each other",
                ),
            };
        };
        let sides = [
            self.squares("flagRegionWhite", white)?,
            self.squares("flagRegionBlack", black)?,
        ];
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
            &piece.value.to_ascii_uppercase(),
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

    fn turns(&mut self) -> Read<()> {
        let (always, line) = self.flag("pass", false)?;
        let (stuck, stuck_line) = self.flag("passOnStalemate", false)?;
        match (always, stuck) {
            (true, _) => self.set_text("turn", "pass", "always", line),
            (false, true) => self.set_text("turn", "pass", "when-stuck", stuck_line),
            (false, false) => {}
        }
        for (key, usual, table, ours, value) in [
            ("mustCapture", false, "turn", "must-capture", "true"),
            ("checking", true, "turn", "no-checks", "true"),
            ("checkCounting", false, "counters", "checks", "3"),
        ] {
            let (given, line) = self.flag(key, usual)?;
            if given != usual {
                self.set(table, ours, value.to_owned(), line);
            }
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

    /// Refuses what has not been understood and changes something.
    fn left(&self) -> Read<()> {
        for (&key, &setting) in &self.settings {
            if WITHOUT_EFFECT.contains(&key) {
                continue;
            }
            let known = NEUTRAL.iter().find(|(_, keys)| keys.contains(&key));
            match known {
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
