//! The plain third solver: its own tests, and Retrograde's tables against it.
//!
//! The ignored tests take minutes and gigabytes; `scripts/naive-deep.sh` runs
//! them.
#![allow(clippy::unwrap_used, reason = "tests may panic")]

#[path = "naive/mod.rs"]
mod naive;

use naive::retrograde::Retrograde;
use naive::{Next, Orthodox, Solver, State, Value};

/// The classes of up to three men.
const UP_TO_THREE: [&str; 6] = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];

/// The same with the colours swapped.
const SWAPPED: [&str; 5] = ["KvKQ", "KvKR", "KvKB", "KvKN", "KvKP"];

/// The deepest win of a class in plies, and how many positions are won, drawn
/// and lost for the side to move. States with e.p. rights are left out.
fn totals(solver: &mut Solver<Orthodox>, name: &str) -> (Option<u16>, [u32; 3]) {
    let mut deepest = None;
    let mut counts = [0; 3];
    solver.each(name, |state, value| match value {
        Value::Win(plies) if state.extra == 0 => {
            deepest = deepest.max(Some(plies));
            counts[0] += 1;
        }
        Value::Draw if state.extra == 0 => counts[1] += 1,
        Value::Loss(_) if state.extra == 0 => counts[2] += 1,
        _ => {}
    });
    (deepest, counts)
}

#[test]
fn deepest_wins_are_those_of_the_literature() {
    let mut solver = Solver::plain(Orthodox);
    for (name, moves) in [
        ("KvK", None),
        ("KQvK", Some(10)),
        ("KRvK", Some(16)),
        ("KBvK", None),
        ("KNvK", None),
        ("KPvK", Some(28)),
    ] {
        let (deepest, [won, _, lost]) = totals(&mut solver, name);
        assert_eq!(deepest, moves.map(|moves| 2 * moves - 1), "{name}");
        assert_eq!(deepest.is_some(), won > 0 && lost > 0, "{name}");
    }
}

#[test]
fn values_follow_from_those_of_the_successors() {
    let mut plain = Solver::plain(Orthodox);
    let mut folded = Solver::folded(Orthodox);
    for name in UP_TO_THREE {
        let states = plain.audit(name);
        assert!(folded.audit(name) < states, "{name}");
    }
}

#[test]
fn folding_changes_no_value() {
    let mut plain = Solver::plain(Orthodox);
    let mut folded = Solver::folded(Orthodox);
    for name in UP_TO_THREE.into_iter().chain(SWAPPED) {
        plain.each(name, |state, value| {
            assert_eq!(folded.value(state), value, "{state}");
        });
    }
}

#[test]
fn single_positions_have_their_known_values() {
    let mut solver = Solver::plain(Orthodox);
    for (fen, value) in [
        // Stalemate, mate, mate in one, in two.
        ("8/8/8/8/8/1QK5/8/k7 b - -", Value::Draw),
        ("7k/5Q2/8/6K1/8/8/8/8 b - -", Value::Draw),
        ("7k/6Q1/6K1/8/8/8/8/8 b - -", Value::Loss(0)),
        ("7k/8/6K1/8/8/8/8/1Q6 w - -", Value::Win(1)),
        ("3k4/8/3K4/8/8/8/8/7R w - -", Value::Win(1)),
        // The rook hangs; the same with the king beside it.
        ("8/8/8/8/8/1k6/1R6/3K4 b - -", Value::Draw),
        ("8/8/8/8/8/1k6/8/1R1K4 b - -", Value::Loss(28)),
        // The opposition, and who has it.
        ("4k3/8/4K3/4P3/8/8/8/8 b - -", Value::Loss(24)),
        ("4k3/8/8/4K3/4P3/8/8/8 b - -", Value::Draw),
        ("8/8/8/8/8/k7/p7/K7 w - -", Value::Draw),
        // Kings that touch, a king left in check, a pawn on the last rank.
        ("8/8/8/8/8/8/1k6/K6R w - -", Value::Illegal),
        ("8/8/8/8/8/8/8/K1k4R w - -", Value::Illegal),
        ("4P3/8/8/8/8/8/8/K1k5 w - -", Value::Illegal),
    ] {
        assert_eq!(solver.value(&Orthodox::parse(fen)), value, "{fen}");
    }
}

/// The states after the legal moves.
fn after(state: &State) -> Vec<State> {
    let moves = Solver::plain(Orthodox).moves_of(state);
    let state = |next| match next {
        Next::State(state) => state,
        Next::Over(value) => panic!("{value:?}"),
    };
    moves.into_iter().map(state).collect()
}

#[test]
fn en_passant_states() {
    // The only legal move, where it would else be stalemate; a mating one.
    for (fen, moves, fens) in [
        (
            "7K/8/6q1/6Pp/8/8/7k/8 w - h6",
            1,
            "7K/8/6qP/8/8/8/7k/8 b - -",
        ),
        (
            "6K1/8/5q1k/4pP2/8/8/8/8 w - e6",
            1,
            "6K1/8/4Pq1k/8/8/8/8/8 b - -",
        ),
        (
            "8/8/7R/6pP/8/5K1k/8/8 w - g6",
            14,
            "8/8/6PR/8/8/5K1k/8/8 b - -",
        ),
    ] {
        let state = Orthodox::parse(fen);
        assert_ne!(state.extra, 0, "{fen}");
        let next = after(&state);
        assert_eq!(next.len(), moves, "{fen}");
        assert!(next.contains(&Orthodox::parse(fens)), "{fen}");
    }
    let mated = Orthodox::parse("8/8/6PR/8/8/5K1k/8/8 b - -");
    assert_eq!(after(&mated), []);
    // Pinned away: along the rank both pawns leave, along a file and along a
    // diagonal the taker does; then a right that cannot be used is none.
    for fen in [
        "8/8/8/K2pP2r/8/8/8/7k w - d6",
        "4r3/8/8/3pP3/8/8/8/4K2k w - d6",
        "7b/8/8/3pP3/8/2K5/8/7k w - d6",
        // No taker; no room behind; a pawn that has come a single step.
        "8/8/8/3p4/4P3/8/8/K6k w - d6",
        "8/3r4/8/3pP3/8/8/8/K6k w - d6",
    ] {
        assert_eq!(Orthodox::parse(fen).extra, 0, "{fen}");
    }
    // The pin along the diagonal of the capture does not hinder it.
    assert_ne!(Orthodox::parse("1b6/8/8/3pP3/8/6K1/8/7k w - d6").extra, 0);
    // A double step makes a right only where a pawn can use it.
    let rights = |fen| {
        after(&Orthodox::parse(fen))
            .iter()
            .filter(|s| s.extra != 0)
            .count()
    };
    assert_eq!(rights("8/8/8/k7/4p3/8/3P4/7K w - -"), 1);
    assert_eq!(rights("8/8/8/k7/5p2/8/3P4/7K w - -"), 0);
    assert_eq!(rights("8/8/8/8/k3p2R/8/3P4/7K w - -"), 0);
}

/// Compares every placement of a class on the whole board, whoever is to
/// move, with Retrograde's table: value, depth and whether it is legal.
/// Returns how many legal positions there were without and with e.p. rights.
fn compare(solver: &mut Solver<Orthodox>, tables: &Retrograde, name: &str) -> [u64; 2] {
    let mut compared = [0; 2];
    let mut placed = 0u64;
    solver.each(name, |state, value| {
        placed += 1;
        if state.extra == 0 {
            assert_eq!(tables.by_men(state), value, "{}", Orthodox::fen(state));
        }
        // Every FEN would take long; a stride prime to 2 and 3 meets every
        // kind of square.
        if state.extra != 0 && value != Value::Illegal || placed.is_multiple_of(11) {
            assert_eq!(tables.by_fen(state), value, "{}", Orthodox::fen(state));
        }
        if value != Value::Illegal {
            compared[usize::from(state.extra != 0)] += 1;
        }
    });
    println!(
        "{name}: {} positions and {} with an e.p. right agree",
        compared[0], compared[1]
    );
    compared
}

#[test]
fn retrograde_agrees_on_three_men() {
    let mut solver = Solver::plain(Orthodox);
    let tables = Retrograde::generate(&UP_TO_THREE[1..]);
    for name in UP_TO_THREE.into_iter().chain(SWAPPED) {
        let [positions, _] = compare(&mut solver, &tables, name);
        assert!(positions > 6000, "{name}");
    }
}

#[test]
fn retrograde_agrees_on_pawn_against_pawn() {
    let mut solver = Solver::folded(Orthodox);
    let tables = Retrograde::generate(&["KPvKP"]);
    let [_, rights] = compare(&mut solver, &tables, "KPvKP");
    assert!(rights > 10_000, "{rights}");
    let (deepest, [won, _, lost]) = totals(&mut solver, "KPvKP");
    assert_eq!(deepest, Some(2 * 33 - 1));
    assert!(won > lost);
}

#[test]
#[ignore = "minutes and gigabytes"]
fn values_with_en_passant_follow_from_those_of_the_successors() {
    Solver::folded(Orthodox).audit("KPvKP");
}

/// A whole class over the whole board, without symmetry.
fn deep(name: &str, moves: u16) {
    let mut solver = Solver::plain(Orthodox);
    let tables = Retrograde::generate(&[name]);
    compare(&mut solver, &tables, name);
    let (deepest, _) = totals(&mut solver, name);
    assert_eq!(deepest, Some(2 * moves - 1), "{name}");
}

#[test]
#[ignore = "minutes and gigabytes"]
fn retrograde_agrees_on_queen_against_rook() {
    deep("KQvKR", 35);
}

#[test]
#[ignore = "minutes and gigabytes"]
fn retrograde_agrees_on_bishop_and_knight() {
    deep("KBNvK", 33);
}

#[test]
#[ignore = "minutes and gigabytes"]
fn retrograde_agrees_on_two_knights() {
    deep("KNNvK", 1);
}
