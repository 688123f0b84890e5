//! C6: whoever stands so as to take may take a pawn that stepped twice.

use retrograde_rules::{End, Position};

use crate::chess99::{end_by, game, game_of, moves_from, played, played_in, position};

/// The e.p. field after a move.
#[track_caller]
fn ep_after(fen: &str, uci: &str) -> String {
    let after = played_in(game(), fen, uci);
    let geometry = game().geometry();
    after.ep().map_or("-".to_owned(), |ep| geometry.name(ep))
}

#[test]
fn c6_a_pawn_takes_en_passant() {
    let fen = "k8/9/9/9/9/3p5/9/4P4/K8 w - -";
    let after = played(fen, "e2e4");
    assert_eq!(after, "k8/9/9/9/9/3pP4/9/9/K8 b - e3");
    assert_eq!(moves_from(game(), &after, "d4"), "d2 d3 e3*");
    assert_eq!(played(&after, "d4e3*"), "k8/9/9/9/9/9/4p4/9/K8 w - -");
    // On any rank.
    let fen = "k8/9/2p6/9/3P5/9/9/9/K8 w - -";
    let after = played(fen, "d5d7");
    assert_eq!(moves_from(game(), &after, "c7"), "c5 c6 d6*");
    // A single step gives no right, nor does a pawn that stands beside.
    assert_eq!(ep_after("k8/9/9/9/9/3p5/4P4/9/K8 w - -", "e3e4"), "-");
    assert_eq!(ep_after("k8/9/9/9/9/9/3p5/4P4/K8 w - -", "e2e4"), "-");
}

#[test]
fn c6_any_piece_takes_en_passant() {
    for (fen, from, uci) in [
        ("k8/9/9/9/9/9/q8/4P4/K8 w - -", "a3", "a3e3*"),
        ("k8/9/9/9/9/9/8r/4P4/K8 w - -", "i3", "i3e3*"),
        ("k8/9/9/9/6b2/9/9/4P4/K8 w - -", "g5", "g5e3*"),
        ("k8/9/9/9/6a2/9/9/4P4/K8 w - -", "g5", "g5e3*"),
        ("k8/9/9/9/9/6a2/9/4P4/K8 w - -", "g4", "g4e3*"),
        ("k8/9/9/9/9/2n6/9/4P4/K8 w - -", "c4", "c4e3*"),
        ("9/9/9/9/9/9/3k5/4P4/K8 w - -", "d3", "d3e3*"),
    ] {
        let after = played(fen, "e2e4");
        assert!(after.ends_with(" e3"), "{after}");
        // To go there without capturing is another move.
        let plain = format!("{from}e3");
        let quiet = played(&after, &plain);
        let taken = played(&after, uci);
        assert_ne!(quiet, taken);
        assert!(
            quiet.contains('P') && !taken.contains('P'),
            "{quiet} {taken}"
        );
        assert!(moves_from(game(), &after, from).contains("e3 e3*"));
    }
}

#[test]
fn c6_a_rook_takes_through_the_vacated_square() {
    let after = played("4r4/9/9/9/k8/9/9/4P4/K8 w - -", "e2e4");
    assert_eq!(after, "4r4/9/9/9/k8/4P4/9/9/K8 b - e3");
    let moves = moves_from(game(), &after, "e9e");
    assert_eq!(moves, "3* 4 5 6 7 8");
    assert_eq!(played(&after, "e9e3*"), "9/9/9/9/k8/9/4r4/9/K8 w - -");
    // From where the pawn came; a queen as well; not through other pieces.
    let below = played("9/9/9/9/k8/9/9/4P4/K3r4 w - -", "e2e4");
    assert_eq!(moves_from(game(), &below, "e1e"), "2 3 3* 4");
    assert_eq!(ep_after("4q4/9/9/9/k8/9/9/4P4/K8 w - -", "e2e4"), "e3");
    assert_eq!(ep_after("4r4/9/4n4/9/k8/9/9/4P4/K8 w - -", "e2e4"), "-");
    assert_eq!(ep_after("9/9/4P4/9/k8/9/9/9/K3r4 w - -", "e7e9b"), "e8");
}

#[test]
fn c6_a_king_takes_a_pawn_that_promoted_on_arrival() {
    for (uci, piece) in [("d7d9b", "B"), ("d7d9n", "N"), ("d7d9", "P")] {
        let after = played("9/9/3Pk4/9/9/9/9/9/K8 w - -", uci);
        assert_eq!(after, format!("3{piece}5/9/4k4/9/9/9/9/9/K8 b - d8"));
        assert_eq!(played(&after, "e7d8*"), "9/3k5/9/9/9/9/9/9/K8 w - -");
        let quiet = format!("3{piece}5/3k5/9/9/9/9/9/9/K8 w - -");
        assert_eq!(played(&after, "e7d8"), quiet);
        // The material has an e.p. state though it may have no pawns.
        let read = position(&after);
        assert_eq!(read.material().has_pawns(), piece == "P");
        assert!(read.ep().is_some());
    }
}

#[test]
fn c6_a_waiting_pawn_takes_as_what_it_becomes() {
    let knight = played("k8/9/9/9/9/9/9/4P4/K4p3 w - -", "e2e4");
    assert_eq!(knight, "k8/9/9/9/9/4P4/9/9/K4p3 b - e3");
    let moves = moves_from(game(), &knight, "f1=");
    assert_eq!(
        moves,
        "ba6 bb5 bc4 bd3 be2 bg2 bh3 bi4 nd2 ne3 ne3* ng3 nh2"
    );
    assert_eq!(played(&knight, "f1=ne3*"), "k8/9/9/9/9/9/4n4/9/K8 w - -");
    let bishop = played("k8/9/9/9/9/9/9/4P4/K1p6 w - -", "e2e4");
    assert_eq!(played(&bishop, "c1=be3*"), "k8/9/9/9/9/9/4b4/9/K8 w - -");
    assert!(position(&bishop).parse_uci("c1=ne3*").is_err());
    // Not as a pawn, straight through the vacated square.
    assert_eq!(ep_after("k8/9/9/9/9/9/9/4P4/K3p4 w - -", "e2e4"), "-");
}

#[test]
fn c6_the_right_lasts_one_play() {
    let fen = "k8/9/9/9/9/3p5/9/4P4/K8 b - e3";
    assert!(Position::from_fen(game(), fen).is_err());
    let after = played("k8/9/9/9/9/3p5/9/4P4/K8 w - -", "e2e4");
    let after = played(&after, "a9a8");
    let after = played(&after, "a1a2");
    assert_eq!(moves_from(game(), &after, "d4"), "d2 d3");
}

#[test]
fn c6_taking_en_passant_does_not_take_the_king() {
    // The king stands beside; the capture opens its rank, which is allowed.
    let fen = "9/9/9/9/9/R2pP2k1/9/9/K8 b - e3";
    assert_eq!(end_by(game(), fen, "d4e3*"), None);
    let after = played_in(game(), fen, "d4e3*");
    assert!(after.in_check(retrograde_rules::Colour::Black));
    assert_eq!(end_by(game(), &after.fen(), "a4h4"), Some(End::KingCapture));
}

#[test]
fn c6_by_pawns_only() {
    let pawn = game_of("chess99:ep-by=pawn");
    let ep = |fen: &str| Position::from_fen(pawn, fen).unwrap().ep().is_some();
    assert!(ep("k8/9/9/9/9/3pP4/9/9/K8 b - e3"));
    for pieces in [
        "9/9/9/9/9/4P4/3k5/9/K8",
        "k3r4/9/9/9/9/4P4/9/9/K8",
        "k8/9/9/9/9/4P4/9/9/K4p3",
        "3B5/9/4k4/9/9/9/9/9/K8",
    ] {
        let square = if pieces.starts_with("3B5") {
            "d8"
        } else {
            "e3"
        };
        let fen = format!("{pieces} b - {square}");
        assert!(!ep(&fen), "{fen}");
        assert!(position(&fen).ep().is_some(), "{fen}");
    }
    // A rook is beside the pawn, but it is not its right.
    let fen = "k3r4/9/9/9/9/3pP4/9/9/K8 b - e3";
    assert_eq!(moves_from(pawn, fen, "e9e"), "4 5 6 7 8");
    assert_eq!(moves_from(pawn, fen, "d4"), "d2 d3 e3*");
}

#[test]
fn c6_a_right_that_does_not_count_is_dropped() {
    for (fen, counts) in [
        ("k8/9/9/9/9/4P4/9/9/K8 b - e3", false),
        ("k8/9/9/9/9/3pP4/9/9/K8 b - e3", true),
        ("k8/9/9/9/9/4P4/9/3r5/K8 b - e3", false),
        ("k8/9/9/9/9/4P4/3r5/9/K8 b - e3", true),
        ("3N5/9/k8/9/9/9/9/9/K8 b - d8", false),
        ("3N5/9/2k6/9/9/9/9/9/K8 b - d8", true),
        ("k8/9/9/9/9/9/9/6K2/5b3 w - f2", true),
        ("k8/9/9/9/9/9/9/K8/5b3 w - f2", false),
    ] {
        let read = position(fen);
        assert_eq!(read.ep().is_some(), counts, "{fen}");
        let written = read.fen();
        assert_eq!(position(&written), read);
    }
}

#[test]
fn c6_impossible_rights_are_errors() {
    let fails = |fen: &str, message: &str| {
        let error = Position::from_fen(game(), fen).unwrap_err().to_string();
        assert!(error.contains(message), "{fen}: {error}");
    };
    // The arrival square of every rank that a double step may reach.
    for rank in 1..=9 {
        for (turn, arrival) in [("b", rank + 1), ("w", rank - 1)] {
            let mut ranks = ["9"; 9].map(str::to_owned);
            if (1..=9).contains(&arrival) {
                let piece = if turn == "b" { "3P5" } else { "3p5" };
                ranks[9 - arrival as usize] = piece.to_owned();
            }
            // The kings stand beside the square, and take.
            let beside = if turn == "b" { "2k3K2" } else { "2K3k2" };
            ranks[9 - rank as usize] = beside.to_owned();
            let fen = format!("{} {turn} - d{rank}", ranks.join("/"));
            let possible = match turn {
                "b" => (3..=8).contains(&rank),
                _ => (2..=7).contains(&rank),
            };
            if possible {
                assert!(position(&fen).ep().is_some(), "{fen}");
            } else {
                fails(
                    &fen,
                    "no pawn of the side that just moved passes over that rank",
                );
            }
        }
    }
    fails("k8/9/9/9/9/4P4/4n4/9/K8 b - e3", "a piece stands on it");
    fails(
        "k8/9/9/9/9/3pP4/9/4N4/K8 b - e3",
        "must have come from e2, where a piece stands",
    );
    let no_pawn = "no pawn of the side that just moved stands on e4";
    fails("k8/9/9/9/9/3p5/9/9/K8 b - e3", no_pawn);
    fails("k8/9/9/9/9/3pB4/9/9/K8 b - e3", no_pawn);
    fails("k8/9/9/9/9/3pp4/9/9/K8 b - e3", no_pawn);
    let no_piece = "may be or become stands on d9";
    fails("3R5/9/2k6/9/9/9/9/9/K8 b - d8", no_piece);
    fails("3b5/9/2k6/9/9/9/9/9/K8 b - d8", no_piece);
    fails("9/9/2k6/9/9/9/9/9/K8 b - d8", no_piece);
    fails("k8/9/9/9/9/3pP4/9/9/K8 b - j3", "not \"j3\"");
}

#[test]
fn c6_with_compulsory_promotion_the_right_stays() {
    let off = game_of("chess99:deferred-promotion=off");
    let fen = "9/9/3Pk4/9/9/9/9/9/K8 w - -";
    assert_eq!(moves_from(off, fen, "d7"), "d8 d9b d9n");
    let after = played_in(off, fen, "d7d9n");
    assert_eq!(moves_from(off, &after.fen(), "e7d"), "6 7 8 8*");
}

#[test]
fn c6_the_pawn_may_stay_where_it_arrived() {
    let stays = crate::chess99::game_of("chess99:en-passant-vacates=off");
    // The rook looks through e4 only where the pawn is pushed back.
    let fen = "4r4/9/9/9/9/9/9/4P4/K7k w - -";
    let after = |game| crate::chess99::played_in(game, fen, "e2e4");
    assert!(after(crate::chess99::game()).fen().contains(" b - e3 "));
    assert!(after(stays).fen().contains(" b - - "));
    // Nothing is in the way of a knight.
    let after = crate::chess99::played_in(stays, "9/9/9/9/3n5/9/9/4P4/K7k w - -", "e2e4");
    assert!(after.fen().contains(" b - e3 "));
}
