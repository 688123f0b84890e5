use super::*;

fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut lexer = Lexer::new(text);
    std::iter::from_fn(|| lexer.next().unwrap().map(|(_, token)| token)).collect()
}

#[test]
fn words() {
    use Token::{Move, Nag};
    assert_eq!(
        tokens("1.e4 1... e5!? 2 . Nf3"),
        [Move("e4"), Move("e5"), Nag(5), Move("Nf3")]
    );
    assert_eq!(
        tokens("0-0 12.0000 0000 --"),
        ["0-0", "0000", "0000", "--"].map(Move)
    );
    assert_eq!(
        tokens("K&Rh1 Bxf4* f1=Nd2?? exd6 e.p. *"),
        [
            Move("K&Rh1"),
            Move("Bxf4*"),
            Move("f1=Nd2"),
            Nag(4),
            Move("exd6"),
            Token::Outcome(Outcome::Open),
        ]
    );
    for (text, outcome) in [("1-0", Outcome::White), ("0-1", Outcome::Black)] {
        assert_eq!(tokens(text), [Token::Outcome(outcome)]);
    }
    assert_eq!(tokens("9.1/2-1/2"), [Token::Outcome(Outcome::Draw)]);
}

#[test]
fn comments_tags_and_escapes() {
    let text = "\u{feff}% skipped ] }\n[Event \"a \\\"b\\\" \\\\ c\"] ; to the ] end\ne4{x ( ] }$7";
    assert_eq!(
        tokens(text),
        [
            Token::Tag {
                name: "Event",
                value: "a \"b\" \\ c".to_owned(),
            },
            Token::Comment("to the ] end"),
            Token::Move("e4"),
            Token::Comment("x ( ]"),
            Token::Nag(7),
        ]
    );
}

#[test]
fn places_are_the_same_counted_on_or_anew() {
    let text = "e4 é\n\n{x\ny} d5\n c4";
    let mut lexer = Lexer::new(text);
    let ascending: Vec<_> = text.char_indices().map(|(at, _)| at).collect();
    for at in [&ascending[..], &[3, 0, 9, 1]].concat() {
        assert_eq!(lexer.place(at), place(text, at), "{at}");
    }
    assert_eq!(lexer.place(text.len()), (5, 4));
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
    ] {
        let mut lexer = Lexer::new(text);
        let error = loop {
            match lexer.next() {
                Ok(token) => assert!(token.is_some(), "{text}"),
                Err(fault) => break lexer.error(fault),
            }
        };
        assert_eq!(error, PgnError { line, column, kind }, "{text}");
    }
}
