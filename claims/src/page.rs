//! Writes the report on claims as files: JSON for programs, Markdown and one HTML page for people.

mod board;
mod html;
mod picture;

use std::fmt::Write;
use std::fs;
use std::path::Path;

use serde::Serialize;
use serde_json::{Map, Value};

use crate::claim::Verdict;
use crate::error::ClaimError;
use crate::example::{Example, Says, UNKNOWN};
use crate::formula::{count, percent_of};
use crate::report::{Answer, Report, at, write};

impl Report {
    /// Writes `claims.json`, `CLAIMS.md` and `claims.html` into a folder, which is made if
    /// it is not there.
    ///
    /// # Errors
    /// [`ClaimError::Io`]; [`ClaimError::Picture`] if a chart cannot be drawn.
    pub fn write(&self, out: &Path) -> Result<(), ClaimError> {
        fs::create_dir_all(out).map_err(at(out))?;
        write(&out.join("claims.json"), &self.json())?;
        write(&out.join("CLAIMS.md"), &self.markdown())?;
        write(&out.join("claims.html"), &self.html()?)
    }

    /// The basis of the report as a sentence, with the command between backticks.
    fn basis(&self) -> String {
        let game = self.game.map_or("all games".to_owned(), |game| game.id());
        let selection = match self.only.is_empty() {
            false => " These are the claims that were asked for by their tags; there are more.",
            true => "",
        };
        let only: String = self
            .only
            .iter()
            .map(|tag| format!(" --only {tag}"))
            .collect();
        format!(
            "Worked out by Retrograde {} for {game} from all tables of up to {} men, by the \
             command `retrograde claims{} --men {}{only}`.{selection}",
            env!("CARGO_PKG_VERSION"),
            self.men,
            self.game
                .map_or(String::new(), |game| format!(" {}", game.id())),
            self.men,
        )
    }
}

/// Tables of more rows are folded away.
const LONG: usize = 12;

/// A caveat for the head of the report: a table position is not a game.
const CAVEAT: &str = "Every legal position of a class counts once, on the whole board, including \
    mirror images and positions that nobody would ever reach. A share of positions is not a share \
    of games: it does not say how often something happens over the board, and positions are not \
    weighted by how likely they are. Where a claim about whole games cannot be settled by \
    endings, the report says so instead of giving a verdict. A claim holds if every case bears it \
    out, holds mostly if more than half do, and otherwise fails, unless a rule of its own is \
    given with it. Anyone can check: each example can be probed by its FEN, and each figure \
    follows from the tables.";

/// An answer. Names and order of the fields are a contract.
#[derive(Serialize)]
struct AnswerObject<'a> {
    tag: &'a str,
    games: &'a [String],
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
        let entries: Vec<AnswerObject> = self
            .answers
            .iter()
            .map(|answer| AnswerObject {
                tag: &answer.claim.tag,
                games: &answer.claim.games,
                claim: &answer.claim.title,
                source: &answer.claim.source,
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
                method: &answer.claim.method,
                rule: &answer.claim.rule,
                limits: &answer.claim.limits,
            })
            .collect();
        // With one claim per line, diffs would be unreadable.
        let text = serde_json::to_string_pretty(&entries);
        text.unwrap_or_else(|error| unreachable!("names are texts: {error}")) + "\n"
    }
}

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
            let (tag, words, title) = (&claim.tag, outcome.verdict.words(), &claim.title);
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

/// The number of tables of each game.
fn of_tables(tables: &[String]) -> String {
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
fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// A table of figures.
struct Sheet {
    /// The title; `None` for the figures of the claim as a whole.
    title: Option<String>,
    head: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Figures as tables: first the single ones, then each list.
fn sheets(figures: &Map<String, Value>) -> Vec<Sheet> {
    let is_list = |value: &Value| value.is_array();
    let single: Map<String, Value> = figures
        .iter()
        .filter(|(_, value)| !is_list(value))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    let mut sheets = Vec::new();
    let rows: Vec<Vec<String>> = columns(&single)
        .into_iter()
        .map(|name| vec![heading(&name), cell(&single, &name)])
        .collect();
    if !rows.is_empty() {
        sheets.push(Sheet {
            title: None,
            head: vec!["figure".to_owned(), "value".to_owned()],
            rows,
        });
    }
    for (name, list) in figures.iter().filter(|(_, value)| is_list(value)) {
        let rows: Vec<&Map<String, Value>> = list
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(Value::as_object)
            .collect();
        let mut names: Vec<String> = Vec::new();
        for name in rows.iter().flat_map(|row| columns(row)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        if names.is_empty() {
            continue;
        }
        sheets.push(Sheet {
            title: Some(heading(name)),
            head: names.iter().map(|name| heading(name)).collect(),
            rows: rows
                .iter()
                .map(|row| names.iter().map(|name| cell(row, name)).collect())
                .collect(),
        });
    }
    sheets
}

/// The columns of a row: a share stands in the column of what it is the share of.
fn columns(row: &Map<String, Value>) -> Vec<String> {
    let is_own = |name: &&String| match name.strip_suffix("_share") {
        Some(of) => !row.contains_key(of),
        None => true,
    };
    row.keys().filter(is_own).cloned().collect()
}

/// A figure with its share, if it has one.
fn cell(row: &Map<String, Value>, name: &str) -> String {
    let Some(value) = row.get(name) else {
        return "–".to_owned();
    };
    let text = match name.ends_with("_share") {
        true => share(value),
        false => plain(value),
    };
    match row.get(&format!("{name}_share")) {
        Some(Value::Null) | None => text,
        Some(value) => format!("{text} ({})", share(value)),
    }
}

fn share(value: &Value) -> String {
    value.as_f64().map_or("–".to_owned(), percent_of)
}

fn plain(value: &Value) -> String {
    match value {
        Value::Null => "–".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number.as_u64().map_or(number.to_string(), count),
        other => other.to_string(),
    }
}

/// A name in figures as a heading: `won_by_high` is "won by High". That a figure is a share is
/// seen in the figure.
fn heading(name: &str) -> String {
    let heading = name
        .strip_suffix("_share")
        .unwrap_or(name)
        .split('_')
        .map(|word| match word {
            "high" => "High",
            "low" => "Low",
            "white" => "White",
            "black" => "Black",
            "ep" => "e.p.",
            word => word,
        })
        .collect::<Vec<&str>>()
        .join(" ");
    GAMES.iter().fold(heading, |heading, (plain, name)| {
        heading.replace(plain, name)
    })
}

/// Games whose names have capitals, as the words of a heading, and as they are written.
const GAMES: [(&str, &str); 3] = [
    ("High chess", "High Chess"),
    ("king of the hill", "King of the Hill"),
    ("armageddon", "Armageddon"),
];

/// The value that tables give a position, in words.
fn says(says: &Says) -> String {
    let winner = match says.winner.as_deref() {
        None if says.category == UNKNOWN => return "no table was asked".to_owned(),
        None => return says.category.replace('-', " "),
        Some("white") => "White wins",
        Some(_) => "Black wins",
    };
    let mut text = winner.to_owned();
    if let Some(by) = &says.win_by {
        text.push_str(&format!(" by {by}"));
    }
    match says.depth_plies {
        Some(0) => text = text.replace("wins", "has won"),
        Some(1) => text.push_str(" in 1 ply"),
        Some(plies) => text.push_str(&format!(" in {plies} plies")),
        None => {}
    }
    if says.category.contains('-') {
        text.push_str(&format!(
            ", but for the fifty-move rule ({})",
            says.category.replace('-', " ")
        ));
    }
    text
}

/// The values that the tables of all games give an example.
fn says_all(example: &Example) -> String {
    let mut texts = vec![format!("{}: {}", example.says.game, says(&example.says))];
    texts.extend(
        example
            .also
            .iter()
            .map(|other| format!("{}: {}", other.game, says(other))),
    );
    texts.join("; ")
}

/// The kinds of examples, in order, with their examples.
fn kinds(examples: &[Example]) -> Vec<(&str, Vec<&Example>)> {
    let mut kinds: Vec<(&str, Vec<&Example>)> = Vec::new();
    for example in examples {
        match kinds.iter_mut().find(|(kind, _)| *kind == example.kind) {
            Some((_, list)) => list.push(example),
            None => kinds.push((&example.kind, vec![example])),
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn shares_stand_beside_what_they_are_shares_of() {
        let figures = json!({
            "positions": 1200,
            "won_by_high": 300,
            "won_by_high_share": 0.25,
            "white_wins_in_high_chess_share": 0.5,
            "by_class": [
                { "material": "KvK", "drawn": 1, "drawn_share": 0.00001 },
                { "material": "KBvK", "lost": null },
            ],
        });
        let sheets = sheets(figures.as_object().unwrap());
        assert_eq!(
            sheets[0].rows,
            [
                ["positions", "1,200"],
                ["won by High", "300 (25.0 %)"],
                ["White wins in High Chess", "50.0 %"],
            ]
        );
        assert_eq!(sheets[1].title.as_deref(), Some("by class"));
        assert_eq!(sheets[1].head, ["material", "drawn", "lost"]);
        assert_eq!(sheets[1].rows[0], ["KvK", "1 (< 0.1 %)", "–"]);
        assert_eq!(sheets[1].rows[1], ["KBvK", "–", "–"]);
    }
}
