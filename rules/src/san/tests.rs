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
    for bad in [
        "", "x", "=Q", "e9", "Ke", "O-", "o-o", "0000", "é4", "Ée4", "ke4", "Kx-e4",
    ] {
        assert!(
            matches!(read(bad), Err(MoveError::Syntax { .. })),
            "{bad}: {:?}",
            read(bad)
        );
    }
}
