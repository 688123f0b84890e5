//! What docs/RULES.md shows is so.

use retrograde_rules::{Colour, End, Game, Position, Setup};

use crate::high_chess::{game, played, position, rules};

const MANUAL: &str = include_str!("../../../docs/RULES.md");

/// The section on High Chess.
fn section() -> &'static str {
    let (_, rest) = MANUAL.split_once("\n## High Chess").unwrap();
    rest.split_once("\n## ").unwrap().0
}

#[test]
fn every_ruling_has_its_heading() {
    for number in 1..=8 {
        assert!(section().contains(&format!("### H{number}. ")), "H{number}");
    }
}

#[test]
fn the_board_of_distances() {
    let rows = section()
        .lines()
        .filter_map(|line| line.strip_prefix("    "))
        .filter(|line| line.len() == 17 && line.starts_with(|c: char| c.is_ascii_digit()));
    let mut squares = 0;
    for row in rows {
        let cells: Vec<u8> = row.split(' ').map(|cell| cell.parse().unwrap()).collect();
        for (file, &steps) in cells[1..].iter().enumerate() {
            let square = game().geometry().square(file as u8, cells[0] - 1);
            assert_eq!(rules().distance(square), steps);
            squares += 1;
        }
    }
    assert_eq!(squares, 64);
}

#[test]
fn the_table_of_turns() {
    let mut fen = "";
    let mut turns = 0;
    for row in section().lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (diagram, mv) = (cells[1].trim_matches('`'), cells[2].trim_matches('`'));
        if diagram.ends_with('9') || diagram.ends_with('3') {
            fen = diagram;
        } else if diagram != "the same" {
            continue;
        }
        let uci = if mv == "pass" { "0000" } else { mv };
        let (after, _) = played(&position(fen), uci);
        let points: u8 = cells[4].parse().unwrap();
        assert_eq!(after.vitality().unwrap().white, points, "{row}");
        turns += 1;
    }
    assert_eq!(turns, 4);
}

#[test]
fn the_mate_with_the_last_point() {
    let fen = "3k4/R7/8/8/8/8/8/KR6 w - - 1+1";
    assert!(section().contains(fen));
    let at = position(fen);
    for &mv in &at.legal_moves() {
        let after = at.play(mv);
        let (end, winner) = match at.san(mv).as_str() {
            "Rb8#" => (Some(End::Checkmate), Some(Colour::White)),
            "Kb2" => (None, None),
            _ => (Some(End::Exhaustion), Some(Colour::Black)),
        };
        assert_eq!(after.end(), end);
        assert_eq!(end.and_then(|end| end.winner(after.turn())), winner);
    }
}

#[test]
fn the_pinned_pawn_that_stands_to_take() {
    let diagram = "8/8/8/K2pP2r/8/8/8/7k w - d6";
    assert!(section().contains(diagram));
    assert!(position(diagram).ep().is_some());
    let orthodox = Position::from_fen(Game::default(), diagram).unwrap();
    assert_eq!(orthodox.ep(), None);
}

#[test]
fn the_refused_counters() {
    let fen = "8/8/8/3k4/8/8/8/K6R w - - 50+51 0 1";
    let error = Setup::from_fen(game(), fen).unwrap_err();
    let words = |text: &str| -> String { text.split_whitespace().collect::<Vec<_>>().join(" ") };
    assert!(
        words(section()).contains(&words(&format!("{fen} {error}"))),
        "{error}"
    );
}
