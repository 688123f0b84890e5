//! What holds for any position and any text.

#![allow(clippy::unwrap_used, reason = "tests may panic")]

use std::collections::BTreeSet;

use proptest::prelude::*;
use retrograde_rules::{
    Colour, Epd, Game, Kind, Man, Move, Position, Setup, Square, SquareSet, Transform,
};

const GAME: Game = Game::Orthodox;

fn any_colour() -> impl Strategy<Value = Colour> {
    prop_oneof![Just(Colour::White), Just(Colour::Black)]
}

/// Two kings and up to eight other men, as they fall.
fn any_men() -> impl Strategy<Value = Vec<(Man, Square)>> {
    let square = || (0..64u8).prop_map(Square);
    let other = (any_colour(), 1..Kind::COUNT, square()).prop_map(|(colour, kind, square)| {
        // Chess 99's paladin becomes a pawn, of which there are then more.
        let kind = match Kind::ALL[kind] {
            Kind::Paladin => Kind::Pawn,
            kind => kind,
        };
        (Man::new(colour, kind), square)
    });
    (square(), square(), prop::collection::vec(other, 0..=8)).prop_map(|(white, black, mut men)| {
        men.push((Man::new(Colour::White, Kind::King), white));
        men.push((Man::new(Colour::Black, Kind::King), black));
        men
    })
}

/// A position of the game, and where random play from it leads to, so that
/// e.p. rights occur. Pawns begin on their second ranks half of the time.
fn any_position() -> impl Strategy<Value = Position> {
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..12);
    (any_men(), any_colour(), any::<bool>(), choices)
        .prop_map(|(mut men, turn, fresh, choices)| {
            for (man, square) in &mut men {
                if fresh && man.kind == Kind::Pawn {
                    let rank = if man.colour == Colour::White { 1 } else { 6 };
                    *square = Square(rank * 8 + square.0 % 8);
                }
            }
            let mut position = Position::from_men(GAME, men, turn)?;
            for choice in choices {
                let moves = GAME.legal_moves(&position);
                if moves.is_empty() {
                    break;
                }
                position = GAME.play(&position, *choice.get(&moves));
            }
            Some(position)
        })
        .prop_filter_map("no position of the game", |position| position)
}

fn moves_by_name(position: &Position) -> BTreeSet<String> {
    let moves = GAME.legal_moves(position);
    let names: BTreeSet<String> = moves.iter().map(|mv| mv.uci(GAME)).collect();
    assert_eq!(names.len(), moves.len(), "a move is listed twice");
    names
}

/// The same position with the colours swapped.
fn mirrored(position: &Position) -> Position {
    Position::new(GAME, &position.setup().mirrored(GAME.geometry())).unwrap()
}

fn mirrored_move(mv: Move) -> Move {
    let flip = |square| GAME.geometry().apply(Transform::FLIP_RANKS, square);
    Move {
        from: flip(mv.from),
        to: flip(mv.to),
        captured: mv.captured.map(flip),
        ..mv
    }
}

/// Whether the mover could take the king of the side that is not to move, by
/// walking over the board step by step: an independent way to say "in check".
fn king_can_be_taken(position: &Position) -> bool {
    let geometry = GAME.geometry();
    let board = position.board();
    let victim = Man::new(position.turn().other(), Kind::King);
    let walk = |from: Square, files: i8, ranks: i8, far: bool| {
        let mut at = from;
        while let Some(next) = geometry.offset(at, files, ranks) {
            if let Some(man) = board.man_at(next) {
                return man == victim;
            }
            if !far {
                return false;
            }
            at = next;
        }
        false
    };
    board.men().any(|(man, from)| {
        let ahead = if man.colour == Colour::White { 1 } else { -1 };
        let pairs = (-2..=2i8).flat_map(|x| (-2..=2i8).map(move |y| (x, y)));
        man.colour == position.turn()
            && pairs.into_iter().any(|(x, y)| {
                let (longer, shorter) = (x.abs().max(y.abs()), x.abs().min(y.abs()));
                let reaches = match (man.kind, longer, shorter) {
                    (Kind::King | Kind::Queen, 1, _)
                    | (Kind::Rook, 1, 0)
                    | (Kind::Bishop, 1, 1)
                    | (Kind::Knight, 2, 1) => true,
                    (Kind::Pawn, 1, 1) => y == ahead,
                    _ => false,
                };
                let far = matches!(man.kind, Kind::Queen | Kind::Rook | Kind::Bishop);
                reaches && walk(from, x, y, far)
            })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn fen_round_trips(position in any_position()) {
        let fen = position.fen(GAME);
        prop_assert_eq!(Position::from_fen(GAME, &fen).unwrap(), position);
        let epd = Epd { setup: position.setup(), operations: Vec::new() };
        prop_assert_eq!(Epd::parse(GAME, &epd.text(GAME)).unwrap(), epd);
    }

    #[test]
    fn men_round_trip(position in any_position()) {
        let men: Vec<_> = position.board().men().collect();
        let again = Position::from_men(GAME, men, position.turn()).unwrap();
        prop_assert_eq!(again.board(), position.board());
        let in_order: Vec<Man> = position.board().men().map(|(man, _)| man).collect();
        let material: Vec<Man> = position.material().men().collect();
        prop_assert_eq!(in_order, material);
    }

    #[test]
    fn uci_and_san_round_trip(position in any_position()) {
        let moves = GAME.legal_moves(&position);
        for &mv in &moves {
            prop_assert_eq!(GAME.parse_uci(&position, &mv.uci(GAME)), Ok(mv));
            let san = mv.san(GAME, &position);
            prop_assert_eq!(GAME.parse_san(&position, &san), Ok(mv), "{}", san);
        }
        let mut names: Vec<_> = moves.iter().map(|mv| mv.san(GAME, &position)).collect();
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), moves.len());
    }

    #[test]
    fn colours_are_treated_alike(position in any_position()) {
        let other = mirrored(&position);
        prop_assert_eq!(mirrored(&other), position);
        prop_assert_eq!(GAME.end(&other), GAME.end(&position));
        prop_assert_eq!(GAME.is_check(&other), GAME.is_check(&position));
        let mut moves: Vec<Move> = GAME
            .legal_moves(&position)
            .iter()
            .map(|&mv| mirrored_move(mv))
            .collect();
        let mut others = GAME.legal_moves(&other).to_vec();
        moves.sort();
        others.sort();
        prop_assert_eq!(moves, others);
    }

    #[test]
    fn left_and_right_are_treated_alike(position in any_position()) {
        let flip = |square| GAME.geometry().apply(Transform::FLIP_FILES, square);
        let setup = position.setup();
        let mut other = Setup { ep: setup.ep.map(flip), ..Setup::empty() };
        other.turn = setup.turn;
        for (man, square) in setup.board.men() {
            other.board.set(flip(square), Some(man));
        }
        let other = Position::new(GAME, &other).unwrap();
        prop_assert_eq!(GAME.end(&other), GAME.end(&position));
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
        let men = position.board().occupied().len();
        for &mv in &GAME.legal_moves(&position) {
            let next = GAME.play(&position, mv);
            prop_assert!(!king_can_be_taken(&next), "{}", mv.uci(GAME));
            prop_assert_eq!(next.turn(), position.turn().other());
            let left = next.board().occupied().len() + usize::from(mv.is_capture());
            prop_assert_eq!(left, men);
            // Reading the diagram anew finds the same e.p. square to count.
            prop_assert_eq!(Position::new(GAME, &next.setup()).unwrap(), next);
            let counts = GAME.legal_moves(&next).iter().any(|m| Some(m.to) == next.ep()
                && m.captured.is_some_and(|taken| taken != m.to));
            prop_assert_eq!(counts, next.ep().is_some());
        }
    }

    #[test]
    fn check_is_found_by_walking_too(men in any_men(), turn in any_colour()) {
        let mut board = retrograde_rules::Board::empty();
        let mut occupied = SquareSet::EMPTY;
        for (man, square) in men {
            let outer = man.kind == Kind::Pawn && matches!(square.0 / 8, 0 | 7);
            if !occupied.contains(square) && !outer {
                board.set(square, Some(man));
                occupied.insert(square);
            }
        }
        let setup = Setup { board, turn, ..Setup::empty() };
        let anyhow = Position::forgiving(GAME, &setup, retrograde_rules::Forgive::OPPOSITE_CHECK);
        if let Ok(position) = anyhow {
            let legal = Position::new(GAME, &setup).is_ok();
            prop_assert_eq!(legal, !king_can_be_taken(&position));
        }
    }

    #[test]
    fn no_text_makes_reading_panic(text in "\\PC{0,40}", position in any_position()) {
        let _ = Setup::from_fen(GAME, &text);
        let _ = Epd::parse(GAME, &text);
        let _ = Game::parse(&text);
        let _ = retrograde_rules::Material::parse(GAME, &text);
        let _ = GAME.parse_uci(&position, &text);
        let _ = GAME.parse_san(&position, &text);
    }

    #[test]
    fn errors_point_into_the_text(
        position in any_position(),
        at in any::<prop::sample::Index>(),
        junk in "[ /0-9a-zKQéx+;\"\\\\-]{0,3}",
    ) {
        // A FEN with a piece replaced: most often wrong, in any field.
        let fen = position.fen(GAME);
        let at = at.index(fen.len());
        let end = (at + junk.len() / 2).min(fen.len());
        let broken = format!("{}{junk}{}", &fen[..at], &fen[end..]);
        if let Err(error) = Setup::from_fen(GAME, &broken) {
            prop_assert!(error.offset <= broken.len());
            prop_assert!(broken.is_char_boundary(error.offset));
        } else if let Ok(position) = Position::from_fen(GAME, &broken) {
            prop_assert_eq!(Position::from_fen(GAME, &position.fen(GAME)), Ok(position));
        }
        if let Err(error) = Epd::parse(GAME, &broken) {
            prop_assert!(error.offset <= broken.len());
        }
    }

    #[test]
    fn moves_are_read_from_almost_moves(
        position in any_position(),
        text in "[a-h][1-9][a-i][1-8][a-z]?|[KQRBN]?[a-i]?[1-9]?x?[a-h][1-8](=?[A-Z])?[+#]?",
    ) {
        if let Ok(mv) = GAME.parse_uci(&position, &text) {
            prop_assert_eq!(mv.uci(GAME), text);
        } else if let Ok(mv) = GAME.parse_san(&position, &text) {
            prop_assert!(text.contains(&GAME.geometry().name(mv.to)));
            prop_assert!(GAME.legal_moves(&position).contains(&mv));
        }
    }
}
