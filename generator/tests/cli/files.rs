//! Files that are damaged, foreign or wrong.

use std::fs;
use std::path::Path;

use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack};
use retrograde_probe::{Metric, Table};
use retrograde_rules::Material;

use crate::common::{FEN, Ran, copies, retrograde, run, running};

const ALL: [&str; 3] = ["KQvK.dtm", "KQvK.dtz", "KQvK.wdl"];

fn run_in(folder: &Path, args: &[&str]) -> Ran {
    run(&[args, &["--tables", folder.to_str().unwrap()]].concat())
}

/// Every command notices; `check` says what is wrong.
#[track_caller]
fn is_noticed(folder: &Path, what: &str) {
    for args in [
        &["probe", "orthodox", FEN][..],
        &["stats", "orthodox", "KQvK", "--recount"],
        &["verify", "orthodox", "KQvK"],
    ] {
        let ran = run_in(folder, args);
        assert_eq!(ran.code, 4, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("KQvK.dtm"), "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(what), "{args:?}: {}", ran.stderr);
    }
    // What is wrong with it depends on whether its statistics are hit too.
    let ran = run_in(folder, &["stats", "orthodox", "KQvK"]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(ran.stderr.contains("KQvK.dtm"), "{}", ran.stderr);
    let ran = run_in(folder, &["probe", "orthodox", "--json", FEN]);
    assert_eq!(ran.code, 4);
    assert_eq!(ran.json()["error"]["kind"], "corrupt-table");

    let ran = run_in(folder, &["check"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stdout.contains(what), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("KQvK.wdl: sound: wdl"),
        "{}",
        ran.stdout
    );
    assert!(ran.stderr.contains(" files is bad"), "{}", ran.stderr);
}

/// Damage in the folder that is written to is repaired without asking, and sound files
/// are left alone.
fn is_repaired(folder: &Path) {
    let sound = folder.join("orthodox/KQvK.wdl");
    let written = || fs::metadata(&sound).and_then(|file| file.modified());
    let before = written().unwrap();
    let ran = run_in(folder, &["generate", "orthodox", "KQvK"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("making it again"), "{}", ran.stderr);
    assert_eq!(written().unwrap(), before);
    assert_eq!(run_in(folder, &["check"]).code, 0);
    assert_eq!(run_in(folder, &["verify", "orthodox"]).code, 0);
}

#[test]
fn truncated() {
    let folder = copies(&ALL);
    let file = folder.path().join("orthodox/KQvK.dtm");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    is_noticed(folder.path(), "cut off");
    is_repaired(folder.path());
    assert_eq!(fs::read(&file).unwrap(), bytes);
}

#[test]
fn damaged_in_a_block() {
    let folder = copies(&ALL);
    let file = folder.path().join("orthodox/KQvK.dtm");
    let mut bytes = fs::read(&file).unwrap();
    // Damage every block, so that any probe meets it.
    for place in (1000..bytes.len() - 100).step_by(100) {
        bytes[place] ^= 0x10;
    }
    fs::write(&file, bytes).unwrap();
    is_noticed(folder.path(), "block 0 (white to move) is damaged");
    is_repaired(folder.path());
}

/// A damaged file is made again in the folder that is written to, whatever other folders have.
#[test]
fn damaged_though_sound_elsewhere() {
    let (folder, sound) = (copies(&ALL), copies(&ALL));
    let file = folder.path().join("orthodox/KQvK.dtm");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let (out, others) = (folder.path().to_str(), sound.path().to_str());
    let folders = ["--out", out.unwrap(), "--tables", others.unwrap()];
    let generate = [&["generate", "orthodox", "KQvK"][..], &folders].concat();
    let ran = run(&generate);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stderr.contains("making it again"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("1 material made, 0 kept, ") && ran.stderr.contains("; folder: "),
        "{}",
        ran.stderr
    );
    assert_eq!(fs::read(&file).unwrap(), bytes);
    assert_eq!(run_in(folder.path(), &["check"]).code, 0);

    // What is kept is said to be elsewhere if the folder does not have it.
    let empty = copies(&[]);
    let folders = [
        "--out",
        empty.path().to_str().unwrap(),
        "--tables",
        others.unwrap(),
    ];
    let ran = run(&[&["generate", "orthodox", "KQvK"][..], &folders].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let words = "0 materials made, 1 kept (1 of them in other folders), 0 B written, ";
    assert!(ran.stderr.contains(words), "{}", ran.stderr);
    // Nobody should look for it there.
    assert!(!ran.stderr.contains("folder: "), "{}", ran.stderr);
}

#[test]
fn in_no_folder_of_a_game() {
    let folder = copies(&["KQvK.wdl"]);
    let other = folder.path().join("orthodox+limit=50x");
    fs::rename(folder.path().join("orthodox"), other).unwrap();
    let ran = run_in(folder.path(), &["check"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let words = "; commands look for it in a folder named orthodox\n";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);

    // A bare name is looked for where the program runs.
    let folder = copies(&["KQvK.wdl"]);
    let game = folder.path().join("orthodox");
    let mut bare = running();
    let ran = bare.args(["check", "KQvK.wdl"]).current_dir(game).output();
    let stdout = String::from_utf8(ran.unwrap().stdout).unwrap();
    assert!(stdout.starts_with("KQvK.wdl: sound: "), "{stdout}");
    assert!(!stdout.contains(words), "{stdout}");
}

#[test]
fn no_table_at_all() {
    let folder = copies(&ALL);
    let file = folder.path().join("orthodox/KQvK.dtm");
    fs::write(
        &file,
        "These are not the bytes that you are looking for.".repeat(9),
    )
    .unwrap();
    is_noticed(folder.path(), "not a Retrograde table");
    // It may belong to someone, who did not mean it when asking for tables to be made again.
    let there = fs::read(&file).unwrap();
    let generate = ["generate", "orthodox", "KQvK"];
    for force in [&[][..], &["--force"]] {
        let ran = run_in(folder.path(), &[&generate[..], force].concat());
        assert_eq!(ran.code, 4, "{}", ran.stderr);
        let advice = "KQvK.dtm: this is not a Retrograde table; move the file away\n";
        assert!(ran.stderr.ends_with(advice), "{}", ran.stderr);
        assert_eq!(fs::read(&file).unwrap(), there);
    }
    fs::remove_file(&file).unwrap();
    let ran = run_in(folder.path(), &generate);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(run_in(folder.path(), &["check"]).code, 0);
}

#[test]
fn another_table_under_this_name() {
    let folder = copies(&["KQvK.wdl", "KRvK.dtm"]);
    let games = folder.path().join("orthodox");
    fs::rename(games.join("KRvK.dtm"), games.join("KQvK.dtm")).unwrap();
    is_noticed(folder.path(), "the table is for KRvK, not for KQvK");
}

#[test]
fn files_by_name() {
    let folder = copies(&ALL);
    let file = folder.path().join("orthodox/KQvK.dtm");
    let sound = run(&["check", file.to_str().unwrap()]);
    assert_eq!(sound.code, 0);
    assert_eq!(sound.lines().len(), 1);
    let all = run(&["check", folder.path().to_str().unwrap()]);
    assert_eq!(all.lines().len(), 3);
    let gone = run(&["check", "gone.dtm"]);
    assert_eq!(gone.code, 5);
    assert!(
        gone.stdout.contains("gone.dtm: cannot be read"),
        "{}",
        gone.stdout
    );
}

#[test]
fn what_probing_refuses_is_not_sound() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run_in(folder.path(), &["generate", "high-chess:vitality=3", "KvK"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let game = folder.path().join("high-chess");
    fs::rename(folder.path().join("high-chess+vitality=3"), &game).unwrap();
    let ran = run_in(folder.path(), &["check"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let words = "for the game \"high-chess:vitality=3\", not for";
    assert!(ran.stdout.contains(words), "{}", ran.stdout);
    // A folder where a table should be.
    fs::create_dir(game.join("KRvK.mates")).unwrap();
    let ran = run_in(folder.path(), &["check"]);
    assert_eq!(ran.code, 5, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("KRvK.mates: cannot be read"),
        "{}",
        ran.stdout
    );
}

/// White wins by taking the rook, and no table says what comes then.
#[test]
fn a_line_does_not_leave_the_tables() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("high-chess");
    fs::create_dir(&game).unwrap();
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/high-chess");
    for name in ["KvKR.mates", "KvKR.thresholds"] {
        fs::copy(shipped.join(name), game.join(name)).unwrap();
    }
    let probe = ["probe", "high-chess", "8/7k/8/6r1/6K1/8/8/8 w - - 50+50"];
    let ran = run_in(folder.path(), &probe);
    assert!(ran.stdout.contains("White wins"), "{}", ran.stdout);
    let ran = run_in(folder.path(), &[&probe[..], &["--line", "--json"]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    let answer = ran.json();
    assert_eq!(answer["category"], "win");
    assert!(answer["line"].is_null() && answer["line_end"].is_null());
}

#[test]
fn wrong_values() {
    let folder = copies(&ALL);
    let path = folder.path().join("orthodox/KQvK.dtm");
    let bytes = fs::read(&path).unwrap();
    let table = Table::from_bytes(bytes).unwrap();
    let game = retrograde_rules::Game::default();
    let material = Material::parse(game, "KQvK").unwrap();
    let plan = TablePlan::new(game, &material, Metric::Dtm).unwrap();
    let options = PackOptions::default();
    pack(
        &path,
        &plan,
        &options,
        Watch::default(),
        |turn, range, out| {
            table.read(turn, range.start, out).unwrap();
            for value in out.iter_mut().filter(|value| **value == 19) {
                *value = 21;
            }
        },
    )
    .unwrap();
    assert_eq!(run_in(folder.path(), &["check"]).code, 0);
    let ran = run_in(folder.path(), &["verify", "orthodox", "KQvK"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    let says = "the dtm table says win in 21 plies, it should say win in 19 plies";
    assert!(ran.stdout.contains(says), "{}", ran.stdout);
    assert!(ran.stderr.contains("wrong values"), "{}", ran.stderr);
    // Best play runs into the contradiction.
    let fen = "8/8/8/5k2/8/8/1Q6/K7 w - - 0 1";
    let ran = run_in(folder.path(), &["probe", "orthodox", "--line", fen]);
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(ran.stderr.contains("verify"), "{}", ran.stderr);
}

/// Beside the damage stands what follows from the rules alone.
#[test]
fn what_the_rules_know_beside_damage() {
    let folder = copies(&ALL);
    let file = folder.path().join("orthodox/KQvK.dtm");
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() / 2]).unwrap();
    let mated = "8/8/8/8/8/1k6/1q6/K7 w - -";
    let ran = run_in(folder.path(), &["probe", "orthodox", "--json", mated]);
    let answer = ran.json();
    assert_eq!(ran.code, 4);
    assert_eq!(answer["error"]["kind"], "corrupt-table");
    assert_eq!(answer["fen"], mated);
    assert_eq!(answer["category"], "unknown");
    assert_eq!(answer["end"], "checkmate");
    assert_eq!(answer["check"], true);
    assert_eq!(answer["dead"], false);
    assert!(answer["depth_plies"].is_null());
    let ran = run_in(folder.path(), &["probe", "orthodox", mated]);
    assert_eq!(ran.code, 4);
    assert!(ran.stdout.contains("unknown (checkmate)"), "{}", ran.stdout);

    let command = ["probe", "orthodox", "--json", "--moves", "--line", FEN];
    let answer = run_in(folder.path(), &command).json();
    let moves = answer["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 22);
    assert!(moves.iter().all(|mv| mv["category"] == "unknown"));
    assert!(answer["line"].is_null());
    assert_eq!(answer["error"]["kind"], "corrupt-table");
}

#[test]
fn a_folder_in_the_way_of_a_table() {
    let folder = copies(&["KQvK.wdl", "KQvK.dtz"]);
    fs::create_dir(folder.path().join("orthodox/KQvK.dtm")).unwrap();
    for args in [
        &["probe", "orthodox", FEN][..],
        &["stats", "orthodox", "KQvK"],
        &["verify", "orthodox", "KQvK"],
        &["export", "orthodox", "KQvK"],
        &["repack", "orthodox", "KQvK", "--pack", "small"],
        &["generate", "orthodox", "KQvK"],
        &["generate", "orthodox", "KQvK", "--force"],
    ] {
        let ran = run_in(folder.path(), args);
        assert_eq!(ran.code, 5, "{args:?}: {}", ran.stderr);
        let path = "orthodox/KQvK.dtm: ";
        assert!(ran.stderr.contains(path), "{args:?}: {}", ran.stderr);
        let advice = "this is a folder, not a file; move it away";
        assert!(ran.stderr.contains(advice), "{args:?}: {}", ran.stderr);
    }
    let listed = run_in(folder.path(), &["tables", "--json"]).json();
    assert_eq!(listed.as_array().unwrap().len(), 2);
}

/// A line takes depths; the command that makes them names the folder that was given.
#[test]
fn advice_for_a_line_without_depths() {
    let folder = copies(&["KQvK.wdl"]);
    let ran = run_in(folder.path(), &["probe", "orthodox", FEN, "--line"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let path = folder.path().display();
    let command = format!("retrograde generate orthodox KQvK --tables {path}\n");
    assert!(ran.stdout.ends_with(&command), "{}", ran.stdout);
}

/// Advice can be copied into a shell, whatever the folder is called.
#[test]
fn folders_with_strange_names() {
    let folder = tempfile::tempdir().unwrap();
    for (name, shown) in [("-x", "./-x"), ("a b", "'a b'"), ("-it's", r"'./-it'\''s'")] {
        let tables = format!("--tables={name}");
        let mut probe = retrograde();
        probe.args(["probe", "orthodox", FEN, &tables]);
        let ran = probe.current_dir(&folder).output().unwrap();
        assert_eq!(ran.status.code(), Some(3));
        let stderr = String::from_utf8(ran.stderr).unwrap();
        let (_, command) = stderr.trim_end().split_once("with: retrograde ").unwrap();
        assert_eq!(command, format!("generate orthodox KQvK --tables {shown}"));
        let program = retrograde().get_program().to_owned();
        let mut shell = std::process::Command::new("sh");
        shell
            .args(["-c", &format!("\"$0\" {command}")])
            .arg(program);
        let made = shell.current_dir(&folder).output().unwrap();
        assert!(made.status.success());
        let made = folder.path().join(name).join("orthodox/KQvK.wdl");
        assert!(made.is_file(), "{name}");
    }
}

/// A path that is too long has no permissions that could be changed.
#[test]
fn paths_that_are_too_long() {
    let long = "x".repeat(300);
    let ran = run(&["probe", "orthodox", FEN, "--tables", &long]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let advice = "; use --tables to name a folder with a shorter path\n";
    assert!(ran.stderr.ends_with(advice), "{}", ran.stderr);
    let ran = run(&["check", &long]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let advice = format!("name files with shorter paths than these: {long}\n");
    assert!(ran.stderr.ends_with(&advice), "{}", ran.stderr);
}

/// A file where a folder of tables should be is named, and no file that nobody has heard of.
#[test]
fn a_file_in_place_of_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "no folder").unwrap();
    let file = file.to_str().unwrap();
    let ran = run(&["probe", "orthodox", FEN, "--tables", file]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let advice = "; name another folder with --tables\n";
    assert!(ran.stderr.ends_with(advice), "{}", ran.stderr);
    assert!(!ran.stderr.contains("readable"), "{}", ran.stderr);
    let ran = run(&["generate", "orthodox", "KQvK", "--out", file]);
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    let told = format!("{file}/orthodox: could not make the folder: ");
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
}

/// Where a line leads to a table that is missing, the position keeps the value that it has
/// without the line.
#[test]
fn a_line_to_a_missing_table() {
    let folder = copies(&["KPvK.dtm", "KPvK.dtz", "KPvK.wdl"]);
    let fen = "4k3/8/4K3/8/4P3/8/8/8 w - - 0 1";
    let command = ["probe", "orthodox", fen, "--json", "--moves", "--line"];
    let ran = run_in(folder.path(), &command);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let answer = ran.json();
    assert_eq!(answer["category"], "win");
    assert_eq!(answer["depth_plies"], 25);
    assert_eq!(answer["moves"][0]["depth_plies"], 24);
    assert!(answer["line"].is_null() && answer["line_end"].is_null());
    assert!(answer.get("error").is_none(), "{answer}");
    let searched = run_in(folder.path(), &[&command[..], &["--search", "4"]].concat()).json();
    assert_eq!(searched["category"], "win");
    assert!(searched["line"].is_null(), "{searched}");
    let ran = run_in(folder.path(), &["probe", "orthodox", fen, "--line"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert!(ran.stdout.contains("White mates in 13"), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("no best line: some table along it is missing")
    );
}

/// Help-mates are made only if they are named, and two bare kings have no table: advice that
/// leaves that out would change nothing.
#[test]
fn advice_for_tables_that_generate_does_not_make_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("orthodox");
    let ran = run_in(
        folder.path(),
        &["generate", "orthodox", "KNvK", "--metric", "helpmate"],
    );
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    fs::write(game.join("KNvK.helpmate"), b"").unwrap();
    fs::write(game.join("KvK.wdl"), b"").unwrap();
    let command = "retrograde generate orthodox KNvK --metric helpmate --tables";
    let ran = run_in(folder.path(), &["check"]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(ran.stderr.contains(command), "{}", ran.stderr);
    assert!(ran.stderr.contains("move away"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("orthodox KvK"), "{}", ran.stderr);
    let ran = run_in(folder.path(), &["verify", "orthodox", "KNvK"]);
    assert_eq!(ran.code, 4, "{}", ran.stdout);
    assert!(ran.stderr.contains(command), "{}", ran.stderr);
    fs::remove_file(game.join("KNvK.helpmate")).unwrap();
    let ran = run_in(folder.path(), &["verify", "orthodox"]);
    assert_eq!(ran.code, 4, "{}", ran.stdout);
    assert!(ran.stderr.contains("KvK.wdl"), "{}", ran.stderr);
    assert!(
        !ran.stderr.contains("retrograde generate"),
        "{}",
        ran.stderr
    );
}

/// A full proof also notices what no value depends on.
#[test]
fn the_checksum_of_a_whole_file() {
    let folder = copies(&ALL);
    let path = folder.path().join("orthodox").join("KQvK.dtm");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    let sample = ["verify", "orthodox", "KQvK", "--sample", "100"];
    assert_eq!(run_in(folder.path(), &sample).code, 0);
    let ran = run_in(folder.path(), &["verify", "orthodox", "KQvK"]);
    assert_eq!(ran.code, 4, "{}", ran.stdout);
    assert!(ran.stderr.contains("checksum"), "{}", ran.stderr);
    is_repaired(folder.path());
}

/// Whatever `check` complains about, it says what to do.
#[test]
fn advice_for_every_complaint() {
    let folder = copies(&["KQvK.wdl", "KQvK.dtm", "KRvK.wdl"]);
    let game = folder.path().join("orthodox");
    let path = folder.path().to_str().unwrap();
    let advises = |args: &[&str], code: i32, wanted: &[&str]| {
        let ran = run(&[&["check"], args].concat());
        assert_eq!(ran.code, code, "{} {}", ran.stdout, ran.stderr);
        for words in wanted {
            assert!(ran.stderr.contains(words), "{words}: {}", ran.stderr);
        }
    };
    let there = ["--tables", path];
    let make =
        |material| format!("make the tables again with: retrograde generate orthodox {material} ");
    // A damaged table where no table folder has it.
    let lost = folder.path().join("lost.dtm");
    let bytes = fs::read(game.join("KQvK.dtm")).unwrap();
    fs::write(&lost, &bytes[..bytes.len() / 2]).unwrap();
    let lost = lost.to_str().unwrap();
    let anew = format!("or make their tables in a table folder with retrograde generate: {lost}");
    advises(&[lost], 1, &["1 of 1 file is bad", &anew]);
    // A file that was named and is not there.
    let gone = game.join("KBvK.dtm");
    let exist = "name files that exist; there is none of this name: ";
    advises(&["gone.dtm"], 5, &["1 of 1 file cannot be read", exist]);
    let or_make = "or make the tables with: retrograde generate orthodox KBvK ";
    advises(&[gone.to_str().unwrap()], 5, &[exist, or_make]);
    // A folder in the way.
    fs::remove_file(game.join("KRvK.wdl")).unwrap();
    fs::create_dir(game.join("KRvK.wdl")).unwrap();
    let away = "move away folders that are in the way of tables: ";
    advises(&there, 5, &[away, &make("KRvK")]);
    // What `generate` leaves alone.
    fs::write(game.join("KQvK.wdl"), b"something else").unwrap();
    let foreign = "move away what is not the table that its name says: ";
    advises(&there, 5, &[foreign, away, &make("KQvK KRvK")]);
}
