//! Shortens text from outside for messages, and finds the name that was probably meant by it.

use std::borrow::Cow;

/// The most characters of a text that a message repeats: more than any FEN of a position has.
const MOST: usize = 200;

/// The number of characters that are left of a longer text.
const KEPT: usize = 60;

/// Text from outside as a message repeats it: as it is, unless it is far longer than
/// anything that could be meant. Then its beginning and how long it is:
/// `KQQQ… (10000 characters)`.
pub fn shortened(text: &str) -> Cow<'_, str> {
    // No text has more characters than bytes.
    if text.len() <= MOST || text.chars().count() <= MOST {
        return Cow::Borrowed(text);
    }
    let end = text.char_indices().nth(KEPT);
    let beginning = &text[..end.map_or(text.len(), |(end, _)| end)];
    let length = text.chars().count();
    Cow::Owned(format!("{beginning}… ({length} characters)"))
}

/// The number of letters to change, add or remove to make one text of another; of long
/// texts only the beginnings count.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// The name that a text comes nearest to, and how many letters are different; the first of
/// several, `None` if there are no names.
pub fn nearest<'a>(
    text: &str,
    names: impl IntoIterator<Item = &'a str>,
) -> Option<(&'a str, usize)> {
    let names = names.into_iter().map(|name| (name, distance(text, name)));
    names.min_by_key(|&(_, apart)| apart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_name() {
        let names = ["orthodox", "gardner", "gardener"];
        assert_eq!(nearest("gardnr", names), Some(("gardner", 1)));
        assert_eq!(nearest("ortodoks", names), Some(("orthodox", 3)));
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn long_text_is_cut_between_characters() {
        let as_it_is = "é".repeat(MOST);
        for text in ["", "KQvK", &as_it_is] {
            assert_eq!(shortened(text), text);
        }
        for letter in ["K", "é", "♔", "𝄞"] {
            let beginning = letter.repeat(KEPT);
            assert_eq!(
                shortened(&letter.repeat(10_000)),
                format!("{beginning}… (10000 characters)")
            );
        }
    }
}
