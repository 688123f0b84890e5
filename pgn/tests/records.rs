//! Tests records of games: which are read and refused, and what is written.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use proptest::prelude::*;
use retrograde_pgn::{
    Noted, Outcome, PgnError, PgnErrorKind, Record, RecordError, RecordMove, Records, StartError,
    Walk, write,
};
use retrograde_rules::{Game, MoveError};

fn all_of(text: &str) -> Records<&[u8]> {
    Records::new(Game::default(), text.as_bytes())
}

fn read(text: &str) -> Vec<Record> {
    all_of(text).collect::<Result<_, _>>().unwrap()
}

/// The fault of a text; reading it must not fail.
fn fault(record: Option<Result<Record, RecordError>>) -> Option<PgnError> {
    match record? {
        Ok(record) => panic!("{record:?}"),
        Err(RecordError::Pgn(error)) => Some(error),
        Err(error) => panic!("{error}"),
    }
}

fn texts(record: &Record) -> Vec<&str> {
    record.moves.iter().map(|mv| mv.text.as_str()).collect()
}

const TWO: &str = "\
[Event \"One\"]
[Result \"1-0\"]

{before} 1. e4! {after e4} $14 e5 (1... c5 {with a ) in it} 2. Nf3 (2. c3)) 2. Qh5?! ; a
2... Nc6 3.Bc4 Nf6?? 4. Qxf7# 1-0

[Event \"Two\"]
[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]

1. O-O+ Ke7 *
";

#[test]
fn two_games() {
    let records = read(TWO);
    assert_eq!(records.len(), 2);
    let [one, two] = [&records[0], &records[1]];
    assert_eq!(one.tag("Event"), Some("One"));
    assert_eq!(one.tag("White"), None);
    assert_eq!(one.comments, ["before"]);
    assert_eq!(one.outcome, Some(Outcome::White));
    let moves = ["e4", "e5", "Qh5", "Nc6", "Bc4", "Nf6", "Qxf7#"];
    assert_eq!(texts(one), moves);
    let first = RecordMove {
        text: "e4".to_owned(),
        line: 4,
        column: 13,
        nags: vec![1, 14],
        comments: vec!["after e4".to_owned()],
    };
    assert_eq!(one.moves[0], first);
    assert_eq!(one.moves[2].nags, [6]);
    assert_eq!(one.moves[2].comments, ["a"]);
    assert_eq!(texts(two), ["O-O+", "Ke7"]);
    assert_eq!(two.outcome, Some(Outcome::Open));
}

#[test]
fn comments_behind_a_result_are_about_that_game() {
    let records = read("1. e4 {x} 1-0 {a} ; b\n[Event \"next\"]\n{c} 1. d4 * {d}\n");
    assert_eq!(records.len(), 2);
    assert_eq!(records[0].moves[0].comments, ["x", "a", "b"]);
    assert_eq!(records[1].comments, ["c"]);
    assert_eq!(records[1].moves[0].comments, ["d"]);
    // A fault behind a game does not take the game away.
    let mut records = all_of("1. e4 1-0 {a} {open");
    assert_eq!(records.next().unwrap().unwrap().moves[0].comments, ["a"]);
    assert!(records.next().unwrap().is_err());
    assert!(records.next().is_none());
}

#[test]
fn records_end_without_a_result_too() {
    let records = read("1. e4 e5\n[Event \"next\"]\n1. d4");
    assert_eq!(records.len(), 2);
    assert_eq!(texts(&records[0]), ["e4", "e5"]);
    assert_eq!(records[0].outcome, None);
    assert_eq!(records[1].tag("Event"), Some("next"));
    assert_eq!(read(""), []);
    assert_eq!(read(" \r\n\u{feff} "), []);
    assert_eq!(read("*").len(), 1);
}

#[test]
fn faults_have_their_place() {
    for (text, line, column, kind) in [
        ("1. e4 )", 1, 7, PgnErrorKind::StrayClose),
        ("1. e4\n(1. d4 (1. c4) *", 2, 1, PgnErrorKind::OpenVariation),
        ("1. e4 (1. d4\n [ Event]", 2, 2, PgnErrorKind::Tag),
        ("1. e4 {", 1, 7, PgnErrorKind::OpenComment),
    ] {
        let mut records = all_of(text);
        assert_eq!(fault(records.next()), Some(PgnError { line, column, kind }));
        assert!(records.next().is_none());
    }
    // Deep nesting must not mean deep recursion.
    let deep = "(".repeat(200_000) + &")".repeat(200_000) + " e4";
    assert_eq!(texts(&read(&deep)[0]), ["e4"]);
}

#[test]
fn a_fault_takes_one_record_only() {
    let good = "[Event \"next\"]\n[Site \"x\"]\n1. d4 *\n";
    for bad in [
        "1. e4 ) e5 1-0\n",
        "1. e4 (1. d4\n",
        "1. e4 (1. d4 *\n\n",
        "1. e4 {open\n\n",
        "1. e4 $300 e5 *\n",
        // What is below a tag is of the same record, however wrong.
        "[Event \"bad]\n[FEN \"8/8 w - -\"]\n 1. e4 *\n",
        "[Event bad]\n\t[Site \"y\"]\n\n1. e4 *\n\n",
        // No tags.
        "1. e4 ]\n[%clk 0:01]\n[ ]\ne5\n",
    ] {
        let mut records = all_of(bad);
        assert!(records.next().unwrap().is_err(), "{bad}");
        assert!(records.next().is_none(), "{bad}");
        let text = format!("{good}{bad}{good}{bad}{good}");
        let records: Vec<_> = all_of(&text).collect();
        assert_eq!(records.len(), 5, "{text}");
        for (place, record) in records.iter().enumerate() {
            match record {
                Ok(record) => assert_eq!(record.tag("Event"), Some("next"), "{text}"),
                Err(RecordError::Pgn(error)) => assert!(error.line > 3, "{error}"),
                Err(error) => panic!("{error}"),
            }
            assert_eq!(record.is_ok(), place % 2 == 0, "{text}");
        }
    }
}

#[test]
fn records_of_positions_alone_stay_apart() {
    let one = "[White \"A\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n";
    let two = "[White \"B\"]\n[FEN \"4k3/8/8/8/8/8/8/4K1R1 w - - 0 1\"]\n\n1. Rg2 *\n";
    let records = read(&format!("{one}{one}{two}{one}"));
    let names: Vec<_> = records.iter().map(|record| record.tag("White")).collect();
    assert_eq!(names, ["A", "A", "B", "A"].map(Some));
    assert_eq!(texts(&records[2]), ["Rg2"]);
    assert!(records[1].tag("FEN") != records[2].tag("FEN"));
    // A section that has a tag twice is one record, whose first value counts.
    let twice = "[FEN \"x\"] [White \"A\"]\n[White \"B\"]\n\n1. Rg2 *\n";
    assert_eq!(read(twice).len(), 1);
    assert_eq!(read(twice)[0].tag("White"), Some("A"));
}

#[test]
fn starts() {
    let orthodox = Game::default();
    let start = |text: &str, id: &str| {
        let game = Game::parse(id).unwrap();
        read(text)[0].start(game).map(|start| start.fen())
    };
    let array = orthodox.array().fen();
    for variant in ["Standard", "chess", "From Position", "orthodox", "", "?"] {
        let text = format!("[Variant \"{variant}\"]\n*");
        assert_eq!(start(&text, "orthodox"), Ok(array.clone()), "{variant}");
    }
    for (variant, id) in [
        ("High Chess", "high-chess:vitality=9"),
        ("high-chess", "high-chess"),
        ("kings:spare-king=duke", "kings:spare-king=duke"),
        ("Wild/9", "wild9"),
    ] {
        assert!(start(&format!("[Variant \"{variant}\"]\n*"), id).is_ok());
    }
    for (variant, id) in [
        ("Extinction", "orthodox"),
        ("Standard", "kings"),
        ("kings:spare-king=duke", "kings"),
    ] {
        let error = start(&format!("[Variant \"{variant}\"]\n*"), id).unwrap_err();
        assert!(matches!(error, StartError::Variant { .. }), "{error}");
    }
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 3 40";
    let text = format!("[FEN \"{fen}\"]\n*");
    assert_eq!(start(&text, "orthodox"), Ok(fen.to_owned()));
    let error = start("[FEN \"8/8 w - -\"]\n*", "orthodox").unwrap_err();
    assert!(matches!(error, StartError::Fen(_)), "{error}");
}

#[test]
fn walks() {
    let game = Game::default();
    let mut walk = Walk::new(game.array());
    let mut repetitions = Vec::new();
    for text in "Nf3 g8f6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8".split(' ') {
        repetitions.push(walk.play(text).unwrap().repetitions);
    }
    assert_eq!(repetitions, [0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!(walk.repetitions(), 2);
    // Losing a right makes another position.
    for text in ["h2h3", "h7h6", "Rh2", "Rh7", "Rh1", "Rh8"] {
        walk.play(text).unwrap();
    }
    assert_eq!(walk.repetitions(), 0);
    let before = *walk.position();
    for (text, legal) in [("e2e5", true), ("Ke5", true), ("hello", false), ("", false)] {
        let error = walk.play(text).unwrap_err();
        assert_eq!(matches!(error, MoveError::Illegal { .. }), legal, "{text}");
    }
    assert_eq!(*walk.position(), before);
    let step = walk.play("a3").unwrap();
    assert_eq!((step.ply, step.before), (15, before));
}

#[test]
fn writing() {
    let game = Game::default();
    let record = &read(TWO)[1];
    let start = record.start(game).unwrap();
    let moves = [
        Noted {
            san: "O-O+".to_owned(),
            nags: vec![1],
            comments: vec!["White {wins} in a\nlong time".to_owned()],
        },
        Noted {
            san: "Ke7".to_owned(),
            ..Noted::default()
        },
    ];
    let text = write(record, &start, &moves);
    let expected = "\
[Event \"Two\"]
[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]
[SetUp \"1\"]

1. O-O+ $1 {White {wins) in a long time} 1... Ke7 *
";
    assert_eq!(text, expected);
    let kings = Game::parse("kings").unwrap();
    let text = write(&Record::default(), &kings.array(), &[]);
    assert_eq!(text, "[Variant \"kings\"]\n\n*\n");
}

const IDS: [&str; 8] = [
    "orthodox",
    "high-chess:vitality=3",
    "chess99",
    "kings",
    "kings:board=10x10,chancellor=on",
    "wild9",
    "extinction-mating",
    "extinction",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

/// Games written in either notation are read back unchanged.
    #[test]
    fn games_round_trip(
        id in prop::sample::select(&IDS[..]),
        uci in any::<bool>(),
        comment in "[ -~]{0,20}",
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..60),
    ) {
        let game = Game::parse(id).unwrap();
        let mut walk = Walk::new(game.array());
        let mut noted = Vec::new();
        for choice in choices {
            let before = *walk.position();
            let moves = before.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = *choice.get(&moves);
            let text = if uci { before.uci(mv) } else { before.san(mv) };
            prop_assert_eq!(walk.play(&text).unwrap().mv, mv);
            noted.push(Noted {
                san: text,
                nags: vec![4],
                comments: vec![comment.clone()],
            });
        }
        let mut record = Record::default();
        record.tags.push(("Event".to_owned(), comment.clone()));
        let text = write(&record, &game.array(), &noted);
        prop_assert!(text.lines().skip(3).all(|line| line.len() <= 79));
        let again: Vec<_> = Records::new(game, text.as_bytes()).map(|record| record.unwrap()).collect();
        prop_assert_eq!(again.len(), 1);
        prop_assert_eq!(again[0].tag("Event"), Some(comment.as_str()));
        let mut same = Walk::new(again[0].start(game).unwrap());
        for mv in &again[0].moves {
            same.play(&mv.text).unwrap();
            prop_assert_eq!(&mv.nags, &[4]);
        }
        prop_assert_eq!(same.position(), walk.position());
    }

/// Any text gives records or an error.
    #[test]
    fn any_text_is_read(text in "[\\[\\]{}()\"\\\\;%$0-9.a-hKQRBN x*\n!?-]{0,80}") {
        for record in all_of(&text).flatten() {
            let _ = record.start(Game::default());
        }
    }
}

/// Endless text that is made as it is read.
struct Endless<F>(u64, F);

impl<F: FnMut(u64) -> u8> std::io::Read for Endless<F> {
    fn read(&mut self, bytes: &mut [u8]) -> std::io::Result<usize> {
        for byte in &mut *bytes {
            *byte = (self.1)(self.0);
            self.0 += 1;
        }
        Ok(bytes.len())
    }
}

/// No game takes more than a certain memory, and those behind one that does are read.
#[test]
fn what_never_ends_is_given_up() {
    let game = Game::default();
    let kinds = |text: &[u8]| -> Vec<Option<PgnErrorKind>> {
        Records::new(game, text)
            .map(|record| match record {
                Ok(_) => None,
                Err(RecordError::Pgn(error)) => Some(error.kind),
                Err(error) => panic!("{error}"),
            })
            .collect()
    };
    let next = "\n\n[Event \"next\"]\n1. d4 *\n";
    for (long, kind) in [
        ("e4 ".repeat(70_000), PgnErrorKind::TooLong),
        ("e4 (e5) ".repeat(2 << 20), PgnErrorKind::TooLong),
        ("x".repeat(10 << 20), PgnErrorKind::TooLong),
        (
            format!("{{{}", "x".repeat(10 << 20)),
            PgnErrorKind::OpenComment,
        ),
        (
            format!("[Event \"{}", "x".repeat(10 << 20)),
            PgnErrorKind::TooLong,
        ),
    ] {
        let kinds = kinds(format!("{long}{next}").as_bytes());
        assert_eq!(kinds, [Some(kind), None], "{:.9}", long);
    }
    // Nothing follows where there is no text.
    let mut zeros = Records::new(game, Endless(0, |_| 0));
    assert_eq!(
        fault(zeros.next()).map(|error| error.kind),
        Some(PgnErrorKind::NoText)
    );
    assert!(zeros.next().is_none());
    // Games are there before all of the text is.
    let text = b"[Event \"x\"]\n1. e4 e5 {comment} 1-0\n\n";
    let mut many = Records::new(game, Endless(0, |at| text[at as usize % text.len()]));
    assert!((0..50_000).all(|_| many.next().is_some_and(|record| record.is_ok())));
}

#[test]
fn null_moves_and_courtesy_moves() {
    let mut walk = Walk::new(Game::default().array());
    walk.play("e4").unwrap();
    assert!(matches!(walk.play("--"), Err(MoveError::NullMove { .. })));
    walk.null_move().unwrap();
    walk.play("d4").unwrap();
    assert_eq!(walk.position().fullmoves(), 2);
    let start =
        retrograde_rules::Position::from_fen(Game::default(), "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1");
    // The king cannot be left in check.
    assert!(Walk::new(start.unwrap()).null_move().is_err());
    let chess99 = Game::parse("chess99").unwrap();
    let start = "9/9/9/9/4r4/9/4k4/4K4/9 w - -";
    let mut walk = Walk::new(retrograde_rules::Position::from_fen(chess99, start).unwrap());
    assert!(!walk.is_courtesy("Re5xe3"));
    walk.play("Kxe3").unwrap();
    assert!(walk.is_courtesy("Rxe3") && !walk.is_courtesy("hello"));
}
