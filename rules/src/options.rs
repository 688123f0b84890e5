//! Rule options as they stand in a game id: `vital-restores=both,vitality=5`.

use crate::game::GameError;

/// An option that a game offers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer {
    /// Its name.
    pub(crate) name: &'static str,
    /// Its values in words, for messages.
    pub(crate) values: &'static str,
}

/// The options of one game id, each offered by the game and given once.
#[derive(Debug)]
pub(crate) struct Options<'a> {
    game: &'static str,
    offers: &'static [Offer],
    given: Vec<(&'a str, &'a str)>,
}

impl<'a> Options<'a> {
    /// Reads what stands after the colon of an id, in any order; `None` is an
    /// id without a colon.
    pub(crate) fn read(
        game: &'static str,
        offers: &'static [Offer],
        text: Option<&'a str>,
    ) -> Result<Options<'a>, GameError> {
        let mut options = Options {
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

    /// Translates the value of an option that is given; `None` from `read`
    /// means that there is no such value.
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
                known: offer.map_or("", |offer| offer.values),
            }
        })
    }
}

/// What a game offers, as a sentence without a full stop.
fn list(offers: &[Offer]) -> String {
    if offers.is_empty() {
        return "it has no options".to_owned();
    }
    let names: Vec<String> = offers
        .iter()
        .map(|Offer { name, values }| format!("{name} = {values}"))
        .collect();
    format!("its options are: {}", names.join(", "))
}
