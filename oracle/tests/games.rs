//! Tests the built-in games and some others, against published numbers and the rules' examples.

#![allow(clippy::unwrap_used)]

use retrograde_oracle::{Category, End, Game, Position, Reason, Side, Solver, Value};

/// The definition of a built-in game.
fn built_in(name: &str) -> Option<String> {
    let path = format!("{}/../rules/games/{name}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).ok()
}

fn game(name: &str, options: &[(&str, &str)]) -> Game {
    Game::read(&built_in(name).unwrap(), &built_in, options).unwrap()
}

/// A definition that is written in a test.
fn define(text: &str) -> Game {
    read(text).unwrap()
}

fn read(text: &str) -> Result<Game, String> {
    Game::read(
        &format!("format = 1\nname = \"mine\"\n{text}"),
        &built_in,
        &[],
    )
}

fn perft(game: &Game, fen: &str, counts: &[u64]) {
    let position = game.position(fen).unwrap();
    for (depth, count) in (1..).zip(counts) {
        assert_eq!(game.perft(&position, depth), *count, "{fen}, depth {depth}");
    }
}

fn texts(game: &Game, fen: &str) -> Vec<String> {
    let position = game
        .position(fen)
        .unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut texts: Vec<_> = game
        .moves(&position)
        .iter()
        .map(|(played, _)| game.text(played))
        .collect();
    texts.sort();
    texts
}

fn has(game: &Game, fen: &str, text: &str) -> bool {
    texts(game, fen).iter().any(|played| played == text)
}

fn after(game: &Game, fen: &str, text: &str) -> Position {
    let position = game.position(fen).unwrap();
    game.play(&position, text)
        .unwrap_or_else(|| panic!("{fen}: there is no {text}"))
}

/// The end of the game by a move.
fn end(game: &Game, fen: &str, text: &str) -> Option<End> {
    game.end(&after(game, fen, text))
}

fn won(reason: Reason, winner: Side) -> Option<End> {
    Some(End {
        reason,
        winner: Some(winner),
    })
}

fn drawn(reason: Reason) -> Option<End> {
    Some(End {
        reason,
        winner: None,
    })
}

/// All moves that mate at once.
fn mates(game: &Game, fen: &str) -> Vec<String> {
    let mut found = texts(game, fen);
    found.retain(|text| end(game, fen, text).is_some_and(|end| end.reason == Reason::Checkmate));
    found
}

/// The longest win of a material, in plies.
fn longest(game: &Game, material: &str) -> u32 {
    let solver = Solver::new(game);
    let table = solver.solve(material).unwrap();
    let won = table
        .positions()
        .filter(|(_, value)| value.category == Category::Win);
    won.filter_map(|(_, value)| value.depth).max().unwrap_or(0)
}

// Node counts.

#[test]
fn orthodox_perft() {
    let game = game("orthodox", &[]);
    perft(&game, game.array().unwrap(), &[20, 400, 8902, 197_281]);
    let kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    perft(&game, kiwipete, &[48, 2039, 97_862]);
    perft(
        &game,
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        &[14, 191, 2812, 43_238],
    );
    perft(
        &game,
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9467],
    );
    perft(
        &game,
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1486, 62_379],
    );
}

#[test]
fn arrays_of_the_built_in_games() {
    for (name, counts) in [
        ("high-chess", [21, 441, 10_208]),
        ("chess99", [26, 676, 20_217]),
        ("kings", [20, 400, 8682]),
        ("wild9", [20, 400, 8784]),
        ("extinction-mating", [20, 400, 8882]),
        ("extinction", [20, 400, 8902]),
        ("king-of-the-hill", [20, 400, 8902]),
    ] {
        let game = game(name, &[]);
        perft(&game, game.array().unwrap(), &counts);
    }
}

const LOS_ALAMOS: &str = r#"
    board = { size = "6x6", array = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1" }
    pieces.order = "KQRNP"
    pawns.double-step = "off""#;

const CAPABLANCA: &str = r#"
    board.size = "10x8"
    board.array = "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1"
    pieces = { order = "KQACRBNP", A = "BN", C = "RN" }
    castling.to = ["c", "i"]"#;

#[test]
fn perft_of_other_games() {
    let array = |game: &Game, counts: &[u64]| perft(game, game.array().unwrap(), counts);
    array(&define(LOS_ALAMOS), &[10, 100, 1212, 14_332]);
    array(&define(CAPABLANCA), &[28, 784, 25_228]);
    let gardner = r#"
        board = { size = "5x5", array = "rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1" }
        pawns.double-step = "off""#;
    array(&define(gardner), &[7, 53, 506, 4775]);
    // The royal piece is a knight, said in either of two ways, and the knights are kings.
    for royal in ["K = \"N\"", ""] {
        let rest = if royal.is_empty() {
            "[royal]\npiece = \"N\""
        } else {
            ""
        };
        let knightmate = format!(
            "[board]\narray = \"rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1\"\n\
             [pieces]\norder = \"KQMRBP\"\nM = \"K\"\n{royal}\n{rest}"
        );
        array(&define(&knightmate), &[18, 324, 6765]);
    }
}

// Definitions.

#[test]
fn definitions() {
    // Tables merge; strings and lists replace; letters are added and removed.
    let large = "extends = \"kings\"\npawns = { promotes-to = \"-KQ\", double-step = [2, 3] }";
    let game = define(large);
    let promotions = texts(&game, "8/4P3/8/8/8/8/7k/1K6 w - -");
    assert!(promotions.contains(&"e7e8r".into()) && !promotions.contains(&"e7e8q".into()));
    assert!(has(&game, "8/8/8/8/8/4P3/7k/1K6 w - -", "e3e5"));
    assert_eq!(game.array(), self::game("kings", &[]).array());
    // What is a table can be switched off; a dot sets any key.
    let castles = |text: &str, set: &[(&str, &str)]| {
        let text = format!("format = 1\nname = \"mine\"\n{text}");
        Game::read(&text, &built_in, set)
            .unwrap()
            .position("4k3/8/8/8/8/8/8/4K2R w K -")
            .is_ok()
    };
    assert!(castles("", &[]));
    for off in [
        "castling = \"off\"",
        "castling.rule = \"off\"",
        "board.size = \"8x8\"\nboard.array = \"4k3/8/8/8/8/8/8/4K2R w - -\"",
    ] {
        assert!(!castles(off, &[]), "{off}");
    }
    assert!(!castles("", &[("castling.rule", "off")]));
    let off = self::game("orthodox", &[("castling.rule", "off")]);
    let array = off.array().unwrap();
    assert!(array.ends_with(" w - - 0 1"));
    assert!(off.position(array).is_ok());
    let counters = define("extends = \"high-chess\"\ncounters.vitality = \"off\"");
    assert!(
        counters
            .position("4k3/8/8/8/8/8/8/4K2R w - - 5+5 0 1")
            .is_err()
    );
    // Numbers of an option, and the default that a definition sets itself.
    let seven = self::game("high-chess", &[("vitality", "7")]);
    assert!(
        seven
            .position("4k3/8/8/8/8/8/8/4K2R w - - 8+5 0 1")
            .is_err()
    );
    assert!(seven.position("4k3/8/8/8/8/8/8/4K2R w - - 7+5 0 1").is_ok());
}

#[test]
fn definitions_that_are_refused() {
    for (text, word) in [
        ("colour = 1", "colour"),
        ("pawns.promote = \"Q\"", "pawns.promote"),
        ("board.size = \"1x8\"", "board.size"),
        ("board.size = \"12x11\"", "board.size"),
        ("pieces.order = \"KQKP\"", "pieces.order"),
        ("pieces.order = \"KVP\"", "pieces.order"),
        ("pieces.order = \"KXP\"", "pieces.X"),
        ("pieces.X = \"N\"", "pieces.X"),
        ("pieces.Q = \"E\"", "pieces.Q"),
        ("pieces.Q = \"xN\"", "pieces.Q"),
        ("pawns.promotes-to = \"P\"", "pawns.promotes-to"),
        ("pawns.double-step = [9]", "pawns.double-step"),
        ("end.no-progress = 201", "end.no-progress"),
        ("end.stalemate = \"lost\"", "end.stalemate"),
        ("end.reach = { squares = [\"i1\"] }", "end.reach"),
        (
            "royal.rule = \"none\"\nend.king-capture = \"win\"",
            "end.king-capture",
        ),
        (
            "counters = { checks = 3, vitality = { full = 2 } }",
            "counters",
        ),
        ("counters.vitality.full = 101", "counters.vitality.full"),
        ("extends = \"nothing\"", "nothing"),
    ] {
        let error = read(text).expect_err(text);
        assert!(error.contains(word), "{text}: {error}");
    }
    let kings = built_in("kings").unwrap();
    for options in [
        [("chancellor", "on")],
        [("chancellor", "yes")],
        [("corner", "h8")],
    ] {
        assert!(Game::read(&kings, &built_in, &options).is_err());
    }
    let high = built_in("high-chess").unwrap();
    assert!(Game::read(&high, &built_in, &[("vitality", "51")]).is_err());
}

// Orthodox chess.

#[test]
fn en_passant_rights() {
    let orthodox = game("orthodox", &[]);
    let pinned = "8/8/8/K2pP2r/8/8/8/4k3 w - d6";
    let square = |game: &Game, fen: &str| {
        let position = game.position(fen).unwrap();
        game.fen(&position).split(' ').nth(3).unwrap().to_owned()
    };
    // O2: the right counts if a capture is legal, in High Chess as soon as a pawn stands there.
    assert_eq!(square(&orthodox, pinned), "-");
    assert_eq!(
        square(&game("high-chess", &[]), "8/8/8/K2pP2r/8/8/8/7k w - d6"),
        "d6"
    );
    assert_eq!(square(&game("extinction", &[]), pinned), "d6");
    assert_eq!(square(&orthodox, "8/8/8/K2pP3/8/8/8/4k3 w - d6"), "d6");
    for fen in [
        "8/8/8/K2pP3/8/8/8/4k3 w - d5",
        "8/8/3n4/K2pP3/8/8/8/4k3 w - d6",
        "8/8/8/K3P3/8/8/8/4k3 w - d6",
    ] {
        assert!(orthodox.position(fen).is_err(), "{fen}");
    }
    assert!(has(&orthodox, "8/8/8/K2pP3/8/8/8/4k3 w - d6", "e5d6"));
    // A double step leaves a right only where a capture is legal.
    let next = after(&orthodox, "4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4");
    assert_eq!(orthodox.fen(&next), "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
    let next = after(&orthodox, "3k4/8/8/8/3p4/8/4P3/3RK3 w - -", "e2e4");
    assert_eq!(orthodox.fen(&next), "3k4/8/8/8/3pP3/8/8/3RK3 b - - 0 1");
}

#[test]
fn positions_that_are_none() {
    let game = game("orthodox", &[]);
    for fen in [
        "4k3/8/8/8/8/8/8/4R2K w - -",
        "8/8/8/8/8/8/8/4R2K w - -",
        "P3k3/8/8/8/8/8/8/7K w - -",
        "k7/K7/8/8/8/8/8/8 w - -",
        "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
    ] {
        assert!(game.position(fen).is_err(), "{fen}");
    }
}

#[test]
fn three_men_of_orthodox_chess() {
    let game = game("orthodox", &[]);
    // The longest wins are published: mates in 10, 16 and 28.
    for (material, plies) in [("KQvK", 19), ("KRvK", 31), ("KBvK", 0), ("KPvK", 55)] {
        assert_eq!(longest(&game, material), plies, "{material}");
    }
}

/// Values that a person finds.
#[test]
fn single_positions() {
    use Category::{Draw, Loss, Win};
    let vitality = [("vitality", "5")];
    let any = [("king-capture-in-check", "win")];
    for (name, options, positions) in [
        (
            "orthodox",
            &[][..],
            &[
                // Stalemate, mate, mate in one.
                ("8/8/8/8/8/1QK5/8/k7 b - -", Draw, None),
                ("7k/6Q1/6K1/8/8/8/8/8 b - -", Loss, Some(0)),
                ("7k/8/6K1/8/8/8/8/1Q6 w - -", Win, Some(1)),
                // The rook hangs; the king may stand beside it.
                ("8/8/8/8/8/1k6/1R6/3K4 b - -", Draw, None),
                ("8/8/8/8/8/1k6/8/1R1K4 b - -", Loss, Some(28)),
                // Who has the opposition?
                ("4k3/8/4K3/4P3/8/8/8/8 b - -", Loss, Some(24)),
                ("4k3/8/8/4K3/4P3/8/8/8 b - -", Draw, None),
                ("8/8/8/8/4k3/8/4P3/4K3 b - -", Draw, None),
            ][..],
        ),
        (
            "extinction-mating",
            &[],
            &[
                // The last pawn may not promote (E2), and attacks all the same (E3).
                ("8/P7/8/8/8/8/8/k7 w - -", Draw, None),
                ("k7/2P5/1K6/8/8/8/8/8 b - -", Draw, None),
            ],
        ),
        (
            "extinction",
            &[],
            &[
                // E6: taking wins, promoting the last pawn loses, and walls draw.
                ("8/8/8/8/8/8/1k6/K7 w - -", Win, Some(1)),
                ("8/8/8/8/8/8/8/K1k5 w - -", Draw, None),
                ("8/P7/8/8/8/8/8/k7 w - -", Loss, Some(1)),
                ("8/8/P7/8/8/8/8/k7 w - -", Loss, Some(3)),
                ("8/8/8/8/8/p7/P7/8 w - -", Draw, None),
                ("1r6/P7/8/8/8/8/8/k7 w - -", Win, Some(1)),
                // A pawn that may be taken en passant.
                ("8/8/8/3pP3/8/8/8/8 w - d6", Win, Some(1)),
            ],
        ),
        (
            "king-of-the-hill",
            &[],
            &[
                // T1, T2: up the hill, to it with a check, and there already.
                ("8/8/8/8/8/2K5/8/6k1 w - -", Win, Some(1)),
                ("8/8/8/8/8/2K5/8/6k1 b - -", Loss, Some(2)),
                ("8/8/8/8/3K4/8/8/6k1 b - -", Loss, Some(0)),
                ("8/8/8/8/3r4/2K5/8/7k w - -", Win, Some(1)),
                // The hill comes before stalemate.
                ("8/8/8/8/4K3/6Q1/8/7k b - -", Loss, Some(0)),
            ],
        ),
        (
            "chess99",
            &[],
            &[
                ("9/9/9/9/3Kk4/9/9/9/9 w - -", Win, Some(1)),
                ("k8/9/9/9/9/9/9/9/8K w - -", Draw, None),
                // The king may take, but stands in check then.
                ("9/9/9/4r4/3Kk4/9/9/9/9 w - -", Draw, None),
                ("9/9/9/4r4/3Kk4/9/9/9/9 b - -", Win, Some(1)),
                // All that the king can reach is guarded, and it must move.
                ("9/9/9/9/9/9/1K1B5/9/k8 b - -", Loss, Some(2)),
                ("9/9/9/9/9/9/1K7/2B6/k8 w - -", Win, Some(3)),
                // The pawn is taken though it has become a bishop; not by a king that would be.
                ("3B5/9/4k4/9/9/9/9/9/K8 b - d8", Draw, None),
                ("3BK4/9/4k4/9/9/9/9/9/9 b - d8", Draw, None),
            ],
        ),
        (
            "chess99",
            &any,
            &[("9/9/9/4r4/3Kk4/9/9/9/9 w - -", Win, Some(1))],
        ),
        (
            "high-chess",
            &vitality,
            &[
                // Black sits in the centre for ever, or White does; then a race.
                ("8/8/8/3k4/8/8/8/K7 w - - 5+1", Loss, None),
                ("k7/8/8/8/3K4/8/8/8 b - - 1+5", Loss, None),
                ("8/8/5k2/8/8/2K5/8/8 w - - 1+5", Win, None),
                ("8/8/5k2/8/8/2K5/8/8 b - - 5+1", Win, None),
                ("7k/8/8/8/8/8/8/K7 w - - 1+5", Win, None),
            ],
        ),
    ] {
        let game = game(name, options);
        let solver = Solver::new(&game);
        for (fen, category, depth) in positions {
            let value = solver
                .value(fen)
                .unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(
                (value.category, value.depth),
                (*category, *depth),
                "{name}: {fen}"
            );
        }
    }
}

/// Who could lose with help (O5), and who forces mate whatever the other's vitality.
#[test]
fn help_and_force() {
    let orthodox = game("orthodox", &[]);
    let solver = Solver::new(&orthodox);
    let small = define(&format!("{}[pieces]\norder = \"KBN\"", small("4x4", "")));
    let small = Solver::new(&small);
    for (solver, fen, may_lose) in [
        (&solver, "8/8/8/8/8/1k6/1R6/3K4 b - -", [false, true]),
        (&solver, "8/8/8/8/8/2k5/8/K6B w - -", [false, false]),
        // Either is mated in the corner, the other's piece beside it.
        (&small, "k3/1n2/4/B1K1 w - -", [true, true]),
        (&small, "k3/4/4/N1K1 w - -", [false, false]),
    ] {
        let value = solver
            .value(fen)
            .unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(value.may_lose, may_lose, "{fen}");
    }
    let spares_black = game("high-chess", &[("vitality", "2")]).sparing(Side::Black);
    let solver = Solver::new(&spares_black);
    for (fen, category) in [
        // A mate with the last point; far from it; and two kings alone.
        ("8/7R/8/8/8/8/8/k1K5 w - - 1+2", Category::Win),
        ("8/8/8/3k4/8/8/8/K6R w - - 2+2", Category::Loss),
        ("8/8/8/8/3K4/8/8/k7 w - - 2+2", Category::Draw),
    ] {
        assert_eq!(solver.value(fen).unwrap().category, category, "{fen}");
    }
}

// High Chess.

#[test]
fn vitality() {
    let high = game("high-chess", &[]);
    let counters = |fen: &str, text: &str| {
        let fen = high.fen(&after(&high, fen, text));
        fen.split(' ').nth(4).unwrap().to_owned()
    };
    // The examples of H5.
    let fen = "8/8/5k2/8/8/2K5/8/8 w - - 9+9";
    assert_eq!(counters(fen, "c3d4"), "9+9");
    assert_eq!(counters(fen, "c3c4"), "8+9");
    assert_eq!(counters(fen, "0000"), "8+9");
    assert_eq!(counters("8/8/8/3k4/8/8/1n6/K7 w - - 3+3", "a1b2"), "50+3");
    assert!(
        high.position("8/8/8/3k4/8/8/8/K6R w - - 50+51 0 1")
            .is_err()
    );
    assert!(high.position("8/8/8/3k4/8/8/8/K6R w - - 0+5 0 1").is_err());
    // H6
    let fen = "3k4/R7/8/8/8/8/8/KR6 w - - 1+1";
    for (played, winner) in texts(&high, fen)
        .iter()
        .map(|text| (text, end(&high, fen, text)))
    {
        match played.as_str() {
            "b1b8" => assert_eq!(winner, won(Reason::Checkmate, Side::White)),
            "a1b2" => assert_eq!(winner, None),
            _ => assert_eq!(winner, won(Reason::Exhaustion, Side::Black), "{played}"),
        }
    }
    let text = "extends = \"high-chess\"\ncounters.vitality.exhaustion = \"before-mate\"";
    assert_eq!(
        end(&define(text), fen, "b1b8"),
        won(Reason::Exhaustion, Side::Black)
    );
    // H7: any move is vital while a pawn stands so as to take e.p., be it pinned.
    assert_eq!(counters("8/8/8/K2pP2r/8/8/8/7k w - d6 7+7", "a5a4"), "50+7");
    assert_eq!(counters("8/8/8/K2pP2r/8/8/8/7k w - d6 7+7", "0000"), "50+7");
    assert_eq!(counters("8/8/8/K2pP2r/8/8/8/7k w - - 7+7", "0000"), "6+7");
    // H7: moves that end a right to castle.
    assert_eq!(counters("4k3/8/8/8/8/8/8/R3K2R w KQ - 7+7", "e1e2"), "50+7");
    assert_eq!(counters("4k3/8/8/8/8/8/8/R3K2R w Q - 7+7", "h1h2"), "6+7");
    assert_eq!(counters("4k3/8/8/8/8/8/8/R3K2R w Q - 7+7", "a1a2"), "50+7");
    // H2: no pass in check, and no stalemate.
    assert!(!has(&high, "4k3/8/8/8/8/8/8/r3K3 w - -", "0000"));
    assert_eq!(texts(&high, "8/8/8/8/8/6q1/3k4/7K w - -"), ["0000"]);
}

#[test]
fn variants_of_vitality() {
    let with = |keys: &str| {
        define(&format!(
            "extends = \"high-chess\"\ncounters.vitality = {{ {keys} }}"
        ))
    };
    let counters = |game: &Game, fen: &str, text: &str| {
        let fen = game.fen(&after(game, fen, text));
        fen.split(' ').nth(4).unwrap().to_owned()
    };
    let fen = "8/8/5k2/8/8/2K5/8/8 w - - 4+4";
    assert_eq!(counters(&with("ties = \"white\""), fen, "c3c4"), "4+4");
    assert_eq!(counters(&with("pays = \"both\""), fen, "c3d4"), "3+4");
    let both = with("pays = \"both\"");
    let last = "8/8/5k2/8/8/2K5/8/8 w - - 1+4";
    assert_eq!(counters(&both, last, "c3d4"), "0+4");
    assert_eq!(end(&both, last, "c3d4"), None);
    assert_eq!(
        end(&both, last, "0000"),
        won(Reason::Exhaustion, Side::Black)
    );
    let unequal = with("full = [7, 9], restores = \"both\"");
    assert_eq!(
        counters(&unequal, "8/8/5k2/8/8/2K5/1p6/8 w - - 3+3", "c3b2"),
        "7+9"
    );
    assert_eq!(counters(&with("centre = [\"c3\"]"), fen, "0000"), "4+4");
    let pinned = "8/8/8/K2pP2r/8/8/8/7k w - d6 7+7";
    for value in ["legal", "made", "off"] {
        assert_eq!(
            counters(&with(&format!("en-passant = \"{value}\"")), pinned, "0000"),
            "6+7"
        );
    }
    let free = "8/8/8/3pP3/8/8/K7/7k w - d6 7+7";
    assert_eq!(
        counters(&with("en-passant = \"legal\""), free, "0000"),
        "50+7"
    );
    assert_eq!(
        counters(&with("en-passant = \"made\""), free, "a2a1"),
        "6+7"
    );
    assert_eq!(
        counters(&with("en-passant = \"made\""), free, "e5d6"),
        "50+7"
    );
}

// Chess 99.

#[test]
fn capturing_the_king() {
    let game = game("chess99", &[]);
    // The table of C2.
    for (board, text, wins) in [
        ("9/9/9/9/3Kk4/9/9/9/9", "d5e5", true),
        ("9/9/9/4r4/3Kk4/9/9/9/9", "d5e5", false),
        ("3R5/9/9/9/9/9/9/3k5/4K4", "d9d2", true),
        ("4r4/9/9/9/9/k3R4/9/9/4K4", "e4a4", false),
        ("3P5/9/4k4/9/9/9/9/9/K8", "d9=ne7", true),
    ] {
        let fen = format!("{board} w - -");
        let expected = if wins {
            won(Reason::KingCapture, Side::White)
        } else {
            drawn(Reason::KingCapture)
        };
        assert_eq!(end(&game, &fen, text), expected, "{fen}");
    }
    let fen = "9/9/9/4r4/3Kk4/9/9/9/9 w - -";
    let with = |value: &str| {
        define(&format!(
            "extends = \"chess99\"\nend.king-capture-in-check = \"{value}\""
        ))
    };
    assert_eq!(
        end(&with("win"), fen, "d5e5"),
        won(Reason::KingCapture, Side::White)
    );
    assert_eq!(
        end(&with("loss"), fen, "d5e5"),
        won(Reason::KingCapture, Side::Black)
    );
    assert!(!has(&with("illegal"), fen, "d5e5"));
    // C4: no move at all.
    let blocked = game
        .position("1k7/1P7/BP7/PP7/KP7/PP7/9/9/9 w - -")
        .unwrap();
    assert_eq!(game.end(&blocked), drawn(Reason::Stalemate));
}

#[test]
fn pawns_of_chess99() {
    let game = game("chess99", &[]);
    let own = |fen: &str, square: &str| {
        let mut found = texts(&game, fen);
        found.retain(|text| text.starts_with(square) && !text.contains('&'));
        found
    };
    assert_eq!(
        own("k8/2P6/9/9/9/9/9/9/8K w - -", "c8"),
        ["c8c9", "c8c9b", "c8c9n"]
    );
    assert_eq!(
        own("k8/9/3P5/9/9/9/9/9/8K w - -", "d7"),
        ["d7d8", "d7d9", "d7d9b", "d7d9n"]
    );
    // C5: a waiting pawn moves only as what it turns into.
    let waiting = own("k8/9/9/9/9/9/9/9/4pK3 b - -", "e1");
    assert!(
        waiting
            .iter()
            .all(|text| text.starts_with("e1=b") || text.starts_with("e1=n"))
    );
    assert_eq!(
        waiting
            .iter()
            .filter(|text| text.starts_with("e1=n"))
            .count(),
        4
    );
    assert!(game.position("k8/9/9/9/9/9/9/9/3PK4 w - -").is_err());
    let compulsory = Game::read(
        &built_in("chess99").unwrap(),
        &built_in,
        &[("deferred-promotion", "off")],
    )
    .unwrap();
    assert!(compulsory.position("k2P5/9/9/9/9/9/9/9/4K4 w - -").is_err());
    assert!(!has(&compulsory, "k8/2P6/9/9/9/9/9/9/8K w - -", "c8c9"));
}

#[test]
fn en_passant_in_chess99() {
    let game = game("chess99", &[]);
    // C6: the rook on e9 takes through the square of the pawn that is pushed back.
    let next = after(&game, "4r3k/9/9/9/9/9/9/4P4/K8 w - -", "e2e4");
    assert_eq!(game.fen(&next), "4r3k/9/9/9/9/4P4/9/9/K8 b - e3 0 1");
    let fen = game.fen(&next);
    assert!(has(&game, &fen, "e9e3*") && has(&game, &fen, "e9e4") && !has(&game, &fen, "e9e3"));
    let taken = after(&game, &fen, "e9e3*");
    assert_eq!(game.fen(&taken), "8k/9/9/9/9/9/4r4/9/K8 w - - 0 2");
    // A man that also goes there without taking: two moves.
    let fen = "k8/9/9/9/9/4P4/9/r8/K8 b - e3";
    assert!(game.position(fen).unwrap() == game.position(&fen.replace("e3", "-")).unwrap());
    let fen = "k8/9/9/9/9/r3P4/9/9/7K1 b - e3";
    assert_eq!(
        game.fen(&game.position(fen).unwrap()).split(' ').nth(3),
        Some("-")
    );
    let fen = "k8/9/9/9/9/4P4/r8/9/7K1 b - e3";
    assert!(has(&game, fen, "a3e3") && has(&game, fen, "a3e3*"));
    // The pawn has promoted on arrival.
    let next = after(&game, "9/4k4/3P5/9/9/9/9/9/K8 w - -", "d7d9b");
    assert_eq!(game.fen(&next), "3B5/4k4/9/9/9/9/9/9/K8 b - d8 0 1");
    let fen = "3B5/9/4k4/9/9/9/9/9/K8 b - d8";
    assert!(has(&game, fen, "e7d8*") && has(&game, fen, "e7d8"));
    // A waiting pawn takes as what it turns into.
    let fen = "k8/9/9/9/9/4P4/9/9/K4p3 b - e3";
    assert!(has(&game, fen, "f1=ne3*") && has(&game, fen, "f1=ne3"));
    let pawns = Game::read(
        &built_in("chess99").unwrap(),
        &built_in,
        &[("ep-by", "pawn")],
    )
    .unwrap();
    assert!(!has(&pawns, fen, "f1=ne3*"));
    assert!(has(&pawns, "k8/9/9/9/9/4Pp3/9/9/K8 b - e3", "f4e3*"));
    assert!(has(&game, "k8/9/9/9/9/1b2P4/9/9/K8 b - e3", "b4a3"));
    for fen in [
        "k8/9/9/9/9/9/9/4P4/K8 b - e1",
        "k8/9/9/9/9/4P4/9/4n4/K8 b - e3",
        "k8/9/9/9/9/9/4P4/9/K8 b - e2",
    ] {
        assert!(game.position(fen).is_err(), "{fen}");
    }
}

#[test]
fn castling_in_chess99() {
    let game = game("chess99", &[]);
    let rank = |row: &str, text: &str| {
        let fen = game.fen(&after(
            &game,
            &format!("k8/9/9/9/9/9/9/9/{row} w - -"),
            text,
        ));
        fen.split(' ')
            .next()
            .unwrap()
            .rsplit('/')
            .next()
            .unwrap()
            .to_owned()
    };
    assert_eq!(rank("R3K3N", "e1&a1"), "3KR3N");
    assert_eq!(rank("R3K3N", "e1&i1"), "R3NK3");
    assert_eq!(rank("4KB3", "e1&f1"), "4BK3");
    assert!(!has(&game, "k8/9/9/9/9/9/9/9/4K2nR w - -", "e1&i1"));
    let past = define("extends = \"chess99\"\ncastling.past-men = true");
    assert!(has(&past, "k8/9/9/9/9/9/9/9/4K2nR w - -", "e1&i1"));
    let off = Game::read(
        &built_in("chess99").unwrap(),
        &built_in,
        &[("castling", "off")],
    )
    .unwrap();
    assert!(
        !texts(&off, "k8/9/9/9/9/9/9/9/R3K3N w - -")
            .concat()
            .contains('&')
    );
}

// Kings and wild 9.

#[test]
fn puzzles_of_kings() {
    let game = game("kings", &[]);
    assert_eq!(mates(&game, "K7/8/2K5/k7/8/k7/8/R6R w - -"), ["c6b5"]);
    assert_eq!(texts(&game, "3k3R/6R1/8/8/5K2/8/p7/8 b - -"), ["a2a1k"]);
    // No mate in one; the only key that mates in two is Rh1-h7.
    let fen = "K1K5/8/8/k7/8/k7/8/R6R w - -";
    assert!(mates(&game, fen).is_empty());
    let mut keys = texts(&game, fen);
    keys.retain(|key| {
        let next = after(&game, fen, key);
        let replies = game.moves(&next);
        !replies.is_empty()
            && replies
                .iter()
                .all(|(_, reply)| !mates(&game, &game.fen(reply)).is_empty())
    });
    assert_eq!(keys, ["h1h7"]);
    // K2
    let moves = texts(&game, "7k/8/8/2K5/8/8/8/3K3r w - -");
    assert!(!moves.iter().any(|text| text.starts_with("c5d")) && !moves.contains(&"d1c1".into()));
    assert!(moves.contains(&"d1e1".into()));
}

#[test]
fn options_of_kings() {
    let fen = "7k/8/8/8/8/1K6/6K1/8 w - -";
    assert!(!has(&game("kings", &[]), fen, "g2a8"));
    assert!(has(&game("kings", &[("spare-king", "queen")]), fen, "g2a8"));
    assert!(has(&game("kings", &[("spare-king", "duke")]), fen, "g2h4"));
    // K1: the royal king is a8, a5 or h8, h1.
    let attacked = |options: &[(&str, &str)], name: &str| {
        let game = game(name, options);
        let kings = ["a8", "h8", "a5", "h1"];
        let boards = ["k6k/8/8/k7/8/8/2K5/7k w - -"];
        let board = boards[0];
        // A white knight gives check to each in turn: only an attack on the royal one is illegal.
        let knights = [
            "k6k/2N5/8/k7/8/8/2K5/7k w - -",
            "k6k/8/6N1/k7/8/8/2K5/7k w - -",
            "k6k/8/8/k7/2N5/8/2K5/7k w - -",
            "k6k/8/8/k7/8/8/2K2N2/7k w - -",
        ];
        assert!(game.position(board).is_ok());
        let found: Vec<_> = kings
            .iter()
            .zip(knights)
            .filter(|(_, fen)| game.position(fen).is_err())
            .map(|(king, _)| *king)
            .collect();
        found
    };
    assert_eq!(attacked(&[], "kings"), ["a8"]);
    assert_eq!(attacked(&[], "wild9"), ["a5"]);
    assert_eq!(attacked(&[("black-corner", "h8")], "kings"), ["h8"]);
    assert_eq!(
        attacked(&[("black-corner", "h8"), ("tie-break", "rank1")], "kings"),
        ["h1"]
    );
    let no_kings = game("kings", &[("promote-to-king", "off")]);
    assert!(!has(&no_kings, "7k/P7/8/8/8/8/8/1K6 w - -", "a7a8k"));
    // K7
    let large = game("kings", &[("board", "10x10"), ("chancellor", "on")]);
    let array = "10/rnbqkkcbnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKKCBNR/10 w AEFJaefj - 0 1";
    assert_eq!(large.array(), Some(array));
    assert!(has(&large, array, "j3j5") && has(&large, array, "g2f4"));
    assert!(has(
        &large,
        "k9/4P5/10/10/10/10/10/10/10/K9 w - -",
        "e9e10c"
    ));
    assert!(
        large
            .position("k9/10/10/10/10/10/10/10/4P5/K9 w - -")
            .is_err()
    );
    assert!(
        Game::read(
            &built_in("kings").unwrap(),
            &built_in,
            &[("chancellor", "on")]
        )
        .is_err()
    );
}

#[test]
fn castling_of_kings() {
    let game_ = game("kings", &[]);
    // X2: d1b1 and a1c1; the spare king only when it is royal.
    let fen = "rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/R2KKBNR w ADEHadeh - 0 1";
    let next = after(&game_, fen, "d1b1");
    assert_eq!(
        game_.fen(&next),
        "rnbkkbnr/pppppppp/8/8/8/8/PPPPPPPP/1KR1KBNR b EHadeh - 1 1"
    );
    assert!(!has(&game_, "3k4/8/8/8/8/8/8/R2KK2R w ADEH -", "e1g1"));
    assert!(has(&game_, "3k4/8/8/8/8/8/8/R3K2R w AEH -", "e1g1"));
    assert!(game_.position("3k4/8/8/8/8/8/8/R3K2R w KQ -").is_err());
    assert_eq!(
        game_
            .fen(&game_.position("3k4/8/8/8/8/8/8/R3K2R w E - 0 1").unwrap())
            .split(' ')
            .nth(2),
        Some("-")
    );
    // Arrival on an attacked square, if another king is royal then.
    assert!(!has(&game_, "1r1k4/8/8/8/8/8/8/R2KK3 w ADE -", "d1b1"));
    let ten = game("kings", &[("board", "10x10")]);
    let next = after(&ten, "4k5/10/10/10/10/10/10/10/R3K5/10 w AE -", "e2b2");
    assert_eq!(ten.fen(&next), "4k5/10/10/10/10/10/10/10/1KR7/10 b - - 1 1");
    // X3
    let wild = game("wild9", &[]);
    let fen = "4k3/8/8/8/8/8/8/R3KK1R w Q -";
    assert!(has(&wild, fen, "e1c1"));
    assert_eq!(
        wild.fen(&after(&wild, fen, "f1f2")).split(' ').nth(2),
        Some("-")
    );
    assert!(!has(&wild, "4k3/8/8/8/8/8/8/R4K1R w - -", "f1d1"));
    assert!(wild.position("4k3/8/8/8/8/8/5K2/R3K3 w Q -").is_err());
    assert!(wild.position("4k3/8/8/8/8/8/8/R4K2 w Q -").is_err());
}

// Extinction.

#[test]
fn extinction_with_mates() {
    let game = game("extinction-mating", &[]);
    // E2
    let fen = "3r4/6P1/8/8/7r/7k/1P6/K2Q4 w - -";
    let promotions: Vec<_> = texts(&game, fen)
        .into_iter()
        .filter(|text| text.starts_with("g7g8"))
        .collect();
    assert_eq!(promotions, ["g7g8q"]);
    // E3
    assert!(game.position("k7/2P5/8/8/8/8/8/K7 w - -").is_ok());
    assert!(!has(&game, "k7/2P5/8/8/8/8/8/K7 b - -", "a8b8"));
    assert!(!has(&game, "4k3/8/8/8/3p4/8/4P3/4K3 w - -", "e2e4"));
    assert!(has(&game, "4k3/8/8/8/3p4/8/P3P3/4K3 w - -", "e2e4"));
    assert!(game.position("4k3/8/8/8/3pP3/8/8/4K3 b - e3").is_err());
    // E4
    let mated = game.position("k1q5/8/1N6/8/8/8/8/K7 b - -").unwrap();
    assert_eq!(game.end(&mated), won(Reason::Checkmate, Side::White));
    let stuck = game.position("8/P7/8/8/8/8/8/k7 w - -").unwrap();
    assert_eq!(game.end(&stuck), drawn(Reason::Stalemate));
    assert!(game.position("8/8/8/8/8/8/8/k7 w - -").is_err());
}

#[test]
fn extinction_without_check() {
    let game = game("extinction", &[]);
    let solver = Solver::new(&game);
    // E6: a forced last promotion loses in one ply.
    let value = solver.value("8/P7/8/8/8/8/8/k7 w - -").unwrap();
    assert_eq!((value.category, value.depth), (Category::Loss, Some(1)));
    assert_eq!(
        end(&game, "8/P7/8/8/8/8/8/k7 w - -", "a7a8q"),
        won(Reason::Extinction, Side::Black)
    );
    // The mover wins if both sides lose a kind.
    assert_eq!(
        end(&game, "1n6/P7/8/8/8/8/8/k7 w - -", "a7b8q"),
        won(Reason::Extinction, Side::White)
    );
    assert_eq!(
        end(&game, "1n6/P7/8/8/8/8/8/k6n w - -", "a7b8q"),
        won(Reason::Extinction, Side::Black)
    );
    // X1: out of, through and into attack.
    assert!(has(&game, "4r1r1/8/8/8/8/8/8/4K2R w K -", "e1g1"));
    let mating = self::game("extinction-mating", &[]);
    assert!(!has(&mating, "k5r1/8/8/8/8/8/8/KK2K2R w - -", "e1g1"));
    let reversed =
        define("extends = \"extinction\"\nend = { extinct = \"win\", extinct-types = \"N\" }");
    assert_eq!(
        end(&reversed, "1n6/P7/8/8/8/8/8/k7 w - -", "a7b8q"),
        won(Reason::Extinction, Side::Black)
    );
    assert_eq!(end(&reversed, "8/P7/8/8/8/8/8/k7 w - -", "a7a8q"), None);
}

// King of the Hill.

#[test]
fn the_hill() {
    let game = game("king-of-the-hill", &[]);
    let table = Solver::new(&game).solve("KvK").unwrap();
    let black: Vec<_> = table
        .positions()
        .filter(|(fen, _)| fen.contains(" b "))
        .collect();
    assert_eq!(black.len(), 3392);
    assert_eq!(
        black
            .iter()
            .filter(|(_, value)| value.depth == Some(0))
            .count(),
        220
    );
    let finished = game.position("8/8/8/8/3K4/8/8/k7 b - -").unwrap();
    assert_eq!(game.end(&finished), won(Reason::Reach, Side::White));
    assert!(game.moves(&finished).is_empty());
    assert!(game.position("8/8/8/8/3K4/8/8/k7 w - -").is_err());
    let one_side = define("end.reach = { squares = [\"rank8\"] }");
    assert!(one_side.position("8/8/8/8/8/8/k7/2K5 b - -").is_ok());
    assert_eq!(
        end(&one_side, "8/2K5/8/8/8/8/k7/8 w - -", "c7c8"),
        won(Reason::Reach, Side::White)
    );
    assert_eq!(
        end(&one_side, "8/2K5/8/8/8/8/k7/8 b - -", "a2a1"),
        won(Reason::Reach, Side::Black)
    );
}

// Solving.

/// The result of a move for the side that makes it, and the plies to the next zeroing move.
fn through_clock(value: Value, zeroes: bool, limit: u32) -> (Category, u32) {
    let category = value.category.reversed();
    let Some(dtz) = value.dtz.filter(|_| category != Category::Draw && !zeroes) else {
        return (category, 1);
    };
    match category {
        Category::Win if dtz >= limit => (Category::CursedWin, limit + 1),
        Category::Loss if dtz >= limit => (Category::BlessedLoss, limit + 1),
        category => (category, dtz + 1),
    }
}

/// Derives each value of a material from those of the positions one ply further on, as O4 says.
/// As distances are finite, values that agree are right.
fn check_one_ply(definition: &str, materials: &[&str]) -> Vec<Value> {
    let game = define(definition);
    let limit = 6;
    let counts_plies = definition.contains("no-progress = 6");
    let vitality = definition.contains("vitality");
    let solver = Solver::new(&game);
    let mut all = Vec::new();
    for material in materials {
        for (fen, value) in solver.solve(material).unwrap().positions() {
            let position = game
                .position(&fen)
                .unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert_eq!(game.fen(&position), fen);
            let by_winner = |winner: Option<Side>, side: Side| match winner {
                None => Category::Draw,
                Some(winner) if winner == side => Category::Win,
                Some(_) => Category::Loss,
            };
            let finished = |winner: Option<Side>, side: Side| {
                let category = by_winner(winner, side);
                let depth = (category != Category::Draw).then_some(0);
                Value {
                    category,
                    depth,
                    dtz: depth,
                    may_lose: [Side::White, Side::Black]
                        .map(|side| winner.is_some_and(|winner| winner != side)),
                }
            };
            let expected = if let Some(end) = game.end(&position) {
                assert!(game.moves(&position).is_empty(), "{fen}");
                finished(end.winner, position.turn())
            } else {
                let mut moves = Vec::new();
                for (_, next) in game.moves(&position) {
                    let fen = game.fen(&next);
                    let zeroes = fen.split(' ').rev().nth(1) == Some("0");
                    // What ends a game may leave what is no position.
                    let over = game.end(&next).filter(|_| game.moves(&next).is_empty());
                    let value = over.map_or_else(
                        || solver.value(&fen).unwrap(),
                        |end| finished(end.winner, next.turn()),
                    );
                    moves.push((value, zeroes));
                }
                let best = moves
                    .iter()
                    .map(|(value, zeroes)| through_clock(*value, *zeroes && counts_plies, limit));
                let best: Vec<_> = best.collect();
                let category = best.iter().map(|(category, _)| *category).max().unwrap();
                let dtz = best
                    .iter()
                    .filter(|(other, _)| *other == category)
                    .map(|(_, dtz)| *dtz);
                let wins = moves
                    .iter()
                    .filter(|(value, _)| value.category < Category::Draw);
                let depth = match category {
                    Category::Draw => None,
                    category if category > Category::Draw => {
                        wins.filter_map(|(value, _)| value.depth).min()
                    }
                    _ => moves.iter().filter_map(|(value, _)| value.depth).max(),
                };
                let dtz = match category {
                    Category::Draw => None,
                    category if category > Category::Draw => dtz.min(),
                    _ => dtz.max(),
                };
                let may_lose = [0, 1].map(|side| moves.iter().any(|(v, _)| v.may_lose[side]));
                Value {
                    category,
                    depth: depth.map(|depth| depth + 1),
                    dtz,
                    may_lose,
                }
            };
            assert_eq!(value.category, expected.category, "{fen}");
            assert_eq!(value.may_lose, expected.may_lose, "{fen}");
            if !vitality {
                assert_eq!(value.depth, expected.depth, "{fen}");
            }
            if counts_plies {
                assert_eq!(value.dtz, expected.dtz, "{fen}");
            }
            all.push(value);
        }
    }
    all
}

fn small(size: &str, keys: &str) -> String {
    format!("board.size = \"{size}\"\nend.no-progress = 0\n{keys}")
}

fn count(values: &[Value], category: Category) -> usize {
    values
        .iter()
        .filter(|value| value.category == category)
        .count()
}

#[test]
fn values_follow_from_those_one_ply_on() {
    // The fifty-move rule, made short.
    let clock = "board.size = \"4x4\"\npawns.double-step = \"off\"\nend.no-progress = 6";
    let values = check_one_ply(clock, &["KRvK", "KBNvK"]);
    assert!(count(&values, Category::CursedWin) > 0 && count(&values, Category::BlessedLoss) > 0);
    // Rights to take e.p., with the clock and without.
    let values = check_one_ply("board.size = \"3x5\"\nend.no-progress = 6", &["KPvKP"]);
    assert!(count(&values, Category::Win) > 0);
    check_one_ply(
        &small(
            "3x4",
            "pawns = { double-step = \"anywhere\", first-rank = 1 }",
        ),
        &["KPvKP"],
    );
    // A game that a player may have won when it is his turn.
    let values = check_one_ply(&small("4x4", "end.stalemate = \"win\""), &["KQvK"]);
    assert!(
        values
            .iter()
            .any(|value| value.category == Category::Win && value.depth == Some(0))
    );
    check_one_ply(
        &small(
            "4x4",
            "end.stalemate = \"loss\"\nturn.pass = \"when-stuck\"",
        ),
        &["KPvK"],
    );
    check_one_ply(
        &small(
            "4x4",
            "end.checkmate = \"win\"\nend.stalemate = \"fewer-men\"",
        ),
        &["KRvK", "KNNvK"],
    );
    check_one_ply(
        &small("4x4", "end.reach = { squares = [\"b2\"] }"),
        &["KvK", "KNvK"],
    );
    check_one_ply(
        &small(
            "4x4",
            "turn.no-checks = true\nend.reach = { squares = [\"rank4\"], both = true, reply = true }",
        ),
        &["KRvK"],
    );
}

#[test]
fn values_of_games_of_all_kinds() {
    let king_capture = r#"
        pawns = { double-step = "anywhere", promotes-to = "BN", promotion = "may-wait", en-passant = "all", en-passant-vacates = true }
        castling.rule = "first-rank"
        end.king-capture = "win"
        end.king-capture-in-check = "#;
    for ruling in ["win", "draw", "loss", "illegal"] {
        check_one_ply(
            &small("4x3", &format!("{king_capture}\"{ruling}\"")),
            &["KPvK", "KBvKN"],
        );
    }
    let kings = "pawns.promotes-to = \"KQ\"\nroyal = { rule = \"first-king\", kings = \"any\", spare = \"N\" }";
    check_one_ply(&small("4x4", kings), &["KPvK", "KKvK"]);
    let extinct = "royal = { rule = \"none\" }\npawns.double-step = \"off\"\nend.extinct = ";
    for ruling in ["loss", "win"] {
        check_one_ply(
            &small("4x4", &format!("{extinct}\"{ruling}\"")),
            &["QvR", "NPvK"],
        );
    }
    check_one_ply(
        &small("4x4", "royal = { rule = \"only-of-type\" }"),
        &["KPvN", "PPvQ"],
    );
    let suicide = "royal.rule = \"none\"\nturn.must-capture = true\nend = { stalemate = \"win\", all-lost = \"win\", no-progress = 0 }";
    check_one_ply(
        &format!("board.size = \"4x4\"\n{suicide}"),
        &["QvN", "PvP", "KNvR"],
    );
    let bare = "end = { stalemate = \"loss\", bare = \"loss-unless-answered\", no-progress = 6 }";
    check_one_ply(&format!("board.size = \"4x4\"\n{bare}"), &["KQvKR"]);
    check_one_ply(&small("3x4", "capture.explodes = true"), &["KQvK", "KPvKN"]);
    for turn in ["unless-in-check", "always", "when-stuck"] {
        check_one_ply(
            &small("4x4", &format!("turn.pass = \"{turn}\"")),
            &["KQvK", "KPvK"],
        );
    }
    for promotion in ["optional", "may-wait", "must-wait"] {
        let pawns = format!(
            "pawns = {{ promotion = \"{promotion}\", promotion-ranks = 2, promotes-to = \"QN\" }}"
        );
        check_one_ply(&small("4x4", &pawns), &["KPvK"]);
    }
    for keys in [
        "full = 3",
        "full = [2, 1], pays = \"both\"",
        "full = 2, exhaustion = \"before-mate\", restores = \"both\"",
    ] {
        let vitality = format!(
            "turn.pass = \"unless-in-check\"\ncounters.vitality = {{ centre = [\"b2\", \"c3\"], {keys} }}"
        );
        let values = check_one_ply(&small("4x4", &vitality), &["KvK", "KPvK"]);
        assert_eq!(count(&values, Category::Draw), 0);
    }
    check_one_ply(&small("4x4", "counters.checks = 2"), &["KRvK", "KPvK"]);
    check_one_ply(
        "board.size = \"4x4\"\nend.no-progress = 6\ncounters.checks = 2",
        &["KRvK"],
    );
    let horde = "royal.rule = [\"none\", \"king\"]\nend = { all-lost = \"loss\", no-progress = 6 }\npawns.first-rank = 1";
    check_one_ply(&format!("board.size = \"4x4\"\n{horde}"), &["PvK", "PvKP"]);
    // A side that has lost all its men goes on without, unless that ends the game.
    let nobody = "royal.rule = \"none\"\nend.stalemate = \"loss\"\nturn.pass = \"always\"";
    check_one_ply(&small("3x3", nobody), &["QvN", "KvKN"]);
    // A double step after which the game is over gives no right to take e.p.
    let over = "royal.rule = \"only-of-type\"\npawns.double-step = \"anywhere\"\nend.king-capture = \"win\"\nend.bare = \"loss-unless-answered\"";
    check_one_ply(&small("3x4", over), &["KPvP"]);
    let both = "turn.no-checks = true\nend.king-capture = \"win\"";
    check_one_ply(&small("3x3", both), &["KRvK"]);
    let compounds = "pieces = { order = \"KACP\", A = \"NND\", C = \"mFcWZ\" }\npawns.promotes-to = \"AC\"\nroyal.piece = \"NF\"";
    check_one_ply(&small("5x4", compounds), &["KAvK", "KPvK"]);
}
