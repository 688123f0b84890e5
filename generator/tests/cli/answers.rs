//! Answers: JSON verbatim, and text.

use serde_json::{Value, json};

use crate::common::{FEN, copies, run, run_there, shipped};

#[test]
fn a_win_in_json() {
    let ran = run_there(&["probe", "orthodox", "--json", "8/8/8/3k4/8/8/8/KQ6 w - -"]);
    assert_eq!(
        ran.stdout,
        concat!(
            r#"{"fen":"8/8/8/3k4/8/8/8/KQ6 w - - 0 1","game":"orthodox","material":"KQvK","#,
            r#""category":"win","clock":0,"category_at_clock_0":"win","#,
            r#""winner":"white","depth_plies":17,"dtz_plies":17,"#,
            r#""check":false,"checkmate":false,"stalemate":false,"dead":false,"helpmate":null,"end":null}"#,
            "\n"
        )
    );
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
}

/// The fields of an answer that are named in `expected`.
#[track_caller]
fn probe(fen: &str, expected: Value) {
    let ran = run_there(&["probe", "orthodox", "--json", "--moves", "--line", fen]);
    let answer = ran.json();
    for (name, value) in expected.as_object().unwrap() {
        assert_eq!(answer[name], *value, "{fen}: {name}");
    }
}

#[test]
fn all_kinds_of_positions() {
    // Mated; with the colours swapped relative to the table.
    probe(
        "8/8/8/8/8/1k6/1q6/K7 w - - 3 9",
        json!({
            "fen": "8/8/8/8/8/1k6/1q6/K7 w - - 3 9", "material": "KQvK", "category": "loss",
            "winner": "black", "depth_plies": 0, "check": true, "checkmate": true,
            "stalemate": false, "end": "checkmate", "moves": [], "line": [],
            "line_end": "checkmate",
        }),
    );
    // Stalemate.
    probe(
        "8/8/8/8/8/1q6/8/K1k5 w - -",
        json!({
            "category": "draw", "winner": null, "depth_plies": null, "check": false,
            "checkmate": false, "stalemate": true, "end": "stalemate", "moves": [], "line": [],
            "line_end": "stalemate",
        }),
    );
    // A draw with moves.
    probe(
        "8/8/8/3k4/8/8/8/KN6 w - -",
        json!({"category": "draw", "dead": true, "end": null, "line": [], "line_end": null}),
    );
    // Needs no table.
    probe(
        "8/8/8/3k4/8/8/8/K7 b - -",
        json!({"material": "KvK", "category": "draw", "dead": true}),
    );
    // An e.p. square without a pawn that could capture there is dropped.
    probe(
        "8/8/8/8/P3k3/8/8/K7 b - a3 0 1",
        json!({"fen": "8/8/8/8/P3k3/8/8/K7 b - - 0 1", "material": "KPvK"}),
    );
}

#[test]
fn moves_without_depth_are_sorted_by_the_next_zeroing_move() {
    let folder = copies(&["KPvK.wdl", "KPvK.dtz"]);
    let folder = folder.path().to_str().unwrap();
    for (fen, sign) in [
        ("8/4k3/8/8/3KP3/8/8/8 w - -", 1),
        ("8/2k5/8/3K4/4P3/8/8/8 w - -", 1),
        ("8/3k4/8/3K4/4P3/8/8/8 b - -", -1),
    ] {
        let args = ["probe", "orthodox", fen, "--json", "--moves", "--line"];
        let ran = run(&[&args[..], &["--tables", folder]].concat());
        let answer = ran.json();
        assert!(
            answer["depth_plies"].is_null() && answer["line"].is_null(),
            "{fen}"
        );
        let moves = answer["moves"].as_array().unwrap();
        let same = |mv: &&Value| mv["category"] == answer["category"];
        let plies = |mv: &Value| match mv["zeroing"] == json!(true) {
            true => 1,
            false => 1 + mv["dtz_plies"].as_i64().unwrap(),
        };
        let order: Vec<i64> = moves
            .iter()
            .filter(same)
            .map(|mv| sign * plies(mv))
            .collect();
        assert!(!order.is_empty() && order.is_sorted(), "{fen}: {order:?}");
        assert_eq!(
            order[0],
            sign * answer["dtz_plies"].as_i64().unwrap(),
            "{fen}"
        );
    }
}

#[test]
fn moves_and_line() {
    let fen = "k7/7Q/1K6/8/8/8/8/8 w - - 0 1";
    let ran = run_there(&["probe", "orthodox", fen, "--json", "--moves", "--line"]);
    let answer = ran.json();
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(
        moves[0],
        json!({
            "uci": "h7a7", "san": "Qa7#", "category": "win", "winner": "white",
            "depth_plies": 0, "dtz_plies": 0, "end": "checkmate", "zeroing": false,
        })
    );
    let last = moves.last().unwrap();
    assert_eq!(last["category"], "draw");
    assert_eq!(answer["line_end"], "checkmate");
    assert_eq!(answer["line"], json!(["h7a7"]));
    // Best first: wins by depth, then by name.
    let keys: Vec<(u64, String)> = moves
        .iter()
        .filter(|m| m["category"] == "win")
        .map(|m| {
            let plies = m["depth_plies"].as_u64().unwrap();
            (plies, m["uci"].as_str().unwrap().to_owned())
        })
        .collect();
    assert!(keys.is_sorted() && keys.len() > 3, "{keys:?}");
    // The order of the fields.
    let places = ["\"end\":null", "\"moves\":[", "\"line\":[", "\"line_end\":"];
    let places = places.map(|text| ran.stdout.find(text).unwrap());
    assert!(places.is_sorted());
}

#[test]
fn text_for_people() {
    let ran = run_there(&["probe", "orthodox", FEN, "8/8/8/3k4/8/8/8/KN6 w - -"]);
    assert_eq!(
        ran.stdout,
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1: White mates in 9 moves (17 plies)\n\
         8/8/8/3k4/8/8/8/KN6 w - - 0 1: draw (dead position)\n"
    );
    let fen = "8/8/8/8/8/1kq5/8/K7 w - - 0 7";
    let ran = run_there(&["probe", "orthodox", fen, "--moves", "--line"]);
    assert_eq!(
        ran.stdout,
        "8/8/8/8/8/1kq5/8/K7 w - - 0 7: Black mates in 1 move (2 plies)\n  \
         Kb1      Black mates with the next move\n  \
         7. Kb1 Qb2#\n"
    );
}

#[test]
fn node_counts() {
    let ran = run(&["perft", "orthodox", FEN, "--depth", "2"]);
    assert_eq!(ran.stdout, "115\n");
    let ran = run(&["perft", "orthodox", FEN, "--depth", "2", "--json"]);
    assert!(
        ran.stdout
            .starts_with("{\"nodes\":115,\"divide\":{\"a1a2\":")
    );
    let fen = "8/8/8/8/8/1k6/8/K7 w - -";
    let divided = ["perft", "orthodox", fen, "--divide", "--depth"];
    let ran = run(&[&divided[..], &["2", "--json"]].concat());
    assert_eq!(ran.stdout, "{\"nodes\":5,\"divide\":{\"a1b1\":5}}\n");
    let ran = run(&[&divided[..], &["2"]].concat());
    assert_eq!(ran.stdout, "a1b1 5\n5\n");
    let ran = run(&[&divided[..], &["0", "--json"]].concat());
    assert_eq!(ran.stdout, "{\"nodes\":1,\"divide\":{}}\n");
    let mate = "8/8/8/8/8/1k6/1q6/K7 w - -";
    let ran = run(&["perft", "orthodox", mate, "--depth", "3"]);
    assert_eq!(ran.stdout, "0\n");
    // Passes; and games lost with the last point have no moves.
    let fen = "k7/8/8/8/8/8/8/7K w - - 1+1";
    let ran = run(&["perft", "high-chess", fen, "--divide", "--depth", "2"]);
    assert_eq!(ran.stdout, "0000 0\nh1g1 0\nh1g2 4\nh1h2 0\n4\n");
}

#[test]
fn statistics_in_json() {
    let answer = run_there(&["stats", "orthodox", "KKQ", "--json"]).json();
    let names: Vec<&str> = answer
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    assert_eq!(
        names,
        [
            "game",
            "material",
            "positions",
            "win",
            "draw",
            "loss",
            "cursed_win",
            "blessed_loss",
            "longest_win_plies",
            "longest_loss_plies",
            "histogram",
            "longest_fens",
            "dtz_histogram",
            "zugzwang",
            "mutual_zugzwang",
            "counted"
        ]
    );
    assert_eq!(answer["game"], "orthodox");
    assert_eq!(answer["material"], "KQvK");
    assert_eq!(
        answer["positions"],
        json!({"white": 144_508, "black": 223_944})
    );
    assert_eq!(answer["win"], json!({"white": 144_508, "black": 0}));
    assert_eq!(answer["draw"], json!({"white": 0, "black": 23_048}));
    assert_eq!(answer["loss"], json!({"white": 0, "black": 200_896}));
    assert_eq!(answer["cursed_win"], json!({"white": 0, "black": 0}));
    assert_eq!(
        answer["longest_win_plies"],
        json!({"white": 19, "black": null})
    );
    assert_eq!(
        answer["longest_loss_plies"],
        json!({"white": null, "black": 20})
    );
    assert_eq!(answer["histogram"]["white"]["win"]["19"], 8);
    assert_eq!(answer["histogram"]["white"]["loss"], json!({}));
    assert_eq!(answer["histogram"]["black"]["loss"]["0"], 364);
    for fen in answer["longest_fens"]["black"].as_array().unwrap() {
        let probed = run_there(&["probe", "orthodox", "--json", fen.as_str().unwrap()]);
        assert_eq!(probed.json()["depth_plies"], 20);
    }
    let one = run_there(&["stats", "orthodox", "KQvK", "--json", "--threads", "1"]);
    assert_eq!(one.json(), answer);
}

#[test]
fn statistics_in_text() {
    let ran = run_there(&["stats", "orthodox", "KPvK"]);
    assert_eq!(ran.code, 0);
    for text in ["White to move", "longest win", "55 plies", "56 plies"] {
        assert!(ran.stdout.contains(text), "{}", ran.stdout);
    }
}

#[test]
fn high_chess_is_made_counted_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().to_str().unwrap();
    let id = "high-chess:vitality=4";
    let ran = run(&["generate", id, "KRvK", "--out", tables, "--tables", tables]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = run(&["verify", id, "--tables", tables]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(ran.lines().len(), 2);
    assert!(!ran.stderr.contains("circles"));
    let ran = run(&["verify", id, "--tables", tables, "--sample", "50"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("circles"), "{}", ran.stderr);

    let stats = run(&["stats", id, "KRvK", "--tables", tables, "--json"]).json();
    assert!(stats.get("histogram").is_none());
    assert!(stats["longest_win_plies"]["white"].is_null());
    for side in ["white", "black"] {
        let count = |field: &str| stats[field][side].as_u64().unwrap();
        assert_eq!(count("win") + count("loss"), count("positions"));
        assert_eq!(count("draw"), 0);
        let by = |way: &str| stats["win_by"][way][side].as_u64().unwrap();
        assert_eq!(by("mate") + by("exhaustion"), count("positions"));
    }
    let text = run(&["stats", id, "KRvK", "--tables", tables]).stdout;
    assert!(text.contains("by exhaustion") && text.contains("a vitality of 4"));
}

/// The half-move clock counts (O7).
#[test]
fn the_clock() {
    let fen = |clock: u32| format!("8/8/8/3k4/8/8/8/KQ6 w - - {clock} 90");
    for (clock, category) in [(83, "win"), (84, "cursed-win"), (100, "cursed-win")] {
        probe(
            &fen(clock),
            json!({
                "clock": clock, "category": category, "category_at_clock_0": "win",
                "winner": "white", "depth_plies": 17, "dtz_plies": 17,
            }),
        );
    }
    let ran = run_there(&["probe", "orthodox", &fen(83), &fen(84), &fen(100)]);
    let words: Vec<&str> = ran
        .lines()
        .iter()
        .map(|l| l.split_once(": ").unwrap().1)
        .collect();
    let late =
        "White would mate in 9 moves (17 plies), but the fifty-move rule ends the game first";
    assert_eq!(words[0], "White mates in 9 moves (17 plies)");
    assert_eq!(words[1], late);
    assert_eq!(words[2], format!("{late}; the draw can be claimed"));
    // A quiet move is valued at the clock that it leaves, a pawn move at 0.
    let fen = "8/1P6/8/8/3k4/8/8/K7 w - - 95 90";
    let moves = run_there(&["probe", "orthodox", fen, "--moves", "--json"]).json();
    let moves = moves["moves"].as_array().unwrap();
    let category = |uci: &str| {
        let found = moves.iter().find(|m| m["uci"] == uci).unwrap();
        (
            found["category"].as_str().unwrap(),
            found["zeroing"].as_bool().unwrap(),
        )
    };
    assert_eq!(category("b7b8q"), ("win", true));
    assert_eq!(category("a1a2"), ("win", false));
    let fen = "8/8/8/8/3k4/8/8/KQ6 w - - 90 90";
    let moves = run_there(&["probe", "orthodox", fen, "--moves", "--json"]).json();
    assert_eq!(moves["moves"][0]["category"], "cursed-win");
}

/// The facts that follow from the rules are reported beside the error.
#[test]
fn facts_without_tables() {
    let nowhere = |args: &[&str]| run(&[&["probe"], args, &["--tables", "nowhere"]].concat());
    let fen = "3k3Q/8/8/8/8/8/8/K7 b - - 7 1";
    let ran = nowhere(&["orthodox", fen, "--json", "--moves", "--line"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (3, ""));
    let answer = ran.json();
    for (name, value) in [
        ("category", json!("unknown")),
        ("clock", json!(7)),
        ("category_at_clock_0", Value::Null),
        ("winner", Value::Null),
        ("depth_plies", Value::Null),
        ("material", json!("KQvK")),
        ("check", json!(true)),
        ("dead", json!(false)),
        ("line", Value::Null),
    ] {
        assert_eq!(answer[name], value, "{name}");
        assert!(answer.as_object().unwrap().contains_key(name), "{name}");
    }
    assert_eq!(answer["error"]["kind"], "missing-table");
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 3);
    assert_eq!(moves[0]["category"], "unknown");
    assert_eq!(moves[0]["san"], "Kc7");

    let ran = nowhere(&["orthodox", fen]);
    assert_eq!(ran.stdout, format!("{fen}: unknown (check)\n"));
    assert!(ran.stderr.contains("is missing"), "{}", ran.stderr);
    // More pieces than tables have; one of them can be captured.
    let many = "3k4/8/8/8/8/8/8/KQRBNNB1 w - -";
    let ran = nowhere(&["orthodox", many, "--json", "--moves"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.json()["error"]["kind"], "unsupported");
    assert_eq!(ran.json()["category"], "unknown");
    // The rules alone tell these.
    for (fen, category, depth) in [
        (
            "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w - -",
            "loss",
            json!(0),
        ),
        ("7k/5Q2/6K1/8/8/8/8/7R b - -", "loss", json!(0)),
        ("7k/5Q2/6K1/8/8/8/8/8 b - -", "draw", Value::Null),
        ("6k1/8/2b5/8/3B4/8/1B6/7K w - -", "unknown", Value::Null),
        ("6k1/8/1b6/8/3B4/8/1B6/7K w - -", "draw", Value::Null),
    ] {
        let answer = nowhere(&["orthodox", fen, "--json"]).json();
        assert_eq!(answer["category"], category, "{fen}");
        assert_eq!(answer["depth_plies"], depth, "{fen}");
    }
    // In a batch the answer is one line.
    let ran = crate::common::run_with(&["probe", "orthodox"], fen);
    assert_eq!(ran.lines().len(), 1);
    assert!(
        ran.stdout.contains("unknown (check): the table KQvK"),
        "{}",
        ran.stdout
    );
}

#[test]
fn facts_of_each_game() {
    let nowhere = |game: &str, fen: &str| {
        let ran = run(&[
            "probe", game, fen, "--json", "--moves", "--tables", "nowhere",
        ]);
        assert_eq!(ran.code, 3, "{}", ran.stdout);
        ran.json()
    };
    let find = |answer: &Value, uci: &str| -> Value {
        let moves = answer["moves"].as_array().unwrap();
        moves.iter().find(|m| m["uci"] == uci).unwrap().clone()
    };
    let high = nowhere("high-chess", "8/8/8/3k4/8/8/4P3/K7 w - - 9+8");
    assert_eq!(
        high["high"],
        json!({"side": "black", "white_distance": 3, "black_distance": 0})
    );
    assert!(high.get("clock").is_none());
    assert_eq!(find(&high, "e2e4")["vital"], true);
    assert_eq!(find(&high, "a1b1")["vital"], false);
    assert_eq!(find(&high, "a1b1")["white"], 8);

    let ninety_nine = nowhere("chess99", "9/9/9/4k4/9/9/9/3R5/K8 w - -");
    assert_eq!(ninety_nine["double_check"], false);
    assert_eq!(find(&ninety_nine, "d2e2")["double_check"], false);
    let near = nowhere("chess99", "9/9/9/9/9/9/2k6/3R5/K8 w - -");
    assert_eq!(find(&near, "a1b2")["double_check"], true);

    let kings = nowhere("kings", "8/8/8/8/3K3k/8/1K6/8 w - -");
    assert_eq!(kings["royal"]["white"], json!(["b2"]));
    let after = find(&kings, "d4c4")["royal_after"].clone();
    assert_eq!(after, json!({"white": ["b2"], "black": ["h4"]}));
    let moved = nowhere("kings", "8/8/8/8/1K5k/8/1K6/8 w - -");
    assert_eq!(find(&moved, "b4a4")["royal_after"]["white"], json!(["a4"]));
    assert!(kings["moves"][0].get("zeroing").is_none());
}

/// Values, moves and rows are those of the checks that each side still has to give.
#[test]
fn checks_are_counted() {
    let tables = ["--tables", shipped().to_str().unwrap()];
    let probe = |counters: &str| {
        let fen = format!("8/8/8/8/8/8/k7/2K4R w - - {counters}");
        run(&[
            &["probe", "three-check", &fen, "--moves", "--json"],
            &tables[..],
        ]
        .concat())
        .json()
    };
    let (last, first) = (probe("1+3"), probe("3+1"));
    assert_eq!(last["depth_plies"], 1);
    assert_eq!(last["moves"][0]["uci"], "h1h2");
    assert_eq!(last["moves"][0]["end"], "checks");
    assert_eq!(first["fen"], "8/8/8/8/8/8/k7/2K4R w - - 3+1 0 1");
    assert_eq!(first["depth_plies"], 3);
    let moves = first["moves"].as_array().unwrap();
    let check = moves.iter().find(|mv| mv["uci"] == "h1h2").unwrap();
    assert_eq!([&check["white"], &check["black"]], [2, 1]);
    // The colours swapped, with the counters.
    let swapped = "2k4r/K7/8/8/8/8/8/8 b - - 3+1";
    let swapped = run(&[&["probe", "three-check", swapped, "--json"], &tables[..]].concat()).json();
    assert_eq!(
        (&swapped["winner"], &swapped["depth_plies"]),
        (&json!("black"), &json!(1))
    );
    let swapped = run(&[
        &["probe", "three-check", "2k4r/K7/8/8/8/8/8/8 b - - 1+3"],
        &tables[..],
    ]
    .concat());
    assert_eq!(
        swapped.stdout,
        "2k4r/K7/8/8/8/8/8/8 b - - 1+3 0 1: Black wins in 2 moves (3 plies)\n"
    );

    let folder = tempfile::tempdir().unwrap();
    let made = folder.path().to_str().unwrap();
    let sets = ["--set", "board.size=4x4", "--set", "pawns.double-step=off"];
    let game = [&["three-check"], &sets[..], &["--tables", made]].concat();
    let on_four = |words: &[&str]| {
        let ran = run(&[&words[..1], &game[..], &words[1..]].concat());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
        ran
    };
    on_four(&["generate", "KRvK", "--out", made]);
    let rows = on_four(&["export", "KRvK"]).stdout;
    let some = rows
        .lines()
        .skip(1)
        .step_by(501)
        .filter_map(|row| row.split_once(','));
    let (mut last, mut rows) = (0, 0);
    for (fen, values) in some {
        let answer = on_four(&["probe", fen, "--json"]).json();
        let plies = answer["depth_plies"]
            .as_u64()
            .map_or(String::new(), |plies| plies.to_string());
        assert_eq!(values.split(',').nth(2), Some(&*plies), "{fen}");
        last += u32::from(fen.contains(" 1+1 "));
        rows += 1;
    }
    assert!(rows / 12 < last && last < rows / 6, "{last} of {rows}");
}

/// A position without a table has the value that its moves settle.
#[test]
fn known_moves_settle_a_position() {
    let ask = |game: &str, fen: &str, more: &[&str]| {
        let tables = ["--tables", shipped().to_str().unwrap()];
        run(&[&["probe", game, fen][..], &tables, more].concat())
    };
    let fen = "8/8/8/3k4/8/8/8/KQr5 w - -";
    let answer = ask("orthodox", fen, &["--json", "--moves"]);
    assert_eq!((answer.code, answer.stderr.as_str()), (0, ""));
    let answer = answer.json();
    assert_eq!(
        (&answer["category"], &answer["winner"], &answer["dtz_plies"]),
        (&json!("win"), &json!("white"), &json!(1))
    );
    assert_eq!(
        (&answer["depth_plies"], &answer["error"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(answer["moves"][0]["san"], "Qxc1");
    let text = ask("orthodox", fen, &["--line"]);
    assert_eq!(text.lines()[0], format!("{fen} 0 1: White wins, DTZ 1"));
    // The best moves need not be among those that are known.
    assert!(
        text.lines()[1].starts_with("  no best line: "),
        "{}",
        text.stdout
    );
    // One that mates is.
    let text = ask("orthodox", "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - -", &["--line"]);
    assert_eq!(
        text.lines(),
        [
            "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1: White mates with the next move",
            "  1. Ra8#",
        ]
    );
    let fen = "rnbqkbnr/ppppp2p/8/5pp1/8/4P3/PPPP1PPP/RNBQKBNR w - -";
    let text = ask("orthodox", fen, &["--line"]);
    assert_eq!((text.code, text.lines().len()), (0, 2), "{}", text.stdout);
    // Not where a better move may be among the others.
    let open = ask("orthodox", "8/8/8/3k4/7r/8/8/KQ6 w - -", &["--json"]);
    assert_eq!(
        (open.code, &open.json()["category"]),
        (3, &json!("unknown"))
    );
}

/// Mate on the board ends the game before any clock.
#[test]
fn mate_at_a_late_clock() {
    let fen = "1Q5k/8/6K1/8/8/8/8/8 b - - 101 80";
    let text = run_there(&["probe", "orthodox", fen]);
    assert_eq!(text.stdout, format!("{fen}: checkmate, White has won\n"));
    for search in [&[][..], &["--search", "3"]] {
        let asked = [&["probe", "orthodox", fen, "--json"], search].concat();
        assert_eq!(run_there(&asked).json()["category"], "loss");
        let before = "7k/8/6K1/8/8/8/8/1Q6 w - - 100 80";
        let asked = [&["probe", "orthodox", before, "--json", "--moves"], search].concat();
        let answer = run_there(&asked).json();
        assert_eq!(answer["category"], "cursed-win");
        assert_eq!(
            (&answer["moves"][0]["san"], &answer["moves"][0]["category"]),
            (&json!("Qb8#"), &json!("win"))
        );
    }
}
