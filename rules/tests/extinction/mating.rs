//! Royal pieces: the only ones of their piece type (E2), mate and stalemate (E4), and
//! positions that are none (E5).

use retrograde_rules::{Colour, End, Fault, Position, ReadError};

use crate::extinction::{MATING, moves, moves_from, played, position};

fn royals(position: &Position, colour: Colour) -> Vec<String> {
    let royals = position.royals(colour);
    royals.map(|s| MATING.geometry().name(s)).collect()
}

#[test]
fn the_only_piece_of_a_type_is_royal() {
    let at = position(*MATING, "k7/8/5nn1/1q6/8/4B3/2RR3P/K6K w - -");
    assert_eq!(royals(&at, Colour::White), ["h2", "e3"]);
    assert_eq!(royals(&at, Colour::Black), ["b5", "a8"]);
    assert!(MATING.royals_vary());
}

#[test]
fn an_only_piece_may_not_be_left_attacked() {
    // The rook attacks the white queen.
    let fen = "kr6/8/8/8/8/8/r7/Q5NK w - -";
    assert!(position(*MATING, fen).is_check());
    // A second queen makes both ordinary.
    let fen = "kr6/8/8/8/8/2Q5/r6Q/7K w - -";
    assert!(!position(*MATING, fen).is_check());
    // A piece may be pinned to royal pieces of any piece type.
    let fen = "kr6/8/8/8/7K/8/r2RRB2/8 w - -";
    assert_eq!(moves_from(*MATING, fen, "d2").len(), 7 + 3);
    let fen = "kr6/8/8/8/7K/8/r2RB3/R7 w - -";
    assert_eq!(moves_from(*MATING, fen, "d2"), ["d2a2", "d2b2", "d2c2"]);
}

#[test]
fn a_fork_of_two_royal_pieces_is_mate() {
    let at = position(*MATING, "k1q5/8/1N6/8/8/8/8/K7 b - -");
    assert!(at.is_check());
    assert_eq!(at.end(), Some(End::Checkmate));
    // The same fork of the king and one of two queens is not.
    let at = position(*MATING, "k1q5/8/1N6/8/8/8/6q1/K7 b - -");
    assert_eq!(at.end(), None);
    // Nor if the knight can be taken, which it can be if it is one of two.
    let at = position(*MATING, "k1q5/8/1N6/8/8/8/7K/1r5N b - -");
    assert_eq!(moves(&at), ["b1b6"]);
    let san = "Nb6#";
    let before = position(*MATING, "k1q5/8/8/8/N7/8/8/K7 w - -");
    let mv = before.parse_san("Nb6").unwrap();
    assert_eq!(before.san(mv), san);
}

#[test]
fn every_royal_piece_is_to_be_saved() {
    let fen = "kr6/8/8/8/8/8/r5K1/Q7 w - -";
    let at = position(*MATING, fen);
    assert!(at.is_check());
    // The king is attacked along the rank, and the queen on the file: only
    // taking the rook helps.
    assert_eq!(moves(&at), ["a1a2"]);
}

#[test]
fn the_side_not_to_move_has_no_royal_piece_attacked() {
    // Black's only knight is attacked; one of two may be.
    let fen = "k7/8/8/3n4/8/8/8/K2R4 w - -";
    let Err(ReadError::Position(error)) = Position::from_fen(*MATING, fen) else {
        panic!("{fen}")
    };
    let [Fault::OppositeCheck { colour, royals }] = error.faults() else {
        panic!("{error}")
    };
    assert_eq!(*colour, Colour::Black);
    assert!(royals.contains(MATING.geometry().parse("d5").unwrap()));
    assert!(Position::from_fen(*MATING, "k6n/8/8/3n4/8/8/8/K2R4 w - -").is_ok());
}

#[test]
fn sides_need_pieces_but_no_kings() {
    let at = position(*MATING, "8/8/8/3r4/8/8/8/Q7 w - -");
    assert!(!at.is_check());
    // The queen on a1 is royal: she may not go where the rook attacks.
    assert!(
        !moves(&at)
            .iter()
            .any(|mv| mv.ends_with('5') && mv != "a1a5")
    );
    assert!(!moves(&at).contains(&"a1a5".to_owned()));
    for fen in ["8/8/8/8/8/8/8/Q7 w - -", "8/8/8/8/8/8/8/8 w - -"] {
        let error = Position::from_fen(*MATING, fen).unwrap_err();
        assert!(error.to_string().contains("black has no pieces"), "{error}");
    }
}

#[test]
fn a_capture_can_make_a_piece_royal() {
    // Of two rooks one is taken: the other is royal, and attacked at once.
    let after = played(*MATING, "6k1/8/8/2r5/8/8/2r5/2R1R2K w - -", "c1c2");
    assert!(after.is_check());
    // It may take, or leave the file; the rook on e1 attacks e5.
    assert_eq!(moves_from(*MATING, &after.fen(), "c5").len(), 1 + 6);
}
