//! The puzzles that fix the reading of the rules, by a plain search.

use retrograde_rules::{End, Game, Position};

use crate::kings::{game, moves, position};

/// Whether the side to move can mate in so many of its own moves.
fn mates_in(game: Game, position: &Position, moves: u32) -> bool {
    moves > 0 && !keys(game, position, moves).is_empty()
}

/// The moves after which mate follows in so many moves, this one counted,
/// whatever the other side does.
fn keys(game: Game, position: &Position, count: u32) -> Vec<String> {
    let works = |uci: &String| {
        let after = position.play(position.parse_uci(uci).unwrap());
        match after.end() {
            Some(end) => end == End::Checkmate,
            None => after
                .legal_moves()
                .iter()
                .all(|&reply| mates_in(game, &after.play(reply), count - 1)),
        }
    };
    moves(position).into_iter().filter(works).collect()
}

#[test]
fn a_spare_king_mates_by_standing_next_to_the_royal_one() {
    let game = game("kings");
    let position = position(game, "K7/8/2K5/k7/8/k7/8/R6R w - -");
    assert_eq!(keys(game, &position, 1), ["c6b5"]);
    let mate = position.play(position.parse_uci("c6b5").unwrap());
    assert!(mate.is_check());
}

#[test]
fn the_only_key_in_two() {
    let game = game("kings");
    let position = position(game, "K1K5/8/8/k7/8/k7/8/R6R w - -");
    assert_eq!(keys(game, &position, 1), Vec::<String>::new());
    assert_eq!(keys(game, &position, 2), ["h1h7"]);
}

#[test]
fn promotion_to_a_king_is_the_only_move() {
    let fen = "3k3R/6R1/8/8/5K2/8/p7/8 b - -";
    let with = game("kings");
    let at = position(with, fen);
    assert!(at.is_check());
    assert_eq!(moves(&at), ["a2a1k"]);
    assert_eq!(at.end(), None);
    for id in ["kings:promote-to-king=off", "wild9"] {
        let without = game(id);
        let at = position(without, fen);
        assert_eq!(at.end(), Some(End::Checkmate), "{id}");
    }
}
