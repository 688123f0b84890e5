//! What is known of High Chess without tables. The ignored tests take
//! minutes; `scripts/naive-deep.sh` runs them.

use std::sync::{LazyLock, Mutex, PoisonError};

use super::compare::Retrograde;
use super::rules::{Counters, Reading, Rules, read};
use super::solve::Solver;

/// The materials of up to three pieces.
const UP_TO_THREE: [&str; 11] = [
    "KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK", "KvKQ", "KvKR", "KvKB", "KvKN", "KvKP",
];

/// High Chess without options, for all tests.
static FULL: LazyLock<Mutex<Solver>> =
    LazyLock::new(|| Mutex::new(Solver::new(50, Reading::Mover)));

fn with_full<T>(ask: impl FnOnce(&mut Solver) -> T) -> T {
    ask(&mut FULL.lock().unwrap_or_else(PoisonError::into_inner))
}

/// How many states of a material there are, in how many of them White wins with
/// full counters, and in how many White and Black force mate; by the side to
/// move, White first.
type Totals = [[u64; 2]; 4];

fn totals(solver: &mut Solver, name: &str) -> Totals {
    let full = solver.rules.full;
    let mut totals = Totals::default();
    solver.each(name, |state, answer| {
        let Some(answer) = answer else { return };
        let facts = [
            true,
            answer.white_wins(full, full),
            answer.white_mates <= full,
            answer.black_mates <= full,
        ];
        for (count, fact) in totals.iter_mut().zip(facts) {
            count[state.turn as usize] += u64::from(fact);
        }
    });
    totals
}

/// The lines of the perft files that this solver has room for. They were
/// counted by a script on another move generator.
#[test]
fn perft() {
    let both = Reading::Both;
    let mover = Reading::Mover;
    let mut checked = 0;
    for (full, reading, text) in [
        (
            50,
            mover,
            include_str!("../../../../rules/tests/perft/high-chess.txt"),
        ),
        (
            50,
            both,
            include_str!("../../../../rules/tests/perft/high-chess-both.txt"),
        ),
        (
            3,
            mover,
            include_str!("../../../../rules/tests/perft/high-chess-vitality-3.txt"),
        ),
    ] {
        let rules = Rules { full, reading };
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let (fen, rest) = line.split_once(" ;").unwrap_or((line, ""));
            let pieces = fen.split(' ').next().unwrap();
            if rest.is_empty() || pieces.bytes().filter(u8::is_ascii_alphabetic).count() > 6 {
                continue;
            }
            let (white, black) = fen.split(' ').nth(4).unwrap().split_once('+').unwrap();
            let counters = Counters {
                white: white.parse().unwrap(),
                black: black.parse().unwrap(),
            };
            let counts = rest.split('#').next().unwrap();
            for count in counts.split(';') {
                let (depth, nodes) = count.trim().split_once(' ').unwrap();
                let depth = depth.trim_start_matches('D').parse().unwrap();
                let found = rules.perft(&read(fen), counters, depth);
                assert_eq!(found.to_string(), nodes, "{fen} at depth {depth}");
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked}");
}

/// What follows shares its solver, and so one test. Black's pieces take as long again;
/// small counters have them too.
#[test]
fn three_pieces() {
    single_states_have_the_values_that_a_person_finds();
    // Pawns are compared with small counters.
    three_pieces_with_full_counters(&["KvK", "KNvK", "KvKR"]);
}

#[test]
#[ignore = "minutes"]
fn all_of_three_pieces() {
    three_pieces_with_full_counters(&UP_TO_THREE);
}

fn single_states_have_the_values_that_a_person_finds() {
    let all = |least: u8| vec![least; 50];
    for (fen, thresholds, white_mates, black_mates) in [
        // Black sits in the centre for ever, or White does; then a race.
        ("8/8/8/3k4/8/8/8/K7 w - -", all(51), 51, 51),
        ("k7/8/8/8/3K4/8/8/8 b - -", all(1), 51, 51),
        ("8/8/5k2/8/8/2K5/8/8 w - -", all(1), 51, 51),
        ("8/8/5k2/8/8/2K5/8/8 b - -", all(51), 51, 51),
        ("7k/8/8/8/8/8/8/K7 w - -", all(1), 51, 51),
        // A mate with the last point, and the mated.
        ("8/7R/8/8/8/8/8/k1K5 w - -", all(1), 1, 51),
        ("8/R7/8/8/8/8/8/k1K5 b - -", all(1), 1, 51),
        ("8/r7/8/8/8/8/8/K1k5 w - -", all(51), 51, 1),
        // The rook is lost, and the height with it.
        ("8/8/8/3k4/4R3/8/8/K7 b - -", all(51), 51, 51),
    ] {
        with_full(|solver| {
            let answer = solver.answer(&read(fen)).unwrap();
            assert_eq!(answer.thresholds, thresholds, "{fen}");
            let mates = (answer.white_mates, answer.black_mates);
            assert_eq!(mates, (white_mates, black_mates), "{fen}");
        });
    }
}

/// Who wins with three pieces and full counters. The sums are what came out;
/// what a person can say of them is asserted apart. Retrograde agrees.
fn three_pieces_with_full_counters(names: &[&str]) {
    let none = [0, 0];
    let known = [
        ("KvK", [3612, 3612], [2320, 1292], none, none),
        (
            "KQvK",
            [144508, 223944],
            [144508, 214388],
            [144508, 201768],
            none,
        ),
        (
            "KRvK",
            [175168, 223944],
            [175168, 214388],
            [2804, 564],
            none,
        ),
        ("KBvK", [193284, 223944], [134784, 91672], none, none),
        ("KNvK", [205496, 223944], [140416, 87856], none, none),
        (
            "KPvK",
            [163328, 168024],
            [157688, 147050],
            [113290, 87646],
            none,
        ),
        ("KvKQ", [223944, 144508], [9556, 0], none, [201768, 144508]),
        ("KvKR", [223944, 175168], [9556, 0], none, [564, 2804]),
        ("KvKB", [223944, 193284], [132272, 58500], none, none),
        ("KvKN", [223944, 205496], [136088, 65080], none, none),
        (
            "KvKP",
            [168024, 163328],
            [20974, 5640],
            none,
            [87646, 113290],
        ),
    ];
    let wanted = known.into_iter().filter(|known| names.contains(&known.0));
    for (name, states, white_wins, white_mates, black_mates) in wanted {
        let found = with_full(|solver| totals(solver, name));
        assert_eq!(
            found,
            [states, white_wins, white_mates, black_mates],
            "{name}"
        );
        let [_, wins, mates, _] = found;
        match name {
            // The side to move wins as often, whichever it is.
            "KvK" => assert_eq!(wins[0] + wins[1], states[0]),
            // Seldom by mate.
            "KRvK" => assert!(wins == [states[0], wins[1]] && mates[0] * 50 < states[0]),
            _ => {}
        }
    }
    let tables = with_full(|solver| Retrograde::generate(solver.rules, names));
    for name in names {
        with_full(|solver| tables.compare(solver, name));
    }
}

/// Checks a material, and that a side that is Low never wins by nothing but a
/// pass; one that is High does, if `high_passes`.
fn audit(solver: &mut Solver, name: &str, high_passes: bool) {
    // With many points what happens in the middle happens often.
    let few = [1, 2, 3, 4, 5, 6, 7, 8, 9, 25, 48, 49, 50];
    let all: Vec<u8> = (1..=solver.rules.full).collect();
    let points = if name == "KvK" || all.len() < few.len() {
        &all[..]
    } else {
        &few
    };
    let seen = solver.audit(name, points);
    println!("{name}: {seen:?}");
    assert_eq!(seen.low_passes, 0, "{name}");
    assert_eq!(seen.high_passes > 0, high_passes, "{name}");
}

#[test]
fn values_follow_from_those_of_the_successors() {
    audit(&mut Solver::new(50, Reading::Mover), "KvK", false);
    let mut both = Solver::new(3, Reading::Both);
    audit(&mut both, "KvK", false);
    audit(&mut both, "KPvK", true);
    let mut mover = Solver::new(2, Reading::Mover);
    for name in ["KNvK", "KvKR", "KvKP"] {
        audit(&mut mover, name, true);
    }
}

#[test]
#[ignore = "a minute"]
fn values_of_all_small_counters_follow_from_those_of_the_successors() {
    let mut mover = Solver::new(2, Reading::Mover);
    for name in &UP_TO_THREE[1..] {
        audit(&mut mover, name, true);
    }
}

#[test]
#[ignore = "minutes"]
fn no_pass_of_low_is_the_only_winning_move_with_full_counters() {
    for name in &UP_TO_THREE[1..] {
        with_full(|solver| audit(solver, name, true));
    }
}

/// Four pieces: here a defender has vital moves after which it can still be
/// mated, and a mate with the last point may be all there is.
#[test]
#[ignore = "minutes and gigabytes"]
fn high_chess_values_of_four_pieces_follow_from_those_of_the_successors() {
    let mut both = Solver::new(2, Reading::Both);
    audit(&mut both, "KQvKP", true);
    audit(&mut both, "KQvKR", true);
}

#[test]
fn retrograde_agrees_on_three_pieces_where_both_small_counters_are_restored() {
    three_pieces_where_both_are_restored(5);
}

#[test]
#[ignore = "minutes"]
fn retrograde_agrees_on_three_pieces_where_both_full_counters_are_restored() {
    three_pieces_where_both_are_restored(50);
}

fn three_pieces_where_both_are_restored(full: u8) {
    let mut solver = Solver::new(full, Reading::Both);
    let tables = Retrograde::generate(solver.rules, &UP_TO_THREE);
    for name in UP_TO_THREE {
        tables.compare(&mut solver, name);
    }
}

/// Compares materials with pawns on either side and all that their moves lead
/// to.
fn deep(reading: Reading) {
    let names = ["KPvKP", "KRvKP", "KNvKP", "KPvKR"];
    let mut solver = Solver::new(5, reading);
    let tables = Retrograde::generate(solver.rules, &names);
    for name in names {
        let compared = tables.compare(&mut solver, name);
        let pawns = name.matches('P').count();
        assert_eq!(compared.states[1] > 0, pawns == 2, "{name}");
    }
    for name in solver.endgames() {
        if !names.contains(&name.as_str()) {
            tables.compare(&mut solver, &name);
        }
    }
}

#[test]
#[ignore = "many minutes and gigabytes"]
fn retrograde_agrees_on_pawns_of_high_chess() {
    deep(Reading::Mover);
}

#[test]
#[ignore = "many minutes and gigabytes"]
fn retrograde_agrees_on_pawns_of_high_chess_where_both_are_restored() {
    deep(Reading::Both);
}
