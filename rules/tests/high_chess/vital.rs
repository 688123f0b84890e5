//! Vital moves (H7).

use retrograde_rules::{Move, MoveKind, Toll};

use crate::high_chess::{check_tolls, game, played, position, rules, square, vitality};

#[test]
fn h7_captures_and_pawn_moves_are_vital() {
    use Toll::{Paid, Vital};
    check_tolls(
        game(),
        "1n6/P7/8/2k5/8/5n2/4P3/K7 w - - 3+3",
        &[
            ("e2f3", Vital, 50, 3),
            ("a7b8q", Vital, 50, 3),
            ("a7a8n", Vital, 50, 3),
            ("e2e3", Vital, 50, 3),
            ("e2e4", Vital, 50, 3),
            ("a1b2", Paid, 2, 3),
            ("0000", Paid, 2, 3),
        ],
    );
    // A king's capture is vital, too.
    check_tolls(
        game(),
        "8/8/8/3k4/8/8/1n6/K7 w - - 3+3",
        &[("a1b2", Vital, 50, 3), ("a1b1", Paid, 2, 3)],
    );
}

#[test]
fn h7_every_move_is_vital_while_a_pawn_stands_to_take_en_passant() {
    use Toll::{Paid, Vital};
    for (fen, capture) in [
        ("7k/8/8/3pP3/8/8/8/K7 w - d6 3+3", true),
        // Pinned on the file; on the rank by both pawns that go.
        ("4r2k/8/8/3pP3/8/8/8/4K3 w - d6 3+3", false),
        ("7k/8/8/K2pP2r/8/8/8/8 w - d6 3+3", false),
    ] {
        let at = position(fen);
        assert_eq!(at.ep(), Some(square("d6")), "{fen}");
        let legal = at.legal_moves();
        for &mv in &legal {
            assert_eq!(rules().toll(&at, mv), Vital, "{fen} {}", at.uci(mv));
            assert!(rules().is_vital(&at, mv));
            let after = at.play(mv);
            assert_eq!(after.vitality(), vitality(50, 3));
        }
        let takes = |mv: &Move| mv.kind == MoveKind::EnPassant;
        assert_eq!(legal.iter().any(takes), capture, "{fen}");
        assert!(legal.iter().any(|mv| mv.is_pass()), "{fen}");
        // The right lapses with the pass, and for the other side nothing was
        // vital: it is Low or High as ever.
        let (after, _) = played(&at, "0000");
        assert_eq!(after.ep(), None);
        let (_, toll) = played(&after, "0000");
        assert_ne!(toll, Vital, "{fen}");
        // Without the right a pass is not vital.
        let without = position(&fen.replace("d6", "-"));
        assert_ne!(played(&without, "0000").1, Vital);
    }
    // In check no pass, but every way out is vital.
    let at = position("k7/8/8/3pP3/4K3/8/8/8 w - d6 3+3");
    assert!(at.is_check());
    for &mv in &at.legal_moves() {
        assert!(!mv.is_pass());
        assert_eq!(rules().toll(&at, mv), Vital);
    }
    // A square that no pawn stands to take on does not count.
    check_tolls(
        game(),
        "3k4/8/8/3p1P2/8/8/8/K7 w - d6 3+3",
        &[("0000", Paid, 2, 3), ("a1a2", Paid, 2, 3)],
    );
}
