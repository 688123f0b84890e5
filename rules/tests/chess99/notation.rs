//! Names of the game, FEN, and moves as text.

use retrograde_rules::{
    CaptureInCheck, EnPassant, Epd, Game, Goal, Interchange, Material, Position, Setup, Symmetry,
};

use crate::chess99::{game, game_of, moves_of, position};

#[test]
fn ids_have_one_form() {
    let read = |game: Game| {
        let Goal::KingCapture(in_check) = game.goal() else {
            panic!("{game}")
        };
        let draws = in_check == CaptureInCheck::Draw;
        let by_all = game.ep_by() == EnPassant::All;
        (
            draws,
            by_all,
            game.pawns().wait,
            game.castles_along_first_rank(),
        )
    };
    for (given, id, rules) in [
        ("chess99", "chess99", (true, true, true, true)),
        (
            "chess99:castling=on,deferred-promotion=on,ep-by=any,king-capture-in-check=draw",
            "chess99",
            (true, true, true, true),
        ),
        (
            "chess99:king-capture-in-check=win",
            "chess99:king-capture-in-check=win",
            (false, true, true, true),
        ),
        (
            "chess99:ep-by=pawn",
            "chess99:ep-by=pawn",
            (true, false, true, true),
        ),
        (
            "chess99:deferred-promotion=off",
            "chess99:deferred-promotion=off",
            (true, true, false, true),
        ),
        (
            "chess99:castling=off",
            "chess99:castling=off",
            (true, true, true, false),
        ),
        (
            "chess99:king-capture-in-check=win,ep-by=pawn,deferred-promotion=off,castling=off",
            "chess99:castling=off,deferred-promotion=off,ep-by=pawn,king-capture-in-check=win",
            (false, false, false, false),
        ),
    ] {
        assert_eq!(read(game_of(given)), rules, "{given}");
        assert_eq!(game_of(given).id(), id);
    }
    for (id, message) in [
        (
            "chess99:castling=yes",
            "the castling of chess99 is on, off or past-men",
        ),
        ("chess99:ep-by=king", "the ep-by of chess99 is any or pawn"),
        (
            "chess99:king-capture-in-check=lost",
            "the king-capture-in-check of chess99 is draw, illegal, loss or win",
        ),
        (
            "chess99:vitality=3",
            "its options are: castling = on, off or past-men, deferred-promotion = on, off or \
             must, en-passant-vacates = on or off, ep-by = any or pawn, \
             king-capture-in-check = draw, illegal, loss or win, promotes-to = BN, Q, QRBN or all",
        ),
        ("chess99:ep-by=any,ep-by=any", "given twice"),
    ] {
        let error = Game::parse(id).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    }
}

#[test]
fn c1_the_array_and_its_fen() {
    let array = "rnbakqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w - - 0 1";
    let start = position(array);
    assert_eq!(start.fen(), array);
    // A pawn has two steps, each knight two leaps; the king swaps with either
    // neighbour; the paladin leaps to e3 and g3.
    assert_eq!(start.perft(1), 9 * 2 + 4 + 2 + 2);
    let moves = moves_of(&start);
    for name in ["e1&d1", "e1&f1", "f1e3", "f1g3", "i2i4"] {
        assert!(moves.contains(&name.to_owned()), "{name}");
    }
    // The queens stand on d1 and f9: a half-turn keeps the array, no mirror.
    assert_ne!(
        start.setup().mirrored(game().geometry()).board,
        start.setup().board
    );
}

#[test]
fn fens_have_nine_ranks_of_nine() {
    for (fen, message) in [
        ("8/8/8/8/8/8/8/8 w - -", "rank 9 needs 9 squares"),
        ("9/9/9/9/9/9/9/9 w - -", "needs 9 ranks"),
        (
            "9/9/9/9/9/9/9/9/54 w - -",
            "is not a number of empty squares",
        ),
        (
            "9/9/9/9/9/9/9/9/K9 w - -",
            "rank 1 needs 9 squares, but this one has 10",
        ),
        ("9/9/9/9/9/9/9/9/KX7 w - -", "its pieces are KQARBNP"),
        (
            "k8/9/9/9/9/9/9/9/K8 w KQ -",
            "this game has no castling rights, so the castling field is -, not \"KQ\"",
        ),
        (
            "k8/9/9/9/9/9/9/9/K8 w ? -",
            "the castling field is -, not \"?\"",
        ),
        ("k8/9/9/9/9/9/9/9/9 w - -", "white has no king"),
        ("kk7/9/9/9/9/9/9/9/K8 w - -", "black has 2 kings"),
    ] {
        let error = Position::from_fen(game(), fen).unwrap_err().to_string();
        assert!(error.contains(message), "{fen}: {error}");
    }
    let fen = "k8/9/9/9/4a4/9/9/9/K7A b - - 12 34";
    let read = position(fen);
    assert_eq!(read.fen(), fen);
    assert_eq!((read.halfmoves(), read.fullmoves()), (12, 34));
    let setup = Setup::from_fen(game(), fen).unwrap();
    let operations = Vec::new();
    let epd = Epd { setup, operations };
    assert_eq!(Epd::parse(game(), &epd.text(game())).unwrap(), epd);
}

#[test]
fn material_and_symmetry() {
    for (given, normal) in [
        ("KvKA", "KAvK"),
        ("KAK", "KAvK"),
        ("KRvKA", "KAvKR"),
        ("KNvKBP", "KBPvKN"),
        ("KQvKA", "KQvKA"),
        ("KvK", "KvK"),
    ] {
        let material = Material::parse(game(), given).unwrap();
        assert_eq!(material.normal(game()).0.to_string(), normal);
        assert_eq!(game().symmetry(&material), Symmetry::Files);
        assert_eq!(game().interchange(&material), Interchange::MirrorRanks);
    }
    assert!(Material::parse(game(), "KKvK").is_err());
}

/// Moves in both notations, and back.
#[track_caller]
fn check(fen: &str, moves: &[(&str, &str)]) {
    let at = position(fen);
    for &(uci, san) in moves {
        let mv = at.parse_uci(uci).unwrap();
        assert_eq!(at.uci(mv), uci);
        assert_eq!(at.san(mv), san);
        assert_eq!(at.parse_san(san), Ok(mv), "{san}");
    }
}

#[test]
fn moves_as_text() {
    check(
        "9/3P5/9/9/k8/9/9/9/4K3R w - -",
        &[
            ("d8d9", "d9"),
            ("d8d9b", "d9=B"),
            ("d8d9n", "d9=N"),
            ("e1&i1", "K&Ri1"),
            ("e1f1", "Kf1"),
            ("i1i5", "Ri5+"),
        ],
    );
    check(
        "3P5/8k/9/6r2/9/9/9/9/K3r4 w - -",
        &[
            ("d9=ne7", "d9=Ne7"),
            ("d9=bg6", "d9=Bxg6+"),
            ("d9=bc8", "d9=Bc8"),
            ("d9=nf8", "d9=Nf8"),
        ],
    );
    // Captures of the king: one wins, one draws.
    check("3P5/9/4k4/9/9/9/9/9/K8 w - -", &[("d9=ne7", "d9=Nxe7#")]);
    check("3P5/9/4k4/9/9/9/9/9/K3r4 w - -", &[("d9=ne7", "d9=Nxe7")]);
    check(
        "k3r4/9/9/9/9/3pP4/7r1/9/K2b1n3 b - e3",
        &[
            ("e9e3*", "Rexe3*"),
            ("h3e3", "Re3"),
            ("h3e3*", "Rhxe3*"),
            ("d4e3*", "dxe3*"),
            ("d4d3", "d3"),
            ("f1e3", "Ne3"),
            ("f1e3*", "Nxe3*"),
        ],
    );
    check(
        "k8/9/9/9/9/4P4/9/9/K4p3 b - e3",
        &[("f1=ne3*", "f1=Nxe3*"), ("f1=ne3", "f1=Ne3")],
    );
    check(
        "k8/9/9/9/2A3A2/9/9/9/K8 w - -",
        &[("c5e3", "Ace3"), ("g5e3", "Age3"), ("c5b7", "Ab7+")],
    );
}

#[test]
fn reading_moves_is_lenient_but_not_blind() {
    let at = position("k8/3P5/9/9/9/9/9/9/4K3R w - -");
    let read = |text: &str| at.parse_san(text).map(|mv| at.uci(mv));
    for (text, uci) in [
        ("d9", "d8d9"),
        ("d9!", "d8d9"),
        ("d9B", "d8d9b"),
        ("K&i1", "e1&i1"),
        ("K&Ri1", "e1&i1"),
    ] {
        assert_eq!(read(text).as_deref(), Ok(uci), "{text}");
    }
    for text in [
        "K&h1", "d9*", "d8=Nf7", "O-O", "d9=Q", "K&", "=", "d8=", "d8=N",
    ] {
        assert!(read(text).is_err(), "{text}");
    }
    // A star where nothing is taken en passant; a pawn that turns first is
    // written so.
    assert!(read("Kf1").is_ok() && read("Kf1*").is_err());
    let waiting = position("k8/9/9/9/9/9/9/9/K4p3 b - -");
    assert!(waiting.parse_san("f1=Nd2").is_ok());
    for text in ["d2=N", "fd2=N", "d2", "f1d2"] {
        assert!(waiting.parse_san(text).is_err(), "{text}");
    }
    let fails = |text: &str| at.parse_uci(text).unwrap_err().to_string();
    for text in ["e1i1", "d8d9*", "d8=nf7", "e1&h1", "d8d9a"] {
        assert!(fails(text).contains("is not legal here"), "{text}");
    }
    for text in [
        "", "e1&", "d8=", "d8=x", "d8=nf", "d8=nf7n", "é1&i1", "e1é1", "*", "0000",
    ] {
        assert!(fails(text).contains("is not a move"), "{text}");
    }
    // The plain forms of the other games have no star.
    let orthodox = Game::default();
    let fen = "8/8/8/3pP3/8/1k6/8/K7 w - d6";
    let other = Position::from_fen(orthodox, fen).unwrap();
    let mv = other.parse_uci("e5d6").unwrap();
    assert_eq!(other.san(mv), "exd6");
    assert!(other.parse_san("exd6*").is_err());
    assert!(other.parse_uci("e5d6*").is_err());
}
