//! Objects with named fields, made of answers, that serialise to JSON and the like.
//!
//! Names and order of the fields are a contract: every way to ask gives the same.

mod answer;
mod error;
mod game;
mod moves;
mod royal;
mod rules;
#[cfg(feature = "openapi")]
mod words;

use retrograde_rules::{History, Position};

pub use answer::{AnswerObject, ChecksObject, HelpmateObject, HighObject, VitalityObject};
pub use error::{ErrorObject, RefusalObject};
pub use game::{GameObject, OptionObject};
pub use moves::{LineObject, MoveObject};
pub use royal::RoyalObject;
pub use rules::{ChoiceObject, FullVitality, RulesObject};

use crate::answers::{Line, value_by_moves};
use crate::error::{ProbeError, if_known};
use crate::facts::Facts;
use crate::tablebase::Tablebase;
use crate::value::Value;

/// The word for a category that is not known.
pub const UNKNOWN: &str = "unknown";

/// The word for who wins; [`UNKNOWN`] if no table says it.
pub fn category(value: Option<Value>) -> &'static str {
    value.map_or(UNKNOWN, |value| value.wdl.name())
}

/// The parts of an answer beside the value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Include {
    /// The legal moves, best first.
    pub moves: bool,
    /// Best play to the end.
    pub line: bool,
}

impl Tablebase {
    /// The value with the half-move clock at 0, for the side to move, where
    /// [`Tablebase::probe`] has no answer because it takes DTZ to tell what holds at the
    /// clock of the position (O7). Its depth holds at any clock (O4). `None` where no table
    /// tells, and in games without the fifty-move rule.
    ///
    /// # Errors
    /// [`ProbeError`], but not for missing tables and positions that no table has.
    pub fn value_at_clock_0(&self, position: &Position) -> Result<Option<Value>, ProbeError> {
        if self.game().zeroing_limit().is_none() {
            return Ok(None);
        }
        match self.value(position) {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_unknown() => {
                value_by_moves(&self.store, &position.with_halfmoves(0))
            }
            Err(error) => Err(error),
        }
    }

    /// The answer about a position as an object. Where no table has the answer,
    /// [`AnswerObject::error`] says why in the words of `told`, such as
    /// [`ErrorObject::with_advice`], beside what the rules know.
    ///
    /// # Errors
    ///
    /// [`ProbeError`], but not for missing tables and positions that no table has.
    pub fn answer_object(
        &self,
        position: &Position,
        include: Include,
        told: impl FnOnce(&ProbeError) -> ErrorObject,
    ) -> Result<AnswerObject, ProbeError> {
        self.answer_object_in_game(&History::new(*position), include, told)
    }

    /// The answer about the current position of a game as an object, as by
    /// [`Tablebase::answer_object`], with values that know the game so far. Best play is that of
    /// the tables, or none if the game so far makes a draw.
    ///
    /// # Errors
    ///
    /// [`ProbeError`], but not for missing tables and positions that no table has.
    pub fn answer_object_in_game(
        &self,
        game: &History,
        include: Include,
        told: impl FnOnce(&ProbeError) -> ErrorObject,
    ) -> Result<AnswerObject, ProbeError> {
        let position = game.position();
        let (answer, error) = match self.probe_in_game(game) {
            Ok(answer) => (Some(answer), None),
            Err(error) if error.is_unknown() => (None, Some(error)),
            Err(error) => return Err(error),
        };
        let facts = answer.map_or_else(|| Facts::of(position), |answer| answer.facts);
        let mut object = AnswerObject::new(position, &facts, answer.as_ref())
            .with_helpmate(self.helpmate(position)?);
        if answer.is_none() {
            object = object.with_value_at_clock_0(self.value_at_clock_0(position)?);
        }
        if include.moves {
            object = object.with_moves(position, &self.moves_in_game(game)?);
        }
        if include.line {
            let line = match answer.map(|answer| answer.value) {
                Some(Value::DRAW) => Some(Line::new(Vec::new(), position.end())),
                Some(_) => if_known(self.line(position))?,
                None => None,
            };
            object = object.with_line(position, line.as_ref());
        }
        object.error = error.as_ref().map(told);
        Ok(object)
    }
}

fn depth_plies(value: Value) -> Option<u32> {
    value.dtm.map(u32::from)
}

fn dtz_plies(value: Value) -> Option<u32> {
    value.dtz.map(u32::from)
}
