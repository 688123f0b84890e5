//! The larger boards and the chancellor (K7).

use retrograde_rules::{
    EpFault, Fault, FenError, FenErrorKind, Game, Geometry, Interchange, Material, PieceType,
    Position, ReadError, Setup, Symmetry, Transform,
};

use crate::kings::{game, moves, moves_from, position, royals};

const LOW: &str = "kings:board=10x8,chancellor=on";
const HIGH: &str = "kings:board=10x10,chancellor=on";

fn faults(game: Game, fen: &str) -> Vec<Fault> {
    match Position::from_fen(game, fen) {
        Err(ReadError::Position(error)) => error.faults().to_vec(),
        other => panic!("{fen}: {other:?}"),
    }
}

#[test]
fn options_say_the_board() {
    for (id, (files, ranks), pieces) in [
        ("kings", (8, 8), "KQRBNP"),
        ("kings:board=10x8", (10, 8), "KQRBNP"),
        (LOW, (10, 8), "KQCRBNP"),
        ("kings:board=10x10", (10, 10), "KQRBNP"),
        (HIGH, (10, 10), "KQCRBNP"),
    ] {
        let game = game(id);
        assert_eq!(game.geometry(), Geometry { files, ranks });
        let letters: String = game
            .piece_types()
            .iter()
            .map(|piece_type| piece_type.letter())
            .collect();
        assert_eq!(letters, pieces);
        let promotions: String = game
            .promotions()
            .iter()
            .map(|piece_type| piece_type.letter())
            .collect();
        assert_eq!(promotions, pieces.trim_end_matches('P'));
        let without = crate::kings::game(&format!(
            "{id}{}promote-to-king=off",
            [":", ","][usize::from(id != "kings")]
        ));
        assert_eq!(without.promotions(), &game.promotions()[1..]);
    }
    assert!(Game::parse("kings:chancellor=on").is_err());
    assert!(Game::parse("wild9:board=10x10").is_err());
}

/// Counted by hand. On 10x10 the pieces stand on the second rank and may go back:
/// 20 moves of pawns, 2 of rooks, 6 of knights, 4 of bishops, 6 of queens and
/// 6 of kings; nothing that Black answers depends on them. A chancellor has 5
/// moves where the queen has 3.
#[test]
fn arrays() {
    let queens = "rnbqkkqbnr/pppppppppp";
    let chancellor = "rnbqkkcbnr/pppppppppp";
    for (id, black, first) in [
        ("kings:board=10x8", queens, 24),
        (LOW, chancellor, 26),
        ("kings:board=10x10", queens, 44),
        (HIGH, chancellor, 46),
    ] {
        let game = game(id);
        let white = black.to_uppercase();
        let (pieces, pawns) = white.split_once('/').unwrap();
        let fen = if game.geometry().ranks == 8 {
            format!("{black}/10/10/10/10/{pawns}/{pieces} w - - 0 1")
        } else {
            format!("10/{black}/10/10/10/10/{pawns}/{pieces}/10 w - - 0 1")
        };
        let array = position(game, &fen);
        assert_eq!(array.fen(), fen);
        assert_eq!(array.perft(1), first, "{id}");
        assert_eq!(array.perft(2), first * first, "{id}");
        let mirrored = array.setup().mirrored(game.geometry());
        assert_eq!(mirrored.board, array.setup().board);
    }
}

#[test]
fn a_chancellor_is_rook_and_knight() {
    let high = game(HIGH);
    let fen = "10/10/4p5/10/2P1C3k1/10/10/10/10/K9 w - - 0 1";
    let to = "e1 e10 e2 e3 e4 e5 e7 e8 d4 f4 c5 g5 c7 g7 d8 f8 d6 f6 g6 h6 i6";
    // The king on i6 is in check, so it must be Black's move.
    assert!(matches!(
        faults(high, fen)[..],
        [Fault::OppositeCheck { .. }]
    ));
    let fen = "10/10/4p5/10/2P1C3p1/8k1/10/10/10/K9 w - - 0 1";
    let mut expected: Vec<String> = to
        .split(' ')
        .filter(|&square| square != "e10")
        .map(|square| format!("e6{square}"))
        .collect();
    expected.sort();
    assert_eq!(moves_from(high, fen, "e6"), expected);
    // Checks by either way; a piece between stops the rook's only.
    for (fen, check) in [
        ("10/10/10/10/10/10/10/3k6/10/2C6K w - -", false),
        ("10/10/10/10/10/10/10/3k6/10/2C6K b - -", true),
        ("10/10/10/10/10/2k7/10/2N7/10/2C6K b - -", false),
        ("10/10/10/10/10/2k7/10/10/10/2C6K b - -", true),
    ] {
        match Position::from_fen(high, fen) {
            Ok(at) => assert_eq!(at.is_check(), check, "{fen}"),
            Err(error) => assert!(!check, "{fen}: {error}"),
        }
    }
    let error = Material::parse(game("kings:board=10x10"), "KCvK").unwrap_err();
    assert!(error.to_string().contains("KQRBNP"), "{error}");
    let material = Material::parse(high, "KRCQvKNC").unwrap();
    assert_eq!(material.to_string(), "KQCRvKCN");
}

#[test]
fn squares_and_moves_of_two_digits() {
    let high = game(HIGH);
    let at = position(high, "3n6/4P5/10/8k1/10/10/10/10/10/K9 w - -");
    let mut expected: Vec<String> = "kqcrbn"
        .chars()
        .flat_map(|piece_type| [format!("e9d10{piece_type}"), format!("e9e10{piece_type}")])
        .collect();
    expected.sort();
    let mut pawn = moves(&at);
    pawn.retain(|mv| mv.starts_with('e'));
    assert_eq!(pawn, expected);
    for (uci, san) in [("e9e10q", "e10=Q"), ("e9d10c", "exd10=C+"), ("a1b2", "Kb2")] {
        let mv = at.parse_uci(uci).unwrap();
        assert_eq!(at.uci(mv), uci);
        assert_eq!(at.san(mv).trim_end_matches('+'), san.trim_end_matches('+'));
        assert_eq!(at.parse_san(san), Ok(mv));
    }
    let at = position(high, "C9/10/10/10/10/7k2/10/10/10/KC6C1 w - -");
    for (uci, san) in [("b1b10", "Cbb10"), ("a10b10", "Cab10"), ("a10a2", "Ca2")] {
        let mv = at.parse_uci(uci).unwrap();
        assert_eq!(at.san(mv).trim_end_matches('+'), san);
        assert_eq!(at.parse_san(san), Ok(mv));
    }
    for bad in ["a10b11", "a10", "a1b1p0", "a10b10cc", "k1a1", "a1k1"] {
        assert!(at.parse_uci(bad).is_err(), "{bad}");
    }
}

#[test]
fn runs_of_ten() {
    let low = game(LOW);
    let fen = "10/9k/k9/10/10/10/10/K3C4P w - - 0 1";
    // A pawn on its first rank.
    assert!(matches!(faults(low, fen)[..], [Fault::PawnRank(_)]));
    let fen = "10/9k/k9/10/10/10/9P/K3C5 w - - 0 1";
    assert_eq!(position(low, fen).fen(), fen);
    let refused = |rank: &str| -> FenError {
        Setup::from_fen(low, &format!("10/{rank}/10/10/10/10/10/10 w - -")).unwrap_err()
    };
    for (rank, offset, run) in [
        ("11", 3, "11"),
        ("01", 3, "01"),
        ("0k9", 3, "0"),
        ("101", 5, "1"),
        ("19", 3, "19"),
        ("k00", 4, "00"),
        ("99999999999999999999", 3, "99"),
    ] {
        let error = refused(rank);
        assert_eq!(error.offset, offset, "{rank}");
        assert_eq!(error.kind, FenErrorKind::EmptyRun(run.to_owned(), 10));
        assert!(error.to_string().contains("from 1 to 10"));
    }
    for (rank, offset, found) in [
        ("k10", 4, 11),
        ("9", 4, 9),
        ("5k5", 5, 11),
        ("10k", 5, 11),
        ("k9k10", 5, 21),
    ] {
        let error = refused(rank);
        assert_eq!(error.offset, offset, "{rank}");
        let wanted = 10;
        let rank = 7;
        assert_eq!(
            error.kind,
            FenErrorKind::RankLength {
                rank,
                found,
                wanted
            }
        );
    }
    // A smaller board has no such runs.
    assert!(Setup::from_fen(game("kings"), "10/8/8/8/8/8/8/8 w - -").is_err());
}

#[test]
fn pawns_start_on_the_ranks_of_the_array() {
    let (low, high) = (game(LOW), game(HIGH));
    for (game, fen, pawn, steps) in [
        (low, "9k/10/10/10/10/10/4P5/K9 w - -", "e2", "e2e3 e2e4"),
        (low, "9k/10/10/10/10/4P5/10/K9 w - -", "e3", "e3e4"),
        (low, "9k/4p5/10/10/10/10/10/K9 b - -", "e7", "e7e5 e7e6"),
        (low, "9k/10/4p5/10/10/10/10/K9 b - -", "e6", "e6e5"),
        (
            high,
            "9k/10/10/10/10/10/10/4P5/10/K9 w - -",
            "e3",
            "e3e4 e3e5",
        ),
        (high, "9k/10/10/10/10/10/4P5/10/10/K9 w - -", "e4", "e4e5"),
        (
            high,
            "9k/10/4p5/10/10/10/10/10/10/K9 b - -",
            "e8",
            "e8e6 e8e7",
        ),
        (high, "9k/10/10/4p5/10/10/10/10/10/K9 b - -", "e7", "e7e6"),
        // One rank behind the array's is the last but one of the others.
        (
            high,
            "9k/10/10/10/10/10/10/10/4p5/K9 b - -",
            "e2",
            "e2e1b e2e1c e2e1k e2e1n e2e1q e2e1r",
        ),
    ] {
        assert_eq!(moves_from(game, fen, pawn).join(" "), steps, "{fen}");
    }
    let only = |fault: fn(retrograde_rules::SquareSet) -> Fault, name| {
        vec![fault(high.geometry().parse(name).into_iter().collect())]
    };
    for (fen, expected) in [
        (
            "9k/10/10/10/10/10/10/10/4P5/K9 w - -",
            only(Fault::PawnBehind, "e2"),
        ),
        (
            "9k/4p5/10/10/10/10/10/10/10/K9 w - -",
            only(Fault::PawnBehind, "e9"),
        ),
        (
            "9k/10/10/10/10/10/10/10/10/K3P5 w - -",
            only(Fault::PawnRank, "e1"),
        ),
        (
            "4P4k/10/10/10/10/10/10/10/10/K9 w - -",
            only(Fault::PawnRank, "e10"),
        ),
        (
            "4p4k/10/10/10/10/10/10/10/10/K9 w - -",
            only(Fault::PawnRank, "e10"),
        ),
    ] {
        assert_eq!(faults(high, fen), expected, "{fen}");
    }
    let text = Position::from_fen(high, "9k/4p5/10/10/10/10/10/10/4P5/K9 w - -");
    let text = text.unwrap_err().to_string();
    assert!(text.contains("behind its starting rank (e2, e9)"), "{text}");
    for fen in [
        "9k/4P5/10/10/10/10/10/10/10/K9 w - -",
        "9k/10/10/10/10/10/10/10/4p5/K9 w - -",
    ] {
        position(high, fen);
    }
}

#[test]
fn en_passant() {
    for (id, fen, taken) in [
        (LOW, "9k/10/10/3pP5/10/10/10/K9 w - d6 0 1", "e5d6"),
        (LOW, "9k/10/10/10/3pP5/10/10/K9 b - e3 0 1", "d4e3"),
        (HIGH, "9k/10/10/10/3pP5/10/10/10/10/K9 w - d7 0 1", "e6d7"),
        (HIGH, "9k/10/10/10/10/3pP5/10/10/10/K9 b - e4 0 1", "d5e4"),
    ] {
        let game = game(id);
        let at = position(game, fen);
        assert_eq!(at.fen(), fen);
        assert!(moves(&at).contains(&taken.to_owned()), "{fen}");
    }
    // A step over, the wrong rank: not where a double step of the array ends.
    for (fen, fault) in [
        ("9k/10/10/3pP5/10/10/10/10/10/K9 w - d8", EpFault::Rank),
        ("9k/10/10/10/10/10/3pP5/10/10/K9 b - e3", EpFault::Rank),
    ] {
        let found = faults(game(HIGH), fen);
        assert!(
            matches!(found[..], [Fault::EnPassant { fault: f, .. }] if f == fault),
            "{found:?}"
        );
    }
    // A double step that is played gives the right.
    let high = game(HIGH);
    let at = position(high, "9k/10/10/10/10/3p6/10/4P5/10/K9 w - -");
    let mv = at.parse_uci("e3e5").unwrap();
    let after = at.play(mv);
    assert_eq!(after.fen(), "9k/10/10/10/10/3pP5/10/10/10/K9 b - e4 0 1");
}

#[test]
fn home_is_the_edge_of_the_board() {
    for (id, fen, white, black) in [
        (LOW, "k9/10/k9/10/10/K9/10/K9 w - -", "a1", "a8"),
        (HIGH, "k9/10/k9/10/10/10/10/K9/10/K9 w - -", "a1", "a10"),
        (
            "kings:board=10x10,tie-break=rank1",
            "k9/10/k9/10/10/10/10/K9/10/K9 w - -",
            "a1",
            "a8",
        ),
        (
            "kings:black-corner=h8,board=10x10",
            "8kk/10/9k/10/10/10/10/K8K/10/K9 w - -",
            "a1",
            "j10",
        ),
    ] {
        let game = game(id);
        let found = royals(game, &position(game, fen));
        assert_eq!(
            found,
            [vec![white.to_owned()], vec![black.to_owned()]],
            "{id}"
        );
    }
}

#[test]
fn symmetries_of_the_boards() {
    use Symmetry::{Files, Full, None, Rectangle};
    for (id, name, symmetry) in [
        (LOW, "KCvK", Rectangle),
        (LOW, "KQvKR", Rectangle),
        (LOW, "KPvK", None),
        (LOW, "KKvK", None),
        ("kings:board=10x8,promote-to-king=off", "KPvK", Files),
        (HIGH, "KCvK", Full),
        (HIGH, "KKvK", None),
        ("kings:board=10x10,promote-to-king=off", "KPvK", Files),
    ] {
        let game = game(id);
        let material = Material::parse(game, name).unwrap();
        assert_eq!(game.symmetry(&material), symmetry, "{id} {name}");
        assert_eq!(game.interchange(&material), Interchange::MirrorRanks);
    }
    let kept = |symmetry: Symmetry| symmetry.transforms().count();
    assert_eq!([Full, Rectangle, Files, None].map(kept), [8, 4, 2, 1]);
    assert!(Files.contains(Transform::FLIP_FILES));
    assert!(game(LOW).piece_types().contains(&PieceType::Chancellor));
}
