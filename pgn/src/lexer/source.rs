//! Reads a text piece by piece, and knows the line and column that it has come to.

use std::io::{ErrorKind, Read};

use super::{Failure, PgnErrorKind};

/// The number of bytes that are read at once.
const PIECE: usize = 1 << 16;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Place {
    /// The line, counted from 1.
    pub(crate) line: usize,
    /// The character in the line, counted from 1.
    pub(crate) column: usize,
    /// The offset in bytes of the whole text, as it was decoded.
    offset: u64,
    /// The first character of the line before here, and of the line above, spaces aside.
    first: Option<char>,
    above: Option<char>,
}

impl Place {
    /// Whether it is the first of its line, spaces aside.
    pub(super) fn begins_line(self) -> bool {
        self.first.is_none()
    }

    /// Whether a tag here is the first of its section: the first on its line, which is not below
    /// another line of tags.
    pub(super) fn begins_section(self) -> bool {
        self.begins_line() && self.above != Some('[')
    }
}

/// A text in UTF-8; bytes that are not are Latin-1, in the form in which Windows writes it.
#[derive(Debug)]
pub(super) struct Source<R> {
    input: R,
    /// The text that has been read and not let go, and the offset of its beginning.
    text: String,
    begin: u64,
    /// The bytes of a character that is not complete yet.
    rest: Vec<u8>,
    ended: bool,
    /// Whether it has ended because no text follows.
    is_broken: bool,
    place: Place,
    /// The offset that may not be passed.
    end: u64,
}

impl<R: Read> Source<R> {
    pub(super) fn new(input: R) -> Source<R> {
        Source {
            input,
            text: String::new(),
            begin: 0,
            rest: Vec::new(),
            ended: false,
            is_broken: false,
            place: Place {
                line: 1,
                column: 1,
                offset: 0,
                first: None,
                above: None,
            },
            end: u64::MAX,
        }
    }

    /// The place of the source in the text.
    pub(super) fn place(&self) -> Place {
        self.place
    }

    /// Allows so many more bytes.
    pub(super) fn limit(&mut self, bytes: u64) {
        self.end = self.place.offset.saturating_add(bytes);
    }

    /// Lets the text before here go.
    pub(super) fn let_go(&mut self) {
        let at = (self.place.offset - self.begin) as usize;
        if at >= PIECE {
            self.text.drain(..at);
            self.begin = self.place.offset;
        }
    }

    /// Goes back to a place of which nothing has been let go.
    pub(super) fn back_to(&mut self, place: Place) {
        self.place = place;
    }

    /// The next so many bytes, or a little more, if there are as many.
    pub(super) fn ahead(&mut self, bytes: usize) -> Result<&str, Failure> {
        let at = (self.place.offset - self.begin) as usize;
        while self.text.len() < at + bytes && !self.ended {
            self.fill()?;
        }
        Ok(&self.text[at..])
    }

    /// The next character.
    pub(super) fn peek(&mut self) -> Result<Option<char>, Failure> {
        let place = self.place;
        let next = self.ahead(1)?.chars().next();
        match next {
            Some(_) if place.offset >= self.end => {
                Err(Failure::Fault(place, PgnErrorKind::TooLong))
            }
            None if std::mem::take(&mut self.is_broken) => {
                Err(Failure::Fault(place, PgnErrorKind::NoText))
            }
            next => Ok(next),
        }
    }

    /// Goes past the next character.
    pub(super) fn next(&mut self) -> Result<Option<char>, Failure> {
        let Some(next) = self.peek()? else {
            return Ok(None);
        };
        let place = &mut self.place;
        place.offset += next.len_utf8() as u64;
        if next == '\n' {
            (place.line, place.column) = (place.line + 1, 1);
            (place.above, place.first) = (place.first, None);
        } else {
            place.column += 1;
            if !super::is_space(next) {
                place.first = place.first.or(Some(next));
            }
        }
        Ok(Some(next))
    }

    /// Goes past characters of a kind.
    pub(super) fn skip(&mut self, mut is_one: impl FnMut(char) -> bool) -> Result<(), Failure> {
        while self.peek()?.is_some_and(&mut is_one) {
            self.next()?;
        }
        Ok(())
    }

    /// Takes characters of a kind.
    pub(super) fn take_while(
        &mut self,
        mut is_one: impl FnMut(char) -> bool,
    ) -> Result<String, Failure> {
        let mut text = String::new();
        while let Some(letter) = self.peek()?.filter(|&letter| is_one(letter)) {
            text.push(letter);
            self.next()?;
        }
        Ok(text)
    }

    /// Reads another piece.
    fn fill(&mut self) -> Result<(), Failure> {
        let kept = self.rest.len();
        self.rest.resize(kept + PIECE, 0);
        let read = loop {
            match self.input.read(&mut self.rest[kept..]) {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                read => break read,
            }
        };
        let read = match read {
            Ok(read) => read,
            Err(error) => {
                self.ended = true;
                self.rest.clear();
                return Err(Failure::Io(error));
            }
        };
        self.rest.truncate(kept + read);
        self.ended = read == 0;
        if let Some(zero) = self.rest.iter().position(|&byte| byte == 0) {
            self.rest.truncate(zero);
            (self.ended, self.is_broken) = (true, true);
        }
        self.decode();
        Ok(())
    }

    /// Decodes what has been read.
    fn decode(&mut self) {
        let mut bytes = &self.rest[..];
        loop {
            let error = match std::str::from_utf8(bytes) {
                Ok(text) => {
                    self.text.push_str(text);
                    bytes = &[];
                    break;
                }
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            self.text
                .push_str(std::str::from_utf8(valid).unwrap_or_default());
            let wrong = match error.error_len() {
                Some(len) => len,
                None if self.ended => rest.len(),
                // More of the character may come.
                None => {
                    bytes = rest;
                    break;
                }
            };
            self.text
                .extend(rest[..wrong].iter().map(|&byte| latin_1(byte)));
            bytes = &rest[wrong..];
        }
        self.rest = bytes.to_vec();
    }
}

/// The character of a byte in Latin-1. Between 0x80 and 0x9f it has control characters only, and
/// what is meant are those of Windows.
fn latin_1(byte: u8) -> char {
    const WINDOWS: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž',
        '\u{8f}', '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}',
        'ž', 'Ÿ',
    ];
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        _ => char::from(byte),
    }
}
