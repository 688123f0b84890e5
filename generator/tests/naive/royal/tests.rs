//! Materials of up to three pieces, in all games and with all options.

use std::sync::{Mutex, MutexGuard};

use super::super::rules::{Next, Rules};
use super::super::solve::{Solver, share};
use super::super::state::{Side, State, Value};
use super::super::tests::plain;
use super::game::Game;
use super::ours::agreeing;
use super::tables::Tables;

/// Materials of kings of up to three pieces, whichever side has more.
const KINGS: [&str; 4] = ["KKvK", "KvKK", "KPvK", "KvKP"];

/// All of three pieces on the large boards, as far as they have tables.
pub(super) const LARGE: &[&str] = &["KKvK", "KQvK", "KCvK", "KRvK", "KBvK", "KNvK", "KPvK"];

/// Those that are materials of orthodox chess in all of these games.
const PLAIN: [&str; 5] = ["KvK", "KQvK", "KRvK", "KvKB", "KvKN"];

/// Materials of the extinction games, without kings too.
const EXTINCTION: [&str; 14] = [
    "KvK", "QvR", "PvN", "PvP", "KKvK", "KQvK", "KvKQ", "KRvK", "KBvK", "KvKN", "KPvK", "KvKP",
    "QNvK", "PPvR",
];

/// One state in so many is compared with the rules one ply deep, coprime to the squares of
/// all boards so that none is left out.
const FEW: usize = 7;

/// A game and its solver, which lives as long as the tests.
type Known = (Game, &'static Mutex<Solver<Game>>);

/// The solvers of all games that tests have asked for.
static SOLVERS: Mutex<Vec<Known>> = Mutex::new(Vec::new());

/// The solver of a game, for one test at a time.
fn solver(id: &str) -> MutexGuard<'static, Solver<Game>> {
    let game = Game::of(id);
    let mut solvers = SOLVERS.lock().unwrap();
    let known = solvers.iter().find(|(known, _)| *known == game);
    let solver = known.map(|&(_, solver)| solver).unwrap_or_else(|| {
        let solver = Box::leak(Box::new(Mutex::new(Solver::plain(game))));
        solvers.push((game, solver));
        solver
    });
    // Others are not to wait while this one is waited for.
    drop(solvers);
    share(solver)
}

/// All materials of up to three pieces of King of the Hill.
const HILL: [&str; 11] = [
    "KvK", "KQvK", "KvKQ", "KRvK", "KvKR", "KBvK", "KvKB", "KNvK", "KvKN", "KPvK", "KvKP",
];

/// The options that say which pieces are royal.
const ROYALTY: [&str; 4] = [
    "kings:",
    "kings:black-corner=h8,",
    "kings:tie-break=rank1,",
    "kings:black-corner=h8,tie-break=rank1,",
];

/// How many lines of so many plies there are.
fn perft(rules: &Game, state: &State, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::new();
    rules.moves(state, &mut moves);
    let lines = |next| match next {
        Next::State(next) if rules.legal(&next) => perft(rules, &next, depth - 1),
        Next::State(_) => 0,
        // Nothing follows the end of a game.
        Next::Over(_) => u64::from(depth == 1),
    };
    moves.into_iter().map(lines).sum()
}

#[test]
fn counts_of_moves_are_those_of_the_rules() {
    for (id, text) in [
        (
            "kings",
            include_str!("../../../../rules/tests/perft/kings.txt"),
        ),
        (
            "kings:black-corner=h8,spare-king=duke",
            include_str!("../../../../rules/tests/perft/kings-duke-h8.txt"),
        ),
        (
            "kings:promote-to-king=off,spare-king=queen",
            include_str!("../../../../rules/tests/perft/kings-queen.txt"),
        ),
        (
            "kings:black-corner=h8,tie-break=rank1",
            include_str!("../../../../rules/tests/perft/kings-rank1-h8.txt"),
        ),
        (
            "kings:board=10x8,chancellor=on",
            include_str!("../../../../rules/tests/perft/kings-10x8.txt"),
        ),
        (
            "kings:black-corner=h8,board=10x10,chancellor=on,spare-king=duke",
            include_str!("../../../../rules/tests/perft/kings-10x10.txt"),
        ),
        (
            "wild9",
            include_str!("../../../../rules/tests/perft/wild9.txt"),
        ),
        (
            "extinction-mating",
            include_str!("../../../../rules/tests/perft/extinction-mating.txt"),
        ),
        (
            "extinction",
            include_str!("../../../../rules/tests/perft/extinction.txt"),
        ),
        (
            "king-of-the-hill",
            include_str!("../../../../rules/tests/perft/king-of-the-hill.txt"),
        ),
    ] {
        let rules = Game::of(id);
        let mut compared = 0;
        let lines = text.lines().map(|line| line.split('#').next().unwrap());
        for line in lines.filter(|line| !line.trim().is_empty()) {
            let (fen, counts) = line.split_once(';').unwrap();
            // A plain state holds six pieces.
            if fen
                .split(' ')
                .next()
                .unwrap()
                .matches(char::is_alphabetic)
                .count()
                > 6
            {
                continue;
            }
            let mut state = rules.shape().parse(fen.trim());
            if state.extra != 0 && !rules.legal(&state) {
                state.extra = 0;
            }
            assert!(rules.legal(&state), "{id}: {fen}");
            for count in counts.split(';') {
                let (depth, nodes) = count
                    .trim()
                    .trim_start_matches('D')
                    .split_once(' ')
                    .unwrap();
                let depth = depth.parse().unwrap();
                let nodes: u64 = nodes.trim().parse().unwrap();
                assert_eq!(perft(&rules, &state, depth), nodes, "{id}: {fen} {depth}");
                compared += 1;
            }
        }
        assert!(compared > 60, "{id}: {compared}");
    }
}

#[test]
fn kings_agree_with_the_rules_one_ply_deep() {
    for id in ["kings", "wild9"] {
        let mut solver = solver(id);
        for name in KINGS.into_iter().chain(PLAIN) {
            let [legal, _] = agreeing(&mut solver, id, name, FEW);
            assert!(legal > 400, "{id} {name}: {legal}");
        }
    }
}

#[test]
fn all_options_of_kings_agree_with_the_rules_one_ply_deep() {
    for royalty in ROYALTY {
        for (spare, name) in [("king", "KvKK"), ("queen", "KKvK"), ("duke", "KKvK")] {
            let id = format!("{royalty}spare-king={spare}");
            agreeing(&mut solver(&id), &id, name, FEW);
        }
    }
    let id = "kings:spare-king=queen";
    agreeing(&mut solver(id), id, "KvKP", FEW);
    let id = "kings:black-corner=h8,spare-king=duke";
    agreeing(&mut solver(id), id, "KPvK", FEW);
}

/// K7: moves and values, and the tables of all materials of three pieces.
#[test]
fn large_boards() {
    let id = "kings:board=10x8,chancellor=on";
    let mut plain = solver(id);
    let tables = Tables::make(id, LARGE);
    for name in LARGE {
        tables.compare(&mut plain, name);
    }
    for name in ["KKvK", "KvKP"] {
        let [legal, _] = agreeing(&mut plain, id, name, FEW);
        assert!(legal > 55_000, "{id} {name}: {legal}");
    }
}

#[test]
#[ignore = "a minute with others"]
fn options_of_large_boards_agree_with_the_rules_one_ply_deep() {
    let id = "kings:black-corner=h8,board=10x8,spare-king=queen";
    agreeing(&mut solver(id), id, "KvKK", 1);
}

#[test]
fn extinction_agrees_with_the_rules_one_ply_deep() {
    for id in ["extinction-mating", "extinction"] {
        let mut solver = solver(id);
        for name in EXTINCTION {
            let [legal, _] = agreeing(&mut solver, id, name, FEW);
            assert!(legal > 250, "{id} {name}: {legal}");
        }
    }
}

#[test]
fn the_hill_agrees_with_the_rules_one_ply_deep() {
    let id = "king-of-the-hill";
    let mut solver = solver(id);
    for name in HILL {
        let [legal, _] = agreeing(&mut solver, id, name, FEW);
        assert!(legal > 800, "{id} {name}: {legal}");
    }
}

/// T3: KvK with Black to move.
#[test]
fn two_kings_race_for_the_hill() {
    let mut solver = solver("king-of-the-hill");
    let (mut positions, mut finished) = (0, 0);
    solver.each("KvK", |state, value| {
        if state.turn == Side::Black && value != Value::Illegal {
            positions += 1;
            finished += u32::from(value == Value::Loss(0));
        }
    });
    assert_eq!((positions, finished), (3392, 220));
}

#[test]
fn materials_without_spare_kings_are_orthodox_ones() {
    let mut orthodox = plain();
    for (id, names) in [
        ("kings", &["KQvK", "KRvK", "KvKR"][..]),
        ("kings:black-corner=h8,spare-king=queen", &["KvKQ"]),
        ("kings:promote-to-king=off", &["KPvK"]),
        ("wild9", &["KPvK", "KvKP"]),
    ] {
        let mut solver = solver(id);
        for name in names {
            solver.each(name, |state, value| {
                assert_eq!(orthodox.value(state), value, "{id}: {state}");
            });
        }
    }
}

/// The state with the colours swapped, each square changed as well.
fn swapped(state: &State, change: u8) -> State {
    let pieces: Vec<(u8, u8)> = state
        .iter()
        .map(|(_, piece, square)| (piece ^ 0x20, square ^ change))
        .collect();
    State::new(&pieces, state.turn.other(), 0)
}

#[test]
fn colours_may_be_swapped_as_the_manual_says() {
    const RANKS: u8 = 56;
    const FILES: u8 = 7;
    for (id, change, with_pawns) in [
        ("kings", RANKS, true),
        ("kings:spare-king=duke,black-corner=h8", RANKS | FILES, true),
        ("kings:tie-break=rank1", 0, false),
        ("wild9", 0, false),
        ("kings:black-corner=h8,tie-break=rank1", FILES, false),
        ("extinction", RANKS, true),
        ("extinction-mating", RANKS, false),
    ] {
        let mut solver = solver(id);
        let mut values = Vec::new();
        for name in ["KKvK", "KPvK"] {
            if with_pawns || name == "KKvK" {
                solver.each(name, |state, value| {
                    values.push((swapped(state, change), value))
                });
            }
        }
        for (state, value) in values.drain(..) {
            assert_eq!(solver.value(&state), value, "{id}: {state}");
        }
    }
    // In the others there is no such swap of all values.
    let mut solver = solver("kings:tie-break=rank1");
    let mut values = Vec::new();
    solver.each("KPvK", |state, value| {
        values.push((swapped(state, RANKS), value))
    });
    let differ = |(state, value): &(State, Value)| solver.value(state) != *value;
    assert!(values.iter().any(differ));
}

#[test]
fn single_positions_have_values_that_are_easy_to_see() {
    for (id, fen, value) in [
        // The last pawn may not promote (E2), and attacks all the same (E3).
        ("extinction-mating", "8/P7/8/8/8/8/8/k7 w - -", Value::Draw),
        (
            "extinction-mating",
            "k7/2P5/1K6/8/8/8/8/8 b - -",
            Value::Draw,
        ),
        // E6: taking wins, promoting the last pawn loses, and walls draw.
        ("extinction", "8/8/8/8/8/8/1k6/K7 w - -", Value::Win(1)),
        ("extinction", "8/8/8/8/8/8/8/K1k5 w - -", Value::Draw),
        ("extinction", "8/P7/8/8/8/8/8/k7 w - -", Value::Loss(1)),
        ("extinction", "8/8/P7/8/8/8/8/k7 w - -", Value::Loss(3)),
        ("extinction", "8/8/8/8/8/p7/P7/8 w - -", Value::Draw),
        ("extinction", "1r6/P7/8/8/8/8/8/k7 w - -", Value::Win(1)),
        ("extinction", "8/8/8/3r4/8/8/8/3Q4 b - -", Value::Win(1)),
        // T1, T2: up the hill, to it with a check, and there already.
        (
            "king-of-the-hill",
            "8/8/8/8/8/2K5/8/6k1 w - -",
            Value::Win(1),
        ),
        (
            "king-of-the-hill",
            "8/8/8/8/8/2K5/8/6k1 b - -",
            Value::Loss(2),
        ),
        (
            "king-of-the-hill",
            "8/8/8/8/3K4/8/8/6k1 b - -",
            Value::Loss(0),
        ),
        (
            "king-of-the-hill",
            "8/8/8/8/3K4/8/8/6k1 w - -",
            Value::Illegal,
        ),
        (
            "king-of-the-hill",
            "8/8/8/8/3r4/2K5/8/7k w - -",
            Value::Win(1),
        ),
        // The hill comes before stalemate and mate.
        (
            "king-of-the-hill",
            "8/8/8/8/4K3/6Q1/8/7k b - -",
            Value::Loss(0),
        ),
        (
            "king-of-the-hill",
            "7k/8/8/4K3/8/8/8/6Q1 b - -",
            Value::Loss(0),
        ),
        // O2, E3: a pawn that may be taken en passant.
        ("extinction", "8/8/8/3pP3/8/8/8/8 w - d6", Value::Win(1)),
        (
            "extinction-mating",
            "8/8/8/3pP3/8/8/8/8 w - d6",
            Value::Illegal,
        ),
    ] {
        let state = Game::of(id).shape().parse(fen);
        assert_eq!(solver(id).value(&state), value, "{id}: {fen}");
    }
}

#[test]
fn values_follow_from_those_of_the_successors() {
    for id in ["kings", "kings:spare-king=queen", "extinction"] {
        let mut solver = solver(id);
        for name in ["KKvK", "KPvK"] {
            assert!(solver.audit(name) > 100_000, "{id} {name}");
        }
    }
}

#[test]
fn rights_are_states_of_their_own() {
    let id = "extinction";
    let [legal, rights] = agreeing(&mut solver(id), id, "PvP", 1);
    // Two pawns side by side, on seven pairs of files, twice two ways.
    assert_eq!(rights, 28);
    assert_eq!(legal, 2 * 48 * 47);
    let id = "extinction-mating";
    let [_, rights] = agreeing(&mut solver(id), id, "PvP", 1);
    assert_eq!(rights, 0);
}

/// The same values in Retrograde's tables, as soon as there are any.
#[test]
fn retrograde_agrees_on_three_pieces() {
    for (id, names) in [
        ("kings", &["KPvK"][..]),
        ("kings:spare-king=queen,tie-break=rank1", &["KKvK", "KvKP"]),
        ("kings:black-corner=h8,spare-king=duke", &["KKvK"]),
        ("wild9", &["KPvK"]),
        ("extinction-mating", &["KKvK", "PPvR"]),
        ("extinction", &["KPvK", "QNvK", "PvP"]),
        ("king-of-the-hill", &["KvK", "KPvK"]),
    ] {
        agrees_on(id, names);
    }
}

#[test]
#[ignore = "a minute"]
fn retrograde_agrees_on_all_of_three_pieces() {
    for (id, names) in [
        ("kings", &["KKvK", "KPvK"][..]),
        ("kings:black-corner=h8,spare-king=duke", &["KKvK", "KPvK"]),
        (
            "kings:spare-king=queen,tie-break=rank1",
            &["KKvK", "KPvK", "KvKP"],
        ),
        ("kings:black-corner=h8,tie-break=rank1", &["KKvK"]),
        ("wild9", &["KKvK", "KPvK"]),
        ("extinction-mating", &["KKvK", "KPvK", "QNvK", "PPvR"]),
        (
            "extinction",
            &["KKvK", "KPvK", "QvR", "QNvK", "PPvR", "PvP"],
        ),
        (
            "king-of-the-hill",
            &["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"],
        ),
    ] {
        agrees_on(id, names);
    }
}

fn agrees_on(id: &str, names: &[&str]) {
    let tables = Tables::make(id, names);
    let mut solver = solver(id);
    for name in names {
        tables.compare(&mut solver, name);
        let pieces: Vec<&str> = name.split('v').collect();
        let other = format!("{}v{}", pieces[1], pieces[0]);
        let known = names.contains(&other.as_str());
        if !known && (id.starts_with("ext") || !name.contains('P') || !id.contains("rank1")) {
            tables.compare(&mut solver, &other);
        }
    }
}
