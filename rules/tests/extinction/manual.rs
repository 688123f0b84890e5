//! What docs/RULES.md shows is so.

use retrograde_rules::{End, Position};

use crate::extinction::{BASE, MATING, moves_from, position};

const MANUAL: &str = include_str!("../../../docs/RULES.md");

fn section() -> &'static str {
    let (_, rest) = MANUAL.split_once("\n## Extinction chess").unwrap();
    rest.split_once("\n## ").unwrap().0
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_ruling_has_its_heading() {
    for number in 1..=6 {
        assert!(section().contains(&format!("### E{number}. ")), "E{number}");
    }
}

#[test]
fn the_refused_right() {
    let fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3";
    let error = Position::from_fen(*MATING, fen).unwrap_err();
    let shown = words(&format!("{fen} {error}"));
    assert!(words(section()).contains(&shown), "{error}");
}

#[test]
fn the_positions_in_the_text() {
    let shown = |fen: &'static str| {
        assert!(section().contains(&format!("`{fen}`")), "{fen}");
        fen
    };
    let fen = shown("3r4/6P1/8/8/7r/7k/1P6/K2Q4 w - -");
    assert_eq!(moves_from(*MATING, fen, "g7"), ["g7g8q"]);
    let fen = shown("4k3/8/8/8/3p4/8/4P3/4K3 w - -");
    assert!(moves_from(*MATING, fen, "e2").is_empty());
    let fen = shown("k1q5/8/1N6/8/8/8/8/K7 b - -");
    let end = position(*MATING, fen).end();
    assert_eq!(end, Some(End::Checkmate));
    let fen = shown("8/P7/8/8/8/8/8/k7 w - -");
    let end = position(*MATING, fen).end();
    assert_eq!(end, Some(End::Stalemate { winner: None }));
    let at = position(*BASE, fen);
    assert!(at.legal_moves().iter().all(|&mv| {
        let after = at.play(mv);
        let winner = after.end().and_then(|end| end.winner(after.turn()));
        winner == Some(at.turn().other())
    }));
}
