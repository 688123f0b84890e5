//! C7: the king castles with any piece of its own on its first rank.

use retrograde_rules::MoveKind;

use crate::chess99::{end_by, game, game_of, moves_from, played, position};

#[test]
fn c7_far_castling() {
    let fen = "k8/9/9/9/9/9/9/9/4K3R w - -";
    assert_eq!(moves_from(game(), fen, "e1&"), "i1");
    assert_eq!(played(fen, "e1&i1"), "k8/9/9/9/9/9/9/9/4RK3 b - -");
    let fen = "k8/9/9/9/9/9/9/9/R3K4 w - -";
    assert_eq!(played(fen, "e1&a1"), "k8/9/9/9/9/9/9/9/3KR4 b - -");
    // Black on rank 9.
    let fen = "q3k3n/9/9/9/9/9/9/9/K8 b - -";
    assert_eq!(moves_from(game(), fen, "e9&"), "a9 i9");
    assert_eq!(played(fen, "e9&i9"), "q3nk3/9/9/9/9/9/9/9/K8 w - -");
    assert_eq!(played(fen, "e9&a9"), "3kq3n/9/9/9/9/9/9/9/K8 w - -");
    // One square between: the king goes there.
    let fen = "k8/9/9/9/9/9/9/9/4K1R2 w - -";
    assert_eq!(played(fen, "e1&g1"), "k8/9/9/9/9/9/9/9/4RK3 b - -");
}

#[test]
fn c7_neighbours_swap() {
    for (before, uci, after) in [
        ("4KB3", "e1&f1", "4BK3"),
        ("3AK4", "e1&d1", "3KA4"),
        ("KN7", "a1&b1", "NK7"),
        ("7QK", "i1&h1", "7KQ"),
    ] {
        let with = |row: &str, turn| format!("k8/9/9/9/9/9/9/9/{row} {turn} - -");
        assert_eq!(played(&with(before, "w"), uci), with(after, "b"));
    }
}

#[test]
fn c7_with_any_piece_of_one_s_own() {
    for piece in ["Q", "A", "R", "B", "N"] {
        let fen = format!("k8/9/9/9/9/9/9/9/4K3{piece} w - -");
        let after = format!("k8/9/9/9/9/9/9/9/4{piece}K3 b - -");
        assert_eq!(played(&fen, "e1&i1"), after);
    }
}

#[test]
fn c7_one_piece_between_blocks() {
    let castling = |row: &str| {
        let fen = format!("k8/9/9/9/9/9/9/9/{row} w - -");
        moves_from(game(), &fen, "e1&")
    };
    assert_eq!(castling("4K2nR"), "");
    // A pawn that waits there, and the enemy's king.
    assert_eq!(castling("4K1p1R"), "");
    let fen = "9/9/9/9/9/9/9/9/4K1k1R w - -";
    assert_eq!(moves_from(game(), fen, "e1&"), "");
    // An own piece is the partner itself.
    assert_eq!(castling("4K2NR"), "h1");
    assert_eq!(castling("R2nK2NR"), "h1");
    assert_eq!(castling("RN2K4"), "b1");
}

#[test]
fn c7_on_one_s_own_first_rank_only() {
    for fen in [
        "k8/9/9/9/9/9/9/4K3R/9 w - -",
        "4K3R/9/9/9/9/9/9/9/k8 w - -",
        "K8/9/9/9/9/9/9/9/4k3r b - -",
    ] {
        let at = position(fen);
        let castling = |mv: &&retrograde_rules::Move| mv.kind == MoveKind::Castling;
        let moves = at.legal_moves();
        assert_eq!(moves.iter().filter(castling).count(), 0, "{fen}");
    }
}

#[test]
fn c7_again_and_again_and_in_check() {
    // There and back.
    let fen = "k8/9/9/9/9/9/9/9/4K3R w - -";
    let once = played(fen, "e1&i1");
    let twice = played(&once.replace(" b ", " w "), "f1&e1");
    assert_eq!(twice, "k8/9/9/9/9/9/9/9/4KR3 b - -");
    // Out of attack, and into it.
    let checked = "k3r4/9/9/9/9/9/9/9/4K3R w - -";
    assert!(position(checked).is_check());
    assert_eq!(moves_from(game(), checked, "e1&"), "i1");
    let into = "k4r3/9/9/9/9/9/9/9/4K3R w - -";
    assert_eq!(end_by(game(), into, "e1&i1"), None);
}

#[test]
fn c7_castling_is_quiet() {
    let at = position("k8/9/9/9/9/9/9/9/4K3R w - - 7 3");
    let mv = at.parse_uci("e1&i1").unwrap();
    assert!(!mv.is_capture() && !mv.is_zeroing());
    let after = at.play(mv);
    assert_eq!((after.halfmoves(), after.fullmoves()), (8, 3));
}

#[test]
fn c7_switched_off() {
    let off = game_of("chess99:castling=off");
    let fen = "k8/9/9/9/9/9/9/9/R3KB3 w - -";
    assert_eq!(moves_from(off, fen, "e1&"), "");
    assert_eq!(moves_from(off, fen, "e1"), "d1 d2 e2 f2");
    assert_eq!(moves_from(game(), fen, "e1"), "&a1 &f1 d1 d2 e2 f2");
}

#[test]
fn c7_past_other_men() {
    let past = game_of("chess99:castling=past-men");
    for (rank, partners) in [
        // The neighbours, and nobody past them.
        ("R2NKB1QR", "d1 f1"),
        // The square beside the king is empty: any of its own pieces there, past others.
        ("R1N1K1bQR", "a1 c1 h1 i1"),
        ("r3K4", ""),
    ] {
        let fen = format!("k8/9/9/9/9/9/9/9/{rank} w - -");
        assert_eq!(moves_from(past, &fen, "e1&"), partners, "{rank}");
    }
    let fen = "k8/9/9/9/9/9/9/9/R1N1K4 w - -";
    let after = crate::chess99::played_in(past, fen, "e1&a1");
    assert_eq!(after.fen(), "k8/9/9/9/9/9/9/9/2NKR4 b - - 1 1");
}
