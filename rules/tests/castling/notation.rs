//! Castling in algebraic notation and in UCI's long form.

use retrograde_rules::{Move, MoveError};

use crate::castling::{game, position};

#[track_caller]
fn check(id: &str, fen: &str, uci: &str, san: &str) -> Move {
    let game = game(id);
    let at = position(game, fen);
    let mv = at.parse_uci(uci).unwrap();
    assert_eq!(at.uci(mv), uci);
    assert_eq!(at.san(mv), san);
    assert_eq!(at.parse_san(san), Ok(mv));
    mv
}

#[test]
fn writes_o_o() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    for id in ["orthodox", "high-chess", "extinction-mating", "extinction"] {
        check(id, fen, "e1g1", "O-O");
        let mv = check(id, fen, "e1c1", "O-O-O");
        let at = position(game(id), fen);
        for text in ["0-0-0!?", "o-o-o", "OOO", "Kc1", "Ke1c1", "Kxa1"] {
            assert_eq!(at.parse_san(text), Ok(mv), "{text}");
        }
        for text in ["Kb1", "O-O-O-O", "O--O", "-OO"] {
            assert!(at.parse_san(text).is_err(), "{text}");
        }
    }
    check("orthodox", "5k2/8/8/8/8/8/8/4K2R w K -", "e1g1", "O-O+");
    check(
        "orthodox",
        "3k4/1R6/1N3N2/8/8/8/8/R3K3 w Q -",
        "e1c1",
        "O-O-O#",
    );
}

#[test]
fn illegal_castling_is_named_as_such() {
    let orthodox = game("orthodox");
    let at = position(orthodox, "r3k2r/8/8/8/8/8/8/RN2K2R w KQkq -");
    for text in ["O-O-O", "0-0-0"] {
        match at.parse_san(text) {
            Err(MoveError::Illegal { legal, .. }) => assert!(legal.contains("O-O"), "{legal}"),
            other => panic!("{other:?}"),
        }
    }
    // Kings write a king's move, and wild 9 too, but people may not.
    let wild9 = position(game("wild9"), "4k3/8/8/8/8/8/8/R3KK2 w Q -");
    let mv = wild9.parse_san("O-O-O").unwrap();
    assert_eq!(wild9.san(mv), "Kc1");
    let kings = position(game("kings"), "4k3/8/8/8/8/8/8/R2K4 w AD -");
    assert!(kings.parse_san("O-O-O").is_err());
}

#[test]
fn kings_write_a_kings_move() {
    check("kings", "1k6/8/8/8/8/8/8/R2K3R w ADH -", "d1b1", "Kb1");
    check("kings", "1k6/8/8/8/8/8/8/R2K3R w ADH -", "d1f1", "Kf1");
    // A second king that reaches the square is told apart.
    check("kings", "1k6/8/8/8/8/8/4K3/R2K3R w ADH -", "d1f1", "Kdf1");
    check("kings", "1k6/8/8/8/8/8/4K3/R2K3R w ADH -", "e2f1", "Kef1");
    check("wild9", "4kk2/8/8/8/8/8/8/R3KK2 w Q -", "e1c1", "Kc1");
}

/// Where castling has a text of its own, it does not stand in the way of a
/// second king's.
#[test]
fn a_second_king_needs_no_telling_apart_from_castling() {
    let fen = "4k3/8/8/8/8/8/7K/4K2R w K -";
    check("extinction", fen, "e1g1", "O-O");
    check("extinction", fen, "h2g1", "Kg1");
}
