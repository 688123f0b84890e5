//! Describes a ply of a recorded game: what the move changed, and what there is to say about it.

use retrograde_pgn::Step;
use retrograde_probe::{MoveAnswer, Value, Wdl};
use retrograde_rules::{Colour, Game};

use crate::cli::numbers::ordinal;
use crate::cli::probe::Found;
use crate::cli::probe::text::{name, verdict};

/// The words of a comment before the category that the move has changed.
const WAS: &str = "; was ";

/// A ply and what is known about it.
pub(super) struct Ply {
    pub(super) step: Step,
    pub(super) san: String,
    /// The findings about the position before the move.
    pub(super) found: Found,
    /// The answer about the move.
    pub(super) answer: MoveAnswer,
    /// Whether no table has the position that it led to.
    pub(super) is_by_moves: bool,
}

impl Ply {
    /// The category before the move, for the side that makes it.
    fn before(&self) -> Option<Wdl> {
        self.found.value().map(|value| value.wdl)
    }

    /// The categories before and after the move, for the side that makes it;
    /// `None` if one is unknown, and `None` inside if they are the same.
    pub(super) fn change(&self) -> Option<Option<(Wdl, Wdl)>> {
        let known = self.before().zip(self.answer.wdl())?;
        Some(Some(known).filter(|(before, after)| before != after))
    }

    /// Whether the move changed the category; `None` if one is unknown.
    pub(super) fn changed(&self) -> Option<bool> {
        self.change().map(|change| change.is_some())
    }

    /// The annotation of a mistake: 2 (`?`), or 4 (`??`) if a win becomes a
    /// loss.
    pub(super) fn nag(&self) -> Option<u8> {
        match self.change()?? {
            (Wdl::Win, Wdl::Loss) => Some(4),
            (before, after) if after > before => Some(2),
            _ => None,
        }
    }

    /// The result of the move in words; `None` if nothing is known.
    pub(super) fn words(&self, game: Game) -> Option<String> {
        let answer = &self.answer;
        let known = answer.value.is_some() || answer.end.is_some();
        known.then(|| verdict(game, answer.value, answer.winner(), answer.end))
    }

    /// The comments on the move, the one that it gets included: what an earlier run has said of
    /// it, maybe with tables that knew less, is left out.
    pub(super) fn comments(&self, game: Game, comments: &[String]) -> Vec<String> {
        let Some(words) = self.words(game) else {
            return comments.to_vec();
        };
        let (answer, known) = (&self.answer, self.answer.value);
        let less = [
            known.map(|value| Value { dtz: None, ..value }),
            known.map(|value| Value { dtm: None, ..value }),
            known.map(|value| Value::without_distances(value.wdl)),
        ];
        let mut said = less
            .map(|value| verdict(game, value, answer.winner(), answer.end))
            .to_vec();
        said.push(words.clone());
        let is_said = |comment: &String| {
            let comment = comment.split_whitespace().collect::<Vec<_>>().join(" ");
            let verdict = comment
                .split_once(WAS)
                .map_or(&*comment, |(verdict, _)| verdict);
            said.iter().any(|words| words == verdict)
        };
        let mut comments: Vec<String> = comments
            .iter()
            .filter(|&comment| !is_said(comment))
            .cloned()
            .collect();
        comments.push(match self.change() {
            Some(Some((before, _))) => format!("{words}{WAS}{before}"),
            _ => words,
        });
        comments
    }

    /// Further remarks on the position after the move.
    pub(super) fn remarks(&self, game: Game) -> Vec<String> {
        let repetitions = self.step.repetitions_after;
        let after = &self.step.after;
        let mut remarks = Vec::new();
        if let Some(Some((before, _))) = self.change() {
            remarks.push(format!("was {before}"));
        }
        if let Some(counters) = after.counters() {
            remarks.push(counters.to_string());
        }
        let facts = retrograde_probe::Facts::of(after);
        if let Some(high) = facts.high {
            remarks.push(format!("{} is High", name(high.side)));
        }
        if let Some(royals) = facts.royals {
            let squares = |colour: Colour| -> String {
                let names: Vec<String> = royals[colour.index()]
                    .map(|square| game.geometry().name(square))
                    .collect();
                names.join(" ")
            };
            let [white, black] = Colour::BOTH.map(squares);
            remarks.push(format!("royal: {white} / {black}"));
        }
        if game.zeroing_limit().is_some() && after.halfmoves() > 0 {
            remarks.push(format!("clock {}", after.halfmoves()));
        }
        if facts.end.is_none() && facts.checks == Some([true; 2]) {
            remarks.push("double check".to_owned());
        }
        if repetitions > 0 {
            remarks.push(format!("{} time", ordinal(repetitions + 1)));
        }
        let goes_on = facts.end.is_none() && facts.dead != Some(true);
        let may_claim = |limit| after.halfmoves() >= limit || repetitions >= 2;
        if goes_on && game.zeroing_limit().is_some_and(may_claim) {
            remarks.push("the draw can be claimed".to_owned());
        }
        remarks
    }
}
