//! King of the Hill, ruling by ruling (T1-T3).

use std::sync::LazyLock;

use retrograde_rules::{Colour, End, Fault, Game, Position, ReadError};

static GAME: LazyLock<Game> = LazyLock::new(|| Game::parse("king-of-the-hill").unwrap());

fn position(fen: &str) -> Position {
    Position::from_fen(*GAME, fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The end of the game in a position, and how many moves there are.
fn end(fen: &str) -> (Option<End>, usize) {
    let position = position(fen);
    (position.end(), position.legal_moves().len())
}

#[test]
fn t1_a_king_that_gets_there_has_won() {
    for (fen, uci, san) in [
        ("8/8/8/8/8/2K5/8/6k1 w - -", "c3d4", "Kd4#"),
        ("8/8/8/5k2/8/8/8/K7 b - -", "f5e4", "Ke4#"),
        // Also by a capture, and with the other king in check.
        ("8/8/8/2k5/3N4/8/8/K7 b - -", "c5d4", "Kxd4#"),
        ("8/8/2k5/8/8/2K5/8/2R5 w - -", "c3d4", "Kd4#"),
    ] {
        let before = position(fen);
        let mv = before.parse_uci(uci).unwrap();
        assert_eq!(before.san(mv), san);
        let after = before.play(mv);
        assert_eq!(after.end(), Some(End::Hill));
        assert_eq!(after.finished(), Some(End::Hill));
        assert_eq!(End::Hill.winner(after.turn()), Some(before.turn()));
        assert!(after.legal_moves().is_empty());
        assert_eq!(after.perft(1), 0);
    }
    // Other pieces may stand there, and a king on other squares.
    assert_eq!(end("8/8/8/3QR3/7k/8/8/K7 w - -").0, None);
    assert_eq!(end("8/8/8/2K5/8/8/8/7k b - -").0, None);
}

#[test]
fn t1_the_move_must_be_legal() {
    // The square is attacked by a rook, by a king.
    for fen in ["3r4/8/8/8/8/2K5/8/6k1 w - -", "8/8/8/2k5/8/2K5/8/8 w - -"] {
        let before = position(fen);
        assert!(before.parse_uci("c3d4").is_err(), "{fen}");
    }
    // Finished, and no position at all.
    assert_eq!(end("8/8/8/8/4K3/8/8/k7 b - -"), (Some(End::Hill), 0));
    assert!(Position::from_fen(*GAME, "8/8/8/3K4/4k3/8/8/8 w - -").is_err());
}

#[test]
fn t2_the_hill_comes_before_mate_and_stalemate() {
    for (fen, orthodox) in [
        // Mated, stalemated, with moves left.
        ("7k/6Q1/8/4KN2/8/8/8/8 b - -", Some(End::Checkmate)),
        (
            "7k/5Q2/8/4K3/8/8/8/8 b - -",
            Some(End::Stalemate { winner: None }),
        ),
        ("7k/8/8/4K3/8/8/8/8 b - -", None),
    ] {
        let there = Position::from_fen(Game::default(), fen).unwrap();
        assert_eq!(there.end(), orthodox, "{fen}");
        assert_eq!(end(fen), (Some(End::Hill), 0), "{fen}");
    }
    // Elsewhere mate and stalemate are what they are.
    assert_eq!(end("7k/6Q1/6K1/8/8/8/8/8 b - -"), (Some(End::Checkmate), 0));
    assert_eq!(
        end("7k/5Q2/8/6K1/8/8/8/8 b - -"),
        (Some(End::Stalemate { winner: None }), 0)
    );
}

#[test]
fn t2_a_right_is_dropped_in_a_finished_position() {
    let open = "8/8/8/3pP3/8/8/8/K6k w - d6";
    assert!(position(open).ep().is_some());
    let finished = "8/8/8/3pP3/4k3/8/8/K7 w - d6";
    assert!(
        Position::from_fen(Game::default(), finished)
            .unwrap()
            .ep()
            .is_some()
    );
    assert_eq!(position(finished).ep(), None);
    assert_eq!(end(finished), (Some(End::Hill), 0));
}

#[test]
fn t2_a_game_that_was_over_before_is_no_position() {
    for fen in ["8/8/8/4K3/8/8/8/k7 w - -", "8/8/8/8/3k4/8/8/K7 b - -"] {
        let Err(ReadError::Position(error)) = Position::from_fen(*GAME, fen) else {
            panic!("{fen} is a position");
        };
        assert!(matches!(error.faults(), [Fault::OverBefore(_)]), "{error}");
        assert!(error.to_string().contains("where it has won"), "{error}");
    }
    // O6 holds for finished positions, too.
    assert!(Position::from_fen(*GAME, "8/8/8/4K2r/8/8/8/k7 b - -").is_err());
}

/// T3, square by square.
#[test]
fn t3_two_kings() {
    let kings = [Colour::White, Colour::Black]
        .map(|colour| retrograde_rules::Piece::new(colour, retrograde_rules::PieceType::King));
    let (mut positions, mut finished) = (0, 0);
    for white in GAME.geometry().all() {
        for black in GAME.geometry().all() {
            let pieces = [(kings[0], white), (kings[1], black)];
            if let Some(position) = Position::from_pieces(*GAME, pieces, Colour::Black) {
                positions += 1;
                finished += u32::from(position.end() == Some(End::Hill));
            }
        }
    }
    assert_eq!((positions, finished), (3392, 220));
}
