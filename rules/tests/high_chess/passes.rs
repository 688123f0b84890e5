//! Passing, mate and the lack of stalemate (H2); which positions there are (O2,
//! O6, and the materials).

use retrograde_rules::{
    Colour, End, Interchange, Material, Move, MoveKind, PieceType, Position, Symmetry,
};

use crate::high_chess::{game, moves, played, position, square};

#[test]
fn h2_one_may_pass_unless_in_check() {
    let free = position("8/8/8/3k4/8/8/8/K6R w - -");
    let passes: Vec<Move> = free
        .legal_moves()
        .iter()
        .copied()
        .filter(|mv| mv.is_pass())
        .collect();
    let king = square("a1");
    assert_eq!(
        passes,
        [Move {
            from: king,
            to: king,
            piece: PieceType::King,
            promotion: None,
            captured: None,
            kind: MoveKind::Pass,
        }]
    );
    let after = free.play(passes[0]);
    assert_eq!(after.board(), free.board());
    assert_eq!((after.turn(), after.halfmoves()), (Colour::Black, 1));
    assert_eq!((after.fullmoves(), after.ep()), (1, None));
    let (again, _) = played(&after, "0000");
    assert_eq!((again.halfmoves(), again.fullmoves()), (2, 2));

    let check = position("3k4/8/8/8/8/8/8/K2R4 b - -");
    assert_eq!(moves(&check), ["d8c7", "d8c8", "d8e7", "d8e8"]);
}

#[test]
fn h2_there_is_no_stalemate() {
    for fen in [
        // Stalemates of orthodox chess.
        "k7/2Q5/1K6/8/8/8/8/8 b - -",
        "8/8/8/8/8/7p/5k1P/7K w - -",
        // The right does not count without a pawn beside.
        "8/8/8/1p6/kPp5/2P5/K7/4B3 b - -",
    ] {
        let at = position(fen);
        assert_eq!(moves(&at), ["0000"], "{fen}");
        assert_eq!(at.end(), None, "{fen}");
        assert_eq!(at.perft(1), 1);
        let (after, _) = played(&at, "0000");
        assert!(after.legal_moves().len() > 1);
    }
    // With it there are two moves.
    let at = position("8/8/8/1p6/kPp5/2P5/K7/4B3 b - b3");
    assert_eq!(moves(&at), ["0000", "c4b3"]);
}

#[test]
fn h2_mate_is_check_without_a_move() {
    for (fen, end) in [
        ("k7/1Q6/1K6/8/8/8/8/8 b - -", Some(End::Checkmate)),
        ("k7/1Q6/8/1K6/8/8/8/8 b - -", None),
        ("k7/2Q5/2K5/8/8/8/8/8 b - -", None),
    ] {
        let at = position(fen);
        assert_eq!(at.end(), end, "{fen}");
        assert_eq!(at.legal_moves().is_empty(), end.is_some());
        assert_eq!(at.perft(2) == 0, end.is_some());
    }
}

#[test]
fn o2_a_double_step_gives_the_right_if_a_pawn_stands_to_take() {
    for (fen, uci, ep) in [
        ("7k/8/8/8/3p4/8/4P3/K7 w - -", "e2e4", Some("e3")),
        ("7k/8/8/8/3p1p2/8/4P3/K7 w - -", "e2e4", Some("e3")),
        ("7k/8/8/8/2p5/8/4P3/K7 w - -", "e2e4", None),
        ("7k/8/8/8/3n4/8/4P3/K7 w - -", "e2e4", None),
        ("7k/8/8/3p4/8/8/4P3/K7 w - -", "e2e4", None),
        ("7k/8/8/8/3p4/8/4P3/K7 w - -", "e2e3", None),
        // The taker is pinned: on its file, and on the rank with the other.
        ("3k4/8/8/8/3p4/8/4P3/K2R4 w - -", "e2e4", Some("e3")),
        ("8/8/8/8/k2p3R/8/4P3/K7 w - -", "e2e4", Some("e3")),
        ("k7/4p3/8/3P4/8/8/8/K7 b - -", "e7e5", Some("e6")),
        ("k7/4p3/8/2P5/8/8/8/K7 b - -", "e7e5", None),
    ] {
        let (after, _) = played(&position(fen), uci);
        assert_eq!(after.ep(), ep.map(square), "{fen} {uci}");
        let read = position(&after.fen());
        assert_eq!(read, after);
    }
    // When a FEN is read, the same; an impossible square is refused.
    assert_eq!(position("7k/8/8/3p1P2/8/8/8/K7 w - d6").ep(), None);
    assert!(Position::from_fen(game(), "7k/8/8/4P3/8/8/8/K7 w - d6").is_err());
    assert!(Position::from_fen(game(), "7k/3n4/8/3pP3/8/8/8/K7 w - d6").is_err());
}

#[test]
fn o6_the_side_not_to_move_is_not_in_check() {
    for fen in ["3k4/8/8/8/8/8/8/K2R4 w - -", "8/8/8/3k4/4K3/8/8/8 b - -"] {
        let error = Position::from_fen(game(), fen).unwrap_err().to_string();
        assert!(error.contains("is in check"), "{error}");
    }
}

#[test]
fn materials_have_their_own_colours() {
    for (given, name) in [
        ("KvK", "KvK"),
        ("KK", "KvK"),
        ("KQK", "KQvK"),
        ("KKQ", "KvKQ"),
        ("KRvKQ", "KRvKQ"),
        ("KvKP", "KvKP"),
    ] {
        let material = Material::parse(game(), given).unwrap();
        assert_eq!(material.to_string(), name);
        assert_eq!(material.normal(game()), (material, false));
        assert_eq!(game().interchange(&material), Interchange::Never);
        let symmetry = if name.contains('P') {
            Symmetry::Files
        } else {
            Symmetry::Full
        };
        assert_eq!(game().symmetry(&material), symmetry);
    }
    for bad in ["KKvK", "QvK", "KAvK", "K"] {
        assert!(Material::parse(game(), bad).is_err(), "{bad}");
    }
}
