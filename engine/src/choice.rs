//! What to choose a move for, and what comes of it.

use std::sync::Arc;

use retrograde_probe::{ProbeError, Tablebase, Value};
use retrograde_rules::Move;

use crate::clock::Effort;
use crate::record::Record;

/// What to choose a move for.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) tables: Arc<Tablebase>,
    pub(crate) record: Record,
    /// The only moves to choose from; empty for all.
    pub(crate) only: Vec<Move>,
    pub(crate) effort: Effort,
    pub(crate) threads: usize,
    /// Memory for what a search has proved, in bytes.
    pub(crate) memory: u64,
    /// How many moves to report on, the best first.
    pub(crate) lines: usize,
}

/// A move that was looked at.
#[derive(Clone, Debug)]
pub(crate) struct Prospect {
    /// The move, and the best play after it as far as it is known.
    pub(crate) moves: Vec<Move>,
    /// The value of the position if that is played, for the side to move; `None` if it is
    /// not known.
    pub(crate) value: Option<Value>,
}

/// What was found out.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// The best moves, the one to play first; none if the game is over.
    pub(crate) prospects: Vec<Prospect>,
    /// The value of a position without moves, for the side to move.
    pub(crate) end: Option<Value>,
    /// The number of plies that were searched; 1 where tables knew everything.
    pub(crate) plies: u16,
    /// The number of positions searched.
    pub(crate) nodes: u64,
    /// The number of positions that tables were asked for.
    pub(crate) hits: u64,
    /// What to tell people, such as that a table is missing.
    pub(crate) notes: Vec<String>,
}

impl Choice {
    /// The move to play.
    pub(crate) fn best(&self) -> Option<Move> {
        self.prospects.first()?.moves.first().copied()
    }

    /// The value of the position, if it is known.
    pub(crate) fn value(&self) -> Option<Value> {
        match self.prospects.first() {
            Some(best) => best.value,
            None => self.end,
        }
    }
}

/// Why there is no answer, in few words.
pub(crate) fn reason(error: &ProbeError) -> String {
    match error {
        ProbeError::Missing {
            material, metric, ..
        } => match metric {
            None => format!("no table {material}"),
            Some(metric) => format!("no table {material}.{metric}"),
        },
        ProbeError::Unsupported(why) => format!("no table: {why}"),
        _ => format!("no table: {error}"),
    }
}
