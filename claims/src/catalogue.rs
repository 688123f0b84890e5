//! Lists all claims by their tags, each with the counting that answers it.

use std::sync::{Arc, LazyLock};

use serde::Deserialize;

use crate::claim::Claim;
use crate::countings::{chess99, extinction, high_chess, kings, orthodox, predicates};
use crate::engine::{Counting, Entry};

/// The tables of claims, each with the game whose claims they are first of all, and what these
/// count.
const TABLES: [(&str, &str, &[Counting]); 5] = [
    (
        "high-chess",
        include_str!("../games/high-chess.toml"),
        high_chess::COUNTINGS,
    ),
    (
        "chess99",
        include_str!("../games/chess99.toml"),
        chess99::COUNTINGS,
    ),
    (
        "kings",
        include_str!("../games/kings.toml"),
        kings::COUNTINGS,
    ),
    (
        "extinction-mating",
        include_str!("../games/extinction.toml"),
        extinction::COUNTINGS,
    ),
    (
        "orthodox",
        include_str!("../games/orthodox.toml"),
        orthodox::COUNTINGS,
    ),
];

/// The claims of all games, game by game.
pub(crate) static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    let entries = TABLES.into_iter().flat_map(|(game, text, countings)| {
        let table: Table = toml::from_str(text)
            .unwrap_or_else(|error| unreachable!("a table of claims is wrong: {error}"));
        table.claims.into_iter().map(move |claim| {
            let counting = match claim.counts.is_empty() {
                true => countings.iter().find(|counting| counting.tag == claim.tag),
                false => Some(&predicates::COUNTING),
            };
            let counting = counting.unwrap_or_else(|| unreachable!("{} counts nothing", claim.tag));
            Entry {
                claim: Arc::new(claim),
                counting,
                games: None,
                chapter: Some(game),
            }
        })
    });
    entries.collect()
});

/// A table of claims.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    claims: Vec<Claim>,
}

/// The games that have a table of claims.
pub(crate) fn chapters() -> impl Iterator<Item = &'static str> {
    TABLES.iter().map(|(game, ..)| *game)
}

/// The game in whose table the claim with a tag is.
pub(crate) fn chapter(tag: &str) -> Option<&'static str> {
    let mut entries = ENTRIES.iter();
    entries.find(|entry| entry.claim.tag == tag)?.chapter
}

/// Every claim of the catalogue, in the order of the report.
pub fn claims() -> impl Iterator<Item = &'static Claim> {
    ENTRIES.iter().map(|entry| &*entry.claim)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sources of all countings.
    const SOURCES: [&str; 7] = [
        include_str!("countings/high_chess.rs"),
        include_str!("countings/chess99.rs"),
        include_str!("countings/kings.rs"),
        include_str!("countings/extinction.rs"),
        include_str!("countings/orthodox.rs"),
        include_str!("compare.rs"),
        include_str!("countings/predicates.rs"),
    ];

    /// Texts that the engine provides for each class.
    const OF_CLASSES: [&str; 4] = ["class", "first", "second", "each_class"];

    /// The names in a formula, an empty one for what is no name.
    fn names(formula: &str) -> Vec<String> {
        let terms = formula.split(['+', '-', '*', '/', '%', ',']).map(str::trim);
        let names = terms.filter(|term| term.parse::<u64>().is_err());
        let is_name = |name: &str| {
            let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
            !name.is_empty() && name.chars().all(is_part)
        };
        let name = |term: &str| match term.split_once('.') {
            Some((name, place)) if is_name(name) && place.parse::<usize>().is_ok() => name.into(),
            None if is_name(term) => term.into(),
            _ => String::new(),
        };
        names.map(name).collect()
    }

    /// The formulas in braces of a sentence.
    fn of_sentence(sentence: &str) -> Vec<String> {
        let pieces = sentence.split(['{', '}']).skip(1).step_by(2);
        pieces.map(str::to_owned).collect()
    }

    /// The formulas of a list of figures.
    fn of_figures(list: &str, key: &str) -> Vec<String> {
        let list = list.replace('@', key);
        let formula = |figure: &str| figure.split_once('=').map_or(figure, |(_, f)| f).to_owned();
        list.split(',').map(formula).collect()
    }

    /// All formulas of a claim.
    fn formulas(claim: &Claim) -> Vec<String> {
        use crate::claim::VerdictRule;
        let mut list = vec![claim.positions.clone()];
        list.extend(claim.refuted_if.clone());
        list.extend(of_sentence(&claim.answer));
        if let Some(instead) = &claim.answer_if_none {
            list.push(instead.of.clone());
            list.extend(of_sentence(&instead.say));
        }
        let each = claim.each_class.iter();
        list.extend(each.flat_map(|each| of_sentence(&each.say)));
        match &claim.verdict {
            VerdictRule::Share { of, open_unless } => {
                list.push(of.clone());
                list.extend(open_unless.clone());
            }
            VerdictRule::More { of, than } => list.extend([of.clone(), than.clone()]),
            VerdictRule::Occurrence { of, .. } => list.push(of.clone()),
            VerdictRule::Open => {}
        }
        let mut tables = Vec::new();
        for rows in &claim.rows {
            tables.push(rows.name.as_str());
            list.extend(of_sentence(&rows.suffix));
            list.extend(rows.condition.clone());
            list.extend(
                rows.keys
                    .iter()
                    .flat_map(|key| of_figures(&rows.columns, key)),
            );
        }
        for table in &claim.lists {
            tables.push(table.name.as_str());
            let keys = table.rows.iter().map(|(_, key)| key);
            list.extend(keys.flat_map(|key| of_figures(&table.columns, key)));
        }
        for bar in claim.charts.iter().flat_map(|chart| &chart.bars) {
            list.extend(of_sentence(&bar.suffix));
            list.extend([bar.whole.clone(), bar.of.clone()]);
            list.extend(bar.condition.clone());
        }
        list.extend(claim.examples.iter().map(|kind| kind.of.clone()));
        let figures = of_figures(&claim.figures, "");
        list.extend(
            figures
                .into_iter()
                .filter(|name| !tables.contains(&name.trim())),
        );
        list
    }

    #[test]
    fn formulas_name_what_is_counted() {
        for claim in claims() {
            for formula in formulas(claim) {
                for name in names(&formula) {
                    let quoted = format!("\"{name}\"");
                    let is_counted = SOURCES.iter().any(|source| source.contains(&quoted));
                    let is_known = is_counted
                        || OF_CLASSES.contains(&name.as_str())
                        || claim.counts.contains_key(&name);
                    assert!(is_known, "{}: \"{name}\" in \"{formula}\"", claim.tag);
                }
            }
        }
    }

    #[test]
    fn every_counting_has_its_claim() {
        let countings = TABLES.iter().flat_map(|(_, _, countings)| countings.iter());
        for counting in countings {
            assert!(
                claims().any(|claim| claim.tag == counting.tag),
                "{}",
                counting.tag
            );
        }
    }
}
