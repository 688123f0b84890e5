//! Text for terminals and shells.

use std::borrow::Cow;
use std::io::{self, Write};
use std::path::Path;

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

/// A path as a shell takes it for one argument, and the program for no option.
pub(crate) fn quoted(path: &Path) -> String {
    let mut text = path.display().to_string();
    if text.starts_with('-') {
        text.insert_str(0, "./");
    }
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
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

    #[test]
    fn arguments_for_a_shell() {
        for (text, shown) in [
            ("tables/my-own_1.0", "tables/my-own_1.0"),
            ("", "''"),
            ("my tables", "'my tables'"),
            ("it's", r"'it'\''s'"),
            ("$HOME", "'$HOME'"),
            ("-x", "./-x"),
            ("-x y", "'./-x y'"),
            ("x/-y", "x/-y"),
        ] {
            assert_eq!(quoted(Path::new(text)), shown);
        }
    }
}
