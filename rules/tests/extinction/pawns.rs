//! The last pawn, and promotions (E2, E3).

use retrograde_rules::{End, EpFault, Fault, Position, ReadError, Setup};

use crate::extinction::{BASE, MATING, moves, moves_from, played, position};

#[test]
fn the_last_pawn_may_not_promote() {
    // Nothing to move: stalemate, or mate if it is attacked.
    let at = position(*MATING, "8/P7/8/8/8/8/8/k7 w - -");
    assert_eq!(at.end(), Some(End::Stalemate { winner: None }));
    let at = position(*MATING, "8/P7/8/8/8/8/8/k5q1 w - -");
    assert_eq!(at.end(), Some(End::Checkmate));
    // It may not promote with a capture either.
    let at = position(*MATING, "1r6/P7/8/8/8/7r/8/k7 w - -");
    assert_eq!(moves(&at), Vec::<String>::new());
    // With another pawn it may, to five piece types.
    let fen = "8/P7/8/8/8/P7/8/k7 w - -";
    assert_eq!(
        moves_from(*MATING, fen, "a7"),
        ["a7a8b", "a7a8k", "a7a8n", "a7a8q", "a7a8r"]
    );
}

#[test]
fn a_second_piece_of_a_type_makes_both_ordinary() {
    // The only queen is attacked by the rook on d8: a new one helps her, a
    // new rook does not.
    let fen = "3r4/6P1/8/8/7r/7k/1P6/K2Q4 w - -";
    assert!(position(*MATING, fen).is_check());
    assert_eq!(moves_from(*MATING, fen, "g7"), ["g7g8q"]);
    let after = played(*MATING, fen, "g7g8q");
    // The pawn that is left is royal now.
    let royals = after.royals(retrograde_rules::Colour::White);
    let names: Vec<String> = royals.map(|s| MATING.geometry().name(s)).collect();
    assert_eq!(names, ["a1", "b2"]);
}

#[test]
fn a_new_type_is_royal_at_once() {
    // A knight on g8 would be attacked by the rook, and the only one.
    let fen = "3r3r/6P1/8/8/8/7k/1P6/K7 w - -";
    assert_eq!(moves_from(*MATING, fen, "g7g"), ["g7g8k"]);
    assert_eq!(
        moves_from(*MATING, fen, "g7h"),
        ["g7h8k"],
        "the rook on d8 attacks h8 too"
    );
    // The pawn that is left must not be attacked.
    let fen = "8/6P1/8/8/8/7k/1P6/K6b w - -";
    assert_eq!(moves_from(*MATING, fen, "g7").len(), 5);
    let fen = "8/6P1/8/8/8/1r5k/1P6/K7 w - -";
    assert_eq!(moves_from(*MATING, fen, "g7").len(), 0);
}

#[test]
fn a_lone_pawn_attacks_though_it_may_not_promote() {
    let fen = "k7/2P5/8/8/8/8/8/7K b - -";
    assert_eq!(moves_from(*MATING, fen, "a8"), ["a8a7", "a8b7"]);
}

#[test]
fn a_lone_pawn_may_not_step_to_where_it_can_be_taken() {
    // In single steps, and en passant (E3).
    let fen = "4k3/8/8/8/3p4/8/4P3/4K3 w - -";
    assert_eq!(moves_from(*MATING, fen, "e2"), Vec::<String>::new());
    let fen = "4k3/8/8/8/2p5/8/4P3/4K3 w - -";
    assert_eq!(moves_from(*MATING, fen, "e2"), ["e2e3", "e2e4"]);
    // A pinned taker counts.
    let fen = "3k4/p7/8/8/3p4/8/4P3/K2R4 w - -";
    assert_eq!(moves_from(*MATING, fen, "e2"), Vec::<String>::new());
    // With a second pawn the step is legal, and so is the answer.
    let fen = "4k3/8/8/8/3p4/8/P3P3/4K3 w - -";
    assert_eq!(moves_from(*MATING, fen, "e2"), ["e2e3", "e2e4"]);
    let after = played(*MATING, fen, "e2e4");
    assert!(after.ep().is_some());
    assert!(moves(&after).contains(&"d4e3".to_owned()));
    // It leaves the last pawn royal, but it is not Black's business.
    let taken = played(*MATING, &after.fen(), "d4e3");
    assert_eq!(taken.material().to_string(), "KPvKP");
    // Black's lone pawn likewise.
    let fen = "4k3/4p3/8/3P4/8/8/8/4K3 b - -";
    assert_eq!(moves_from(*MATING, fen, "e7"), Vec::<String>::new());
}

#[test]
fn a_right_to_take_a_lone_pawn_is_impossible() {
    let fen = "4k3/8/8/8/3pP3/8/8/4K3 b - e3";
    let Err(ReadError::Position(error)) = Position::from_fen(*MATING, fen) else {
        panic!("{fen}")
    };
    let square = |name| MATING.geometry().parse(name).unwrap();
    let fault = Fault::EnPassant {
        square: square("e3"),
        fault: EpFault::OnlyPawn(square("e4")),
    };
    assert_eq!(error.faults(), [fault]);
    assert!(
        error.to_string().contains("the pawn on e4 is the only one"),
        "{error}"
    );
    let setup = Setup::from_fen(*MATING, fen).unwrap();
    let mirrored = setup.mirrored(MATING.geometry());
    assert!(Position::new(*MATING, &mirrored).is_err());
    // Without a taker it does not count, and is dropped (O2).
    let at = position(*MATING, "4k3/3p4/8/8/4P3/8/8/4K3 b - e3");
    assert_eq!(at.ep(), None);
    // Two pawns: it counts.
    let at = position(*MATING, "4k3/8/8/8/3pP3/8/P7/4K3 b - e3");
    assert!(at.ep().is_some());
    // In the base game it counts, and taking wins.
    let after = played(*BASE, fen, "d4e3");
    assert!(matches!(after.end(), Some(End::Extinction { .. })));
}

#[test]
fn a_piece_that_stands_so_as_to_take_is_enough_for_a_right() {
    // The taker is pinned to its king on the file (O2).
    for game in [*MATING, *BASE] {
        let at = position(game, "3k4/p7/8/8/3pP3/8/P7/K2R4 b - e3");
        assert!(at.ep().is_some());
        let takes = moves(&at).contains(&"d4e3".to_owned());
        assert_eq!(takes, game == *BASE);
    }
}
