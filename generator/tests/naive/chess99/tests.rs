//! What is known of Chess 99 without tables, and Retrograde's rules against
//! these. The ignored tests take minutes; `scripts/naive-deep.sh` runs them.

use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use super::super::state::{Side, State, Value, piece};
use super::board::{Board, EDGE, extra};
use super::compare::{compare_moves, compare_values, tables};
use super::rules::{PLAIN, Rules};
use super::solve::Solver;

/// The materials of up to three pieces.
const UP_TO_THREE: [&str; 7] = ["KvK", "KQvK", "KAvK", "KRvK", "KBvK", "KNvK", "KPvK"];

/// Every capture of the king wins.
const WIN: Rules = Rules {
    draw_in_check: false,
    ..PLAIN
};

/// The other options, one at a time.
const SWITCHED: [Rules; 3] = [
    Rules {
        castling: false,
        ..PLAIN
    },
    Rules {
        deferred: false,
        ..PLAIN
    },
    Rules {
        ep_by_any: false,
        ..PLAIN
    },
];

/// All options the other way.
const OFF: Rules = Rules {
    draw_in_check: false,
    deferred: false,
    ep_by_any: false,
    castling: false,
};

/// The solvers of the first two, for all tests.
static SOLVERS: LazyLock<[Mutex<Solver>; 2]> =
    LazyLock::new(|| [PLAIN, WIN].map(|rules| Mutex::new(Solver::new(rules))));

/// The solvers of [`PLAIN`] and [`WIN`], for one test at a time.
fn solvers() -> [MutexGuard<'static, Solver>; 2] {
    SOLVERS
        .each_ref()
        .map(|solver| solver.lock().unwrap_or_else(PoisonError::into_inner))
}

/// How many states of a material are won, drawn and lost for the side to move,
/// first those without a right to take en passant, White's turn before Black's,
/// then those with one; and the longest win in plies.
fn totals(solver: &mut Solver, name: &str) -> ([[u64; 3]; 3], u16) {
    let mut counts = [[0; 3]; 3];
    let mut longest = 0;
    solver.each(name, |state, value| {
        let row = match (state.extra, state.turn) {
            (0, Side::White) => 0,
            (0, Side::Black) => 1,
            _ => 2,
        };
        match value {
            Value::Win(plies) => {
                counts[row][0] += 1;
                longest = longest.max(plies);
            }
            Value::Draw => counts[row][1] += 1,
            Value::Loss(_) => counts[row][2] += 1,
            Value::Illegal => {}
        }
    });
    (counts, longest)
}

/// The node counts that Retrograde's rules are held to.
#[test]
fn perft() {
    let mut checked = 0;
    let pawns_only = SWITCHED[2];
    for (rules, text) in [
        (
            PLAIN,
            include_str!("../../../../rules/tests/perft/chess99.txt"),
        ),
        (
            OFF,
            include_str!("../../../../rules/tests/perft/chess99-off.txt"),
        ),
        (
            pawns_only,
            include_str!("../../../../rules/tests/perft/chess99-ep-by-pawn.txt"),
        ),
    ] {
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let Some((fen, counts)) = line.split_once(" ;") else {
                continue;
            };
            for count in counts.split(';') {
                let (depth, nodes) = count.trim().split_once(' ').unwrap();
                let depth = depth.trim_start_matches('D').parse().unwrap();
                let found = rules.perft(&Board::read(fen), depth);
                assert_eq!(found.to_string(), nodes, "{fen} at depth {depth}");
                checked += 1;
            }
        }
    }
    assert!(checked > 300, "{checked}");
}

#[test]
fn single_states_have_the_values_that_a_person_finds() {
    use Value::{Draw, Loss, Win};
    let mut solvers = solvers();
    for (fen, plain, without) in [
        ("9/9/9/9/3Kk4/9/9/9/9 w - -", Win(1), Win(1)),
        ("k8/9/9/9/9/9/9/9/8K w - -", Draw, Draw),
        // The king may take, but stands in check then.
        ("9/9/9/4r4/3Kk4/9/9/9/9 w - -", Draw, Win(1)),
        ("9/9/9/4r4/3Kk4/9/9/9/9 b - -", Win(1), Win(1)),
        // Everything that the king can reach is guarded, and it must move.
        ("9/9/9/9/9/9/1K1B5/9/k8 b - -", Loss(2), Loss(2)),
        ("9/9/9/9/9/9/1K7/2B6/k8 w - -", Win(3), Win(3)),
        // The pawn is taken though it has become a bishop.
        ("3B5/9/4k4/9/9/9/9/9/K8 b - d8", Draw, Draw),
        // The king that took it would be taken.
        ("3BK4/9/4k4/9/9/9/9/9/9 b - d8", Draw, Draw),
        // A waiting pawn takes the king, but nothing else comes of it.
        ("3P5/9/4k4/9/9/9/9/9/K8 w - -", Win(1), Win(1)),
        ("3P5/9/4k4/9/9/9/9/9/K8 b - -", Draw, Draw),
    ] {
        for (solver, expected) in solvers.iter_mut().zip([plain, without]) {
            assert_eq!(solver.value_of_fen(fen), expected, "{fen}");
        }
    }
}

/// The numbers are what came out; what a person can say of them is asserted
/// apart: queen, paladin and rook win whenever it is their turn, bishop, knight
/// and pawn hardly ever.
#[test]
fn three_pieces() {
    some_of_three_pieces(|rules, name| *rules == PLAIN || name == "KNvK");
}

#[test]
#[ignore = "a minute"]
fn all_of_three_pieces() {
    some_of_three_pieces(|_, _| true);
}

fn some_of_three_pieces(wanted: impl Fn(&Rules, &str) -> bool) {
    let none = [0, 0, 0];
    let majors = [511920, 0, 0];
    let [mut plain, mut win] = solvers();
    for (rules, solver, expected) in [
        (
            PLAIN,
            &mut plain,
            [
                ("KvK", [[544, 5936, 0], [544, 5936, 0], none], 1),
                ("KQvK", [majors, [29120, 51712, 431088], none], 21),
                ("KAvK", [majors, [34304, 46528, 431088], none], 31),
                ("KRvK", [majors, [34560, 46272, 431088], none], 35),
                (
                    "KBvK",
                    [[110366, 401554, 0], [37536, 472004, 2380], [148, 3536, 12]],
                    19,
                ),
                (
                    "KNvK",
                    [[78020, 433900, 0], [39744, 471664, 512], [150, 3542, 4]],
                    29,
                ),
                (
                    "KPvK",
                    [[55495, 399545, 0], [36730, 417899, 411], [1280, 20878, 18]],
                    29,
                ),
            ],
        ),
        (
            WIN,
            &mut win,
            [
                ("KvK", [[544, 5936, 0], [544, 5936, 0], none], 1),
                ("KQvK", [majors, [42976, 37856, 431088], none], 21),
                ("KAvK", [majors, [42976, 37856, 431088], none], 31),
                ("KRvK", [majors, [42976, 37856, 431088], none], 35),
                (
                    "KBvK",
                    [[110366, 401554, 0], [42976, 466564, 2380], [208, 3476, 12]],
                    19,
                ),
                (
                    "KNvK",
                    [[78020, 433900, 0], [42976, 468432, 512], [208, 3484, 4]],
                    29,
                ),
                (
                    "KPvK",
                    [[55495, 399541, 4], [38176, 416453, 411], [1480, 20678, 18]],
                    29,
                ),
            ],
        ),
    ] {
        let names: Vec<&str> = UP_TO_THREE
            .into_iter()
            .filter(|name| wanted(&rules, name))
            .collect();
        let (_folder, tables) = tables(&rules, &names);
        // Black takes the king wherever the kings touch.
        let touching = 544 * 79;
        let expected = expected.into_iter();
        for (name, counts, longest) in expected.filter(|(name, ..)| names.contains(name)) {
            let found = audited(solver, name);
            assert_eq!(found, (counts, longest), "{name}");
            let compared = compare_values(solver, &tables, name);
            assert!(compared.states[0] > 6_000, "{name}");
            assert_eq!(compared.states[1] > 0, counts[2] != none, "{name}");
            let [[_, _, lost], black, _] = counts;
            assert!(lost == 0 || name == "KPvK", "{name}");
            // All that a bare king can do is to take at once.
            let at_once = match name {
                "KvK" | "KPvK" => continue,
                _ if rules.draw_in_check => black[0] < touching,
                _ => black[0] == touching,
            };
            assert!(at_once, "{name}");
        }
    }
}

#[test]
fn colours_and_files_may_be_swapped() {
    let [mut solver, win] = solvers();
    drop(win);
    for name in ["KvK", "KvKR", "KNvK", "KvKP"] {
        let mut states = Vec::new();
        solver.each(name, |state, value| states.push((*state, value)));
        for (state, value) in states {
            let swapped = image(&state, |piece, square| (swap(piece), 80 - square));
            let mirrored = image(&state, |piece, square| (piece, flip_files(square)));
            let turned = State {
                turn: state.turn.other(),
                ..swapped
            };
            assert_eq!(solver.value(&turned), value, "{state}");
            assert_eq!(solver.value(&mirrored), value, "{state}");
        }
    }
}

fn swap(letter: u8) -> u8 {
    piece(letter, super::super::state::side(letter).other())
}

fn flip_files(square: u8) -> u8 {
    square - square % EDGE + 8 - square % EDGE
}

/// The state with every piece and the e.p. square somewhere else.
fn image(state: &State, to: impl Fn(u8, u8) -> (u8, u8)) -> State {
    let pieces: Vec<(u8, u8)> = state.iter().map(|(_, piece, at)| to(piece, at)).collect();
    let ep = super::board::ep(state).map(|square| to(b'P', square).1);
    State::new(&pieces, state.turn, extra(ep))
}

/// States of three pieces have the moves that Retrograde's rules give them: every
/// fifth with a pawn, whose moves are the most odd, of the others every seventh.
#[test]
fn moves_of_three_pieces() {
    for name in UP_TO_THREE {
        let step = match name {
            "KPvK" => 11,
            _ => 19,
        };
        let compared = compare_moves(&PLAIN, name, step);
        assert_eq!(compared.blocked, 0, "{name}");
        let rights = matches!(name, "KBvK" | "KNvK" | "KPvK");
        assert_eq!(compared.states[1] > 0, rights, "{name}");
    }
    for rules in SWITCHED.into_iter().chain([OFF]) {
        compare_moves(&rules, "KPvK", 19);
        compare_moves(&rules, "KvKB", 101);
    }
}

/// Some states of more pieces.
#[test]
fn moves_of_more_pieces() {
    for rules in [PLAIN, OFF] {
        for (name, pieces) in [
            ("KPvKP", 4),
            ("KPPvK", 4),
            ("KRvKP", 4),
            ("KBvKN", 4),
            ("KPPvKP", 5),
            ("KBPvKNP", 6),
            ("KRvKPPP", 6),
            ("KAPvKQP", 6),
        ] {
            // No multiple of 3, so that the numbers meet all squares.
            let step = 2 * 81_usize.pow(pieces) / 20_000 / 9 * 9 + 1;
            let compared = compare_moves(&rules, name, step);
            assert!(compared.states[0] > 5_000, "{name}: {compared:?}");
        }
    }
}

#[test]
#[ignore = "takes minutes"]
fn moves_of_all_three_pieces() {
    for rules in [PLAIN, OFF] {
        for name in UP_TO_THREE {
            compare_moves(&rules, name, 1);
        }
    }
}

/// The designer says that two minor pieces win against the bare king, bishops of
/// one colour too: with their side to move they nearly always do, bishops
/// without an exception. The numbers are what came out.
#[test]
#[ignore = "takes minutes"]
fn two_minor_pieces() {
    for (name, counts, longest) in [
        ("KBBvK", [39929760, 0, 0], 39),
        ("KBNvK", [39844150, 85610, 0], 47),
        ("KNNvK", [39797284, 132476, 0], 63),
    ] {
        let mut solver = Solver::new(PLAIN);
        let (found, plies) = audited(&mut solver, name);
        assert_eq!((found[0], plies), (counts, longest), "{name}");
        against_tables(&mut solver, name);
        if name == "KBBvK" {
            against_tables(&mut Solver::new(WIN), name);
        }
    }
}

/// Compares a material with freshly made tables.
fn against_tables(solver: &mut Solver, name: &str) {
    let (_folder, tables) = tables(solver.rules(), &[name]);
    let compared = compare_values(solver, &tables, name);
    assert!(compared.states[0] > 30_000_000, "{name}");
}

#[test]
#[ignore = "takes minutes"]
fn rook_against_rook_and_paladin_against_knight() {
    for rules in [PLAIN, WIN] {
        for name in ["KRvKR", "KAvKN"] {
            against_tables(&mut Solver::new(rules), name);
        }
    }
}

#[test]
#[ignore = "takes long"]
fn pawn_against_pawn() {
    for rules in [PLAIN, WIN, OFF] {
        against_tables(&mut Solver::new(rules), "KPvKP");
    }
}

/// The [`totals`] of a material, every value of which is derived again.
fn audited(solver: &mut Solver, name: &str) -> ([[u64; 3]; 3], u16) {
    let legal = solver.audit(name) as u64;
    let found = totals(solver, name);
    println!("{name}: {found:?}");
    let placed: u64 = found.0[..2].iter().flatten().sum();
    assert_eq!(placed, legal, "{name}");
    found
}
