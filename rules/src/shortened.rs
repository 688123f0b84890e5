//! Text from outside in messages.

use std::borrow::Cow;

/// How many characters of a text a message repeats: more than any FEN of a position has.
const MOST: usize = 200;

/// How many characters are left of a text that is longer.
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

#[cfg(test)]
mod tests {
    use super::*;

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
