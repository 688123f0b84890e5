//! Makes tables of the figures of an answer, with headings, counts and shares as people read them.
//!
//! The box in which a long table scrolls on a page is here too.

use maud::{Markup, html};
use serde_json::{Map, Value};

use crate::formula::{count, percent_of};

/// Tables of more rows than these scroll in a box.
pub(super) const LONG: usize = 12;

/// The text with a capital.
pub(super) fn capitalised(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| {
        first.to_uppercase().chain(letters).collect()
    })
}

/// A table of figures.
pub(super) struct Sheet {
    /// The title; `None` for the figures of the claim as a whole.
    pub(super) title: Option<String>,
    pub(super) head: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Sheet {
    /// The column of positions, if there is one.
    pub(super) fn fen(&self) -> Option<usize> {
        self.head.iter().position(|head| head == "fen")
    }
}

/// Something in a box of its own, which scrolls if it is wide or has many rows.
pub(super) fn scrolling(name: &str, rows: usize, content: Markup) -> Markup {
    html! {
        div.scroll.tall[rows > LONG] tabindex="0" role="group" aria-label=(capitalised(name)) {
            (content)
        }
    }
}

/// Figures as tables: first the single ones, then each list.
pub(super) fn sheets(figures: &Map<String, Value>) -> Vec<Sheet> {
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
