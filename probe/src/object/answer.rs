//! Describes a position and its answer as an object with fixed fields, such as for JSON.

use retrograde_index::{Helpmate, Wdl};
use retrograde_rules::{Colour, Position};
use serde::Serialize;

use super::royal::{RoyalObject, royal};
#[cfg(feature = "openapi")]
use super::words;
use super::{ErrorObject, LineObject, MoveObject, category, depth_plies, dtz_plies};
use crate::answers::{Answer, Extra, Line, MoveAnswer};
use crate::facts::Facts;
use crate::lookup::vitality::WinBy;
#[cfg(doc)]
use crate::tablebase::Tablebase;
use crate::value::Value;

/// A position and what is said about it. What a game does not have is left out;
/// what is not known is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct AnswerObject {
    /// The position as it was understood.
    pub fen: String,
    /// The game with its options.
    pub game: String,
    /// The material in normal form.
    pub material: String,
    /// The result for the side to move, at the half-move clock (O7).
    #[cfg_attr(feature = "openapi", schema(value_type = words::Category))]
    pub category: &'static str,
    /// The half-move clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock: Option<u32>,
    /// The category with the half-move clock at 0; null if unknown.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<words::Category>))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category_at_clock_0: Option<Option<&'static str>>,
    /// The side that wins; null for a draw, and if unknown.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<words::Side>))]
    pub winner: Option<&'static str>,
    /// Plies to the end of the game with best play, whatever the half-move clock says; null
    /// for a draw, and if unknown.
    pub depth_plies: Option<u32>,
    /// Plies to the next capture, pawn move or mate with best play under the fifty-move rule;
    /// null for a draw, and if unknown.
    pub dtz_plies: Option<u32>,
    /// The vitality that is needed to win, in games with vitality; null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vitality: Option<Option<VitalityObject>>,
    /// The kind of win, in games with vitality; null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<words::WinBy>))]
    pub win_by: Option<Option<&'static str>>,
    /// Whether the side to move is in check.
    pub check: bool,
    /// The sides whose kings are attacked, in games where kings are captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checks: Option<ChecksObject>,
    /// Whether both kings are attacked, in games where kings are captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double_check: Option<bool>,
    /// Whether the side to move is mated.
    pub checkmate: bool,
    /// Whether the side to move is stalemated.
    pub stalemate: bool,
    /// Games with several kings or other royal pieces: where they are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub royal: Option<RoyalObject>,
    /// Games with several kings or other royal pieces: those of them that are attacked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub royal_attacked: Option<RoyalObject>,
    /// Whether neither side can be mated by any moves, as the pieces alone show (O5).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead: Option<bool>,
    /// Beside `dead`: which side can be mated if both help; null if no table tells.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub helpmate: Option<Option<HelpmateObject>>,
    /// The side that is High, in games with vitality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub high: Option<HighObject>,
    /// The end of the game; null while it goes on.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<words::End>))]
    pub end: Option<&'static str>,
    /// The legal moves, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves: Option<Vec<MoveObject>>,
    /// The moves of best play, if they were asked for; null if a table along
    /// the line is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Option<Vec<String>>>,
    /// The end of the line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<words::End>))]
    pub line_end: Option<Option<&'static str>>,
    /// The reason why the category is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<ErrorObject>,
}

/// Whether either side can be mated by any moves of both (O5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HelpmateObject {
    /// White.
    pub white: bool,
    /// Black.
    pub black: bool,
}

impl HelpmateObject {
    fn new(Helpmate { white, black }: Helpmate) -> HelpmateObject {
        HelpmateObject { white, black }
    }
}

/// The side that is High.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct HighObject {
    /// The High side.
    #[cfg_attr(feature = "openapi", schema(value_type = words::Side))]
    pub side: &'static str,
    /// Steps of White's king from the centre.
    pub white_distance: u8,
    /// Steps of Black's king from the centre.
    pub black_distance: u8,
}

/// The counters of vitality, and how many each side needs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct VitalityObject {
    /// White's points.
    pub white: u8,
    /// Black's points.
    pub black: u8,
    /// The least vitality with which White wins, for each vitality of Black from the fewest points
    /// that it can have, which is 1 unless High pays, too.
    pub thresholds: Vec<u8>,
    /// The points that White needs to win; one more than all for never.
    pub white_needs: u8,
    /// The points that Black needs to win.
    pub black_needs: u8,
    /// The points with which White forces mate; null if unknown.
    pub white_mates: Option<u8>,
    /// The points with which Black forces mate; null if unknown.
    pub black_mates: Option<u8>,
}

/// The sides whose kings are attacked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct ChecksObject {
    /// White's.
    pub white: bool,
    /// Black's.
    pub black: bool,
}

impl AnswerObject {
    /// Makes the object of a position from facts and an answer; `None` for what the tables do not
    /// tell.
    pub fn new(position: &Position, facts: &Facts, answer: Option<&Answer>) -> AnswerObject {
        let game = position.game();
        let value = answer.map(|answer| answer.value);
        let (mut at_0, mut vitality, mut by) = (None, None, None);
        match answer.map(|answer| answer.extra) {
            Some(Extra::Clock { wdl_at_clock_0 }) => at_0 = Some(wdl_at_clock_0),
            Some(Extra::Vitality { answer, win_by }) => {
                (vitality, by) = (Some(answer), win_by);
            }
            _ => {}
        }
        AnswerObject {
            fen: position.fen(),
            game: game.id(),
            material: facts.material.name(game),
            category: category(value),
            clock: game.zeroing_limit().map(|_| position.halfmoves()),
            category_at_clock_0: game.zeroing_limit().map(|_| at_0.map(Wdl::name)),
            winner: value
                .and_then(|value| value.winner(position.turn()))
                .map(Colour::name),
            depth_plies: value.and_then(depth_plies),
            dtz_plies: value.and_then(dtz_plies),
            vitality: position.vitality().map(|counters| {
                vitality.map(|answer| VitalityObject {
                    white: counters.white,
                    black: counters.black,
                    thresholds: answer.curve.iter().collect(),
                    white_needs: answer.needs(Colour::White, counters),
                    black_needs: answer.needs(Colour::Black, counters),
                    white_mates: answer.mates.map(|[white, _]| white),
                    black_mates: answer.mates.map(|[_, black]| black),
                })
            }),
            win_by: position.vitality().map(|_| {
                // That much the rules know.
                let mated = facts.checkmate.then_some(WinBy::Mate);
                by.or(mated).map(WinBy::name)
            }),
            check: facts.check,
            checks: facts
                .checks
                .map(|[white, black]| ChecksObject { white, black }),
            double_check: facts.checks.map(|checks| checks == [true; 2]),
            checkmate: facts.checkmate,
            stalemate: facts.stalemate,
            royal: facts.royals.map(|royals| royal(game, royals)),
            royal_attacked: facts.attacked_royals.map(|royals| royal(game, royals)),
            dead: facts.dead,
            helpmate: facts.dead.map(|_| facts.helpmate.map(HelpmateObject::new)),
            high: facts.high.map(|high| HighObject {
                side: high.side.name(),
                white_distance: high.distances[0],
                black_distance: high.distances[1],
            }),
            end: facts.end.map(|end| end.name()),
            moves: None,
            line: None,
            line_end: None,
            error: None,
        }
    }

    /// Adds the answer of helpmate tables, in games that have `dead`.
    #[must_use]
    pub fn with_helpmate(self, helpmate: Option<Helpmate>) -> AnswerObject {
        let object = helpmate.map(HelpmateObject::new);
        AnswerObject {
            helpmate: self.helpmate.map(|known| object.or(known)),
            ..self
        }
    }

    /// Adds what holds at any clock: the category at clock 0 and the depth, if they are not there
    /// yet ([`Tablebase::value_at_clock_0`]).
    #[must_use]
    pub fn with_value_at_clock_0(self, value: Option<Value>) -> AnswerObject {
        AnswerObject {
            category_at_clock_0: self
                .category_at_clock_0
                .map(|category| category.or(value.map(|value| value.wdl.name()))),
            depth_plies: self.depth_plies.or(value.and_then(depth_plies)),
            ..self
        }
    }

    /// Adds the legal moves of the position.
    #[must_use]
    pub fn with_moves(self, position: &Position, moves: &[MoveAnswer]) -> AnswerObject {
        let moves = moves.iter().map(|mv| MoveObject::new(position, mv));
        AnswerObject {
            moves: Some(moves.collect()),
            ..self
        }
    }

    /// Adds best play from the position; `None` if a table along the line is missing.
    #[must_use]
    pub fn with_line(self, position: &Position, line: Option<&Line>) -> AnswerObject {
        let line = line.map(|line| LineObject::new(position, line));
        AnswerObject {
            line_end: Some(line.as_ref().and_then(|line| line.end)),
            line: Some(line.map(|line| line.moves)),
            ..self
        }
    }
}
