//! Splits PGN text into tokens, each with its place.
//!
//! The text is read piece by piece, and let go once it has been looked at.

mod source;
mod words;

use std::collections::VecDeque;
use std::io::{self, Read};

use thiserror::Error;

pub(crate) use source::Place;
use source::Source;
pub use words::Outcome;
pub(crate) use words::Words;

/// The most bytes of a game, and the most moves: both far more than games have.
const MOST_BYTES: u64 = 8 << 20;
pub(crate) const MOST_MOVES: usize = 1 << 16;

/// A fault of a PGN text, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// The fault.
    pub kind: PgnErrorKind,
}

/// The faults that a PGN text can have.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A tag is malformed.
    #[error("a tag is written [Name \"value\"], on one line")]
    Tag,
    /// A comment in braces has no end.
    #[error("the comment that begins here has no closing brace")]
    OpenComment,
    /// A variation has no end.
    #[error("the variation that begins here has no closing parenthesis")]
    OpenVariation,
    /// A closing parenthesis without an opening one.
    #[error("a closing parenthesis without an opening one; remove it")]
    StrayClose,
    /// A closing bracket or brace without an opening one.
    #[error("\"{0}\" does not belong here; remove it")]
    Stray(char),
    /// A `$` without a number from 0 to 255.
    #[error("a $ must be followed by a number from 0 to 255")]
    Nag,
    /// A game is longer than any that can be meant.
    #[error(
        "the game that ends here at the earliest has more than {} MiB or {MOST_MOVES} moves, \
         and is not read; split it",
        MOST_BYTES >> 20
    )]
    TooLong,
    /// The bytes are no text.
    #[error("there is a zero byte, so this is no PGN; give a text file in UTF-8 or Latin-1")]
    NoText,
}

/// The reasons why there is no token.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The text is wrong there.
    Fault(Place, PgnErrorKind),
    /// The text cannot be read.
    Io(io::Error),
}

/// A token of PGN. Move numbers are skipped: they carry no information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token {
    Tag {
        name: String,
        value: String,
        /// Whether it is the first of its section: the first on its line, which is not below
        /// another line of tags.
        begins_section: bool,
    },
    Move(String),
    Nag(u8),
    Comment(String),
    OpenVariation,
    CloseVariation,
    Outcome(Outcome),
}

/// Splits a text into tokens.
#[derive(Debug)]
pub(crate) struct Lexer<R> {
    source: Source<R>,
    words: Words,
    /// The other tokens of the last word.
    more: VecDeque<(Place, Token)>,
}

/// Whether a character separates tokens: a space, also one without width, a comma, a byte-order
/// mark, or the Ctrl-Z at the end of old files.
fn is_space(letter: char) -> bool {
    letter.is_whitespace()
        || matches!(
            letter,
            ',' | '\u{feff}' | '\u{1a}' | '\u{200b}'..='\u{200f}' | '\u{2060}'
        )
}

impl<R: Read> Lexer<R> {
    /// The tokens of a text, in which words mean what they do in a game.
    pub(crate) fn new(input: R, words: Words) -> Lexer<R> {
        Lexer {
            source: Source::new(input),
            words,
            more: VecDeque::new(),
        }
    }

    /// Begins to measure a game.
    pub(crate) fn begin_record(&mut self) {
        self.source.limit(MOST_BYTES);
    }

    /// Goes back to a token that it has just read.
    pub(crate) fn back_to(&mut self, place: Place) {
        self.source.back_to(place);
        self.more.clear();
    }

    /// Goes on where the next section of tags begins.
    pub(crate) fn skip_record(&mut self) -> Result<(), Failure> {
        self.more.clear();
        self.source.limit(u64::MAX);
        loop {
            self.source.let_go();
            match self.source.peek()? {
                None => return Ok(()),
                Some('[')
                    if self.source.place().begins_section() && is_tag(self.source.ahead(512)?) =>
                {
                    return Ok(());
                }
                _ => {}
            }
            self.source.next()?;
        }
    }

    /// The next token with its place; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(Place, Token)>, Failure> {
        loop {
            if let Some(token) = self.more.pop_front() {
                return Ok(Some(token));
            }
            self.source.skip(is_space)?;
            self.source.let_go();
            let start = self.source.place();
            let Some(first) = self.source.peek()? else {
                return Ok(None);
            };
            if !matches!(first, '[' | '{' | ';' | '(' | ')' | '$' | ']' | '}' | '%') {
                self.word(start)?;
                continue;
            }
            if first == '%' && !self.is_escape(start)? {
                self.word(start)?;
                continue;
            }
            self.source.next()?;
            let token = match first {
                '[' => {
                    let after = self.source.place();
                    let tag = self.tag(start);
                    if matches!(tag, Err(Failure::Fault(..))) {
                        self.source.back_to(after);
                    }
                    tag?
                }
                '{' => self.comment(start)?,
                ';' => Token::Comment(self.line()?.trim().to_owned()),
                '(' => Token::OpenVariation,
                ')' => Token::CloseVariation,
                '$' => self.nag(start)?,
                '%' => {
                    self.line()?;
                    continue;
                }
                stray => return Err(Failure::Fault(start, PgnErrorKind::Stray(stray))),
            };
            return Ok(Some((start, token)));
        }
    }

    /// Whether a `%` makes its line one that is not read, and is not a word of the game.
    fn is_escape(&mut self, start: Place) -> Result<bool, Failure> {
        let is_word = self.words.has_called_draws()
            && self.source.ahead(2)?[1..]
                .chars()
                .next()
                .is_none_or(is_space);
        Ok(start.begins_line() && !is_word)
    }

    /// The rest of the line.
    fn line(&mut self) -> Result<String, Failure> {
        self.source.take_while(|letter| letter != '\n')
    }

    fn comment(&mut self, start: Place) -> Result<Token, Failure> {
        let after = self.source.place();
        let text = match self.source.take_while(|letter| letter != '}') {
            // Games after it are still read.
            Err(Failure::Fault(_, PgnErrorKind::TooLong)) => None,
            text => Some(text?),
        };
        match text {
            Some(text) if self.source.next()?.is_some() => {
                Ok(Token::Comment(text.trim().to_owned()))
            }
            _ => {
                self.source.back_to(after);
                Err(Failure::Fault(start, PgnErrorKind::OpenComment))
            }
        }
    }

    fn nag(&mut self, start: Place) -> Result<Token, Failure> {
        let digits = self.source.take_while(|letter| letter.is_ascii_digit())?;
        let nag = digits.parse().map(Token::Nag);
        nag.map_err(|_| Failure::Fault(start, PgnErrorKind::Nag))
    }

    /// A tag behind its bracket. Quotes and backslashes in the value may be escaped or not: the
    /// quote that ends it stands before the closing bracket.
    fn tag(&mut self, start: Place) -> Result<Token, Failure> {
        let fault = || Failure::Fault(start, PgnErrorKind::Tag);
        self.source.skip(char::is_whitespace)?;
        let name = self.source.take_while(is_of_name)?;
        self.source.skip(char::is_whitespace)?;
        if name.is_empty() || self.source.next()? != Some('"') {
            return Err(fault());
        }
        let mut value = String::new();
        loop {
            match self.source.next()? {
                None | Some('\n') => return Err(fault()),
                Some('"') if self.closes(false)? => break,
                Some('\\') => match self.source.peek()? {
                    // Some programs do not escape a backslash.
                    Some('"') if self.closes(true)? => value.push('\\'),
                    Some(escaped @ ('"' | '\\')) => {
                        value.push(escaped);
                        self.source.next()?;
                    }
                    _ => value.push('\\'),
                },
                Some(letter) => value.push(letter),
            }
        }
        self.source.skip(|letter| letter != ']')?;
        self.source.next()?;
        Ok(Token::Tag {
            name,
            value,
            begins_section: start.begins_section(),
        })
    }

    /// Whether a tag ends here, or behind a quote at the end of its line.
    fn closes(&mut self, behind_quote: bool) -> Result<bool, Failure> {
        let ahead = self.source.ahead(64)?;
        let Some(rest) = (match behind_quote {
            true => ahead.strip_prefix('"'),
            false => Some(ahead),
        }) else {
            return Ok(false);
        };
        let rest = rest.trim_start_matches([' ', '\t']).strip_prefix(']');
        let ends = |rest: &str| rest.trim_start_matches([' ', '\t', '\r']).starts_with('\n');
        Ok(rest.is_some_and(|rest| !behind_quote || rest.is_empty() || ends(rest)))
    }

    /// Reads a word, and puts what it says in the queue.
    fn word(&mut self, start: Place) -> Result<(), Failure> {
        let mut word = String::new();
        while let Some(letter) = self.source.peek()? {
            if letter == '(' && word.ends_with(|c: char| c.is_ascii_digit() || c == '=') {
                // A promotion, not a variation.
                let promotion = self.source.ahead(3)?.as_bytes();
                if promotion.len() < 3
                    || promotion[2] != b')'
                    || !promotion[1].is_ascii_alphabetic()
                {
                    break;
                }
                (0..2).try_for_each(|_| -> Result<(), Failure> {
                    word.extend(self.source.next()?);
                    Ok(())
                })?;
            } else if is_space(letter) || "{}()[];$".contains(letter) {
                break;
            }
            word.extend(self.source.next()?);
        }
        if let Some(len) = words::spaced_outcome(&word, self.source.ahead(16)?) {
            for _ in 0..len {
                word.extend(self.source.next()?);
            }
            word.retain(|letter| !letter.is_whitespace());
        }
        let tokens = self.words.read(&word);
        self.more
            .extend(tokens.into_iter().map(|token| (start, token)));
        Ok(())
    }
}

/// Whether a letter may be in the name of a tag.
fn is_of_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_+#=:-".contains(letter)
}

/// Whether a text begins with a tag, as far as its value.
fn is_tag(text: &str) -> bool {
    let name = text.strip_prefix('[').map(str::trim_start);
    name.is_some_and(|name| {
        let rest = name.trim_start_matches(is_of_name);
        rest.len() < name.len() && rest.trim_start().starts_with('"')
    })
}

#[cfg(test)]
mod tests;
