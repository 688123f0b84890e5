use retrograde_rules::Game;

use super::*;

fn lexer<'a>(id: &str, text: &'a [u8]) -> Lexer<&'a [u8]> {
    Lexer::new(text, Words::of(Game::parse(id).unwrap()))
}

fn tokens_of(id: &str, text: &[u8]) -> Vec<Token> {
    let mut lexer = lexer(id, text);
    std::iter::from_fn(|| lexer.next().unwrap().map(|(_, token)| token)).collect()
}

fn tokens(text: &str) -> Vec<Token> {
    tokens_of("orthodox", text.as_bytes())
}

fn mv(text: &str) -> Token {
    Token::Move(text.to_owned())
}

#[test]
fn words() {
    use Token::Nag;
    assert_eq!(
        tokens("1.e4 1... e5!? 2 . Nf3"),
        [mv("e4"), mv("e5"), Nag(5), mv("Nf3")]
    );
    for text in ["0-0 12.0000 0000 --", "0-0,0000;x\n0000\u{1a} 3…-- \u{1a}"] {
        let moves: Vec<Token> = tokens(text);
        let moves = moves
            .into_iter()
            .filter(|token| matches!(token, Token::Move(_)));
        assert_eq!(
            moves.collect::<Vec<_>>(),
            ["0-0", "0000", "0000", "--"].map(mv)
        );
    }
    assert_eq!(
        tokens_of("chess99", b"K&Rh1 Bxf4* f1=Nd2?? exd6 e.p. *"),
        [
            mv("K&Rh1"),
            mv("Bxf4*"),
            mv("f1=Nd2"),
            Nag(4),
            mv("exd6"),
            Token::Outcome(Outcome::Open),
        ]
    );
    assert_eq!(
        tokens("exd6e.p. e8(Q)+ e8=(R) exd6 ep Nf3 ch 12Nf3 12♘f3 e8(q (Q)"),
        [
            mv("exd6e.p."),
            mv("e8(Q)+"),
            mv("e8=(R)"),
            mv("exd6"),
            mv("Nf3"),
            mv("Nf3"),
            mv("♘f3"),
            mv("e8"),
            Token::OpenVariation,
            mv("q"),
            Token::OpenVariation,
            mv("Q"),
            Token::CloseVariation,
        ]
    );
}

#[test]
fn outcomes() {
    for (text, outcome) in [
        ("1-0", Outcome::White),
        ("1–0", Outcome::White),
        ("1:0", Outcome::White),
        ("1 - 0", Outcome::White),
        ("0-1", Outcome::Black),
        ("0 – 1", Outcome::Black),
        ("1/2-1/2", Outcome::Draw),
        ("1/2 - 1/2", Outcome::Draw),
        ("9.1/2-1/2", Outcome::Draw),
        ("1/2", Outcome::Draw),
        ("½-½", Outcome::Draw),
        ("½–½", Outcome::Draw),
        ("½", Outcome::Draw),
        ("0.5-0.5", Outcome::Draw),
        ("*", Outcome::Open),
    ] {
        assert_eq!(tokens(text), [Token::Outcome(outcome)], "{text}");
        // Whatever stands before it.
        for before in ["e5", "Qxf7#", "e8=Q+", "O-O", "0-0", "0-0-0+", "Bb5!?"] {
            let mut all = tokens(&format!("{before}{text}"));
            let spaced = text.contains([' ', '.']);
            assert!(
                spaced || all.pop() == Some(Token::Outcome(outcome)),
                "{before}{text}"
            );
        }
    }
    for text in ["0-0", "0-0-0", "0–0", "O-O-O", "--"] {
        assert_eq!(tokens(text), [mv(text)]);
    }
    // A star marks a capture en passant in Chess 99, where a draw may be called.
    let read = |text: &str| tokens_of("chess99", text.as_bytes());
    assert_eq!(read("Bxb4*"), [mv("Bxb4*")]);
    assert_eq!(read("f8b4*"), [mv("f8b4*")]);
    assert_eq!(read("e5*"), [mv("e5"), Token::Outcome(Outcome::Open)]);
    for text in ["Kd4% ", "Kd4!+ %", "Kd4\n%\n"] {
        assert_eq!(read(text).last(), Some(&Token::Outcome(Outcome::Draw)));
        assert!(matches!(&read(text)[0], Token::Move(mv) if mv.starts_with("Kd4")));
    }
    assert_eq!(read("%escaped ]\nKd4"), [mv("Kd4")]);
}

#[test]
fn annotations_as_text() {
    use Token::Nag;
    for (text, nags) in [
        ("e4!", &[1][..]),
        ("e4!?±", &[5, 16]),
        ("e4 ∞", &[13]),
        ("e4+=", &[14]),
        ("e4 +/=", &[14]),
        ("e4+-", &[18]),
        ("e4 −+", &[19]),
        ("e4=", &[10]),
        ("e4 = N", &[10, 146]),
        ("e4⩲", &[14]),
        ("e4 +", &[]),
        ("e4☺", &[]),
        ("e4 !+", &[1]),
        ("e4.", &[]),
    ] {
        let mut expected = vec![mv("e4")];
        expected.extend(nags.iter().map(|&nag| Nag(nag)));
        assert_eq!(tokens(text), expected, "{text}");
    }
    assert_eq!(tokens("Bb5+!"), [mv("Bb5+"), Nag(1)]);
    assert_eq!(tokens("Bb5!+"), [mv("Bb5+"), Nag(1)]);
    assert_eq!(tokens("e8=Q#"), [mv("e8=Q#")]);
}

#[test]
fn comments_tags_and_escapes() {
    let text = "\u{feff}% skipped ] }\n[Event \"a \\\"b\\\" \\\\ c\"] ; to the ] end\ne4{x ( ] }$7";
    let tag = |value: &str| Token::Tag {
        name: "Event".to_owned(),
        value: value.to_owned(),
        begins_section: true,
    };
    assert_eq!(
        tokens(text),
        [
            tag("a \"b\" \\ c"),
            Token::Comment("to the ] end".to_owned()),
            mv("e4"),
            Token::Comment("x ( ]".to_owned()),
            Token::Nag(7),
        ]
    );
    for (text, value) in [
        (r#"[Event "the "great" match"]"#, "the \"great\" match"),
        (r#"[Event ""x"" ]"#, "\"x\""),
        (r#"[Event "C:\"]"#, "C:\\"),
        (r#"[Event "C:\games"]"#, "C:\\games"),
        (r#"[Event "a\""]"#, "a\""),
        (r#"[Event ""]"#, ""),
    ] {
        assert_eq!(tokens(text), [tag(value)], "{text}");
    }
}

/// Bytes that are not UTF-8 are Latin-1, wherever the pieces of the text begin.
#[test]
fn encodings() {
    let comment = |text: &[u8]| match &tokens_of("orthodox", text)[..] {
        [Token::Comment(text)] => text.clone(),
        tokens => panic!("{tokens:?}"),
    };
    assert_eq!(
        comment(b"{Caf\xe9 \xb1 \x96 \xc3\xa9 \xe2\x99\x98}"),
        "Café ± – é ♘"
    );
    assert_eq!(comment(b"{\xff\xfe\xc3}"), "ÿþÃ");
    for len in (1 << 16) - 6..(1 << 16) + 2 {
        let text = [b"{", &b"x".repeat(len)[..], "é♘é".as_bytes(), b"\xe9}"].concat();
        assert!(comment(&text).ends_with("xé♘éé"), "{len}");
    }
}

#[test]
fn faults_have_their_place() {
    for (text, line, column, kind) in [
        ("e4\n {x", 2, 2, PgnErrorKind::OpenComment),
        ("é $x", 1, 3, PgnErrorKind::Nag),
        ("$256", 1, 1, PgnErrorKind::Nag),
        ("]", 1, 1, PgnErrorKind::Stray(']')),
        ("[", 1, 1, PgnErrorKind::Tag),
        ("[Event]", 1, 1, PgnErrorKind::Tag),
        ("[Event \"x]\n", 1, 1, PgnErrorKind::Tag),
        ("[Event \"x\" y]", 1, 1, PgnErrorKind::Tag),
        ("[ \"x\"]", 1, 1, PgnErrorKind::Tag),
        ("e4 \0", 1, 4, PgnErrorKind::NoText),
    ] {
        let mut lexer = lexer("orthodox", text.as_bytes());
        let (place, found) = loop {
            match lexer.next() {
                Ok(token) => assert!(token.is_some(), "{text}"),
                Err(Failure::Fault(place, kind)) => break (place, kind),
                Err(failure) => panic!("{failure:?}"),
            }
        };
        assert_eq!(
            (place.line, place.column, found),
            (line, column, kind),
            "{text}"
        );
    }
}
