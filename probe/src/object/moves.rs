//! Describes legal moves with their values, and lines of moves, as objects for other programs.

use retrograde_rules::{Colour, Position};
use serde::Serialize;

use super::royal::{RoyalObject, royal};
#[cfg(feature = "openapi")]
use super::words;
use super::{category, depth_plies, dtz_plies};
use crate::answers::{Line, MoveAnswer};
use crate::facts::MoveFacts;

/// A legal move and what it leads to, from the view of the side that makes it,
/// distances counted from the position after it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct MoveObject {
    /// The move in UCI's long form.
    pub uci: String,
    /// The move in algebraic notation.
    pub san: String,
    /// The result after the move, for the side that makes it, at the half-move clock then.
    #[cfg_attr(feature = "openapi", schema(value_type = words::Category))]
    pub category: &'static str,
    /// The side that wins after the move; null for a draw, and if unknown.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<words::Side>))]
    pub winner: Option<&'static str>,
    /// Plies from the position after the move to the end of the game.
    pub depth_plies: Option<u32>,
    /// Plies from the position after the move to the next capture, pawn move or mate.
    pub dtz_plies: Option<u32>,
    /// The end of the game by the move; null if it goes on.
    #[cfg_attr(feature = "openapi", schema(value_type = Option<words::End>))]
    pub end: Option<&'static str>,
    /// White's vitality after the move, in games with vitality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub white: Option<u8>,
    /// Black's vitality after the move, in games with vitality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub black: Option<u8>,
    /// The least vitality with which the mover wins by this move, the other side having what it
    /// has before the move, in games with vitality; one more than the full counter if no points
    /// are enough, null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs: Option<Option<u8>>,
    /// Whether the move restores vitality (H7), in games with vitality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vital: Option<bool>,
    /// Whether the fifty-move rule begins to count again (O4).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zeroing: Option<bool>,
    /// Whether both kings are attacked after it, in games where kings are captured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub double_check: Option<bool>,
    /// Games with several kings or other royal pieces: where they are after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub royal_after: Option<RoyalObject>,
}

/// Best play to the end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct LineObject {
    /// The moves in UCI's long form; none for a draw.
    pub moves: Vec<String>,
    /// The end of the line; null for a draw that is not the end of the game.
    pub end: Option<&'static str>,
}

impl LineObject {
    /// Best play from a position.
    pub fn new(position: &Position, line: &Line) -> LineObject {
        LineObject {
            moves: line.moves.iter().map(|&mv| position.uci(mv)).collect(),
            end: line.end.map(|end| end.name()),
        }
    }
}

impl MoveObject {
    /// Makes the object of a move of a position.
    pub fn new(position: &Position, mv: &MoveAnswer) -> MoveObject {
        let game = position.game();
        let facts = MoveFacts::of(position, mv.mv, &mv.after);
        MoveObject {
            uci: mv.uci.to_string(),
            san: position.san(mv.mv),
            category: category(mv.value),
            winner: mv.winner().map(Colour::name),
            depth_plies: mv.value.and_then(depth_plies),
            dtz_plies: mv.value.and_then(dtz_plies),
            end: mv.end.map(|end| end.name()),
            white: mv.after.counters().map(|v| v.white),
            black: mv.after.counters().map(|v| v.black),
            needs: mv.after.vitality().map(|_| mv.needs),
            vital: facts.vital,
            zeroing: facts.zeroing,
            double_check: facts.double_check,
            royal_after: facts.royals_after.map(|royals| royal(game, royals)),
        }
    }
}
