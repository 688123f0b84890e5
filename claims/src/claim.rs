//! What a claim is, and what an answer to it is made of.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::chart::Chart;
use crate::error::ClaimError;
use crate::example::Example;
use crate::need::Need;
use crate::scope::Scope;
use crate::study::Study;

/// A claim: what is said, by whom, and how tables tell whether it is so.
pub struct Claim {
    /// The tag, such as `HC1`.
    pub tag: &'static str,
    /// The names of the games that it is about, the first being whose designer makes it.
    pub games: &'static [&'static str],
    /// The claim as a sentence in plain words.
    pub title: &'static str,
    /// Whose claim it is, with the words if they are known.
    pub source: &'static str,
    /// What is counted.
    pub method: &'static str,
    /// How the verdict follows from the figures.
    pub rule: &'static str,
    /// What the figures do not show.
    pub limits: &'static str,
    /// The tables that it takes.
    pub(crate) needs: fn(&Scope) -> Vec<Need>,
    /// Works the answer out: see [`Claim::answer`].
    pub(crate) examine: fn(&Study) -> Result<Outcome, ClaimError>,
}

impl Claim {
    /// The answer, which is none if no class has so few men.
    pub(crate) fn answer(&self, study: &Study) -> Result<Outcome, ClaimError> {
        let outcome = (self.examine)(study)?;
        let is_empty = outcome.positions == 0 && outcome.verdict == Verdict::NotDecidable;
        // Without figures it says itself why it is no answer.
        if is_empty && !outcome.figures.is_empty() {
            let men = study.scope.men;
            let why = format!("No class of up to {men} men bears on this claim.");
            return Ok(Outcome::not_decidable(why));
        }
        Ok(outcome)
    }
}

/// Whether a claim is true, as far as tables tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// In every position.
    Holds,
    /// In most of the positions, with exceptions.
    HoldsMostly,
    /// In half of the positions or fewer.
    Fails,
    /// These tables cannot tell.
    NotDecidable,
}

impl Verdict {
    /// The verdict if `bearing_out` of `all` cases bear the claim out: it holds without an
    /// exception, holds mostly in more than half of the cases, and otherwise fails.
    pub fn of(bearing_out: u64, all: u64) -> Verdict {
        match (bearing_out, all) {
            (_, 0) => Verdict::NotDecidable,
            _ if bearing_out == all => Verdict::Holds,
            _ if 2 * u128::from(bearing_out) > u128::from(all) => Verdict::HoldsMostly,
            _ => Verdict::Fails,
        }
    }

    /// The word in JSON: `holds-mostly`.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsMostly => "holds-mostly",
            Verdict::Fails => "fails",
            Verdict::NotDecidable => "not-decidable",
        }
    }

    /// The word for people: `holds mostly`.
    pub const fn words(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::HoldsMostly => "holds mostly",
            Verdict::Fails => "fails",
            Verdict::NotDecidable => "not decidable here",
        }
    }
}

/// The answer to a claim.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) verdict: Verdict,
    /// The answer in a sentence or two, with the figures that matter.
    pub(crate) answer: String,
    /// The share of cases that bear the claim out, from 0 to 1; `None` if there are none.
    pub(crate) support: Option<f64>,
    /// How many positions were looked at, on the whole board.
    pub(crate) positions: u64,
    /// The figures, for programs and people: numbers, and lists of objects that are tables
    /// with a row for each. What ends in `share` is a share from 0 to 1.
    pub(crate) figures: Map<String, Value>,
    pub(crate) charts: Vec<Chart>,
    pub(crate) examples: Vec<Example>,
}

impl Outcome {
    /// The answer if `bearing_out` of `all` cases bear the claim out: see [`Verdict::of`].
    pub(crate) fn of(bearing_out: u64, all: u64, positions: u64, answer: String) -> Outcome {
        Outcome {
            verdict: Verdict::of(bearing_out, all),
            answer,
            // Rounded, so that it is the same when it has been written and read.
            support: (all > 0).then(|| (bearing_out as f64 / all as f64 * 1e9).round() / 1e9),
            positions,
            figures: Map::new(),
            charts: Vec::new(),
            examples: Vec::new(),
        }
    }

    /// The answer to a claim that something is common: it holds if at least `holds` percent
    /// of the cases bear it out, holds mostly if at least `mostly` percent do, and otherwise
    /// fails.
    pub(crate) fn of_percent(
        bearing_out: u64,
        all: u64,
        [holds, mostly]: [u8; 2],
        positions: u64,
        answer: String,
    ) -> Outcome {
        let outcome = Outcome::of(bearing_out, all, positions, answer);
        let reaches =
            |percent: u8| 100 * u128::from(bearing_out) >= u128::from(percent) * u128::from(all);
        let verdict = match outcome.verdict {
            Verdict::NotDecidable => Verdict::NotDecidable,
            _ if reaches(holds) => Verdict::Holds,
            _ if reaches(mostly) => Verdict::HoldsMostly,
            _ => Verdict::Fails,
        };
        Outcome { verdict, ..outcome }
    }

    /// The answer to a claim that something is all but always so: it holds mostly only if at
    /// least `percent` of the cases bear it out.
    pub(crate) fn of_nearly_all(
        bearing_out: u64,
        all: u64,
        percent: u8,
        positions: u64,
        answer: String,
    ) -> Outcome {
        Outcome::of_percent(bearing_out, all, [100, percent], positions, answer)
    }

    /// The answer to a claim that something occurs: it holds if it was `found` in any
    /// case. If not, it fails only if the rules exclude it, `excluded` being a sentence that
    /// says why; else these tables cannot tell, since it may occur with more men.
    pub(crate) fn of_occurrence(
        found: u64,
        positions: u64,
        answer: String,
        excluded: Option<&str>,
    ) -> Outcome {
        let (verdict, support, why) = match (found, excluded) {
            (0, Some(why)) => (Verdict::Fails, Some(0.0), why),
            (0, None) => (
                Verdict::NotDecidable,
                None,
                "None occurs in these tables; others, of more men, may have one.",
            ),
            _ => (Verdict::Holds, Some(1.0), ""),
        };
        let answer = format!("{answer} {why}").trim_end().to_owned();
        Outcome {
            verdict,
            support,
            ..Outcome::of(0, 0, positions, answer)
        }
    }

    /// No answer from these tables.
    pub(crate) fn not_decidable(why: impl Into<String>) -> Outcome {
        Outcome::of(0, 0, 0, why.into())
    }

    /// Adds a figure.
    pub(crate) fn figure(mut self, name: &str, value: impl Into<Value>) -> Outcome {
        self.figures.insert(name.to_owned(), value.into());
        self
    }

    /// Adds a chart, unless it shows nothing.
    pub(crate) fn chart(mut self, chart: Chart) -> Outcome {
        if !chart.is_empty() {
            self.charts.push(chart);
        }
        self
    }

    /// Adds examples.
    pub(crate) fn examples(mut self, examples: Vec<Example>) -> Outcome {
        self.examples.extend(examples);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_from_counts() {
        for (bearing_out, all, verdict) in [
            (0, 0, Verdict::NotDecidable),
            (7, 7, Verdict::Holds),
            (6, 7, Verdict::HoldsMostly),
            (4, 8, Verdict::Fails),
            (0, 8, Verdict::Fails),
            (u64::MAX - 1, u64::MAX, Verdict::HoldsMostly),
        ] {
            assert_eq!(
                Verdict::of(bearing_out, all),
                verdict,
                "{bearing_out} of {all}"
            );
        }
    }

    #[test]
    fn rare_exceptions_are_rare() {
        for (bearing_out, verdict) in [
            (100, Verdict::Holds),
            (90, Verdict::HoldsMostly),
            (89, Verdict::Fails),
        ] {
            let outcome = Outcome::of_nearly_all(bearing_out, 100, 90, 9, String::new());
            assert_eq!(outcome.verdict, verdict, "{bearing_out}");
        }
    }

    #[test]
    fn what_is_common_has_thresholds() {
        for (bearing_out, verdict) in [
            (50, Verdict::Holds),
            (49, Verdict::HoldsMostly),
            (25, Verdict::HoldsMostly),
            (24, Verdict::Fails),
        ] {
            let outcome = Outcome::of_percent(bearing_out, 100, [50, 25], 9, String::new());
            assert_eq!(outcome.verdict, verdict, "{bearing_out}");
        }
        let none = Outcome::of_percent(0, 0, [50, 25], 0, String::new());
        assert_eq!(none.verdict, Verdict::NotDecidable);
    }

    #[test]
    fn what_is_not_found_is_left_open_unless_excluded() {
        for (found, excluded, verdict, answer) in [
            (0, Some("No."), Verdict::Fails, "So many. No."),
            (1, Some("No."), Verdict::Holds, "So many."),
            (1, None, Verdict::Holds, "So many."),
            (
                0,
                None,
                Verdict::NotDecidable,
                "So many. None occurs in these tables; others, of more men, may have one.",
            ),
        ] {
            let outcome = Outcome::of_occurrence(found, 9, "So many.".to_owned(), excluded);
            assert_eq!(
                (outcome.verdict, outcome.answer.as_str()),
                (verdict, answer)
            );
        }
    }
}
