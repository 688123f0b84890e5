//! What holds for any position, recounted the slow way.

use proptest::prelude::*;
use retrograde_rules::{
    Colour, End, Epd, Game, Move, Piece, PieceType, Position, Restores, Setup, Toll, Transform,
    Vitality,
};

use crate::high_chess::rules;

use crate::common::any_start;

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
    fn moves_lead_to_positions((game, position) in any_position()) {
        for &mv in &position.legal_moves() {
            let after = position.play(mv);
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
