//! Answers as JSON objects. Names and order of the fields are a contract.

use retrograde_probe::{Extra, MoveAnswer, MoveFacts, Value, Wdl};
use retrograde_rules::{Colour, Game, Position, SquareSet};
use retrograde_search::Stop;
use serde::Serialize;

use super::{Found, Searched, Trouble, category};

#[derive(Serialize)]
pub(in crate::cli) struct AnswerObject<'a> {
    fen: String,
    game: String,
    material: String,
    category: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<u32>,
    /// Null if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    category_at_clock_0: Option<Option<&'static str>>,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<HighObject>,
    end: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    moves: Option<Vec<MoveObject>>,
    /// Null if a table along the line is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<Option<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line_end: Option<Option<&'static str>>,
    /// With `--search`.
    #[serde(skip_serializing_if = "Option::is_none")]
    search: Option<SearchObject>,
    /// Why the category is unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<ErrorDetails<'a>>,
}

/// What a search did.
#[derive(Serialize)]
struct SearchObject {
    /// Whether the answer is the search's.
    decides: bool,
    at_least: &'static str,
    at_most: &'static str,
    /// How many plies were searched completely.
    plies: u16,
    /// Null if there was nothing more to prove.
    stop: Option<&'static str>,
    /// The moves that win soonest, where all of them were looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    keys: Option<Vec<String>>,
}

/// Which side is High.
#[derive(Serialize)]
struct HighObject {
    side: &'static str,
    white_distance: u8,
    black_distance: u8,
}

/// The counters of High Chess, and how many each side needs.
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

/// The squares of the royal pieces.
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
    #[serde(skip_serializing_if = "Option::is_none")]
    vital: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    zeroing: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    double_check: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    royal_after: Option<RoyalObject>,
}

#[derive(Serialize)]
pub(in crate::cli) struct ErrorObject<'a> {
    fen: &'a str,
    error: ErrorDetails<'a>,
}

#[derive(Serialize)]
struct ErrorDetails<'a> {
    kind: &'static str,
    message: &'a str,
    offset: Option<usize>,
}

/// The object for a position; what the tables do not tell is null.
pub(in crate::cli) fn answer(game: Game, found: &Found) -> AnswerObject<'_> {
    let facts = &found.facts;
    let known = found.answer.as_ref().ok();
    let moves = found.moves.as_ref().map(|moves| {
        moves
            .iter()
            .map(|mv| move_object(game, found, mv))
            .collect()
    });
    let line = found.line.as_ref().map(Option::as_ref);
    let value = found.value();
    let (mut at_0, mut vitality, mut by) = (None, None, None);
    match known.map(|answer| answer.extra) {
        Some(Extra::Clock { wdl_at_clock_0 }) => at_0 = Some(wdl_at_clock_0),
        Some(Extra::Vitality { answer, win_by }) => {
            vitality = found.position.vitality().map(|counters| (answer, counters));
            by = Some(win_by);
        }
        _ => {}
    }
    AnswerObject {
        fen: found.position.fen(),
        game: game.id(),
        material: facts.material.to_string(),
        category: category(value),
        clock: game.zeroing_limit().map(|_| found.position.halfmoves()),
        category_at_clock_0: game.zeroing_limit().map(|_| at_0.map(Wdl::name)),
        winner: found.winner().map(Colour::name),
        depth_plies: value.and_then(depth_plies),
        dtz_plies: value.and_then(dtz_plies),
        vitality: vitality.map(|(answer, counters)| VitalityObject {
            white: counters.white,
            black: counters.black,
            thresholds: answer.curve.iter().collect(),
            white_needs: answer.needs(Colour::White, counters),
            black_needs: answer.needs(Colour::Black, counters),
            white_mates: answer.mates[0],
            black_mates: answer.mates[1],
        }),
        win_by: by.map(|by| by.name()),
        check: facts.check,
        checks: facts
            .checks
            .map(|[white, black]| ChecksObject { white, black }),
        double_check: facts.checks.map(|checks| checks == [true; 2]),
        checkmate: facts.checkmate,
        stalemate: facts.stalemate,
        royal: facts.royals.map(|royals| royal(game, royals)),
        dead: facts.dead,
        high: facts.high.map(|high| HighObject {
            side: high.side.name(),
            white_distance: high.distances[0],
            black_distance: high.distances[1],
        }),
        end: facts.end.map(|end| end.name()),
        moves,
        line: line
            .map(|line| line.map(|l| l.moves.iter().map(|&mv| found.position.uci(mv)).collect())),
        line_end: line.map(|line| line.and_then(|l| l.end.map(|end| end.name()))),
        search: found.searched.as_ref().map(|s| search(&found.position, s)),
        error: found.answer.as_ref().err().map(details),
    }
}

fn search(position: &Position, searched: &Searched) -> SearchObject {
    let proof = &searched.proof;
    let solution = searched.solution.as_ref();
    SearchObject {
        decides: searched.decides,
        at_least: proof.at_least.name(),
        at_most: proof.at_most.name(),
        plies: proof.plies,
        stop: proof.stop.map(Stop::name),
        keys: solution
            .filter(|solution| solution.is_complete)
            .map(|solution| {
                solution
                    .keys
                    .iter()
                    .map(|key| position.uci(key.mv))
                    .collect()
            }),
    }
}

fn depth_plies(value: Value) -> Option<u32> {
    value.dtm.map(u32::from)
}

fn dtz_plies(value: Value) -> Option<u32> {
    value.dtz.map(u32::from)
}

fn royal(game: Game, [white, black]: [SquareSet; 2]) -> RoyalObject {
    RoyalObject {
        white: names(game, white),
        black: names(game, black),
    }
}

/// The names of squares.
fn names(game: Game, squares: SquareSet) -> Vec<String> {
    let name = |square| game.geometry().name(square);
    squares.into_iter().map(name).collect()
}

fn move_object(game: Game, found: &Found, mv: &MoveAnswer) -> MoveObject {
    let facts = MoveFacts::of(&found.position, mv.mv, &mv.after);
    MoveObject {
        uci: mv.uci.clone(),
        san: found.position.san(mv.mv),
        category: category(mv.value),
        winner: mv.winner().map(Colour::name),
        depth_plies: mv.value.and_then(depth_plies),
        dtz_plies: mv.value.and_then(dtz_plies),
        end: mv.end.map(|end| end.name()),
        white: mv.after.vitality().map(|v| v.white),
        black: mv.after.vitality().map(|v| v.black),
        vital: facts.vital,
        zeroing: facts.zeroing,
        double_check: facts.double_check,
        royal_after: facts.royals_after.map(|royals| royal(game, royals)),
    }
}

/// The object for input that has no answer at all; `fen` is as given.
pub(in crate::cli) fn error<'a>(fen: &'a str, trouble: &'a Trouble) -> ErrorObject<'a> {
    ErrorObject {
        fen,
        error: details(trouble),
    }
}

fn details(trouble: &Trouble) -> ErrorDetails<'_> {
    ErrorDetails {
        kind: trouble.kind,
        message: &trouble.message,
        offset: trouble.offset,
    }
}
