//! C5: steps from any rank, promotion on arrival or later.

use retrograde_rules::{End, PieceType, Position};

use crate::chess99::{end_by, game, game_of, moves_from, moves_of, played, position, position_of};

#[test]
fn c5_pawns_step_twice_from_any_rank() {
    for rank in 2..=6 {
        let pieces = ["9"; 9].map(str::to_owned);
        let mut ranks = pieces.clone();
        ranks[9 - rank] = "3P5".to_owned();
        ranks[0] = "k8".to_owned();
        ranks[8] = "K8".to_owned();
        let fen = format!("{} w - -", ranks.join("/"));
        let expected = format!("d{} d{}", rank + 1, rank + 2);
        let from = format!("d{rank}");
        assert_eq!(moves_from(game(), &fen, &from), expected);
        // Black's pawns go the other way.
        let mut ranks = pieces;
        ranks[rank - 1] = "3p5".to_owned();
        ranks[0] = "k8".to_owned();
        ranks[8] = "K8".to_owned();
        let fen = format!("{} b - -", ranks.join("/"));
        let expected = format!("d{} d{}", 8 - rank, 9 - rank);
        let from = format!("d{}", 10 - rank);
        assert_eq!(moves_from(game(), &fen, &from), expected);
    }
}

#[test]
fn c5_steps_need_empty_squares() {
    let far = "9/9/9/k2r5/9/3P5/9/9/K8 w - -";
    assert_eq!(moves_from(game(), far, "d4"), "d5");
    let near = "9/9/9/k8/3r5/3P5/9/9/K8 w - -";
    assert_eq!(moves_from(game(), near, "d4"), "");
    let own = "9/9/9/k8/3N5/3P5/9/9/K8 w - -";
    assert_eq!(moves_from(game(), own, "d4"), "");
}

#[test]
fn c5_pawns_capture_diagonally_ahead() {
    let fen = "9/9/9/9/k1rrr4/3P5/2r1r4/9/K8 w - -";
    assert_eq!(moves_from(game(), fen, "d4"), "c5 e5");
    let fen = "9/9/9/9/9/p7P/PP7/9/K3k4 w - -";
    assert_eq!(moves_from(game(), fen, "b3"), "a4 b4 b5");
    assert_eq!(moves_from(game(), fen, "a3"), "");
    assert_eq!(moves_from(game(), fen, "i4"), "i5 i6");
}

#[test]
fn c5_on_arrival_a_pawn_promotes_or_waits() {
    let fen = "9/3P5/9/9/9/9/9/9/K7k w - -";
    assert_eq!(moves_from(game(), fen, "d8"), "d9 d9b d9n");
    assert_eq!(played(fen, "d8d9n"), "3N5/9/9/9/9/9/9/9/K7k b - -");
    assert_eq!(played(fen, "d8d9"), "3P5/9/9/9/9/9/9/9/K7k b - -");
    // By a double step, and by a capture.
    let fen = "9/9/3P5/9/9/9/9/9/K7k w - -";
    assert_eq!(moves_from(game(), fen, "d7"), "d8 d9 d9b d9n");
    let fen = "3rr4/3P5/9/9/9/9/9/9/K7k w - -";
    assert_eq!(moves_from(game(), fen, "d8"), "e9 e9b e9n");
    // Nothing but bishops and knights.
    assert_eq!(game().promotions(), [PieceType::Bishop, PieceType::Knight]);
    for uci in ["d8d9q", "d8d9a", "d8d9r"] {
        let at = position("9/3P5/9/9/9/9/9/9/K7k w - -");
        assert!(at.parse_uci(uci).is_err(), "{uci}");
    }
    let fen = "8K/9/9/9/9/9/9/4p4/k8 b - -";
    assert_eq!(moves_from(game(), fen, "e2"), "e1 e1b e1n");
}

#[test]
fn c5_a_waiting_pawn_turns_and_moves() {
    let fen = "3P5/9/9/6r2/9/9/9/9/K7k w - -";
    assert_eq!(
        moves_from(game(), fen, "d9"),
        "=ba6 =bb7 =bc8 =be8 =bf7 =bg6 =nb8 =nc7 =ne7 =nf8"
    );
    assert_eq!(played(fen, "d9=ne7"), "9/9/4N4/6r2/9/9/9/9/K7k b - -");
    assert_eq!(played(fen, "d9=bg6"), "9/9/9/6B2/9/9/9/9/K7k b - -");
    // It is no pawn's move: no step, no pawn's capture, and own pieces stay.
    let fen = "1rPr5/1r1r5/9/9/9/9/9/9/K7k w - -";
    assert_eq!(
        moves_from(game(), fen, "c9"),
        "=bb8 =bd8 =na8 =nb7 =nd7 =ne8"
    );
    let fen = "2P6/1N1B5/1K7/9/9/9/9/9/8k w - -";
    assert_eq!(moves_from(game(), fen, "c9"), "=na8 =nd7 =ne8");
    let fen = "8K/9/9/9/9/9/9/9/k3p4 b - -";
    assert_eq!(
        moves_from(game(), fen, "e1"),
        "=ba5 =bb4 =bc3 =bd2 =bf2 =bg3 =bh4 =bi5 =nc2 =nd3 =nf3 =ng2"
    );
}

#[test]
fn c5_turning_takes_a_move() {
    // All its squares are taken by own pieces: it stays a pawn.
    let at = position("P8/1N7/1B7/9/9/9/9/9/K7k w - -");
    let moves = moves_of(&at);
    assert_eq!(moves_from(game(), &at.fen(), "a9"), "=nc8");
    assert!(!moves.iter().any(|name| name.starts_with("a9=b")));
    for &mv in &at.legal_moves() {
        assert!(!mv.is_deferred_promotion() || mv.from != mv.to);
    }
}

#[test]
fn c5_a_waiting_pawn_may_take_the_king() {
    let fen = "3P5/9/4k4/9/9/9/9/9/K8 w - -";
    assert_eq!(end_by(game(), fen, "d9=ne7"), Some(End::KingCapture));
    let guarded = "3P5/9/4k4/9/9/9/9/9/K3r4 w - -";
    let draw = Some(End::KingCaptureDraw);
    assert_eq!(end_by(game(), guarded, "d9=ne7"), draw);
}

#[test]
fn c5_a_waiting_pawn_attacks_as_a_paladin() {
    for (fen, check) in [
        // Knight's squares, diagonals, a piece in the way, other squares.
        ("3P5/9/4k4/9/9/9/9/9/K8 b - -", true),
        ("3P5/5k3/9/9/9/9/9/9/K8 b - -", true),
        ("3P5/9/9/9/9/8k/9/9/K8 b - -", true),
        ("3P5/9/5n3/9/9/8k/9/9/K8 b - -", false),
        ("3P5/3k5/9/9/9/9/9/9/K8 b - -", false),
        ("3Pk4/9/9/9/9/9/9/9/K8 b - -", false),
        ("3P5/9/3k5/9/9/9/9/9/K8 b - -", false),
    ] {
        assert_eq!(position(fen).is_check(), check, "{fen}");
    }
    // An ordinary pawn attacks as a pawn.
    let at = position("9/3P5/9/4k4/9/9/9/9/K8 b - -");
    assert!(!at.is_check());
    let at = position("4k4/3P5/9/9/9/9/9/9/K8 b - -");
    assert!(at.is_check());
}

#[test]
fn c5_without_deferred_promotion_no_pawn_waits() {
    let off = game_of("chess99:deferred-promotion=off");
    let fen = "9/3P5/9/9/9/9/9/9/K7k w - -";
    assert_eq!(moves_from(off, fen, "d8"), "d9b d9n");
    let fen = "9/9/3P5/9/9/9/9/9/K7k w - -";
    assert_eq!(moves_from(off, fen, "d7"), "d8 d9b d9n");
    let fen = "3P5/9/9/9/9/9/9/9/K7k w - -";
    let error = Position::from_fen(off, fen).unwrap_err().to_string();
    assert_eq!(
        error,
        "no pawn can stand on the first or the last rank (d9)"
    );
    // The placement is a position of the game itself.
    position_of(game(), fen);
}

#[test]
fn c7_no_pawn_stands_on_its_own_first_rank() {
    for fen in ["k8/9/9/9/9/9/9/9/K7P w - -", "k7p/9/9/9/9/9/9/9/K8 w - -"] {
        let error = Position::from_fen(game(), fen).unwrap_err().to_string();
        assert!(
            error.contains("no pawn can stand on its own first rank"),
            "{error}"
        );
    }
    position("k7P/9/9/9/9/9/9/9/K7p w - -");
}

#[test]
fn c5_a_pawn_may_have_to_wait() {
    let must = crate::chess99::game_of("chess99:deferred-promotion=must,promotes-to=QRBN");
    let at = |fen: &str| crate::chess99::moves_of(&crate::chess99::position_of(must, fen));
    // By a step, a double step or a capture, it only arrives.
    assert!(at("3r4k/4P4/9/9/9/9/9/9/K8 w - -").contains(&"e8d9".to_owned()));
    let promotes = |moves: &[String]| {
        moves
            .iter()
            .any(|name| name.ends_with(['q', 'r', 'b', 'n']))
    };
    assert!(!promotes(&at("3r4k/4P4/9/9/9/9/9/9/K8 w - -")));
    assert!(!promotes(&at("8k/9/4P4/9/9/9/9/9/K8 w - -")));
    // Then it turns into any of them.
    let moves = at("4P3k/9/9/9/9/9/9/9/K8 w - -");
    for name in ["e9=qe1", "e9=re1", "e9=ba5", "e9=nf7", "e9=qi9"] {
        assert!(moves.contains(&name.to_owned()), "{name} {moves:?}");
    }
}
