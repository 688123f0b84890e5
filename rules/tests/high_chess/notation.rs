//! Game ids, FEN, EPD and moves as text.

use retrograde_rules::{
    Colour, Epd, FenError, FenErrorKind, Game, GameError, MoveError, Position, Restores, Setup,
};

use crate::high_chess::{game, position, vitality};

#[test]
fn ids_have_one_form() {
    for (given, id, restores, full) in [
        ("high-chess", "high-chess", Restores::Mover, 50),
        (
            "high-chess:vital-restores=mover",
            "high-chess",
            Restores::Mover,
            50,
        ),
        (
            "high-chess:vitality=50,vital-restores=mover",
            "high-chess",
            Restores::Mover,
            50,
        ),
        (
            "high-chess:vital-restores=both",
            "high-chess:vital-restores=both",
            Restores::Both,
            50,
        ),
        (
            "high-chess:vitality=1,vital-restores=both",
            "high-chess:vital-restores=both,vitality=1",
            Restores::Both,
            1,
        ),
        (
            "high-chess:vitality=49",
            "high-chess:vitality=49",
            Restores::Mover,
            49,
        ),
    ] {
        let game = Game::parse(given).unwrap();
        assert_eq!(game.id(), id, "{given}");
        assert_eq!(game.name(), "high-chess");
        assert_eq!(Game::parse(id), Ok(game));
        let rules = game.vitality().unwrap();
        assert_eq!(
            (rules.restores(), rules.full()),
            (restores, retrograde_rules::Vitality::both(full))
        );
    }
    assert_eq!(
        Game::parse("high-chess").unwrap().full_vitality(),
        Some(retrograde_rules::Vitality::both(50))
    );
    for wrong in [0, 51, 255] {
        assert!(Game::parse(&format!("high-chess:vitality={wrong}")).is_err());
    }
}

#[test]
fn unknown_options_and_values_are_refused_with_what_exists() {
    let refused = |id: &str, words: &[&str]| {
        let error = Game::parse(id).unwrap_err();
        for word in words {
            assert!(error.to_string().contains(word), "{id}: {error}");
        }
        error
    };
    for (id, option) in [
        ("high-chess:", ""),
        ("high-chess:pass=off", "pass"),
        ("high-chess:vitality=5,", ""),
        ("high-chess:vitality =5", "vitality "),
        ("high-chess:Vitality=5", "Vitality"),
    ] {
        let error = refused(id, &["vital-restores = mover or both", "1 to 50"]);
        assert!(matches!(error, GameError::UnknownOption { option: o, .. } if o == option));
    }
    for (id, value) in [
        ("high-chess:vitality", ""),
        ("high-chess:vitality=", ""),
        ("high-chess:vitality=0", "0"),
        ("high-chess:vitality=51", "51"),
        ("high-chess:vitality=05", "05"),
        ("high-chess:vitality=+5", "+5"),
        ("high-chess:vitality=5=5", "5=5"),
    ] {
        let error = refused(id, &["vitality", "a whole number from 1 to 50"]);
        assert!(matches!(error, GameError::UnknownValue { value: v, .. } if v == value));
    }
    refused(
        "high-chess:vital-restores=none",
        &["mover or both", "\"none\""],
    );
    let error = refused("high-chess:vitality=5,vitality=5", &["twice"]);
    assert!(matches!(error, GameError::RepeatedOption { .. }));
    refused("orthodox:vitality=5", &["no options", "\"vitality\""]);
    refused("orthodox:", &["no options"]);
    refused("high-ches", &["orthodox, high-chess"]);
}

#[test]
fn counters_stand_before_the_half_move_clock() {
    let pieces = "8/8/8/3k4/8/8/8/K6R";
    for (rest, white, black, halfmoves, fullmoves) in [
        ("w - - 50+50 0 1", 50, 50, 0, 1),
        ("w - - 3+41 7 12", 3, 41, 7, 12),
        ("w - - 3+41 7", 3, 41, 7, 1),
        ("w - - 3+41", 3, 41, 0, 1),
        ("w - - 7 12", 50, 50, 7, 12),
        ("b - - 01+09", 1, 9, 0, 1),
    ] {
        let setup = Setup::from_fen(game(), &format!("{pieces} {rest}")).unwrap();
        assert_eq!(setup.vitality, vitality(white, black), "{rest}");
        assert_eq!((setup.halfmoves, setup.fullmoves), (halfmoves, fullmoves));
        let turn = if rest.starts_with('w') { 'w' } else { 'b' };
        let written = format!("{pieces} {turn} - - {white}+{black} {halfmoves} {fullmoves}");
        assert_eq!(setup.fen(game()), written);
        assert_eq!(Setup::from_fen(game(), &written), Ok(setup));
    }
    // Swapping the colours of a diagram swaps its counters.
    let setup = Setup::from_fen(game(), &format!("{pieces} w - - 3+41")).unwrap();
    let mirrored = setup.mirrored(game().geometry());
    assert_eq!(
        (mirrored.turn, mirrored.vitality),
        (Colour::Black, vitality(41, 3))
    );
    // A diagram without counters means full ones, and is written so.
    let setup = Setup {
        vitality: None,
        ..setup
    };
    assert_eq!(setup.fen(game()), format!("{pieces} w - - 50+50 0 1"));
    let read = Position::new(game(), &setup).unwrap();
    assert_eq!(read.vitality(), vitality(50, 50));
}

#[test]
fn bad_counters_are_refused_with_their_place() {
    let diagram = "8/8/8/3k4/8/8/8/K6R w - -";
    let seven = Game::parse("high-chess:vitality=7").unwrap();
    let refused = |game, field: &str| -> (usize, FenErrorKind) {
        let FenError { offset, kind } =
            Setup::from_fen(game, &format!("{diagram} {field} 0 1")).expect_err(field);
        let message = kind.to_string();
        let full = game.full_vitality().unwrap();
        let vitality =
            matches!(kind, FenErrorKind::Vitality { full: of_game, .. } if of_game == full);
        assert!(vitality, "{field}: {message}");
        assert!(message.contains(&format!("{full}")), "{message}");
        (offset - diagram.len() - 1, kind)
    };
    for (field, offset, words) in [
        ("0+50", 0, "white has no vitality left"),
        ("50+0", 3, "black has no vitality left"),
        ("51+1", 0, "white's vitality is 51, above the full 50"),
        ("50+256", 3, "black's vitality is 256, above the full 50"),
        ("1+99999999999999999999", 2, "above the full 50"),
        ("+50", 0, "\"\" is not a number of points for white"),
        ("50+", 3, "\"\" is not a number of points for black"),
        ("-1+50", 0, "\"-1\" is not a number"),
        ("x+50", 0, "\"x\" is not a number"),
        ("5+5+5", 2, "\"5+5\" is not a number"),
        ("1.5+2", 0, "\"1.5\" is not a number"),
        ("é+1", 0, "\"é\" is not a number"),
    ] {
        let (at, kind) = refused(game(), field);
        assert_eq!(at, offset, "{field}");
        assert!(kind.to_string().contains(words), "{field}: {kind}");
    }
    assert_eq!(refused(seven, "7+8").0, 2);
    assert!(Setup::from_fen(seven, &format!("{diagram} 7+7")).is_ok());
    // Elsewhere counters are no clock and no e.p. square.
    for rest in ["5 5+5", "5+5 5+5", "5+5 0 1 5+5", "5+5 0 1 x"] {
        assert!(Setup::from_fen(game(), &format!("{diagram} {rest}")).is_err());
    }
    assert!(Setup::from_fen(Game::default(), &format!("{diagram} 50+50 0 1")).is_err());
}

#[test]
fn epd_keeps_the_counters_as_a_field() {
    let diagram = "8/8/8/3k4/8/8/8/K6R w - -";
    for (given, written) in [
        ("", " 50+50"),
        (" 3+4", " 3+4"),
        (" 3+4 bm Rh5+ --;", " 3+4 bm Rh5+ --;"),
        (" bm Rh5+;", " 50+50 bm Rh5+;"),
        (" 3+4 hmvc 5;", " 3+4 hmvc 5;"),
    ] {
        let epd = Epd::parse(game(), &format!("{diagram}{given}")).unwrap();
        assert_eq!(epd.text(game()), format!("{diagram}{written}"));
    }
    for bad in [" 3+", " 0+3 bm Rh5;", " +3", " 3+4;", " 3 4"] {
        assert!(
            Epd::parse(game(), &format!("{diagram}{bad}")).is_err(),
            "{bad}"
        );
    }
}

#[test]
fn passes_are_written_and_read() {
    let at = position("8/8/8/3k4/8/8/8/K6R w - -");
    let pass = at.parse_uci("0000").unwrap();
    assert!(pass.is_pass());
    assert_eq!(at.uci(pass), "0000");
    assert_eq!(at.san(pass), "--");
    for text in ["--", "--!?", "--+", "0000", "pass"] {
        assert_eq!(at.parse_san(text), Ok(pass), "{text}");
    }
    // The king's square is no other way to write it.
    for text in ["a1a1", "a1a1q"] {
        let error = at.parse_uci(text).unwrap_err();
        assert!(matches!(error, MoveError::Illegal { .. }), "{text}");
    }
    for text in ["Ka1", "Ka1a1"] {
        let error = at.parse_san(text).unwrap_err();
        assert!(matches!(error, MoveError::Illegal { .. }), "{text}");
    }
    for text in ["", "-", "---", "0-", "O-"] {
        let error = at.parse_san(text).unwrap_err();
        assert!(matches!(error, MoveError::Syntax { .. }), "{text}");
        assert!(error.to_string().contains("-- for a pass"), "{error}");
    }
    for text in ["", "000", "00000", "--"] {
        let error = at.parse_uci(text).unwrap_err();
        assert!(error.to_string().contains("0000 for a pass"), "{error}");
    }
    // In check, a pass is a move but not a legal one.
    let check = position("3k4/8/8/8/8/8/8/K2R4 b - -");
    for error in [
        check.parse_uci("0000").unwrap_err(),
        check.parse_san("--").unwrap_err(),
    ] {
        assert!(matches!(error, MoveError::Illegal { .. }));
        let list = error.to_string();
        assert!(list.contains("e7") && !list.contains("legal moves are: 0000"));
    }
    // Orthodox chess does not know it.
    let at = Position::from_fen(Game::default(), "8/8/8/3k4/8/8/8/K6R w - -").unwrap();
    let errors = [at.parse_uci("0000"), at.parse_san("--")].map(Result::unwrap_err);
    assert!(matches!(errors[0], MoveError::Syntax { .. }));
    assert!(matches!(errors[1], MoveError::NullMove { .. }));
    assert!(
        errors
            .iter()
            .all(|error| !error.to_string().contains("pass"))
    );
    assert!(!Game::default().has_pass() && game().has_pass());
}
