//! Evaluates the small language of the table of claims, over the numbers that were counted.
//!
//! It has formulas over these numbers, lists of figures, and sentences.
//!
//! A *formula* is a sum such as `won + 2*drawn - lost`. A name may have a place, as in
//! `result.2`; nothing counted is 0, and a sum is at least 0. A *share* is `part / whole`. A
//! *list of figures* such as `positions, won/positions, drawn = result.1` gives each figure
//! its name, and the share after it if there is a whole; one whose name ends in `_share` is the
//! share alone. A *sentence* has formulas in braces: `{won}` is a count or a text, and
//! `{won % positions}` a percentage.

use std::borrow::Cow;
use std::sync::{Mutex, PoisonError};

use serde_json::{Map, Value, json};

/// Numbers by name, as they are compared and kept.
pub(crate) type Numbers = Vec<(String, Vec<u64>)>;

/// The name of a number, and its place among those of this name.
pub(crate) type NumberKey = (&'static str, usize);

/// A name of numbers that was read from a text; there are few.
pub(crate) fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.iter().find(|known| **known == name) {
        return known;
    }
    let name: &'static str = String::leak(name.to_owned());
    names.push(name);
    name
}

/// Numbers by name, and other figures.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counted {
    numbers: Vec<(&'static str, Vec<u64>)>,
    /// Figures that are no counts: texts, lists, and numbers that need not be there.
    pub(crate) values: Map<String, Value>,
}

impl Counted {
    /// Adds to a number.
    #[inline]
    pub(crate) fn add(&mut self, (name, place): NumberKey, more: u64) {
        let known = |(known, _): &(&str, _)| std::ptr::eq(*known, name) || *known == name;
        let at = self.numbers.iter().position(known).unwrap_or_else(|| {
            self.numbers.push((name, Vec::new()));
            self.numbers.len() - 1
        });
        let list = &mut self.numbers[at].1;
        if list.len() <= place {
            list.resize(place + 1, 0);
        }
        list[place] += more;
    }

    /// Adds all numbers of another.
    pub(crate) fn merge(&mut self, other: &Counted) {
        for (name, list) in &other.numbers {
            for (place, &number) in list.iter().enumerate() {
                self.add((name, place), number);
            }
        }
    }

    /// All numbers with their names, in order; what is 0 at the end of a list is left out.
    pub(crate) fn numbers(&self) -> Numbers {
        let some = |list: &[u64]| {
            let len = list
                .iter()
                .rposition(|&number| number > 0)
                .map_or(0, |last| last + 1);
            list[..len].to_vec()
        };
        let numbers = self.numbers.iter();
        let numbers = numbers.map(|(name, list)| ((*name).to_owned(), some(list)));
        let mut numbers: Numbers = numbers.filter(|(_, list)| !list.is_empty()).collect();
        numbers.sort_unstable();
        numbers
    }

    /// All numbers of a name, by their places.
    pub(crate) fn list(&self, name: &str) -> &[u64] {
        let found = self.numbers.iter().find(|(known, _)| *known == name);
        found.map_or(&[], |(_, list)| list)
    }

    /// A figure that is no count.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.values.insert(name.to_owned(), value.into());
    }

    /// The number that a formula gives.
    pub(crate) fn get(&self, formula: &str) -> u64 {
        self.signed(formula).max(0) as u64
    }

    /// The number that a formula gives, which may be below 0.
    pub(crate) fn signed(&self, formula: &str) -> i128 {
        let terms = formula.replace('-', "+-");
        let factor = |factor: &str| match factor.trim().parse::<i128>() {
            Ok(number) => number,
            Err(_) => self.number(factor.trim()).into(),
        };
        let term = |term: &str| match term.trim().strip_prefix('-') {
            Some(term) => -term.split('*').map(factor).product::<i128>(),
            None => term.split('*').map(factor).product::<i128>(),
        };
        terms.split('+').map(term).sum()
    }

    fn number(&self, name: &str) -> u64 {
        let (name, place) = name.split_once('.').unwrap_or((name, "0"));
        let place = place.parse().unwrap_or(usize::MAX);
        self.list(name).get(place).copied().unwrap_or_default()
    }

    /// Part and whole of a share.
    pub(crate) fn parts(&self, share: &str) -> (u64, u64) {
        let (part, whole) = share.split_once('/').unwrap_or((share, "1"));
        (self.get(part), self.get(whole))
    }

    /// Part over whole, 0 without a whole.
    pub(crate) fn ratio(&self, share: &str) -> f64 {
        let (part, whole) = self.parts(share);
        part as f64 / whole.max(1) as f64
    }

    /// Adds a list of figures to a row, `key` standing in for `@`.
    pub(crate) fn figures(&self, list: &str, key: &str, row: &mut Map<String, Value>) {
        for figure in expanded(list, key).split(',').map(str::trim) {
            let (name, formula) = match figure.split_once('=') {
                Some((name, formula)) => (name.trim(), formula.trim()),
                None => (figure.split('/').next().unwrap_or(figure).trim(), figure),
            };
            if let Some(value) = self.values.get(formula) {
                row.insert(name.to_owned(), value.clone());
                continue;
            }
            let (part, whole) = self.parts(formula);
            if !name.ends_with("_share") {
                row.insert(name.to_owned(), part.into());
            }
            if formula.contains('/') {
                let name = name.strip_suffix("_share").unwrap_or(name);
                row.insert(format!("{name}_share"), share(part, whole));
            }
        }
    }

    /// A sentence.
    pub(crate) fn say(&self, sentence: &str) -> String {
        let mut text = String::new();
        for (n, piece) in sentence.split(['{', '}']).enumerate() {
            if n % 2 == 0 {
                text.push_str(piece);
            } else if let Some(Value::String(said)) = self.values.get(piece) {
                text.push_str(said);
            } else if let Some((part, whole)) = piece.split_once('%') {
                text.push_str(&percent(self.get(part), self.get(whole)));
            } else {
                text.push_str(&count(self.get(piece)));
            }
        }
        text
    }
}

/// A template with a key in place of `@`.
fn expanded<'a>(template: &'a str, key: &str) -> Cow<'a, str> {
    match key {
        "" => template.into(),
        key => template.replace('@', key).into(),
    }
}

/// A share, rounded to what is worth reading.
pub(crate) fn rounded(share: f64) -> f64 {
    (share * 1e6).round() / 1e6
}

/// A part of a whole, rounded; null if there is no whole.
pub(crate) fn share(part: u64, whole: u64) -> Value {
    match whole {
        0 => Value::Null,
        _ => json!(rounded(part as f64 / whole as f64)),
    }
}

/// A count with separators: `1,806,336`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A part of a whole in percent: `24.1 %`, `< 0.1 %`; never `100 %` of what has an
/// exception.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    match (part, whole) {
        (_, 0) => "none".to_owned(),
        (0, _) => "0 %".to_owned(),
        _ if part == whole => "100 %".to_owned(),
        _ => percent_of(part as f64 / whole as f64),
    }
}

/// A share from 0 to 1 in percent.
pub(crate) fn percent_of(share: f64) -> String {
    let percent = 100.0 * share;
    match percent {
        0.0 => "0 %".to_owned(),
        100.0 => "100 %".to_owned(),
        ..0.05 => "< 0.1 %".to_owned(),
        99.95.. => "> 99.9 %".to_owned(),
        _ => format!("{percent:.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_do_not_hide_exceptions() {
        for (part, whole, text) in [
            (0, 0, "none"),
            (0, 9, "0 %"),
            (9, 9, "100 %"),
            (1, 3, "33.3 %"),
            (1, 1_000_000, "< 0.1 %"),
            (999_999, 1_000_000, "> 99.9 %"),
        ] {
            assert_eq!(percent(part, whole), text);
        }
        assert_eq!(count(1_806_336), "1,806,336");
        assert_eq!(share(1, 3), json!(0.333333));
        assert_eq!(share(0, 0), Value::Null);
    }

    #[test]
    fn formulas_are_sums_of_what_was_counted() {
        let mut counted = Counted::default();
        counted.add(("all", 0), 1200);
        counted.add(("result", 2), 300);
        counted.set("which", "the first");
        for (formula, number) in [
            ("all", 1200),
            ("result.2", 300),
            ("result + result.7 + missing", 0),
            ("all - result.2", 900),
            ("2*result.2 - all + 7", -593),
        ] {
            assert_eq!(counted.signed(formula), number, "{formula}");
        }
        assert_eq!(counted.get("result.2 - all"), 0);
        let mut row = Map::new();
        let list = "all, lost = result.@ / all, won_share = all-result.@/all, a = which, b = 1/x";
        counted.figures(list, "2", &mut row);
        let expected = json!({
            "all": 1200, "lost": 300, "lost_share": 0.25, "won_share": 0.75, "a": "the first",
            "b": 1, "b_share": null,
        });
        assert_eq!(Value::Object(row), expected);
        let text = counted.say("{result.2 % all} of {all} in {which}.");
        assert_eq!(text, "25.0 % of 1,200 in the first.");
    }
}
