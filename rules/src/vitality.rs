//! Vitality, the counters of High Chess (H3).

use std::fmt;

use crate::fen::{FenError, FenErrorKind};
use crate::piece::Colour;
use crate::shortened::shortened;

/// The vitality of each side. While a game goes on, both are from 1 to the full counter
/// of the game, [`Game::full_vitality`](crate::Game::full_vitality); a side that has
/// lost by exhaustion has 0 (H6).
///
/// It is written White's first: `50+37`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vitality {
    /// White's points.
    pub white: u8,
    /// Black's points.
    pub black: u8,
}

impl Vitality {
    /// The same vitality for both sides.
    #[inline]
    pub const fn both(points: u8) -> Vitality {
        Vitality {
            white: points,
            black: points,
        }
    }

    /// The points of one side.
    #[inline]
    pub const fn of(self, colour: Colour) -> u8 {
        match colour {
            Colour::White => self.white,
            Colour::Black => self.black,
        }
    }

    /// The same, but with `points` for one side.
    #[inline]
    pub const fn with(self, colour: Colour, points: u8) -> Vitality {
        match colour {
            Colour::White => Vitality {
                white: points,
                ..self
            },
            Colour::Black => Vitality {
                black: points,
                ..self
            },
        }
    }

    /// The same points with the colours swapped.
    pub const fn swapped(self) -> Vitality {
        Vitality {
            white: self.black,
            black: self.white,
        }
    }

    /// Reads the vitality field of a FEN, each counter from 1 to `most` (H3); `offset`
    /// is the offset of the field in the text.
    pub(crate) fn read(most: u8, field: &str, offset: usize) -> Result<Vitality, FenError> {
        let fail = |why, offset| FenErrorKind::Vitality { why, most }.at(offset);
        let Some((white, black)) = field.split_once('+') else {
            return Err(fail(
                format!("\"{}\" is not a vitality", shortened(field)),
                offset,
            ));
        };
        let read = |text: &str, offset: usize, colour: Colour| {
            let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            // What does not fit a byte is above every full counter.
            let points = text.parse().unwrap_or(u8::MAX);
            let name = colour.name();
            if !digits {
                let why = format!(
                    "\"{}\" is not a number of points for {name}",
                    shortened(text)
                );
                Err(fail(why, offset))
            } else if points == 0 {
                let why = format!("{name} has no vitality left, so the game is over");
                Err(fail(why, offset))
            } else if points > most {
                let why = format!(
                    "{name}'s vitality is {}, above the full {most}",
                    shortened(text)
                );
                Err(fail(why, offset))
            } else {
                Ok(points)
            }
        };
        Ok(Vitality {
            white: read(white, offset, Colour::White)?,
            black: read(black, offset + white.len() + 1, Colour::Black)?,
        })
    }
}

impl fmt::Display for Vitality {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}+{}", self.white, self.black))
    }
}
