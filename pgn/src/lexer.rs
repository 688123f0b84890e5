//! PGN as a sequence of tokens, each with its place.

use std::fmt;

use thiserror::Error;

/// What is wrong with a PGN text, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct PgnError {
    /// The line, counted from 1.
    pub line: usize,
    /// The character in the line, counted from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: PgnErrorKind,
}

/// What can be wrong with a PGN text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A tag is malformed.
    #[error(
        "a tag is written [Name \"value\"], a quote or a backslash in the value as \\\" or \\\\"
    )]
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
}

/// What is wrong, and at which byte offset.
pub(crate) type Fault = (usize, PgnErrorKind);

/// Line and column of a byte offset, both counted from 1.
fn place(text: &str, offset: usize) -> (usize, usize) {
    advance((1, 1), &text[..offset])
}

/// The line and column after a piece of text that begins at `(line, column)`.
fn advance((line, column): (usize, usize), text: &str) -> (usize, usize) {
    match text.rsplit_once('\n') {
        Some((before, rest)) => {
            let lines = before.bytes().filter(|&byte| byte == b'\n').count();
            (line + lines + 1, rest.chars().count() + 1)
        }
        None => (line, column + text.chars().count()),
    }
}

/// How a record says that the game ended.
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

impl Outcome {
    /// Reads an outcome.
    pub fn parse(text: &str) -> Option<Outcome> {
        match text {
            "1-0" => Some(Outcome::White),
            "0-1" => Some(Outcome::Black),
            "1/2-1/2" => Some(Outcome::Draw),
            "*" => Some(Outcome::Open),
            _ => None,
        }
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

/// A token of PGN. Move numbers are skipped: they carry no information.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Tag { name: &'a str, value: String },
    Move(&'a str),
    Nag(u8),
    Comment(&'a str),
    OpenVariation,
    CloseVariation,
    Outcome(Outcome),
}

/// Splits a text into tokens.
#[derive(Debug)]
pub(crate) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// The annotation of the last move, from its `!` or `?`.
    mark: Option<u8>,
    /// A byte offset with its line and column.
    counted: (usize, (usize, usize)),
}

impl<'a> Lexer<'a> {
    pub(crate) fn new(text: &'a str) -> Lexer<'a> {
        Lexer {
            text,
            at: 0,
            mark: None,
            counted: (0, (1, 1)),
        }
    }

    /// The error that a fault is.
    pub(crate) fn error(&mut self, (offset, kind): Fault) -> PgnError {
        let (line, column) = self.place(offset);
        PgnError { line, column, kind }
    }

    /// Goes back to a byte offset that it has passed.
    pub(crate) fn back_to(&mut self, offset: usize) {
        (self.at, self.mark) = (offset, None);
    }

    /// Whether the tag at a byte offset is the first of its section: the first on its line, which
    /// is not below another line of tags.
    pub(crate) fn begins_section(&self, tag: usize) -> bool {
        let mut lines = self.text[..tag].split('\n').rev();
        let before = lines.next().unwrap_or_default();
        let above = lines.next().unwrap_or_default();
        before.trim().is_empty() && !above.trim_start().starts_with('[')
    }

    /// Goes on where the next section of tags begins.
    pub(crate) fn skip_record(&mut self) {
        self.mark = None;
        let begins = |&(at, _): &(usize, &str)| is_tag(&self.text[at..]) && self.begins_section(at);
        let next = self.text[self.at..].match_indices('[');
        let mut next = next.map(|(at, tag)| (self.at + at, tag));
        self.at = next.find(begins).map_or(self.text.len(), |(at, _)| at);
    }

    /// Line and column of a byte offset, both counted from 1. For offsets in ascending
    /// order the text is read once in all.
    pub(crate) fn place(&mut self, offset: usize) -> (usize, usize) {
        let (from, place) = self.counted;
        let place = match self.text.get(from..offset) {
            Some(between) => advance(place, between),
            None => self::place(self.text, offset),
        };
        self.counted = (offset, place);
        place
    }

    /// The next token with its byte offset; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, Fault> {
        loop {
            if let Some(nag) = self.mark.take() {
                return Ok(Some((self.at, Token::Nag(nag))));
            }
            let rest = &self.text[self.at..];
            let Some(start) = rest.find(|c: char| !c.is_whitespace() && c != '\u{feff}') else {
                return Ok(None);
            };
            let start = self.at + start;
            self.at = start + 1;
            let token = match self.text.as_bytes()[start] {
                b'[' => self.tag(start)?,
                b'{' => self.comment(start)?,
                b';' => Token::Comment(self.line().trim()),
                b'%' if self.begins_line(start) => {
                    self.line();
                    continue;
                }
                b'(' => Token::OpenVariation,
                b')' => Token::CloseVariation,
                b'$' => self.nag(start)?,
                stray @ (b']' | b'}') => {
                    return Err((start, PgnErrorKind::Stray(stray.into())));
                }
                _ => match self.word(start) {
                    Some(token) => token,
                    None => continue,
                },
            };
            return Ok(Some((start, token)));
        }
    }

    /// Whether an offset begins a line, a byte-order mark aside.
    fn begins_line(&self, start: usize) -> bool {
        let before = self.text[..start].trim_start_matches('\u{feff}');
        before.is_empty() || before.ends_with('\n')
    }

    /// The rest of the line.
    fn line(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.at += line.len();
        line
    }

    fn comment(&mut self, start: usize) -> Result<Token<'a>, Fault> {
        let rest = &self.text[self.at..];
        let end = rest.find('}');
        let end = end.ok_or((start, PgnErrorKind::OpenComment))?;
        self.at += end + 1;
        Ok(Token::Comment(rest[..end].trim()))
    }

    fn nag(&mut self, start: usize) -> Result<Token<'a>, Fault> {
        let rest = &self.text[self.at..];
        let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
        self.at += digits;
        let nag = rest[..digits].parse().map(Token::Nag);
        nag.map_err(|_| (start, PgnErrorKind::Nag))
    }

    fn tag(&mut self, start: usize) -> Result<Token<'a>, Fault> {
        let text = self.text;
        let fault = || (start, PgnErrorKind::Tag);
        let rest = text[self.at..].trim_start();
        let name = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (name, rest) = rest.split_at(name.ok_or_else(fault)?);
        let mut rest = rest.trim_start().strip_prefix('"').ok_or_else(fault)?;
        if name.is_empty() {
            return Err(fault());
        }
        let mut value = String::new();
        loop {
            let end = rest.find(['"', '\\', '\n']).ok_or_else(fault)?;
            value.push_str(&rest[..end]);
            let special = rest.as_bytes()[end];
            rest = &rest[end + 1..];
            match special {
                b'"' => break,
                b'\\' if rest.starts_with(['"', '\\']) => {
                    value.push_str(&rest[..1]);
                    rest = &rest[1..];
                }
                // Some programs do not escape it.
                b'\\' => value.push('\\'),
                _ => return Err(fault()),
            }
        }
        let rest = rest.trim_start().strip_prefix(']').ok_or_else(fault)?;
        self.at = text.len() - rest.len();
        Ok(Token::Tag { name, value })
    }

    /// A move or an outcome; `None` for a move number or another word without
    /// information.
    fn word(&mut self, start: usize) -> Option<Token<'a>> {
        let rest = &self.text[start..];
        let ends = |c: char| c.is_whitespace() || "{}()[];$".contains(c);
        let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
        self.at = start + word.len();
        let word = without_number(word);
        if let Some(outcome) = Outcome::parse(word) {
            return Some(Token::Outcome(outcome));
        }
        let bare = word.trim_end_matches(['!', '?']);
        self.mark = match &word[bare.len()..] {
            "!" => Some(1),
            "?" => Some(2),
            "!!" => Some(3),
            "??" => Some(4),
            "!?" => Some(5),
            "?!" => Some(6),
            _ => None,
        };
        if bare.is_empty() || bare == "e.p." {
            return None;
        }
        Some(Token::Move(bare))
    }
}

/// Whether a text begins with a tag, as far as its value.
fn is_tag(text: &str) -> bool {
    let name = text.strip_prefix('[').map(str::trim_start);
    name.is_some_and(|name| {
        let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
        rest.len() < name.len() && rest.trim_start().starts_with('"')
    })
}

/// A word without the move number that may precede it: `12.`, `12...Nf6`. `0000` is
/// a pass, not a number.
fn without_number(word: &str) -> &str {
    let digits = word.bytes().take_while(u8::is_ascii_digit).count();
    let rest = &word[digits..];
    if rest.is_empty() && word != "0000" || rest.starts_with('.') {
        rest.trim_start_matches('.')
    } else {
        word
    }
}

#[cfg(test)]
mod tests;
