//! Figures: counts, shares and rows, as JSON and in words.

use serde_json::{Map, Value, json};

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

/// Counts by name, in order, each followed by its share of `whole`.
pub(crate) fn shares(whole: u64, counts: &[(&str, u64)]) -> Map<String, Value> {
    let mut row = Map::new();
    for &(name, number) in counts {
        row.insert(name.to_owned(), number.into());
        row.insert(format!("{name}_share"), share(number, whole));
    }
    row
}

/// A row of a table: a material, how many positions, and counts with their shares of them.
pub(crate) fn row(material: impl ToString, positions: u64, counts: &[(&str, u64)]) -> Value {
    row_of(material, ("positions", positions), counts)
}

/// The same of something else than all positions of the material, named for what it is.
pub(crate) fn row_of(
    material: impl ToString,
    (what, number): (&str, u64),
    counts: &[(&str, u64)],
) -> Value {
    let mut row = Map::new();
    row.insert("material".to_owned(), material.to_string().into());
    row.insert(what.to_owned(), number.into());
    row.extend(shares(number, counts));
    Value::Object(row)
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
}
