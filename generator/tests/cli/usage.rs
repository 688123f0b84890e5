//! Tests wrong usage: each with its message and exit code 2, unless another fits better.

use crate::common::{FEN, fails, run, run_there, tables};

#[test]
fn unknown_names() {
    fails(&[], 2, "Usage");
    fails(&["solve"], 2, "unrecognized subcommand 'solve'");
    fails(
        &["probe", "checkers", FEN],
        2,
        "there is no game \"checkers\"; the games are: orthodox, high-chess, chess99",
    );
    fails(
        &["probe", "orthodox:castling=on", FEN],
        2,
        "orthodox has no rule option \"castling\"; it has no options",
    );
    fails(&["probe", "orthodox", "--depth"], 2, "unexpected argument");
    fails(&["probe"], 2, "<GAME>");
    fails(&["probe"], 2, "the games are: orthodox, high-chess");
    let unknown = run(&["repack", "orthodox", "KQvK", "--metric", "wdl"]);
    assert_eq!(unknown.code, 2);
    assert!(!unknown.stderr.contains("as a value"), "{}", unknown.stderr);
    fails(&["stats", "orthodox", "KQvK", "--jsn"], 2, "'--json'");
    fails(&["--json", "probe"], 2, "'probe --json' exists");
    fails(&["plan", "orthodox", "KQK", "--format", "yaml"], 2, "json");
    fails(&["completions", "dos"], 2, "bash");
    fails(&["man", "solve"], 2, "the commands are: generate, plan");
}

#[test]
fn each_run_takes_its_own_arguments() {
    let folder = tempfile::tempdir().unwrap();
    let definition = "name = \"small\"\nextends = \"orthodox\"\nboard.size = \"5x5\"\n";
    std::fs::write(folder.path().join("small.toml"), definition).unwrap();
    let folder = folder.path().to_str().unwrap();
    let run = |words: &[&str]| {
        let words = ["retrograde", "games", "small", "--toml"]
            .iter()
            .chain(words);
        retrograde::cli::run(words.map(Into::into).collect())
    };
    assert_eq!(run(&[]), 2);
    assert_eq!(run(&["--games", folder]), 0);
    assert_eq!(run(&[]), 2);
}

#[test]
fn games_are_listed() {
    let listed = run(&["games", "--json"]);
    assert_eq!(listed.code, 0);
    let games: serde_json::Value = serde_json::from_str(&listed.stdout).unwrap();
    let of = |id: &str| {
        let mut all = games.as_array().unwrap().iter();
        all.find(|game| game["id"] == id).unwrap().clone()
    };
    assert_eq!(
        of("orthodox"),
        serde_json::json!({
            "id": "orthodox", "board": "8x8", "pieces": "KQRBNP",
            "metrics": ["wdl", "dtm", "dtz"], "options": [],
        })
    );
    assert_eq!(of("chess99")["board"], "9x9");
    assert_eq!(of("chess99")["pieces"], "KQARBNP");
    let spare = serde_json::json!({
        "name": "spare-king", "values": ["king", "queen", "duke"], "default": "king",
    });
    assert!(of("kings")["options"].as_array().unwrap().contains(&spare));
    let high_chess = of("high-chess");
    let mut options = high_chess["options"].as_array().unwrap().iter();
    let numbers = options.find(|option| option["name"] == "vitality");
    assert_eq!(numbers.unwrap()["values"].as_array().unwrap().len(), 50);
    // Whatever is listed is accepted, and defaults may be spelt out.
    for game in games.as_array().unwrap() {
        let id = game["id"].as_str().unwrap();
        for option in game["options"].as_array().unwrap() {
            let name = option["name"].as_str().unwrap();
            for value in option["values"].as_array().unwrap() {
                // A chancellor needs ten files (K7).
                let with = if name == "chancellor" {
                    "board=10x8,"
                } else {
                    ""
                };
                let full = format!("{id}:{with}{name}={}", value.as_str().unwrap());
                let planned = run(&["plan", &full, "KQvK", "--format", "json"]);
                assert_eq!(planned.code, 0, "{full}: {}", planned.stderr);
                let kept = planned.stdout.contains(&format!("\"game\":\"{full}\""));
                assert_eq!(kept, *value != option["default"], "{full}");
            }
        }
    }
    let text = run(&["games"]).stdout;
    let orthodox = "orthodox           8x8    KQRBNP   wdl, dtm, dtz, helpmate on request\n";
    assert!(text.starts_with(orthodox), "{text}");
    assert!(
        text.contains("    tie-break = home or rank1 [default: home]"),
        "{text}"
    );
    let help = run(&["--help"]).stdout;
    assert!(help.contains("Games: orthodox, high-chess"), "{help}");
    // The names that help offers are not all there is.
    for command in ["generate", "probe", "stats", "export", "replay", "perft"] {
        let help = run(&[command, "--help"]).stdout;
        assert!(help.contains("some games take options"), "{help}");
        assert!(help.contains("possible values: orthodox,"), "{help}");
    }
    let script = run(&["completions", "bash"]).stdout;
    assert!(script.contains("extinction-mating"), "{script}");
}

#[test]
fn options_of_a_game() {
    for id in ["high-chess", "high-chess:vital-restores=both,vitality=5"] {
        let make = format!("retrograde generate {id} KvK");
        let ran = run(&["probe", id, "8/8/8/3k4/8/8/8/K7 w - -"]);
        assert!(
            ran.code == 3 && ran.stderr.contains(&make),
            "{}",
            ran.stderr
        );
        assert!(
            ran.stdout.contains("unknown (Black is High)"),
            "{}",
            ran.stdout
        );
        fails(&["verify", id, "KvK"], 3, &make);
        fails(&["stats", id, "KvK"], 3, &make);
        assert_eq!(run(&["plan", id, "KvK"]).code, 0);
    }
    fails(
        &["perft", "high-chess:vitality=51", FEN, "--depth", "1"],
        2,
        "the vitality of high-chess is a whole number from 1 to 50, not \"51\"",
    );
}

#[test]
fn impossible_material() {
    for command in ["generate", "plan", "verify", "stats"] {
        let fails = |name, message| fails(&[command, "orthodox", name], 2, message);
        fails("KXvK", "orthodox has no piece \"X\"; its pieces are KQRBNP");
        fails("KKvK", "the first side needs exactly one king");
        fails("KQvR", "the second side needs exactly one king");
        fails("KQRBNvKQR", "has 8 pieces; tables have at most 7");
        let many = format!("K{}vK", "Q".repeat(300));
        fails(&many, "has 302 pieces; tables have at most 7");
        fails("KQ", "does not name two sides; write material like KQvKR");
        fails("KQk", "use capitals for the pieces of both sides: KQK");
    }
    for command in ["generate", "plan", "verify"] {
        fails(&[command, "orthodox", "KvK"], 2, "KvK needs no table");
        for pieces in ["0", "1", "8"] {
            let message = "name a number from 2 to 7";
            fails(&[command, "orthodox", "--men", pieces], 2, message);
        }
        fails(&[command, "orthodox", "--men", "four"], 2, "invalid value");
        let message = "invalid value '-3' for '--men <N>'";
        fails(&[command, "orthodox", "--men", "-3"], 2, message);
    }
    for command in ["generate", "plan"] {
        fails(&[command, "orthodox"], 2, "name tables, such as");
    }
}

#[test]
fn bad_numbers() {
    let fails_with = |option, value, message| {
        fails(&["generate", "orthodox", "KQK", option, value], 2, message);
    };
    for size in ["", "4X", "lots", "0", "-1G", "1e99G", "G"] {
        let size = format!("--memory={size}");
        fails(&["generate", "orthodox", "KQK", &size], 2, "--memory");
    }
    fails_with("--memory", "4Q", "write a size like 4G, 512M or 3.5GiB");
    fails_with("--threads", "0", "write a whole number from 1 to 1024");
    fails_with("--threads", "many", "write a whole number from 1 to 1024");
    fails_with("--men", "x", "write a whole number from 2 to 7");
    fails(&["perft", "orthodox", FEN], 2, "--depth");
    fails(
        &["perft", "orthodox", FEN, "--depth", "x"],
        2,
        "from 0 to 100",
    );
    for sample in ["some", "0", "-5"] {
        let message = format!("invalid value '{sample}' for '--sample <N>': write a whole number");
        fails(&["verify", "orthodox", "--sample", sample], 2, &message);
    }
    fails_with("--threads", "-1", "invalid value '-1' for '--threads <N>'");
    fails_with("--memory", "-1G", "write a size like 4G, 512M or 3.5GiB");
    let perft = ["perft", "orthodox", FEN, "--depth", "-2"];
    fails(&perft, 2, "invalid value '-2' for '--depth <N>'");
    let deep = ["perft", "orthodox", FEN, "--depth", "20000"];
    fails(&deep, 2, "write a whole number from 0 to 100");
}

/// Every command that reads a FEN refuses bad ones, saying why.
#[test]
fn bad_positions() {
    for (fen, message) in [
        ("", "the field of pieces is missing"),
        ("8/8/8/3k4/8/8/8/KQ6", "the side to move is missing"),
        ("8/8/8/3k4/8/8/8/KQ6 w KQ -", "no white king stands on e1"),
        ("8/8/8/3k4/8/8/8/4K2R w x -", "castling field is - or"),
        ("8/8/8/3k4/8/8/8/KQ6 w - - 0 1 2", "one field too many"),
        (
            "8/8/8/3k4/8/8/8/KA6 w - -",
            "\"A\" is not a piece of orthodox",
        ),
        ("8/8/8/3k4/8/8/8/KQ7 w - -", "rank 1 needs 8 squares"),
        ("8/8/8/3k4/8/8/KQ6 w - -", "8 ranks"),
        ("8/8/8/3k4/8/8/8/KQ6 x - -", "w or b, not \"x\""),
        ("8/8/8/3k4/8/8/8/KQ6 w - z9", "\"z9\""),
        ("8/8/8/3k4/8/8/8/KQ6 w - e6", "no pawn"),
        ("8/8/8/3k4/8/8/8/KKQ5 w - -", "white has 2 kings (a1, b1)"),
        ("8/8/8/3k4/8/8/8/1Q6 w - -", "white has no king"),
        ("8/8/8/8/8/8/8/KQ6 w - -", "black has no king"),
        (
            "8/8/8/3k4/8/8/8/KP6 w - -",
            "no pawn can stand on the first",
        ),
        (
            "p7/8/8/3k4/8/8/8/K7 w - -",
            "no pawn can stand on the first",
        ),
        ("8/8/8/3k4/8/8/6Q1/K7 w - -", "black is in check (d5)"),
        ("8/8/8/8/8/8/8/Kk6 w - -", "is in check"),
        (
            "8/8/8/3k4/3p4/8/8/K7 b - d3",
            "e.p. square d3 is impossible",
        ),
    ] {
        let probed = run_there(&["probe", "orthodox", fen]);
        let counted = run(&["perft", "orthodox", fen, "--depth", "2"]);
        assert_eq!(counted.stdout, "", "{fen}");
        let kinds = ["error: bad-fen\n", "error: illegal-position\n"];
        assert!(kinds.contains(&&*probed.stdout), "{fen}: {}", probed.stdout);
        for ran in [probed, counted] {
            assert_eq!(ran.code, 2, "{fen}: {}", ran.stderr);
            assert!(ran.stderr.contains(message), "{fen}: {}", ran.stderr);
        }
    }
    let many = "8/8/8/3k4/8/8/8/KQRBNNB1 w - -";
    let ran = run_there(&["probe", "orthodox", many]);
    assert_eq!(ran.code, 2);
    assert!(
        ran.stderr.contains("tables have at most 7"),
        "{}",
        ran.stderr
    );
    assert_eq!(run(&["perft", "orthodox", many, "--depth", "1"]).code, 0);
}

#[test]
fn a_fen_without_quotes() {
    let mut args = vec!["probe", "orthodox"];
    args.extend(FEN.split(' '));
    fails(&args, 2, "put it in quotes");
}

#[test]
fn help_and_version() {
    for args in [
        vec!["--help"],
        vec!["-h"],
        vec!["help"],
        vec!["help", "probe"],
        vec!["help", "--help"],
        vec!["generate", "--help"],
    ] {
        let ran = run(&args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{args:?}");
        assert!(ran.stdout.contains("Usage: retrograde"), "{args:?}");
    }
    let verify = run(&["verify", "--help"]).stdout.replace('\n', " ");
    assert!(verify.contains("checksum of each whole file"), "{verify}");
    let version = format!("retrograde {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(run(&["--version"]).stdout, version);
}

#[test]
fn generated_help() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let ran = run(&["completions", shell]);
        assert_eq!(ran.code, 0);
        assert!(ran.stdout.contains("generate"), "{shell}");
    }
    let page = run(&["man"]);
    assert!(page.stdout.contains(".TH retrograde 1"), "{}", page.stdout);
    let page = run(&["man", "generate"]);
    assert!(page.stdout.contains("\\-\\-memory"), "{}", page.stdout);
}

#[test]
fn missing_tables() {
    let make = "retrograde generate orthodox KQvK";
    let probed = run(&["probe", "orthodox", FEN]);
    for text in [make, "looked in tables: no such folder"] {
        assert!(probed.stderr.contains(text), "{}", probed.stderr);
    }
    assert_eq!(probed.code, 3);
    // The command makes the table where it was looked for.
    for command in ["probe", "stats", "verify"] {
        let material = if command == "probe" { FEN } else { "KQvK" };
        let args = [command, "orthodox", material, "--tables", "no where"];
        let make = "make it with: retrograde generate orthodox KQvK --tables 'no where'\n";
        let ran = run(&args);
        assert!(ran.code == 3 && ran.stderr.contains(make), "{}", ran.stderr);
    }
    fails(&["stats", "orthodox", "KQvK"], 3, make);
    fails(&["verify", "orthodox", "KKQ"], 3, make);
    let four = ["stats", "orthodox", "KRvKQ"];
    assert_eq!(run_there(&four).code, 3);
    let two = [
        "verify",
        "orthodox",
        "--men",
        "2",
        "--tables",
        tables().to_str().unwrap(),
    ];
    fails(
        &two,
        3,
        "orthodox has no tables of up to 2 pieces to verify; give a larger",
    );
    // No tables does not mean no errors.
    for args in [&["verify", "orthodox"][..], &["check"]] {
        fails(args, 3, "no tables there");
        let args = [args, &["--tables", "nowhere"]].concat();
        fails(&args, 3, "(there is no folder nowhere)");
    }
}

#[test]
fn folders() {
    let there = tables().to_str().unwrap();
    let nowhere = "nowhere";
    let probe = ["probe", "orthodox", FEN];
    for args in [
        vec!["--tables", there],
        vec!["--tables", nowhere, "--tables", there],
        vec!["--tables", there, "--tables", nowhere],
    ] {
        assert_eq!(run(&[&probe[..], &args].concat()).code, 0, "{args:?}");
    }
    let by_variable = |value: std::ffi::OsString, args: &[&str]| {
        let mut command = crate::common::retrograde();
        let output = command.env("RETROGRADE_TABLES", value).args(args).output();
        output.unwrap().status.code()
    };
    let list = std::env::join_paths([nowhere, there]).unwrap();
    assert_eq!(by_variable(list, &probe), Some(0));
    assert_eq!(by_variable("".into(), &probe), Some(3));
    // The option overrides the variable.
    let args = [&probe[..], &["--tables", nowhere]].concat();
    assert_eq!(by_variable(there.into(), &args), Some(3));
    // A file instead of a folder; a position has an answer even so.
    let file = tables().join("orthodox").join("KQvK.dtm");
    let file = file.to_str().unwrap();
    for args in [
        vec!["stats", "orthodox", "KQvK"],
        vec!["verify", "orthodox"],
        vec!["check"],
        vec!["generate", "orthodox", "KQK"],
    ] {
        let args = [&args[..], &["--tables", file]].concat();
        fails(&args, 5, "KQvK.dtm");
    }
}

/// Text from outside cannot control a terminal.
#[test]
fn escape_characters() {
    let nasty = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1 \x1b[2J\u{9b}31m";
    let ran = run_there(&["probe", "orthodox", nasty]);
    assert_eq!(ran.code, 2);
    assert!(ran.stderr.contains("\\u{1b}[2J"), "{}", ran.stderr);
    let batch = crate::common::run_with(
        &["probe", "orthodox", "--tables", tables().to_str().unwrap()],
        nasty,
    );
    assert!(batch.stdout.contains("\\u{1b}[2J"), "{}", batch.stdout);
    let game = run(&["probe", "\x1b[31mchess", FEN]);
    assert!(game.stderr.contains("there is no game"), "{}", game.stderr);
    let file = run(&["check", "\x1b[31m.dtm"]);
    let option = run(&["probe", "orthodox", "--\x1b[31m"]);
    for text in [
        ran.stderr,
        batch.stdout,
        game.stderr,
        file.stdout,
        option.stderr,
    ] {
        assert!(!text.contains(['\x1b', '\u{9b}']), "{text:?}");
    }
}

/// Messages do not repeat the whole of an argument that is far too long.
#[test]
fn long_arguments() {
    let long = "K".repeat(10_000);
    let fens = [
        long.clone(),
        format!("8/8/8/3k4/8/8/8/KQ6 {long} - -"),
        format!("8/8/8/3k4/8/8/8/KQ6 w {long} -"),
        format!("8/8/8/3k4/8/8/8/KQ6 w - {long}"),
        format!("8/8/8/3k4/8/8/8/KQ6 w - - {long}"),
        format!("8/8/8/3k4/8/8/8/KQ6 w - - 0 1 {long}"),
    ];
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut add = |args: &[&str]| all.push(args.iter().map(|&arg| arg.to_owned()).collect());
    for fen in &fens {
        add(&["probe", "orthodox", fen]);
        add(&["perft", "orthodox", fen, "--depth", "1"]);
        add(&["replay", "orthodox", "--fen", fen, "--moves", "e4"]);
    }
    let number = "9".repeat(10_000);
    let vitality = format!("8/8/8/3k4/8/8/8/K7 w - - {number}+1");
    add(&["probe", "high-chess", &vitality]);
    for name in [&*long, &format!("{long}v"), &long.to_lowercase()] {
        add(&["plan", "orthodox", name]);
    }
    for game in [&*long, &format!("orthodox:{long}=on")] {
        add(&["plan", game, "KQK"]);
    }
    add(&["plan", &format!("kings:board={long}"), "KQvK"]);
    add(&[&long]);
    add(&["man", &long]);
    add(&["claims", "--only", &long]);
    add(&["probe", "orthodox", FEN, &format!("--{long}")]);
    add(&["probe", "orthodox", FEN, &format!("--{long}=on")]);
    for option in ["--memory", "--threads", "--metric"] {
        add(&["generate", "orthodox", "KQK", option, &long]);
        add(&["generate", "orthodox", "KQK", &format!("{option}={long}")]);
    }
    for condition in [&*long, &format!("{long}=1"), &format!("wdl={long}")] {
        add(&["export", "orthodox", "KQK", "--where", condition]);
    }
    add(&["replay", "orthodox", "--moves", &format!("e4 {long}")]);
    add(&[
        "replay",
        "orthodox",
        "--moves",
        &format!("[Variant \"{long}\"] e4"),
    ]);
    for args in all {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let ran = run(&args);
        let about: Vec<&str> = args.iter().map(|arg| &arg[..arg.len().min(30)]).collect();
        assert_eq!(ran.code, 2, "{about:?}: {}", ran.stderr);
        let bytes = ran.stderr.len();
        assert!(bytes < 1000, "{about:?}: {bytes} bytes");
    }
}

/// Help for the server is given even where it is not installed.
#[test]
fn the_server_is_somewhere_else() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = folder.path().join("retrograde");
    std::fs::hard_link(assert_cmd::cargo::cargo_bin!("retrograde"), &program).unwrap();
    let serve = |option: &str| {
        let mut command = std::process::Command::new(&program);
        command.env("PATH", folder.path()).args(["serve", option]);
        let output = command.output().unwrap();
        let [stdout, stderr] = [output.stdout, output.stderr].map(String::from_utf8);
        (output.status.code(), stdout.unwrap(), stderr.unwrap())
    };
    let (code, stdout, stderr) = serve("--help");
    assert_eq!(code, Some(0));
    assert!(stdout.contains("Usage: retrograde serve"), "{stdout}");
    assert!(stderr.contains("cargo install --path server"), "{stderr}");
    let (code, stdout, stderr) = serve("--listen=127.0.0.1:0");
    assert_eq!((code, stdout.as_str()), (Some(5), ""));
    assert!(stderr.contains("cargo install --path server"), "{stderr}");
}

/// Definitions are listed by what they are found by, and what is wrong with others is said.
#[test]
fn folders_of_definitions() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = folder.path().to_str().unwrap();
    let write = |file: &str, text: &str| {
        std::fs::write(folder.path().join(format!("{file}.toml")), text).unwrap();
    };
    write("outside", "name = \"inside\"\nend.stalemate = \"loss\"\n");
    write("same", "name = \"same\"\nend.stalemate = \"win\"\n");
    write("orthodox", "name = \"hidden\"\nend.stalemate = \"win\"\n");
    std::fs::create_dir(folder.path().join("folder.toml")).unwrap();
    let listed = run(&["games", "--games", path]);
    assert_eq!((listed.code, listed.stderr.as_str()), (0, ""));
    let names = ["\noutside (inside)   8x8 ", "\nsame               8x8 "];
    for name in names {
        assert!(listed.stdout.contains(name), "{}", listed.stdout);
    }
    for absent in ["hidden", "folder"] {
        assert!(!listed.stdout.contains(absent), "{}", listed.stdout);
    }
    let json = run(&["games", "--json", "--games", path]).json();
    let mut games = json.as_array().unwrap().iter();
    let outside = games.find(|game| game["file"] == "outside").unwrap();
    let id = outside["id"].as_str().unwrap();
    assert!(id.starts_with("inside@"), "{id}");
    let one = run(&["games", "outside", "--json", "--games", path]).json();
    assert_eq!(one[0]["id"], id);

    // What can be written stands beside what is built in.
    fails(
        &["plan", "outsid", "KQvK", "--games", path],
        2,
        "there is no game \"outsid\" (is outside meant?); the games are: orthodox, high-chess, \
         chess99, kings, wild9, extinction-mating, extinction, king-of-the-hill, antichess, \
         atomic, racing-kings, shatranj, makruk, capablanca, three-check, horde, outside, same",
    );
    write("wrong", "name = \"wrong\"\nend.stalemat = \"win\"\n");
    let listed = run(&["games", "--games", path]);
    assert_eq!(listed.code, 2);
    assert!(
        listed.stderr.contains("wrong.toml:2:5"),
        "{}",
        listed.stderr
    );
    for name in names {
        assert!(listed.stdout.contains(name), "{}", listed.stdout);
    }

    for args in [
        &["games", "--games", "nowhere"][..],
        &["plan", "outside", "KQvK", "--games", "nowhere"],
        &["--games=nowhere", "plan", "orthodox", "KQvK"],
        &["games", "--games", path, "--games", "nowhere"],
        &["check", "--games", "nowhere"],
    ] {
        fails(args, 2, "the folder of definitions nowhere cannot be read");
    }
    let by_variable = |value: &str, args: &[&str]| {
        let mut command = crate::common::retrograde();
        let output = command.env("RETROGRADE_GAMES", value).args(args).output();
        let output = output.unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        (output.status.code(), stderr)
    };
    let plan = ["plan", "outside", "KQvK"];
    assert_eq!(by_variable(path, &plan).0, Some(0));
    // A folder that may come later stops nothing, but is named.
    assert_eq!(
        by_variable("nowhere", &["plan", "orthodox", "KQvK"]).0,
        Some(0)
    );
    for args in [&plan[..], &["games"]] {
        let (code, stderr) = by_variable("nowhere", args);
        assert_eq!(code == Some(0), args[0] == "games");
        assert!(stderr.contains("there is no folder nowhere"), "{stderr}");
    }
    // No folder is not the current one.
    let mut command = crate::common::retrograde();
    command.env("RETROGRADE_GAMES", "").current_dir(path);
    assert_eq!(command.args(plan).output().unwrap().status.code(), Some(2));
}

/// The folders of definitions reach the server wherever they are given.
#[cfg(unix)]
#[test]
fn the_server_is_told_the_folders() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let program = folder.path().join("retrograde");
    std::fs::hard_link(assert_cmd::cargo::cargo_bin!("retrograde"), &program).unwrap();
    let server = folder.path().join("retrograde-server");
    std::fs::write(&server, "#!/bin/sh\necho \"$*\"\n").unwrap();
    std::fs::set_permissions(&server, std::fs::Permissions::from_mode(0o755)).unwrap();
    for (args, told) in [
        (
            &["serve", "--games", ".", "--log", "warn"][..],
            "--games . --log warn",
        ),
        (&["--games", ".", "serve"], "--games ."),
        (
            &["serve", "--log", "warn", "--games", "."],
            "--log warn --games .",
        ),
    ] {
        let output = std::process::Command::new(&program).args(args).output();
        let stdout = String::from_utf8(output.unwrap().stdout).unwrap();
        assert_eq!(stdout.trim_end(), told);
    }
    for command in [&["games"][..], &["games", "--import", "variants.ini"]] {
        let set = [command, &["--set", "end.stalemate=loss"]].concat();
        fails(&set, 2, "name the game");
    }
    fails(
        &["serve", "--set", "end.stalemate=loss"],
        2,
        "takes no --set",
    );
}

/// Only `probe` takes the address of tables, and only if it was built to.
#[test]
fn addresses_of_tables() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}/tables", listener.local_addr().unwrap());
    drop(listener);
    // What is built beside it may ask for the feature of the library.
    let advice = match cfg!(feature = "http") {
        true => &["look at the address"][..],
        false => &["build it with --features http", "look at the address"],
    };
    let ran = run(&["probe", "orthodox", FEN, "--tables", &address]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let advises = advice.iter().any(|advice| ran.stderr.contains(advice));
    assert!(advises, "{}", ran.stderr);
    for command in [
        &["generate", "orthodox", "KQvK"][..],
        &["stats", "orthodox", "KQvK"],
        &["check"],
        &["uci"],
    ] {
        let words = format!("{} takes tables from folders", command[0]);
        fails(&[command, &["--tables", &address]].concat(), 2, &words);
    }
}
