//! H7 (3)(4): in High Chess a move that ends a right to castle is vital.

use retrograde_rules::{Position, Vitality};

use crate::castling::{game, position};

const FEN: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 9+9 0 1";

/// White's points after moves in UCI, and whether the last of them was vital.
#[track_caller]
fn points(fen: &str, moves: &[&str]) -> (Vitality, bool) {
    let game = game("high-chess");
    let mut at: Position = position(game, fen);
    let mut vital = false;
    for mv in moves {
        let mv = at.parse_uci(mv).unwrap();
        vital = at.game().vitality().unwrap().is_vital(&at, mv);
        at = at.play(mv);
    }
    (at.vitality().unwrap(), vital)
}

#[track_caller]
fn check(fen: &str, moves: &[&str], white: u8, black: u8) {
    let (vitality, vital) = points(fen, moves);
    assert_eq!(
        (vitality.white, vitality.black),
        (white, black),
        "{moves:?}"
    );
    let mover = if moves.len() % 2 == 1 { white } else { black };
    assert_eq!(vital, mover == 50, "{moves:?}");
}

#[test]
fn first_moves_of_king_and_rook() {
    for mv in ["e1e2", "e1d1", "e1g1", "e1c1", "a1b1", "h1h2"] {
        check(FEN, &[mv], 50, 9);
    }
    // A pass ends no right, and White is Low.
    check(FEN, &["0000"], 8, 9);
    // Black's are Black's.
    check(FEN, &["0000", "e8g8"], 8, 50);
}

#[test]
fn second_moves_are_not_vital() {
    check(FEN, &["h1h2", "0000", "h2h1"], 49, 9);
    check(FEN, &["e1d1", "0000", "d1e1"], 49, 9);
    // The other rook has not moved, but its king has.
    check(FEN, &["e1d1", "0000", "a1a2"], 49, 9);
    // One right is left, and ends now.
    check(FEN, &["h1h2", "0000", "a1a2"], 50, 9);
    check(FEN, &["h1h2", "0000", "e1d1"], 50, 9);
}

#[test]
fn without_rights_nothing_is_restored() {
    let fen = FEN.replace("KQkq", "kq");
    for mv in ["e1d1", "a1b1", "h1h2"] {
        check(&fen, &[mv], 8, 9);
    }
    // Only one side: the other rook's first move came earlier.
    let fen = FEN.replace("KQkq", "Kkq");
    check(&fen, &["a1b1"], 8, 9);
    check(&fen, &["h1g1"], 50, 9);
}

/// The rook that is taken gave a right to its owner; it is the capture that is
/// vital, for the side that makes it.
#[test]
fn a_right_that_is_taken_restores_nothing_for_its_owner() {
    let game = game("high-chess");
    let mut at = position(game, FEN);
    let mv = at.parse_uci("a1a8").unwrap();
    at = at.play(mv);
    let left = at.vitality().unwrap();
    assert_eq!((left.white, left.black), (50, 9));
    assert_eq!(at.castling().text(game), "Kk");
}
