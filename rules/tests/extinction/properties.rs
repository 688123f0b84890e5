//! What holds for any position of both games.

use proptest::prelude::*;
use retrograde_rules::{Colour, Game, Move, Piece, Position, Symmetry, Transform};

use crate::common::{any_crowd, any_start, any_start_of};
use crate::extinction::{BASE, MATING};

fn any_game() -> impl Strategy<Value = Game> {
    prop_oneof![2 => Just(*MATING), 1 => Just(*BASE)]
}

/// A game and the positions of random play, the last of which may be finished.
fn any_line() -> impl Strategy<Value = (Game, Vec<Position>)> {
    let start = prop_oneof![3 => any_start_of(any_crowd(false)), 1 => any_start()];
    (any_game(), start).prop_filter_map("no position of the game", |(game, start)| {
        Some((game, start.play(game, Some)?))
    })
}

/// A position in which the game goes on.
fn any_position() -> impl Strategy<Value = (Game, Position)> {
    any_line().prop_map(|(game, mut line)| {
        line.retain(|position| position.extinct().is_none());
        (game, line[line.len() - 1])
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn texts_round_trip((game, position) in any_position()) {
        let fen = position.fen();
        prop_assert_eq!(Position::from_fen(game, &fen).unwrap(), position);
        for &mv in &position.legal_moves() {
            prop_assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            let san = position.san(mv);
            prop_assert_eq!(position.parse_san(&san), Ok(mv), "{}", san);
        }
    }

    #[test]
    fn moves_lead_to_positions((game, position) in any_position()) {
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            prop_assert_eq!(next.turn(), position.turn().other());
            if next.extinct().is_none() {
                prop_assert_eq!(Position::new(game, &next.setup()).unwrap(), next);
            }
        }
    }

    #[test]
    fn the_board_may_be_turned_and_the_colours_swapped((game, position) in any_position()) {
        let mut images = match game.symmetry(&position.material()) {
            Symmetry::Full => Transform::ALL.map(|t| (t, false)).to_vec(),
            _ => vec![(Transform::FLIP_FILES, false)],
        };
        images.push((Transform::FLIP_RANKS, true));
        for (transform, swap) in images {
            let apply = |square| game.geometry().apply(transform, square);
            let colour = |colour: Colour| if swap { colour.other() } else { colour };
            let mut setup = position.setup();
            setup.board = retrograde_rules::Board::empty();
            for (piece, square) in position.board().pieces() {
                setup.board.set(apply(square), Some(Piece::new(colour(piece.colour), piece.piece_type)));
            }
            setup.ep = setup.ep.map(apply);
            setup.turn = colour(setup.turn);
            let other = Position::new(game, &setup).unwrap();
            prop_assert_eq!(other.setup(), setup);
            prop_assert_eq!(other.end(), position.end());
            let mut moves: Vec<Move> = position.legal_moves()
                .iter()
                .map(|&mv| Move {
                    from: apply(mv.from),
                    to: apply(mv.to),
                    captured: mv.captured.map(apply),
                    ..mv
                })
                .collect();
            let mut others = other.legal_moves().to_vec();
            moves.sort();
            others.sort();
            prop_assert_eq!(moves, others);
        }
    }

    #[test]
    fn no_text_makes_reading_panic(
        (game, position) in any_position(),
        text in "\\PC{0,40}",
        name in "[KQRBNPv]{0,9}",
    ) {
        let _ = position.parse_uci(&text);
        let _ = position.parse_san(&text);
        if let Ok(material) = retrograde_rules::Material::parse(game, &name) {
            let (normal, _) = material.normal(game);
            prop_assert_eq!(normal.normal(game), (normal, false));
            prop_assert_eq!(normal, material.swapped().normal(game).0);
        }
    }
}
