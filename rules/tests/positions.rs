//! Tests positions from diagrams that are put together, and diagrams that no text can show.

use retrograde_rules::{
    CaptureInCheck, CastlingFault, CastlingRights, Colour, Counters, EnPassant, End, Epd, Fault,
    Game, Goal, Material, Mover, Piece, PieceType, Position, Restores, Setup, Square, Symmetry,
    Transform,
};

fn square(name: &str) -> Square {
    Game::default().geometry().parse(name).unwrap()
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
fn a_position_has_ended_if_it_has_no_move() {
    for &game in Game::all() {
        let squares: Vec<Square> = game.geometry().all().collect();
        let n = squares.len();
        let mut ends = 0;
        let mates = match game.piece_type_of('Q') {
            Some(_) => "KQvK",
            None => "KRvK",
        };
        for name in [mates, "KPvK", "KvKP"] {
            // Racing kings have no pawns.
            let Ok(material) = Material::parse(game, name) else {
                continue;
            };
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
        let ends_on_board = game.goal().check_forbids_moves() && !game.lacks_royals();
        assert_eq!(ends > 0, ends_on_board, "{}", game.id());
    }
}

/// Spaces, tabs and line ends between and around the fields do not matter; four fields suffice.
#[test]
fn fields_of_a_fen() {
    let game = Game::default();
    let full = Setup::from_fen(game, "8/8/8/4k3/8/8/8/4K2R w - - 12 34").unwrap();
    let spaced = "  8/8/8/4k3/8/8/8/4K2R\tw  -   - 12 34\r\n";
    assert_eq!(Setup::from_fen(game, spaced), Ok(full));
    for (text, name) in [
        ("", "pieces"),
        ("   ", "pieces"),
        ("8/8/8/4k3/8/8/8/4K3", "side to move"),
        ("8/8/8/4k3/8/8/8/4K3 w", "castling"),
        ("8/8/8/4k3/8/8/8/4K3 w - ", "e.p. square"),
    ] {
        let error = Setup::from_fen(game, text).unwrap_err();
        assert_eq!(error.offset, text.len(), "{text}");
        let message = error.to_string();
        assert!(
            message.contains(name) && message.contains("is missing"),
            "{message}"
        );
    }
    assert_eq!(Setup::from_fen(game, "\0").unwrap_err().offset, 0);
}

#[test]
fn castling_rights_of_diagrams_are_checked() {
    let [orthodox, nine] = ["orthodox", "chess99"].map(|id| Game::parse(id).unwrap());
    let at = |game, fen| Position::from_fen(game, fen).unwrap();
    let mut setup = at(orthodox, "r3k2r/8/8/8/8/8/8/R3K2R w KQkq -").setup();
    setup.board.set(square("a8"), None);
    let error = Position::new(orthodox, &setup).unwrap_err();
    let rook = Piece::new(Colour::Black, PieceType::Rook);
    let fault = Fault::Castling(CastlingFault::Missing(rook, square("a8")));
    assert_eq!(error.faults(), [fault]);
    assert!(error.to_string().contains("no black rook stands on a8"));
    let mut foreign = at(nine, "9/9/9/9/4k4/9/9/9/4K4 w - -").setup();
    foreign.castling = setup.castling;
    let error = Position::new(nine, &foreign).unwrap_err();
    assert_eq!(error.faults(), [Fault::Castling(CastlingFault::Foreign)]);
    setup.castling = CastlingRights::NONE;
    assert!(Position::new(orthodox, &setup).is_ok());
    for &game in Game::all() {
        let array = game.array();
        let mirrored = array.setup().mirrored(game.geometry());
        // In Chess 99 and makruk a half-turn keeps the array, no mirror: the queens stand on d1 and
        // f9. Those who race stand side by side, and White's horde has no king.
        let is_kept = mirrored.board == array.setup().board;
        let others = ["chess99", "racing-kings", "makruk", "horde"];
        assert_eq!(
            mirrored.castling == array.castling(),
            game.name() != "horde",
            "{game}"
        );
        assert_eq!(is_kept, !others.contains(&game.name()), "{game}");
    }
}

/// H3: counters are from 1 to the full one; games without vitality have none and take none.
#[test]
fn counters_of_diagrams_are_checked() {
    let fen = "8/8/8/3k4/8/8/8/K6R w - -";
    for (id, full) in [
        ("high-chess", 50),
        ("high-chess:vitality=7", 7),
        ("high-chess:vitality=1", 1),
    ] {
        let game = Game::parse(id).unwrap();
        assert_eq!(game.full_vitality(), Some(Counters::both(full)));
        let at = Position::from_fen(game, fen).unwrap();
        let again = Position::from_pieces(game, at.board().pieces(), Colour::White).unwrap();
        assert_eq!(again, at);
        // A diagram without counters means full ones.
        let bare = Setup {
            counters: None,
            ..at.setup()
        };
        assert_eq!(
            (Position::new(game, &bare), bare.fen(game)),
            (Ok(at), at.fen())
        );
        let bounds = |given| {
            let made = Position::new(
                game,
                &Setup {
                    counters: Some(given),
                    ..at.setup()
                },
            );
            let set = at.with_vitality(given);
            assert_eq!(made.as_ref().ok(), set.as_ref());
            (made, set.and_then(|position| position.vitality()))
        };
        for points in [1, full] {
            assert_eq!(
                bounds(Counters::both(points)).1,
                Some(Counters::both(points))
            );
        }
        for found in [0, full + 1] {
            let faults = Colour::BOTH.map(|colour| Fault::Vitality {
                colour,
                found,
                least: 1,
                most: full,
            });
            assert_eq!(
                bounds(Counters::both(found)).0.unwrap_err().faults(),
                faults
            );
            for given in [
                Counters {
                    white: 1,
                    black: found,
                },
                Counters {
                    white: found,
                    black: 1,
                },
            ] {
                assert!(bounds(given).0.is_err());
            }
        }
    }
    let game = Game::parse("high-chess").unwrap();
    let setup = Setup::from_fen(game, &format!("{fen} 3+41")).unwrap();
    let mirrored = setup.mirrored(game.geometry());
    let swapped = Counters {
        white: 41,
        black: 3,
    };
    assert_eq!(
        (mirrored.turn, mirrored.counters),
        (Colour::Black, Some(swapped))
    );
    let at = Position::from_fen(Game::default(), fen).unwrap();
    assert_eq!(
        (at.vitality(), Game::default().full_vitality()),
        (None, None)
    );
    assert_eq!(at.with_vitality(Counters::both(1)), None);
    let error = Position::new(Game::default(), &setup).unwrap_err();
    assert_eq!(error.faults(), [Fault::ForeignVitality]);
    for (given, written) in [
        ("", " 50+50"),
        (" 3+4", " 3+4"),
        (" 3+4 bm Rh5+ --;", " 3+4 bm Rh5+ --;"),
        (" bm Rh5+;", " 50+50 bm Rh5+;"),
        (" 3+4 hmvc 5;", " 3+4 hmvc 5;"),
    ] {
        let epd = Epd::parse(game, &format!("{fen}{given}")).unwrap();
        assert_eq!(epd.text(game), format!("{fen}{written}"));
    }
    for bad in [" 3+", " 0+3 bm Rh5;", " +3", " 3+4;", " 3 4"] {
        assert!(Epd::parse(game, &format!("{fen}{bad}")).is_err(), "{bad}");
    }
}

/// C2, with each option: only whose king is attacked after the capture counts.
#[test]
fn captures_of_kings() {
    for (fen, uci, draws) in [
        // King takes king, also on a guarded square; guards that are blocked, or look elsewhere.
        ("9/9/9/9/3Kk4/9/9/9/9", "d5e5", false),
        ("9/9/9/4r4/3Kk4/9/9/9/9", "d5e5", true),
        ("9/9/9/9/3Kk4/9/3n5/9/9", "d5e5", true),
        ("9/9/9/5p3/3Kk4/9/9/9/9", "d5e5", true),
        ("9/4r4/4N4/9/3Kk4/9/9/9/9", "d5e5", false),
        ("9/9/9/9/3Kk4/5p3/9/9/9", "d5e5", false),
        // In check from the king that is taken alone; from a rook, before and after.
        ("3R5/9/9/9/9/9/9/3k5/4K4", "d9d2", false),
        ("3Rr4/9/9/9/9/9/9/3k5/4K4", "d9d2", true),
        // The capture puts a piece in the way of the rook, or the king steps out of check.
        ("4r4/9/9/4k4/9/6B2/9/9/4K4", "g4e6", false),
        ("4r4/9/9/9/9/9/9/3k5/4K4", "e1d2", false),
        // The capture uncovers check, unless it stays on the line.
        ("4r4/9/9/9/9/k3R4/9/9/4K4", "e4a4", true),
        ("4r4/4k4/9/9/9/4R4/9/9/4K4", "e4e8", false),
        // A waiting pawn counts as a paladin: not straight ahead or beside. It guards its king.
        ("9/7kR/9/9/4K4/9/9/9/p8", "i8h8", true),
        ("9/7kR/9/9/4K4/9/2N6/9/p8", "i8h8", false),
        ("9/7kR/9/9/9/9/9/2K6/p8", "i8h8", true),
        ("9/7kR/9/9/9/9/1K7/9/p8", "i8h8", true),
        ("9/7kR/9/9/9/9/9/K8/p8", "i8h8", false),
        ("9/7kR/9/9/9/9/9/9/pK7", "i8h8", false),
        ("9/9/9/9/9/9/3K5/2k6/4p4", "d3c2", true),
        // Every piece may take the king, a pawn that waits, too; a rook on the file draws.
        ("9/9/9/9/2Q1k4/9/9/9/K8", "c5e5", false),
        ("9/9/9/9/2Q1k4/9/9/9/K7r", "c5e5", true),
        ("9/9/9/3A5/9/4k4/9/9/K8", "d6e4", false),
        ("9/9/9/3A5/9/4k4/9/9/K7r", "d6e4", true),
        ("9/9/3A5/9/9/6k2/9/9/K8", "d7g4", false),
        ("9/9/3A5/9/9/6k2/9/9/K7r", "d7g4", true),
        ("9/9/9/9/9/9/4k4/6N2/K8", "g2e3", false),
        ("9/9/9/9/9/9/4k4/6N2/K7r", "g2e3", true),
        ("9/9/9/9/4k4/3P5/9/9/K8", "d4e5", false),
        ("9/9/9/9/4k4/3P5/9/9/K7r", "d4e5", true),
        ("4k4/3P5/9/9/9/9/9/9/K8", "d8e9", false),
        ("4k4/3P5/9/9/9/9/9/9/K7r", "d8e9", true),
        ("4k4/3P5/9/9/9/9/9/9/K8", "d8e9n", false),
        ("4k4/3P5/9/9/9/9/9/9/K7r", "d8e9n", true),
        ("3P5/9/4k4/9/9/9/9/9/K8", "d9=ne7", false),
        ("3P5/9/4k4/9/9/9/9/9/K7r", "d9=ne7", true),
        ("3P5/9/9/9/9/8k/9/9/K8", "d9=bi4", false),
        ("3P5/9/9/9/9/8k/9/9/K7r", "d9=bi4", true),
        ("r3k4/9/9/9/9/9/9/9/K3R4", "e1e9", true),
    ] {
        for (value, drawn) in [
            ("draw", Some(End::KingCaptureDraw)),
            ("win", Some(End::KingCapture)),
            ("loss", Some(End::KingCaptureLoss)),
            ("illegal", None),
        ] {
            let game = Game::parse(&format!("chess99:king-capture-in-check={value}")).unwrap();
            let before = Position::from_fen(game, &format!("{fen} w - -")).unwrap();
            let after = before.parse_uci(uci).map(|mv| before.play(mv));
            let expected = if draws { drawn } else { Some(End::KingCapture) };
            assert_eq!(
                after.as_ref().ok().and_then(Position::end),
                expected,
                "{fen} {uci} {value}"
            );
            // Such a game is finished, and cannot be set up.
            if let Ok(after) = after {
                let finished = (after.legal_moves().len(), after.perft(3), after.is_check());
                assert_eq!(
                    (finished, after.turn()),
                    ((0, 0, false), Colour::Black),
                    "{fen}"
                );
                let error = Position::from_fen(game, &after.fen())
                    .unwrap_err()
                    .to_string();
                assert!(error.contains("black has no king"), "{error}");
            }
        }
    }
    let winners = [End::KingCapture, End::KingCaptureDraw, End::KingCaptureLoss]
        .map(|end| (end.name(), end.winner(Colour::Black)));
    let [win, draw, loss] = winners;
    assert_eq!(win, ("king-capture", Some(Colour::White)));
    assert_eq!(
        (draw, loss.1),
        (("king-capture-draw", None), Some(Colour::Black))
    );
}

/// C6: the ranks that a double step of either side may pass over.
#[test]
fn ranks_of_rights_to_take_en_passant() {
    let game = Game::parse("chess99").unwrap();
    for rank in 1..=9_usize {
        for (turn, arrival, ranks) in [("b", rank + 1, 3..=8), ("w", rank - 1, 2..=7)] {
            let mut rows = ["9"; 9];
            if (1..=9).contains(&arrival) {
                rows[9 - arrival] = if turn == "b" { "3P5" } else { "3p5" };
            }
            // The kings stand beside the square, and take.
            rows[9 - rank] = if turn == "b" { "2k3K2" } else { "2K3k2" };
            let fen = format!("{} {turn} - d{rank}", rows.join("/"));
            match Position::from_fen(game, &fen) {
                Ok(position) => assert!(ranks.contains(&rank) && position.ep().is_some(), "{fen}"),
                Err(error) => {
                    let words = "no pawn of the side that just moved passes over that rank";
                    assert!(
                        !ranks.contains(&rank) && error.to_string().contains(words),
                        "{error}"
                    );
                }
            }
        }
    }
}

/// T3, square by square.
#[test]
fn two_kings_of_king_of_the_hill() {
    let game = Game::parse("king-of-the-hill").unwrap();
    let kings = Colour::BOTH.map(|colour| Piece::new(colour, PieceType::King));
    let (mut positions, mut finished) = (0, 0);
    for white in game.geometry().all() {
        for black in game.geometry().all() {
            let pieces = [(kings[0], white), (kings[1], black)];
            if let Some(position) = Position::from_pieces(game, pieces, Colour::Black) {
                positions += 1;
                finished += u32::from(position.end() == Some(End::Hill));
            }
        }
    }
    assert_eq!((positions, finished), (3392, 220));
}

/// Options change the features that other crates see.
#[test]
fn features_of_options() {
    let game = |id: &str| Game::parse(id).unwrap();
    for (options, features) in [
        ("", (CaptureInCheck::Draw, EnPassant::All, true, true)),
        (
            ":king-capture-in-check=win",
            (CaptureInCheck::Win, EnPassant::All, true, true),
        ),
        (
            ":ep-by=pawn",
            (CaptureInCheck::Draw, EnPassant::Pawns, true, true),
        ),
        (
            ":deferred-promotion=off",
            (CaptureInCheck::Draw, EnPassant::All, false, true),
        ),
        (
            ":castling=off",
            (CaptureInCheck::Draw, EnPassant::All, true, false),
        ),
    ] {
        let game = game(&format!("chess99{options}"));
        let Goal::KingCapture(in_check) = game.goal() else {
            panic!("{game}")
        };
        let castles = game.castles_along_first_rank();
        assert_eq!(
            (in_check, game.ep_by(), game.pawns().wait, castles),
            features,
            "{game}"
        );
    }
    for (id, restores, full) in [
        ("high-chess", Restores::Mover, 50),
        (
            "high-chess:vitality=1,vital-restores=both",
            Restores::Both,
            1,
        ),
        ("high-chess:vitality=49", Restores::Mover, 49),
    ] {
        let rules = game(id).vitality().unwrap();
        assert_eq!(
            (rules.restores(), rules.full()),
            (restores, Counters::both(full))
        );
    }
    let kings = game("kings:black-corner=h8,promote-to-king=off,spare-king=duke,tie-break=rank1");
    let Some(order) = kings.king_order() else {
        panic!("{kings}")
    };
    assert_eq!((order.files, order.ranks), ([1, -1], [1, 1]));
    assert_eq!(order.spare, Mover::parse("KN").unwrap());
    assert!(!kings.all_promotions().contains(&PieceType::King));
    // The rules of wild 9, but another id: a file of one is not read as one of the other.
    assert_ne!(
        game("kings:promote-to-king=off,tie-break=rank1"),
        game("wild9")
    );
    for (id, varies, passes) in [
        ("orthodox", false, false),
        ("high-chess", false, true),
        ("chess99", false, false),
        ("kings", true, false),
        ("wild9", true, false),
        ("extinction-mating", true, false),
        ("extinction", false, false),
    ] {
        assert_eq!(
            (game(id).royals_vary(), game(id).has_pass()),
            (varies, passes),
            "{id}"
        );
    }
    let kept = [
        Symmetry::Full,
        Symmetry::Rectangle,
        Symmetry::Files,
        Symmetry::None,
    ]
    .map(|symmetry| symmetry.transforms().count());
    assert_eq!(kept, [8, 4, 2, 1]);
    assert!(Symmetry::Files.contains(Transform::FLIP_FILES));
}

/// Messages about moves give an example, and say what is legal.
#[test]
fn messages_about_moves() {
    let at = |id: &str, fen: &str| Position::from_fen(Game::parse(id).unwrap(), fen).unwrap();
    let free = "8/8/8/3k4/8/8/8/K6R w - -";
    let (high, check) = (
        at("high-chess", free),
        at("high-chess", "3k4/8/8/8/8/8/8/K2R4 b - -"),
    );
    let orthodox = at("orthodox", free);
    let castling = at("orthodox", "r3k2r/8/8/8/8/8/8/RN2K2R w KQkq -");
    for (error, words, others) in [
        (high.parse_san("-"), "-- for a pass", "is not legal"),
        (high.parse_uci("000"), "0000 for a pass", "is not legal"),
        (
            check.parse_uci("0000"),
            "the legal moves are: d8c7 d8c8 d8e7",
            "0000 d8",
        ),
        (
            check.parse_san("--"),
            "the legal moves are: Kc7 Kc8 Ke7",
            "-- K",
        ),
        (orthodox.parse_uci("0000"), "e2e4 or a7a8q", "pass"),
        (orthodox.parse_uci(""), "is not a move", "pass"),
        (orthodox.parse_san(""), "is not a move", "pass"),
        (high.parse_san(""), "-- for a pass", "is not legal"),
        (orthodox.parse_san("--"), "is a null move", "pass"),
        (castling.parse_san("O-O-O"), "O-O", "is not a move"),
    ] {
        let error = error.unwrap_err().to_string();
        assert!(error.contains(words) && !error.contains(others), "{error}");
    }
}
