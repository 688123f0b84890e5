//! Tests the games that people play, against other programs' node counts and by hand.
//!
//! Their definitions, and counts of one and two plies from random positions on which
//! Fairy-Stockfish and python-chess agree, are in `variants/`; `scripts/run crosscheck interpreter`
//! compares others.

#![allow(clippy::unwrap_used)]

use retrograde_oracle::Category::{Draw, Loss, Win};
use retrograde_oracle::{Category, Game, Solver};

fn text(file: &str) -> String {
    let path = format!("{}/tests/variants/{file}", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

fn game(name: &str, options: &[(&str, &str)]) -> Game {
    Game::read(&text(&format!("{name}.toml")), &|_| None, options).unwrap()
}

/// A game on a smaller board.
fn on_board(name: &str, size: &str, array: &str, option: Option<(&str, &str)>) -> Game {
    let array = format!("{array} w - - 0 1");
    let board = [("board.size", size), ("board.array", &array)];
    let set: Vec<_> = option.into_iter().chain(board).collect();
    game(name, &set)
}

/// The options of a game that is written with them, and its name in `variants/`.
fn written(name: &str) -> Game {
    match name {
        "suicide" => game("antichess", &[("stalemate", "fewer-men")]),
        name => game(name, &[]),
    }
}

#[test]
fn arrays() {
    for (name, counts) in [
        ("antichess", [20, 400, 8067, 153_299]),
        ("suicide", [20, 400, 8067, 153_299]),
        ("atomic", [20, 400, 8902, 197_326]),
        ("three-check", [20, 400, 8902, 197_281]),
        ("racing-kings", [21, 421, 11_264, 296_242]),
        ("horde", [8, 128, 1274, 23_310]),
        ("shatranj", [16, 256, 4176, 68_122]),
        ("makruk", [23, 529, 12_012, 273_026]),
    ] {
        let game = written(name);
        let position = game.position(game.array().unwrap()).unwrap();
        for (depth, count) in (1..).zip(counts) {
            assert_eq!(game.perft(&position, depth), count, "{name}, depth {depth}");
        }
    }
}

#[test]
fn random_positions() {
    for name in [
        "antichess",
        "suicide",
        "atomic",
        "three-check",
        "racing-kings",
        "horde",
        "shatranj",
        "makruk",
    ] {
        let game = written(name);
        let recorded = text(&format!("{name}.txt"));
        assert_eq!(recorded.lines().count(), 100);
        for line in recorded.lines() {
            let (fen, counts) = line.split_once("; ").unwrap();
            let position = game.position(fen).unwrap();
            let found = [1, 2].map(|depth| game.perft(&position, depth).to_string());
            assert_eq!(found.join(" "), counts, "{name}: {fen}");
        }
    }
}

/// Values that a person finds: the category, plies to the end, and plies to the next capture, pawn
/// move or end.
#[test]
fn values_by_hand() {
    let suicide = Some(("stalemate", "fewer-men"));
    let small = "3k/4/4/K3";
    let goal = Some(("end.reach.squares", "[\"rank5\"]"));
    let narrow = "kqr/ppp/3/PPP/KQR";
    for (game, positions) in [
        (
            game("antichess", &[]),
            &[
                // The king offers itself; the king must take.
                ("8/8/8/8/8/8/8/K1k5 w - -", Win, Some(2), Some(2)),
                ("8/8/8/8/8/8/1k6/K7 w - -", Loss, Some(1), Some(1)),
                // A side that cannot move has won, whatever stands there.
                ("8/8/8/8/8/p7/P7/8 w - -", Win, Some(0), Some(0)),
                // Bishops of two colours never meet.
                ("8/8/8/8/8/8/8/Bb6 w - -", Draw, None, None),
                // The pawn must take the last man.
                ("8/8/8/8/8/8/1p6/R7 b - -", Loss, Some(1), Some(1)),
            ][..],
        ),
        (
            on_board("antichess", "3x5", narrow, None),
            &[("3/p2/P2/P2/3 w - -", Win, Some(0), Some(0))],
        ),
        (
            on_board("antichess", "3x5", narrow, suicide),
            &[
                ("3/3/p2/P2/3 w - -", Draw, None, None),
                ("3/p2/P2/P2/3 w - -", Loss, Some(0), Some(0)),
                ("3/p2/p2/P2/3 w - -", Win, Some(0), Some(0)),
            ],
        ),
        (
            on_board("atomic", "5x5", "rnbqk/ppppp/5/PPPPP/RNBQK", None),
            &[
                // No king takes a queen: she mates alone.
                ("4k/5/3Q1/5/K4 w - -", Win, Some(1), Some(1)),
                ("4k/3Q1/5/5/K4 b - -", Loss, Some(0), Some(0)),
            ],
        ),
        (
            on_board("atomic", "4x4", small, None),
            &[
                // A capture beside the king explodes it, in check or not.
                ("1k2/1p2/4/1R1K w - -", Win, Some(1), Some(1)),
                ("3k/1R1r/4/3K w - -", Win, Some(1), Some(1)),
            ],
        ),
        (
            on_board("three-check", "4x4", small, None),
            &[
                ("k3/4/4/1K1R w - - 1+3", Win, Some(1), Some(1)),
                // The second check follows whereto the king may go.
                ("k3/4/4/1K1R w - - 2+3", Win, Some(3), Some(3)),
            ],
        ),
        (
            game("racing-kings", &[]),
            &[
                ("8/1K6/8/8/8/8/6k1/8 w - -", Win, Some(1), Some(1)),
                // Black answers at once; otherwise it arrives first.
                ("8/1K4k1/8/8/8/8/8/8 w - -", Draw, None, None),
                ("8/1K4k1/8/8/8/8/8/8 b - -", Win, Some(1), Some(1)),
                ("1K6/6k1/8/8/8/8/8/8 b - -", Draw, None, None),
                ("1K6/8/6k1/8/8/8/8/8 b - -", Loss, Some(0), Some(0)),
            ],
        ),
        (
            on_board("racing-kings", "5x5", "5/5/5/krn1K/qr1RQ", goal),
            // The king takes the rook that keeps it from the rank.
            &[("R4/1k3/5/5/4K b - -", Win, Some(1), Some(1))],
        ),
        (
            on_board("shatranj", "5x5", "rnbqk/ppppp/5/PPPPP/RNBQK", None),
            &[
                // The last man hangs, or is guarded, or the answer has not been given.
                ("5/5/2k2/3R1/K4 b - -", Draw, None, None),
                ("5/5/2k2/3R1/4K b - -", Loss, Some(1), Some(1)),
                ("5/5/2k2/3R1/4K w - -", Win, Some(0), Some(0)),
                // A bare king that cannot move.
                ("k4/1R3/K4/5/5 b - -", Loss, Some(0), Some(0)),
            ],
        ),
        (
            game("horde", &[]),
            &[
                ("8/8/8/8/8/8/1k6/P7 b - -", Win, Some(1), Some(1)),
                ("8/8/8/8/k7/8/P7/8 w - -", Loss, Some(2), Some(1)),
                ("8/8/8/8/8/k7/P7/8 w - -", Draw, None, None),
                // A queen without a king does not mate.
                ("8/P7/8/8/8/8/8/7k w - -", Draw, None, None),
            ],
        ),
    ] {
        let solver = Solver::new(&game);
        for (fen, category, depth, dtz) in positions {
            let value = solver
                .value(fen)
                .unwrap_or_else(|error| panic!("{}: {fen}: {error}", game.name()));
            assert_eq!(
                (value.category, value.depth, value.dtz),
                (*category, *depth, *dtz),
                "{}: {fen}",
                game.name()
            );
        }
    }
}

fn longest(game: &Game, material: &str, category: Category) -> Option<u32> {
    let solver = Solver::new(game);
    let table = solver.solve(material).unwrap();
    let values = table.positions().map(|(_, value)| value);
    let of = values.filter(|value| value.category == category);
    of.filter_map(|value| value.depth).max()
}

#[test]
fn whole_endings() {
    // A met never mates.
    let makruk = on_board("makruk", "5x6", "rnsmk/5/ppppp/PPPPP/5/RNSMK", None);
    assert_eq!(longest(&makruk, "KPvK", Win), None);
    // A bare king that does not take the last man at once has lost.
    let shatranj = on_board("shatranj", "4x4", "3k/4/4/K3", None);
    assert_eq!(longest(&shatranj, "KQvK", Loss), Some(1));
    assert_eq!(longest(&shatranj, "KQvK", Win), Some(0));
}
