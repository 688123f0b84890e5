//! Tests that the search finds and proves the keys of classic mate problems, without tables.
//!
//! They are bare FENs. A solver that does nothing clever proves that there is no other key.

use std::sync::atomic::AtomicBool;

use crate::common::{mate_within, only_key};
use retrograde_probe::{Dtm, Tablebase, Wdl};
use retrograde_rules::{Game, Position};
use retrograde_search::{Limits, Search};

/// A problem: the position, in how many moves White mates, and the only key.
type Problem = (&'static str, u32, &'static str);

/// Problems that the plain solver proves in a few seconds.
const SHORT: [Problem; 8] = [
    // S. Loyd, Chess Monthly 1859, Charles XII at Bender.
    ("8/6R1/7p/5K1k/8/6p1/5bPP/4N3 w - -", 3, "g7g3"),
    // The same after the first bullet, and after the second.
    ("8/6R1/7p/5K1k/8/6p1/5bPP/8 w - -", 4, "h2g3"),
    ("8/6R1/7p/5K1k/8/6p1/5bP1/8 w - -", 5, "g7b7"),
    // S. Loyd, 1876: the pawn becomes a knight.
    ("b7/PP6/8/8/7K/6B1/6N1/4R1bk w - -", 3, "b7a8n"),
    // C. A. L. Bull, Casopis Ceskych Sachistu 1923.
    ("7n/1p2N1K1/n2Qp3/6N1/2k3p1/8/8/1R6 w - -", 3, "d6a3"),
    // Problems that solvers of mates have long been tried on.
    ("7B/3K2N1/5k2/4b2B/8/5P1N/8/8 w - -", 3, "h5e8"),
    ("7k/3NPn2/8/4N2K/8/8/q7/8 w - -", 3, "e5g6"),
    ("4N2k/1n2N2p/5Kpp/5p2/8/1b6/1B4n1/8 w - -", 3, "f6e5"),
];

/// Problems that take longer.
const LONG: [Problem; 5] = [
    // F. Amelung's addition to Charles XII: the first bullet takes the rook.
    ("8/8/7p/5K1k/8/6p1/5bPP/4N3 w - -", 6, "e1f3"),
    // S. Loyd, London Era 1861, Excelsior.
    ("n1rb4/1p3p1p/1p6/1R5K/8/p3p1PN/1PP1R3/N6k w - -", 5, "b2b4"),
    ("k1r2q2/ppp5/6Qp/2P5/B7/5n2/5P2/1R5K w - -", 4, "g6a6"),
    ("8/1bp4B/2kbK3/Pp1R1N2/3P4/2n5/4p3/2r5 w - -", 4, "f5e7"),
    (
        "4brkn/4bp1p/3q2pP/8/2B3N1/1P4N1/2PP3P/1K2Q3 w - -",
        4,
        "e1e7",
    ),
];

/// The search finds the mate, proves that there is no shorter one, and goes the
/// published way.
fn search(problems: &[Problem]) {
    let game = Game::default();
    let tables = Tablebase::empty(game);
    let mut search = Search::new(&tables, 2, 256 << 20);
    let never = AtomicBool::new(false);
    for &(fen, moves, key) in problems {
        let position = Position::from_fen(game, fen).expect(fen);
        let plies = 2 * moves - 1;
        let limits = Limits::plies(plies as u16);
        let proof = search.prove(&position, limits, &never).expect(fen);
        assert_eq!(proof.wdl, Some(Wdl::Win), "{fen}");
        assert_eq!(proof.dtm, Some(Dtm(plies)), "{fen}");
        let shallow = Limits::plies(plies as u16 - 1);
        let shallow = search.prove(&position, shallow, &never).expect(fen);
        assert_eq!(shallow.wdl, None, "{fen}");
        let line = search.line(&position, &proof, limits, &never);
        let line = line.expect(fen).expect(fen);
        assert_eq!(line.moves.len() as u32, plies, "{fen}");
        assert_eq!(position.uci(line.moves[0]), key, "{fen}");
        let solution = search.solution(&position, &proof, limits, &never);
        let solution = solution.expect(fen).expect(fen);
        let keys: Vec<_> = solution.keys.iter().map(|k| position.uci(k.mv)).collect();
        assert_eq!(keys, [key], "{fen}");
        assert_eq!(solution.is_complete, moves <= 4);
    }
}

/// The plain solver agrees.
fn prove(problems: &[Problem]) {
    let game = Game::default();
    for &(fen, moves, key) in problems {
        let position = Position::from_fen(game, fen).expect(fen);
        let plies = 2 * moves - 1;
        assert!(!mate_within(&position, plies - 2), "{fen}");
        assert_eq!(only_key(&position, plies), key, "{fen}");
    }
}

#[test]
fn short_problems_are_found() {
    search(&SHORT);
    search(&LONG[..1]);
}

#[test]
fn short_problems_have_one_key() {
    prove(&SHORT);
}

#[test]
#[ignore = "takes a minute"]
fn long_problems_are_found() {
    search(&LONG);
}

#[test]
#[ignore = "takes half a minute"]
fn long_problems_have_one_key() {
    prove(&LONG);
}
