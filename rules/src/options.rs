//! Rule options, as in a game id: `vital-restores=both,vitality=5`.

use std::fmt;

use crate::game::GameError;

/// A rule option of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GameOption {
    /// Its name.
    pub name: &'static str,
    /// Its values.
    pub values: OptionValues,
    /// The value if it is left out.
    pub default: &'static str,
}

/// The values of an option, as in a game id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum OptionValues {
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// A whole number from the first to the second.
    Number(u8, u8),
}

impl OptionValues {
    /// On and off.
    pub(crate) const SWITCH: OptionValues = OptionValues::OneOf(&["on", "off"]);

    /// All of them.
    pub fn list(self) -> Vec<String> {
        match self {
            OptionValues::OneOf(words) => words.iter().map(ToString::to_string).collect(),
            OptionValues::Number(least, most) => (least..=most).map(|n| n.to_string()).collect(),
        }
    }
}

/// In words, for messages: `king, queen or duke`.
impl fmt::Display for OptionValues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValues::OneOf([words @ .., last]) if !words.is_empty() => {
                write!(f, "{} or {last}", words.join(", "))
            }
            OptionValues::OneOf(words) => f.write_str(&words.join(", ")),
            OptionValues::Number(least, most) => write!(f, "a whole number from {least} to {most}"),
        }
    }
}

/// Reads the value of a switch; `None` if it is neither on nor off.
pub(crate) fn switch(value: &str) -> Option<bool> {
    match value {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

/// The options given in a game id. All exist, and none is given twice.
#[derive(Debug)]
pub(crate) struct GivenOptions<'a> {
    game: &'static str,
    offers: &'static [GameOption],
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> GivenOptions<'a> {
    /// Reads the text after the colon of an id, in any order; `None` means that there is
    /// no colon.
    pub(crate) fn read(
        game: &'static str,
        offers: &'static [GameOption],
        text: Option<&'a str>,
    ) -> Result<GivenOptions<'a>, GameError> {
        let mut options = GivenOptions {
            game,
            offers,
            given: Vec::new(),
        };
        for part in text.into_iter().flat_map(|text| text.split(',')) {
            let (name, value) = part.split_once('=').unwrap_or((part, ""));
            if offers.iter().all(|offer| offer.name != name) {
                return Err(GameError::UnknownOption {
                    game,
                    option: name.to_owned(),
                    known: list(offers),
                });
            }
            if options.value(name).is_some() {
                let option = name.to_owned();
                return Err(GameError::RepeatedOption { game, option });
            }
            options.given.push((name, value));
        }
        Ok(options)
    }

    /// The value that an option is given; `None` if it is left out.
    pub(crate) fn value(&self, name: &str) -> Option<&'a str> {
        let given = self.given.iter().find(|(given, _)| *given == name)?;
        Some(given.1)
    }

    /// Converts the value of an option if it is given; `read` returns `None` for unknown
    /// values.
    pub(crate) fn choose<T>(
        &self,
        name: &'static str,
        default: T,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, GameError> {
        let Some(value) = self.value(name) else {
            return Ok(default);
        };
        read(value).ok_or_else(|| {
            let offer = self.offers.iter().find(|offer| offer.name == name);
            GameError::UnknownValue {
                game: self.game,
                option: name,
                value: value.to_owned(),
                known: offer.map_or_else(String::new, |offer| offer.values.to_string()),
            }
        })
    }
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
