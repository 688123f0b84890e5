//! C1: how the pieces move, and that check forbids nothing. C4: blocked.

use retrograde_rules::{Colour, End};

use crate::chess99::{end_by, game, moves_from, moves_of, position};

#[test]
fn c1_the_paladin_is_bishop_and_knight() {
    let fen = "9/9/9/9/4A4/9/9/9/K7k w - -";
    assert_eq!(
        moves_from(game(), fen, "e5"),
        "a9 b2 b8 c3 c4 c6 c7 d3 d4 d6 d7 f3 f4 f6 f7 g3 g4 g6 g7 h2 h8 i1 i9"
    );
    // Pieces stand in the way of the bishop, not of the knight.
    let fen = "9/9/9/3n1n3/4A4/3N1N3/9/9/K7k w - -";
    assert_eq!(
        moves_from(game(), fen, "e5"),
        "c4 c6 d3 d6 d7 f3 f6 f7 g4 g6"
    );
}

#[test]
fn c1_the_others_move_as_in_chess() {
    let fen = "9/9/9/9/4Q4/9/9/9/K2k5 w - -";
    assert_eq!(
        moves_from(game(), fen, "e5"),
        "a5 a9 b2 b5 b8 c3 c5 c7 d4 d5 d6 e1 e2 e3 e4 e6 e7 e8 e9 f4 f5 f6 g3 g5 g7 h2 h5 h8 i1 i5 i9"
    );
    let fen = "R8/9/9/9/9/9/9/1k7/3K4N w - -";
    assert_eq!(
        moves_from(game(), fen, "a9"),
        "a1 a2 a3 a4 a5 a6 a7 a8 b9 c9 d9 e9 f9 g9 h9 i9"
    );
    assert_eq!(moves_from(game(), fen, "i1"), "g2 h3");
    let fen = "9/9/9/9/9/9/9/B8/K7k w - -";
    assert_eq!(moves_from(game(), fen, "a2"), "b1 b3 c4 d5 e6 f7 g8 h9");
}

#[test]
fn c1_kings_may_touch_and_walk_into_attack() {
    let touching = position("9/9/9/9/3Kk4/9/9/9/9 w - -");
    assert_eq!(
        moves_of(&touching),
        [
            "d5c4", "d5c5", "d5c6", "d5d4", "d5d6", "d5e4", "d5e5", "d5e6"
        ]
    );
    for colour in Colour::BOTH {
        assert!(touching.in_check(colour));
    }
    // The rook guards all of the a-file; the king may enter it, and stay.
    let fen = "r7k/9/9/9/9/9/9/9/1K7 w - -";
    assert_eq!(moves_from(game(), fen, "b1"), "a1 a2 b2 c1 c2");
    let checked = position("r7k/9/9/9/9/9/9/9/K8 w - -");
    assert!(checked.is_check());
    assert_eq!(moves_of(&checked), ["a1a2", "a1b1", "a1b2"]);
    // A pinned piece goes where it likes.
    let fen = "r7k/9/9/9/9/9/9/R8/K8 w - -";
    assert_eq!(
        moves_from(game(), fen, "a2"),
        "a3 a4 a5 a6 a7 a8 a9 b2 c2 d2 e2 f2 g2 h2 i2"
    );
}

#[test]
fn c1_nobody_passes() {
    assert!(!game().has_pass());
    let fen = "k8/9/9/9/9/9/9/9/K8 w - -";
    assert!(position(fen).parse_uci("0000").is_err());
}

#[test]
fn c4_a_side_without_a_move_is_blocked() {
    let blocked = "1k7/1P7/BP7/PP7/KP7/PP7/9/9/9 w - -";
    let at = position(blocked);
    assert_eq!(moves_of(&at), [""; 0]);
    assert_eq!(at.end(), Some(End::Blocked));
    assert_eq!(End::Blocked.winner(Colour::White), None);
    assert_eq!(at.perft(1), 0);
    // The other side is not: the king takes the pawn, and then White moves.
    let other = blocked.replace(" w ", " b ");
    assert_eq!(position(&other).end(), None);
    assert_eq!(end_by(game(), &other, "b9b8"), None);
    assert_eq!(end_by(game(), &other, "b9c9"), None);
    // An attacked king is blocked all the same.
    let checked = "1k7/1P7/BP7/PP7/KP7/PPn6/9/9/9 w - -";
    assert!(position(checked).is_check());
    assert_eq!(position(checked).end(), Some(End::Blocked));
    // Here a pawn may take the knight.
    let checked = "1k7/1P7/BP7/PPn6/KP7/PP7/9/9/9 w - -";
    assert!(position(checked).is_check());
    assert_eq!(position(checked).end(), None);
}

#[test]
fn c4_bare_kings_play_on() {
    let far = position("k8/9/9/9/9/9/9/9/8K w - -");
    assert_eq!(far.end(), None);
    assert_eq!(far.dead(), None);
    let near = "9/9/9/9/3Kk4/9/9/9/9 w - -";
    assert_eq!(end_by(game(), near, "d5e5"), Some(End::KingCapture));
}
