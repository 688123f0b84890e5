//! The counters, and the end by exhaustion (H3-H6).

use retrograde_rules::{Colour, End, Fault, Game, Position, PositionError, Setup, Toll, Vitality};

use crate::high_chess::{check_tolls, game, played, position, vitality};

#[test]
fn h3_counters_are_full_unless_given() {
    for (id, full) in [
        ("high-chess", 50),
        ("high-chess:vitality=7", 7),
        ("high-chess:vitality=1", 1),
    ] {
        let game = Game::parse(id).unwrap();
        assert_eq!(game.full_vitality(), vitality(full, full));
        let pieces = "8/8/8/3k4/8/8/8/K6R";
        for rest in ["w - -", "w - - 3", "w - - 3 9"] {
            let at = Position::from_fen(game, &format!("{pieces} {rest}")).unwrap();
            assert_eq!(at.vitality(), vitality(full, full));
        }
        let at = Position::from_fen(game, &format!("{pieces} w - -")).unwrap();
        let again = Position::from_pieces(game, at.board().pieces(), Colour::White).unwrap();
        assert_eq!(again, at);
        let fen = at.fen();
        assert_eq!(fen, format!("{pieces} w - - {full}+{full} 0 1"));

        let bounds = |points| {
            let given = Vitality::both(points);
            let setup = Setup {
                vitality: Some(given),
                ..at.setup()
            };
            let made = Position::new(game, &setup);
            let set = at.with_vitality(given);
            assert_eq!(made.as_ref().ok(), set.as_ref());
            (made, set)
        };
        assert_eq!(bounds(full).1, Some(at));
        assert_eq!(bounds(1).1.and_then(|p| p.vitality()), vitality(1, 1));
        for wrong in [0, full + 1] {
            let faults = Colour::BOTH.map(|colour| Fault::Vitality {
                colour,
                found: wrong,
                least: 1,
                most: full,
            });
            let error: PositionError = bounds(wrong).0.unwrap_err();
            assert_eq!(error.faults(), faults);
        }
        let one_wrong = [vitality(1, 0), vitality(full + 1, 1)];
        for given in one_wrong {
            assert_eq!(at.with_vitality(given.unwrap()), None);
        }
    }
    // Games without vitality have no counters and take none.
    let at = Position::from_fen(Game::default(), "8/8/8/3k4/8/8/8/K6R w - -").unwrap();
    assert_eq!(at.vitality(), None);
    assert_eq!(Game::default().full_vitality(), None);
    assert_eq!(at.with_vitality(Vitality::both(1)), None);
    let setup = Setup {
        vitality: vitality(1, 1),
        ..at.setup()
    };
    let error = Position::new(Game::default(), &setup).unwrap_err();
    assert_eq!(error.faults(), [Fault::ForeignVitality]);
}

#[test]
fn h4_a_vital_move_fills_the_counter_of_the_mover() {
    let both = Game::parse("high-chess:vital-restores=both").unwrap();
    let seven = Game::parse("high-chess:vitality=7").unwrap();
    let seven_both = Game::parse("high-chess:vitality=7,vital-restores=both").unwrap();
    // White is Low, with its last point, and Black High; then the reverse.
    for (game, mover, other) in [
        (game(), 50, 2),
        (both, 50, 50),
        (seven, 7, 2),
        (seven_both, 7, 7),
    ] {
        check_tolls(
            game,
            "8/8/8/3k4/8/8/8/K5nR w - - 1+2",
            &[("h1g1", Toll::Vital, mover, other)],
        );
        check_tolls(
            game,
            "k5Nr/8/8/8/3K4/8/8/8 b - - 2+1",
            &[("h8g8", Toll::Vital, other, mover)],
        );
    }
}

#[test]
fn h5_only_a_low_mover_pays() {
    use Toll::{Free, Paid};
    // White is High, Black is Low, and it is White's turn: nobody pays.
    check_tolls(
        game(),
        "k7/8/8/8/3K4/8/8/7R w - - 5+5",
        &[
            ("h1h2", Free, 5, 5),
            ("d4e5", Free, 5, 5),
            ("0000", Free, 5, 5),
        ],
    );
    // The same diagram on Black's turn: it pays, whatever it does.
    check_tolls(
        game(),
        "k7/8/8/8/3K4/8/8/7R b - - 5+5",
        &[("a8b7", Paid, 5, 4), ("0000", Paid, 5, 4)],
    );
    // Passing to and fro wears out the Low side alone.
    let mut at = position("8/8/8/3k4/8/8/8/K7 w - - 3+3");
    for (white, black) in [(2, 3), (2, 3), (1, 3), (1, 3)] {
        assert_eq!(at.end(), None);
        at = played(&at, "0000").0;
        assert_eq!(at.vitality(), vitality(white, black));
    }
}

#[test]
fn h6_the_last_point_of_low_is_the_end() {
    for (fen, uci, winner) in [
        ("8/8/8/3k4/8/8/8/K6R w - - 1+50", "0000", Colour::Black),
        ("8/8/8/3k4/8/8/8/K6R w - - 1+1", "h1h2", Colour::Black),
        // A check is no mate.
        ("8/8/8/3k4/8/8/8/K6R w - - 1+1", "h1h5", Colour::Black),
        ("k6r/8/8/8/3K4/8/8/8 b - - 50+1", "0000", Colour::White),
    ] {
        let (after, _) = played(&position(fen), uci);
        let low = winner.other();
        assert_eq!(after.vitality().unwrap().of(low), 0, "{fen} {uci}");
        assert_eq!(after.end(), Some(End::Exhaustion), "{fen} {uci}");
        assert_eq!(End::Exhaustion.winner(after.turn()), Some(winner));
        assert_eq!(after.legal_moves().len(), 0);
        assert_eq!(after.perft(1), 0);
        // A finished game is no position to begin with.
        assert!(Position::from_fen(game(), &after.fen()).is_err());
    }
    // With a full counter of 1 every turn of Low's is its last, if not vital.
    let one = Game::parse("high-chess:vitality=1").unwrap();
    let at = Position::from_fen(one, "8/8/8/3k4/8/8/P7/K7 w - -").unwrap();
    for (uci, end) in [("a1b1", Some(End::Exhaustion)), ("a2a3", None)] {
        let (after, _) = played(&at, uci);
        assert_eq!(after.end(), end, "{uci}");
    }
}

#[test]
fn h6_mate_comes_before_exhaustion() {
    // Both kings on the edge: Black is High, and White has its last point.
    let at = position("3k4/R7/8/8/8/8/8/KR6 w - - 1+50");
    for (uci, end, winner) in [
        ("b1b8", End::Checkmate, Colour::White),
        ("b1d1", End::Exhaustion, Colour::Black),
        ("b1b2", End::Exhaustion, Colour::Black),
    ] {
        let (after, toll) = played(&at, uci);
        assert_eq!(toll, Toll::Paid);
        assert_eq!(after.vitality(), vitality(0, 50));
        assert_eq!(after.end(), Some(end), "{uci}");
        assert_eq!(end.winner(after.turn()), Some(winner), "{uci}");
        assert_eq!(after.legal_moves().len(), 0);
    }
    let mate = at.parse_san("Rb8#").unwrap();
    assert_eq!(at.san(mate), "Rb8#");
    // A move that leaves the other side nothing but a pass mates nobody.
    let at = position("k7/8/K7/8/8/8/8/2Q5 w - - 1+50");
    let (after, _) = played(&at, "c1c7");
    assert!(!after.is_check());
    assert_eq!(after.end(), Some(End::Exhaustion));
}

#[test]
fn counters_can_be_stepped_through() {
    let mut at = position("8/4p3/8/3P1k2/8/8/8/K7 b - - 2+2 5 9");
    for (san, white, black, halfmoves) in [
        ("--", 2, 2, 6),
        ("Kb2", 1, 2, 7),
        ("e5", 1, 50, 0),
        ("--", 50, 50, 1),
        ("Kf4", 50, 50, 2),
        ("d6", 50, 50, 0),
        // Both kings are now two steps away, which is Black's height.
        ("Kg5", 50, 50, 1),
        ("Kb3", 49, 50, 2),
        ("Kh5", 49, 49, 3),
    ] {
        let mv = at.parse_san(san).unwrap();
        assert_eq!(at.san(mv), san);
        at = at.play(mv);
        assert_eq!(at.vitality(), vitality(white, black), "{san}");
        assert_eq!(at.halfmoves(), halfmoves, "{san}");
    }
}
