//! Answers as JSON objects. Names and order of the fields are a contract.

use retrograde_probe::{MoveAnswer, WinBy};
use retrograde_rules::{Colour, Game, SquareSet};
use serde::Serialize;

use super::{Found, Trouble};

#[derive(Serialize)]
pub(super) struct AnswerObject {
    fen: String,
    game: String,
    material: String,
    category: &'static str,
    winner: Option<&'static str>,
    depth_plies: Option<u32>,
    dtz_plies: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    vitality: Option<VitalityObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_by: Option<&'static str>,
    check: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    checks: Option<ChecksObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    double_check: Option<bool>,
    checkmate: bool,
    stalemate: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    royal: Option<RoyalObject>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dead: Option<bool>,
    end: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveObject>>,
    /// Null where no table knows the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Option<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_end: Option<Option<&'static str>>,
}

/// The counters of High Chess, and what they are worth.
#[derive(Serialize)]
struct VitalityObject {
    white: u8,
    black: u8,
    thresholds: Vec<u8>,
    white_needs: u8,
    black_needs: u8,
    white_mates: u8,
    black_mates: u8,
}

/// Whose king is attacked.
#[derive(Serialize)]
struct ChecksObject {
    white: bool,
    black: bool,
}

/// The squares of the royal men.
#[derive(Serialize)]
struct RoyalObject {
    white: Vec<String>,
    black: Vec<String>,
}

#[derive(Serialize)]
struct MoveObject {
    uci: String,
    san: String,
    category: &'static str,
    winner: Option<&'static str>,
    depth_plies: Option<u32>,
    dtz_plies: Option<u32>,
    end: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<u8>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<u8>,
}

#[derive(Serialize)]
pub(super) struct ErrorObject<'a> {
    fen: &'a str,
    error: ErrorDetails<'a>,
}

#[derive(Serialize)]
struct ErrorDetails<'a> {
    kind: &'static str,
    message: &'a str,
    offset: Option<usize>,
}

/// The object for a position with an answer.
pub(super) fn answer(game: Game, found: &Found) -> AnswerObject {
    let answer = &found.answer;
    let moves = found.moves.as_ref().map(|moves| {
        moves
            .iter()
            .map(|mv| move_object(game, found, mv))
            .collect()
    });
    let line = found.line.as_ref().map(Option::as_ref);
    let vitality = answer.vitality.zip(found.position.vitality());
    AnswerObject {
        fen: found.position.fen(game),
        game: game.id(),
        material: answer.material.to_string(),
        category: answer.category.name(),
        winner: answer.winner.map(Colour::name),
        depth_plies: answer.depth_plies,
        dtz_plies: answer.dtz_plies,
        vitality: vitality.map(|(answer, counters)| VitalityObject {
            white: counters.white,
            black: counters.black,
            thresholds: answer.thresholds.iter().collect(),
            white_needs: answer.needs(Colour::White, counters),
            black_needs: answer.needs(Colour::Black, counters),
            white_mates: answer.mates[0],
            black_mates: answer.mates[1],
        }),
        win_by: answer.win_by.map(WinBy::name),
        check: answer.check,
        checks: answer
            .checks
            .map(|[white, black]| ChecksObject { white, black }),
        double_check: answer.checks.map(|checks| checks == [true; 2]),
        checkmate: answer.checkmate,
        stalemate: answer.stalemate,
        royal: answer.royals.map(|[white, black]| RoyalObject {
            white: names(game, white),
            black: names(game, black),
        }),
        dead: answer.dead,
        end: answer.end.map(|end| end.name()),
        moves,
        line: line.map(|line| line.map(|l| l.moves.iter().map(|mv| mv.uci(game)).collect())),
        line_end: line.map(|line| line.and_then(|l| l.end.map(|end| end.name()))),
    }
}

/// The names of squares.
fn names(game: Game, squares: SquareSet) -> Vec<String> {
    let name = |square| game.geometry().name(square);
    squares.into_iter().map(name).collect()
}

fn move_object(game: Game, found: &Found, mv: &MoveAnswer) -> MoveObject {
    MoveObject {
        uci: mv.uci.clone(),
        san: mv.mv.san(game, &found.position),
        category: mv.category.name(),
        winner: mv.winner.map(Colour::name),
        depth_plies: mv.depth_plies,
        dtz_plies: mv.dtz_plies,
        end: mv.end.map(|end| end.name()),
        white: mv.after.vitality().map(|v| v.white),
        black: mv.after.vitality().map(|v| v.black),
    }
}

/// The object for a position without an answer; `fen` is as it was given.
pub(super) fn error<'a>(fen: &'a str, trouble: &'a Trouble) -> ErrorObject<'a> {
    ErrorObject {
        fen,
        error: ErrorDetails {
            kind: trouble.kind,
            message: &trouble.message,
            offset: trouble.offset,
        },
    }
}
