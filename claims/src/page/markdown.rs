//! The report as Markdown.

use std::fmt::Write;

use crate::run::{Answer, Report};

use super::words::{kinds, says_all, sheets};
use super::{CAVEAT, LONG};

impl Report {
    /// The report as Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!(
            "# What the designers claim, and what the tables say\n\n{}\n\n{CAVEAT}\n\n\
             [claims.html](claims.html) is the same report with pictures and boards.\n\n\
             | claim | verdict | |\n|---|---|---|\n",
            self.basis()
        );
        for Answer { claim, outcome, .. } in &self.answers {
            let (tag, words, title) = (claim.tag, outcome.verdict.words(), claim.title);
            let anchor = tag.to_ascii_lowercase();
            let _ = writeln!(text, "| [{tag}](#{anchor}) | **{words}** | {title} |");
        }
        for answer in &self.answers {
            section(&mut text, answer);
        }
        text
    }
}

fn section(text: &mut String, answer: &Answer) {
    let Answer {
        claim,
        outcome,
        tables,
    } = answer;
    let _ = write!(
        text,
        "\n## {}\n\n**{}** Verdict: **{}.** {}\n\n- Games: {}\n- Tables: {}\n- Said by: {}\n\
         - Counted: {}\n- Verdict: {}\n- Limits: {}\n",
        claim.tag,
        claim.title,
        outcome.verdict.words(),
        outcome.answer,
        claim.games.join(", "),
        of_tables(tables),
        claim.source,
        claim.method,
        claim.rule,
        claim.limits,
    );
    for sheet in sheets(&outcome.figures) {
        let title = sheet.title.as_deref().unwrap_or("figures");
        let long = sheet.rows.len() > LONG;
        let _ = match long {
            true => write!(text, "\n<details><summary>{title}</summary>\n\n"),
            false => write!(text, "\n{}:\n\n", capitalised(title)),
        };
        let _ = writeln!(text, "| {} |", sheet.head.join(" | "));
        let align = sheet
            .head
            .iter()
            .enumerate()
            .map(|(n, _)| if n == 0 { "---" } else { "---:" });
        let _ = writeln!(text, "|{}|", align.collect::<Vec<&str>>().join("|"));
        for row in &sheet.rows {
            let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(text, "| {} |", cells.join(" | "));
        }
        if long {
            text.push_str("\n</details>\n");
        }
    }
    for (kind, examples) in kinds(&outcome.examples) {
        let _ = write!(text, "\nExamples, {kind}:\n\n");
        for example in examples {
            let _ = write!(text, "- `{}` {}", example.fen, says_all(example));
            if !example.line.is_empty() {
                let _ = write!(text, ": {}", example.line.join(" "));
            }
            text.push('\n');
        }
    }
}

/// How many tables there are of which games.
pub(super) fn of_tables(tables: &[String]) -> String {
    let mut games: Vec<(&str, usize)> = Vec::new();
    for table in tables {
        let game = table.split(' ').next().unwrap_or_default();
        match games.iter_mut().find(|(name, _)| *name == game) {
            Some((_, number)) => *number += 1,
            None => games.push((game, 1)),
        }
    }
    match games.is_empty() {
        true => "none".to_owned(),
        false => games
            .iter()
            .map(|(game, number)| format!("{number} of {game}"))
            .collect::<Vec<String>>()
            .join(", "),
    }
}

/// The text with a capital.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}
