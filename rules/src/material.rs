//! Material: which men each side has, the name of a class of positions.

use std::fmt;

use thiserror::Error;

use crate::game::{Game, Interchange};
use crate::man::{Colour, Kind, Man};

/// The men of both sides. The men have an order: White's before Black's,
/// each side by [`Kind::ALL`]; "the men of a class" always means that order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Material {
    counts: [[u8; Kind::COUNT]; 2],
}

/// Why a material name is refused.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum MaterialError {
    /// A letter that is no man of the game.
    #[error("\"{name}\": {game} has no man \"{letter}\"; its men are {men}")]
    UnknownMan {
        /// The name as given.
        name: String,
        /// The game.
        game: String,
        /// The offending letter.
        letter: char,
        /// The game's letters.
        men: String,
    },
    /// Small letters, which mean Black's men in a FEN.
    #[error("\"{name}\": use capitals for the men of both sides: {capitals}")]
    Capitals {
        /// The name as given.
        name: String,
        /// The name as it is probably meant.
        capitals: String,
    },
    /// A side has too few or too many kings.
    #[error(
        "\"{name}\": {side} needs exactly one king, and it has {kings}; write material like KQvKR"
    )]
    Kings {
        /// The name as given.
        name: String,
        /// Which side, in words.
        side: &'static str,
        /// How many kings it has.
        kings: usize,
    },
    /// A side has no king, in a game of several kings.
    #[error("\"{name}\": {side} needs a king; write material like KKvKQ")]
    NoKing {
        /// The name as given.
        name: String,
        /// Which side, in words.
        side: &'static str,
    },
    /// A side has no men.
    #[error("\"{name}\": {side} has no men; write material like QvR")]
    NoMen {
        /// The name as given.
        name: String,
        /// Which side, in words.
        side: &'static str,
    },
    /// The two sides cannot be told apart.
    #[error("\"{0}\" does not name two sides; write material like KQvKR")]
    Sides(String),
    /// More men than a table can have.
    #[error("\"{name}\" has {men} men; tables have at most {most}")]
    TooMany {
        /// The name as given.
        name: String,
        /// How many men it has.
        men: usize,
        /// The limit.
        most: usize,
    },
}

impl Material {
    /// The most men that a class may have.
    pub const MOST_MEN: usize = 7;

    /// No men at all.
    pub const EMPTY: Material = Material {
        counts: [[0; Kind::COUNT]; 2],
    };

    /// The material of a collection of men.
    pub fn of(men: impl IntoIterator<Item = Man>) -> Material {
        let mut material = Material::EMPTY;
        for man in men {
            material.add(man);
        }
        material
    }

    /// The material with as many of every man as `count` says.
    pub(crate) fn counted(count: impl Fn(Man) -> u8) -> Material {
        Material {
            counts: Colour::BOTH.map(|colour| Kind::ALL.map(|kind| count(Man::new(colour, kind)))),
        }
    }

    /// Reads a name such as `KQvKR`; the `v` may be left out in games where
    /// every side has one king. The name need not be in normal form.
    ///
    /// # Errors
    /// See [`MaterialError`]; the message says what to write instead.
    pub fn parse(game: Game, name: &str) -> Result<Material, MaterialError> {
        let is_man = |letter: char| game.kinds().iter().any(|kind| kind.letter() == letter);
        if name.contains(|c: char| c != 'v' && c.is_ascii_lowercase())
            && name
                .chars()
                .all(|c| c == 'v' || is_man(c.to_ascii_uppercase()))
        {
            return Err(MaterialError::Capitals {
                name: name.to_owned(),
                capitals: name.to_ascii_uppercase().replace('V', "v"),
            });
        }
        let sides: Vec<&str> = name.split('v').collect();
        let (fewest, most) = game.kings_a_side();
        let (white, black) = match sides[..] {
            [white, black] => (white, black),
            // Without a `v` the second king starts the second side.
            [both] if most == 1 => match both.char_indices().filter(|&(_, c)| c == 'K').nth(1) {
                Some((at, _)) => both.split_at(at),
                None => return Err(MaterialError::Sides(name.to_owned())),
            },
            _ => return Err(MaterialError::Sides(name.to_owned())),
        };
        let mut material = Material::EMPTY;
        for (colour, side) in [(Colour::White, white), (Colour::Black, black)] {
            for letter in side.chars() {
                let kind = Kind::from_letter(letter)
                    .filter(|k| game.kinds().contains(k) && letter == k.letter())
                    .ok_or_else(|| MaterialError::UnknownMan {
                        name: name.to_owned(),
                        game: game.id(),
                        letter,
                        men: game.kinds().iter().map(|k| k.letter()).collect(),
                    })?;
                let men = material.len() + 1;
                if name.len() > 2 * 128 || men > 128 {
                    return Err(MaterialError::TooMany {
                        name: name.to_owned(),
                        men: name.len(),
                        most: Material::MOST_MEN,
                    });
                }
                material.add(Man::new(colour, kind));
            }
        }
        for (colour, side) in [
            (Colour::White, "the first side"),
            (Colour::Black, "the second side"),
        ] {
            let kings = material.count(Man::new(colour, Kind::King));
            let name = || name.to_owned();
            if (fewest, most) == (1, 1) && kings != 1 {
                let name = name();
                return Err(MaterialError::Kings { name, side, kings });
            }
            if kings < fewest {
                return Err(MaterialError::NoKing { name: name(), side });
            }
            if material.side_len(colour) == 0 {
                return Err(MaterialError::NoMen { name: name(), side });
            }
        }
        if material.len() > Material::MOST_MEN {
            return Err(MaterialError::TooMany {
                name: name.to_owned(),
                men: material.len(),
                most: Material::MOST_MEN,
            });
        }
        Ok(material)
    }

    /// How many men like this one there are.
    pub fn count(&self, man: Man) -> usize {
        self.counts[man.colour.index()][man.kind.index()] as usize
    }

    /// How many men a side has.
    pub fn side_len(&self, colour: Colour) -> usize {
        self.counts[colour.index()]
            .iter()
            .map(|&n| n as usize)
            .sum()
    }

    /// How many men there are.
    pub fn len(&self) -> usize {
        self.side_len(Colour::White) + self.side_len(Colour::Black)
    }

    /// Whether there are no men.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether either side has a pawn.
    pub fn has_pawns(&self) -> bool {
        self.counts.iter().any(|side| side[Kind::Pawn.index()] > 0)
    }

    /// Adds a man.
    pub fn add(&mut self, man: Man) {
        self.counts[man.colour.index()][man.kind.index()] += 1;
    }

    /// The material with one man fewer; `None` if there is no such man.
    pub fn without(&self, man: Man) -> Option<Material> {
        let mut rest = *self;
        let count = &mut rest.counts[man.colour.index()][man.kind.index()];
        *count = count.checked_sub(1)?;
        Some(rest)
    }

    /// The men in order: White's first, each side by [`Kind::ALL`].
    pub fn men(&self) -> impl Iterator<Item = Man> + '_ {
        Colour::BOTH.into_iter().flat_map(move |colour| {
            Kind::ALL.into_iter().flat_map(move |kind| {
                let man = Man::new(colour, kind);
                std::iter::repeat_n(man, self.count(man))
            })
        })
    }

    /// The same men with the colours swapped.
    pub fn swapped(&self) -> Material {
        Material {
            counts: [self.counts[1], self.counts[0]],
        }
    }

    /// Whether this is the colouring that names the class: more men first; if
    /// equal, the side whose letters come first, compared left to right. Where
    /// colours are not interchangeable every colouring is normal.
    pub fn is_normal(&self, game: Game) -> bool {
        if game.interchange(self) == Interchange::Never {
            return true;
        }
        let rank = |colour: Colour| {
            let letters: Vec<Kind> = self
                .men()
                .filter(|m| m.colour == colour)
                .map(|m| m.kind)
                .collect();
            (std::cmp::Reverse(letters.len()), letters)
        };
        rank(Colour::White) <= rank(Colour::Black)
    }

    /// The normal form, and whether the colours were swapped to reach it.
    pub fn normal(&self, game: Game) -> (Material, bool) {
        if self.is_normal(game) {
            (*self, false)
        } else {
            (self.swapped(), true)
        }
    }
}

impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut name = String::new();
        for colour in Colour::BOTH {
            if colour == Colour::Black {
                name.push('v');
            }
            name.extend(
                self.men()
                    .filter(|m| m.colour == colour)
                    .map(|m| m.kind.letter()),
            );
        }
        f.pad(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_become_normal() {
        for (given, normal) in [
            ("KQvK", "KQvK"),
            ("KvKQ", "KQvK"),
            ("KQK", "KQvK"),
            ("KKQ", "KQvK"),
            ("KRvKQ", "KQvKR"),
            ("KNNvKRB", "KRBvKNN"),
            ("KNBvK", "KBNvK"),
            ("KPvKQN", "KQNvKP"),
        ] {
            let material = Material::parse(Game::Orthodox, given).unwrap();
            assert_eq!(material.normal(Game::Orthodox).0.to_string(), normal);
        }
    }

    #[test]
    fn small_letters_are_black_men_in_a_fen_only() {
        for (given, capitals) in [("KQk", "KQK"), ("kqvkr", "KQvKR"), ("kQvk", "KQvK")] {
            let error = Material::parse(Game::Orthodox, given)
                .unwrap_err()
                .to_string();
            assert!(error.ends_with(&format!(
                "use capitals for the men of both sides: {capitals}"
            )));
        }
        let error = Material::parse(Game::Orthodox, "kxvk").unwrap_err();
        assert!(matches!(error, MaterialError::UnknownMan { .. }));
    }

    #[test]
    fn impossible_names_are_refused() {
        for bad in [
            "",
            "v",
            "K",
            "KXvK",
            "QvK",
            "KKvK",
            "KQvKRvK",
            "kqvk",
            "KQRBNPvKQ",
            "KAvK",
            "KévK",
        ] {
            assert!(Material::parse(Game::Orthodox, bad).is_err(), "{bad}");
        }
    }
}
