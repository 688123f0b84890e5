//! X2 and X3: kings and wild 9.

use crate::castling::{after, castles, game};

const NONE: [&str; 0] = [];

#[test]
fn the_royal_king_goes_two_squares_towards_either_rook() {
    let fen = "4k3/8/8/8/8/8/8/R2K3R w ADH -";
    assert_eq!(castles("kings", fen), ["d1b1", "d1f1"]);
    assert_eq!(
        after("kings", fen, &["d1b1"]),
        "4k3/8/8/8/8/8/8/1KR4R b - -"
    );
    assert_eq!(
        after("kings", fen, &["d1f1"]),
        "4k3/8/8/8/8/8/8/R3RK2 b - -"
    );
    let fen = "r3k2r/8/8/8/8/8/8/3K4 b aeh -";
    assert_eq!(castles("kings", fen), ["e8c8", "e8g8"]);
    assert_eq!(
        after("kings", fen, &["e8c8"]),
        "2kr3r/8/8/8/8/8/8/3K4 w - -"
    );
    assert_eq!(
        after("kings", fen, &["e8g8"]),
        "r4rk1/8/8/8/8/8/8/3K4 w - -"
    );
}

#[test]
fn all_squares_between_are_empty() {
    // The other king stands between the royal one and the rook on h1.
    assert_eq!(
        castles("kings", "4k3/8/8/8/8/8/8/R2KK2R w ADEH -"),
        ["d1b1"]
    );
    assert_eq!(castles("kings", "4k3/8/8/8/8/8/8/RN1K3R w ADH -"), ["d1f1"]);
    assert_eq!(castles("kings", "4k3/8/8/8/8/8/8/R2K2NR w ADH -"), ["d1b1"]);
}

#[test]
fn the_other_king_castles_once_it_is_royal() {
    // The king that was royal is gone, or stands on a higher file.
    assert_eq!(
        castles("kings", "4k3/8/8/8/8/8/8/R3K2R w AEH -"),
        ["e1c1", "e1g1"]
    );
    let moved = "4k3/8/8/8/8/4K3/8/R3K2R w AEH -";
    assert_eq!(castles("kings", moved), ["e1c1", "e1g1"]);
    // A spare king does not castle, nor one that has moved.
    assert_eq!(castles("kings", "4k3/8/8/8/8/3K4/8/R3K2R w AEH -"), NONE);
    assert_eq!(castles("kings", "4k3/8/8/8/8/8/8/R2K4 w - -"), NONE);
    let fen = "4k3/8/8/8/8/8/8/R2KK2R w ADEH -";
    let back = ["d1d2", "e8e7", "d2d1", "e7e8"];
    assert_eq!(after("kings", fen, &back), "4k3/8/8/8/8/8/8/R2KK2R w AEH -");
    // Home again, it is royal and has moved.
    assert_eq!(castles("kings", &after("kings", fen, &back)), NONE);
}

/// The king may not leave or cross attacked squares; where it arrives it may
/// be attacked if another king is royal then (K2).
#[test]
fn attacks_on_the_way() {
    let fen = |row: &str, kings: &str| format!("6k1/8/{row}/8/8/{kings}/8/R2K3R w ADH -");
    for (row, free) in [
        ("1r6", &["d1f1"][..]),
        ("2r5", &["d1f1"]),
        ("3r4", &[]),
        ("4r3", &["d1b1"]),
        ("5r2", &["d1b1"]),
        ("6r1", &["d1b1", "d1f1"]),
    ] {
        assert_eq!(castles("kings", &fen(row, "8")), free, "{row}");
    }
    // With a king on e3, which is royal once the other is on f1.
    assert_eq!(castles("kings", &fen("5r2", "4K3")), ["d1b1", "d1f1"]);
    // That king, too, must be safe then.
    assert_eq!(
        castles("kings", "4r1k1/8/8/8/8/5p2/4K3/R2K3R w ADH -"),
        ["d1b1"]
    );
    assert_eq!(castles("kings", "3r2k1/8/8/8/8/4K3/8/R2K3R w ADH -"), NONE);
}

#[test]
fn black_corner_h8() {
    let fen = "r2kk2r/8/8/8/8/8/8/3K4 b adeh -";
    assert_eq!(castles("kings", fen), ["d8b8"]);
    assert_eq!(castles("kings:black-corner=h8", fen), ["e8g8"]);
}

#[test]
fn moves_and_captures_end_rights() {
    let array = game("kings").array().fen();
    for (moves, rights) in [
        (&["b1c3"][..], "ADEHadeh"),
        (&["d2d3", "a7a6", "d1d2"], "AEHadeh"),
        (&["e2e3", "a7a6", "e1e2"], "ADHadeh"),
        (&["a2a4", "a7a6", "a1a2"], "DEHadeh"),
        // A king without a rook, a rook without a king.
        (
            &["a2a4", "a7a6", "a1a2", "b7b6", "h2h4", "c7c6", "h1h2"],
            "adeh",
        ),
        (
            &["d2d3", "a7a6", "d1d2", "b7b6", "e2e3", "c7c6", "e1e2"],
            "adeh",
        ),
    ] {
        let fen = after("kings", &array, moves);
        assert_eq!(fen.split(' ').nth(2).unwrap(), rights, "{moves:?}");
    }
    // Kings are taken as other pieces are.
    let fen = "6k1/8/8/8/8/5n2/3P4/R2KK2R b ADEH -";
    assert_eq!(
        after("kings", fen, &["f3e1"]),
        "6k1/8/8/8/8/8/3P4/R2Kn2R w ADH -"
    );
}

/// K7: two squares on 10x8, which is a reading, and three on 10x10, where
/// kings and rooks begin on the second rank.
#[test]
fn boards_of_ten_files() {
    let fen = "5k4/10/10/10/10/10/10/R3K4R w AEJ -";
    let id = "kings:board=10x8";
    assert_eq!(castles(id, fen), ["e1c1", "e1g1"]);
    let left = "5k4/10/10/10/10/10/10/2KR5R b - -";
    assert_eq!(after(id, fen, &["e1c1"]), left);
    let right = "5k4/10/10/10/10/10/10/R4RK3 b - -";
    assert_eq!(after(id, fen, &["e1g1"]), right);

    let fen = "10/r4k3r/10/10/10/10/10/10/4K5/10 b afj -";
    let id = "kings:board=10x10";
    assert_eq!(castles(id, fen), ["f9c9", "f9i9"]);
    let left = "10/2kr5r/10/10/10/10/10/10/4K5/10 w - -";
    assert_eq!(after(id, fen, &["f9c9"]), left);
    let right = "10/r6rk1/10/10/10/10/10/10/4K5/10 w - -";
    assert_eq!(after(id, fen, &["f9i9"]), right);
    // Both squares that it crosses count.
    let fen = "10/r4k3r/10/10/3R6/10/10/10/4K5/10 b afj -";
    assert_eq!(castles(id, fen), ["f9i9"]);
    let fen = "10/r4k3r/10/10/7R2/10/10/10/4K5/10 b afj -";
    assert_eq!(castles(id, fen), ["f9c9"]);
}

#[test]
fn wild_9_castles_one_way_with_one_king() {
    let fen = "4kk2/8/8/8/8/8/8/R3KK1R w Q -";
    assert_eq!(castles("wild9", fen), ["e1c1"]);
    assert_eq!(
        after("wild9", fen, &["e1c1"]),
        "4kk2/8/8/8/8/8/8/2KR1K1R b - -"
    );
    // The move of either king, or of that rook, ends the right.
    for (mv, rights) in [("f1f2", "-"), ("e1e2", "-"), ("a1b1", "-"), ("h1h2", "Q")] {
        let fen = after("wild9", fen, &[mv]);
        assert_eq!(fen.split(' ').nth(2).unwrap(), rights, "{mv}");
    }
    // Taking the other king does not.
    let fen = after("wild9", "4kk2/8/8/8/8/6n1/8/R3KK1R b Q -", &["g3f1"]);
    assert_eq!(fen, "4kk2/8/8/8/8/8/8/R3Kn1R w Q -");
    assert_eq!(castles("wild9", &fen), ["e1c1"]);
}

#[test]
fn arrays() {
    for (id, array) in [
        (
            "orthodox",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "high-chess",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 50+50 0 1",
        ),
        (
            "high-chess:vitality=7",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 7+7 0 1",
        ),
        (
            "chess99",
            "rnbakqbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKABNR w - - 0 1",
        ),
        (
            "kings",
            "rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w ADEHadeh - 0 1",
        ),
        (
            "kings:spare-king=duke",
            "rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKKBNR w ADEHadeh - 0 1",
        ),
        (
            "wild9",
            "rnbqkknr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKKNR w Qq - 0 1",
        ),
        (
            "extinction",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
        (
            "extinction-mating",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ),
    ] {
        assert_eq!(game(id).array().fen(), array, "{id}");
    }
    for name in retrograde_rules::Game::names() {
        let array = game(name).array();
        assert_eq!(
            array.setup().mirrored(game(name).geometry()).castling,
            array.castling()
        );
    }
}
