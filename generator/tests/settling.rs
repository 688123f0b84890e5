//! What captures and promotions are worth by the solver, against a search of every position.

use crate::common::make;
use retrograde::settle::settled_numbers;
use retrograde_probe::{Index, Tablebase, Wdl, settled_number};
use retrograde_rules::{Colour, Game, Material, Position, Square};

/// By the rules and the values of the positions after the moves.
fn searched(tables: &Tablebase, position: &Position) -> Option<Wdl> {
    let moves = position.legal_moves();
    let settling = moves
        .iter()
        .filter(|mv| mv.captured.is_some() || mv.promotion.is_some());
    settling
        .map(|&mv| tables.wdl(&position.play(mv)).unwrap().reversed())
        .min()
}

/// Compares at about so many indices of each material for each side to move, or at all.
fn compare(id: &str, names: &[&str], most: u64) {
    let game = Game::parse(id).unwrap();
    let folder = tempfile::tempdir().unwrap();
    make(game, folder.path(), names, None);
    let tables = Tablebase::open(game, [folder.path()]).unwrap();
    for name in names {
        compare_one(&tables, &Material::parse(game, name).unwrap(), most);
    }
}

fn compare_one(tables: &Tablebase, material: &Material, most: u64) {
    let game = tables.game();
    let index = Index::new(game, material).unwrap();
    let numbers = settled_numbers(tables, &index).unwrap();
    let mut squares = vec![Square(0); index.pieces()];
    for (turn, numbers) in Colour::BOTH.into_iter().zip(numbers) {
        assert_eq!(numbers.len() as u64, index.len());
        // Prime to 64 and 81, so that all squares have their turn.
        let step = (1..)
            .map(|n| 6 * n - 5)
            .find(|step| index.len().div_ceil(*step) <= most);
        let step = step.unwrap() as usize;
        for (idx, &number) in numbers.iter().enumerate().step_by(step) {
            let idx = idx as u64;
            let is_first = index.decode(idx, &mut squares) && index.is_canonical(idx);
            let pieces = material.pieces().zip(squares.iter().copied());
            let position = is_first
                .then(|| Position::from_pieces(game, pieces, turn))
                .flatten();
            let best = position.as_ref().map(|position| searched(tables, position));
            let fen = || position.as_ref().map(Position::fen);
            assert_eq!(
                number,
                settled_number(best),
                "{material} {:?} {best:?}",
                fen()
            );
        }
    }
}

const SOME: u64 = 200_000;

#[test]
fn orthodox() {
    compare("orthodox", &["KPvKN"], SOME);
    compare("king-of-the-hill", &["KPvK", "KNvKN"], SOME);
}

#[test]
fn several_kings() {
    compare("kings", &["KKvKN"], SOME);
    compare("wild9", &["KKvK", "KPvK"], SOME);
}

#[test]
fn kings_are_captured() {
    compare("chess99", &["KPvK", "KvKB", "KNvKB"], SOME);
    compare("extinction", &["KKvK", "NvPN"], SOME);
    compare("extinction-mating", &["KKvK", "KPvK"], SOME);
}

#[test]
#[ignore = "takes a minute"]
fn every_index_of_four_men() {
    compare("orthodox", &["KPvKN"], u64::MAX);
    compare("king-of-the-hill", &["KNvKN"], u64::MAX);
    compare("kings", &["KKvKN"], u64::MAX);
    compare("chess99", &["KNvKB"], u64::MAX);
    compare("extinction", &["NvPN"], u64::MAX);
}
