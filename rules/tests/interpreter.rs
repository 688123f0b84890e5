//! Compares positions, moves and ends with those of the naive interpreter (`oracle/`).
//!
//! It reads the definitions of the games by itself and shares no code with this crate.

use proptest::prelude::*;
use retrograde_oracle::{Game as Naive, Position as Other, Side};
use retrograde_rules::{Colour, Game, Position, Setup};

use crate::common::{any_colour, any_game, any_line, any_pieces, games};
use crate::perft::{FILES, read};

/// A game as the interpreter reads it.
fn naive(game: Game) -> Naive {
    let built_in = |name: &str| Some(Game::parse(name).ok()?.definition().to_owned());
    let id = game.id();
    let (_, options) = id.split_once(':').unwrap_or_default();
    let options: Vec<_> = options
        .split(',')
        .filter_map(|o| o.split_once('='))
        .collect();
    Naive::read(game.definition(), &built_in, &options).unwrap()
}

/// Compares a position, how its game ends there, and its moves, so many plies deep.
fn compare(position: &Position, naive: &Naive, other: &Other, depth: u32) {
    let fen = position.fen();
    assert_eq!(fen, naive.fen(other));
    let side = |colour| match colour {
        Colour::White => Side::White,
        Colour::Black => Side::Black,
    };
    let winner = |end: retrograde_rules::End| end.winner(position.turn()).map(side);
    let end = naive.end(other).map(|end| end.winner);
    assert_eq!(position.end().map(winner), end, "{fen}");
    assert_eq!(position.is_check(), naive.is_check(other), "{fen}");
    if depth == 0 {
        return;
    }
    let moves = position.legal_moves();
    let mut moves: Vec<_> = moves.iter().map(|&mv| (position.uci(mv), mv)).collect();
    let others = naive.moves(other).into_iter();
    let mut others: Vec<_> = others.map(|(mv, next)| (naive.text(&mv), next)).collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    others.sort_by(|a, b| a.0.cmp(&b.0));
    let names = moves.iter().map(|(name, _)| name);
    assert!(
        names.eq(others.iter().map(|(name, _)| name)),
        "{fen}: {moves:?}"
    );
    for ((_, mv), (_, next)) in moves.iter().zip(&others) {
        compare(&position.play(*mv), naive, next, depth - 1);
    }
}

/// Reads a FEN and compares what it leads to.
fn compare_fen(game: Game, fen: &str, depth: u32) {
    let (position, naive) = (Position::from_fen(game, fen), naive(game));
    let position = position.unwrap_or_else(|error| panic!("{fen}: {error}"));
    compare(&position, &naive, &naive.position(fen).unwrap(), depth);
}

#[test]
fn from_the_arrays() {
    for &game in games() {
        compare_fen(game, &game.array().fen(), 2);
    }
}

/// Castling to both sides, through attacks, after captures of rooks and by kings of any rank.
#[test]
fn from_busy_positions() {
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq -";
    let waning = format!("{kiwipete} 2+1");
    for (id, depth, fen) in [
        ("orthodox", 2, kiwipete),
        ("high-chess", 2, &waning),
        ("extinction-mating", 2, kiwipete),
        ("extinction", 2, kiwipete),
        ("kings", 3, "r2kk2r/1b4b1/8/8/8/8/1B4B1/R2KK2R w ADEHadeh -"),
        (
            "kings",
            3,
            "r2kk2r/pp4Pp/8/3N4/4n3/8/PP4pP/R2KK2R w ADEHadeh -",
        ),
        ("kings", 3, "r3k2r/3k4/8/8/8/8/4K3/R2K3R w ADHaeh -"),
        (
            "kings:board=10x8",
            2,
            "r3kk3r/1b6b1/10/10/10/10/1B6B1/R3KK3R w AEFJaefj -",
        ),
        (
            "kings:board=10x10,chancellor=on",
            2,
            "10/r3k4r/1b3k2b1/10/10/10/10/1B2K3C1/R4K3R/10 w AFJaej -",
        ),
        ("wild9", 3, "r3kk1r/1b4b1/8/8/8/8/1B4B1/R3KK1R w Qq -"),
    ] {
        compare_fen(Game::parse(id).unwrap(), fen, depth);
    }
}

/// The positions and counts of the files, as far as the interpreter gets in a reasonable time.
#[test]
fn files_of_counts() {
    for (id, text) in FILES {
        let game = Game::parse(id).unwrap();
        let naive = naive(game);
        for case in read(text) {
            let other = naive
                .position(case.fen)
                .unwrap_or_else(|e| panic!("{}: {e}", case.fen));
            compare(
                &Position::from_fen(game, case.fen).unwrap(),
                &naive,
                &other,
                1,
            );
            for (depth, nodes) in case
                .counts
                .into_iter()
                .filter(|(_, nodes)| *nodes <= 20_000)
            {
                assert_eq!(naive.perft(&other, depth), nodes, "{id}: {}", case.fen);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// Random play from few men, often with a double step that may be answered en passant.
    #[test]
    fn along_any_line(line in any_line(any_game())) {
        let naive = naive(line[0].game());
        let mut other = naive.position(&line[0].fen()).unwrap();
        for (position, next) in line.iter().zip(&line[1..]) {
            compare(position, &naive, &other, 1);
            let found = naive.moves(&other).into_iter();
            other = found.map(|(_, after)| after).find(|o| naive.fen(o) == next.fen()).unwrap();
        }
        compare(&line[line.len() - 1], &naive, &other, 1);
    }

    /// A game from an array of which some men are missing, so that there is room to castle.
    #[test]
    fn along_any_game(
        game in any_game(),
        missing in any::<u128>(),
        choices in prop::collection::vec(any::<prop::sample::Index>(), 0..40),
    ) {
        let naive = naive(game);
        let mut setup = game.array().setup();
        for (piece, square) in game.array().board().pieces() {
            if !"KRkr".contains(piece.letter()) && missing >> square.0 & 1 != 0 {
                setup.board.set(square, None);
            }
        }
        let Ok(mut position) = Position::new(game, &setup) else { return Ok(()) };
        let mut other = naive.position(&position.fen()).unwrap();
        for choice in choices {
            compare(&position, &naive, &other, 1);
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            for &mv in &moves {
                let san = position.san(mv);
                prop_assert_eq!(position.parse_san(&san), Ok(mv), "{}", san);
            }
            let mv = *choice.get(&moves);
            other = naive.play(&other, &position.uci(mv)).unwrap();
            position = position.play(mv);
            if position.end().is_none() {
                let castling = Position::new(game, &position.setup()).unwrap().castling();
                prop_assert_eq!(castling, position.castling());
            }
        }
    }

    /// Men and rights to capture en passant as they fall: which of that are positions.
    #[test]
    fn whatever_is_no_position(
        (game, men) in any_game().prop_flat_map(|game| (Just(game), any_pieces(game))),
        turn in any_colour(),
        passed in any::<prop::sample::Index>(),
        has_right in any::<bool>(),
    ) {
        let mut setup = Setup { turn, ..Setup::empty() };
        for (piece, square) in &men {
            setup.board.set(*square, Some(*piece));
        }
        // A pawn of the other side seems to have passed.
        let ahead = if turn == Colour::White { 1 } else { -1 };
        let pawns = setup.board.by(turn.other()).into_iter();
        let aside: &[i8] = if game.steps_aslant() { &[-1, 1] } else { &[0] };
        let passages = pawns.flat_map(|pawn| {
            let passed = aside.iter().map(move |&files| game.geometry().offset(pawn, files, ahead));
            passed.flatten().map(move |passed| (passed, pawn))
        });
        let passages: Vec<_> = passages.collect();
        if has_right && !passages.is_empty() {
            let (passed, pawn) = *passed.get(&passages);
            setup.ep = Some(passed);
            // Whether it is told or not.
            setup.ep_pawn = Some(pawn).filter(|_| game.steps_aslant() && pawn.0 % 2 == 0);
        }
        // The interpreter asks for pieces only where their loss is told.
        let is_bare = Colour::BOTH.into_iter().any(|side| setup.board.by(side).is_empty());
        if is_bare && !game.is_built_in() {
            return Ok(());
        }
        let fen = setup.fen(game);
        let (ours, naive) = (Position::from_fen(game, &fen), naive(game));
        match (ours, naive.position(&fen)) {
            (Ok(position), Ok(other)) => compare(&position, &naive, &other, 1),
            (Err(_), Err(_)) => {}
            (ours, other) => {
                prop_assert!(false, "{game} {fen}: {:?}, but {:?}", ours.err(), other.err());
            }
        }
    }
}
