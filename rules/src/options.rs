//! Rule options, as in a game id: `vital-restores=both,vitality=5`.

use std::fmt;

use crate::game::GameError;

/// A rule option of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct GameOption {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: OptionValues,
    /// The value if it is left out.
    pub default: String,
    /// The meaning of the option and of its values, for people.
    pub about: Option<String>,
}

/// The values of an option, as in a game id.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum OptionValues {
    /// One of these words.
    OneOf(Vec<String>),
    /// A whole number from the first to the second.
    Number(u8, u8),
}

impl OptionValues {
    /// All of them.
    pub fn list(&self) -> Vec<String> {
        match self {
            OptionValues::OneOf(words) => words.clone(),
            &OptionValues::Number(least, most) => (least..=most).map(|n| n.to_string()).collect(),
        }
    }

    /// Whether a text is one of them. Each number has one spelling, so that an id has one form.
    pub(crate) fn contain(&self, text: &str) -> bool {
        match self {
            OptionValues::OneOf(words) => words.iter().any(|word| word == text),
            &OptionValues::Number(least, most) => {
                (least..=most).any(|number| number.to_string() == text)
            }
        }
    }
}

/// In words, for messages: `king, queen or duke`.
impl fmt::Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValues::OneOf(words) => match &words[..] {
                [words @ .., last] if !words.is_empty() => {
                    write!(f, "{} or {last}", words.join(", "))
                }
                words => f.write_str(&words.join(", ")),
            },
            OptionValues::Number(least, most) => write!(f, "a whole number from {least} to {most}"),
        }
    }
}

/// Reads the options of an id, the text after its colon, in any order; `None` means that there
/// is no colon.
///
/// # Errors
/// An option or value that does not exist, or an option that is given twice.
pub(crate) fn read<'a>(
    game: &str,
    offers: &[GameOption],
    text: Option<&'a str>,
) -> Result<Vec<(&'a str, &'a str)>, GameError> {
    let mut given: Vec<(&str, &str)> = Vec::new();
    for part in text.into_iter().flat_map(|text| text.split(',')) {
        let (name, value) = part.split_once('=').unwrap_or((part, ""));
        let Some(offer) = offers.iter().find(|offer| offer.name == name) else {
            return Err(GameError::UnknownOption {
                game: game.to_owned(),
                option: name.to_owned(),
                known: list(offers),
            });
        };
        if given.iter().any(|&(known, _)| known == name) {
            return Err(GameError::RepeatedOption {
                game: game.to_owned(),
                option: name.to_owned(),
            });
        }
        if !offer.values.contain(value) {
            return Err(GameError::UnknownValue {
                game: game.to_owned(),
                option: name.to_owned(),
                value: value.to_owned(),
                known: offer.values.to_string(),
            });
        }
        given.push((name, value));
    }
    Ok(given)
}

/// The options of a game, as a sentence without a full stop.
fn list(offers: &[GameOption]) -> String {
    if offers.is_empty() {
        return "it has no options".to_owned();
    }
    let names: Vec<String> = offers
        .iter()
        .map(|GameOption { name, values, .. }| format!("{name} = {values}"))
        .collect();
    format!("its options are: {}", names.join(", "))
}
