//! Which king is royal (K1), and what that forbids (K2, K3, K4).

use retrograde_rules::{Colour, End, Fault, Forgive, Game, Position, ReadError, Setup};

use crate::kings::{game, moves, moves_from, position, royals};

/// A diagram whoever is in check, for looking at who is royal.
fn anyhow(game: Game, fen: &str) -> Position {
    let setup = Setup::from_fen(game, fen).unwrap();
    Position::forgiving(game, &setup, Forgive::OPPOSITE_CHECK).unwrap()
}

#[test]
fn royal_is_the_king_on_the_lowest_file() {
    // Kings on c1 b8 f2 and on d4 g8 h1.
    let fen = "1K4k1/8/8/8/3k4/8/5K2/2K4k w - -";
    for (id, white, black) in [
        ("kings", "b8", "d4"),
        ("wild9", "b8", "d4"),
        ("kings:tie-break=rank1", "b8", "d4"),
        ("kings:black-corner=h8", "b8", "h1"),
        ("kings:black-corner=h8,tie-break=rank1", "b8", "h1"),
    ] {
        let game = game(id);
        let found = royals(game, &anyhow(game, fen));
        assert_eq!(found, [vec![white], vec![black]], "{id}");
        assert!(game.royals_vary());
    }
}

#[test]
fn ties_go_to_the_king_nearest_home_or_rank_1() {
    // Both sides have kings on a2, a7 or such, and others farther off.
    for (id, fen, white, black) in [
        ("kings", "8/k7/7K/8/K7/8/k6K/8 w - -", "a4", "a7"),
        ("wild9", "8/k7/7K/8/K7/8/k6K/8 w - -", "a4", "a2"),
        (
            "kings:tie-break=rank1",
            "8/k7/7K/8/K7/8/k6K/8 w - -",
            "a4",
            "a2",
        ),
        ("kings", "k6k/8/K7/k6k/8/K6K/8/7k w - -", "a3", "a8"),
        ("wild9", "k6k/8/K7/k6k/8/K6K/8/7k w - -", "a3", "a5"),
        (
            "kings:black-corner=h8",
            "k6k/8/K7/k6k/8/K6K/8/7k w - -",
            "a3",
            "h8",
        ),
        (
            "kings:black-corner=h8,tie-break=rank1",
            "k6k/8/K7/k6k/8/K6K/8/7k w - -",
            "a3",
            "h1",
        ),
    ] {
        let game = game(id);
        let found = royals(game, &anyhow(game, fen));
        assert_eq!(found, [vec![white], vec![black]], "{id} {fen}");
    }
}

#[test]
fn royalty_may_not_pass_to_an_attacked_king() {
    let game = game("kings");
    // The rook attacks d1, whose king is a spare as long as c5 is to its left.
    let fen = "7k/8/8/2K5/8/8/8/3K3r w - -";
    assert!(!position(game, fen).is_check());
    assert_eq!(
        moves_from(game, fen, "c5"),
        ["c5b4", "c5b5", "c5b6", "c5c4", "c5c6"]
    );
    // On c1 the king of d1 would be royal and attacked; on e1 it is attacked,
    // but a spare.
    assert_eq!(
        moves_from(game, fen, "d1"),
        ["d1c2", "d1d2", "d1e1", "d1e2"]
    );
}

#[test]
fn a_tie_decides_what_is_legal() {
    // The royal king goes from a6 to the b file, where the other is attacked.
    let fen = "1k5R/8/k7/8/8/8/8/7K b - -";
    assert_eq!(
        moves_from(game("kings"), fen, "a6"),
        // On b7, b6, b5 the king on b8, nearer home, would be royal.
        ["a6a5", "a6a7"]
    );
    assert_eq!(
        moves_from(game("wild9"), fen, "a6"),
        ["a6a5", "a6a7", "a6b5", "a6b6", "a6b7"]
    );
}

#[test]
fn royalty_may_be_handed_over_to_leave_check() {
    let game = game("kings");
    // b1 and b3 tie: b1 is royal, and attacked. It may step aside, or leave
    // for the c file, or the other may go to the a file.
    let fen = "8/8/8/k7/8/1K6/8/1K5r w - -";
    assert!(position(game, fen).is_check());
    let legal = moves(&position(game, fen));
    assert_eq!(legal, ["b1a2", "b1b2", "b1c1", "b1c2", "b3a2", "b3a3"]);
}

#[test]
fn the_side_not_to_move_has_its_royal_king_safe() {
    let game = game("kings");
    // The rook attacks h8, a spare, and not a8, the royal one.
    assert!(Position::from_fen(game, "k6k/8/8/8/8/8/8/K6R w - -").is_ok());
    let error = Position::from_fen(game, "k6k/8/8/8/8/8/7K/R7 w - -").unwrap_err();
    let ReadError::Position(error) = error else {
        panic!("{error}")
    };
    let [Fault::OppositeCheck { colour, royals }] = error.faults() else {
        panic!("{error}")
    };
    assert_eq!((*colour, royals.len()), (Colour::Black, 1));
    assert!(royals.contains(game.geometry().parse("a8").unwrap()));
    // Every side has a king.
    let error = Position::from_fen(game, "7k/8/8/8/8/8/8/R7 w - -").unwrap_err();
    assert!(error.to_string().contains("white has no king"), "{error}");
}

#[test]
fn mate_and_stalemate() {
    let game = game("kings");
    for (fen, check, end) in [
        ("k7/1Q6/1K6/8/8/8/8/8 b - -", true, Some(End::Checkmate)),
        // A spare king far away is no help.
        ("k7/1Q6/1K6/8/8/8/8/7k b - -", true, Some(End::Checkmate)),
        // It may take where the royal one may not.
        ("kk6/1Q6/1K6/8/8/8/8/8 b - -", true, None),
        ("kk6/1Q6/8/8/8/8/8/K7 b - -", true, None),
        // With a spare king that can move it is no stalemate.
        (
            "k7/2Q5/1K6/8/8/8/8/8 b - -",
            false,
            Some(End::Stalemate { winner: None }),
        ),
        ("k7/2Q5/1K6/8/8/8/8/7k b - -", false, None),
    ] {
        let at = anyhow(game, fen);
        assert_eq!(at.is_check(), check, "{fen}");
        assert_eq!(at.end(), end, "{fen}");
        assert_eq!(moves(&at).is_empty(), end.is_some());
    }
}

#[test]
fn a_new_king_is_royal_at_once_and_the_old_one_a_spare() {
    let game = game("kings");
    // From h2 a king on h1 is a spare; b1 stays royal.
    for (fen, mv, white, black) in [
        ("7K/8/8/8/8/8/7p/1k6 b - -", "h2h1k", "h8", "b1"),
        ("7K/8/8/8/8/8/p7/1k6 b - -", "a2a1k", "h8", "a1"),
        ("1K6/7P/8/8/8/7k/8/8 w - -", "h7h8k", "b8", "h3"),
        ("7K/P7/8/8/8/7k/8/8 w - -", "a7a8k", "a8", "h3"),
    ] {
        let before = position(game, fen);
        let after = before.play(before.parse_uci(mv).unwrap());
        assert_eq!(royals(game, &after), [vec![white], vec![black]], "{fen}");
    }
    // A king that would be attacked as soon as it is made may not be made; the
    // old one may be left attacked.
    let fen = "R7/8/8/8/8/7K/1p6/3k3R b - -";
    assert!(position(game, fen).is_check());
    let legal = moves_from(game, fen, "b2");
    assert_eq!(legal, ["b2b1k"]);
    let fen = "1R6/8/8/8/8/7K/1p6/3k3R b - -";
    let legal = moves_from(game, fen, "b2");
    assert_eq!(legal, Vec::<String>::new());
}

#[test]
fn spare_kings_are_taken_like_other_pieces() {
    let game = game("kings");
    let before = position(game, "k6k/8/8/8/8/8/8/K6R w - -");
    let mv = before.parse_san("Rxh8").unwrap();
    assert_eq!(before.uci(mv), "h1h8");
    let after = before.play(mv);
    assert_eq!(after.material().to_string(), "KRvK");
    assert!(after.is_check());
}

#[test]
fn en_passant_counts_only_if_it_is_legal() {
    let game = game("kings");
    // Taking opens the rank of the royal king, or of a spare one.
    for (fen, counts) in [
        ("8/8/8/K2pP2r/8/8/8/7k w - d6", false),
        ("7K/8/8/K2pP2r/8/8/8/k7 w - d6", false),
        ("K7/8/8/2KpP2r/8/8/8/k7 w - d6", true),
    ] {
        assert_eq!(position(game, fen).ep().is_some(), counts, "{fen}");
    }
}
