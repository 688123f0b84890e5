//! How games of extinction chess end (E6).

use retrograde_rules::{Colour, End, Position};

use crate::extinction::{BASE, moves, played, position};

const WHITE: Option<End> = Some(End::Extinction {
    winner: Colour::White,
});
const BLACK: Option<End> = Some(End::Extinction {
    winner: Colour::Black,
});

#[test]
fn taking_the_last_of_a_type_wins() {
    for (fen, mv, end) in [
        ("7k/8/8/3r4/8/8/8/K2Q4 w - -", "d1d5", WHITE),
        ("7k/8/8/3r4/8/8/8/K2Q4 b - -", "d5d1", BLACK),
        ("7k/8/8/3r4/7r/8/8/K2Q4 w - -", "d1d5", None),
        ("8/8/8/8/8/8/1k6/K7 w - -", "a1b2", WHITE),
        ("8/8/8/3r4/8/8/8/3Q4 b - -", "d5d1", BLACK),
        ("7k/8/8/3pP3/8/8/8/K7 w - d6", "e5d6", WHITE),
        ("7k/p7/8/3pP3/8/8/8/K7 w - d6", "e5d6", None),
    ] {
        let after = played(*BASE, fen, mv);
        assert_eq!(after.end(), end, "{fen}");
        let over = end.is_some();
        assert_eq!(moves(&after).is_empty(), over, "{fen}");
        assert_eq!(after.perft(3) == 0, over);
        assert_eq!(after.extinct().is_some(), over);
        let winner = end.and_then(|end| end.winner(after.turn()));
        assert_eq!(winner, over.then(|| after.turn().other()), "{fen}");
    }
}

#[test]
fn promoting_the_last_pawn_loses() {
    // It may be forced: a loss in one ply.
    let fen = "8/P7/8/8/8/8/8/k7 w - -";
    let at = position(*BASE, fen);
    assert_eq!(moves(&at).len(), 5);
    for mv in moves(&at) {
        let after = played(*BASE, fen, &mv);
        assert_eq!(after.end(), BLACK, "{mv}");
        assert_eq!(after.extinct(), Some(Colour::White));
    }
    // With another pawn it is only a promotion.
    let after = played(*BASE, "8/P7/8/8/8/P7/8/k7 w - -", "a7a8k");
    assert_eq!(after.end(), None);
}

#[test]
fn a_promotion_that_takes_the_last_of_a_type_wins() {
    let end = |fen| played(*BASE, fen, "a7b8q").end();
    assert_eq!(end("1r6/P7/8/8/8/8/8/k7 w - -"), WHITE);
    assert_eq!(end("1r6/P7/8/8/8/8/7r/k7 w - -"), BLACK);
    assert_eq!(end("1r6/P7/8/8/8/8/P6r/k7 w - -"), None);
    assert_eq!(end("1r6/P7/8/8/8/8/P7/k7 w - -"), WHITE);
}

#[test]
fn nothing_is_illegal_because_of_check() {
    // The king may stay attacked, and may walk up to the other.
    let at = position(*BASE, "8/8/8/8/8/k7/8/K6r w - -");
    assert!(!at.is_check());
    assert_eq!(moves(&at), ["a1a2", "a1b1", "a1b2"]);
    assert!(at.royals(Colour::White).is_empty());
    assert!(!BASE.royals_vary());
    // So the side not to move may stand attacked.
    assert!(Position::from_fen(*BASE, "8/8/8/8/8/8/1k6/K7 w - -").is_ok());
}

#[test]
fn without_any_move_it_is_a_draw() {
    let at = position(*BASE, "8/8/8/8/8/p7/P7/8 w - -");
    assert_eq!(at.end(), Some(End::Blocked));
    assert_eq!(End::Blocked.winner(Colour::White), None);
    assert_eq!(End::Blocked.name(), "blocked");
    assert_eq!(at.perft(1), 0);
    let at = position(*BASE, "8/8/8/8/8/p7/P6P/8 w - -");
    assert_eq!(at.end(), None);
}

#[test]
fn an_ended_game_has_a_diagram_that_goes_on() {
    // The diagram does not tell that Black had a rook: read anew, rooks are
    // out of play (E1).
    let after = played(*BASE, "7k/8/8/3r4/8/8/8/K2Q4 w - -", "d1d5");
    let again = position(*BASE, &after.fen());
    assert_ne!(again, after);
    assert_eq!((again.end(), again.extinct()), (None, None));
    // Where no piece is left, it cannot be read at all.
    let after = played(*BASE, "8/8/8/3r4/8/8/8/3Q4 w - -", "d1d5");
    assert!(Position::from_fen(*BASE, &after.fen()).is_err());
}
