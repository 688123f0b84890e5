//! The puzzles that fix the reading of the rules, by a plain search.

use retrograde_rules::{End, Game, Position};

use crate::{game, moves, position};

/// Whether the side to move can mate in so many of its own moves.
fn mates_in(game: Game, position: &Position, moves: u32) -> bool {
    moves > 0 && !keys(game, position, moves).is_empty()
}

/// The moves after which mate follows in so many moves, this one counted,
/// whatever the other side does.
fn keys(game: Game, position: &Position, count: u32) -> Vec<String> {
    let works = |uci: &String| {
        let after = game.play(position, game.parse_uci(position, uci).unwrap());
        match game.end(&after) {
            Some(end) => end == End::Checkmate,
            None => game
                .legal_moves(&after)
                .iter()
                .all(|&reply| mates_in(game, &game.play(&after, reply), count - 1)),
        }
    };
    moves(game, position).into_iter().filter(works).collect()
}

#[test]
fn a_spare_king_mates_by_standing_next_to_the_royal_one() {
    let game = game("kings");
    let position = position(game, "K7/8/2K5/k7/8/k7/8/R6R w - -");
    assert_eq!(keys(game, &position, 1), ["c6b5"]);
    let mate = game.play(&position, game.parse_uci(&position, "c6b5").unwrap());
    assert!(game.is_check(&mate));
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
    assert!(with.is_check(&at));
    assert_eq!(moves(with, &at), ["a2a1k"]);
    assert_eq!(with.end(&at), None);
    for id in ["kings:promote-to-king=off", "wild9"] {
        let without = game(id);
        let at = position(without, fen);
        assert_eq!(without.end(&at), Some(End::Checkmate), "{id}");
    }
}
