//! Writing to stdout and stderr, whether or not anyone still reads them.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};

use serde::Serialize;

use super::failure::Failure;

/// Writes a message to stderr; errors are ignored.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(text));
}

/// Makes text from outside safe to print on a terminal: control characters other
/// than newlines, and characters that change the writing direction, are escaped,
/// as in `\u{1b}`.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let is_unsafe = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::new();
    for c in text.chars() {
        match is_unsafe(c) {
            true => safe.extend(c.escape_default()),
            false => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// Buffered stdout.
pub(crate) struct Output {
    stdout: BufWriter<Stdout>,
}

impl Output {
    /// Buffers stdout.
    pub(crate) fn new() -> Output {
        Output {
            stdout: BufWriter::new(io::stdout()),
        }
    }

    /// Writes a line of text.
    pub(crate) fn line(&mut self, text: impl fmt::Display) -> Result<(), Failure> {
        writeln!(self.stdout, "{text}").map_err(|e| Failure::stdout(&e))
    }

    /// Writes a value as JSON on one line.
    pub(crate) fn json(&mut self, value: &impl Serialize) -> Result<(), Failure> {
        let text = serde_json::to_string(value).map_err(|e| Failure::stdout(&e.into()))?;
        self.line(text)
    }

    /// Writes bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        let written = self.stdout.write_all(bytes);
        written.map_err(|e| Failure::stdout(&e))
    }

    /// Writes text from outside as one line; see
    /// [`printable`].
    pub(crate) fn foreign_line(&mut self, text: &str) -> Result<(), Failure> {
        self.line(printable(text).replace('\n', "\\n"))
    }

    /// Writes out the buffer. To be called at the end, since dropping the buffer
    /// would hide an error.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(|e| Failure::stdout(&e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_escaped() {
        for (text, shown) in [
            ("KQvK: K\u{e9}", "KQvK: K\u{e9}"),
            ("two\nlines", "two\nlines"),
            ("\x1b[31mred", "\\u{1b}[31mred"),
            ("\u{9b}31m\r\x07", "\\u{9b}31m\\r\\u{7}"),
            ("a\u{202e}b", "a\\u{202e}b"),
        ] {
            assert_eq!(printable(text), shown);
        }
    }
}
