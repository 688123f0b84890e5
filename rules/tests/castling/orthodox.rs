//! X1: as in orthodox chess; and what the extinction games make of it.

use crate::castling::{after, castles};

const BOTH: [&str; 2] = ["e1c1", "e1g1"];

#[test]
fn rights_are_needed() {
    for (rights, expected) in [
        ("KQkq", &BOTH[..]),
        ("KQ", &BOTH),
        ("K", &BOTH[1..]),
        ("Q", &BOTH[..1]),
        ("kq", &[]),
        ("-", &[]),
    ] {
        for id in ["orthodox", "high-chess", "extinction-mating", "extinction"] {
            let fen = format!("r3k2r/p6p/8/8/8/8/P6P/R3K2R w {rights} -");
            assert_eq!(castles(id, &fen), expected, "{id} {rights}");
            let fen = fen.replace(" w ", " b ").replace("KQkq", "kq");
            let black = rights.contains(['k', 'q']);
            assert_eq!(castles(id, &fen).len(), 2 * usize::from(black), "{id}");
        }
    }
}

#[test]
fn both_pieces_go_where_they_should() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    assert_eq!(
        after("orthodox", fen, &["e1g1"]),
        "r3k2r/8/8/8/8/8/8/R4RK1 b kq -"
    );
    assert_eq!(
        after("orthodox", fen, &["e1c1"]),
        "r3k2r/8/8/8/8/8/8/2KR3R b kq -"
    );
    assert_eq!(
        after("orthodox", fen, &["e1g1", "e8c8"]),
        "2kr3r/8/8/8/8/8/8/R4RK1 w - -"
    );
    assert_eq!(
        after("orthodox", fen, &["e1c1", "e8g8"]),
        "r4rk1/8/8/8/8/8/8/2KR3R w - -"
    );
}

#[test]
fn moves_and_captures_end_rights() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -";
    for (moves, rights) in [
        (&["e1e2"][..], "kq"),
        (&["a1b1"], "Kkq"),
        (&["h1g1"], "Qkq"),
        (&["a1a8"], "Kk"),
        (&["h1h8"], "Qq"),
        // A king or a rook that comes back has moved all the same.
        (&["e1e2", "e8d8", "e2e1", "d8e8"], "-"),
        (&["h1h2", "h8h7", "h2h1", "h7h8"], "Qq"),
        // Another rook at home is not the one that was there.
        (
            &["a1a8", "e8e7", "a8h8", "e7f7", "h8a8", "f7g7", "a8a1"],
            "K",
        ),
    ] {
        let fen = after("orthodox", fen, moves);
        assert_eq!(fen.split(' ').nth(2).unwrap(), rights, "{moves:?}");
    }
}

/// Pieces between, and attacks on the king's way: each by a rook on one file.
#[test]
fn the_way_must_be_free() {
    for file in ["b", "c", "d", "f", "g"] {
        let left = "bcd".contains(file);
        let expected = if left { &BOTH[1..] } else { &BOTH[..1] };
        let row = |piece: &str| -> String {
            let squares = "abcdefgh".chars().map(|c| match c {
                'e' => "K",
                'a' | 'h' => "R",
                _ if file.contains(c) => piece,
                _ => "1",
            });
            squares
                .collect::<String>()
                .replace("111", "3")
                .replace("11", "2")
        };
        for id in ["orthodox", "high-chess", "extinction-mating", "extinction"] {
            for piece in ["N", "n"] {
                // Two knights more of each side, lest one be royal. On the
                // first rank they attack nothing on the king's way.
                let fen = format!("4k3/8/nn4NN/8/8/8/8/{} w KQ -", row(piece));
                assert_eq!(castles(id, &fen), expected, "{id} {fen}");
            }
        }
    }
}

#[test]
fn attacks_on_the_way_hinder() {
    for file in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        let guarded = match file {
            "e" => &[][..],
            "c" | "d" => &BOTH[1..],
            "f" | "g" => &BOTH[..1],
            // The rook may pass over attacked squares, and stand on one.
            _ => &BOTH,
        };
        let empty = file.as_bytes()[0] - b'a';
        let mut row = String::new();
        if empty > 0 {
            row += &empty.to_string();
        }
        row += "r";
        if empty < 7 {
            row += &(7 - empty).to_string();
        }
        for (id, expected) in [
            ("orthodox", guarded),
            ("high-chess", guarded),
            ("extinction", &BOTH),
            // The king is one of two, so it is not royal; the way is guarded
            // all the same.
            ("extinction-mating", guarded),
        ] {
            let second = if id.starts_with("ext") { "7K" } else { "8" };
            let fen = format!("r5k1/8/{row}/8/8/{second}/8/R3K2R w KQ -");
            assert_eq!(castles(id, &fen), expected, "{id} {fen}");
        }
    }
}

/// E2: the only queen may not stand attacked after castling either.
#[test]
fn other_royal_pieces_must_be_safe_afterwards() {
    let fen = "1r2k2r/8/8/8/8/1Q6/8/R3K2R w KQ -";
    for id in ["orthodox", "high-chess", "extinction"] {
        assert_eq!(castles(id, fen), BOTH);
    }
    assert_eq!(castles("extinction-mating", fen), Vec::<String>::new());
    let two = fen.replace("1Q6", "1Q4Q1");
    assert_eq!(castles("extinction-mating", &two), BOTH);
}

/// A king on e1 without the right, or of two kings the one that has it.
#[test]
fn of_several_kings_only_one_has_the_right() {
    let fen = "4k3/8/8/8/8/8/8/K3K2R w K -";
    for id in ["extinction", "extinction-mating"] {
        assert_eq!(castles(id, fen), BOTH[1..]);
        assert_eq!(after(id, fen, &["a1a2"]), "4k3/8/8/8/8/8/K7/4K2R b K -");
        assert_eq!(after(id, fen, &["e1g1"]), "4k3/8/8/8/8/8/8/K4RK1 b - -");
    }
}
