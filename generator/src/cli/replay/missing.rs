//! Collects the materials whose missing tables leave recorded games without any value.

use retrograde::plan;
use retrograde_rules::{Game, Material, Position};

use super::ply::Ply;
use crate::cli::advice;
use crate::cli::folders::Folders;
use crate::cli::numbers::plural;
use crate::cli::terminal::message;

/// The most tables that are named.
const MOST_NAMED: usize = 10;

/// The lookups in one game so far, and what was missing.
#[derive(Default)]
pub(super) struct Lookups {
    /// Whether a table was there for at least one position.
    any: bool,
    missing: Vec<Material>,
}

impl Lookups {
    /// Takes note of the positions before and after a move.
    pub(super) fn add(&mut self, game: Game, ply: &Ply) {
        // What the rules alone know was not looked up.
        let has_table = |position: &Position| !game.needs_no_table(&position.material());
        let (step, answer) = (&ply.step, &ply.answer);
        let found = ply.found.answer.as_ref();
        let is_third = |repetitions| repetitions >= 2;
        self.any |= found.is_ok_and(|found| !found.by_moves)
            && has_table(&step.before)
            && !is_third(step.repetitions)
            || !ply.is_by_moves
                && answer.value.is_some()
                && answer.end.is_none()
                && has_table(&step.after)
                && !is_third(step.repetitions_after);
        self.missing.extend(match found {
            // Its own table is missing all the same, unless there can be none.
            Ok(found) if found.by_moves => Some(found.facts.material)
                .filter(|material| material.len() <= Material::MOST_PIECES),
            Ok(_) => None,
            Err(trouble) => trouble.missing,
        });
    }

    /// The missing tables of a game of which no position was looked up; empty for others.
    pub(super) fn in_vain(self) -> Vec<Material> {
        match self.any {
            true => Vec::new(),
            false => self.missing,
        }
    }
}

/// Names each table that is missing once, and says how to make them.
pub(super) fn advise(game: Game, mut missing: Vec<Material>, folders: &Folders) {
    plan::sort(&mut missing);
    missing.dedup();
    let games = "in some games no position could be looked up";
    let tables = plural(missing.len() as u64, "table is", "tables are");
    let more = missing.len().saturating_sub(MOST_NAMED);
    missing.truncate(MOST_NAMED);
    let names: Vec<String> = missing.iter().map(|material| material.name(game)).collect();
    let mut names = names.join(", ");
    if more > 0 {
        names.push_str(&format!(" and {more} more"));
    }
    let absent = folders.absent_words();
    let command = advice::generate(&game.id(), missing, &folders.option());
    message(&format!(
        "error: {games}: {tables} missing{absent}: {names}; make them with: {command}"
    ));
}
