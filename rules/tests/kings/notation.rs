//! Game ids, FEN and moves as text.

use retrograde_rules::{Game, GameError, MoveError, Mover, PieceType, Position, Royalty};

use crate::kings::{game, position};

#[test]
fn ids_have_one_form() {
    for (given, id) in [
        ("kings", "kings"),
        (
            "kings:black-corner=a8,promote-to-king=on,spare-king=king,tie-break=home",
            "kings",
        ),
        (
            "kings:tie-break=rank1,spare-king=duke,promote-to-king=off,black-corner=h8",
            "kings:black-corner=h8,promote-to-king=off,spare-king=duke,tie-break=rank1",
        ),
        ("kings:spare-king=queen", "kings:spare-king=queen"),
        ("kings:chancellor=off,board=8x8", "kings"),
        ("kings:board=10x8", "kings:board=10x8"),
        (
            "kings:tie-break=rank1,chancellor=on,board=10x10,black-corner=h8",
            "kings:black-corner=h8,board=10x10,chancellor=on,tie-break=rank1",
        ),
        ("wild9", "wild9"),
    ] {
        let game = game(given);
        assert_eq!(game.id(), id);
        assert_eq!(Game::parse(id), Ok(game));
    }
    let all = game("kings:black-corner=h8,promote-to-king=off,spare-king=duke,tie-break=rank1");
    let Royalty::FirstKing(order) = all.royalty() else {
        panic!("{all}")
    };
    assert_eq!((order.files, order.ranks), ([1, -1], [1, 1]));
    assert_eq!(order.spare, Mover::parse("KN").unwrap());
    assert!(!all.promotions().contains(&PieceType::King));
    // The same rules as wild 9, but another id: a file of one is not read as
    // one of the other.
    assert_ne!(
        game("kings:promote-to-king=off,tie-break=rank1"),
        game("wild9")
    );
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
    for id in ["kings:", "kings:corner=h8", "kings:spare-king=duke,"] {
        let words = ["black-corner = a8 or h8", "tie-break = home or rank1"];
        let error = refused(id, &words);
        assert!(matches!(error, GameError::UnknownOption { .. }), "{id}");
    }
    for (id, known) in [
        ("kings:black-corner=h1", "a8 or h8"),
        ("kings:promote-to-king=yes", "on or off"),
        ("kings:board=9x9", "8x8, 10x8 or 10x10"),
        ("kings:board=10x8,chancellor=yes", "on or off"),
        ("kings:spare-king=rook", "king, queen or duke"),
        ("kings:tie-break", "home or rank1"),
    ] {
        let error = refused(id, &[known]);
        assert!(matches!(error, GameError::UnknownValue { .. }), "{id}");
    }
    for id in ["kings:chancellor=on", "kings:board=8x8,chancellor=on"] {
        let error = refused(id, &["chancellor=on", "board=10x8 or board=10x10"]);
        assert!(matches!(error, GameError::Together { .. }), "{id}");
    }
    for id in ["wild9:", "wild9:tie-break=rank1"] {
        refused(id, &["wild9", "no options"]);
    }
    refused("wild 9", &["kings, wild9, extinction-mating, extinction"]);
}

#[test]
fn ambiguous_kings_are_told_apart() {
    let game = game("kings");
    let at = position(game, "7k/8/8/8/8/1K6/3K4/1K6 w - -");
    for (uci, san) in [
        ("b1c2", "K1c2"),
        ("b3c2", "K3c2"),
        ("d2c2", "Kdc2"),
        ("b1c1", "Kbc1"),
        ("d2c1", "Kdc1"),
        ("d2e3", "Ke3"),
        ("b3a2", "K3a2"),
        ("b1a2", "K1a2"),
    ] {
        let mv = at.parse_uci(uci).unwrap();
        assert_eq!(at.san(mv), san);
        assert_eq!(at.parse_san(san), Ok(mv));
    }
    for text in ["Kc2", "Kbc2", "Ka2"] {
        let error = at.parse_san(text).unwrap_err();
        assert!(matches!(error, MoveError::Ambiguous { .. }), "{error}");
    }
    // A king that may not go there needs no telling apart: from c5, d4 would
    // hand royalty over to d1.
    let at = position(game, "7k/8/8/2K5/8/4K3/8/3K3r w - -");
    assert_eq!(at.uci(at.parse_san("Kd4").unwrap()), "e3d4");
}

#[test]
fn promotions_to_king() {
    let game = game("kings");
    let at = position(game, "1n5k/P7/8/8/8/8/8/7K w - -");
    for (uci, san) in [("a7a8k", "a8=K"), ("a7b8k", "axb8=K"), ("a7b8q", "axb8=Q+")] {
        let mv = at.parse_uci(uci).unwrap();
        assert_eq!(at.uci(mv), uci);
        assert_eq!(at.san(mv), san, "{uci}");
        assert_eq!(at.parse_san(san), Ok(mv));
    }
    assert!(matches!(
        at.parse_uci("a7a8"),
        Err(MoveError::Illegal { .. })
    ));
    let without = Position::new(crate::kings::game("wild9"), &at.setup()).unwrap();
    for uci in ["a7a8k", "a7b8k"] {
        let error = without.parse_uci(uci).unwrap_err();
        assert!(matches!(error, MoveError::Illegal { .. }), "{error}");
    }
}

#[test]
fn diagrams_keep_all_kings() {
    let fen = "k6k/8/8/3pP3/8/8/8/K2K3K w - d6 0 1";
    let game = game("kings");
    let at = position(game, fen);
    assert_eq!(at.fen(), fen);
    assert_eq!(at.material().to_string(), "KKKPvKKP");
    // Castling rights are refused here, too (O1).
    assert!(Position::from_fen(game, "k7/8/8/8/8/8/8/4K2R w K -").is_err());
}
