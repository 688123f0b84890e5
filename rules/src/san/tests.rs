use super::*;

fn position(fen: &str) -> Position {
    Position::from_fen(Game::default(), fen).unwrap()
}

#[track_caller]
fn check(fen: &str, moves: &[(&str, &str)]) {
    let position = position(fen);
    for &(uci, san) in moves {
        let mv = position.parse_uci(uci).unwrap();
        assert_eq!(position.san(mv), san);
        assert_eq!(position.parse_san(san), Ok(mv));
    }
}

#[test]
fn origins_are_told_as_far_as_needed() {
    // Queens on a1, a5 and e1 reach e5, b2 by various lines.
    check(
        "6k1/8/8/Q7/8/8/8/Q3Q2K w - - 0 1",
        &[
            ("a1e5", "Qa1e5"),
            ("a5e5", "Q5e5"),
            ("e1e5", "Qee5"),
            ("a1b2", "Qb2"),
            ("a5d2", "Qad2"),
            ("h1g1", "Kg1"),
        ],
    );
    // The knight on d2 is pinned, so the other need not be distinguished.
    check(
        "3r2k1/8/8/8/8/8/3N4/3K2N1 w - - 0 1",
        &[("g1f3", "Nf3"), ("g1e2", "Ne2")],
    );
    check(
        "6k1/8/8/8/8/8/3N4/3K2N1 w - - 0 1",
        &[("g1f3", "Ngf3"), ("d2f3", "Ndf3")],
    );
}

#[test]
fn captures_promotions_and_marks() {
    check(
        "3r3k/4P3/6K1/8/8/8/8/8 w - - 0 1",
        &[
            ("e7d8q", "exd8=Q#"),
            ("e7d8n", "exd8=N"),
            ("e7e8r", "e8=R+"),
            ("e7e8b", "e8=B"),
        ],
    );
    check(
        "8/8/8/3pP3/8/1k6/8/K7 w - d6 0 1",
        &[("e5d6", "exd6"), ("e5e6", "e6")],
    );
    check("7k/8/6K1/8/8/8/8/R7 w - - 0 1", &[("a1a8", "Ra8#")]);
}

#[test]
fn reading_is_lenient_but_not_blind() {
    let at = position("3r3k/4P3/6K1/8/8/8/8/8 w - - 0 1");
    let read = |text: &str| at.parse_san(text);
    let mv = read("exd8=Q#").unwrap();
    for same in ["ed8Q", "exd8Q+", "e7xd8=Q!?", "e7d8=Q"] {
        assert_eq!(read(same), Ok(mv), "{same}");
    }
    assert!(matches!(read("e8"), Err(MoveError::Ambiguous { .. })));
    assert!(matches!(read("O-O"), Err(MoveError::Illegal { .. })));
    assert!(matches!(read("Kxf7"), Err(MoveError::Illegal { .. })));
    assert!(matches!(read("exd8=K"), Err(MoveError::Illegal { .. })));
    assert!(matches!(read("exd8=P"), Err(MoveError::Illegal { .. })));
    for bad in ["", "x", "=Q", "e9", "Ke", "O-", "é4", "Ée4", "pe4", "Kx-e4"] {
        assert!(
            matches!(read(bad), Err(MoveError::Syntax { .. })),
            "{bad}: {:?}",
            read(bad)
        );
    }
}

/// Moves as people and programs write them.
#[test]
fn what_others_write_is_read() {
    let read = |id: &str, fen: &str, text: &str| {
        let game = Game::parse(id).unwrap();
        let position = Position::from_fen(game, fen).unwrap();
        position.parse_san(text).map(|mv| position.uci(mv))
    };
    let middle = "r3k2r/1P4pp/8/4Pp2/8/2N3N1/8/R3K2R w KQkq f6 0 1";
    for (text, uci) in [
        ("e5-e6", "e5e6"),
        ("e5–e6", "e5e6"),
        ("ef", "e5f6"),
        ("exf", "e5f6"),
        ("Sge4", "g3e4"),
        ("nge4", "g3e4"),
        ("b8=D", "b7b8q"),
        ("Td1", "a1d1"),
        ("NgXf5", "g3f5"),
        ("Ng3-e4", "g3e4"),
        ("g3-e4", "g3e4"),
        ("g3e4", "g3e4"),
        ("♘g3-e4", "g3e4"),
        ("♞\u{fe0e}c3e4", "c3e4"),
        ("Ng3xf5", "g3f5"),
        ("Ng3:f5", "g3f5"),
        ("Ng3×f5†", "g3f5"),
        ("exf6e.p.", "e5f6"),
        ("exf6 e.p.", "e5f6"),
        ("e5xf6ep", "e5f6"),
        ("e5f6", "e5f6"),
        ("b8q", "b7b8q"),
        ("b8=r+", "b7b8r"),
        ("b8(N)", "b7b8n"),
        ("b8/B", "b7b8b"),
        ("bxa8=♕", "b7a8q"),
        ("b7xa8q", "b7a8q"),
        ("b7-b8Q", "b7b8q"),
        ("♙e6", "e5e6"),
        ("Pe6", "e5e6"),
        ("0-0", "e1g1"),
        ("o-o-o", "e1c1"),
        ("OO", "e1g1"),
        ("O–O–O", "e1c1"),
        ("Kg1", "e1g1"),
        ("Ke1-c1", "e1c1"),
        ("e1-g1", "e1g1"),
        ("e1h1", "e1g1"),
        ("Kxh1", "e1g1"),
        ("Ke1xa1", "e1c1"),
        ("Kf1", "e1f1"),
    ] {
        assert_eq!(read("orthodox", middle, text).as_deref(), Ok(uci), "{text}");
    }
    // A promotion has to say what the pawn becomes, and who moves has to be clear.
    for text in ["b8", "Ne4", "N-e4"] {
        let error = read("orthodox", middle, text).unwrap_err();
        assert!(matches!(error, MoveError::Ambiguous { .. }), "{error}");
    }
    let kings = "3k4/8/8/8/8/8/8/R2K3R w ADH -";
    assert_eq!(read("kings", kings, "Kxh1").as_deref(), Ok("d1f1"));
    let wild9 = "4k2k/8/8/8/8/8/8/R3KK2 w Q -";
    for text in ["O-O-O", "Kc1", "Kxa1", "e1a1"] {
        assert_eq!(read("wild9", wild9, text).as_deref(), Ok("e1c1"), "{text}");
    }
    let chess99 = "4k4/9/9/9/9/3P5/9/9/2A1K3R w - -";
    for (text, uci) in [
        ("Pd2", "c1d2"),
        ("d5", "d4d5"),
        ("Pd5", "d4d5"),
        ("Pc1-b3", "c1b3"),
        ("Ad2!+", "c1d2"),
        ("Kxi1", "e1&i1"),
        ("e1i1", "e1&i1"),
        ("K&Ri1", "e1&i1"),
    ] {
        assert_eq!(read("chess99", chess99, text).as_deref(), Ok(uci), "{text}");
    }
}

#[test]
fn null_moves_are_named_as_such() {
    for text in ["--", "0000", "Z0", "@@@@", "<>", "null"] {
        let error = position("8/8/8/3k4/8/8/8/KQ6 w - -").parse_san(text);
        assert!(matches!(error, Err(MoveError::NullMove { .. })), "{text}");
        let game = Game::parse("high-chess").unwrap();
        let position = Position::from_fen(game, "8/8/8/3k4/8/8/8/KQ6 w - -").unwrap();
        let pass = position.parse_san(text).unwrap();
        assert!(pass.is_pass(), "{text}");
    }
}
