//! Moves from the arrays and from positions with castling rights, held against
//! published counts and against a second, naive generator.

use proptest::prelude::*;
use retrograde_rules::Position;

use crate::castling::game;
use crate::castling::naive::{Kind, State};

const GAMES: [(&str, Kind); 9] = [
    ("orthodox", Kind::Orthodox),
    ("high-chess", Kind::HighChess),
    ("kings", Kind::Kings),
    ("wild9", Kind::Wild9),
    ("extinction-mating", Kind::Mating),
    ("extinction", Kind::Extinction),
    ("kings:board=10x8", Kind::Kings),
    ("kings:board=10x10", Kind::Kings),
    ("kings:board=10x10,chancellor=on", Kind::Kings),
];

/// A position for the naive generator.
fn read(id: &str, kind: Kind, fen: &str) -> State {
    let state = State::read(kind, fen);
    if id.contains("chancellor=on") {
        state.with_chancellors()
    } else {
        state
    }
}

/// A FEN without its clocks.
fn diagram(position: &Position) -> String {
    let fen = position.fen();
    let fields: Vec<&str> = fen.split(' ').collect();
    fields[..fields.len() - 2].join(" ")
}

/// The lines of play of a number of plies, compared move by move.
fn compare(position: &Position, state: &State, depth: u32) {
    assert_eq!(diagram(position), state.fen());
    if depth == 0 {
        return;
    }
    let mut moves: Vec<_> = position
        .legal_moves()
        .iter()
        .map(|&mv| (position.uci(mv), position.play(mv)))
        .collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    let others = state.moves();
    let names = |moves: &[(String, Position)]| -> Vec<String> {
        moves.iter().map(|(name, _)| name.clone()).collect()
    };
    let other_names: Vec<String> = others.iter().map(|(name, _)| name.clone()).collect();
    assert_eq!(names(&moves), other_names, "{}", state.fen());
    for ((_, after), (_, other)) in moves.iter().zip(&others) {
        compare(after, other, depth - 1);
    }
}

#[test]
fn from_the_arrays() {
    for (id, kind) in GAMES {
        let game = game(id);
        let array = game.array();
        compare(&array, &read(id, kind, &array.fen()), 2);
    }
}

/// Castling to both sides, through attacks, after captures of rooks and by
/// kings of any rank.
#[test]
fn from_busy_positions() {
    for (id, kind, depth, fen) in [
        (
            "orthodox",
            Kind::Orthodox,
            2,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        ),
        (
            "high-chess",
            Kind::HighChess,
            2,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 2+1",
        ),
        (
            "extinction-mating",
            Kind::Mating,
            2,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        ),
        (
            "extinction",
            Kind::Extinction,
            2,
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -",
        ),
        (
            "kings",
            Kind::Kings,
            3,
            "r2kk2r/1b4b1/8/8/8/8/1B4B1/R2KK2R w ADEHadeh -",
        ),
        (
            "kings",
            Kind::Kings,
            3,
            "r2kk2r/pp4Pp/8/3N4/4n3/8/PP4pP/R2KK2R w ADEHadeh -",
        ),
        (
            "kings",
            Kind::Kings,
            3,
            "r3k2r/3k4/8/8/8/8/4K3/R2K3R w ADHaeh -",
        ),
        (
            "kings:board=10x8",
            Kind::Kings,
            2,
            "r3kk3r/1b6b1/10/10/10/10/1B6B1/R3KK3R w AEFJaefj -",
        ),
        (
            "kings:board=10x10,chancellor=on",
            Kind::Kings,
            2,
            "10/r3k4r/1b3k2b1/10/10/10/10/1B2K3C1/R4K3R/10 w AFJaej -",
        ),
        (
            "wild9",
            Kind::Wild9,
            3,
            "r3kk1r/1b4b1/8/8/8/8/1B4B1/R3KK1R w Qq -",
        ),
    ] {
        let game = game(id);
        let position = crate::castling::position(game, fen);
        compare(&position, &read(id, kind, fen), depth);
    }
}

/// A game from an array of which some pieces are missing, so that there is room
/// to castle, and what is played in it.
fn any_game() -> impl Strategy<Value = (usize, u64, Vec<prop::sample::Index>)> {
    let choices = prop::collection::vec(any::<prop::sample::Index>(), 0..40);
    (0..GAMES.len(), any::<u64>(), choices)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn along_any_game((index, missing, choices) in any_game()) {
        let (id, kind) = GAMES[index];
        let game = game(id);
        let mut setup = game.array().setup();
        for square in game.geometry().all() {
            let piece = setup.board.piece_at(square);
            let stays = piece.is_none_or(|piece| {
                matches!(piece.piece_type, retrograde_rules::PieceType::King | retrograde_rules::PieceType::Rook)
            });
            if !stays && missing >> (square.0 % 64) & 1 != 0 {
                setup.board.set(square, None);
            }
        }
        let Ok(mut position) = Position::new(game, &setup) else {
            return Ok(());
        };
        let mut state = read(id, kind, &position.fen());
        for choice in choices {
            compare(&position, &state, 1);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            // A king's or a rook's move now and then, and castling when it is
            // there, so that rights come into play.
            let mv = *choice.get(&moves);
            for &mv in &moves {
                let san = position.san(mv);
                prop_assert_eq!(position.parse_san(&san), Ok(mv), "{}", san);
            }
            let name = position.uci(mv);
            position = position.play(mv);
            state = state.moves().into_iter().find(|(other, _)| *other == name).unwrap().1;
            prop_assert_eq!(Position::new(game, &position.setup()).unwrap().castling(), position.castling());
        }
    }
}

/// The counts of the files again, by the naive generator, as far as it gets
/// in a reasonable time.
#[test]
fn files_of_counts() {
    for (id, kind, text) in [
        (
            "orthodox",
            Kind::Orthodox,
            include_str!("../perft/castling/orthodox.txt"),
        ),
        (
            "high-chess",
            Kind::HighChess,
            include_str!("../perft/castling/high-chess.txt"),
        ),
        (
            "kings",
            Kind::Kings,
            include_str!("../perft/castling/kings.txt"),
        ),
        (
            "wild9",
            Kind::Wild9,
            include_str!("../perft/castling/wild9.txt"),
        ),
        (
            "extinction-mating",
            Kind::Mating,
            include_str!("../perft/castling/extinction-mating.txt"),
        ),
        (
            "extinction",
            Kind::Extinction,
            include_str!("../perft/castling/extinction.txt"),
        ),
    ] {
        let mut compared = 0;
        for line in text
            .lines()
            .filter(|line| !line.is_empty() && !line.starts_with('#'))
        {
            let (fen, counts) = line.split_once(';').unwrap();
            let position = crate::castling::position(game(id), fen);
            let state = read(id, kind, &position.fen());
            for count in counts.split(';') {
                let (depth, nodes) = count.trim()[1..].split_once(' ').unwrap();
                let nodes: u64 = nodes.trim().parse().unwrap();
                if nodes <= 20_000 {
                    assert_eq!(state.perft(depth.parse().unwrap()), nodes, "{id} {fen}");
                    compared += 1;
                }
            }
        }
        assert!(compared >= 3, "{id}");
    }
}
