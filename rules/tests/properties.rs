//! What holds for any position and any text.

use std::collections::BTreeSet;

use crate::common;
use proptest::prelude::*;
use retrograde_rules::{Epd, Game, Move, Piece, Position, Setup, Transform};

/// A position that random play has led to, so that e.p. rights occur.
fn any_position() -> impl Strategy<Value = Position> {
    common::any_position(Game::default())
}

fn moves_by_name(position: &Position) -> BTreeSet<String> {
    let moves = position.legal_moves();
    let names: BTreeSet<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
    assert_eq!(names.len(), moves.len(), "a move is listed twice");
    names
}

/// The same position with the colours swapped.
fn mirrored(position: &Position) -> Position {
    Position::new(
        Game::default(),
        &position.setup().mirrored(Game::default().geometry()),
    )
    .unwrap()
}

fn mirrored_move(mv: Move) -> Move {
    let flip = |square| {
        Game::default()
            .geometry()
            .apply(Transform::FLIP_RANKS, square)
    };
    Move {
        from: flip(mv.from),
        to: flip(mv.to),
        captured: mv.captured.map(flip),
        ..mv
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn fen_round_trips(position in any_position()) {
        let fen = position.fen();
        prop_assert_eq!(Position::from_fen(Game::default(), &fen).unwrap(), position);
        let epd = Epd { setup: position.setup(), operations: Vec::new() };
        prop_assert_eq!(Epd::parse(Game::default(), &epd.text(Game::default())).unwrap(), epd);
    }

    #[test]
    fn pieces_round_trip(position in any_position()) {
        let pieces: Vec<_> = position.board().pieces().collect();
        let again = Position::from_pieces(Game::default(), pieces, position.turn()).unwrap();
        prop_assert_eq!(again.board(), position.board());
        let in_order: Vec<Piece> = position.board().pieces().map(|(piece, _)| piece).collect();
        let material: Vec<Piece> = position.material().pieces().collect();
        prop_assert_eq!(in_order, material);
    }

    #[test]
    fn uci_and_san_round_trip(position in any_position()) {
        let moves = position.legal_moves();
        for &mv in &moves {
            prop_assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            let san = position.san(mv);
            prop_assert_eq!(position.parse_san(&san), Ok(mv), "{}", san);
        }
        let mut names: Vec<_> = moves.iter().map(|&mv| position.san(mv)).collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), moves.len());
    }

    #[test]
    fn colours_are_treated_alike(position in any_position()) {
        let other = mirrored(&position);
        prop_assert_eq!(mirrored(&other), position);
        prop_assert_eq!(other.end(), position.end());
        prop_assert_eq!(other.is_check(), position.is_check());
        let mut moves: Vec<Move> = position.legal_moves()
            .iter()
            .map(|&mv| mirrored_move(mv))
            .collect();
        let mut others = other.legal_moves().to_vec();
        moves.sort();
        others.sort();
        prop_assert_eq!(moves, others);
    }

    #[test]
    fn left_and_right_are_treated_alike(position in any_position()) {
        let flip = |square| Game::default().geometry().apply(Transform::FLIP_FILES, square);
        let setup = position.setup();
        let mut other = Setup { ep: setup.ep.map(flip), ..Setup::empty() };
        other.turn = setup.turn;
        for (piece, square) in setup.board.pieces() {
            other.board.set(flip(square), Some(piece));
        }
        let other = Position::new(Game::default(), &other).unwrap();
        prop_assert_eq!(other.end(), position.end());
        let swap = |name: &String| -> String {
            let file = |c| match c {
                'a'..='h' => (b'a' + b'h' - c as u8) as char,
                _ => c,
            };
            // The fifth letter is what a pawn becomes.
            name.chars().take(4).map(file).chain(name.chars().skip(4)).collect()
        };
        let swapped: BTreeSet<String> = moves_by_name(&position).iter().map(swap).collect();
        prop_assert_eq!(moves_by_name(&other), swapped);
    }

    #[test]
    fn moves_lead_to_positions(position in any_position()) {
        let pieces = position.board().occupied().len();
        for &mv in &position.legal_moves() {
            let next = position.play(mv);
            prop_assert_eq!(next.turn(), position.turn().other());
            let left = next.board().occupied().len() + usize::from(mv.is_capture());
            prop_assert_eq!(left, pieces);
            // Reading the diagram anew finds the same e.p. square to count.
            prop_assert_eq!(Position::new(Game::default(), &next.setup()).unwrap(), next);
            let counts = next.legal_moves().iter().any(|m| Some(m.to) == next.ep()
                && m.captured.is_some_and(|taken| taken != m.to));
            prop_assert_eq!(counts, next.ep().is_some());
        }
    }

    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,40}", position in any_position()) {
        let _ = Setup::from_fen(Game::default(), &text);
        let _ = Epd::parse(Game::default(), &text);
        let _ = Game::parse(&text);
        let _ = retrograde_rules::Material::parse(Game::default(), &text);
        let _ = position.parse_uci(&text);
        let _ = position.parse_san(&text);
    }

    #[test]
    fn errors_point_into_the_text(
        position in any_position(),
        at in any::<prop::sample::Index>(),
        junk in "[ /0-9a-zKQéx+;\"\\\\-]{0,3}",
    ) {
        // A FEN with a piece replaced: most often wrong, in any field.
        let fen = position.fen();
        let at = at.index(fen.len());
        let end = (at + junk.len() / 2).min(fen.len());
        let broken = format!("{}{junk}{}", &fen[..at], &fen[end..]);
        if let Err(error) = Setup::from_fen(Game::default(), &broken) {
            prop_assert!(error.offset <= broken.len());
            prop_assert!(broken.is_char_boundary(error.offset));
        } else if let Ok(position) = Position::from_fen(Game::default(), &broken) {
            prop_assert_eq!(Position::from_fen(Game::default(), &position.fen()), Ok(position));
        }
        if let Err(error) = Epd::parse(Game::default(), &broken) {
            prop_assert!(error.offset <= broken.len());
        }
    }

    #[test]
    fn moves_are_read_from_almost_moves(
        position in any_position(),
        text in "[a-h][1-9][a-i][1-8][a-z]?|[KQRBN]?[a-i]?[1-9]?x?[a-h][1-8](=?[A-Z])?[+#]?",
    ) {
        if let Ok(mv) = position.parse_uci(&text) {
            prop_assert_eq!(position.uci(mv), text);
        } else if let Ok(mv) = position.parse_san(&text) {
            prop_assert!(text.contains(&Game::default().geometry().name(mv.to)));
            prop_assert!(position.legal_moves().contains(&mv));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn captures_and_promotions_are_those_of_the_legal_moves(
        positions in Game::names().into_iter().map(|name| common::any_position(Game::parse(name).unwrap()))
            .collect::<Vec<_>>(),
    ) {
        for position in positions {
            let mut moves = position.legal_moves().to_vec();
            moves.retain(|mv| mv.captured.is_some() || mv.promotion.is_some());
            let mut settling = position.captures_and_promotions();
            prop_assert_eq!(&settling[..], &moves[..], "{}", position.fen());
            // The list can be used again for all moves.
            position.legal_moves_into(&mut settling);
            prop_assert_eq!(&settling[..], &position.legal_moves()[..], "{}", position.fen());
            let is_plain = |mv: &Move| mv.captured.is_none_or(|square| square == mv.to);
            if moves.iter().any(is_plain) {
                prop_assert!(position.may_capture_or_promote(), "{}", position.fen());
            }
        }
    }
}
