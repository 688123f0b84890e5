//! Diagrams that are no positions of the game, and what is found about them.

use retrograde_rules::{
    Colour, End, EpFault, Fault, Forgive, Game, Material, Piece, PieceType, Position, ReadError,
    Setup, Square, SquareSet,
};

fn square(name: &str) -> Square {
    Game::default().geometry().parse(name).unwrap()
}

fn set(names: &[&str]) -> SquareSet {
    names.iter().map(|name| square(name)).collect()
}

#[track_caller]
fn check(fen: &str, faults: &[Fault], words: &[&str]) {
    match Position::from_fen(Game::default(), fen) {
        Err(ReadError::Position(error)) => {
            assert_eq!(error.faults(), faults, "{fen}");
            let message = error.to_string();
            for word in words {
                assert!(message.contains(word), "{fen}: {message}");
            }
        }
        other => panic!("{fen}: {other:?}"),
    }
    // Both colours are treated alike.
    let mirrored = Setup::from_fen(Game::default(), fen)
        .unwrap()
        .mirrored(Game::default().geometry());
    let error = Position::new(Game::default(), &mirrored).unwrap_err();
    assert_eq!(error.faults().len(), faults.len());
}

#[test]
fn kings_are_one_a_side() {
    check(
        "8/8/8/8/8/8/8/4K3 w - -",
        &[Fault::NoKing(Colour::Black)],
        &["black has no king"],
    );
    check(
        "8/8/8/8/8/8/8/8 w - -",
        &[Fault::NoKing(Colour::White), Fault::NoKing(Colour::Black)],
        &["white has no king", "black has no king"],
    );
    check(
        "4k3/8/8/8/8/8/8/K3K2K w - -",
        &[Fault::ManyKings {
            colour: Colour::White,
            squares: set(&["a1", "e1", "h1"]),
        }],
        &["white has 3 kings (a1, e1, h1)"],
    );
}

#[test]
fn pawns_stay_off_the_outer_ranks() {
    check(
        "p3k3/8/8/8/8/8/8/4K2P w - -",
        &[Fault::PawnRank(set(&["a8", "h1"]))],
        &["(h1, a8)"],
    );
}

#[test]
fn the_side_not_to_move_is_not_in_check() {
    let fen = "4k3/8/8/8/8/8/4R3/4K3 w - -";
    let fault = Fault::OppositeCheck {
        colour: Colour::Black,
        royals: set(&["e8"]),
    };
    check(
        fen,
        &[fault],
        &["black is in check (e8)", "not black's move"],
    );
    check(
        "8/8/8/8/8/3k4/4K3/8 b - -",
        &[Fault::OppositeCheck {
            colour: Colour::White,
            royals: set(&["e2"]),
        }],
        &["white is in check"],
    );
    let setup = Setup::from_fen(Game::default(), fen).unwrap();
    assert!(Position::forgiving(Game::default(), &setup, Forgive::EN_PASSANT).is_err());
    assert!(Position::forgiving(Game::default(), &setup, Forgive::OPPOSITE_CHECK).is_ok());
}

#[test]
fn every_fault_is_reported() {
    check(
        "4k2P/8/8/8/8/8/4R3/8 w - e6",
        &[
            Fault::PawnRank(set(&["h8"])),
            Fault::NoKing(Colour::White),
            Fault::OppositeCheck {
                colour: Colour::Black,
                royals: set(&["e8"]),
            },
            Fault::EnPassant {
                square: square("e6"),
                fault: EpFault::NoPusher(square("e5")),
            },
        ],
        &["; also, "],
    );
}

#[test]
fn an_ep_square_beyond_the_board_is_refused() {
    for name in Game::names() {
        let game = Game::parse(name).unwrap();
        let array = game.array().setup();
        for number in game.geometry().squares()..256 {
            let setup = Setup {
                ep: Some(Square(number as u8)),
                ..array
            };
            assert!(Position::new(game, &setup).is_err(), "{name}: {number}");
        }
    }
}

#[test]
fn impossible_ep_squares_are_refused() {
    for (fen, ep, fault) in [
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d5", "d5", EpFault::Rank),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d3", "d3", EpFault::Rank),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d8", "d8", EpFault::Rank),
        ("4k3/8/8/3pP3/8/8/8/4K3 b - d6", "d6", EpFault::Rank),
        ("4k3/8/3n4/3pP3/8/8/8/4K3 w - d6", "d6", EpFault::Occupied),
        (
            "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6",
            "d6",
            EpFault::Origin(square("d7")),
        ),
        (
            "4k3/8/8/3nP3/8/8/8/4K3 w - d6",
            "d6",
            EpFault::NoPusher(square("d5")),
        ),
        (
            "4k3/8/8/3PP3/8/8/8/4K3 w - d6",
            "d6",
            EpFault::NoPusher(square("d5")),
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - d6",
            "d6",
            EpFault::NoPusher(square("d5")),
        ),
    ] {
        let fault = Fault::EnPassant {
            square: square(ep),
            fault,
        };
        check(fen, &[fault], &[ep, "write -"]);
        let setup = Setup::from_fen(Game::default(), fen).unwrap();
        let forgiven = Position::forgiving(Game::default(), &setup, Forgive::EN_PASSANT).unwrap();
        assert_eq!(forgiven.ep(), None);
    }
}

#[test]
fn pieces_and_squares_of_other_games_are_refused() {
    let mut setup = Setup::from_fen(Game::default(), "4k3/8/8/8/8/8/8/4K3 w - -").unwrap();
    setup.ep = Some(Square(100));
    let error = Position::new(Game::default(), &setup).unwrap_err();
    assert!(matches!(error.faults(), [Fault::EnPassant { .. }]));
    setup.ep = None;
    let paladin = Piece::new(Colour::White, PieceType::Paladin);
    setup.board.set(square("c3"), Some(paladin));
    setup.board.set(
        Square(64),
        Some(Piece::new(Colour::White, PieceType::Queen)),
    );
    setup.board.set(Square(127), Some(paladin));
    let error = Position::new(Game::default(), &setup).unwrap_err();
    let foreign = Fault::ForeignPiece {
        piece: paladin,
        square: square("c3"),
    };
    assert_eq!(error.faults(), [Fault::OffBoard, foreign]);
}

#[test]
fn pieces_on_squares_are_checked_too() {
    let piece = |letter: char| Piece::from_letter(letter).unwrap();
    let from = |pieces: &[(char, &str)], turn| {
        let pieces = pieces.iter().map(|&(m, s)| (piece(m), square(s)));
        Position::from_pieces(Game::default(), pieces, turn)
    };
    let good = [('K', "a1"), ('R', "b7"), ('k', "c8")];
    let position = from(&good, Colour::White).unwrap();
    assert_eq!(position.fen(), "2k5/1R6/8/8/8/8/8/K7 w - - 0 1");
    assert!(from(&good, Colour::Black).is_some());
    for bad in [
        &[('K', "a1"), ('R', "a1"), ('k', "c8")][..],
        &[('K', "a1"), ('R', "c1"), ('k', "c8")],
        &[('K', "a1"), ('k', "b2")],
        &[('K', "a1"), ('R', "a2")],
        &[('K', "a1"), ('K', "a3"), ('k', "c8")],
        &[('K', "a1"), ('P', "h8"), ('k', "c8")],
        &[('K', "a1"), ('A', "h7"), ('k', "c8")],
    ] {
        assert_eq!(from(bad, Colour::White), None, "{bad:?}");
    }
    let off_board = [(piece('K'), Square(0)), (piece('k'), Square(64))];
    assert_eq!(
        Position::from_pieces(Game::default(), off_board, Colour::White),
        None
    );
    let nowhere = [(piece('K'), Square(0)), (piece('k'), Square(255))];
    assert_eq!(
        Position::from_pieces(Game::default(), nowhere, Colour::White),
        None
    );
}

#[test]
fn games_end_by_mate_and_stalemate() {
    for (fen, check, end) in [
        ("k7/1Q6/1K6/8/8/8/8/8 b - -", true, Some(End::Checkmate)),
        (
            "k7/2Q5/1K6/8/8/8/8/8 b - -",
            false,
            Some(End::Stalemate { winner: None }),
        ),
        (
            "k7/2Q5/2K5/8/8/8/8/8 b - -",
            false,
            Some(End::Stalemate { winner: None }),
        ),
        ("k7/1Q6/8/1K6/8/8/8/8 b - -", true, None),
        ("k7/8/1K6/8/8/8/8/7R b - -", false, None),
    ] {
        let position = Position::from_fen(Game::default(), fen).unwrap();
        assert_eq!(position.is_check(), check, "{fen}");
        assert_eq!(position.end(), end, "{fen}");
        assert_eq!(position.legal_moves().is_empty(), end.is_some());
    }
    assert_eq!(End::Checkmate.winner(Colour::Black), Some(Colour::White));
    assert_eq!(End::Stalemate { winner: None }.winner(Colour::Black), None);
}

#[test]
fn clocks_run_and_start_again() {
    let mut position =
        Position::from_fen(Game::default(), "4k3/8/8/3p4/8/8/4P3/4K2R b - - 7 20").unwrap();
    for (uci, halfmoves, fullmoves, ep) in [
        ("e8e7", 8, 21, None),
        ("h1h2", 9, 21, None),
        ("d5d4", 0, 22, None),
        ("e2e4", 0, 22, Some("e3")),
        ("d4e3", 0, 23, None),
        ("h2h3", 1, 23, None),
        ("e3e2", 0, 24, None),
        ("h3h2", 1, 24, None),
        ("e7e6", 2, 25, None),
        ("h2e2", 0, 25, None),
    ] {
        let mv = position.parse_uci(uci).unwrap();
        position = position.play(mv);
        assert_eq!(position.halfmoves(), halfmoves, "{uci}");
        assert_eq!(position.fullmoves(), fullmoves, "{uci}");
        assert_eq!(position.ep(), ep.map(square), "{uci}");
    }
    assert_eq!(position.material().to_string(), "KRvK");
}

#[test]
fn many_moves_fit() {
    // The most moves that a position from the array is known to have.
    let fen = "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - -";
    let position = Position::from_fen(Game::default(), fen).unwrap();
    assert_eq!(position.legal_moves().len(), 218);
}

#[test]
fn a_forced_capture_en_passant_is_no_stalemate() {
    let fen = "8/8/8/1p6/kPp5/2P5/K7/4B3 b - b3";
    let position = Position::from_fen(Game::default(), fen).unwrap();
    let moves = position.legal_moves();
    let names: Vec<String> = moves.iter().map(|&mv| position.uci(mv)).collect();
    assert_eq!(names, ["c4b3"]);
    assert_eq!(position.end(), None);
    let without = Position::from_fen(Game::default(), &fen.replace("b3", "-")).unwrap();
    assert_eq!(without.end(), Some(End::Stalemate { winner: None }));
}

/// That it has ended is found in a quicker way than by listing all moves.
#[test]
fn a_position_has_ended_if_it_has_no_move() {
    for &game in Game::all() {
        let squares: Vec<Square> = game.geometry().all().collect();
        let n = squares.len();
        let mut ends = 0;
        for name in ["KQvK", "KPvK", "KvKP"] {
            let material = Material::parse(game, name).unwrap();
            let pieces: Vec<Piece> = material.pieces().collect();
            for number in 0..2 * n.pow(3) {
                let turn = Colour::BOTH[number % 2];
                let places = [number / 2 % n, number / 2 / n % n, number / 2 / n / n];
                let placed = pieces.iter().copied().zip(places.map(|at| squares[at]));
                let Some(position) = Position::from_pieces(game, placed, turn) else {
                    continue;
                };
                let end = position.end();
                let from_moves = position.end_with(&position.legal_moves());
                assert_eq!(end, from_moves, "{} {position}", game.id());
                ends += u32::from(end.is_some());
            }
        }
        // Elsewhere a game ends by a capture, which a diagram does not show.
        assert_eq!(ends > 0, game.goal().check_forbids_moves(), "{}", game.id());
    }
}

#[test]
fn dead_positions_are_those_of_the_list() {
    for (board, dead) in [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KB2", true),
        ("4k1n1/8/8/8/8/8/8/4K3", true),
        // b8 and f4 are dark, f1 is light.
        ("1b2k3/8/8/8/5B2/8/8/4K3", true),
        ("1b2k3/8/8/8/8/8/8/4KB2", false),
        // Any number of bishops, of one side or both, on one colour.
        ("4k3/8/8/8/5B2/8/1B6/4K3", true),
        ("4k3/8/8/8/8/5B2/8/3BK3", true),
        ("1b2k3/8/8/8/5B2/8/1B6/2B1K3", true),
        ("4k3/8/8/8/5B2/8/2B5/4K3", false),
        ("1b2k3/8/8/8/5B2/8/2B5/4K3", false),
        ("1b2k3/8/8/8/5B2/8/8/4KN2", false),
        ("1n2k3/8/8/8/5B2/8/8/4K3", false),
        ("1n2k3/8/8/8/5N2/8/8/4K3", false),
        ("4k3/p7/8/8/8/8/8/4K3", false),
        ("4k3/r7/8/8/8/8/8/4K3", false),
        ("4k3/q7/8/8/5B2/8/8/4K3", false),
    ] {
        let position = Position::from_fen(Game::default(), &format!("{board} w - -")).unwrap();
        assert_eq!(position.dead(), Some(dead), "{board}");
    }
}
