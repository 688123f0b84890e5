//! Compares the longest wins that the solver finds with published ones of orthodox chess.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::HashMap;
use std::sync::Arc;

use retrograde_rules::{Colour, Game, Material};
use retrograde_solve::{Count, Depths, Solution, Successor, solve};

/// Solves a material and, first, every material it needs, in memory.
fn solve_all(name: &str) -> Solution {
    fn smaller(material: &Material, found: &mut HashMap<Material, Arc<Successor>>) {
        for exit in retrograde_solve::successors(Game::default(), material) {
            if found.contains_key(&exit) {
                continue;
            }
            let solved = if exit.len() == 2 {
                Successor::drawn(Game::default(), &exit)
            } else {
                smaller(&exit, found);
                let solution = solve(Game::default(), &exit, Count::ToMate, &|m| {
                    found.get(m).cloned()
                })
                .unwrap();
                Successor::new(Game::default(), solution.index(), &depths(&solution))
            };
            found.insert(exit, Arc::new(solved.unwrap()));
        }
    }
    let material = Material::parse(Game::default(), name).unwrap();
    let mut found = HashMap::new();
    smaller(&material, &mut found);
    solve(Game::default(), &material, Count::ToMate, &|m| {
        found.get(m).cloned()
    })
    .unwrap()
}

/// The depths of a solution, by side to move.
fn depths(solution: &Solution) -> Depths {
    let reader = solution.depths(solution.index());
    Colour::BOTH.map(|turn| {
        let mut out = vec![0; solution.index().len() as usize];
        reader.fill(turn, 0..solution.index().len(), &mut out);
        out
    })
}

/// The longest win in moves of either side.
fn longest(name: &str) -> usize {
    let most = depths(&solve_all(name))
        .into_iter()
        .flatten()
        .max()
        .unwrap();
    (most as usize).div_ceil(2)
}

#[test]
fn three_and_four_pieces_have_their_known_depths() {
    for (name, moves) in [
        ("KQvK", 10),
        ("KRvK", 16),
        ("KPvK", 28),
        ("KBvK", 0),
        ("KBNvK", 33),
        ("KBBvK", 19),
        ("KQvKR", 35),
        ("KRvKB", 29),
        ("KRvKN", 40),
        ("KQvKP", 29),
        ("KPvKP", 33),
    ] {
        assert_eq!(longest(name), moves, "{name}");
    }
}

#[test]
fn four_pieces_have_their_known_distances() {
    // Those of the Syzygy tables (scripts/run crosscheck tables).
    for (name, plies) in [("KBNvK", 66), ("KQvKR", 62), ("KRvKB", 36), ("KRvKN", 54)] {
        let longest = solve_all(name).zeroing(None, 100).unwrap().longest();
        assert_eq!((longest.real, longest.cursed), (plies, None), "{name}");
    }
}

/// Published depths to mate. Each material takes some CPU seconds and 400 MB.
#[test]
#[ignore = "a minute; scripts/run long depths runs it"]
fn five_pieces_have_their_known_depths() {
    for (name, moves) in [("KBBvKN", 78), ("KRBvKR", 65), ("KQRvKQ", 67)] {
        assert_eq!(longest(name), moves, "{name}");
    }
}
