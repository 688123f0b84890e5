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

/// A rule option whose values are words, and what they mean.
pub(crate) struct Choice<T: 'static> {
    pub(crate) offer: GameOption,
    words: &'static [&'static str],
    /// In the order of the words.
    meanings: &'static [T],
}

impl Choice<bool> {
    /// An option that is on or off.
    pub(crate) const fn switch(name: &'static str, default: bool) -> Choice<bool> {
        let mut switch = Choice::new(name, &["on", "off"], &[true, false]);
        if !default {
            switch.offer.default = "off";
        }
        switch
    }
}

impl<T> Choice<T> {
    /// The first value is the default.
    pub(crate) const fn new(
        name: &'static str,
        words: &'static [&'static str],
        meanings: &'static [T],
    ) -> Choice<T> {
        assert!(words.len() == meanings.len());
        Choice {
            offer: GameOption {
                name,
                values: OptionValues::OneOf(words),
                default: words[0],
            },
            words,
            meanings,
        }
    }
}

impl<T: Copy + PartialEq> Choice<T> {
    /// What the value that is given means; `default` if none is.
    pub(crate) fn read(&self, options: &GivenOptions, default: T) -> Result<T, GameError> {
        options.choose(&self.offer, default, |value| {
            let place = self.words.iter().position(|word| *word == value)?;
            Some(self.meanings[place])
        })
    }

    /// The name of the option and the word for its value; `None` if that is the default.
    pub(crate) fn chosen(&self, meaning: T) -> Option<ChosenOption> {
        let place = self.meanings.iter().position(|&m| m == meaning)?;
        let (GameOption { name, default, .. }, word) = (self.offer, self.words[place]);
        (word != default).then(|| (name, word.to_owned()))
    }
}

/// The name of an option and its value, as in a game id.
pub(crate) type ChosenOption = (&'static str, String);

/// The options given in a game id. All exist, and none is given twice.
#[derive(Debug)]
pub(crate) struct GivenOptions<'a> {
    game: &'static str,
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
        offer: &GameOption,
        default: T,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<T, GameError> {
        let Some(value) = self.value(offer.name) else {
            return Ok(default);
        };
        read(value).ok_or_else(|| GameError::UnknownValue {
            game: self.game,
            option: offer.name,
            value: value.to_owned(),
            known: offer.values.to_string(),
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
