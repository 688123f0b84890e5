//! Reads and writes FEN, diagrams as text; errors say what is wrong where, and what to do.

mod board;
mod castling;

use std::fmt::Write;

use thiserror::Error;

use crate::board::Board;
use crate::castling::CastlingRights;
use crate::game::Game;
use crate::piece::Colour;
use crate::shortened::shortened;
use crate::square::Square;
use crate::vitality::{CounterRange, Counters};

/// Pieces on a board, the side to move and the rest of a FEN, unchecked.
/// [`Position::new`](crate::Position::new) checks it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Setup {
    /// The pieces.
    pub board: Board,
    /// The side to move.
    pub turn: Colour,
    /// The castling rights of both sides (X1-X3).
    pub castling: CastlingRights,
    /// The square that a pawn has just passed over with a double step.
    pub ep: Option<Square>,
    /// The square on which that pawn has arrived, in games in which double steps go aslant: a FEN
    /// has it right behind the other, as in `f3g4`. It may be left out if only one pawn can be
    /// meant, and is in all other games.
    pub ep_pawn: Option<Square>,
    /// The counters, vitality or the checks that each side still has to give; `None` means full
    /// (H3, V1), and is the only choice in games without counters.
    pub counters: Option<Counters>,
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// The number of the move, counted from 1, raised after Black's move.
    pub fullmoves: u32,
}

impl Setup {
    /// A board without pieces, White to move, as at the start of a game.
    pub const fn empty() -> Setup {
        Setup {
            board: Board::empty(),
            turn: Colour::White,
            castling: CastlingRights::NONE,
            ep: None,
            ep_pawn: None,
            counters: None,
            halfmoves: 0,
            fullmoves: 1,
        }
    }

    /// The diagram with the colours swapped and the ranks mirrored.
    pub fn mirrored(&self, geometry: crate::Geometry) -> Setup {
        let mirrored = |square| geometry.apply(crate::Transform::FLIP_RANKS, square);
        Setup {
            board: self.board.mirrored(geometry),
            turn: self.turn.other(),
            castling: self.castling.swapped(),
            ep: self.ep.map(mirrored),
            ep_pawn: self.ep_pawn.map(mirrored),
            counters: self.counters.map(Counters::swapped),
            ..*self
        }
    }
}

impl Default for Setup {
    fn default() -> Setup {
        Setup::empty()
    }
}

/// A fault of a FEN or of EPD, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("at byte {offset}: {kind}")]
pub struct FenError {
    /// The place in the text, in bytes from its start; the text's length if
    /// something is missing at the end.
    pub offset: usize,
    /// The fault.
    pub kind: FenErrorKind,
}

/// The faults that a FEN or EPD can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum FenErrorKind {
    /// The text ends too soon.
    #[error(
        "the {0} is missing; four fields are needed: pieces, side to move, castling, e.p. square"
    )]
    Missing(&'static str),
    /// Text follows the last field.
    #[error("\"{}\" is one field too many; a FEN ends with the two clocks", shortened(.0))]
    Excess(String),
    /// The number of ranks is not that of the game's board.
    #[error("the board needs {wanted} ranks separated by /, but this one has {found}")]
    RankCount {
        /// The number found.
        found: usize,
        /// The right number.
        wanted: u8,
    },
    /// The number of squares in a rank is not that of the game's board.
    #[error("rank {rank} needs {wanted} squares, but this one has {found}")]
    RankLength {
        /// The rank, as named on the board.
        rank: u8,
        /// The number of squares found.
        found: usize,
        /// The right number.
        wanted: u8,
    },
    /// An impossible number of empty squares.
    #[error(
        "\"{}\" is not a number of empty squares; write each run as one number from 1 to {}",
        shortened(.0), .1
    )]
    EmptyRun(String, u8),
    /// Something else than `*` in a hole.
    #[error("{0} is a hole of the board, which is written as *")]
    Hole(String),
    /// A `*` where there is no hole.
    #[error(
        "* stands for a hole of the board, and {0} is a square; write empty squares as numbers"
    )]
    NoHole(String),
    /// A letter that is not a piece of the game.
    #[error(
        "\"{letter}\" is not a piece of {game}; its pieces are {pieces}, in lower case for Black"
    )]
    UnknownPiece {
        /// The letter.
        letter: char,
        /// The game's id.
        game: String,
        /// The game's letters.
        pieces: String,
    },
    /// The side to move is neither `w` nor `b`.
    #[error("the side to move is w or b, not \"{}\"", shortened(.0))]
    Turn(String),
    /// The castling field is not one of the game.
    #[error(
        "the castling field is - or some of the letters {letters}, each once, not \"{}\"",
        shortened(.field)
    )]
    Castling {
        /// The field.
        field: String,
        /// The letters that the game has.
        letters: String,
    },
    /// An impossible castling right: its pieces do not stand at home.
    #[error("the castling right {letter} is impossible: {why}; leave the letter out, or write -")]
    CastlingRight {
        /// The letter of the right.
        letter: char,
        /// The fault, in words.
        why: String,
    },
    /// Castling rights in a game without them (C7).
    #[error(
        "this game has no castling rights, so the castling field is -, not \"{}\"",
        shortened(.0)
    )]
    NeedlessRights(String),
    /// The e.p. field is not a square of the board.
    #[error("the e.p. square is a square of the board or -, not \"{}\"", shortened(.0))]
    Ep(String),
    /// The vitality is malformed or impossible (H3).
    #[error("{why}; vitality is written like {full}, White's first, and may be left out")]
    Vitality {
        /// The fault, in words.
        why: String,
        /// The full counters.
        full: Counters,
    },
    /// The numbers of checks are malformed or impossible (V1).
    #[error(
        "{why}; the checks that each side still has to give are written like {full}, White's first, \
         and may be left out"
    )]
    Checks {
        /// The fault, in words.
        why: String,
        /// The numbers at the start of a game.
        full: Counters,
    },
    /// A clock is not a number.
    #[error("the {name} is a whole number up to {}, not \"{}\"", u32::MAX, shortened(.text))]
    Clock {
        /// The name of the clock.
        name: &'static str,
        /// The field.
        text: String,
    },
    /// An operation of EPD stands where a clock or the end should be.
    #[error(
        "\"{}\" is an operation of EPD, not of a FEN, which ends with the two clocks; \
         `retrograde probe` reads EPD, each operation ended by a semicolon", shortened(.0)
    )]
    Operation(String),
    /// Text other than an EPD operation where one should begin.
    #[error(
        "an operation must begin here, such as bm Qd4; \
         clocks belong to FEN, in EPD they are written hmvc 0; fmvn 1;"
    )]
    Opcode,
    /// A quoted EPD operand has no closing quote.
    #[error("the text in quotes that begins here has no closing quote")]
    OpenQuote,
    /// A backslash stands outside quotes.
    #[error("a backslash can only stand in quotes")]
    Backslash,
}

impl FenErrorKind {
    pub(crate) fn at(self, offset: usize) -> FenError {
        FenError { offset, kind: self }
    }
}

impl Setup {
    /// Reads a FEN. Four fields suffice; the counters (in games that have them), the
    /// half-move clock and the move number may follow. Counters that are left out are
    /// full; checks may also be counted up at the end (V2). The diagram is not checked: see
    /// [`Position::new`](crate::Position::new).
    ///
    /// # Errors
    /// The first thing that is wrong with the text.
    pub fn from_fen(game: Game, text: &str) -> Result<Setup, FenError> {
        let mut fields = Fields::new(text);
        let counts_up = |field: &str| game.checks() > 0 && field.starts_with('+');
        let is_counters = |field: &str| field.contains('+') && !counts_up(field);
        let mut setup = read_diagram(game, &mut fields, is_counters)?;
        let is_full = setup.counters == game.full_counters();
        let is_clock = |field: &str| !is_operation(field) && !counts_up(field);
        if let Some((offset, field)) = fields.next_if(is_clock) {
            setup.halfmoves = read_clock("half-move clock", field, offset)?;
        }
        if let Some((offset, field)) = fields.next_if(is_clock) {
            // Many programs write 0 here; moves are counted from 1.
            setup.fullmoves = read_clock("move number", field, offset)?.max(1);
        }
        if is_full && let Some((offset, field)) = fields.next_if(counts_up) {
            setup.counters = Some(read_given(game.checks(), field, offset)?);
        }
        match fields.next() {
            Some((offset, field)) if is_operation(field) => {
                let code = field.trim_end_matches(';').to_owned();
                Err(FenErrorKind::Operation(code).at(offset))
            }
            Some((offset, field)) => Err(FenErrorKind::Excess(field.to_owned()).at(offset)),
            None => Ok(setup),
        }
    }

    /// The diagram as a FEN of six fields, or seven if there are
    /// counters.
    pub fn fen(&self, game: Game) -> String {
        let mut text = self.diagram(game);
        // A string takes all that is written.
        let _ = write!(text, " {} {}", self.halfmoves, self.fullmoves);
        text
    }

    /// The fields that FEN and EPD share: four, or five with counters.
    pub(crate) fn diagram(&self, game: Game) -> String {
        let geometry = game.geometry();
        let occupied = self.board.occupied();
        let mut text = String::with_capacity(64);
        for rank in (0..geometry.ranks).rev() {
            let mut file = 0;
            for square in (occupied | geometry.holes) & geometry.filled().rank_squares(rank) {
                let letter = match self.board.piece_at(square) {
                    Some(piece) => game.piece_letter(piece),
                    None => '*',
                };
                push_run(&mut text, geometry.file(square) - file);
                text.push(letter);
                file = geometry.file(square) + 1;
            }
            push_run(&mut text, geometry.files - file);
            text.push(if rank > 0 { '/' } else { ' ' });
        }
        text.push_str(match self.turn {
            Colour::White => "w ",
            Colour::Black => "b ",
        });
        match self.castling.is_empty() {
            true => text.push('-'),
            false => text.push_str(&self.castling.text(game)),
        }
        text.push(' ');
        match self.ep {
            Some(square) => text.push_str(&geometry.name(square)),
            None => text.push('-'),
        }
        if let (Some(_), Some(pawn)) = (self.ep, self.ep_pawn) {
            text.push_str(&geometry.name(pawn));
        }
        if let Some(full) = game.full_counters() {
            let counters = self.counters.unwrap_or(full);
            let _ = write!(text, " {counters}");
        }
        text
    }
}

/// Whether a field looks like the name of an operation of EPD.
fn is_operation(field: &str) -> bool {
    let code = field.trim_end_matches(';');
    code.len() > 1
        && code.starts_with(|c: char| c.is_ascii_alphabetic())
        && code.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_')
}

/// Appends a number of empty squares, below 100, if there are any.
fn push_run(text: &mut String, squares: u8) {
    let digit = |number| char::from(b'0' + number % 10);
    if squares >= 10 {
        text.push(digit(squares / 10));
    }
    if squares > 0 {
        text.push(digit(squares));
    }
}

/// The fields of a line with their offsets, separated by any number of spaces and tabs.
pub(crate) struct Fields<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Fields<'a> {
    pub(crate) fn new(text: &'a str) -> Fields<'a> {
        Fields { text, at: 0 }
    }

    /// The offset after the last field that was read.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// The next field if it is `wanted`; otherwise it is left for later.
    pub(crate) fn next_if(&mut self, wanted: impl Fn(&str) -> bool) -> Option<(usize, &'a str)> {
        let before = self.at;
        let found = self.next().filter(|(_, field)| wanted(field));
        if found.is_none() {
            self.at = before;
        }
        found
    }

    fn needed(&mut self, name: &'static str) -> Result<(usize, &'a str), FenError> {
        let end = self.text.len();
        self.next()
            .ok_or_else(|| FenErrorKind::Missing(name).at(end))
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        // Spaces are ASCII, so fields begin and end where characters do.
        let rest = &self.text.as_bytes()[self.at..];
        let start = self.at + rest.iter().position(|b| !b.is_ascii_whitespace())?;
        let field = &self.text[start..];
        let end = field.bytes().position(|b| b.is_ascii_whitespace());
        let length = end.unwrap_or(field.len());
        self.at = start + length;
        Some((start, &field[..length]))
    }
}

/// Reads the fields that FEN and EPD share. `is_counters` tells counters, which may be
/// left out, from whatever else may follow.
pub(crate) fn read_diagram(
    game: Game,
    fields: &mut Fields,
    is_counters: impl Fn(&str) -> bool,
) -> Result<Setup, FenError> {
    let (offset, field) = fields.needed("field of pieces")?;
    let board = board::read_board(game, field, offset)?;
    let (offset, field) = fields.needed("side to move")?;
    let turn = match field {
        "w" => Colour::White,
        "b" => Colour::Black,
        _ => return Err(FenErrorKind::Turn(field.to_owned()).at(offset)),
    };
    let (offset, field) = fields.needed("castling field")?;
    let castling = match (field, &game.record().castling) {
        ("-", _) => CastlingRights::NONE,
        (_, Some(castling)) => castling.read(game, &board, field, offset)?,
        (_, None) => return Err(FenErrorKind::NeedlessRights(field.to_owned()).at(offset)),
    };
    let (offset, field) = fields.needed("e.p. square")?;
    let (ep, ep_pawn) = match field {
        "-" => (None, None),
        name => {
            // The pawn's square begins with the second letter.
            let second = name.rfind(|c: char| c.is_ascii_lowercase()).unwrap_or(0);
            let (passed, pawn) = match game.steps_aslant() && second > 0 {
                true => (&name[..second], Some(&name[second..])),
                false => (name, None),
            };
            let square = |name: &str| {
                let square = game.geometry().parse(name);
                square.ok_or_else(|| FenErrorKind::Ep(name.to_owned()).at(offset))
            };
            (Some(square(passed)?), pawn.map(square).transpose()?)
        }
    };
    let counters = match game.counters() {
        None => None,
        Some(counters) => Some(match fields.next_if(is_counters) {
            None => counters.full,
            Some((offset, field)) if game.checks() > 0 => read_left(counters, field, offset)?,
            Some((offset, field)) => read_vitality(counters, field, offset)?,
        }),
    };
    Ok(Setup {
        board,
        turn,
        castling,
        ep,
        ep_pawn,
        counters,
        ..Setup::empty()
    })
}

pub(crate) fn read_clock(name: &'static str, field: &str, offset: usize) -> Result<u32, FenError> {
    let digits = field.bytes().all(|b| b.is_ascii_digit());
    field.parse().ok().filter(|_| digits).ok_or_else(|| {
        let text = field.to_owned();
        FenErrorKind::Clock { name, text }.at(offset)
    })
}

/// Reads the vitality field of a FEN (H3); `offset` is the offset of the field in the text.
fn read_vitality(counters: CounterRange, field: &str, offset: usize) -> Result<Counters, FenError> {
    let full = counters.full;
    let fail = |why, offset| FenErrorKind::Vitality { why, full }.at(offset);
    let Some((white, black)) = field.split_once('+') else {
        return Err(fail(
            format!("\"{}\" is not a vitality", shortened(field)),
            offset,
        ));
    };
    let read = |text: &str, offset: usize, colour: Colour| {
        let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
        // What does not fit a byte is above every full counter.
        let points = text.parse().unwrap_or(u8::MAX);
        let (name, most) = (colour.name(), full.of(colour));
        if !digits {
            let why = format!(
                "\"{}\" is not a number of points for {name}",
                shortened(text)
            );
            Err(fail(why, offset))
        } else if points < counters.least {
            let why = format!("{name} has no vitality left, so the game is over");
            Err(fail(why, offset))
        } else if points > most {
            let why = format!(
                "{name}'s vitality is {}, above the full {most}",
                shortened(text)
            );
            Err(fail(why, offset))
        } else {
            Ok(points)
        }
    };
    Ok(Counters {
        white: read(white, offset, Colour::White)?,
        black: read(black, offset + white.len() + 1, Colour::Black)?,
    })
}

/// Reads the checks that each side still has to give (V1), such as `3+1`.
fn read_left(counters: CounterRange, field: &str, offset: usize) -> Result<Counters, FenError> {
    let full = counters.full;
    let fail = |why| FenErrorKind::Checks { why, full }.at(offset);
    let numbers = field
        .split_once('+')
        .and_then(|(white, black)| Some([number(white)?, number(black)?]));
    let Some([white, black]) = numbers else {
        return Err(fail(format!("\"{}\" is not two numbers", shortened(field))));
    };
    let left = Counters { white, black };
    match counters.contain(left) {
        true => Ok(left),
        false if white.min(black) == 0 => Err(fail(
            "a side has given all its checks, so the game is over".to_owned(),
        )),
        false => Err(fail(format!(
            "\"{}\" is more than a game starts with",
            shortened(field)
        ))),
    }
}

/// Reads the checks that each side has given (V2), such as `+0+2`, as those that it still has to
/// give.
fn read_given(checks: u8, field: &str, offset: usize) -> Result<Counters, FenError> {
    let full = Counters::both(checks);
    let given = field
        .strip_prefix('+')
        .and_then(|field| field.split_once('+'));
    let left = given.and_then(|(white, black)| {
        let left = |given| checks.checked_sub(number(given)?).filter(|left| *left > 0);
        let (white, black) = (left(white)?, left(black)?);
        Some(Counters { white, black })
    });
    left.ok_or_else(|| {
        let why = format!(
            "\"{}\" is not what each side has given of {checks} checks in a game that goes on",
            shortened(field)
        );
        FenErrorKind::Checks { why, full }.at(offset)
    })
}

/// A small number written in digits; what does not fit is above everything that is counted.
fn number(text: &str) -> Option<u8> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u8::MAX))
}
