//! What docs/RULES.md shows is so.

use retrograde_rules::{Colour, End};

use crate::chess99::{end_by, game, moves_of, played, position};

const MANUAL: &str = include_str!("../../../docs/RULES.md");

/// The section on Chess 99.
fn section() -> &'static str {
    let (_, rest) = MANUAL.split_once("\n## Chess 99").unwrap();
    rest.split_once("\n## ").unwrap().0
}

/// The cells of the tables' rows, without blanks and backquotes.
fn rows() -> impl Iterator<Item = Vec<&'static str>> {
    let rows = section().lines().filter(|line| line.starts_with('|'));
    rows.map(|row| {
        let cells = row.trim_matches('|').split('|');
        cells.map(|cell| cell.trim().trim_matches('`')).collect()
    })
}

#[test]
fn every_ruling_has_its_heading() {
    for number in 1..=7 {
        assert!(section().contains(&format!("### C{number}. ")), "C{number}");
    }
}

#[test]
fn the_array() {
    let ranks: Vec<String> = section()
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.starts_with(|c: char| c.is_ascii_digit()) && line.len() == 20)
        .map(|line| line[3..].replace(' ', "").replace(".........", "9"))
        .collect();
    let array = format!("{} w - - 0 1", ranks.join("/"));
    assert_eq!(position(&array).fen(), array);
    assert_eq!(ranks[8], "RNBQKABNR");
}

#[test]
fn the_captures_of_the_king() {
    let mut captures = 0;
    for row in rows().filter(|row| row[0].contains('/')) {
        let fen = format!("{} w - -", row[0]);
        let end = end_by(game(), &fen, row[1]).unwrap();
        let expected = match row[2].split(':').next() {
            Some("won") => End::KingCapture,
            _ => End::KingCaptureDraw,
        };
        assert_eq!(end, expected, "{row:?}");
        captures += 1;
    }
    assert_eq!(captures, 4);
}

#[test]
fn the_castling() {
    let mut castlings = 0;
    for row in rows().filter(|row| row[0].len() < 8 && row[0].contains('K')) {
        let with = |rank: &str, turn| format!("k8/9/9/9/9/9/9/9/{rank} {turn} - -");
        if row[1] == "-" {
            let moves = moves_of(&position(&with(row[0], "w")));
            assert!(!moves.iter().any(|name| name.contains('&')), "{moves:?}");
        } else {
            assert_eq!(played(&with(row[0], "w"), row[1]), with(row[2], "b"));
        }
        castlings += 1;
    }
    assert_eq!(castlings, 4);
}

#[test]
fn the_other_positions() {
    let shown = |pieces: &str| {
        assert!(section().contains(&format!("`{pieces}`")), "{pieces}");
        pieces.to_owned()
    };
    let blocked = shown("1k7/1P7/BP7/PP7/KP7/PP7/9/9/9") + " w - -";
    assert_eq!(position(&blocked).end(), Some(End::Blocked));
    let waiting = shown("3P5/9/4k4/9/9/9/9/9/K8") + " w - -";
    assert!(position(&waiting).in_check(Colour::Black));
    assert_eq!(end_by(game(), &waiting, "d9=ne7"), Some(End::KingCapture));
    let promoted = shown("3B5/9/4k4/9/9/9/9/9/K8 b - d8");
    assert!(position(&promoted).ep().is_some());
    assert!(moves_of(&position(&promoted)).contains(&"e7d8*".to_owned()));
}
