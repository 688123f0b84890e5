//! Lists the keys of a definition: what each means, how it is read and written, and its default.
//!
//! [`FIELDS`] says every key once. A [`Keys`] is a definition in full; what differs from the
//! defaults, and matters, is its [normal form](Keys::normal).

use crate::betza::Mover;
use crate::geometry::Geometry;
use crate::shortened::{nearest, shortened};
use crate::square::SquareSet;
use crate::table::{DefinitionError, EMPTY, Entry, Place, Table, VITALITY, Value, insert_sorted};

/// An enumeration whose variants are words of definitions, the default first.
pub(crate) trait Word: Copy + 'static {
    /// The words, in the order of the variants.
    const WORDS: &'static [&'static str];
    /// The variants.
    const ALL: &'static [Self];

    /// The place of a variant.
    fn place(self) -> usize;
}

macro_rules! words {
    ($(#[$meta:meta])* $vis:vis $name:ident { $first:ident = $first_word:literal,
        $($(#[$doc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        $vis enum $name {
            #[doc = concat!("`", $first_word, "`, the default.")]
            #[default]
            $first,
            $($(#[$doc])* #[doc = concat!("`", $word, "`.")] $variant),+
        }

        impl Word for $name {
            const WORDS: &'static [&'static str] = &[$first_word, $($word),+];
            const ALL: &'static [$name] = &[$name::$first, $($name::$variant),+];

            fn place(self) -> usize {
                self as usize
            }
        }
    };
}

words!(
    /// The choice of a pawn that arrives on its promotion ranks (C5).
    pub(crate) Promotion {
        Compulsory = "compulsory",
        /// The pawn may stay a pawn, and never promotes without moving:
        Optional = "optional",
        /// The pawn may wait, and later turn into another piece and move as that in one go:
        MayWait = "may-wait",
        /// The pawn must wait, and later turns into another piece and moves as that in one go:
        MustWait = "must-wait",
    }
);
words!(
    /// The pieces that may capture en passant (O2, C6).
    pub EnPassant {
        Pawns = "pawns",
        /// Every piece that could capture on the square passed over:
        All = "all",
        /// No piece may capture en passant:
        Off = "off",
    }
);
words!(
    /// The rule that makes pieces of a side royal.
    pub(crate) RoyalRule {
        King = "king",
        /// The first of several kings in an order (K1):
        FirstKing = "first-king",
        /// Every piece that is the only one of its type (E2):
        OnlyOfType = "only-of-type",
        /// No piece is royal:
        None = "none",
    }
);
words!(
    /// The value of having no move without being in check, for the side that has none.
    pub(crate) Stalemate {
        Draw = "draw",
        /// The side without a move has lost:
        Loss = "loss",
        /// The side without a move has won:
        Win = "win",
        /// The side with fewer pieces has won:
        FewerMen = "fewer-men",
    }
);
words!(
    /// The value of being checkmated.
    pub(crate) Checkmate {
        Loss = "loss",
        /// The mated side has won:
        Win = "win",
    }
);
words!(
    /// The outcome of capturing the king if one's own is attacked afterwards (C2).
    pub CaptureInCheck {
        Win = "win",
        /// A draw:
        Draw = "draw",
        /// The captor has lost:
        Loss = "loss",
        /// The capture is no move:
        Illegal = "illegal",
    }
);
words!(
    /// The value of an event for the side that it happens to, where it ends the game at all.
    pub(crate) Outcome {
        Off = "off",
        /// The side that the event happens to has lost:
        Loss = "loss",
        /// The side that the event happens to has won:
        Win = "win",
    }
);
words!(
    /// The fate of a side that has only its royal piece left or, without royal pieces, one piece.
    pub Bare {
        Off = "off",
        /// The side left with one piece has lost:
        Loss = "loss",
        /// The side left with one piece has won:
        Win = "win",
        /// The side has lost unless its next move strips the other side, too:
        LossUnlessAnswered = "loss-unless-answered",
    }
);
words!(
    /// The condition under which a side may pass (H2).
    pub Pass {
        Off = "off",
        /// The side is not in check:
        UnlessInCheck = "unless-in-check",
        /// Whenever it wants:
        Always = "always",
        /// The side is not in check and has no other move:
        WhenStuck = "when-stuck",
    }
);
words!(
    /// The sides whose vitality a vital move restores (H4).
    pub Restores {
        Mover = "mover",
        /// Both sides' vitality:
        Both = "both",
    }
);
words!(
    /// The side that is High when both kings are equally far from the centre (H1).
    pub(crate) Ties {
        Black = "black",
        /// White:
        White = "white",
    }
);
words!(
    /// The sides that pay for a turn that is not vital (H5).
    pub(crate) Pays {
        Low = "low",
        /// Either side when it moves; but only Low loses by having no points left:
        Both = "both",
    }
);
words!(
    /// Whether mate or exhaustion counts if both come with one move (H6).
    pub(crate) Exhaustion {
        AfterMate = "after-mate",
        /// Exhaustion comes first:
        BeforeMate = "before-mate",
    }
);
words!(
    /// The condition under which a right to capture en passant makes a move vital (H7).
    pub(crate) VitalEnPassant {
        Standing = "standing",
        /// The capture is legal:
        Legal = "legal",
        /// The capture is made:
        Made = "made",
        /// No right makes a move vital:
        Off = "off",
    }
);
words!(
    /// The way in which a king castles.
    pub(crate) CastlingRule {
        Chess = "chess",
        /// The royal king leaps towards a rook (X2):
        RoyalKing = "royal-king",
        /// Kings castle with the nearest piece on the first rank, without rights (C7):
        FirstRank = "first-rank",
        /// No castling:
        Off = "off",
    }
);
words!(
    /// The rooks that a king castles with.
    pub(crate) Sides {
        Both = "both",
        /// The rook on the side of the a-file:
        A = "a",
    }
);
words!(
    /// The line that comes first of two.
    pub(crate) End {
        Low = "low",
        /// The higher one:
        High = "high",
    }
);

/// The ranks from which pawns may make a double step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum DoubleStep {
    /// The ranks in this list, counted from 1 on the own side; none if it is off.
    Ranks(Vec<u8>),
    Anywhere,
}

/// The squares whose reaching ends the game (T1).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ReachKeys {
    pub(crate) pieces: Vec<char>,
    pub(crate) squares: SquareSet,
    /// Black's, if they are neither White's nor their mirror image.
    pub(crate) black: Option<SquareSet>,
    pub(crate) both: bool,
    pub(crate) reply: bool,
    /// The number of pieces that have to be there.
    pub(crate) count: u8,
    /// Whether pieces win by being safe there.
    pub(crate) safe: bool,
    /// Whether pieces win by being still there when their side is to move.
    pub(crate) stays: bool,
}

impl ReachKeys {
    /// Whether a side may be found there when it is to move, and both sides at once.
    pub(crate) fn lingers(&self) -> bool {
        self.safe || self.stays
    }

    /// Black's squares.
    pub(crate) fn black_squares(&self, board: Geometry) -> SquareSet {
        match (self.black, self.both) {
            (Some(black), _) => black,
            (None, true) => self.squares,
            (None, false) => mirrored(board, self.squares),
        }
    }
}

/// The rules of vitality (H1-H7).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct VitalityKeys {
    pub(crate) full: [u8; 2],
    pub(crate) restores: Restores,
    pub(crate) ties: Ties,
    pub(crate) centre: SquareSet,
    pub(crate) pays: Pays,
    pub(crate) exhaustion: Exhaustion,
    pub(crate) en_passant: VitalEnPassant,
}

/// A definition in full: the value of every key that rules depend on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Keys {
    pub(crate) size: Geometry,
    pub(crate) array: Option<String>,
    pub(crate) order: Vec<char>,
    /// The moves of the pieces of `order`, but for the pawn.
    pub(crate) movers: Vec<(char, Mover)>,
    /// The moves of the pawn, double steps and captures en passant apart.
    pub(crate) pawn: Mover,
    pub(crate) double_step: DoubleStep,
    /// The first rank of White's and of Black's pawns, counted from 1 on the own side.
    pub(crate) first_rank: [u8; 2],
    /// The pieces that White's pawns may become.
    pub(crate) promotes_to: Vec<char>,
    /// Those that Black's may become, if they are not White's.
    pub(crate) promotes_black: Option<Vec<char>>,
    /// The squares on which White's and Black's pawns promote, if not on whole ranks.
    pub(crate) promotion_squares: Option<[SquareSet; 2]>,
    pub(crate) promotion_ranks: u8,
    pub(crate) promotion: Promotion,
    pub(crate) en_passant: EnPassant,
    /// The ranks from which double steps may be answered en passant; `None` for all.
    pub(crate) en_passant_from: Option<Vec<u8>>,
    pub(crate) vacates: bool,
    /// The rules of White's and Black's royal pieces.
    pub(crate) royal: [RoyalRule; 2],
    pub(crate) royal_piece: char,
    pub(crate) royal_types: Vec<char>,
    pub(crate) royal_at_most: u8,
    /// The fewest and the most kings of a side.
    pub(crate) kings: (u8, Option<u8>),
    pub(crate) files: [End; 2],
    pub(crate) ranks: [End; 2],
    pub(crate) spare: Mover,
    pub(crate) stalemate: Stalemate,
    pub(crate) checkmate: Checkmate,
    pub(crate) king_capture: Outcome,
    pub(crate) king_capture_in_check: CaptureInCheck,
    pub(crate) extinct: Outcome,
    pub(crate) extinct_types: Vec<char>,
    /// The most pieces of a type that a side has lost it with.
    pub(crate) extinct_count: u8,
    pub(crate) all_lost: Outcome,
    /// Whether a side has lost all only while the other has a piece.
    pub(crate) all_lost_alone: bool,
    pub(crate) reach: Option<ReachKeys>,
    pub(crate) bare: Bare,
    pub(crate) no_progress: u8,
    pub(crate) pass: Pass,
    pub(crate) must_capture: bool,
    pub(crate) no_checks: bool,
    pub(crate) explodes: bool,
    pub(crate) spares: Vec<char>,
    pub(crate) survives: Vec<char>,
    pub(crate) mutually_immune: Vec<char>,
    pub(crate) vitality: Option<VitalityKeys>,
    pub(crate) checks: u8,
    pub(crate) castling: CastlingRule,
    pub(crate) castling_with: Vec<char>,
    pub(crate) castling_opposite: bool,
    pub(crate) castling_to: [u8; 2],
    pub(crate) castling_leap: u8,
    pub(crate) castling_rank: u8,
    pub(crate) castling_sides: Sides,
    pub(crate) any_king_ends: bool,
    pub(crate) through_check: bool,
    pub(crate) past_men: bool,
}

/// Keys that only the definition itself has, not those that extend it.
pub(crate) const OWN: &[&str] = &["name", "aliases"];

/// Keys for people, in no digest.
const FOR_PEOPLE: &[&str] = &[
    "name", "aliases", "title", "author", "year", "url", "about", "revision",
];

/// The letters of pieces that are usual, and how these move.
const USUAL: &[(char, &str)] = &[('K', "K"), ('Q', "Q"), ('R', "R"), ('B', "B"), ('N', "N")];

/// Whether the piece of a letter moves like that in Betza's notation unless a definition says how.
pub fn is_usual(letter: char, moves: &str) -> bool {
    USUAL.contains(&(letter, moves))
}

/// Whether the value of a key is a list of letters, which `+C` and `-K` change.
pub(crate) fn is_letters(key: &str) -> bool {
    matches!(
        key,
        "pieces.order" | "pawns.promotes-to" | "royal.types" | "end.extinct-types"
    )
}

/// The letters of such a key in a table, or its default.
pub(crate) fn letters_of(key: &str, table: &Table) -> String {
    if let Some(letters) = table.text(key) {
        return letters.to_owned();
    }
    let order = table.text("pieces.order").unwrap_or("KQRBNP");
    match key {
        "pawns.promotes-to" => {
            let royal = match table.text("royal.rule") {
                Some("none" | "only-of-type") => "",
                _ => table.text("royal.piece").unwrap_or("K"),
            };
            let others = order.chars().filter(|&c| c != 'P' && !royal.contains(c));
            others.collect()
        }
        _ => order.to_owned(),
    }
}

/// Whether a key is that of a piece, `pieces.A`: its letter.
fn piece_of(key: &str) -> Option<char> {
    let mut letters = key.strip_prefix("pieces.")?.chars();
    let letter = letters.next().filter(char::is_ascii_uppercase)?;
    letters.next().is_none().then_some(letter)
}

/// Refuses keys that do not exist.
///
/// # Errors
/// Names the nearest key that does.
pub(crate) fn check(key: &str, place: &Place) -> Result<(), DefinitionError> {
    let known = fields().any(|field| field.key == key)
        || FOR_PEOPLE.contains(&key)
        || OFF.iter().any(|&(off, ..)| off == key)
        || key.starts_with("pieces.names.")
        || piece_of(key).is_some();
    if known {
        return Ok(());
    }
    let below = format!("{key}.");
    if FIELDS.iter().any(|field| field.key.starts_with(&below)) {
        return Err(place.fault(format!("{key} is a table, such as [{key}]")));
    }
    let names = |fields: &'static [Field]| fields.iter().map(|field| field.key);
    let known = names(FIELDS)
        .chain(FOR_PEOPLE.iter().copied())
        .chain(names(PARTS));
    let (nearest, _) = nearest(key, known).unwrap_or_default();
    Err(place.fault(format!(
        "there is no key {}; the nearest is {nearest}",
        shortened(key)
    )))
}

/// Refuses tables that do not exist, which is all that is wrong with one without keys.
///
/// # Errors
/// Names the nearest key that does.
pub(crate) fn check_table(key: &str, place: &Place) -> Result<(), DefinitionError> {
    let below = format!("{key}.");
    let is_table = fields().any(|field| field.key.starts_with(&below)) || key == "pieces.names";
    if is_table {
        return Ok(());
    }
    check(key, place)?;
    Err(place.fault(format!("{key} is no table")))
}

/// The points that each side begins with where a definition does not say (H2).
pub(crate) const FULL_VITALITY: u8 = 50;

/// Changes a definition.
type Switch = fn(&mut Keys);

/// Tables that the word `off` switches off, in place of the table, and how.
const OFF: &[(&str, Switch)] = &[
    ("castling", |keys| keys.castling = CastlingRule::Off),
    ("end.reach", |keys| keys.reach = None),
    ("counters.vitality", |keys| keys.vitality = None),
];

/// A key: how it is read and written.
struct Field {
    key: &'static str,
    read: fn(&mut Keys, &Value) -> Result<(), String>,
    /// Writes the value of the key as TOML.
    write: fn(&Keys) -> String,
    /// Whether the key means something beside the others.
    matters: fn(&Keys) -> bool,
    /// Whether tables depend on it.
    in_digest: bool,
}

/// The place of a word in a list.
fn place_of(words: &[&str], value: &Value) -> Result<usize, String> {
    if let Value::Text(text) = value
        && let Some(place) = words.iter().position(|word| word == text)
    {
        return Ok(place);
    }
    let known = format!("\"{}\"", words.join("\", \""));
    Err(format!("this is one of {known}, not {}", value.describe()))
}

fn one_of<T: Word>(value: &Value) -> Result<T, String> {
    Ok(T::ALL[place_of(T::WORDS, value)?])
}

/// A word in TOML.
fn word<T: Word>(value: T) -> String {
    quoted(T::WORDS[value.place()])
}

fn quoted(word: &str) -> String {
    format!("\"{word}\"")
}

/// White's and Black's value in TOML: one if they are the same.
fn one_or_two([white, black]: [String; 2]) -> String {
    match white == black {
        true => white,
        false => format!("[{white}, {black}]"),
    }
}

fn ends([white, black]: [End; 2]) -> String {
    format!("[{}, {}]", word(white), word(black))
}

fn two_of<T: Word>(value: &Value) -> Result<[T; 2], String> {
    match value {
        Value::List(both) if both.len() == 2 => Ok([one_of(&both[0])?, one_of(&both[1])?]),
        _ => Err("this is a list of two, White's and Black's".to_owned()),
    }
}

fn flag(value: &Value) -> Result<bool, String> {
    match value {
        Value::Flag(flag) => Ok(*flag),
        _ => Err(format!("this is true or false, not {}", value.describe())),
    }
}

fn number(value: &Value, least: u8, most: u8) -> Result<u8, String> {
    match value {
        Value::Number(number) if (i64::from(least)..=i64::from(most)).contains(number) => {
            Ok(*number as u8)
        }
        _ => Err(format!(
            "this is a whole number from {least} to {most}, not {}",
            value.describe()
        )),
    }
}

/// A number for both sides, or two, White's and Black's.
fn numbers(value: &Value, least: u8, most: u8) -> Result<[u8; 2], String> {
    match value {
        Value::List(both) if both.len() == 2 => Ok([
            number(&both[0], least, most)?,
            number(&both[1], least, most)?,
        ]),
        both => Ok([number(both, least, most)?; 2]),
    }
}

/// Ranks of a list, each once, ascending.
fn ranks_of(board: Geometry, list: &[Value]) -> Result<Vec<u8>, String> {
    let mut ranks = Vec::new();
    for rank in list {
        ranks.push(number(rank, 1, board.ranks)?);
    }
    ranks.sort_unstable();
    ranks.dedup();
    Ok(ranks)
}

fn text(value: &Value) -> Result<&str, String> {
    match value {
        Value::Text(text) => Ok(text),
        _ => Err(format!("this is a text, not {}", value.describe())),
    }
}

/// Letters of pieces, each once.
fn letters(value: &Value) -> Result<Vec<char>, String> {
    let mut letters = Vec::new();
    for letter in text(value)?.chars() {
        if !letter.is_ascii_uppercase() || matches!(letter, 'O' | 'V') {
            return Err(format!(
                "\"{letter}\" cannot be the letter of a piece; use capital letters but O and V"
            ));
        }
        if letters.contains(&letter) {
            return Err(format!("the letter {letter} is there twice"));
        }
        letters.push(letter);
    }
    Ok(letters)
}

/// The letter of one piece.
fn letter(value: &Value) -> Result<char, String> {
    match letters(value)?[..] {
        [letter] => Ok(letter),
        _ => Err("this is the letter of one piece".to_owned()),
    }
}

fn spelled(letters: &[char]) -> String {
    quoted(&letters.iter().collect::<String>())
}

/// Squares, files and ranks by name.
fn squares(board: Geometry, value: &Value) -> Result<SquareSet, String> {
    let Value::List(list) = value else {
        return Err("this is a list of squares, such as [\"d4\", \"rank8\"]".to_owned());
    };
    // Holes count, so that Black's squares are the mirror image of White's.
    let board = board.filled();
    let mut set = SquareSet::EMPTY;
    for name in list {
        let name = text(name)?;
        let unknown = || {
            format!(
                "\"{}\" is no square, rank or file of the board of {}x{}; write d4, rank8 or filea",
                shortened(name),
                board.files,
                board.ranks
            )
        };
        if let Some(square) = board.parse(name) {
            set.insert(square);
        } else if let Some(rank) = name.strip_prefix("rank") {
            let first = board.parse(&format!("a{rank}")).ok_or_else(unknown)?;
            set |= board.rank_squares(board.rank(first));
        } else if let Some(file) = name.strip_prefix("file") {
            let first = board.parse(&format!("{file}1")).ok_or_else(unknown)?;
            set |= board
                .all()
                .filter(|&s| board.file(s) == board.file(first))
                .collect();
        } else {
            return Err(unknown());
        }
    }
    match set.is_empty() {
        true => Err("name at least one square".to_owned()),
        false => Ok(set),
    }
}

fn named(board: Geometry, squares: SquareSet) -> String {
    let names: Vec<String> = squares.map(|s| format!("\"{}\"", board.name(s))).collect();
    format!("[{}]", names.join(", "))
}

fn file(board: Geometry, value: &Value) -> Result<u8, String> {
    let name = text(value)?;
    let square = board.filled().parse(&format!("{name}1"));
    let unknown = || format!("\"{}\" is no file of the board", shortened(name));
    square.map(|square| board.file(square)).ok_or_else(unknown)
}

impl Keys {
    fn has_royal_piece(&self) -> bool {
        self.order.contains(&self.royal_piece)
    }

    /// Whether the last pieces of types are royal.
    pub(crate) fn has_royal_types(&self) -> bool {
        self.royal.contains(&RoyalRule::OnlyOfType)
    }

    fn has_first_king(&self) -> bool {
        self.royal.contains(&RoyalRule::FirstKing)
    }

    /// Whether a king of some side is royal because it is one.
    pub(crate) fn has_royal_king(&self) -> bool {
        let by_kind = |rule| matches!(rule, RoyalRule::King | RoyalRule::FirstKing);
        self.royal.into_iter().any(by_kind)
    }

    pub(crate) fn has_pawns(&self) -> bool {
        self.order.contains(&'P')
    }

    /// Whether there are pawns that move in another way than orthodox ones.
    pub(crate) fn moves_pawns(&self) -> bool {
        self.has_pawns() && self.pawn != Mover::PAWN
    }

    /// The letters of what White's and Black's pawns may become.
    pub(crate) fn promotes(&self) -> [&[char]; 2] {
        let black = self.promotes_black.as_ref().unwrap_or(&self.promotes_to);
        [&self.promotes_to, black]
    }

    /// The number of last ranks of a side that hold all squares on which its pawns promote.
    pub(crate) fn promotion_zone(&self) -> u8 {
        let Some([white, black]) = self.promotion_squares else {
            return self.promotion_ranks;
        };
        let board = self.size;
        let own = white | mirrored(board, black);
        own.map(|square| board.ranks - board.rank(square))
            .max()
            .unwrap_or(1)
    }

    /// Writes squares that are whole ranks as these, and pieces that are the same for both sides
    /// once, so that a game is written in one way.
    pub(crate) fn simplify_promotions(&mut self) {
        if self.promotes_black.as_ref() == Some(&self.promotes_to) {
            self.promotes_black = None;
        }
        let board = self.size;
        let Some([white, black]) = self.promotion_squares else {
            return;
        };
        let mut ranks = SquareSet::EMPTY;
        for count in 1..board.ranks {
            ranks |= board.rank_squares(board.ranks - count);
            if white == ranks && black == mirrored(board, ranks) {
                self.promotion_ranks = count;
                self.promotion_squares = None;
            }
        }
    }

    fn has_double_steps(&self) -> bool {
        self.has_pawns() && self.double_step != DoubleStep::Ranks(Vec::new())
    }

    fn has_rights(&self) -> bool {
        matches!(self.castling, CastlingRule::Chess | CastlingRule::RoyalKing)
    }

    fn pieces_but_pawn(&self) -> Vec<char> {
        self.order.iter().copied().filter(|&c| c != 'P').collect()
    }

    fn vitality_mut(&mut self) -> &mut VitalityKeys {
        self.vitality.get_or_insert(VitalityKeys {
            full: [FULL_VITALITY; 2],
            restores: Restores::Mover,
            ties: Ties::Black,
            centre: SquareSet::EMPTY,
            pays: Pays::Low,
            exhaustion: Exhaustion::AfterMate,
            en_passant: VitalEnPassant::Standing,
        })
    }

    fn reach_mut(&mut self) -> &mut ReachKeys {
        self.reach.get_or_insert(ReachKeys {
            pieces: vec![self.royal_piece],
            squares: SquareSet::EMPTY,
            black: None,
            both: false,
            reply: false,
            count: 1,
            safe: false,
            stays: false,
        })
    }
}

/// The key of a field of [`Keys`]: a number of a range, letters, ends of lines, true or false, or
/// a word.
macro_rules! field {
    ($key:literal, $field:ident: $least:literal..$most:literal, $matters:expr) => {
        field!($key, $matters, keys value {
            keys.$field = number(value, $least, $most)?
        }, keys.$field.to_string())
    };
    ($key:literal, $field:ident: letters, $matters:expr) => {
        field!($key, $matters, keys value { keys.$field = letters(value)? }, spelled(&keys.$field))
    };
    ($key:literal, $field:ident: ends, $matters:expr) => {
        field!($key, $matters, keys value { keys.$field = two_of(value)? }, ends(keys.$field))
    };
    ($key:literal, $field:ident: bool, $matters:expr) => {
        field!($key, $matters, keys value { keys.$field = flag(value)? }, keys.$field.to_string())
    };
    ($key:literal, $field:ident: $type:ident, $matters:expr) => {
        field!($key, $matters, keys value {
            keys.$field = one_of::<$type>(value)?
        }, word(keys.$field))
    };
    ($key:literal, $matters:expr, $keys:ident $value:ident $read:block, $write:expr) => {
        Field {
            key: $key,
            read: |$keys, $value| {
                $read;
                Ok(())
            },
            write: |$keys| $write,
            matters: $matters,
            in_digest: true,
        }
    };
}

/// A key of a table that is there or not as a whole, on which tables of positions depend.
macro_rules! part {
    ($key:literal, $table:ident, |$keys:ident, $value:ident| $read:block,
        |$all:pat_param, $part:ident| $write:expr) => {
        Field {
            key: $key,
            read: |$keys, $value| {
                $read;
                Ok(())
            },
            write: |keys| match (keys, &keys.$table) {
                ($all, Some($part)) => $write,
                (_, None) => String::new(),
            },
            matters: |keys| keys.$table.is_some(),
            in_digest: true,
        }
    };
    // A key that is only told if it has another value than the default.
    ($key:literal, $table:ident if $told:expr, |$keys:ident, $value:ident| $read:block,
        |$all:pat_param, $part:ident| $write:expr) => {
        Field {
            matters: |keys| keys.$table.as_ref().is_some_and($told),
            ..part!($key, $table, |$keys, $value| $read, |$all, $part| $write)
        }
    };
}

/// A field that tables do not depend on, since they have no castling rights.
const fn untold(field: Field) -> Field {
    Field {
        in_digest: false,
        ..field
    }
}

/// Whatever else is said.
const ALWAYS: fn(&Keys) -> bool = |_| true;

/// Every key in the order in which they are read: the board and the letters come first, since
/// others depend on them.
const FIELDS: &[Field] = &[
    Field {
        key: "board.size",
        read: |keys, value| {
            let wrong = || {
                "the size is written like \"10x8\", files x ranks, each from 2 to 16, with at \
                 most 128 squares"
                    .to_owned()
            };
            let (files, ranks) = text(value)?.split_once('x').ok_or_else(wrong)?;
            let side = |text: &str| {
                let side = text.parse().ok().filter(|side| (2..=16).contains(side));
                side.filter(|side: &u8| side.to_string() == text)
                    .ok_or_else(wrong)
            };
            let (files, ranks) = (side(files)?, side(ranks)?);
            if usize::from(files) * usize::from(ranks) > 128 {
                return Err(wrong());
            }
            keys.size = Geometry::new(files, ranks);
            Ok(())
        },
        write: |keys| format!("\"{}x{}\"", keys.size.files, keys.size.ranks),
        matters: ALWAYS,
        in_digest: true,
    },
    Field {
        key: "board.holes",
        read: |keys, value| {
            keys.size.holes = match value {
                Value::List(list) if list.is_empty() => SquareSet::EMPTY,
                list => squares(keys.size, list)?,
            };
            match keys.size.full().len() {
                4.. => Ok(()),
                left => Err(format!(
                    "the board has {left} squares left; leave at least four"
                )),
            }
        },
        write: |keys| named(keys.size, keys.size.holes),
        matters: |keys| !keys.size.holes.is_empty(),
        in_digest: true,
    },
    Field {
        key: "board.array",
        read: |keys, value| {
            keys.array = Some(text(value)?.to_owned());
            Ok(())
        },
        write: |keys| format!("{:?}", keys.array.as_deref().unwrap_or_default()),
        matters: |keys| keys.array.is_some(),
        in_digest: false,
    },
    field!("pieces.order", order: letters, ALWAYS),
    Field {
        key: "royal.piece",
        read: |keys, value| {
            keys.royal_piece = letter(value)?;
            Ok(())
        },
        write: |keys| spelled(&[keys.royal_piece]),
        matters: Keys::has_royal_piece,
        in_digest: true,
    },
    Field {
        key: "royal.rule",
        read: |keys, value| {
            keys.royal = match value {
                Value::List(_) => two_of(value)?,
                both => [one_of(both)?; 2],
            };
            Ok(())
        },
        write: |keys| one_or_two(keys.royal.map(word)),
        matters: ALWAYS,
        in_digest: true,
    },
    Field {
        key: "royal.kings",
        read: |keys, value| {
            let wrong = || "this is a list like [1, 1] or [0, \"any\"], or \"any\"".to_owned();
            let ends = match value {
                Value::List(ends) => ends,
                Value::Text(any) if any == "any" => {
                    keys.kings = (u8::from(keys.has_first_king()), None);
                    return Ok(());
                }
                _ => return Err(wrong()),
            };
            let [least, most] = &ends[..] else {
                return Err(wrong());
            };
            let least = number(least, 0, 7)?;
            let most = match most {
                Value::Text(any) if any == "any" => None,
                most => Some(number(most, least.max(1), 7)?),
            };
            keys.kings = (least, most);
            Ok(())
        },
        write: |keys| match keys.kings {
            (least, None) => format!("[{least}, \"any\"]"),
            (least, Some(most)) => format!("[{least}, {most}]"),
        },
        matters: Keys::has_royal_piece,
        in_digest: true,
    },
    field!("royal.types", royal_types: letters, Keys::has_royal_types),
    field!("royal.at-most", royal_at_most: 1..9, Keys::has_royal_types),
    field!("royal.files", files: ends, Keys::has_first_king),
    field!("royal.ranks", ranks: ends, Keys::has_first_king),
    Field {
        key: "royal.spare",
        read: |keys, value| {
            keys.spare = Mover::parse(text(value)?)?;
            Ok(())
        },
        write: |keys| format!("\"{}\"", keys.spare),
        matters: Keys::has_first_king,
        in_digest: true,
    },
    Field {
        key: "pawns.moves",
        read: |keys, value| {
            keys.pawn = Mover::parse(text(value)?)?;
            match keys.pawn.steps_to_neighbours() {
                true => Ok(()),
                false => Err(
                    "a pawn goes one step at a time: write W, F and K, each with directions and \
                     with m for moves or c for captures, as in \"mfFcfW\"; double steps are those \
                     of pawns.double-step"
                        .to_owned(),
                ),
            }
        },
        write: |keys| format!("\"{}\"", keys.pawn),
        matters: Keys::has_pawns,
        in_digest: true,
    },
    Field {
        key: "pawns.double-step",
        read: |keys, value| {
            keys.double_step = match value {
                Value::Text(word) if word == "anywhere" => DoubleStep::Anywhere,
                Value::Text(word) if word == "off" => DoubleStep::Ranks(Vec::new()),
                Value::List(list) => DoubleStep::Ranks(ranks_of(keys.size, list)?),
                _ => {
                    return Err(
                        "this is a list of ranks, such as [2], \"anywhere\" or \"off\"".to_owned(),
                    );
                }
            };
            Ok(())
        },
        write: |keys| match &keys.double_step {
            DoubleStep::Anywhere => "\"anywhere\"".to_owned(),
            DoubleStep::Ranks(ranks) if ranks.is_empty() => "\"off\"".to_owned(),
            DoubleStep::Ranks(ranks) => format!("{ranks:?}"),
        },
        matters: Keys::has_pawns,
        in_digest: true,
    },
    Field {
        key: "pawns.first-rank",
        read: |keys, value| {
            keys.first_rank = numbers(value, 1, 16)?;
            Ok(())
        },
        write: |keys| one_or_two(keys.first_rank.map(|rank| rank.to_string())),
        matters: Keys::has_pawns,
        in_digest: true,
    },
    Field {
        key: "pawns.promotes-to",
        read: |keys, value| {
            (keys.promotes_to, keys.promotes_black) = match value {
                Value::List(both) if both.len() == 2 => {
                    let sides = [letters(&both[0])?, letters(&both[1])?];
                    if sides.iter().any(Vec::is_empty) {
                        return Err("name a piece for each side".to_owned());
                    }
                    let [white, black] = sides;
                    (white, Some(black))
                }
                Value::List(_) => {
                    return Err("this is a text, or a list of two, White's and Black's".to_owned());
                }
                both => (letters(both)?, None),
            };
            Ok(())
        },
        write: |keys| one_or_two(keys.promotes().map(spelled)),
        matters: Keys::has_pawns,
        in_digest: true,
    },
    field!("pawns.promotion-ranks", promotion_ranks: 1..15, |keys| {
        keys.has_pawns() && keys.promotion_squares.is_none()
    }),
    Field {
        key: "pawns.promotion-squares",
        read: |keys, value| {
            let board = keys.size;
            keys.promotion_squares = Some(match value {
                Value::List(both)
                    if both.len() == 2 && both.iter().all(|v| matches!(v, Value::List(_))) =>
                {
                    [squares(board, &both[0])?, squares(board, &both[1])?]
                }
                white => {
                    let white = squares(board, white)?;
                    [white, mirrored(board, white)]
                }
            });
            Ok(())
        },
        write: |keys| match keys.promotion_squares {
            Some([white, black]) if black == mirrored(keys.size, white) => named(keys.size, white),
            Some(both) => one_or_two(both.map(|squares| named(keys.size, squares))),
            None => String::new(),
        },
        matters: |keys| keys.has_pawns() && keys.promotion_squares.is_some(),
        in_digest: true,
    },
    field!("pawns.promotion", promotion: Promotion, Keys::has_pawns),
    field!("pawns.en-passant", en_passant: EnPassant, Keys::has_double_steps),
    Field {
        key: "pawns.en-passant-from",
        read: |keys, value| {
            keys.en_passant_from = match value {
                Value::Text(word) if word == "anywhere" => None,
                Value::List(list) if !list.is_empty() => Some(ranks_of(keys.size, list)?),
                _ => return Err("this is \"anywhere\" or a list of ranks, such as [2]".to_owned()),
            };
            Ok(())
        },
        write: |keys| match &keys.en_passant_from {
            None => "\"anywhere\"".to_owned(),
            Some(ranks) => format!("{ranks:?}"),
        },
        matters: |keys| keys.has_double_steps() && keys.en_passant != EnPassant::Off,
        in_digest: true,
    },
    field!("pawns.en-passant-vacates", vacates: bool, |keys| {
        keys.has_double_steps() && keys.en_passant == EnPassant::All
    }),
    field!("end.stalemate", stalemate: Stalemate, ALWAYS),
    field!("end.checkmate", checkmate: Checkmate, |keys| {
        keys.royal != [RoyalRule::None; 2] && keys.king_capture == Outcome::Off
    }),
    Field {
        key: "end.king-capture",
        read: |keys, value| {
            keys.king_capture = match place_of(&["off", "win"], value)? {
                0 => Outcome::Off,
                _ => Outcome::Win,
            };
            Ok(())
        },
        write: |keys| word(keys.king_capture),
        matters: ALWAYS,
        in_digest: true,
    },
    field!("end.king-capture-in-check", king_capture_in_check: CaptureInCheck, |keys| {
        keys.king_capture != Outcome::Off
    }),
    field!("end.extinct", extinct: Outcome, ALWAYS),
    field!("end.extinct-types", extinct_types: letters, |keys| {
        keys.extinct != Outcome::Off
    }),
    field!("end.extinct-count", extinct_count: 0..9, |keys| {
        keys.extinct != Outcome::Off
    }),
    field!("end.all-lost", all_lost: Outcome, ALWAYS),
    field!("end.all-lost-alone", all_lost_alone: bool, |keys| {
        keys.all_lost != Outcome::Off && keys.explodes
    }),
    field!("end.bare", bare: Bare, ALWAYS),
    field!("end.no-progress", no_progress: 0..200, ALWAYS),
    field!("turn.pass", pass: Pass, ALWAYS),
    field!("turn.must-capture", must_capture: bool, ALWAYS),
    field!("turn.no-checks", no_checks: bool, ALWAYS),
    field!("capture.explodes", explodes: bool, ALWAYS),
    field!("capture.spares", spares: letters, |keys| keys.explodes),
    field!("capture.survives", survives: letters, |keys| keys.explodes),
    field!("capture.mutually-immune", mutually_immune: letters, ALWAYS),
    field!("counters.checks", checks: 0..9, ALWAYS),
    // Of the rules only that without rights changes tables.
    field!("castling.rule", castling: CastlingRule, ALWAYS),
    Field {
        key: "castling.to",
        read: |keys, value| {
            keys.castling_to = match value {
                Value::List(files) if files.len() == 2 => {
                    [file(keys.size, &files[0])?, file(keys.size, &files[1])?]
                }
                _ => return Err("this is a list of two files, such as [\"c\", \"g\"]".to_owned()),
            };
            Ok(())
        },
        write: |keys| {
            let [left, right] = keys.castling_to.map(|file| char::from(b'a' + file));
            format!("[\"{left}\", \"{right}\"]")
        },
        matters: |keys| keys.castling == CastlingRule::Chess,
        in_digest: false,
    },
    untold(field!("castling.with", castling_with: letters, Keys::has_rights)),
    untold(
        field!("castling.opposite-sides", castling_opposite: bool, |keys| {
            keys.castling == CastlingRule::Chess
        }),
    ),
    untold(field!("castling.leap", castling_leap: 1..15, |keys| {
        keys.castling == CastlingRule::RoyalKing
    })),
    untold(field!("castling.rank", castling_rank: 1..16, Keys::has_rights)),
    untold(field!("castling.sides", castling_sides: Sides, Keys::has_rights)),
    untold(field!("castling.any-king-ends", any_king_ends: bool, Keys::has_rights)),
    untold(field!("castling.through-check", through_check: bool, Keys::has_rights)),
    field!("castling.past-men", past_men: bool, |keys| {
        keys.castling == CastlingRule::FirstRank
    }),
];

/// The keys of tables that are there or not as a whole, sorted.
const PARTS: &[Field] = &[
    part!(
        "counters.vitality.centre",
        vitality,
        |keys, value| { keys.vitality_mut().centre = squares(keys.size, value)? },
        |keys, vitality| named(keys.size, vitality.centre)
    ),
    part!(
        "counters.vitality.en-passant",
        vitality,
        |keys, value| { keys.vitality_mut().en_passant = one_of(value)? },
        |_, vitality| word(vitality.en_passant)
    ),
    part!(
        "counters.vitality.exhaustion",
        vitality,
        |keys, value| { keys.vitality_mut().exhaustion = one_of(value)? },
        |_, vitality| word(vitality.exhaustion)
    ),
    part!(
        "counters.vitality.full",
        vitality,
        |keys, value| { keys.vitality_mut().full = numbers(value, 1, 100)? },
        |_, vitality| one_or_two(vitality.full.map(|full| full.to_string()))
    ),
    part!(
        "counters.vitality.pays",
        vitality,
        |keys, value| { keys.vitality_mut().pays = one_of(value)? },
        |_, vitality| word(vitality.pays)
    ),
    part!(
        "counters.vitality.restores",
        vitality,
        |keys, value| { keys.vitality_mut().restores = one_of(value)? },
        |_, vitality| word(vitality.restores)
    ),
    part!(
        "counters.vitality.ties",
        vitality,
        |keys, value| { keys.vitality_mut().ties = one_of(value)? },
        |_, vitality| word(vitality.ties)
    ),
    part!(
        "end.reach.black",
        reach if |reach| reach.black.is_some(),
        |keys, value| { keys.reach_mut().black = Some(squares(keys.size, value)?) },
        |keys, reach| named(keys.size, reach.black_squares(keys.size))
    ),
    part!(
        "end.reach.both",
        reach,
        |keys, value| { keys.reach_mut().both = flag(value)? },
        |_, reach| reach.both.to_string()
    ),
    part!(
        "end.reach.count",
        reach if |reach| reach.count != 1,
        |keys, value| { keys.reach_mut().count = number(value, 1, 128)? },
        |_, reach| reach.count.to_string()
    ),
    part!(
        "end.reach.piece",
        reach,
        |keys, value| {
            let pieces = match text(value)? {
                "*" => keys.order.clone(),
                "" => return Err("name the pieces, or write \"*\" for all".to_owned()),
                _ => letters(value)?,
            };
            keys.reach_mut().pieces = pieces;
        },
        |_, reach| spelled(&reach.pieces)
    ),
    part!(
        "end.reach.reply",
        reach,
        |keys, value| { keys.reach_mut().reply = flag(value)? },
        |_, reach| reach.reply.to_string()
    ),
    part!(
        "end.reach.safe",
        reach if |reach| reach.safe,
        |keys, value| { keys.reach_mut().safe = flag(value)? },
        |_, reach| reach.safe.to_string()
    ),
    part!(
        "end.reach.squares",
        reach,
        |keys, value| { keys.reach_mut().squares = squares(keys.size, value)? },
        |keys, reach| named(keys.size, reach.squares)
    ),
    part!(
        "end.reach.stays",
        reach if |reach| reach.stays,
        |keys, value| { keys.reach_mut().stays = flag(value)? },
        |_, reach| reach.stays.to_string()
    ),
];

fn fields() -> impl Iterator<Item = &'static Field> {
    FIELDS.iter().chain(PARTS)
}

impl Default for Keys {
    /// Orthodox chess, without an array.
    fn default() -> Keys {
        Keys {
            size: Geometry::EIGHT,
            array: None,
            order: "KQRBNP".chars().collect(),
            movers: Vec::new(),
            pawn: Mover::PAWN,
            double_step: DoubleStep::Ranks(vec![2]),
            first_rank: [2; 2],
            promotes_to: "QRBN".chars().collect(),
            promotes_black: None,
            promotion_squares: None,
            promotion_ranks: 1,
            promotion: Promotion::Compulsory,
            en_passant: EnPassant::Pawns,
            en_passant_from: None,
            vacates: false,
            royal: [RoyalRule::King; 2],
            royal_piece: 'K',
            royal_types: Vec::new(),
            royal_at_most: 1,
            kings: (1, Some(1)),
            files: [End::Low; 2],
            ranks: [End::Low, End::High],
            spare: Mover::KING,
            stalemate: Stalemate::Draw,
            checkmate: Checkmate::Loss,
            king_capture: Outcome::Off,
            king_capture_in_check: CaptureInCheck::Win,
            extinct: Outcome::Off,
            extinct_types: Vec::new(),
            extinct_count: 0,
            all_lost: Outcome::Off,
            all_lost_alone: false,
            reach: None,
            bare: Bare::Off,
            no_progress: 100,
            pass: Pass::Off,
            must_capture: false,
            no_checks: false,
            explodes: false,
            spares: vec!['P'],
            survives: Vec::new(),
            mutually_immune: Vec::new(),
            vitality: None,
            checks: 0,
            castling: CastlingRule::Chess,
            castling_with: vec!['R'],
            castling_opposite: false,
            castling_to: [2, 6],
            castling_leap: 2,
            castling_rank: 1,
            castling_sides: Sides::Both,
            any_king_ends: false,
            through_check: false,
            past_men: false,
        }
    }
}

impl Keys {
    /// Reads a flat table, of which all keys exist.
    ///
    /// # Errors
    /// The first value that makes no sense.
    pub(crate) fn read(table: &Table) -> Result<Keys, DefinitionError> {
        let mut keys = Keys::default();
        let get = |key: &str| table.0.get(key);
        let read = |keys: &mut Keys, fields: &[Field]| -> Result<(), DefinitionError> {
            for field in fields {
                // What is left out is derived from what has been read.
                match field.key {
                    "pawns.promotes-to" | "royal.types" | "end.extinct-types" => {
                        let letters = letters_of(field.key, table);
                        let _ = (field.read)(keys, &Value::Text(letters));
                    }
                    // A side may be without kings that are not royal because they are kings.
                    "royal.kings" if !keys.has_royal_king() => {
                        keys.kings = (0, None);
                    }
                    _ => {}
                }
                if let Some(Entry { value, place }) = get(field.key) {
                    let fault = |why| place.fault(format!("{}: {why}", field.key));
                    (field.read)(keys, value).map_err(fault)?;
                }
            }
            Ok(())
        };
        read(&mut keys, FIELDS)?;
        for &(key, switch) in OFF {
            if let Some(Entry { value, place }) = get(key) {
                if key == VITALITY && *value == EMPTY {
                    keys.vitality_mut();
                    continue;
                }
                if place_of(&["off"], value).is_err() {
                    return Err(place.fault(format!("{key} is a table or \"off\"")));
                }
                switch(&mut keys);
            }
        }
        read(&mut keys, PARTS)?;
        keys.complete_parts(table)?;
        keys.read_movers(table)?;
        Ok(keys)
    }

    /// Refuses squares to reach that are none, and derives a centre that is left out.
    fn complete_parts(&mut self, table: &Table) -> Result<(), DefinitionError> {
        let board = self.size;
        if self
            .reach
            .as_ref()
            .is_some_and(|reach| reach.squares.is_empty())
        {
            let place = table.0.iter().find(|(key, _)| key.starts_with("end.reach"));
            let place = place.map_or_else(Place::default, |(_, entry)| entry.place.clone());
            return Err(place.fault("end.reach needs squares, such as [\"d4\", \"e4\"]"));
        }
        if let Some(reach) = &mut self.reach
            && let Some(black) = reach.black
        {
            if reach.both {
                let place = table.0.get("end.reach.black");
                let place = place.map_or_else(Place::default, |entry| entry.place.clone());
                return Err(place.fault(
                    "end.reach.black and end.reach.both do not go together: both say which \
                     squares are Black's",
                ));
            }
            // The same squares are written in one way.
            reach.both = black == reach.squares && black != mirrored(board, black);
            if reach.both || black == mirrored(board, reach.squares) {
                reach.black = None;
            }
        }
        if let Some(vitality) = &mut self.vitality
            && vitality.centre.is_empty()
        {
            vitality.centre = middle(board);
        }
        Ok(())
    }

    fn read_movers(&mut self, table: &Table) -> Result<(), DefinitionError> {
        for letter in self.pieces_but_pawn() {
            let usual = USUAL.iter().find(|&&(usual, _)| usual == letter);
            let given = table.0.get(&format!("pieces.{letter}"));
            let mover = match (given, usual) {
                (Some(Entry { value, place }), _) => {
                    let mover = text(value).and_then(Mover::parse);
                    mover.map_err(|why| place.fault(format!("pieces.{letter}: {why}")))?
                }
                (None, Some((_, usual))) => Mover::parse(usual).unwrap_or_default(),
                (None, None) => {
                    let place = table.0.get("pieces.order").map(|entry| entry.place.clone());
                    return Err(place.unwrap_or_default().fault(format!(
                        "the piece {letter} needs its moves, such as pieces.{letter} = \"BN\""
                    )));
                }
            };
            self.movers.push((letter, mover));
        }
        if let Some(entry) = table.0.get("pieces.P") {
            let why = "P is the pawn of [pawns]; its moves are pawns.moves, and another piece has \
                       another letter";
            return Err(entry.place.fault(why));
        }
        for (key, entry) in &table.0 {
            let Some(letter) = piece_of(key) else {
                continue;
            };
            if matches!(letter, 'O' | 'V') {
                return Err(entry.place.fault(format!(
                    "\"{letter}\" cannot be the letter of a piece; use another one"
                )));
            }
            // A piece that an option has left out of the game has sound moves, too.
            let mover = text(&entry.value).and_then(Mover::parse);
            mover.map_err(|why| entry.place.fault(format!("{key}: {why}")))?;
        }
        Ok(())
    }

    /// Every key with its value in TOML, sorted, each with whether it differs from the default.
    pub(crate) fn listed(&self) -> Vec<Listed> {
        let mut default = Keys {
            order: self.order.clone(),
            royal_piece: self.royal_piece,
            ..Keys::default()
        };
        // What is left out depends on the letters and the size of the board.
        default.promotes_to = self.usual_promotions();
        default.royal_types = self.order.clone();
        default.extinct_types = self.order.clone();
        let mut listed = Vec::new();
        let mut add = |item| insert_sorted(&mut listed, item, |listed: &Listed| &listed.key);
        for field in fields().filter(|field| (field.matters)(self)) {
            let value = (field.write)(self);
            let differs = match field.key {
                "pieces.order" => value != "\"KQRBNP\"",
                "royal.piece" => value != "\"K\"",
                "castling.rule" => self.castling == CastlingRule::FirstRank,
                _ => {
                    let is_usual = (field.matters)(&default) && value == (field.write)(&default);
                    !is_usual && !self.is_usual(field.key)
                }
            };
            add(Listed {
                key: field.key.to_owned(),
                value,
                matters: field.in_digest && differs,
            });
        }
        for &(letter, mover) in &self.movers {
            let usual = USUAL.iter().find(|&&(usual, _)| usual == letter);
            let usual = usual.and_then(|(_, usual)| Mover::parse(usual).ok());
            add(Listed {
                key: format!("pieces.{letter}"),
                value: format!("\"{mover}\""),
                matters: usual != Some(mover),
            });
        }
        listed
    }

    /// The letters that pawns promote to if nothing is said: all but the pawn and the royal piece.
    fn usual_promotions(&self) -> Vec<char> {
        let royal = self.has_royal_king().then_some(self.royal_piece);
        let others = (self.order.iter().copied()).filter(|&c| c != 'P' && Some(c) != royal);
        others.collect()
    }

    /// Whether the value of a key is that of a definition without it: letters in any order.
    fn is_usual(&self, key: &str) -> bool {
        let same = |some: &[char], others: &[char]| {
            some.len() == others.len() && some.iter().all(|letter| others.contains(letter))
        };
        match key {
            "pawns.promotes-to" => {
                self.promotes_black.is_none() && same(&self.promotes_to, &self.usual_promotions())
            }
            "end.extinct-types" => same(&self.extinct_types, &self.order),
            // Left out of digests, so that games from before there were these keys keep theirs.
            "royal.types" => same(&self.royal_types, &self.order),
            "royal.at-most" => self.royal_at_most == 1,
            "end.extinct-count" => self.extinct_count == 0,
            "end.all-lost-alone" => !self.all_lost_alone,
            "capture.spares" => self.spares == ['P'],
            "capture.survives" => self.survives.is_empty(),
            "capture.mutually-immune" => self.mutually_immune.is_empty(),
            _ => false,
        }
    }

    /// The normal form: the keys that tables depend on and that differ from their defaults, in
    /// TOML, sorted, a line each. It is itself a definition, of the same rules.
    pub(crate) fn normal(&self) -> String {
        let told = self.listed().into_iter().filter(|listed| listed.matters);
        told.map(|listed| format!("{} = {}\n", listed.key, listed.value))
            .collect()
    }
}

/// A key with its value.
pub(crate) struct Listed {
    pub(crate) key: String,
    pub(crate) value: String,
    /// Whether the value differs from the default and tables depend on it.
    pub(crate) matters: bool,
}

/// The squares as Black sees them.
pub(crate) fn mirrored(board: Geometry, squares: SquareSet) -> SquareSet {
    let flip = |square| board.apply(crate::Transform::FLIP_RANKS, square);
    squares.map(flip).collect()
}

/// The one, two or four squares in the middle of a board.
fn middle(board: Geometry) -> SquareSet {
    let lines = |count: u8| (count - 1) / 2..=count / 2;
    let squares = lines(board.ranks).flat_map(|rank| lines(board.files).map(move |f| (f, rank)));
    squares
        .map(|(file, rank)| board.square(file, rank))
        .collect::<SquareSet>()
}
