//! Counts what claims count once more with the naive interpreter, which shares no code with the
//! rules, the index and the tables.

use std::collections::HashMap;

use retrograde_oracle::{Category, Game as Naive, Solver};
use serde_json::Value;

use super::doctored::copy;
use super::{answer, answer_of, game};

/// The values of all positions of a material without a right to capture en passant, by placement
/// and side to move.
fn solved(id: &str, material: &str) -> HashMap<String, Category> {
    let built_in = |name: &str| Some(game(name).definition().to_owned());
    let naive = Naive::read(game(id).definition(), &built_in, &[]).unwrap();
    let solver = Solver::new(&naive);
    let table = solver.solve(material).unwrap();
    let positions = table.positions().filter_map(|(fen, value)| {
        let fields: Vec<&str> = fen.split(' ').collect();
        (fields[3] == "-").then(|| (fields[..2].join(" "), value.category))
    });
    positions.collect()
}

/// The row of a material in the figures of an answer.
fn row(figures: &serde_json::Map<String, Value>, list: &str, material: &str) -> Value {
    let mut rows = figures[list].as_array().unwrap().iter();
    rows.find(|row| row["material"] == material)
        .unwrap()
        .clone()
}

fn is_decided(category: Category) -> bool {
    category != Category::Draw
}

/// The results of two games on the placements that are positions of both.
fn pairs(first: &str, second: &str, material: &str) -> Vec<(Category, Category)> {
    let there = solved(second, material);
    let here = solved(first, material).into_iter();
    here.filter_map(|(position, value)| Some((value, *there.get(&position)?)))
        .collect()
}

#[test]
fn hc13_of_a_rook() {
    let row = row(&answer("HC13").figures, "by_class", "KRvK");
    let pairs = pairs("king-of-the-hill", "orthodox", "KRvK");
    let drawn = pairs.iter().filter(|(_, there)| !is_decided(*there));
    let no_longer = drawn.clone().filter(|(here, _)| is_decided(*here));
    assert_eq!(row["positions"], pairs.len());
    assert_eq!(row["drawn_in_orthodox"], drawn.clone().count());
    assert_eq!(row["orthodox_draws_decided"], no_longer.count());
}

#[test]
fn ex1_and_ex5_of_a_queen() {
    let row_of = |tag| row(&answer(tag).figures, "by_class", "KQvK");
    let pairs = pairs("extinction-mating", "extinction", "KQvK");
    let changed = pairs.iter().filter(|(here, there)| here != there);
    assert_eq!(row_of("EX-1")["positions"], pairs.len());
    assert_eq!(row_of("EX-1")["other_value"], changed.count());
    // A lone king draws by stalemate alone.
    let stalemates = pairs.iter().filter(|(here, _)| !is_decided(*here));
    let lost = stalemates
        .clone()
        .filter(|(_, there)| *there == Category::Loss);
    assert_eq!(row_of("EX-5")["stalemates"], stalemates.clone().count());
    assert_eq!(row_of("EX-5")["lost"], lost.count());
}

#[test]
fn k4_of_two_kings() {
    let outcome = answer_of("K-4", 3, None, |library| {
        copy(library, "kings", "kings:no-progress=100", |_, wdl| wdl);
    });
    let solved = solved("kings", "KKvK");
    let won = solved
        .iter()
        .filter(|(position, category)| match position.ends_with('w') {
            true => **category == Category::Win,
            false => **category == Category::Loss,
        });
    let row = row(&outcome.figures, "by_class", "KKvK");
    assert_eq!(row["positions"], solved.len());
    assert_eq!(row["wins"], won.count());
}

#[test]
fn c99_3_of_a_knight() {
    let solved = solved("chess99", "KNvK");
    let won = solved
        .iter()
        .filter(|(position, category)| match position.ends_with('w') {
            true => **category == Category::Win,
            false => **category == Category::Loss,
        });
    let row = row(&answer("C99-3").figures, "by_class", "KNvK");
    assert_eq!(row["positions"], solved.len());
    assert_eq!(row["won"], won.count());
}
