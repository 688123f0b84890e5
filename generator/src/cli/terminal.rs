//! Writes messages to stderr, and makes text from outside safe to print on a terminal.

use std::borrow::Cow;
use std::io::{self, Write};

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
