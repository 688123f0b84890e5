//! How spare kings move: queens and dukes (K6), and roles before and after a
//! move (K2).

use crate::kings::{game, moves_from, position};

const QUEEN: &str = "kings:spare-king=queen";
const DUKE: &str = "kings:spare-king=duke";

#[test]
fn spares_move_by_the_option_and_royals_like_kings() {
    let fen = "8/8/8/k7/8/8/K6K/8 w - -";
    let royal = ["a2a1", "a2a3", "a2b1", "a2b2", "a2b3"];
    for id in ["kings", QUEEN, DUKE] {
        assert_eq!(moves_from(game(id), fen, "a2"), royal, "{id}");
    }
    let king = ["h2g1", "h2g2", "h2g3", "h2h1", "h2h3"];
    assert_eq!(moves_from(game("kings"), fen, "h2"), king);
    assert_eq!(
        moves_from(game(DUKE), fen, "h2"),
        [
            "h2f1", "h2f3", "h2g1", "h2g2", "h2g3", "h2g4", "h2h1", "h2h3"
        ]
    );
    let queen = moves_from(game(QUEEN), fen, "h2");
    // A queen on h2 with a piece on a2, and nothing else in its way.
    assert_eq!(queen.len(), 6 + 7 + 1 + 6);
    assert!(queen.contains(&"h2b8".to_owned()) && queen.contains(&"h2b2".to_owned()));
}

#[test]
fn who_becomes_royal_moves_like_a_king_from_then_on() {
    let game = game(QUEEN);
    // The spare goes to the left of the royal king: the two change roles.
    let before = position(game, "7k/8/8/8/8/1K6/6K1/8 w - -");
    let after = before.play(before.parse_uci("g2a8").unwrap());
    // From a8 a queen would attack h8.
    assert!(!after.is_check());
    let reply = after.parse_uci("h8h7").unwrap();
    let fen = after.play(reply).fen();
    assert_eq!(moves_from(game, &fen, "a8"), ["a8a7", "a8b7", "a8b8"]);
    // And b3 has become a queen: it checks on h8, g8 or along its lines.
    assert!(moves_from(game, &fen, "b3").contains(&"b3g8".to_owned()));
}

#[test]
fn spares_attack_in_the_role_they_have_before_the_capture() {
    // The black spare on h1 would be royal on a1, but it attacks it as a
    // queen.
    let fen = "1k6/8/8/8/8/8/8/K6k w - -";
    assert!(position(game(QUEEN), fen).is_check());
    assert!(!position(game("kings"), fen).is_check());
    assert!(!position(game(DUKE), fen).is_check());
    let fen = "2k5/8/8/8/8/8/5k2/3K4 w - -";
    assert!(position(game(DUKE), fen).is_check());
    assert!(!position(game("kings"), fen).is_check());
    // The royal king on c8 attacks like a king only.
    let fen = "2k5/8/1K6/8/8/8/8/7k w - -";
    assert!(!position(game(DUKE), fen).is_check());
    assert!(!position(game(QUEEN), "2k5/8/2K5/8/8/8/7k/8 w - -").is_check());
}

#[test]
fn spare_queens_pin() {
    let game = game(QUEEN);
    // The knight shields the royal king from the spare queen on h1.
    let fen = "1k6/8/8/8/8/8/8/K2N3k w - -";
    assert!(moves_from(game, fen, "d1").is_empty());
    assert_eq!(moves_from(game, fen, "a1"), ["a1a2", "a1b1", "a1b2"]);
}
