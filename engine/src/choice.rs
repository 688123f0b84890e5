//! What to choose a move for, and what comes of it.

use std::sync::Arc;

use retrograde_probe::{ProbeError, Value};
use retrograde_rules::{History, Move};

use crate::clock::Effort;
use crate::tables::Tables;

/// What to choose a move for.
#[derive(Clone)]
pub(crate) struct Task {
    pub(crate) tables: Arc<Tables>,
    pub(crate) record: History,
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
    /// What rules or tables say of the position itself, for the side to move, whatever is
    /// known of its moves.
    pub(crate) root: Option<Value>,
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

    /// The same, with the value that a table has of the position where nothing is known of the
    /// best move, or not how far the end is.
    pub(crate) fn scored(mut self) -> Choice {
        if let (Some(root), Some(best)) = (self.root, self.prospects.first_mut()) {
            let says_more =
                |value: Value| value.wdl == root.wdl && value.dtm.is_none() && root.dtm.is_some();
            if best.value.is_none_or(says_more) {
                best.value = Some(root);
            }
        }
        self
    }

    /// The value of the position, if it is known.
    pub(crate) fn value(&self) -> Option<Value> {
        match self.prospects.first() {
            Some(best) => best.value,
            None => self.root,
        }
    }
}

/// Why there is no answer, in few words.
pub(crate) fn reason(error: &ProbeError) -> String {
    match error {
        ProbeError::Missing {
            game,
            material,
            metric,
            ..
        } => {
            let material = material.name_in(game);
            match metric {
                None => format!("no table {material}"),
                Some(metric) => format!("no table {material}.{metric}"),
            }
        }
        ProbeError::Unsupported(why) => format!("no table of the position: {why}"),
        _ => format!("no table: {error}"),
    }
}

/// The error, unless it is that a file is damaged: then there is another try without that file.
///
/// # Errors
/// A file is damaged.
pub(crate) fn unless_damaged(error: ProbeError) -> Result<ProbeError, ProbeError> {
    match error {
        ProbeError::Table { .. } => Err(error),
        error => Ok(error),
    }
}
