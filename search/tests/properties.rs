//! Tests that answers depend on neither threads nor memory, and lines lead to what they promise.
//!
//! That is so whatever the position.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proptest::prelude::*;
use retrograde_probe::{Dtm, Tablebase, Wdl};
use retrograde_rules::{Game, Position};
use retrograde_search::{Limits, Proof, Search, Stop};

/// A position that a game may reach from its array.
fn position(game: Game, choices: &[u16]) -> Position {
    let mut position = game.array();
    for &choice in choices {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position = position.play(moves[usize::from(choice) % moves.len()]);
    }
    position
}

fn games() -> impl Strategy<Value = Game> {
    let others = ["high-chess:vitality=2", "kings:spare-king=queen"];
    let others = others.map(|id| Game::parse(id).expect(id));
    let all: Vec<Game> = Game::all().iter().copied().chain(others).collect();
    prop::sample::select(all)
}

fn prove(game: Game, position: &Position, limits: Limits, threads: usize, memory: u64) -> Proof {
    let tables = Tablebase::empty(game);
    let mut search = Search::new(&tables, threads, memory);
    let never = AtomicBool::new(false);
    let proof = search.prove(position, limits, &never).expect("no table");
    let line = search
        .line(position, &proof, limits, &never)
        .expect("no table");
    let Some(line) = line else { return proof };
    let mut end = *position;
    for mv in &line.moves {
        assert!(end.legal_moves().contains(mv));
        end = end.play(*mv);
    }
    assert_eq!(end.end(), line.end);
    if let (Some(winner), Some(Dtm(depth))) = (proof.winner(), proof.dtm) {
        assert_eq!(line.end.and_then(|e| e.winner(end.turn())), Some(winner));
        assert_eq!(line.moves.len() as u32, depth);
    }
    proof
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, ..ProptestConfig::default() })]

    #[test]
    fn threads_and_memory_make_no_difference(
        game in games(),
        choices in prop::collection::vec(any::<u16>(), 0..200),
    ) {
        let position = position(game, &choices);
        let limits = Limits::plies(2);
        let mut one = prove(game, &position, limits, 1, 1 << 20);
        let mut two = prove(game, &position, limits, 2, 1);
        (one.nodes, two.nodes) = (0, 0);
        prop_assert_eq!(one, two);
        prop_assert!(one.at_least >= one.at_most);
    }

    #[test]
    fn nodes_are_a_limit(
        game in games(),
        choices in prop::collection::vec(any::<u16>(), 0..200),
        nodes in 1u64..3000,
    ) {
        let position = position(game, &choices);
        let limits = Limits { nodes: Some(nodes), ..Limits::plies(Limits::MOST_PLIES) };
        let first = prove(game, &position, limits, 2, 1 << 20);
        prop_assert_eq!(first, prove(game, &position, limits, 3, 1 << 20));
        prop_assert!(first.nodes <= nodes);
        let is_settled = first.wdl.is_some();
        prop_assert!(is_settled || first.stop == Some(Stop::Nodes));
    }
}

#[test]
fn an_interrupted_search_says_what_it_knows() {
    let game = Game::default();
    let tables = Tablebase::empty(game);
    let mut search = Search::new(&tables, 2, 1 << 20);
    let limits = Limits::plies(9);
    let proof = search
        .prove(&game.array(), limits, &AtomicBool::new(true))
        .expect("no table");
    assert_eq!(proof.stop, Some(Stop::Interrupted));
    assert_eq!(proof.wdl, None);
}

#[test]
fn any_time_may_be_allowed() {
    let game = Game::default();
    let tables = Tablebase::empty(game);
    let mut search = Search::new(&tables, 1, 1 << 20);
    let limits = Limits {
        time: Some(Duration::MAX),
        ..Limits::plies(1)
    };
    let never = AtomicBool::new(false);
    let proof = search.prove(&game.array(), limits, &never);
    let proof = proof.expect("no table");
    let moves = search.moves(&game.array(), &proof, limits, &never);
    assert_eq!(moves.expect("no table").len(), 20);
}

/// Finished games, castling rights and e.p. rights need no tables, and games
/// that have them are searched like others.
#[test]
fn odd_positions() {
    let never = AtomicBool::new(false);
    for (game, fen, plies, category, depth) in [
        (
            "orthodox",
            "7k/8/8/8/8/8/5PPP/r5K1 w - -",
            0,
            Wdl::Loss,
            Some(0),
        ),
        ("orthodox", "7k/5Q2/6K1/8/8/8/8/8 b - -", 0, Wdl::Draw, None),
        // Castling is one of the ways.
        (
            "orthodox",
            "k7/7R/8/8/8/8/8/4K2R w K -",
            3,
            Wdl::Win,
            Some(3),
        ),
        // The mate on the hundredth ply counts, the one after it does not (O7).
        (
            "orthodox",
            "k7/8/1K6/8/8/8/8/7R w - - 99 80",
            3,
            Wdl::Win,
            Some(1),
        ),
        (
            "orthodox",
            "k7/8/1K6/8/8/8/8/7R w - - 100 80",
            3,
            Wdl::CursedWin,
            Some(1),
        ),
        (
            "orthodox",
            "k7/8/1K6/8/8/8/8/7R b - - 99 80",
            4,
            Wdl::BlessedLoss,
            Some(2),
        ),
        (
            "orthodox",
            "k7/8/1K6/8/8/8/8/7R b - - 98 80",
            4,
            Wdl::Loss,
            Some(2),
        ),
        // A last promotion loses (E6).
        (
            "extinction",
            "8/P7/8/8/8/8/8/6k1 w - -",
            2,
            Wdl::Loss,
            Some(1),
        ),
        (
            "king-of-the-hill",
            "8/8/8/8/8/2K5/8/6k1 b - -",
            2,
            Wdl::Loss,
            Some(2),
        ),
        (
            "chess99",
            "9/9/9/9/9/9/4k4/4K4/4A4 b - -",
            1,
            Wdl::Win,
            Some(1),
        ),
        // The last point is spent on the next quiet turn (H6).
        (
            "high-chess",
            "8/8/8/3k4/8/8/8/K7 w - - 1+50",
            1,
            Wdl::Loss,
            None,
        ),
    ] {
        let game = Game::parse(game).expect(game);
        let position = Position::from_fen(game, fen).expect(fen);
        let tables = Tablebase::empty(game);
        let mut search = Search::new(&tables, 1, 1 << 20);
        let proof = search
            .prove(&position, Limits::plies(plies), &never)
            .expect(fen);
        assert_eq!(
            (proof.wdl, proof.dtm),
            (Some(category), depth.map(Dtm)),
            "{fen}"
        );
    }
}
