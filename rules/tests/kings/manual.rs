//! What docs/RULES.md shows is so.

use retrograde_rules::{End, Game, Material};

use crate::kings::{game, moves_from, position, royals};

const MANUAL: &str = include_str!("../../../docs/RULES.md");

fn section() -> &'static str {
    let (_, rest) = MANUAL.split_once("\n## Kings and wild 9").unwrap();
    rest.split_once("\n## ").unwrap().0
}

#[test]
fn every_ruling_has_its_heading() {
    for number in 1..=7 {
        assert!(section().contains(&format!("### K{number}. ")), "K{number}");
    }
}

#[test]
fn the_table_of_royal_kings() {
    let mut fen = "";
    let mut rows = 0;
    for row in section().lines().filter(|line| line.starts_with('|')) {
        let cells: Vec<&str> = row
            .split('|')
            .map(|cell| cell.trim().trim_matches('`'))
            .collect();
        if cells[1].ends_with("w - -") {
            fen = cells[1];
        } else if cells[1] != "the same" {
            continue;
        }
        let game = game(cells[2]);
        let found = royals(game, &position(game, fen));
        assert_eq!(found, [vec![cells[3]], vec![cells[4]]], "{row}");
        rows += 1;
    }
    assert_eq!(rows, 4);
}

#[test]
fn wild_9_is_kings_with_options() {
    assert!(section().contains("`wild9` is `kings:promote-to-king=off,tie-break=rank1`"));
}

#[test]
fn the_positions_in_the_text() {
    let kings = game("kings");
    let shown = |fen: &str| {
        assert!(section().contains(&format!("`{fen}`")), "{fen}");
        position(kings, fen)
    };
    let fen = "7k/8/8/2K5/8/8/8/3K3r w - -";
    shown(fen);
    assert!(
        !moves_from(kings, fen, "c5")
            .iter()
            .any(|mv| mv.starts_with("c5d"))
    );
    let others = ["d1c2", "d1d2", "d1e1", "d1e2"];
    assert_eq!(moves_from(kings, fen, "d1"), others);
    let at = shown("K7/8/2K5/k7/8/k7/8/R6R w - -");
    let mates: Vec<String> = at
        .legal_moves()
        .iter()
        .filter(|&&mv| at.play(mv).end() == Some(End::Checkmate))
        .map(|&mv| at.san(mv))
        .collect();
    assert_eq!(mates, ["Kb5#"]);
    let at = shown("3k3R/6R1/8/8/5K2/8/p7/8 b - -");
    assert_eq!(at.legal_moves().len(), 1);
    shown("7k/8/8/8/8/1K6/6K1/8 w - -");
}

#[test]
fn the_table_of_larger_boards() {
    let mut arrays = 0;
    for row in section().lines().filter(|line| line.starts_with("| `10x")) {
        let texts: Vec<&str> = row.split('`').skip(1).step_by(2).collect();
        let kings = game(&format!("kings:board={},chancellor=on", texts[0]));
        let array = position(kings, texts[1]);
        assert_eq!(array.board().occupied().len(), 40);
        let home = format!("ranks {} and", kings.pawn_home() + 1);
        assert!(row.contains(&home), "{row}");
        arrays += 1;
    }
    assert_eq!(arrays, 2);
}

#[test]
fn the_table_of_swapped_colours() {
    use retrograde_rules::Interchange::{HalfTurn, MirrorFiles, MirrorRanks, Never, Plain};
    let (_, rest) = MANUAL.split_once("## What may be mirrored").unwrap();
    let mut ids = 0;
    for row in rest.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        let (with_pawns, without) = match cells[2] {
            "the ranks" => (MirrorRanks, MirrorRanks),
            "a half-turn" => (HalfTurn, HalfTurn),
            text if text.starts_with("nothing else") => (Never, Plain),
            text if text.starts_with("the files") => (Never, MirrorFiles),
            text => panic!("{text}"),
        };
        for id in cells[1].split('`').skip(1).step_by(2) {
            let game = Game::parse(id).unwrap();
            for (name, expected) in [("KKPvK", with_pawns), ("KKvK", without)] {
                let material = Material::parse(game, name).unwrap();
                assert_eq!(game.interchange(&material), expected, "{id} {name}");
            }
            ids += 1;
        }
    }
    assert_eq!(ids, 5);
}
