//! Tells what a word of PGN is: a move, what is thought of it, or a result.
//!
//! Words stand between spaces.

use std::fmt;

use retrograde_rules::{Game, PieceType};

use super::Token;

/// The outcome of a game, as a record has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// `1-0`
    White,
    /// `0-1`
    Black,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished or unknown.
    Open,
}

/// The spellings of outcomes, with hyphens for dashes and colons; those that are parts of others
/// behind them.
const OUTCOMES: [(&str, Outcome); 9] = [
    ("0.5-0.5", Outcome::Draw),
    ("1/2-1/2", Outcome::Draw),
    ("½-½", Outcome::Draw),
    ("1-0", Outcome::White),
    ("0-1", Outcome::Black),
    ("1/2", Outcome::Draw),
    ("½", Outcome::Draw),
    ("*", Outcome::Open),
    ("%", Outcome::Draw),
];

/// The numbers of annotations that may be written as text, those that are parts of others behind
/// them.
const GLYPHS: [(&str, u8); 36] = [
    ("+/=", 14),
    ("=/+", 15),
    ("+/-", 16),
    ("-/+", 17),
    ("!!", 3),
    ("??", 4),
    ("!?", 5),
    ("?!", 6),
    ("+=", 14),
    ("=+", 15),
    ("+-", 18),
    ("-+", 19),
    ("+−", 18),
    ("−+", 19),
    ("+–", 18),
    ("–+", 19),
    ("!", 1),
    ("?", 2),
    ("‼", 3),
    ("⁇", 4),
    ("⁉", 5),
    ("⁈", 6),
    ("□", 7),
    ("=", 10),
    ("∞", 13),
    ("⩲", 14),
    ("⩱", 15),
    ("±", 16),
    ("∓", 17),
    ("⨀", 22),
    ("⟳", 32),
    ("→", 40),
    ("↑", 36),
    ("⇆", 132),
    ("∆", 140),
    ("⌓", 142),
];

/// Annotations that are words by themselves: a novelty, a diagram.
const LETTERS: [(&str, u8); 3] = [("N", 146), ("TN", 146), ("D", 220)];

/// Words that say no more than the move before them.
const IDLE: [&str; 9] = [
    "e.p.", "ep.", "e.p", "ep", "ch", "ch.", "dbl", "mate", "dis",
];

impl Outcome {
    /// Reads an outcome.
    pub fn parse(text: &str) -> Option<Outcome> {
        let text = plain(text);
        let known = OUTCOMES
            .iter()
            .find(|&&(spelled, _)| spelled == text && text != "%");
        known.map(|&(_, outcome)| outcome)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Outcome::White => "1-0",
            Outcome::Black => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::Open => "*",
        })
    }
}

/// A text with hyphens for dashes and colons.
fn plain(text: &str) -> String {
    let is_dash = |c: char| matches!(c, '\u{2010}'..='\u{2015}' | '−' | ':');
    text.replace(is_dash, "-")
}

/// The meaning of words in the records of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Words {
    /// Whether a star marks a capture en passant, and `%` a draw that was called, as in Chess 99.
    marked: bool,
}

impl Words {
    pub(crate) fn of(game: Game) -> Words {
        Words {
            marked: game.piece_types().contains(&PieceType::Paladin),
        }
    }

    /// Whether `%` means that a draw was called.
    pub(super) fn has_called_draws(self) -> bool {
        self.marked
    }

    /// The tokens of a word.
    pub(super) fn read(self, word: &str) -> Vec<Token> {
        if let Some(outcome) = self.outcome(word) {
            return vec![Token::Outcome(outcome)];
        }
        let word = without_number(word);
        if let Some(outcome) = self.outcome(word) {
            return vec![Token::Outcome(outcome)];
        }
        let (word, outcome) = self.split_outcome(word);
        // The designer of Chess 99 marks a double check like this.
        let word = word
            .strip_suffix("!+")
            .filter(|_| self.marked)
            .unwrap_or(word);
        let (mv, nags) = split_glyphs(word);
        let mut tokens = Vec::new();
        if !mv.is_empty() && !IDLE.contains(&&*mv) {
            tokens.push(Token::Move(mv));
        }
        tokens.extend(nags.into_iter().map(Token::Nag));
        tokens.extend(outcome.map(Token::Outcome));
        tokens
    }

    fn outcome(self, word: &str) -> Option<Outcome> {
        match word {
            "%" if self.marked => Some(Outcome::Draw),
            _ => Outcome::parse(word),
        }
    }

    /// A move, and the outcome that stands behind it without a space.
    fn split_outcome(self, word: &str) -> (&str, Option<Outcome>) {
        let hyphened = plain(word);
        for (text, outcome) in OUTCOMES {
            let Some(before) = hyphened.strip_suffix(text) else {
                continue;
            };
            // Every dash is a character.
            let letters = before.chars().count();
            let end = word
                .char_indices()
                .nth(letters)
                .map_or(word.len(), |(at, _)| at);
            let mv = &word[..end];
            let is_mark = match text {
                "%" => !self.marked,
                "*" => self.marked && is_marked_capture(mv),
                _ => false,
            };
            let castles = matches!(
                before.trim_end_matches(['+', '#', '!', '?']),
                "0-0" | "0-0-0"
            );
            if (mv.contains(char::is_alphabetic) || castles) && !is_mark {
                return (mv, Some(outcome));
            }
        }
        (word, None)
    }
}

/// Whether a star behind a text may be that of a capture en passant: with an `x`, or from square
/// to square.
fn is_marked_capture(text: &str) -> bool {
    let squares = text.bytes().filter(u8::is_ascii_digit).count();
    text.contains(['x', ':', '×']) || squares > 1
}

/// A move without the annotations behind it, and these.
fn split_glyphs(word: &str) -> (String, Vec<u8>) {
    if let Some(&(_, nag)) = LETTERS.iter().find(|&&(text, _)| text == word) {
        return (String::new(), vec![nag]);
    }
    let (mut mv, mut nags) = (word, Vec::new());
    while mv != "--" {
        if let Some((rest, nag)) = GLYPHS
            .iter()
            .find_map(|&(text, nag)| Some((mv.strip_suffix(text)?, nag)))
        {
            nags.push(nag);
            mv = rest;
        } else if let Some(symbol) = mv.chars().next_back().filter(|&c| is_symbol(c)) {
            mv = &mv[..mv.len() - symbol.len_utf8()];
        } else if mv.ends_with('.') && !IDLE.iter().any(|idle| mv.ends_with(idle)) {
            mv = &mv[..mv.len() - 1];
        } else {
            break;
        }
    }
    nags.reverse();
    // What is left may be marks of check, with annotations among them.
    let is_check = |c: char| matches!(c, '+' | '#');
    let bare = mv.trim_end_matches(|c| is_check(c) || matches!(c, '!' | '?'));
    let marks = mv[bare.len()..].replace(is_check, "");
    nags.extend(
        GLYPHS
            .iter()
            .find(|&&(text, _)| text == marks)
            .map(|&(_, nag)| nag),
    );
    let checks = mv[bare.len()..].replace(['!', '?'], "");
    match bare {
        "" => (String::new(), nags),
        _ => (format!("{bare}{checks}"), nags),
    }
}

/// Whether a character is no part of a move: neither a letter nor a figurine nor the sign of a
/// capture, a check or the way that figurines are drawn.
fn is_symbol(letter: char) -> bool {
    !letter.is_ascii()
        && !letter.is_alphanumeric()
        && !matches!(
            letter,
            '♔'..='♟' | '×' | '†' | '‡' | '\u{fe0e}' | '\u{fe0f}'
        )
}

/// A word without the move number that may precede it: `12.`, `12...Nf6`, `12Nf6`. `0000` is a
/// pass and `00` castles; neither is a number.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    let is_number = match rest.chars().next() {
        None => word.contains(|c: char| c != '0') || word == "0",
        Some(next) => matches!(next, '.' | '…' | '♔'..='♟') || next.is_alphabetic(),
    };
    match is_number {
        true => rest.trim_start_matches(['.', '…']),
        false => word,
    }
}

/// The number of further characters of an outcome that is written with spaces, as in `1 - 0`,
/// of which `word` is the first.
pub(super) fn spaced_outcome(word: &str, ahead: &str) -> Option<usize> {
    let rest = ahead.trim_start_matches(' ');
    let dash = rest.chars().next()?;
    if plain(dash.encode_utf8(&mut [0; 4])) != "-" || rest.len() == ahead.len() {
        return None;
    }
    let rest = rest[dash.len_utf8()..].trim_start_matches(' ');
    let other = match word {
        "1" => "0",
        "0" => "1",
        "1/2" | "½" | "0.5" => word,
        _ => return None,
    };
    let rest = rest.strip_prefix(other)?;
    let ends = rest
        .chars()
        .next()
        .is_none_or(|next| super::is_space(next) || "{;($[".contains(next));
    ends.then(|| ahead[..ahead.len() - rest.len()].chars().count())
}
