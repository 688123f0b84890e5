//! Whole materials of four pieces: minutes and gigabytes. `scripts/naive-deep.sh`
//! runs them.

use super::super::solve::Solver;
use super::game::Game;
use super::tables::Tables;
use super::tests::LARGE;

fn deep(id: &str, name: &str) -> [u64; 2] {
    let mut solver = Solver::plain(Game::of(id));
    Tables::make(id, &[name]).compare(&mut solver, name)
}

#[test]
#[ignore = "minutes and gigabytes"]
fn two_kings_against_a_rook() {
    deep("kings", "KKvKR");
    deep("wild9", "KKvKR");
}

#[test]
#[ignore = "minutes and gigabytes"]
fn two_kings_against_two() {
    deep("kings", "KKvKK");
    deep("kings:black-corner=h8,spare-king=duke", "KKvKK");
    deep("wild9", "KKvKK");
}

#[test]
#[ignore = "minutes and gigabytes"]
fn three_pieces_on_the_largest_board() {
    let id = "kings:board=10x10,chancellor=on";
    let mut solver = Solver::plain(Game::of(id));
    let tables = Tables::make(id, LARGE);
    for name in LARGE {
        tables.compare(&mut solver, name);
        let (white, black) = name.split_once('v').unwrap();
        tables.compare(&mut solver, &format!("{black}v{white}"));
    }
}

#[test]
#[ignore = "an hour and gigabytes"]
fn pawn_against_pawn_of_kings() {
    let [_, rights] = deep("kings", "KPvKP");
    assert!(rights > 50_000, "{rights}");
}

#[test]
#[ignore = "an hour and gigabytes"]
fn pawn_against_pawn_of_wild_9() {
    let [_, rights] = deep("wild9", "KPvKP");
    assert!(rights > 50_000, "{rights}");
    deep("wild9", "KKvKP");
    deep("wild9", "KPvKK");
}

#[test]
#[ignore = "minutes and gigabytes"]
fn queen_against_rook_of_extinction() {
    for id in ["extinction-mating", "extinction"] {
        deep(id, "KQvKR");
        deep(id, "QvR");
        deep(id, "RNvR");
    }
}

#[test]
#[ignore = "minutes and gigabytes"]
fn knights_of_extinction() {
    for id in ["extinction-mating", "extinction"] {
        deep(id, "KNNvK");
    }
}

#[test]
#[ignore = "minutes and gigabytes"]
fn two_pawns_of_extinction() {
    for id in ["extinction-mating", "extinction"] {
        deep(id, "KPPvK");
    }
}

#[test]
#[ignore = "minutes and gigabytes"]
fn pawn_against_pawn_of_extinction() {
    for id in ["extinction-mating", "extinction"] {
        let [_, rights] = deep(id, "KPvKP");
        // A lone pawn never stands to be taken (E3).
        assert_eq!(rights > 0, id == "extinction", "{id}");
    }
}

#[test]
#[ignore = "minutes and gigabytes"]
fn the_hill_with_four_pieces() {
    deep("king-of-the-hill", "KQvKR");
    let [_, rights] = deep("king-of-the-hill", "KPvKP");
    assert!(rights > 30_000, "{rights}");
}
