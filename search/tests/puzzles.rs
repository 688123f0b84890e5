//! Tests the puzzles of the rules (K), and short classics, for their keys.
//!
//! They are found, and proved to have no other key by a solver that shares nothing with the
//! search.

use std::path::Path;
use std::sync::atomic::AtomicBool;

use crate::common::{mate_within, only_key};
use retrograde_probe::{Dtm, Tablebase, Wdl};
use retrograde_rules::{Game, Position};
use retrograde_search::{Limits, Search};

/// The tables that ship with the project.
fn shipped(game: Game) -> Tablebase {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    Tablebase::open(game, [folder]).expect("the folder is there")
}

fn none(game: Game) -> Tablebase {
    Tablebase::empty(game)
}

#[test]
fn the_puzzles_of_the_rules() {
    let game = Game::parse("kings").unwrap();
    for tables in [none(game), shipped(game)] {
        let mut search = Search::new(&tables, 2, 8 << 20);
        for (fen, plies, key) in [
            ("K7/8/2K5/k7/8/k7/8/R6R w - -", 1, "c6b5"),
            ("K1K5/8/8/k7/8/k7/8/R6R w - -", 3, "h1h7"),
        ] {
            let position = Position::from_fen(game, fen).unwrap();
            let never = AtomicBool::new(false);
            let proof = search.prove(&position, Limits::plies(5), &never).unwrap();
            assert_eq!(proof.wdl, Some(Wdl::Win), "{fen}");
            assert_eq!(proof.dtm, Some(Dtm(plies)));
            let solution = search
                .solution(&position, &proof, Limits::plies(5), &never)
                .unwrap()
                .unwrap();
            let keys: Vec<_> = solution.keys.iter().map(|k| position.uci(k.mv)).collect();
            assert!(solution.is_complete);
            assert_eq!(keys, [key]);
            let line = search
                .line(&position, &proof, Limits::plies(5), &never)
                .unwrap()
                .unwrap();
            assert_eq!(line.moves.len(), plies as usize);
            assert_eq!(position.uci(line.moves[0]), key);
            assert!(line.end.is_some());
            assert_eq!(only_key(&position, plies), key);
        }
        let fen = "3k3R/6R1/8/8/5K2/8/p7/8 b - -";
        let position = Position::from_fen(game, fen).unwrap();
        let never = AtomicBool::new(false);
        let proof = search.prove(&position, Limits::plies(3), &never).unwrap();
        let moves = search
            .moves(&position, &proof, Limits::plies(3), &never)
            .unwrap();
        assert_eq!(moves.len(), 1);
        assert_eq!(moves[0].uci, "a2a1k");
        assert!(!mate_within(&position, 1));
    }
}
