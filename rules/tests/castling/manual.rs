//! What docs/RULES.md shows is so.

use crate::castling::game;

const MANUAL: &str = include_str!("../../../docs/RULES.md");

fn section() -> &'static str {
    let (_, rest) = MANUAL.split_once("\n## Castling in whole games").unwrap();
    rest.split_once("\n## ").unwrap().0
}

#[test]
fn every_ruling_has_its_heading() {
    for number in 1..=4 {
        assert!(section().contains(&format!("### X{number}. ")), "X{number}");
    }
}

#[test]
fn the_table_of_arrays() {
    let mut ids = 0;
    for row in section().lines().filter(|line| line.starts_with("| `")) {
        let mut cells = row.split('|').skip(1);
        let (names, array) = (cells.next().unwrap(), cells.next().unwrap());
        let array = array.trim().trim_matches('`');
        for id in names.split('`').skip(1).step_by(2) {
            let fen = game(id).array().fen();
            assert_eq!(fen, format!("{array} 0 1"), "{id}");
            ids += 1;
        }
    }
    assert!(ids >= 7, "{ids}");
}
