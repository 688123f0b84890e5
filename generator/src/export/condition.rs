//! Reads and tests the conditions on exported rows, such as `wdl=win` or `dtm=12`.

use retrograde_probe::{Metric, Wdl};
use retrograde_rules::{Colour, Game, Position, shortened};
use thiserror::Error;

use super::row::{Cell, Row, Values, columns};

/// The condition that a column has a certain value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    column: String,
    /// The place among the columns.
    place: usize,
    wanted: Cell,
}

/// The errors of reading a condition.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConditionError {
    /// The text has no equals sign.
    #[error(
        "\"{}\" is not a condition; write COLUMN=VALUE, such as {example}",
        shortened(.text)
    )]
    Syntax {
        /// The text as given.
        text: String,
        /// A condition that would do.
        example: &'static str,
    },
    /// The game's rows have no such column.
    #[error("there is no column \"{}\"; the columns of {game} are: {known}", shortened(.column))]
    UnknownColumn {
        /// The name as given.
        column: String,
        /// The game with its options.
        game: String,
        /// The columns there are.
        known: String,
    },
    /// The column has no such values.
    #[error("{column} is {known}, not \"{}\"", shortened(.value))]
    UnknownValue {
        /// The column.
        column: String,
        /// The value as given.
        value: String,
        /// The values there are, in words.
        known: String,
    },
    /// The position is not one of the game.
    #[error("fen: {0}")]
    Fen(String),
}

/// The columns before those of values.
const LEADING: usize = 2;

impl Condition {
    /// Reads `COLUMN=VALUE` for a game. An empty value stands for a distance that a
    /// position does not have.
    ///
    /// # Errors
    /// See [`ConditionError`].
    pub fn parse(game: Game, text: &str) -> Result<Condition, ConditionError> {
        let Some((column, value)) = text.split_once('=') else {
            return Err(ConditionError::Syntax {
                text: text.to_owned(),
                example: match game.full_vitality() {
                    None => "wdl=win",
                    Some(_) => "t1=1",
                },
            });
        };
        let names = columns(game);
        let Some(place) = names.iter().position(|name| name == column) else {
            return Err(ConditionError::UnknownColumn {
                column: column.to_owned(),
                game: game.id(),
                known: names.join(", "),
            });
        };
        let unknown = |known: String| ConditionError::UnknownValue {
            column: column.to_owned(),
            value: value.to_owned(),
            known,
        };
        let word = |words: &[&'static str]| {
            let found = words.iter().find(|&&word| word == value);
            found
                .map(|&word| Cell::Word(word))
                .ok_or_else(|| unknown(format!("one of {}", words.join(", "))))
        };
        let wanted = match column {
            "fen" => {
                let position = Position::from_fen(game, value);
                Cell::Fen(
                    position
                        .map_err(|error| ConditionError::Fen(error.to_string()))?
                        .fen(),
                )
            }
            "side" => word(&Colour::BOTH.map(Colour::name))?,
            "wdl" => word(&Wdl::ALL.map(Wdl::name))?,
            _ if value.is_empty() => Cell::Empty,
            _ => {
                let number = value.parse().ok();
                let number = number.filter(|_| value.bytes().all(|b| b.is_ascii_digit()));
                Cell::Number(number.ok_or_else(|| unknown("a whole number".to_owned()))?)
            }
        };
        Ok(Condition {
            column: column.to_owned(),
            place,
            wanted,
        })
    }

    /// The metric that the column shows; `None` if a table of another has to be there
    /// anyway.
    pub(super) fn metric(&self) -> Option<Metric> {
        Metric::parse(&self.column).filter(|&metric| metric != Metric::Wdl)
    }

    /// Whether rows with a side to move may be wanted.
    pub(super) fn allows_side(&self, side: Colour) -> bool {
        self.column != "side" || self.wanted == Cell::Word(side.name())
    }

    /// Whether rows with these values may be wanted.
    pub(super) fn allows_values(&self, values: &Values) -> bool {
        let Some(place) = self.place.checked_sub(LEADING) else {
            return true;
        };
        values.cells().nth(place).as_ref() == Some(&self.wanted)
    }

    /// Whether a row is wanted that side and values allow.
    pub(super) fn allows_row(&self, row: &Row) -> bool {
        match &self.wanted {
            Cell::Fen(wanted) => row.fen() == *wanted,
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_are_read() {
        let parse = |text| Condition::parse(Game::default(), text);
        for (text, place, wanted) in [
            ("side=black", 1, Cell::Word("black")),
            ("wdl=cursed-win", 2, Cell::Word("cursed-win")),
            ("dtm=0", 3, Cell::Number(0)),
            ("dtz=", 4, Cell::Empty),
        ] {
            let condition = parse(text).unwrap();
            assert_eq!((condition.place, condition.wanted), (place, wanted));
        }
        let fen = parse("fen=8/8/8/3k4/8/8/8/KQ6 w - -").unwrap();
        let whole = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1".to_owned();
        assert_eq!(fen.wanted, Cell::Fen(whole));
        for (text, words) in [
            ("", "write COLUMN=VALUE, such as wdl=win"),
            ("wdl", "write COLUMN=VALUE"),
            (
                "t1=1",
                "the columns of orthodox are: fen, side, wdl, dtm, dtz",
            ),
            (
                "wdl=won",
                "wdl is one of win, cursed-win, draw, blessed-loss, loss",
            ),
            ("wdl=", "wdl is one of"),
            ("side=w", "side is one of white, black, not \"w\""),
            ("dtm=-1", "dtm is a whole number, not \"-1\""),
            ("dtm=+1", "dtm is a whole number"),
            ("dtm=99999999999", "dtm is a whole number"),
            ("fen=8/8", "fen: at byte"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
        let game = Game::parse("high-chess:vitality=5").unwrap();
        let condition = Condition::parse(game, "black_mates=6").unwrap();
        assert_eq!((condition.place, condition.wanted), (8, Cell::Number(6)));
        assert!(Condition::parse(game, "t6=1").is_err());
    }
}
