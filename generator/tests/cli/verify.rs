//! `verify`: what it believes, and how commands agree about tables.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::ops::Range;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use retrograde::generate::{GenerateOptions, generate};
use retrograde::packing::Packing;
use retrograde::plan::Plan;
use retrograde::repack::{RepackOptions, repack};
use retrograde_probe::Table;
use retrograde_probe::write::{PackOptions, TablePlan, Watch, pack};
use retrograde_rules::{Colour, Game, Material, Piece, Position, Square};
use serde_json::json;

use crate::common::{FEN, Ran, copies, interrupt, limited, run, running, state, tables};

/// A folder with tables of KQvK that have right checksums and wrong values: those of another
/// number for fifty.
fn forged() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let game = Game::default();
    let plan = Plan::new(game, &[queen()], None).unwrap();
    let options = GenerateOptions {
        out: folder.path().to_owned(),
        limit: Some(6),
        ..GenerateOptions::default()
    };
    generate(game, &plan, &options, &()).unwrap();
    folder
}

fn queen() -> Material {
    Material::parse(Game::default(), "KQvK").unwrap()
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn verify(folder: &Path, more: &[&str]) -> Ran {
    run(&[
        &["verify", "orthodox", "KQvK", "--tables", text(folder)],
        more,
    ]
    .concat())
}

/// A journal that somebody could write who wants a table to look verified.
fn claim() -> String {
    let done = json!({
        "material": "KQvK", "checksums": [0, 0, 0], "files": [], "done": 57_024,
        "positions": 47_136, "wrong": 0, "settled": true, "helpmates": true, "statistics": [],
        "examples": [],
    });
    json!({ "game": "orthodox", "sample": null, "limit": null, "materials": { "KQvK": done } })
        .to_string()
}

#[test]
fn nothing_that_travels_with_tables_is_believed() {
    let folder = forged();
    let game = folder.path().join("orthodox");
    for name in [
        ".verify.json",
        "verify.json",
        "costs.csv",
        ".costs",
        "KQvK.verify",
    ] {
        fs::write(game.join(name), claim()).unwrap();
        fs::write(folder.path().join(name), claim()).unwrap();
    }
    let ran = verify(folder.path(), &[]);
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.contains("KQvK: 47,136 positions, "),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("all right"), "{}", ran.stdout);
    assert!(!ran.stderr.contains("earlier runs"), "{}", ran.stderr);

    // Written by hand, with a seal or without.
    let notes = tempfile::tempdir().unwrap();
    let journal = notes.path().join("progress");
    for (contents, told) in [
        (claim(), true),
        ("0".repeat(64) + &claim(), false),
        (String::new(), false),
    ] {
        fs::write(&journal, &contents).unwrap();
        let ran = verify(folder.path(), &["--journal", text(&journal)]);
        assert_eq!(ran.code, 1, "{}", ran.stdout);
        let words = "something else in it; remove it";
        assert_eq!(ran.stderr.contains(words), told, "{}", ran.stderr);
        assert!(!ran.stderr.contains("earlier runs"), "{}", ran.stderr);
        // What is not the program's is left alone.
        let left = fs::read_to_string(&journal).ok();
        assert_eq!(left, told.then_some(contents));
    }

    // Not even what this user has sealed, if it came with the tables.
    let within = folder.path().join("orthodox/progress");
    let ran = verify(folder.path(), &["--journal", text(&within)]);
    assert_eq!(ran.code, 2, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("is in a table folder"),
        "{}",
        ran.stderr
    );
}

/// A run says what it resumed from earlier runs, and takes only this user's word for it.
#[test]
fn earlier_runs_are_told_of() {
    let notes = tempfile::tempdir().unwrap();
    let journal = notes.path().join("progress");
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("orthodox");
    fs::create_dir(&game).unwrap();
    // Of up to four men; what ships of these is not in the folder of three men.
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/orthodox");
    for name in ["KQvK.wdl", "KQvK.dtz", "KQvKQ.wdl", "KQvKQ.dtz"] {
        fs::copy(shipped.join(name), game.join(name)).unwrap();
    }
    let args = |more: &[&'static str]| {
        let all = ["verify", "orthodox", "KQvK", "KQvKQ"]
            .map(str::to_owned)
            .into_iter();
        let options = ["--tables", text(folder.path()), "--journal", text(&journal)];
        let all = all.chain(options.map(str::to_owned));
        all.chain(more.iter().map(|&more| more.to_owned()))
            .collect::<Vec<String>>()
    };
    // The line about the first table of a run, which is interrupted at the second one.
    let begin = |user: &Path, more: &[&'static str]| {
        let mut child = running()
            .args(args(more))
            .env("XDG_STATE_HOME", user)
            .spawn()
            .unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        stdout.read_line(&mut first).unwrap();
        interrupt(&child);
        let mut rest = String::new();
        stdout.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(75), "{rest}");
        first
    };
    let anew = "KQvK: 47,136 positions, all right\n";
    assert_eq!(begin(&state(), &[]), anew);
    let kept = fs::read(&journal).unwrap();
    let ran = running()
        .args(args(&[]))
        .env("XDG_STATE_HOME", state())
        .output()
        .unwrap();
    assert_eq!(ran.status.code(), Some(0));
    let [stdout, stderr] = [ran.stdout, ran.stderr].map(|text| String::from_utf8(text).unwrap());
    let earlier = "of them in earlier runs, which --fresh ignores), all";
    let first = stdout.lines().next().unwrap();
    assert_eq!(
        first,
        format!("KQvK: 47,136 positions (47,136 {earlier} right")
    );
    let last = stderr.lines().last().unwrap();
    assert!(
        last.contains(&format!(" {earlier} of them right")),
        "{last}"
    );
    assert!(!journal.exists());

    let other = tempfile::tempdir().unwrap();
    let from_the_journal = |user: &Path, more: &[&'static str]| {
        fs::write(&journal, &kept).unwrap();
        begin(user, more)
    };
    assert_eq!(from_the_journal(&state(), &["--fresh"]), anew);
    assert_eq!(from_the_journal(other.path(), &[]), anew);
    // The same values in other files.
    let small = ["repack", "orthodox", "KQvK", "--pack", "small", "--tables"];
    let ran = run(&[&small[..], &[text(folder.path())]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    assert_eq!(from_the_journal(&state(), &[]), anew);
}

/// Values of small tables are known to the program, whatever their headers say.
#[test]
fn values_are_compared_with_those_that_are_known() {
    let known = |folder: &Path| run(&["check", text(folder), "--known"]);
    let right = copies(&["KQvK.wdl", "KQvK.dtz", "KQvK.dtm", "KPvK.wdl"]);
    let ran = known(right.path());
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert!(
        ran.lines()
            .iter()
            .all(|line| line.contains(", as known, digest "))
    );
    // However they are packed.
    let small = ["repack", "orthodox", "KQvK", "--pack", "small", "--tables"];
    assert_eq!(run(&[&small[..], &[text(right.path())]].concat()).code, 0);
    assert_eq!(known(right.path()).code, 0);
    let ran = known(forged().path());
    assert_eq!(ran.code, 1, "{}", ran.stdout);
    let bad = "bad: its values are not those that this program knows";
    // The other two do not depend on the number for fifty.
    for (name, is_bad) in [("KQvK.wdl", true), ("KQvK.dtz", false), ("KQvK.dtm", false)] {
        let line = ran.stdout.lines().find(|line| line.contains(name)).unwrap();
        assert_eq!(line.ends_with(bad), is_bad, "{line}");
    }
}

/// The commands that read tables of KQvK in a folder.
fn readers(folder: &Path) -> Vec<Vec<String>> {
    let fen = "8/8/8/3k4/8/8/8/KQ6 w - -";
    let commands: [&[&str]; 5] = [
        &["probe", "orthodox", fen, "--moves"],
        &["stats", "orthodox", "KQvK"],
        &["stats", "orthodox", "KQvK", "--recount"],
        &["export", "orthodox", "KQvK"],
        &["verify", "orthodox", "KQvK"],
    ];
    let mut all: Vec<Vec<String>> = Vec::new();
    for command in commands {
        let command = [command, &["--tables", text(folder)]].concat();
        all.push(command.into_iter().map(str::to_owned).collect());
    }
    all
}

/// Runs commands, all of which must end alike.
fn all_end(commands: Vec<Vec<String>>, code: i32, words: &str) {
    for command in commands {
        let command: Vec<&str> = command.iter().map(String::as_str).collect();
        let ran = run(&command);
        assert_eq!(ran.code, code, "{command:?}: {}{}", ran.stdout, ran.stderr);
        let said = ran.stdout + &ran.stderr;
        assert!(said.contains(words), "{command:?}: {said}");
    }
}

#[test]
fn commands_agree_about_links_that_lead_nowhere() {
    let folder = copies(&["KQvK.wdl", "KQvK.dtz"]);
    symlink("nowhere", folder.path().join("orthodox/KQvK.dtm")).unwrap();
    let mut commands = readers(folder.path());
    for command in [&["check"][..], &["generate", "orthodox", "KQvK"]] {
        let command = [command, &["--tables", text(folder.path())]].concat();
        commands.push(command.into_iter().map(str::to_owned).collect());
    }
    let small = [
        "repack",
        "orthodox",
        "KQvK",
        "--pack",
        "small",
        "--tables",
        text(folder.path()),
    ];
    commands.push(small.map(str::to_owned).to_vec());
    all_end(commands, 5, "KQvK.dtm");

    // The folder of the game, and the table folder.
    let outer = tempfile::tempdir().unwrap();
    symlink("nowhere", outer.path().join("orthodox")).unwrap();
    all_end(readers(outer.path()), 5, "orthodox");
    let link = outer.path().join("link");
    symlink("nowhere", &link).unwrap();
    all_end(readers(&link), 5, "link");
}

/// Small tables of KQvK whose DTM and DTZ rest on a WDL table with other values.
fn contradictory() -> tempfile::TempDir {
    let [folder, wrong] = [copies(&["KQvK.wdl", "KQvK.dtz", "KQvK.dtm"]), forged()];
    let options = RepackOptions {
        tables: vec![folder.path().to_owned()],
        packing: Packing::Small,
        ..RepackOptions::default()
    };
    assert!(repack(Game::default(), &[queen()], &options, &()).unwrap());
    let wdl = "orthodox/KQvK.wdl";
    fs::copy(wrong.path().join(wdl), folder.path().join(wdl)).unwrap();
    folder
}

#[test]
fn commands_agree_about_tables_that_contradict_each_other() {
    let folder = contradictory();
    let there: PathBuf = folder.path().to_owned();
    let words = "has other values than when this was packed";
    all_end(readers(&there), 4, words);
    let args = |command: &[&'static str]| {
        let all = command
            .iter()
            .chain(&["--tables"])
            .map(|&word| word.to_owned());
        all.chain([text(&there).to_owned()])
            .collect::<Vec<String>>()
    };
    all_end(vec![args(&["check"])], 1, words);
    for packing in ["fast", "small"] {
        let packed = args(&["repack", "orthodox", "KQvK", "--pack", packing]);
        all_end(vec![packed], 4, words);
    }
    // Which is wrong nobody knows, so both are made again.
    all_end(
        vec![args(&["generate", "orthodox", "KQvK"])],
        0,
        "making it again",
    );
    all_end(vec![args(&["check"]), args(&["verify", "orthodox"])], 0, "");
}

/// Turns wins into losses and losses into wins in a table, with right checksums.
fn turn_round(path: &Path) {
    let table = Table::from_bytes(fs::read(path).unwrap()).unwrap();
    let header = table.header();
    let values = Colour::BOTH.map(|turn| {
        let mut values = vec![0; table.index().len() as usize];
        table.read(turn, 0, &mut values).unwrap();
        values
    });
    let plan = TablePlan::new(header.game, &header.material, header.metric).unwrap();
    let plan = plan.order(&header.order).unwrap();
    let pieces: Vec<Piece> = header.material.pieces().collect();
    let fill = |turn: Colour, range: Range<u64>, out: &mut [i16]| {
        let mut squares = vec![Square(0); pieces.len()];
        for (index, out) in range.zip(out) {
            table.index().decode(index, &mut squares);
            let placed = pieces.iter().copied().zip(squares.iter().copied());
            *out = match Position::from_pieces(header.game, placed, turn) {
                Some(_) => -values[turn.index()][index as usize],
                None => i16::MIN,
            };
        }
    };
    pack(path, &plan, &PackOptions::default(), Watch::default(), fill).unwrap();
}

/// Contradictory tables that are packed fast: each can be read alone.
#[test]
fn contradictions_are_no_bugs_of_the_program() {
    let folder = copies(&["KQvK.wdl", "KQvK.dtz", "KQvK.dtm"]);
    turn_round(&folder.path().join("orthodox/KQvK.wdl"));
    let tables = ["--tables", text(folder.path())];
    let ran = run(&[
        &["repack", "orthodox", "KQvK", "--pack", "small"],
        &tables[..],
    ]
    .concat());
    assert_eq!(ran.code, 4, "{}", ran.stderr);
    assert!(!ran.stderr.contains("bug"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("retrograde verify orthodox"),
        "{}",
        ran.stderr
    );
}

/// Whether a thread cannot be started or memory runs out in the allocator, in the program or
/// in the C library: the exit code is the same.
#[cfg(target_os = "linux")]
#[test]
fn little_room_for_addresses_has_one_exit_code() {
    let table = tables().join("orthodox/KQvK.dtm");
    let there = ["--tables", text(tables())];
    let commands = [
        &["uci"][..],
        &["xboard"],
        &["check", text(&table), "--threads", "4"],
        &[
            "verify",
            "orthodox",
            "KQvK",
            "--threads",
            "3",
            there[0],
            there[1],
        ],
    ];
    for command in commands {
        let mut ended = Vec::new();
        let mut begun = false;
        for kib in (12_000..70_000).step_by(997) {
            let ran = limited(kib, command);
            let stderr = String::from_utf8_lossy(&ran.stderr);
            match ran.status.code() {
                // The program could not be loaded.
                None | Some(127) if !begun => continue,
                Some(code @ (0 | 6)) => ended.push(code),
                code => panic!("{command:?}, {kib}: {code:?} {stderr}"),
            }
            begun = true;
            let says_why = stderr.contains("error: ");
            assert_eq!(
                says_why,
                ended.last() == Some(&6),
                "{command:?}, {kib}: {stderr}"
            );
        }
        assert!(
            ended.contains(&6) && ended.contains(&0),
            "{command:?}: {ended:?}"
        );
    }
}

/// Statistics that files keep are called the word of the files.
#[test]
fn kept_statistics_are_the_word_of_the_files() {
    let there = ["stats", "orthodox", "KQvK", "--tables", text(tables())];
    for (more, counted) in [(&[][..], false), (&["--recount"], true)] {
        let ran = run(&[&there[..], more].concat());
        let said = ran.stderr.contains("what the files say of themselves");
        assert_eq!((ran.code, said), (0, !counted), "{}", ran.stderr);
        let json = run(&[&there[..], more, &["--json"]].concat()).json();
        assert_eq!(json["counted"], counted);
    }
}

/// Tables of a definition are not those of another one of the same name, even in its folder, and
/// the interpreter reads what the command line and the tables say.
#[test]
fn definitions_of_the_same_name() {
    let folder = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let small = "name = \"same\"\nboard.size = \"4x4\"\npieces.order = \"KQ\"\n";
    let (first, second) = (path("first.toml"), path("second.toml"));
    std::fs::write(&first, small).unwrap();
    std::fs::write(&second, format!("{small}end.stalemate = \"loss\"\n")).unwrap();
    let tables = path("tables");
    let there = |args: &[&str]| run(&[args, &["--tables", &tables]].concat());
    let made = there(&["generate", &first, "KQvK", "--out", &tables]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let id = |file: &str| {
        let json = run(&["games", file, "--json"]).json();
        json[0]["id"].as_str().unwrap().to_owned()
    };
    let (own, other) = (id(&first), id(&second));
    for args in [
        &[&*first][..],
        &[&own],
        &[&first, "--set", "castling=off"],
        &[&first, "--set", "castling.rule=off"],
    ] {
        let compared = there(&[&["verify", "--independent"], args].concat());
        assert_eq!(compared.code, 0, "{}", compared.stderr);
        assert!(
            !compared.stderr.contains("normal form"),
            "{}",
            compared.stderr
        );
    }
    let without = ["verify", &second, "KQvK", "--independent"];
    let missing = there(&without);
    assert_eq!(missing.code, 3);
    let command = format!("retrograde generate {second} KQvK --tables {tables}");
    assert!(missing.stderr.contains(&command), "{}", missing.stderr);
    let set = ["probe", "orthodox", FEN, "--set", "end.stalemate=loss"];
    let missing = run(&[&set[..], &["--tables", "nowhere"]].concat());
    let command = "retrograde generate orthodox --set end.stalemate=loss KQvK --tables nowhere";
    assert!(missing.stderr.contains(command), "{}", missing.stderr);
    // A folder that somebody has renamed.
    std::fs::rename(
        folder.path().join("tables").join(&own),
        folder.path().join("tables").join(&other),
    )
    .unwrap();
    for args in [&without[..], &["verify", &second], &without[..3]] {
        let refused = there(args);
        assert_eq!(refused.code, 4, "{}", refused.stderr);
        let words = format!("the table is for the game \"{own}\", not for \"{other}\"");
        assert!(refused.stderr.contains(&words), "{}", refused.stderr);
    }
}
