//! Tests draws because a side can go on for ever.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use retrograde_probe::{Tablebase, Wdl};
use retrograde_rules::{Game, Position};
use retrograde_search::{Limits, Proof, Search};

fn prove(game: &str, fen: &str, limits: Limits) -> Proof {
    let game = Game::parse(game).expect("there is such a game");
    let tables = Tablebase::empty(game);
    let mut search = Search::new(&tables, 2, 64 << 20);
    let position = Position::from_fen(game, fen).expect(fen);
    search
        .prove(&position, limits, &AtomicBool::new(false))
        .expect("there is no table to be wrong")
}

/// The king is checked from e8 and h5 in turn; everything else loses.
#[test]
fn perpetual_check() {
    let fen = "6k1/6p1/5p2/7Q/8/8/rq6/7K w - - 0 1";
    let proof = prove("orthodox", fen, Limits::plies(3));
    assert_eq!(proof.at_least, Wdl::Draw);
}

/// No king can pass, and no pawn can move.
#[test]
fn blocked_pawns() {
    for (game, fen) in [
        ("orthodox", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1"),
        ("orthodox", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 b - - 90 80"),
        (
            "king-of-the-hill",
            "4k3/8/p1p1p1p1/P1P1P1P1/8/8/8/4K3 b - - 0 1",
        ),
    ] {
        let proof = prove(game, fen, Limits::plies(3));
        let is_hill = game == "king-of-the-hill";
        // There White's king is on the hill before Black's.
        let expected = (!is_hill).then_some(Wdl::Draw);
        assert_eq!(proof.wdl.filter(|&wdl| wdl == Wdl::Draw), expected, "{fen}");
    }
    // Where a pawn is missing, there is a way through, or may be.
    let fen = "4k3/8/8/p1p1p3/P1P1P1P1/8/8/4K3 w - - 0 1";
    assert_eq!(prove("orthodox", fen, Limits::plies(3)).wdl, None);
}

/// The limits hold.
#[test]
fn it_ends_in_time() {
    let fen = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1";
    let limits = Limits {
        time: Some(Duration::from_millis(300)),
        shortest: false,
        ..Limits::plies(Limits::MOST_PLIES)
    };
    assert!(prove("orthodox", fen, limits).wdl.is_none());
}

/// A position that would occur for the third time is a draw, with tables as without.
#[test]
fn positions_that_count_as_drawn() {
    let game = Game::default();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tables");
    let tables = [
        Tablebase::empty(game),
        Tablebase::open(game, [folder]).expect("they ship"),
    ];
    // Black has one move; behind it there is a mate.
    let lost = Position::from_fen(game, "7k/8/5K2/8/8/8/8/6R1 b - - 0 1").expect("it is one");
    let after = lost.play(lost.parse_uci("h8h7").expect("it is legal"));
    for tables in &tables {
        let prove = |drawn: &[Position]| {
            let drawn = drawn.iter().map(Position::timeless).collect();
            let mut search = Search::new(tables, 1, 1 << 20).drawn(drawn);
            let proof = search.prove(&lost, Limits::plies(8), &AtomicBool::new(false));
            proof.expect("the tables are sound").wdl
        };
        assert_eq!(prove(&[]), Some(Wdl::Loss));
        assert_eq!(prove(&[after]), Some(Wdl::Draw));
    }
}
