//! Defines the columns of an export, and makes the cells of a row from a position and its values.

use std::fmt;

use retrograde_probe::{Value, VitalityAnswer};
use retrograde_rules::{Colour, Game, Setup};
use serde::{Serialize, Serializer};

/// The values of a position, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Values {
    /// The result, and the distances in plies, with the half-move clock at 0 (O7).
    Value(Value),
    /// The winners with all pairs of counters, in games with vitality.
    Vitality(Box<VitalityAnswer>),
}

/// A position and its values.
#[derive(Clone, Debug)]
pub struct Row<'a> {
    pub(super) game: Game,
    pub(super) setup: Setup,
    pub(super) values: &'a Values,
}

/// The content of a column of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A FEN.
    Fen(String),
    /// A word of a fixed few.
    Word(&'static str),
    /// A number of plies or points.
    Number(u32),
    /// A draw has no distance; and a table may be missing.
    Empty,
}

/// The names of the columns of a game's rows: `fen`, `side` (to move), and then `wdl`
/// and the distances in plies `dtm`, `dtz`; in games with vitality the threshold for every
/// vitality of Black, `t1`, `t2`…, and `white_mates`, `black_mates`.
pub fn columns(game: Game) -> Vec<String> {
    let mut names = vec!["fen".to_owned(), "side".to_owned()];
    match game.vitality() {
        None => names.extend(["wdl", "dtm", "dtz"].map(str::to_owned)),
        Some(rules) => {
            let points = rules.counters().of(Colour::Black);
            names.extend(points.map(|points| format!("t{points}")));
            names.extend(Colour::BOTH.map(|side| format!("{side}_mates")));
        }
    }
    names
}

impl Values {
    /// The columns after `fen` and `side`.
    pub(super) fn cells(&self) -> impl Iterator<Item = Cell> {
        let (distances, points) = match self {
            Values::Value(Value { wdl, dtm, dtz }) => {
                let plies = |plies: Option<u32>| plies.map_or(Cell::Empty, Cell::Number);
                let (dtm, dtz) = (dtm.map(Into::into), dtz.map(Into::into));
                let cells = [Cell::Word(wdl.name()), plies(dtm), plies(dtz)];
                (Some(cells), None)
            }
            Values::Vitality(answer) => {
                let points = |points: Option<u8>| match points {
                    Some(points) => Cell::Number(points.into()),
                    None => Cell::Empty,
                };
                let mates = Colour::BOTH.map(|side| answer.mates.map(|m| m[side.index()]));
                let cells = answer.curve.iter().map(Some).chain(mates).map(points);
                (None, Some(cells))
            }
        };
        let distances = distances.into_iter().flatten();
        distances.chain(points.into_iter().flatten())
    }
}

impl Row<'_> {
    /// The position.
    pub fn fen(&self) -> String {
        self.setup.fen(self.game)
    }

    /// The cells in the order of the [`columns`].
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let leading = [Cell::Fen(self.fen()), Cell::Word(self.setup.turn.name())];
        leading.into_iter().chain(self.values.cells())
    }
}

/// Writes a cell as in CSV.
impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cell::Fen(fen) => f.write_str(fen),
            Cell::Word(word) => f.write_str(word),
            Cell::Number(number) => number.fmt(f),
            Cell::Empty => Ok(()),
        }
    }
}

/// Text, a number or null.
impl Serialize for Cell {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cell::Fen(fen) => serializer.serialize_str(fen),
            Cell::Word(word) => serializer.serialize_str(word),
            Cell::Number(number) => serializer.serialize_u32(*number),
            Cell::Empty => serializer.serialize_none(),
        }
    }
}
