//! Tests that the line of a search is best play.
//!
//! It is compared with tables that the search is not given, and with what is printed beside it.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use retrograde_probe::{Dtm, Table, Tablebase, Value, Wdl, if_known, table_path};
use retrograde_rules::{Game, Position};
use retrograde_search::{Limits, Search};

use crate::soundness::{Random, materials, shipped, three_men, with_three_men};

static NEVER: AtomicBool = AtomicBool::new(false);

/// The tables of two men at most.
fn two_men(game: Game) -> Tablebase {
    let all = Tablebase::open(game, [shipped()]).expect("they ship");
    let few = all.tables().filter(|(material, _)| material.len() <= 2);
    let paths = few.map(|(material, metric)| table_path(&shipped(), game, &material, metric));
    let tables = paths.map(|path| Table::open(&path).expect("it ships"));
    Tablebase::from_tables(game, tables).expect("they are of this game")
}

/// Every move of a line leads to what the best one is worth.
fn is_best(truth: &Tablebase, position: &Position, moves: &[retrograde_rules::Move]) {
    let mut position = *position;
    for &mv in moves {
        let answers = truth
            .moves(&position)
            .expect("missing tables are no errors");
        let rank = |value: Value| (value.wdl, value.dtm.map(u32::from));
        let played = answers.iter().find(|answer| answer.mv == mv);
        let played = played.expect("it is legal").value.map(rank);
        let best = answers[0].value.map(rank);
        // Where a move has no value, that of the best is not known for certain.
        if answers.iter().all(|answer| answer.value.is_some()) {
            assert_eq!(played, best, "{}: {}", position.fen(), position.uci(mv));
        }
        position = position.play(mv);
    }
}

/// A search goes no deeper than its stack allows, whatever its limits say.
#[test]
fn more_plies_than_the_most_are_the_most() {
    let game = Game::parse("kings").expect("it is a game");
    let tables = Tablebase::empty(game);
    let fen = "8/8/8/8/3k4/8/8/K6R w - -";
    let position = Position::from_fen(game, fen).expect("it is legal");
    let value = Value {
        dtm: Some(Dtm(60_001)),
        ..Value::without_distances(Wdl::Win)
    };
    let limits = Limits {
        plies: u16::MAX,
        nodes: Some(100_000),
        ..Limits::plies(0)
    };
    let mut search = Search::new(&tables, 1, 1 << 20);
    let line = search.best_line(&position, value, None, limits, &NEVER);
    assert_eq!(line.expect("no table is wrong"), None);
}

#[test]
fn lines_are_best_by_tables() {
    const PLIES: u16 = 5;
    for (game, truth) in with_three_men() {
        let given = two_men(game);
        let mut search = Search::new(&given, 1, 16 << 20);
        let mut random = Random(0x11e5 + game.id().len() as u64);
        let (mut exact, mut lines) = (0, 0);
        for material in materials(&truth, 3) {
            let before = lines;
            // In some games short wins are rare.
            for n in 0..400 {
                if lines >= before + 10 || n >= 80 && lines >= 20 {
                    break;
                }
                let position = random.position(game, &material);
                let fen = position.fen();
                let depth = truth.value(&position).ok().and_then(|value| value.dtm);
                let is_short = depth.is_some_and(|Dtm(plies)| plies <= PLIES.into());
                if !is_short && n >= 2 {
                    continue;
                }
                let limits = Limits::plies(PLIES);
                let proof = search.prove(&position, limits, &NEVER).expect(&fen);
                let Some(value) = proof.value() else { continue };
                let moves = search.moves(&position, &proof, limits, &NEVER);
                let moves = moves.expect(&fen);
                for given in [None, Some(&moves[..])] {
                    let line = search.best_line(&position, value, given, limits, &NEVER);
                    let Some(line) = line.expect(&fen) else {
                        let knows = value.dtm.is_some() && game.zeroing_limit().is_none();
                        assert!(!knows, "{fen}: {value:?}");
                        continue;
                    };
                    if value.wdl == Wdl::Draw {
                        assert!(line.moves.is_empty());
                        continue;
                    }
                    lines += 1;
                    is_best(&truth, &position, &line.moves);
                    let last = line.moves.iter().fold(position, |now, &mv| now.play(mv));
                    assert_eq!(last.end(), line.end, "{fen}");
                    if let Some(first) = moves.first()
                        && given.is_some()
                    {
                        assert_eq!(line.moves[0], first.mv, "{fen}");
                    }
                    if let (Some(Dtm(plies)), None) = (value.dtm, game.zeroing_limit()) {
                        assert_eq!(line.moves.len() as u32, plies, "{fen}");
                        exact += 1;
                    }
                }
            }
        }
        let has_depths = game.vitality().is_none();
        assert!(!has_depths || lines >= 5, "{}: {lines}", game.id());
        let has_clock = game.zeroing_limit().is_some();
        assert!(has_clock || !has_depths || exact >= 10, "{}", game.id());
    }
}

/// Where tables have the line, that is it, and the moves are in their order.
#[test]
fn tables_come_first() {
    for (game, truth) in with_three_men() {
        let mut search = Search::new(&truth, 1, 16 << 20);
        let mut random = Random(0x7ab1e + game.id().len() as u64);
        let mut lines = 0;
        for material in materials(&truth, 3) {
            for _ in 0..5 {
                let position = random.position(game, &material);
                let fen = position.fen();
                let known = if_known(truth.line(&position)).expect(&fen);
                let Some(known) = known.filter(|line| line.end.is_some()) else {
                    continue;
                };
                let limits = Limits::plies(1);
                let proof = search.prove(&position, limits, &NEVER).expect(&fen);
                let moves = search.moves(&position, &proof, limits, &NEVER);
                let moves = moves.expect(&fen);
                let value = truth.value(&position).expect(&fen);
                let line = search.best_line(&position, value, Some(&moves), limits, &NEVER);
                assert_eq!(line.expect(&fen), Some(known), "{fen}");
                lines += 1;
            }
        }
        // Few endings of three men are won in atomic chess.
        assert!(lines >= 3, "{}: {lines}", game.id());
    }
}

/// A loser who takes a queen before being mated lasts longest, and the tables know how long.
#[test]
fn the_loser_lasts_longest() {
    for (game, fen, plies) in [
        ("extinction", "8/4k3/5PK1/8/8/8/8/5k2 w - -", 16),
        ("kings", "8/8/4K3/2k5/2Q5/8/8/6R1 b - -", 24),
        ("orthodox", "8/8/8/8/5p2/3K1kP1/8/8 b - - 0 1", 19),
    ] {
        let game = Game::parse(game).expect(game);
        let given = three_men(game);
        let mut search = Search::new(&given, 1, 16 << 20);
        let position = Position::from_fen(game, fen).expect(fen);
        let limits = Limits::plies(7);
        let proof = search.prove(&position, limits, &NEVER).expect(fen);
        let value = proof.value().expect(fen);
        let line = search.best_line(&position, value, None, limits, &NEVER);
        let line = line.expect(fen).expect(fen);
        assert_eq!(line.moves.len(), plies, "{fen}");
    }
}

/// The shortest mate comes too late, and one move wins in time.
#[test]
fn the_category_comes_first() {
    let fen = "8/4k3/8/5K2/4p3/2Q5/8/8 w - - 99 60";
    let given = three_men(Game::default());
    let mut search = Search::new(&given, 1, 16 << 20);
    let position = Position::from_fen(Game::default(), fen).expect(fen);
    let limits = Limits::plies(7);
    let proof = search.prove(&position, limits, &NEVER).expect(fen);
    let value = proof.value().expect(fen);
    let line = search.best_line(&position, value, None, limits, &NEVER);
    let line = line.expect(fen).expect(fen);
    assert_eq!(position.uci(line.moves[0]), "f5e4");
}

/// Without time there is no line rather than a wrong one.
#[test]
fn a_line_takes_time() {
    let game = Game::parse("kings").expect("there is such a game");
    let given = three_men(game);
    let mut search = Search::new(&given, 1, 16 << 20);
    let fen = "8/8/4K3/2k5/2Q5/8/8/6R1 b - -";
    let position = Position::from_fen(game, fen).expect(fen);
    let value = Value::without_distances(Wdl::Loss);
    for limits in [
        Limits {
            nodes: Some(0),
            ..Limits::plies(7)
        },
        Limits {
            time: Some(Duration::ZERO),
            ..Limits::plies(0)
        },
    ] {
        let line = search.best_line(&position, value, None, limits, &NEVER);
        assert_eq!(line.expect(fen), None);
    }
}
