//! The report for programs: `docs/claims.schema.json` describes it.

use serde::Serialize;
use serde_json::{Map, Value};

use crate::Verdict;
use crate::example::Example;
use crate::run::Report;

/// An answer. Names and order of the fields are a contract.
#[derive(Serialize)]
struct Entry<'a> {
    tag: &'a str,
    games: &'a [&'a str],
    claim: &'a str,
    source: &'a str,
    verdict: Verdict,
    answer: &'a str,
    support_share: Option<f64>,
    version: &'a str,
    men: usize,
    options: Option<String>,
    tables: &'a [String],
    positions: u64,
    figures: &'a Map<String, Value>,
    examples: &'a [Example],
    method: &'a str,
    rule: &'a str,
    limits: &'a str,
}

impl Report {
    /// The report as a JSON array.
    pub fn json(&self) -> String {
        let entries: Vec<Entry> = self
            .answers
            .iter()
            .map(|answer| Entry {
                tag: answer.claim.tag,
                games: answer.claim.games,
                claim: answer.claim.title,
                source: answer.claim.source,
                verdict: answer.outcome.verdict,
                answer: &answer.outcome.answer,
                support_share: answer.outcome.support,
                version: env!("CARGO_PKG_VERSION"),
                men: self.men,
                options: self
                    .game
                    .map(|game| game.id())
                    .filter(|id| id.contains(':')),
                tables: &answer.tables,
                positions: answer.outcome.positions,
                figures: &answer.outcome.figures,
                examples: &answer.outcome.examples,
                method: answer.claim.method,
                rule: answer.claim.rule,
                limits: answer.claim.limits,
            })
            .collect();
        // With one claim per line, diffs would be unreadable.
        let text = serde_json::to_string_pretty(&entries);
        text.unwrap_or_else(|error| unreachable!("names are texts: {error}")) + "\n"
    }
}
