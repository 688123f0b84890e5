//! C2, C3: the king is captured, and whose king is attacked afterwards.

use retrograde_rules::{Colour, End};

use crate::chess99::{end_by, game, game_of, moves_of, played_in, position, position_of};

/// Looks at how a capture of the king ends the game by the designer's rule, and by each of
/// the other options.
#[track_caller]
fn check(fen: &str, uci: &str, end: End) {
    assert_eq!(end_by(game(), fen, uci), Some(end), "{fen} {uci}");
    for (value, drawn) in [("win", Some(WIN)), ("loss", Some(LOSS)), ("illegal", None)] {
        let game = game_of(&format!("chess99:king-capture-in-check={value}"));
        let expected = if end == DRAW { drawn } else { Some(WIN) };
        match expected {
            Some(end) => assert_eq!(end_by(game, fen, uci), Some(end), "{fen} {uci} {value}"),
            None => {
                let moves = moves_of(&position_of(game, fen));
                assert!(!moves.contains(&uci.to_owned()), "{fen} {uci}");
            }
        }
    }
}

const WIN: End = End::KingCapture;
const DRAW: End = End::KingCaptureDraw;
const LOSS: End = End::KingCaptureLoss;

#[test]
fn c2_king_takes_king() {
    check("9/9/9/9/3Kk4/9/9/9/9 w - -", "d5e5", WIN);
    // On a guarded square.
    check("9/9/9/4r4/3Kk4/9/9/9/9 w - -", "d5e5", DRAW);
    check("9/9/9/9/3Kk4/9/3n5/9/9 w - -", "d5e5", DRAW);
    check("9/9/9/5p3/3Kk4/9/9/9/9 w - -", "d5e5", DRAW);
    // A guard that is blocked, or looks elsewhere.
    check("9/4r4/4N4/9/3Kk4/9/9/9/9 w - -", "d5e5", WIN);
    check("9/9/9/9/3Kk4/5p3/9/9/9 w - -", "d5e5", WIN);
}

#[test]
fn c2_only_what_stands_afterwards_counts() {
    // In check from the king that is taken, and from nobody else.
    check("3R5/9/9/9/9/9/9/3k5/4K4 w - -", "d9d2", WIN);
    // In check from a rook, before and after.
    check("3Rr4/9/9/9/9/9/9/3k5/4K4 w - -", "d9d2", DRAW);
    // The capture puts a piece in the way of the rook.
    check("4r4/9/9/4k4/9/6B2/9/9/4K4 w - -", "g4e6", WIN);
    // The king steps out of check by taking.
    check("4r4/9/9/9/9/9/9/3k5/4K4 w - -", "e1d2", WIN);
}

#[test]
fn c2_a_capture_may_uncover_check() {
    check("4r4/9/9/9/9/k3R4/9/9/4K4 w - -", "e4a4", DRAW);
    // The rook stays on the line.
    check("4r4/4k4/9/9/9/4R4/9/9/4K4 w - -", "e4e8", WIN);
}

#[test]
fn c2_a_waiting_pawn_counts_as_a_paladin() {
    // On a diagonal, on a knight's square; not straight ahead or beside.
    check("9/7kR/9/9/4K4/9/9/9/p8 w - -", "i8h8", DRAW);
    check("9/7kR/9/9/4K4/9/2N6/9/p8 w - -", "i8h8", WIN);
    check("9/7kR/9/9/9/9/9/2K6/p8 w - -", "i8h8", DRAW);
    check("9/7kR/9/9/9/9/1K7/9/p8 w - -", "i8h8", DRAW);
    check("9/7kR/9/9/9/9/9/K8/p8 w - -", "i8h8", WIN);
    check("9/7kR/9/9/9/9/9/9/pK7 w - -", "i8h8", WIN);
    // It guards its king.
    check("9/9/9/9/9/9/3K5/2k6/4p4 w - -", "d3c2", DRAW);
}

#[test]
fn c2_every_piece_may_take_the_king() {
    for (fen, uci) in [
        ("9/9/9/9/2Q1k4/9/9/9/K8 w - -", "c5e5"),
        ("9/9/9/3A5/9/4k4/9/9/K8 w - -", "d6e4"),
        ("9/9/3A5/9/9/6k2/9/9/K8 w - -", "d7g4"),
        ("9/9/9/9/9/9/4k4/6N2/K8 w - -", "g2e3"),
        ("9/9/9/9/4k4/3P5/9/9/K8 w - -", "d4e5"),
        ("4k4/3P5/9/9/9/9/9/9/K8 w - -", "d8e9"),
        ("4k4/3P5/9/9/9/9/9/9/K8 w - -", "d8e9n"),
        // A pawn that waits.
        ("3P5/9/4k4/9/9/9/9/9/K8 w - -", "d9=ne7"),
        ("3P5/9/9/9/9/8k/9/9/K8 w - -", "d9=bi4"),
    ] {
        check(fen, uci, WIN);
        // With a rook on the king's file it is a draw.
        let attacked = fen.replace("/K8", "/K7r");
        check(&attacked, uci, DRAW);
    }
}

#[test]
fn c2_a_finished_game_is_finished() {
    for (fen, uci) in [
        ("9/9/9/9/3Kk4/9/9/9/9 w - -", "d5e5"),
        ("9/9/9/4r4/3Kk4/9/9/9/9 w - -", "d5e5"),
    ] {
        let after = played_in(game(), fen, uci);
        assert_eq!(moves_of(&after), [""; 0]);
        assert_eq!(after.perft(3), 0);
        assert!(!after.is_check());
        assert_eq!(after.turn(), Colour::Black);
        // It can be written, but not set up.
        let text = after.fen();
        let error = retrograde_rules::Position::from_fen(game(), &text).unwrap_err();
        assert!(error.to_string().contains("black has no king"), "{error}");
    }
    assert_eq!(WIN.winner(Colour::Black), Some(Colour::White));
    assert_eq!(DRAW.winner(Colour::Black), None);
    assert_eq!(LOSS.winner(Colour::Black), Some(Colour::Black));
    assert_eq!(WIN.name(), "king-capture");
    assert_eq!(DRAW.name(), "king-capture-draw");
}

#[test]
fn c3_with_both_kings_in_check_a_capture_is_there() {
    let fen = "r3k4/9/9/9/9/9/9/9/K3R4 w - -";
    let at = position(fen);
    for colour in Colour::BOTH {
        assert!(at.in_check(colour));
    }
    check(fen, "e1e9", DRAW);
    check(&fen.replace(" w ", " b "), "a9a1", DRAW);
}

#[test]
fn c2_without_a_legal_move_a_side_is_blocked() {
    let illegal = game_of("chess99:king-capture-in-check=illegal");
    // The king could only take the other one, beside which a rook stands.
    let fen = "9/9/9/9/9/PPP6/NNN6/rkN6/KNN6 w - -";
    let at = position_of(illegal, fen);
    assert!(moves_of(&at).iter().all(|name| name != "a1b2"));
    assert!(moves_of(&position(fen)).contains(&"a1b2".to_owned()));
}
