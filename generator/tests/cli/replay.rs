//! Games, ply by ply.

use serde_json::Value;

use crate::common::{fails, run, run_there};

const START: &str = "8/8/8/8/8/3k4/1Q6/7K w - -";

#[test]
fn a_win_is_thrown_away() {
    let moves = "1. Qb3+ {good} Kd4 (1... Ke4) 2. Qc4+ Kxc4 1/2-1/2";
    let ran = run_there(&[
        "replay", "orthodox", "--json", "--fen", START, "--moves", moves,
    ]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let plies: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let column = |name: &str| -> Vec<&Value> { plies.iter().map(|ply| &ply[name]).collect() };
    assert_eq!(column("ply"), [1, 2, 3, 4]);
    assert_eq!(column("san"), ["Qb3+", "Kd4", "Qc4+", "Kxc4"]);
    assert_eq!(column("uci"), ["b2b3", "d3d4", "b3c4", "d4c4"]);
    assert_eq!(column("category"), ["win", "loss", "win", "draw"]);
    assert_eq!(column("category_after"), ["win", "loss", "draw", "draw"]);
    assert_eq!(column("changed"), [false, false, true, false]);
    assert_eq!(column("repetitions"), [0, 0, 0, 0]);
    let ran = run_there(&[
        "replay",
        "orthodox",
        "--annotate",
        "--fen",
        START,
        "--moves",
        moves,
    ]);
    assert!(
        ran.stdout
            .replace('\n', " ")
            .contains("2. Qc4+ $2 {draw; was win}"),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("[SetUp \"1\"]"), "{}", ran.stdout);
    // Four fields are enough to be read, but not in a file.
    let short = [
        "--annotate",
        "--fen",
        "8/8/8/3k4/8/8/8/KQ6 w - -",
        "--moves",
        "Qb5+",
    ];
    let ran = run_there(&[&["replay", "orthodox"][..], &short].concat());
    let tag = "[FEN \"8/8/8/3k4/8/8/8/KQ6 w - - 0 1\"]\n";
    assert!(ran.stdout.contains(tag), "{}", ran.stdout);
    let ran = run_there(&["replay", "orthodox", "--fen", START, "--moves", moves]);
    assert!(ran.stdout.contains("Qc4+?"), "{}", ran.stdout);
}

#[test]
fn what_cannot_be_replayed() {
    for (moves, message) in [
        ("e4 (e5", "no closing parenthesis"),
        (
            "[Variant \"Extinction\"] e4",
            "a record of Extinction, not of orthodox",
        ),
        ("[FEN \"8/8 w - -\"] e4", "8 ranks"),
        ("", "no game to replay"),
    ] {
        fails(&["replay", "orthodox", "--moves", moves], 2, message);
    }
    fails(
        &["replay", "orthodox", "/nonexistent.pgn"],
        5,
        "cannot read",
    );
    // By then, the legal moves have been answered.
    let ran = run(&["replay", "orthodox", "--moves", "e4 e5 Ke3"]);
    assert_eq!((ran.code, ran.stdout.lines().count()), (2, 3));
    let message = "line 1, column 7: Ke3 is not legal here";
    assert!(ran.stderr.contains(message), "{}", ran.stderr);
    let ran = run(&["replay", "high-chess", "--moves", "-- 0000 e4"]);
    assert_eq!(
        (ran.code, ran.stdout.lines().count()),
        (0, 4),
        "{}",
        ran.stderr
    );
}

/// Errors name the record, and the position before the move, or the start as it was given.
#[test]
fn errors_say_where() {
    let games = "[FEN \"8/8/8/8/8/3k4/1Q6/7K w - -\"]\n1. Qb3+ Kd3\n\n\
                 [FEN \"8/8 w - -\"]\n1. e4\n\n[Variant \"Extinction\"]\n1. e4 *\n";
    let ran = run_there(&["replay", "orthodox", "--json", "--moves", games]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let lines: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let errors: Vec<[&Value; 3]> = lines
        .iter()
        .filter(|line| line["ply"].is_null())
        .map(|line| [&line["record"], &line["fen"], &line["error"]["kind"]])
        .collect();
    let [illegal, start, variant] = errors[..] else {
        panic!("{}", ran.stdout);
    };
    let before = serde_json::json!([1, "8/8/8/8/8/1Q1k4/8/7K b - - 1 1", "illegal-move"]);
    assert_eq!(serde_json::json!(illegal), before);
    assert_eq!(
        serde_json::json!(start),
        serde_json::json!([2, "8/8 w - -", "bad-fen"])
    );
    assert_eq!(
        serde_json::json!(variant),
        serde_json::json!([3, "", "unsupported"])
    );
}

/// A bad start that is given beside the games is told in JSON, too.
#[test]
fn a_bad_start_is_told_in_json_too() {
    let replay = ["replay", "orthodox", "--fen", "8/8 w - -", "--moves", "Kb2"];
    let ran = run_there(&[&replay[..], &["--json"]].concat());
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    let object = ran.json();
    assert_eq!(object["record"], 1);
    assert_eq!(object["fen"], "8/8 w - -");
    assert_eq!(object["error"]["kind"], "bad-fen");
    let message = object["error"]["message"].as_str();
    assert!(
        message.is_some_and(|text| !text.contains("tag")),
        "{object}"
    );
    fails(&replay, 2, "8 ranks");
}

/// Exit code 3 where no table had anything to say about a game, because they are missing.
#[test]
fn games_without_any_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap();
    let replay = |args: &[&str]| {
        let command = ["replay", "orthodox", "--tables", path];
        run(&[&command[..], args].concat())
    };
    let win = ["--fen", START, "--moves", "Qb3+ Kd4 Qb4+ Kd3"];
    for format in [&[][..], &["--json"], &["--annotate"]] {
        let ran = replay(&[&win[..], format].concat());
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        // Once, whatever the number of plies.
        let advice = format!(
            "1 table is missing: KQvK; make them with: retrograde generate orthodox KQvK \
             --tables {path}\n"
        );
        assert!(ran.stderr.ends_with(&advice), "{}", ran.stderr);
        assert_eq!(ran.stderr.lines().count(), 1, "{}", ran.stderr);
        assert!(ran.stdout.lines().count() >= 4 || format == ["--annotate"]);
    }
    // Neither a mate nor two bare kings are looked up.
    let mates = ["--fen", "8/8/8/8/8/1k6/7q/K7 b - -", "--moves", "Qb2#"];
    assert_eq!(replay(&mates).code, 3);
    let bare = ["--fen", START, "--moves", "Qc2+ Kxc2 Kg1"];
    assert_eq!(replay(&bare).code, 3);
    // With too many men there is no table to miss.
    let ran = replay(&["--moves", "e4 e5"]);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
    // Of two games the one without tables counts, and a game with some is none.
    let games = format!(
        "[FEN \"{START}\"]\n1. Qb3+ *\n\n[FEN \"8/8/8/8/8/3k4/1R6/7K w - -\"]\n1. Rb3+ *\n"
    );
    let ran = replay(&["--moves", &games]);
    assert_eq!(ran.code, 3);
    let both =
        "2 tables are missing: KQvK, KRvK; make them with: retrograde generate orthodox KQvK KRvK ";
    assert!(ran.stderr.contains(both), "{}", ran.stderr);
    let made = run(&["generate", "orthodox", "KQvK", "--out", path]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let ran = replay(&["--moves", &games]);
    assert_eq!(ran.code, 3);
    assert!(ran.stderr.contains("missing: KRvK; "), "{}", ran.stderr);
    // From a table that is missing into one that is there.
    let into = ["--fen", "3k4/8/8/8/8/8/1r6/1Q5K w - -", "--moves", "Qxb2"];
    let ran = replay(&into);
    assert_eq!((ran.code, &*ran.stderr), (0, ""));
}

/// The position after a move may have no table, and yet a value by its own moves.
#[test]
fn known_moves_settle_what_a_move_led_to() {
    let start = "8/8/8/3k4/2r5/8/8/KQ6 b - -";
    let game = ["replay", "orthodox", "--fen", start, "--moves", "Rc1 Qxc1"];
    let ran = run_there(&[&game[..], &["--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let plies: Vec<Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(plies[0]["category_after"], "loss");
    assert_eq!(plies[1]["category"], "win");
    let text = run_there(&game);
    let words = "1...   Rc1       White wins, DTZ 1";
    assert!(text.lines()[1].starts_with(words), "{}", text.stdout);
}

fn lines(ran: &crate::common::Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// The third occurrence of a position is a draw, and so is a move that allows it.
#[test]
fn values_know_the_game_so_far() {
    let replay = [
        "replay",
        "orthodox",
        "--fen",
        "8/8/8/3k4/8/8/8/KQ6 w - -",
        "--moves",
    ];
    let shuffle = "a1b2 d5d6 b2a1 d6d5 a1b2 d5d6 b2a1 d6d5 a1b2 d5c4";
    let ran = run_there(&[&replay[..], &[shuffle, "--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let plies = lines(&ran);
    let column = |name: &str| -> Vec<&Value> { plies.iter().map(|ply| &ply[name]).collect() };
    assert_eq!(column("repetitions_after"), [0, 0, 0, 1, 1, 1, 1, 2, 2, 0]);
    assert_eq!(column("repetitions"), [0, 0, 0, 0, 1, 1, 1, 1, 2, 2]);
    let before = [
        "win", "loss", "win", "loss", "win", "loss", "win", "draw", "draw", "draw",
    ];
    assert_eq!(column("category"), before);
    let after = [
        "win", "loss", "win", "loss", "win", "loss", "draw", "draw", "draw", "loss",
    ];
    assert_eq!(column("category_after"), after);
    assert_eq!(plies[6]["changed"], true);
    let ran = run_there(&[&replay[..], &[shuffle]].concat());
    let text: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        text[7].contains("Ka1?") && text[7].contains("draw (was win"),
        "{}",
        ran.stdout
    );
    assert!(
        text[8].contains("3rd time, the draw can be claimed"),
        "{}",
        ran.stdout
    );
    // Without tables the rules know that much.
    let moves = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8";
    let plies = lines(&run_there(&[
        "replay", "orthodox", "--json", "--moves", moves,
    ]));
    assert_eq!(
        (&plies[6]["category_after"], &plies[7]["category_after"]),
        (&"unknown".into(), &"draw".into())
    );
}

/// A null move is no move of the game, and what comes after it may make sense.
#[test]
fn null_moves() {
    let replay = ["replay", "orthodox", "--fen", START, "--moves"];
    let ran = run_there(&[&replay[..], &["1. Kg1 -- 2. Kf1 Kc4 *", "--json"]].concat());
    assert_eq!(ran.code, 2);
    let plies = lines(&ran);
    assert_eq!(plies[1]["error"]["kind"], "illegal-move");
    let message = plies[1]["error"]["message"].as_str().unwrap();
    assert!(message.contains("column 8: -- is a null move"), "{message}");
    let told: Vec<(&Value, &Value)> = plies.iter().map(|ply| (&ply["san"], &ply["ply"])).collect();
    assert_eq!(
        serde_json::json!(told),
        serde_json::json!([["Kg1", 1], [null, null], ["Kf1", 3], ["Kc4", 4]])
    );
    let ran = run_there(&[&replay[..], &["1. Kg1 -- 2. Kf1 Kc4 *", "--annotate"]].concat());
    let text = ran.stdout.replace('\n', " ");
    assert!(
        ran.code == 2 && text.contains("-- 2. Kf1"),
        "{}",
        ran.stdout
    );
    // In check the other side cannot be to move.
    let ran = run_there(&[&replay[..], &["Qb3+ Z0 Kg2"]].concat());
    assert_eq!((ran.code, ran.stdout.lines().count()), (2, 2));
    assert!(ran.stderr.contains("Z0 is a null move"), "{}", ran.stderr);
}

/// Games of Chess 99 are read as its designer writes them.
#[test]
fn chess_99_as_its_designer_writes_it() {
    let replay = |fen: &str, moves: &str, more: &[&str]| {
        let shipped = crate::common::shipped();
        let tables = ["--tables", shipped.to_str().unwrap()];
        let command = ["replay", "chess99", "--fen", fen, "--moves", moves];
        run(&[&command[..], more, &tables].concat())
    };
    let fen = "9/9/4k4/9/9/3P5/9/9/2A1K4 w - -";
    let ran = replay(fen, "1. Pd2 Kd7 2. d5!+ Kd6 %", &["--annotate"]);
    // For want of a table.
    assert_eq!(ran.code, 3, "{}", ran.stderr);
    let text = ran.stdout.replace('\n', " ");
    assert!(text.contains("1. Ad2 Kd7 2. d5 Kd6 1/2-1/2"), "{text}");
    // The courtesy move after a drawn capture of the king is read over.
    let fen = "9/9/9/9/4r4/9/4k4/4K4/9 w - -";
    for moves in ["Kxe3", "Kxe3 Rxe3", "Kxe3 Rxe3 1/2-1/2"] {
        let ran = replay(fen, moves, &["--json"]);
        assert_eq!(
            (ran.code, ran.stdout.lines().count()),
            (0, 1),
            "{}",
            ran.stderr
        );
        assert_eq!(ran.json()["end_after"], "king-capture-draw");
    }
    assert_eq!(replay(fen, "Kxe3 Rxe3 Kd3", &[]).code, 2);
    assert_eq!(replay(fen, "Kxe3 hello", &[]).code, 2);
    // A star behind the last move is the result unless it marks a capture en passant.
    let ep = "4k4/9/9/9/9/3pP4/9/9/K8 b - e3";
    for (moves, san) in [("dxe3*", "dxe3*"), ("Ke8*", "Ke8")] {
        assert_eq!(replay(ep, moves, &["--json"]).json()["san"], san);
    }
    let takes = "4k4/9/9/9/3p5/4P4/9/9/K8 w - -";
    assert_eq!(replay(takes, "exd5*", &["--json"]).json()["san"], "exd5");
    let both = "9/9/9/9/9/9/4k4/9/3QK4 w - -";
    let ran = replay(both, "Ke2", &[]);
    assert!(ran.stdout.contains("double check"), "{}", ran.stdout);
    let ran = run_there(&["probe", "chess99", both, "--moves"]);
    let line = ran.stdout.lines().find(|line| line.starts_with("  Ke2"));
    assert!(
        line.is_some_and(|line| line.ends_with(", double check")),
        "{}",
        ran.stdout
    );
}

/// A game that is annotated already is not annotated again, whatever the tables knew then.
#[test]
fn annotating_twice_is_annotating_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.pgn");
    let pgn = b"[Event \"Caf\xe9 \"Zentral\"\"]\n[FEN \"8/8/8/8/8/3k4/1Q6/7K w - -\"]\n\n\
        1. Qb3+ {gut \xb1} Kd4 2. Qc4+ Kxc4 1/2-1/2\n";
    std::fs::write(&path, pgn).unwrap();
    let annotate = |tables: &[&str]| {
        let command = ["replay", "orthodox", path.to_str().unwrap(), "--annotate"];
        let ran = match tables {
            [] => run_there(&command),
            _ => run(&[&command[..], tables].concat()),
        };
        std::fs::write(&path, &ran.stdout).unwrap();
        ran.stdout
    };
    let once = annotate(&[]);
    assert!(
        once.contains("[Event \"Caf\u{e9} \\\"Zentral\\\"\"]"),
        "{once}"
    );
    assert!(once.contains("{gut \u{b1}} {White mates in"), "{once}");
    assert_eq!(annotate(&[]), once);
    // With less known first.
    let less = crate::common::copies(&["KQvK.wdl", "KQvK.dtz"]);
    std::fs::write(&path, pgn).unwrap();
    let known = annotate(&["--tables", less.path().to_str().unwrap()]);
    assert!(known.contains("{gut \u{b1}} {White wins, DTZ"), "{known}");
    assert_eq!(annotate(&[]), once);
}

/// No input takes more memory than one game does.
#[cfg(unix)]
#[test]
fn what_is_no_text_is_given_up_at_once() {
    fails(&["replay", "orthodox", "/dev/zero"], 2, "this is no PGN");
    fails(&["replay", "orthodox", "/"], 5, "cannot read /: ");
}
