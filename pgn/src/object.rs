//! Describes recorded games as objects with fixed fields, such as for JSON.

use std::collections::BTreeMap;

use retrograde_rules::{Colour, Game, Move, Position};
use serde::Serialize;

use crate::record::{Record, RecordError, Records};

/// A move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct PlyObject {
    /// The move in UCI's long form.
    pub uci: String,
    /// The move in algebraic notation.
    pub san: String,
    /// The position after it.
    pub fen: String,
}

impl PlyObject {
    /// Describes a move of a position.
    pub fn new(before: &Position, mv: Move) -> PlyObject {
        PlyObject {
            uci: before.uci(mv),
            san: before.san(mv),
            fen: before.play(mv).fen(),
        }
    }
}

/// A recorded game, as far as its moves are legal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[non_exhaustive]
pub struct RecordObject {
    /// The tags.
    pub tags: BTreeMap<String, String>,
    /// The position that the game begins with; null if the record has none.
    pub fen: Option<String>,
    /// The moves.
    pub plies: Vec<PlyObject>,
    /// The end of the game by the rules; null where they do not end it.
    pub end: Option<&'static str>,
    /// The winner, `white` or `black`, if the rules end the game; null for a draw.
    pub winner: Option<&'static str>,
    /// The fault of the record, or of the first move that is not among `plies`; null if there is
    /// none.
    pub error: Option<String>,
}

impl RecordObject {
    fn new(record: &Record, game: Game) -> RecordObject {
        let told = RecordObject {
            tags: record.tags.iter().cloned().collect(),
            ..RecordObject::default()
        };
        let replay = match record.replay(game) {
            Ok(replay) => replay,
            Err(error) => {
                let error = Some(error.to_string());
                return RecordObject { error, ..told };
            }
        };
        let last = replay.walk.position();
        let end = last.end();
        let plies = replay.steps.iter();
        RecordObject {
            fen: Some(replay.start.fen()),
            plies: plies
                .map(|step| PlyObject::new(&step.before, step.mv))
                .collect(),
            end: end.map(|end| end.name()),
            winner: end
                .and_then(|end| end.winner(last.turn()))
                .map(Colour::name),
            error: replay.fault,
            ..told
        }
    }
}

/// Reads the games of a PGN text, up to the one with which there are more moves than `most`: it
/// is left out, and the last object says so. What is no record is an object that only has an
/// `error`.
pub fn read_games(game: Game, text: &[u8], most: usize) -> Vec<RecordObject> {
    let mut all = Vec::new();
    let mut left = most;
    for record in Records::new(game, text) {
        let failed = |error: String| RecordObject {
            error: Some(error),
            ..RecordObject::default()
        };
        let told = match record {
            Ok(record) if record.moves.len() > left => {
                all.push(failed(format!(
                    "at most {most} moves are read at once; send fewer games"
                )));
                break;
            }
            Ok(record) => {
                left -= record.moves.len();
                RecordObject::new(&record, game)
            }
            Err(RecordError::Pgn(error)) => failed(error.to_string()),
            Err(RecordError::Io(error)) => {
                all.push(failed(error.to_string()));
                break;
            }
        };
        // Even what is no record takes its share.
        left = left.saturating_sub(1);
        all.push(told);
    }
    all
}
