//! Game ids and moves as text.

use retrograde_rules::Game;

use crate::extinction::{BASE, MATING, played, position};

#[test]
fn ids_name_their_options() {
    for (id, game) in [("extinction", *BASE), ("extinction-mating", *MATING)] {
        assert_eq!(Game::parse(id), Ok(game));
        assert_eq!((game.id().as_str(), game.name()), (id, id));
        for bad in [format!("{id}:"), format!("{id}:x=y")] {
            let error = Game::parse(&bad).unwrap_err().to_string();
            assert!(
                error.contains(&format!("{id} has no rule option")),
                "{error}"
            );
            assert!(
                error.contains("its options are: no-progress = off or 100"),
                "{error}"
            );
        }
    }
}

#[test]
fn moves_are_marked_where_there_is_check() {
    // A check of a queen, a mate of two pieces, and a win without a mark.
    for (game, fen, uci, san) in [
        (*MATING, "k2q4/8/8/8/5N2/8/8/1K6 w - -", "f4e6", "Ne6+"),
        (*MATING, "k1q5/8/8/8/N7/8/8/K7 w - -", "a4b6", "Nb6#"),
        (*BASE, "k2q4/8/8/8/5N2/8/8/1K6 w - -", "f4e6", "Ne6"),
        (*BASE, "k2q4/8/8/8/8/8/3R4/1K6 w - -", "d2d8", "Rxd8"),
        (*BASE, "8/P7/8/8/8/8/8/k7 w - -", "a7a8k", "a8=K"),
    ] {
        let at = position(game, fen);
        let mv = at.parse_uci(uci).unwrap();
        assert_eq!(at.san(mv), san);
        assert_eq!(at.parse_san(san), Ok(mv));
    }
}

#[test]
fn kings_are_told_apart() {
    let at = position(*MATING, "7k/8/8/8/8/8/8/K1K5 w - -");
    for (uci, san) in [("a1b1", "Kab1"), ("c1b2", "Kcb2"), ("c1d1", "Kd1")] {
        let mv = at.parse_uci(uci).unwrap();
        assert_eq!(at.san(mv), san);
    }
}

#[test]
fn clocks_run_on() {
    let after = played(*BASE, "7k/8/8/3r4/8/8/8/K2Q4 b - - 7 20", "d5d1");
    assert_eq!((after.halfmoves(), after.fullmoves()), (0, 21));
}
