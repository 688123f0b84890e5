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

/// Which record, and the position before the move, or the start as it was given.
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

/// So does a start that is given beside the games.
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
