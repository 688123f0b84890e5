//! The naive solver: its own tests, and comparisons of Retrograde's tables with it.
//!
//! The ignored tests take minutes and gigabytes; `scripts/naive-deep.sh` runs
//! them.

use std::sync::{LazyLock, Mutex, MutexGuard};

use super::retrograde::Retrograde;
use super::solve::{Shared, share};
use super::{Fifty, Next, Orthodox, Outcome, Solver, State, Value};

/// The limit of the fifty-move rule in plies, and one so low that most wins with few
/// pieces are cursed.
const FIFTY_MOVES: u16 = 100;
const FIVE_MOVES: u16 = 10;

/// The materials of up to three pieces.
const UP_TO_THREE: [&str; 6] = ["KvK", "KQvK", "KRvK", "KBvK", "KNvK", "KPvK"];

/// The same with the colours swapped.
const SWAPPED: [&str; 5] = ["KvKQ", "KvKR", "KvKB", "KvKN", "KvKP"];

static PLAIN: Shared<Orthodox> = LazyLock::new(|| Mutex::new(Solver::plain(Orthodox)));
static FOLDED: Shared<Orthodox> = LazyLock::new(|| Mutex::new(Solver::folded(Orthodox)));

/// Orthodox chess without symmetries, for all tests.
pub(super) fn plain() -> MutexGuard<'static, Solver<Orthodox>> {
    share(&PLAIN)
}

/// The longest win of a material in plies, and how many positions are won, drawn and
/// lost for the side to move. States with e.p. rights are left out.
fn totals(solver: &mut Solver<Orthodox>, name: &str) -> (Option<u16>, [u32; 3]) {
    let mut longest_win = None;
    let mut counts = [0; 3];
    solver.each(name, |state, value| match value {
        Value::Win(plies) if state.extra == 0 => {
            longest_win = longest_win.max(Some(plies));
            counts[0] += 1;
        }
        Value::Draw if state.extra == 0 => counts[1] += 1,
        Value::Loss(_) if state.extra == 0 => counts[2] += 1,
        _ => {}
    });
    (longest_win, counts)
}

#[test]
fn deepest_wins_are_those_of_the_literature() {
    let mut solver = plain();
    for (name, moves) in [
        ("KvK", None),
        ("KQvK", Some(10)),
        ("KRvK", Some(16)),
        ("KBvK", None),
        ("KNvK", None),
        ("KPvK", Some(28)),
    ] {
        let (longest_win, [won, _, lost]) = totals(&mut solver, name);
        assert_eq!(longest_win, moves.map(|moves| 2 * moves - 1), "{name}");
        assert_eq!(longest_win.is_some(), won > 0 && lost > 0, "{name}");
    }
}

#[test]
fn values_follow_from_those_of_the_successors() {
    let (mut plain, mut folded) = (plain(), share(&FOLDED));
    for name in UP_TO_THREE {
        let states = plain.audit(name);
        assert!(folded.audit(name) < states, "{name}");
    }
}

#[test]
fn folding_changes_no_value() {
    let (mut plain, mut folded) = (plain(), share(&FOLDED));
    for name in UP_TO_THREE.into_iter().chain(SWAPPED) {
        plain.each(name, |state, value| {
            assert_eq!(folded.value(state), value, "{state}");
        });
    }
}

#[test]
fn single_positions_have_their_known_values() {
    let mut solver = plain();
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
        // Depends on who has the opposition.
        ("4k3/8/4K3/4P3/8/8/8/8 b - -", Value::Loss(24)),
        ("4k3/8/8/4K3/4P3/8/8/8 b - -", Value::Draw),
        ("8/8/8/8/8/k7/p7/K7 w - -", Value::Draw),
        // Adjacent kings, a king left in check, a pawn on the last rank.
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
    // The only legal move, without which it would be stalemate; a mating one.
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
    // Pins: along the rank that both pawns leave, along a file, along a diagonal. A
    // right that cannot be used does not count.
    for fen in [
        "8/8/8/K2pP2r/8/8/8/7k w - d6",
        "4r3/8/8/3pP3/8/8/8/4K2k w - d6",
        "7b/8/8/3pP3/8/2K5/8/7k w - d6",
        // No pawn to capture; no room behind; a pawn that made a single step.
        "8/8/8/3p4/4P3/8/8/K6k w - d6",
        "8/3r4/8/3pP3/8/8/8/K6k w - d6",
    ] {
        assert_eq!(Orthodox::parse(fen).extra, 0, "{fen}");
    }
    // A pin along the diagonal of the capture does not prevent it.
    assert_ne!(Orthodox::parse("1b6/8/8/3pP3/8/6K1/8/7k w - d6").extra, 0);
    // A double step gives a right only if a pawn can use it.
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

/// What was compared for a material.
#[derive(Debug, Default)]
struct Compared {
    /// Positions without an e.p. right, and with one.
    positions: u64,
    rights: u64,
    /// How many of all are cursed wins or blessed losses.
    cursed: u64,
    /// The longest distance to a zeroing move, real and cursed.
    longest: [u16; 2],
}

/// Which answers are compared; the fifty-move rule takes the naive solver several
/// times as long as the depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Depths,
    FiftyMoves,
    Both,
}

/// Compares every placement of a material on the whole board, for both sides to move,
/// with Retrograde's tables: value and depth, WDL and DTZ with the fifty-move rule, and
/// whether it is legal.
fn compare(solver: &mut Fifty<Orthodox>, tables: &Retrograde, name: &str, what: Of) -> Compared {
    let mut compared = Compared::default();
    let mut placed = 0u64;
    for state in solver.solver.states(name) {
        placed += 1;
        let outcome = (what != Of::Depths).then(|| solver.outcome(&state));
        let value = (what != Of::FiftyMoves).then(|| solver.solver.value(&state));
        let illegal = outcome == Some(Outcome::Illegal) || value == Some(Value::Illegal);
        let agree = |(found_value, found_outcome)| {
            if let Some(outcome) = outcome {
                assert_eq!(found_outcome, outcome, "{}", Orthodox::fen(&state));
            }
            if let Some(value) = value {
                assert_eq!(found_value, value, "{}", Orthodox::fen(&state));
            }
        };
        if state.extra == 0 {
            agree(tables.by_pieces(&state));
        }
        // Every FEN would take long; a stride coprime to 2 and 3 reaches squares of
        // every kind.
        if state.extra != 0 && !illegal || placed.is_multiple_of(11) {
            agree(tables.by_fen(&state));
        }
        match state.extra {
            _ if illegal => {}
            0 => compared.positions += 1,
            _ => compared.rights += 1,
        }
        let [real, cursed] = &mut compared.longest;
        match outcome {
            Some(Outcome::Win(plies) | Outcome::Loss(plies)) => *real = plies.max(*real),
            Some(Outcome::CursedWin(plies) | Outcome::BlessedLoss(plies)) => {
                *cursed = plies.max(*cursed);
                compared.cursed += 1;
            }
            Some(Outcome::Draw | Outcome::Illegal) | None => {}
        }
    }
    println!("{name}: {compared:?} agree");
    compared
}

#[test]
fn retrograde_agrees_on_three_pieces() {
    // Promotions lead to all the others.
    agrees_on(["KQvK", "KPvK", "KvKP"], FIFTY_MOVES);
    agrees_on(["KRvK"], FIVE_MOVES);
}

#[test]
#[ignore = "a minute"]
fn retrograde_agrees_on_all_of_three_pieces() {
    let names = || UP_TO_THREE.into_iter().chain(SWAPPED);
    agrees_on(names(), FIFTY_MOVES);
    agrees_on(names(), FIVE_MOVES);
}

fn agrees_on(names: impl IntoIterator<Item = &'static str>, limit: u16) {
    let mut solver = Fifty::new(Solver::plain(Orthodox), limit);
    let tables = Retrograde::generate(&UP_TO_THREE[1..], limit.into());
    for name in names {
        let compared = compare(&mut solver, &tables, name, Of::Both);
        assert!(compared.positions > 6000, "{name}");
        assert!(compared.longest[0] <= limit);
        let wins = name.contains(['Q', 'R', 'P']);
        assert_eq!(compared.cursed > 0, wins && limit == FIVE_MOVES, "{name}");
    }
}

#[test]
#[ignore = "minutes and gigabytes"]
fn retrograde_agrees_on_pawn_against_pawn() {
    pawn_against_pawn(Of::Depths);
}

#[test]
#[ignore = "minutes and gigabytes"]
fn retrograde_agrees_on_pawn_against_pawn_with_fifty_moves() {
    pawn_against_pawn(Of::Both);
}

fn pawn_against_pawn(what: Of) {
    let mut solver = Fifty::new(Solver::folded(Orthodox), FIFTY_MOVES);
    let tables = Retrograde::generate(&["KPvKP"], FIFTY_MOVES.into());
    let compared = compare(&mut solver, &tables, "KPvKP", what);
    assert!(compared.rights > 10_000, "{compared:?}");
    assert_eq!(compared.cursed, 0);
    let (longest_win, [won, _, lost]) = totals(&mut solver.solver, "KPvKP");
    assert_eq!(longest_win, Some(2 * 33 - 1));
    assert!(won > lost);
}

#[test]
#[ignore = "minutes and gigabytes"]
fn retrograde_agrees_on_pawn_against_pawn_with_five_moves() {
    let mut solver = Fifty::new(Solver::folded(Orthodox), FIVE_MOVES);
    let tables = Retrograde::generate(&["KPvKP"], FIVE_MOVES.into());
    let compared = compare(&mut solver, &tables, "KPvKP", Of::FiftyMoves);
    assert!(compared.rights > 10_000, "{compared:?}");
    assert!(compared.cursed > 100_000, "{compared:?}");
}

#[test]
fn outcomes_follow_from_those_of_the_successors() {
    for limit in [FIFTY_MOVES, FIVE_MOVES] {
        let mut solver = Fifty::new(Solver::folded(Orthodox), limit);
        for name in UP_TO_THREE {
            assert!(solver.audit(name) > 0, "{name}");
        }
    }
}

#[test]
#[ignore = "minutes and gigabytes"]
fn values_with_en_passant_follow_from_those_of_the_successors() {
    Solver::folded(Orthodox).audit("KPvKP");
}

/// A whole material over the whole board, without symmetry.
fn deep(name: &str, moves: u16) {
    let mut solver = Fifty::new(Solver::plain(Orthodox), FIFTY_MOVES);
    let tables = Retrograde::generate(&[name], FIFTY_MOVES.into());
    compare(&mut solver, &tables, name, Of::Both);
    let (longest_win, _) = totals(&mut solver.solver, name);
    assert_eq!(longest_win, Some(2 * moves - 1), "{name}");
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
