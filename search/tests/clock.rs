//! Tests that play found by search keeps its category near the limit of the fifty-move rule.

use std::sync::atomic::AtomicBool;

use retrograde_probe::{Dtz, Tablebase, Wdl};
use retrograde_rules::{Game, Position};
use retrograde_search::{Limits, Search};

use crate::soundness::{Random, materials, shipped, three_men};

static NEVER: AtomicBool = AtomicBool::new(false);

fn position(fen: &str) -> Position {
    Position::from_fen(Game::default(), fen).expect(fen)
}

/// The line that a search finds, as UCI text, and the keys.
fn line_and_keys(fen: &str, plies: u16) -> (Vec<String>, Option<usize>) {
    let (position, tables) = (position(fen), three_men(Game::default()));
    let mut search = Search::new(&tables, 1, 16 << 20);
    let limits = Limits::plies(plies);
    let proof = search.prove(&position, limits, &NEVER).expect(fen);
    let line = search.line(&position, &proof, limits, &NEVER).expect(fen);
    let line = line.expect("the limits are wide");
    let solution = search.solution(&position, &proof, limits, &NEVER);
    let mut after = position;
    let uci = line.moves.iter().map(|&mv| {
        let uci = after.uci(mv);
        after = after.play(mv);
        uci
    });
    (
        uci.collect(),
        solution.expect(fen).map(|found| found.keys.len()),
    )
}

#[test]
fn a_capture_wins_where_the_shortest_mate_comes_too_late() {
    for (fen, first) in [
        ("8/4k3/8/5K2/4p3/2Q5/8/8 w - - 99 60", "f5e4"),
        // The draw can be claimed already, but not after a capture.
        ("8/4k3/8/5K2/4p3/2Q5/8/8 w - - 100 60", "f5e4"),
        ("1Q2b3/8/8/8/4K3/8/8/7k w - - 95 60", "b8e8"),
    ] {
        let (line, keys) = line_and_keys(fen, 7);
        assert_eq!(line[0], first, "{fen}");
        assert_eq!(keys, None, "{fen}: the mate comes too late");
    }
}

#[test]
fn a_mate_in_time_is_the_shortest() {
    // The capture makes it come in time.
    let (line, keys) = line_and_keys("7k/1n6/R7/1R6/8/8/8/K7 w - - 99 60", 3);
    assert_eq!((line[0].as_str(), keys), ("b5b7", Some(1)));
    let (line, keys) = line_and_keys("8/4k3/8/5K2/4p3/2Q5/8/8 w - - 95 60", 7);
    assert_eq!((line[0].as_str(), keys), ("c3c7", Some(1)));
}

/// Positions of four men with tables of three men, by the tables of four men.
#[test]
fn lines_keep_the_category() {
    const PLIES: u16 = 5;
    let tables = Tablebase::open(Game::default(), [shipped()]).expect("they ship");
    let given = three_men(Game::default());
    let mut search = Search::new(&given, 1, 16 << 20);
    let mut random = Random(0x0c10c);
    let mut seen = [0; 2];
    for material in materials(&tables, 4) {
        for _ in 0..60 {
            let mut setup = random.position(Game::default(), &material).setup();
            setup.halfmoves = 90 + random.below(10) as u32;
            let position = Position::new(Game::default(), &setup).expect("only the clock changed");
            let fen = position.fen();
            // No search as short proves who wins otherwise.
            let truth = tables.value(&position).expect(&fen);
            if truth.dtz.is_none_or(|Dtz(plies)| plies > PLIES.into()) {
                continue;
            }
            let limits = Limits::plies(PLIES);
            let proof = search.prove(&position, limits, &NEVER).expect(&fen);
            let Some(wdl) = proof.wdl.filter(|&wdl| wdl != Wdl::Draw) else {
                continue;
            };
            seen[usize::from(wdl.is_cursed())] += 1;
            let line = search.line(&position, &proof, limits, &NEVER).expect(&fen);
            let line = line.expect("the limits are wide");
            let (mut after, mut wdl) = (position, wdl);
            for mv in line.moves {
                after = after.play(mv);
                wdl = wdl.reversed();
                // What can be claimed does not bind those who play on (O7).
                if after.halfmoves() >= 100 {
                    break;
                }
                let truth = tables.probe(&after).expect(&fen).value.wdl;
                assert_eq!(truth, wdl, "{fen}: {}", after.fen());
            }
            assert!(line.end.is_some() || after.halfmoves() >= 100, "{fen}");
        }
    }
    assert!(seen.iter().all(|&count| count >= 20), "{seen:?}");
}
