//! What holds for any position, recounted the slow way.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use retrograde_rules::{
    Colour, End, Epd, Game, Move, Piece, PieceType, Position, Restores, Setup, Square, Toll,
    Transform, Vitality,
};

use crate::high_chess::rules;

use crate::common::{any_start, king_can_be_taken};

fn any_game() -> impl Strategy<Value = Game> {
    let restores = prop_oneof![Just(Restores::Mover), Just(Restores::Both)];
    let full = prop_oneof![2 => 1..=50u8, 2 => 1..=4u8, 1 => Just(50u8)];
    (restores, full).prop_map(|(restores, full)| {
        let restores = [("mover", Restores::Mover), ("both", Restores::Both)]
            .into_iter()
            .find(|(_, known)| *known == restores)
            .unwrap();
        let id = format!("high-chess:vital-restores={},vitality={full}", restores.0);
        Game::parse(&id).unwrap()
    })
}

/// A game and the positions of random play, the last of which may be finished;
/// often there are few points left.
fn any_line() -> impl Strategy<Value = (Game, Vec<Position>)> {
    let counters = (any::<prop::sample::Index>(), any::<prop::sample::Index>());
    (any_game(), any_start(), counters).prop_filter_map(
        "no position of the game",
        |(game, start, (white, black))| {
            let full = game.full_vitality()?.white;
            let points = |index: prop::sample::Index| index.index(full as usize) as u8 + 1;
            let vitality = Vitality {
                white: points(white),
                black: points(black),
            };
            let set_up = |position: Position| position.with_vitality(vitality);
            Some((game, start.play(game, set_up)?))
        },
    )
}

/// The last position of a line, the end of a game perhaps.
fn any_position() -> impl Strategy<Value = (Game, Position)> {
    any_line().prop_map(|(game, line)| (game, line[line.len() - 1]))
}

/// The last position of a line in which nobody is exhausted.
fn any_open_position() -> impl Strategy<Value = (Game, Position)> {
    any_line().prop_map(|(game, mut line)| {
        line.retain(goes_on);
        (game, line[line.len() - 1])
    })
}

/// H1, step by step: a king walks over an empty board until it stands on one
/// of the four squares.
fn steps_to_the_centre(game: Game, from: Square) -> usize {
    let geometry = game.geometry();
    let centre: Vec<Square> = ["d4", "e4", "d5", "e5"]
        .iter()
        .map(|name| geometry.parse(name).unwrap())
        .collect();
    let mut seen = BTreeSet::from([from]);
    let mut steps = 0;
    while !seen.iter().any(|square| centre.contains(square)) {
        for square in seen.clone() {
            for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
                seen.extend(geometry.offset(square, x, y));
            }
        }
        steps += 1;
    }
    steps
}

/// Whether a side is Low in a position.
fn is_low(game: Game, position: &Position, colour: Colour) -> bool {
    let steps = |colour| {
        let king = position.board().of(Piece::new(colour, PieceType::King));
        steps_to_the_centre(game, king.first().unwrap())
    };
    let (white, black) = (steps(Colour::White), steps(Colour::Black));
    match colour {
        Colour::White => white >= black,
        Colour::Black => black > white,
    }
}

/// H7, from the diagrams before and after the turn.
fn looks_vital(game: Game, before: &Position, after: &Position) -> bool {
    let geometry = game.geometry();
    let mover = before.turn();
    let pawns = |position: &Position| position.board().of(Piece::new(mover, PieceType::Pawn));
    let captured = before.board().occupied().len() != after.board().occupied().len();
    let ahead = if mover == Colour::White { 1 } else { -1 };
    let stands = before.ep().is_some_and(|ep| {
        [-1, 1].into_iter().any(|side| {
            let from = geometry.offset(ep, side, -ahead);
            from.is_some_and(|from| pawns(before).contains(from))
        })
    });
    captured || pawns(before) != pawns(after) || stands
}

/// H3-H5 for one turn, by the letter.
fn recount(game: Game, before: &Position, after: &Position) -> Vitality {
    let rules = game.vitality_rules().unwrap();
    let mover = before.turn();
    let mut points: BTreeMap<Colour, u8> = Colour::BOTH
        .map(|colour| (colour, before.vitality().unwrap().of(colour)))
        .into();
    if looks_vital(game, before, after) {
        points.insert(mover, rules.full().white);
        if rules.restores() == Restores::Both {
            points.insert(mover.other(), rules.full().white);
        }
    } else if is_low(game, after, mover) {
        *points.get_mut(&mover).unwrap() -= 1;
    }
    Vitality {
        white: points[&Colour::White],
        black: points[&Colour::Black],
    }
}

/// The position seen through a symmetry of the board, counters and all.
fn image(game: Game, position: &Position, transform: Transform) -> Position {
    let apply = |square| game.geometry().apply(transform, square);
    let setup = position.setup();
    let mut other = Setup {
        ep: setup.ep.map(apply),
        ..setup
    };
    other.board = retrograde_rules::Board::empty();
    for (piece, square) in setup.board.pieces() {
        other.board.set(apply(square), Some(piece));
    }
    Position::new(game, &other).unwrap()
}

fn image_of_move(game: Game, mv: Move, transform: Transform) -> Move {
    let apply = |square| game.geometry().apply(transform, square);
    Move {
        from: apply(mv.from),
        to: apply(mv.to),
        captured: mv.captured.map(apply),
        ..mv
    }
}

/// Whether there is still a game to play: an exhausted one has no FEN.
fn goes_on(position: &Position) -> bool {
    let left = position.vitality().unwrap();
    left.white > 0 && left.black > 0
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn counters_are_as_recounted((game, position) in any_position()) {
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            let name = position.uci(mv);
            let vital = looks_vital(game, &position, &after);
            prop_assert_eq!(rules().is_vital(&position, mv), vital, "{}", name);
            let mover = position.turn();
            let low = is_low(game, &after, mover);
            prop_assert_eq!(rules().is_high(&after, mover), !low);
            let toll = match (vital, low) {
                (true, _) => Toll::Vital,
                (false, false) => Toll::Free,
                (false, true) => Toll::Paid,
            };
            prop_assert_eq!(rules().toll(&position, mv), toll, "{}", name);
            let counters = recount(game, &position, &after);
            prop_assert_eq!(after.vitality(), Some(counters), "{}", name);
        }
    }

    #[test]
    fn moves_are_those_of_orthodox_chess_and_the_pass((game, position) in any_open_position()) {
        let setup = Setup { vitality: None, ..position.setup() };
        let orthodox = Position::new(Game::default(), &setup).unwrap();
        let mut expected = orthodox.legal_moves().to_vec();
        let mut found = position.legal_moves().to_vec();
        let passes = found.iter().filter(|mv| mv.is_pass()).count();
        // Check, found by walking: the other side could take the king.
        let other = Setup { turn: position.turn().other(), ep: None, ..setup };
        let anyhow = retrograde_rules::Forgive::OPPOSITE_CHECK;
        let other = Position::forgiving(Game::default(), &other, anyhow).unwrap();
        let in_check = king_can_be_taken(game, &other);
        prop_assert_eq!(passes, usize::from(!in_check));
        prop_assert_eq!(position.is_check(), in_check);
        found.retain(|mv| !mv.is_pass());
        found.sort();
        expected.sort();
        prop_assert_eq!(&found, &expected);
        let mate = in_check && expected.is_empty();
        prop_assert_eq!(position.end(), mate.then_some(End::Checkmate));
    }

    #[test]
    fn moves_lead_to_positions((game, position) in any_position()) {
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
            prop_assert!(!king_can_be_taken(game, &after), "{}", position.uci(mv));
            let moves = after.legal_moves();
            let end = after.end();
            prop_assert_eq!(end, after.end_with(&moves));
            // There is no way to be without a move but at the end.
            prop_assert_eq!(moves.is_empty(), end.is_some());
            let mover = position.turn();
            if goes_on(&after) {
                prop_assert_eq!(Position::new(game, &after.setup()).unwrap(), after);
                prop_assert_ne!(end, Some(End::Exhaustion));
            } else {
                prop_assert_eq!(after.vitality().unwrap().of(mover), 0);
                let rested = Setup { vitality: None, ..after.setup() };
                let rested = Position::new(game, &rested).unwrap();
                let mate = rested.end() == Some(End::Checkmate);
                let expected = if mate { End::Checkmate } else { End::Exhaustion };
                prop_assert_eq!(end, Some(expected));
            }
            if let Some(end) = end {
                let mated = end == End::Checkmate;
                let winner = if mated { mover } else { mover.other() };
                prop_assert_eq!(end.winner(after.turn()), Some(winner));
            }
        }
    }

    #[test]
    fn the_board_may_be_turned((game, position) in any_open_position()) {
        let symmetry = game.symmetry(&position.material());
        let symmetries: Vec<Transform> = symmetry.transforms().collect();
        prop_assert_eq!(symmetries.len() == 8, !position.material().has_pawns());
        for transform in symmetries {
            let other = image(game, &position, transform);
            prop_assert_eq!(other.end(), position.end());
            let mut moves = Vec::new();
            for &mv in &position.legal_moves() {
                let there = image_of_move(game, mv, transform);
                prop_assert_eq!(rules().toll(&other, there), rules().toll(&position, mv));
                let after = (position.play(mv), other.play(there));
                prop_assert_eq!(after.0.vitality(), after.1.vitality());
                prop_assert_eq!(after.0.end(), after.1.end());
                moves.push(there);
            }
            let mut others = other.legal_moves().to_vec();
            moves.sort();
            others.sort();
            prop_assert_eq!(moves, others);
        }
    }

    /// Swapping the colours keeps moves and counters, but at equal distances
    /// not who is High: then, and only then, the other side pays (H1).
    #[test]
    fn colours_are_not_treated_alike((game, position) in any_open_position()) {
        let mirrored = position.setup().mirrored(game.geometry());
        let other = Position::new(game, &mirrored).unwrap();
        let back = other.setup().mirrored(game.geometry());
        prop_assert_eq!(Position::new(game, &back).unwrap(), position);
        prop_assert_eq!(other.legal_moves().len(), position.legal_moves().len());
        for &mv in &position.legal_moves() {
            let there = image_of_move(game, mv, Transform::FLIP_RANKS);
            let after = position.play(mv);
            let [white, black] = Colour::BOTH.map(|colour| {
                let king = after.board().of(Piece::new(colour, PieceType::King));
                rules().distance(king.first().unwrap())
            });
            let (here, there) = (rules().toll(&position, mv), rules().toll(&other, there));
            let differ = here != Toll::Vital && white == black;
            prop_assert_eq!(here != there, differ, "{}", position.uci(mv));
        }
    }

    /// H8: at most seven turns in a row are free, as each must lower a
    /// distance, and vital moves run out; so every game ends.
    #[test]
    fn every_game_ends((game, start) in any_position(), seed in any::<u64>()) {
        let mut position = start;
        let (mut state, mut free, mut plies) = (seed | 1, 0, 0);
        // Ten pieces make at most 8 captures and 8 * 6 pawn moves, and a double
        // step makes at most one more turn vital; between vital moves both
        // counters run down, with seven free turns before each paid one.
        let full = usize::from(game.full_vitality().unwrap().white);
        let most = (8 + 2 * 8 * 6 + 1) * (2 * full * 8 + 8);
        loop {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let mv = moves[(state >> 33) as usize % moves.len()];
            free = match rules().toll(&position, mv) {
                Toll::Free => free + 1,
                _ => 0,
            };
            prop_assert!(free <= 7);
            position = position.play(mv);
            plies += 1;
            prop_assert!(plies <= most);
        }
        prop_assert!(position.end().is_some());
    }

    #[test]
    fn texts_round_trip((game, position) in any_position()) {
        for &mv in &position.legal_moves() {
            prop_assert_eq!(position.parse_uci(&position.uci(mv)), Ok(mv));
            let san = position.san(mv);
            prop_assert_eq!(position.parse_san(&san), Ok(mv), "{}", san);
        }
        let fen = position.fen();
        if goes_on(&position) {
            prop_assert_eq!(Position::from_fen(game, &fen).unwrap(), position);
            let epd = Epd { setup: position.setup(), operations: Vec::new() };
            prop_assert_eq!(Epd::parse(game, &epd.text(game)).unwrap(), epd);
        } else {
            prop_assert!(Position::from_fen(game, &fen).is_err());
        }
        prop_assert_eq!(Game::parse(&game.id()), Ok(game));
    }

    #[test]
    fn no_text_makes_reading_panic(
        (game, position) in any_position(),
        text in "\\PC{0,40}",
        options in "(vital-restores|vitality|x)?=?(mover|both|[0-9]{0,3})(,vitality=[0-9]{1,2})?",
        at in any::<prop::sample::Index>(),
        junk in "[ /0-9a-zK+é\"-]{0,3}",
    ) {
        let _ = Setup::from_fen(game, &text);
        let _ = Epd::parse(game, &text);
        let _ = position.parse_uci(&text);
        let _ = position.parse_san(&text);
        if let Ok(read) = Game::parse(&format!("high-chess:{options}")) {
            prop_assert_eq!(Game::parse(&read.id()), Ok(read));
        }
        let fen = position.fen();
        let at = at.index(fen.len());
        let end = (at + junk.len() / 2).min(fen.len());
        let broken = format!("{}{junk}{}", &fen[..at], &fen[end..]);
        if let Err(error) = Setup::from_fen(game, &broken) {
            prop_assert!(broken.is_char_boundary(error.offset));
        } else if let Ok(read) = Position::from_fen(game, &broken) {
            prop_assert_eq!(Position::from_fen(game, &read.fen()), Ok(read));
        }
    }
}
