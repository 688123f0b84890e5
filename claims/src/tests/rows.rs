//! Tests the column names in the rows of tables, and sentences about nothing.

use super::{answer, answer_if_lost, answer_of_kings};
use crate::Verdict;

/// A column is named "positions" only where all positions of a class are counted.
#[test]
fn columns_are_named_for_what_they_count() {
    let forks = answer_if_lost("EX-4", "extinction-mating", "KKvKN");
    let checks = answer_if_lost("K-5", "kings", "KKvKR");
    for (outcome, column) in [
        (answer("EX-2"), "mates"),
        (answer("EX-3"), "mates"),
        (answer("EX-5"), "stalemates"),
        (answer("HC5"), "stalemates"),
        (answer("K-2"), "with_a_pawn_one_step_from_promotion"),
        (answer("C99-7"), "double_checks"),
        (forks, "forks_with_an_answer"),
        (checks, "checks"),
    ] {
        let row = outcome.figures["by_class"][0].as_object().unwrap();
        assert!(row.contains_key(column), "{row:?}");
        assert!(!row.contains_key("positions"), "{row:?}");
    }
}

#[test]
fn what_has_no_class_is_not_decidable() {
    for tag in ["C99-1", "C99-3", "K-4", "K-7"] {
        let outcome = answer_of_kings(tag);
        assert_eq!(outcome.verdict, Verdict::NotDecidable, "{tag}");
        assert!(outcome.answer.contains("men"), "{}", outcome.answer);
        for broken in [": .", "none", "  ", " 0 "] {
            assert!(!outcome.answer.contains(broken), "{}", outcome.answer);
        }
        assert!(!outcome.answer.starts_with('.'), "{}", outcome.answer);
    }
    // The classes of three men do not have the same men on both sides.
    assert_eq!(answer("C99-1").verdict, Verdict::NotDecidable);
}

/// Two bare kings are drawn for one reason alone, and High's counter never matters.
#[test]
fn sentences_leave_out_what_there_is_nothing_of() {
    let drawn = answer_of_kings("HC0").answer;
    assert!(
        !drawn.contains("none") && !drawn.contains("stalemate"),
        "{drawn}"
    );
    let counter = answer_of_kings("HC7").answer;
    assert!(
        !counter.contains("of all pairs of counters; Low"),
        "{counter}"
    );
}

#[test]
fn c99_3_gives_moves_beside_plies() {
    let figures = answer("C99-3").figures;
    for row in figures["by_class"].as_array().unwrap() {
        let [plies, moves] =
            ["longest_win_plies", "longest_win_moves"].map(|name| row[name].as_u64());
        assert!(plies.is_some(), "{row}");
        assert_eq!(moves, plies.map(|plies| plies.div_ceil(2)), "{row}");
    }
}
