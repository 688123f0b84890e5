//! FENs that are refused: the place of the error and what the message says.

use retrograde_rules::{Colour, FenErrorKind, Game, Position, Setup};

/// The offset and kind of the error, and that its message contains `words`.
#[track_caller]
fn refused(text: &str, offset: usize, words: &str) -> FenErrorKind {
    let error = Setup::from_fen(Game::default(), text).expect_err(text);
    let message = error.to_string();
    assert_eq!(error.offset, offset, "{text}: {message}");
    assert!(message.contains(words), "{text}: {message}");
    error.kind
}

#[test]
fn four_fields_suffice() {
    let full = Setup::from_fen(Game::default(), "8/8/8/4k3/8/8/8/4K2R w - - 12 34").unwrap();
    assert_eq!((full.halfmoves, full.fullmoves), (12, 34));
    for (text, halfmoves) in [
        ("8/8/8/4k3/8/8/8/4K2R w - -", 0),
        ("8/8/8/4k3/8/8/8/4K2R w - - 12", 12),
        ("  8/8/8/4k3/8/8/8/4K2R\tw  -   - 0 0\r\n", 0),
    ] {
        let setup = Setup::from_fen(Game::default(), text).unwrap();
        assert_eq!(setup.board, full.board);
        assert_eq!((setup.halfmoves, setup.fullmoves), (halfmoves, 1));
    }
}

#[test]
fn missing_and_excess_fields() {
    for (text, name) in [
        ("", "pieces"),
        ("   ", "pieces"),
        ("8/8/8/4k3/8/8/8/4K3", "side to move"),
        ("8/8/8/4k3/8/8/8/4K3 w", "castling"),
        ("8/8/8/4k3/8/8/8/4K3 w - ", "e.p. square"),
    ] {
        assert!(matches!(
            refused(text, text.len(), name),
            FenErrorKind::Missing(_)
        ));
    }
    let kind = refused("8/8/8/4k3/8/8/8/4K3 w - - 0 1 x", 30, "one field too many");
    assert_eq!(kind, FenErrorKind::Excess("x".to_owned()));
    // EPD is called by its name.
    for (clocks, operations, code) in [
        ("", "bm Qd4; id \"x\";", "bm"),
        ("0 ", "hmvc 90; fmvn 3;", "hmvc"),
        ("0 1 ", "noop;", "noop"),
    ] {
        let text = format!("8/8/8/4k3/8/8/8/4K3 w - - {clocks}{operations}");
        let kind = refused(&text, 26 + clocks.len(), "an operation of EPD");
        assert_eq!(kind, FenErrorKind::Operation(code.to_owned()));
    }
}

#[test]
fn boards_of_a_wrong_shape() {
    let length = |rank, found| FenErrorKind::RankLength {
        rank,
        found,
        wanted: 8,
    };
    let rest = "w - - 0 1";
    for (board, offset, kind) in [
        ("8/7/8/4k3/8/8/8/4K3", 3, length(7, 7)),
        ("8/8/8/4k4/8/8/8/4K3", 8, length(5, 9)),
        ("8/8/8/4k3/8/8/8/PPPPKPPPPPP", 24, length(1, 11)),
        ("8/8/8/4k3/8/8/8/", 16, length(1, 0)),
        ("8//8/4k3/8/8/8/4K3", 2, length(7, 0)),
        ("8/8/8/4k3/8/8/8/K8P", 17, length(1, 10)),
    ] {
        assert_eq!(refused(&format!("{board} {rest}"), offset, "squares"), kind);
    }
    let count = |found| FenErrorKind::RankCount { found, wanted: 8 };
    let few = format!("8/8/8/4k3/8/4K3 {rest}");
    assert_eq!(refused(&few, 15, "8 ranks"), count(6));
    let many = format!("8/8/8/4k3/8/8/8/4K3/8 {rest}");
    assert_eq!(refused(&many, 19, "8 ranks"), count(9));
    for (board, offset, letter) in [
        ("8/44/8/4k3/8/8/8/4K3", 3, "4"),
        ("8/8/8/4k3/8/8/9/4K3", 14, "9"),
        ("8/8/8/4k3/8/8/8/K07", 17, "0"),
        ("10/8/8/4k3/8/8/8/4K3", 1, "0"),
    ] {
        let kind = refused(&format!("{board} {rest}"), offset, "empty squares");
        assert_eq!(kind, FenErrorKind::EmptyRun(letter.to_owned(), 8));
    }
}

#[test]
fn letters_that_are_no_pieces() {
    for (text, offset, letter) in [
        ("8/8/8/4k3/8/8/8/4KA2 w - -", 18, 'A'),
        ("8/8/8/4k3/8/8/8/4Ké2 w - -", 18, 'é'),
        ("4k3\\8/8/8/8/8/8/4K3 w - -", 3, '\\'),
        ("\u{0}", 0, '\u{0}'),
    ] {
        let kind = refused(text, offset, "KQRBNP");
        assert!(matches!(kind, FenErrorKind::UnknownPiece { letter: l, .. } if l == letter));
    }
}

#[test]
fn sides_castling_and_clocks() {
    let board = "r3k3/8/8/8/8/8/8/4K2R";
    refused(&format!("{board} W - -"), 22, "w or b");
    for (castling, letter) in [("x", 0), ("--", 0), ("Kq-", 2), ("é", 0), ("Bb", 0)] {
        let text = format!("{board} w {castling} -");
        let kind = refused(&text, 24 + letter, "is - or some of the letters KQkq");
        let field = castling.to_owned();
        let letters = "KQkq".to_owned();
        assert_eq!(kind, FenErrorKind::Castling { field, letters });
    }
    for ep in ["e9", "i6", "E6", "e66", "0", "é6", "e6e3"] {
        let kind = refused(&format!("{board} w - {ep}"), 26, "square of the board or -");
        assert_eq!(kind, FenErrorKind::Ep(ep.to_owned()));
    }
    for clock in ["-1", "+1", "x", "4294967296", "1.5", "50+50"] {
        refused(&format!("{board} w - - {clock} 1"), 28, "half-move clock");
        refused(&format!("{board} w - - 0 {clock}"), 30, "move number");
    }
}

#[test]
fn positions_are_written_as_understood() {
    for (given, written) in [
        (
            "8/8/8/4k3/8/8/8/4K2R w - -",
            "8/8/8/4k3/8/8/8/4K2R w - - 0 1",
        ),
        // A possible e.p. square that nobody can use is dropped (O2).
        (
            "8/8/8/3pk3/8/8/8/4K2R w - d6 0 9",
            "8/8/8/3pk3/8/8/8/4K2R w - - 0 9",
        ),
        // The pawn that could take is pinned on its rank by both pieces that go.
        (
            "8/8/8/K2pP2r/8/8/8/4k3 w - d6",
            "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1",
        ),
        // The same with a second pawn in between: taking is legal.
        (
            "8/8/8/K1PpP2r/8/8/8/4k3 w - d6",
            "8/8/8/K1PpP2r/8/8/8/4k3 w - d6 0 1",
        ),
        // The king may be in check from the pawn that goes.
        (
            "8/8/8/3pP3/4K3/8/8/4k3 w - d6",
            "8/8/8/3pP3/4K3/8/8/4k3 w - d6 0 1",
        ),
        // A pawn that is pinned on the file may not leave it.
        (
            "4r3/8/8/3pP3/4K3/8/8/k7 w - d6",
            "4r3/8/8/3pP3/4K3/8/8/k7 w - - 0 1",
        ),
        // Pinned along the diagonal on which it takes.
        (
            "8/2b5/8/3pP3/5K2/8/8/k7 w - d6",
            "8/2b5/8/3pP3/5K2/8/8/k7 w - d6 0 1",
        ),
    ] {
        let position = Position::from_fen(Game::default(), given).unwrap();
        assert_eq!(position.fen(), written);
        // The mirror image is understood alike.
        let setup = Setup::from_fen(Game::default(), given).unwrap();
        let mirrored =
            Position::new(Game::default(), &setup.mirrored(Game::default().geometry())).unwrap();
        assert_eq!(
            mirrored.setup(),
            position.setup().mirrored(Game::default().geometry())
        );
        assert_ne!(mirrored.turn(), Colour::White);
    }
}

#[test]
fn the_example_of_the_manual_is_right() {
    let error = Setup::from_fen(Game::default(), "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1").unwrap_err();
    let manual = include_str!("../../docs/RULES.md");
    let words = |text: &str| -> String { text.split_whitespace().collect::<Vec<_>>().join(" ") };
    assert!(
        words(manual).contains(&words(&error.to_string())),
        "{error}"
    );
}
