//! `probe --search`: answers above the tables, by what stands in the contract.

use std::path::Path;

use crate::common::{fails, run, run_there, run_with, shipped, tables};

/// King and rooks against king: mate in one.
const ONE: &str = "k7/8/1K6/8/8/8/8/1R5R w - - 0 1";

/// The second puzzle of kings: mate in two.
const TWO: &str = "K1K5/8/8/k7/8/k7/8/R6R w - - 0 1";

#[test]
fn mates_are_found_with_tables_and_without() {
    let empty = tempfile::tempdir().unwrap();
    for folder in [tables(), empty.path()] {
        let folder = folder.to_str().unwrap();
        let found = run(&[
            "probe", "orthodox", ONE, "--search", "3", "--json", "--line", "--moves", "--tables",
            folder,
        ]);
        assert_eq!(found.code, 0, "{}", found.stderr);
        let found = found.json();
        assert_eq!(found["category"], "win");
        assert_eq!(found["category_at_clock_0"], "win");
        assert_eq!(found["winner"], "white");
        assert_eq!(found["depth_plies"], 1);
        assert_eq!(found["line"], serde_json::json!(["h1h8"]));
        assert_eq!(found["line_end"], "checkmate");
        assert_eq!(found["moves"][0]["uci"], "h1h8");
        // One move is enough without a search.
        assert_eq!(found["search"]["decides"], false);
        assert_eq!(found["search"]["keys"], serde_json::json!(["h1h8"]));
        assert!(found.get("error").is_none());
    }
}

/// The shortest mate comes too late; after a capture there is time.
#[test]
fn the_fifty_move_rule_comes_first() {
    let fen = "8/4k3/8/5K2/4p3/2Q5/8/8 w - - 99 60";
    let found = run_there(&[
        "probe", "orthodox", fen, "--search", "7", "--json", "--line", "--moves",
    ])
    .json();
    assert_eq!(found["category"], "win");
    assert_eq!(found["depth_plies"], 5);
    assert_eq!(found["line"][0], "f5e4");
    assert_eq!(found["line_end"], "checkmate");
    let moves = [0, 1].map(|place| &found["moves"][place]);
    assert_eq!(moves.map(|mv| &mv["uci"]), ["f5e4", "c3c7"]);
    assert_eq!(moves.map(|mv| &mv["category"]), ["win", "cursed-win"]);
    assert!(found["search"]["keys"].is_null());
}

/// Keys, threats and variations, for people.
#[test]
fn short_mates_are_solved() {
    let found = run(&["probe", "kings", TWO, "--search", "5", "--line"]);
    assert_eq!(found.code, 0, "{}", found.stderr);
    let expected = [
        &format!("{TWO}: White mates in 2 moves (3 plies), by search"),
        "  1. Rh7 Ka2 2. Ra7#",
        "  1. Rh7! (threat Ra7#)",
        "    1... Ka2, K3a4, K5a4, Ka6 2. Ra7#",
    ];
    assert_eq!(found.lines(), expected);
}

/// A position that is not decided is unknown, with the exit code of the missing table.
#[test]
fn nothing_is_guessed() {
    let fen = "8/8/8/3k4/7r/8/8/KQ6 w - - 0 1";
    for limit in [["--search", "1"], ["--nodes", "1"], ["--time", "0.0001"]] {
        let found = run_there(&["probe", "orthodox", fen, "--json", limit[0], limit[1]]);
        assert_eq!(found.code, 3, "{}", found.stdout);
        let object = found.json();
        assert_eq!(object["category"], "unknown");
        let search = object["search"].as_object().unwrap();
        assert_eq!(search.get("keys"), Some(&serde_json::Value::Null));
        assert_eq!(object["error"]["kind"], "missing-table");
        let message = object["error"]["message"].as_str().unwrap();
        assert!(message.contains("not decided within"), "{message}");
        assert!(message.contains("retrograde generate"), "{message}");
    }
    // Where tables know everything nothing is searched.
    let known = run_there(&[
        "probe",
        "orthodox",
        crate::common::FEN,
        "--search",
        "1",
        "--json",
    ]);
    assert_eq!(known.json()["depth_plies"], 17);
    assert_eq!(known.json()["search"]["decides"], false);
}

/// Castling rights, which tables refuse, are searched.
#[test]
fn rights_to_castle_are_searched() {
    let fen = "k7/7R/8/8/8/8/8/4K2R w K - 0 1";
    let found = run(&["probe", "orthodox", fen, "--search", "3", "--json"]).json();
    assert_eq!(found["depth_plies"], 3);
    let keys = found["search"]["keys"].as_array().unwrap();
    assert!(keys.contains(&"e1g1".into()) && keys.contains(&"h1g1".into()));
}

#[test]
fn a_batch_is_searched_line_by_line() {
    let text = format!("{TWO}\n\n{TWO}\n");
    let ran = run_with(&["probe", "kings", "--search", "3", "--json"], text);
    assert_eq!(ran.code, 2);
    let lines = ran.lines();
    assert_eq!(lines.len(), 3);
    assert!(lines[0].contains("\"depth_plies\":3,"));
    assert!(lines[1].contains("bad-fen"));
    assert!(lines[2].contains("\"depth_plies\":3,"));
}

/// If the values of all moves are known, so is how long the win takes.
#[test]
fn moves_tell_the_depth() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let found = run_there(&[
        "probe", "orthodox", fen, "--search", "3", "--moves", "--json",
    ]);
    let found = found.json();
    let best = found["moves"][0]["depth_plies"].as_u64().unwrap();
    assert_eq!(found["depth_plies"], best + 1);
}

/// Positions of which only who wins is found by the search itself; the last of their values
/// come from tables.
const WON_BY_TABLES: [(&str, &str, u64); 3] = [
    // All moves but one lose at once.
    ("extinction", "8/4k3/5PK1/8/8/8/8/5k2 w - - 0 1", 16),
    // A queen is free, and then there is a long way to go.
    ("kings", "8/8/4K3/2k5/2Q5/8/8/6R1 b - - 0 1", 24),
    ("orthodox", "8/8/8/8/5p2/3K1kP1/8/8 b - - 0 1", 19),
];

/// The tables of three men at most, in a folder of their own.
fn three_men() -> tempfile::TempDir {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables");
    let folder = tempfile::tempdir().unwrap();
    for game in ["orthodox", "kings", "extinction"] {
        let there = folder.path().join(game);
        std::fs::create_dir(&there).unwrap();
        for file in std::fs::read_dir(shipped.join(game)).unwrap() {
            let file = file.unwrap();
            let name = file.file_name().into_string().unwrap();
            let material = name.split('.').next().unwrap();
            if material.chars().filter(|&letter| letter != 'v').count() <= 3 {
                std::fs::copy(file.path(), there.join(&name)).unwrap();
            }
        }
    }
    folder
}

/// A line is best play by what stands beside it, with the moves and without.
#[test]
fn lines_agree_with_moves_and_depth() {
    let folder = three_men();
    let folder = folder.path().to_str().unwrap();
    for (game, fen, depth) in WON_BY_TABLES {
        let wanted = ["probe", game, fen, "--search", "7", "--json", "--line"];
        let there = ["--tables", folder];
        let with_moves = run(&[&wanted[..], &["--moves"], &there].concat()).json();
        assert_eq!(with_moves["depth_plies"], depth, "{fen}");
        let moves = with_moves["line"].as_array().expect(fen);
        assert_eq!(moves.len() as u64, depth, "{fen}");
        assert_eq!(moves[0], with_moves["moves"][0]["uci"], "{fen}");
        assert!(with_moves["line_end"].is_string(), "{fen}");
        let alone = run(&[&wanted[..], &there].concat()).json();
        for field in ["category", "depth_plies", "line", "line_end"] {
            assert_eq!(alone[field], with_moves[field], "{fen}: {field}");
        }
    }
}

/// Where it is not proved which moves are best, there is no line.
#[test]
fn no_line_is_guessed() {
    let folder = three_men();
    let folder = folder.path().to_str().unwrap();
    // The pawn can be taken on the next move; whether there is a shorter mate is open.
    let fen = "8/8/8/8/5k2/8/3p1K2/Q7 w - - 0 1";
    let wanted = [
        "probe", "orthodox", fen, "--search", "3", "--line", "--tables", folder,
    ];
    let found = run(&[&wanted[..], &["--json"]].concat()).json();
    assert_eq!(found["category"], "win");
    for field in ["depth_plies", "line", "line_end"] {
        assert!(found[field].is_null(), "{field}: {}", found[field]);
    }
    assert_eq!(
        run(&wanted).lines(),
        [
            format!("{fen}: White wins, by search").as_str(),
            "  no best line: who wins is proved, but not which moves are best; a larger --search may tell",
        ]
    );
}

/// The time is for a position and its moves together.
#[test]
fn moves_take_no_more_time() {
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let began = std::time::Instant::now();
    let found = run(&["probe", "orthodox", fen, "--time", "2", "--moves"]);
    assert_eq!(found.code, 2, "{}", found.stderr);
    assert!(began.elapsed().as_secs_f64() < 3.5, "{:?}", began.elapsed());
}

/// Whoever is waiting for several answers still gets all of them.
#[cfg(unix)]
#[test]
fn ctrl_c_leaves_no_position_out() {
    use std::io::{BufRead, BufReader, Read, Write};

    let long = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let known = crate::common::FEN;
    let mut child = crate::common::running()
        .args(["probe", "orthodox", "-", long, known])
        .args(["--search", "30", "--json", "--tables"])
        .arg(tables())
        .spawn()
        .unwrap();
    // What comes from stdin is answered at once; then the search begins.
    writeln!(child.stdin.take().unwrap(), "{known}").unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    stdout.read_line(&mut text).unwrap();
    std::thread::sleep(std::time::Duration::from_millis(500));
    crate::common::interrupt(&child);
    stdout.read_to_string(&mut text).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(75));
    let answers: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(answers.len(), 3, "{text}");
    assert_eq!(answers[1]["search"]["stop"], "interrupted");
    assert_eq!(answers[2]["depth_plies"], 17);
}

#[test]
fn limits_must_make_sense() {
    for (option, value, message) in [
        ("--search", "0", "from 1 to 500"),
        ("--search", "501", "from 1 to 500"),
        ("--search", "x", "from 1 to 500"),
        ("--time", "0", "write a number of seconds"),
        ("--time", "-1", "write a number of seconds"),
        ("--time", "nan", "write a number of seconds"),
        ("--time", "1e300", "write a number of seconds"),
        ("--nodes", "0", "at least 1"),
        ("--memory", "4X", "write a size"),
    ] {
        fails(&["probe", "orthodox", ONE, option, value], 2, message);
    }
}

/// Where tables know everything, a search changes neither the order of the moves nor the line:
/// in High Chess that is by more than a search finds out.
#[test]
fn a_search_leaves_what_tables_know() {
    let folder = shipped();
    for (game, fen) in [
        ("high-chess", "8/8/8/8/8/k7/8/K6R b - - 50+50"),
        ("high-chess", "8/8/8/8/8/k7/8/K6R w - - 6+9"),
        ("orthodox", "8/8/8/3k4/8/8/8/KQ6 w - -"),
    ] {
        let wanted = [
            "probe", game, fen, "--moves", "--line", "--json", "--tables",
        ];
        let wanted = [&wanted[..], &[folder.to_str().unwrap()]].concat();
        let known = run(&wanted).json();
        let searched = run(&[&wanted[..], &["--search", "2"]].concat()).json();
        for field in ["moves", "line", "line_end"] {
            assert!(!known[field].is_null(), "{fen}: {field}");
            assert_eq!(searched[field], known[field], "{fen}: {field}");
        }
    }
}
