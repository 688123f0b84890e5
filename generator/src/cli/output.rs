//! Writing to stdout and stderr so that a reader who leaves does no harm.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufWriter, Stdout, Write};

use serde::Serialize;

use super::failure::Failure;

/// Writes a message to stderr. If nobody reads it, it is lost.
pub(crate) fn message(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(text));
}

/// Text that may have come from anywhere, so that it cannot give orders to a
/// terminal: control characters but the ends of lines, and those that turn the
/// direction of writing, are written as `\u{1b}`.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let is_order = |c: char| {
        c.is_control() && c != '\n'
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    if !text.contains(is_order) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::new();
    for c in text.chars() {
        match is_order(c) {
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
    /// Takes hold of stdout.
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

    /// Writes a line of text that may have come from anywhere; see
    /// [`printable`]. It stays one line.
    pub(crate) fn foreign_line(&mut self, text: &str) -> Result<(), Failure> {
        self.line(printable(text).replace('\n', "\\n"))
    }

    /// Hands on what was written. To be called at the end, where an error
    /// would go unnoticed otherwise.
    pub(crate) fn flush(&mut self) -> Result<(), Failure> {
        self.stdout.flush().map_err(|e| Failure::stdout(&e))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_orders_to_terminals() {
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
