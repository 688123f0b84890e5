//! Making and proving tables.

use std::fs;
use std::path::Path;

use crate::common::{run, running, shipped};

fn path(folder: &tempfile::TempDir) -> &str {
    folder.path().to_str().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder.join("orthodox")).unwrap();
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn made_kept_and_proved() {
    let folder = tempfile::tempdir().unwrap();
    let out = ["--out", path(&folder)];
    let make = [
        "generate",
        "orthodox",
        "KvKP",
        "--threads",
        "2",
        "--memory",
        "1.5G",
    ];
    let ran = run(&[&make[..], &out].concat());
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert!(ran.stderr.contains("[5/5] KPvK"), "{}", ran.stderr);
    assert!(
        ran.stderr.contains("5 materials made, 0 kept"),
        "{}",
        ran.stderr
    );
    assert_eq!(names(folder.path()).len(), 15, "{:?}", names(folder.path()));

    let ran = run(&[&make[..], &out].concat());
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("0 materials made, 5 kept"),
        "{}",
        ran.stderr
    );

    let verified = run(&["verify", "orthodox", "--tables", path(&folder)]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    assert_eq!(verified.lines().len(), 5);
    assert!(verified.lines().iter().all(|l| l.ends_with("all right")));
    let sampled = ["verify", "orthodox", "KPvK", "--sample", "100"];
    let sampled = run(&[&sampled[..], &["--tables", path(&folder)]].concat());
    assert_eq!(sampled.code, 0);
    assert!(sampled.stdout.starts_with("KPvK: "));
    let told = "1 material verified by sample, ";
    assert!(sampled.stderr.contains(told), "{}", sampled.stderr);
    // Nothing else is left behind.
    assert_eq!(names(folder.path()).len(), 15, "{:?}", names(folder.path()));
}

#[test]
fn metrics_that_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let make = |more: &[&str]| {
        let command = ["generate", "orthodox", "KPvK", "--out", path(&folder)];
        run(&[&command[..], more].concat())
    };
    let there = || {
        let mut names = names(folder.path());
        names.retain(|name| name.starts_with("KPvK"));
        names
    };
    let verify = || run(&["verify", "orthodox", "KPvK", "--tables", path(&folder)]);
    assert_eq!(make(&["--metric", "wdl,dtz"]).code, 0);
    assert_eq!(there(), ["KPvK.dtz", "KPvK.wdl"]);
    // They take no DTM.
    let has = |name: &str| names(folder.path()).contains(&name.to_owned());
    assert!(has("KQvK.wdl") && !has("KQvK.dtm"));
    assert_eq!(verify().code, 0);

    fs::remove_file(folder.path().join("orthodox/KPvK.dtz")).unwrap();
    let verified = verify();
    assert_eq!(verified.code, 3, "{}", verified.stderr);
    assert!(verified.stderr.contains("the dtz table of KPvK"));
    assert!(
        make(&["--metric", "wdl"])
            .stderr
            .contains("0 materials made")
    );

    // What is there is kept.
    let wdl = folder.path().join("orthodox/KPvK.wdl");
    let modified = || fs::metadata(&wdl).unwrap().modified().unwrap();
    let before = modified();
    assert_eq!(make(&["--metric", "dtm"]).code, 0);
    assert_eq!(there(), ["KPvK.dtm", "KPvK.wdl"]);
    assert!(has("KQvK.dtm"));
    assert_eq!(make(&[]).code, 0);
    assert_eq!(modified(), before);
    assert_eq!(there(), ["KPvK.dtm", "KPvK.dtz", "KPvK.wdl"]);
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tables/orthodox");
    for name in there() {
        let made = fs::read(folder.path().join("orthodox").join(&name)).unwrap();
        assert_eq!(made, fs::read(shipped.join(&name)).unwrap(), "{name}");
    }

    for wrong in ["mates", "DTZ", ""] {
        let refused = make(&["--metric", wrong]);
        assert_eq!(refused.code, 2, "{wrong}: {}", refused.stderr);
        assert!(refused.stderr.contains("it has wdl, dtm, dtz"));
    }
}

#[test]
fn tables_of_other_folders_are_used() {
    let queens = tempfile::tempdir().unwrap();
    let rooks = tempfile::tempdir().unwrap();
    let make = ["generate", "orthodox"];
    let first = run(&[&make[..], &["KQK", "--tables", path(&queens)]].concat());
    assert_eq!(first.code, 0, "{}", first.stderr);
    let args = [
        "KQK",
        "KRK",
        "--out",
        path(&rooks),
        "--tables",
        path(&queens),
    ];
    let second = run(&[&make[..], &args].concat());
    assert!(
        second.stderr.contains("1 material made, 1 kept"),
        "{}",
        second.stderr
    );
    let made = ["KRvK.dtm", "KRvK.dtz", "KRvK.wdl"];
    assert_eq!(names(rooks.path()), made);
}

/// Only what a run has written is counted, of materials that were partly there too.
#[test]
fn bytes_that_were_written() {
    let folder = crate::common::copies(&["KQvK.wdl", "KQvK.dtz", "KRvK.wdl"]);
    let tables = ["--tables", path(&folder)];
    let wdl = ["--metric", "wdl,dtm"];
    let make = [&["generate", "orthodox", "KQvK"][..], &wdl, &tables].concat();
    let ran = run(&make);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let file = folder.path().join("orthodox/KQvK.dtm");
    let size = retrograde_folder::bytes(std::fs::metadata(file).unwrap().len());
    let told = format!("1 material made, 0 kept, {size} written, ");
    assert!(ran.stderr.contains(&told), "{}", ran.stderr);
    let ran = run(&make);
    let told = "0 materials made, 1 kept, 0 B written, ";
    assert!(ran.stderr.contains(told), "{}", ran.stderr);
}

/// Tables in ./tables do not count where an output folder is given.
#[test]
fn an_output_folder_is_complete_in_itself() {
    let folder = tempfile::tempdir().unwrap();
    let here = |args: &[&str]| {
        let mut command = crate::common::retrograde();
        let output = command
            .current_dir(folder.path())
            .args(args)
            .output()
            .unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    here(&["generate", "orthodox", "KQvK"]);
    assert_eq!(names(&folder.path().join("tables")).len(), 3);
    let make = ["generate", "orthodox", "KQvK", "KRvK", "--out", "mine"];
    assert!(here(&make).contains("2 materials made, 0 kept"));
    assert_eq!(names(&folder.path().join("mine")).len(), 6);
    // Folders that are named do count.
    let make = [
        "generate", "orthodox", "KQvK", "--out", "other", "--tables", "mine",
    ];
    assert!(here(&make).contains("0 materials made, 1 kept"));
    let make = [
        "generate", "orthodox", "KQvK", "--out", "last", "--tables", "typo",
    ];
    assert!(here(&make).contains("there is no table folder typo"));
}

#[test]
fn too_little_memory() {
    let folder = tempfile::tempdir().unwrap();
    let make = ["generate", "orthodox", "KQK", "--memory", "1M"];
    let ran = run(&[&make[..], &["--out", path(&folder)]].concat());
    assert_eq!(ran.code, 6, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("allow more with --memory"),
        "{}",
        ran.stderr
    );
    assert!(
        ran.stderr.contains("only 1.0 MiB is allowed"),
        "{}",
        ran.stderr
    );
    let make = ["generate", "orthodox", "KQRBvKQR", "--memory", "1.5T"];
    let ran = run(&[&make[..], &["--out", path(&folder)]].concat());
    assert_eq!(ran.code, 6, "{}", ran.stderr);
    assert!(
        ran.stderr.contains("only 1.5 TiB is allowed"),
        "{}",
        ran.stderr
    );
    assert!(fs::read_dir(folder.path()).unwrap().next().is_none());
}

/// Tables that are there take no memory, so small machines can go on from what large ones have
/// made.
#[test]
fn what_is_there_takes_no_memory() {
    let folder = tempfile::tempdir().unwrap();
    let out = ["--out", path(&folder)];
    let make = ["generate", "orthodox", "KQK"];
    assert_eq!(run(&[&make[..], &out].concat()).code, 0);
    let little = ["--memory", "1M"];
    let ran = run(&[&make[..], &out, &little].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let ran = run(&[&make[..], &out, &little, &["--force"]].concat());
    assert_eq!(ran.code, 6, "{}", ran.stderr);
    fs::remove_file(folder.path().join("orthodox/KQvK.dtz")).unwrap();
    let ran = run(&[&make[..], &out, &little].concat());
    assert_eq!(ran.code, 6, "{}", ran.stderr);
}

#[test]
fn a_folder_that_cannot_be_made() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let make = ["generate", "orthodox", "KQK", "--out"];
    let ran = run(&[&make[..], &[file.to_str().unwrap()]].concat());
    assert_eq!(ran.code, 5, "{}", ran.stderr);
    assert!(ran.stderr.contains("name another folder"), "{}", ran.stderr);
}

/// All succeed, with the same files as a single process makes; a damaged file is there
/// from the start.
#[test]
fn several_processes_fill_a_folder() {
    let (alone, together) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let make = ["generate", "orthodox", "--men", "3", "--out"];
    let ran = run(&[&make[..], &[path(&alone)]].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);

    let orthodox = together.path().join("orthodox");
    fs::create_dir(&orthodox).unwrap();
    for metric in ["dtm", "dtz", "wdl"] {
        let name = format!("KQvK.{metric}");
        fs::copy(
            alone.path().join("orthodox").join(&name),
            orthodox.join(&name),
        )
        .unwrap();
    }
    let damaged = orthodox.join("KQvK.dtz");
    let mut bytes = fs::read(&damaged).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&damaged, bytes).unwrap();

    let start = || running().args(make).arg(path(&together)).spawn().unwrap();
    let children: Vec<_> = (0..4).map(|_| start()).collect();
    for child in children {
        let output = child.wait_with_output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{stderr}");
    }
    assert_eq!(names(together.path()), names(alone.path()));
    for name in names(alone.path()) {
        let [one, other] = [&alone, &together].map(|folder| {
            let path = folder.path().join("orthodox").join(&name);
            fs::read(path).unwrap()
        });
        assert!(one == other, "{name}");
    }
}

/// Another process makes KQvK: KRvK does not wait for it, KQvKR does.
#[test]
fn what_another_process_makes_is_left_to_it() {
    use std::io::{BufRead, BufReader};

    let folder = tempfile::tempdir().unwrap();
    let orthodox = folder.path().join("orthodox");
    fs::create_dir(&orthodox).unwrap();
    let lock = fs::File::create(orthodox.join(".KQvK.lock")).unwrap();
    lock.lock().unwrap();
    let mut child = running()
        .args(["generate", "orthodox", "KQvKR", "--out", path(&folder)])
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let mut line = || lines.next().unwrap().unwrap();
    assert!(line().starts_with("[2/3] KRvK "));
    assert!(line().starts_with("[1/3] KQvK     is being made by another process; waiting"));
    assert!(!orthodox.join("KQvKR.dtm").exists());
    drop(lock);
    assert!(line().starts_with("[1/3] KQvK "));
    assert!(line().starts_with("[3/3] KQvKR "));
    assert!(child.wait().unwrap().success());
}

#[cfg(unix)]
#[test]
fn interrupted_work_goes_on() {
    use std::io::{BufRead, BufReader, Read};

    let folder = tempfile::tempdir().unwrap();
    let mut child = running()
        .args(["generate", "orthodox", "--men", "4", "--threads", "1"])
        .args(["--out", path(&folder)])
        .spawn()
        .unwrap();
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    stderr.read_line(&mut line).unwrap();
    assert!(line.starts_with("[ 1/35] KQvK"), "{line}");
    // The next one has four men, which takes long enough to be interrupted.
    while !line.starts_with("[ 5/35]") {
        line.clear();
        assert!(stderr.read_line(&mut line).unwrap() > 0, "it ended early");
    }
    crate::common::interrupt(&child);
    let mut rest = String::new();
    stderr.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(75), "{rest}");
    assert!(
        rest.contains("what is being solved will be finished"),
        "{rest}"
    );
    assert!(rest.contains("run again to continue"), "{rest}");
    let ran = run(&["check", path(&folder)]);
    assert_eq!(ran.code, 0, "{}", ran.stdout);
    assert_eq!(
        run(&["verify", "orthodox", "--tables", path(&folder)]).code,
        0
    );
    let again = ["generate", "orthodox", "KQvK", "--out", path(&folder)];
    assert!(run(&again).stderr.contains("[1/1] KQvK     kept"));
}

/// Nothing is said of positions that were not looked at.
#[cfg(unix)]
#[test]
fn verify_that_is_interrupted_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("high-chess");
    fs::create_dir(&game).unwrap();
    for entry in fs::read_dir(shipped().join("high-chess")).unwrap() {
        let from = entry.unwrap().path();
        fs::copy(&from, game.join(from.file_name().unwrap())).unwrap();
    }
    let notes = tempfile::tempdir().unwrap();
    let journal = notes.path().join("progress");
    let mut child = running()
        .args(["verify", "high-chess", "KPvK", "--tables", path(&folder)])
        .args(["--journal", journal.to_str().unwrap()])
        .spawn()
        .unwrap();
    // The program listens before it begins.
    while !notes.path().join(".progress.lock").exists() {
        assert!(child.try_wait().unwrap().is_none(), "it has ended");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    crate::common::interrupt(&child);
    let ran = child.wait_with_output().unwrap();
    assert_eq!(ran.status.code(), Some(75));
    let text = String::from_utf8(ran.stderr).unwrap();
    assert_eq!(text, "interrupted: run again to continue\n");
}

/// Help-mates are made only if they are named, alone, and nothing else needs them.
#[test]
fn helpmates_are_made_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let tables = ["--tables", path(&folder)];
    let with = |args: &[&str]| run(&[args, &tables[..]].concat());
    let made = with(&[
        "generate", "orthodox", "KQvK", "KBvK", "--metric", "helpmate",
    ]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    assert_eq!(names(folder.path()), ["KBvK.helpmate", "KQvK.helpmate"]);
    let kept = with(&["generate", "orthodox", "KQvK", "--metric", "helpmate"]);
    assert!(
        kept.stderr.contains("0 materials made, 1 kept"),
        "{}",
        kept.stderr
    );

    // The only move takes the queen: a draw, by this table alone.
    let fen = "7k/6Q1/8/8/8/8/8/K7 b - -";
    let dead = serde_json::json!({ "white": false, "black": false });
    let probed = with(&["probe", "orthodox", fen, "--json"]);
    assert_eq!(probed.code, 0, "{}", probed.stdout);
    assert_eq!(probed.json()["helpmate"], dead);
    assert_eq!(probed.json()["category"], "draw");
    let words = "draw (dead: neither side can be mated)\n";
    let probed = with(&["probe", "orthodox", fen]);
    assert!(probed.stdout.ends_with(words), "{}", probed.stdout);
    // Colours swapped, and alive.
    let probed = with(&["probe", "orthodox", "8/8/8/8/8/1k6/7q/K7 w - -", "--json"]);
    assert_eq!(probed.json()["helpmate"]["white"], true);
    assert_eq!(probed.json()["helpmate"]["black"], false);
    let probed = with(&["probe", "orthodox", "7k/8/8/8/8/8/8/K5R1 w - -", "--json"]);
    assert!(probed.json()["helpmate"].is_null());
    // Where the pieces alone make a position dead no table is needed.
    for fen in ["7k/8/8/8/8/8/8/K6N w - -", "7k/8/8/8/8/8/8/K7 w - -"] {
        let probed = with(&["probe", "orthodox", fen, "--json"]);
        assert_eq!(probed.json()["helpmate"], dead);
    }

    let verified = with(&["verify", "orthodox"]);
    assert_eq!(verified.code, 0, "{}", verified.stderr);
    assert_eq!(verified.lines().len(), 2);
    let repacked = with(&["repack", "orthodox", "KQvK", "--pack", "small"]);
    assert_eq!(repacked.code, 0, "{}", repacked.stderr);
    assert_eq!(with(&["verify", "orthodox", "KQvK"]).code, 0);
    assert_eq!(with(&["check"]).code, 0);
    let listed = with(&["tables", "orthodox", "--json"]);
    assert_eq!(listed.json()[0]["metric"], "helpmate");

    // With who wins beside it, the same position is a draw, and dead in words.
    let made = with(&["generate", "orthodox", "KQvK", "--metric", "wdl,helpmate"]);
    assert_eq!(made.code, 0, "{}", made.stderr);
    let probed = with(&["probe", "orthodox", fen]);
    assert!(probed.stdout.ends_with(words), "{}", probed.stdout);
    let alive = with(&["probe", "orthodox", "8/8/8/3k4/8/8/8/KQ6 w - -"]);
    assert!(!alive.stdout.contains("dead"), "{}", alive.stdout);
    let refused = with(&[
        "generate",
        "king-of-the-hill",
        "KQvK",
        "--metric",
        "helpmate",
    ]);
    assert_eq!(refused.code, 2);
}

/// Who wins is proved by distances, and the message says so.
#[test]
fn wdl_alone_is_not_proved() {
    for (game, metric, why) in [
        ("orthodox", "wdl,dtz", "WDL and DTZ are proved together"),
        ("king-of-the-hill", "wdl,dtm", "WDL is proved with DTM"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let out = ["--out", path(&folder)];
        let material = if game == "orthodox" { "KQvK" } else { "KvK" };
        let make = ["generate", game, material, "--metric", "wdl"];
        assert_eq!(run(&[&make[..], &out].concat()).code, 0);
        let ran = run(&["verify", game, "--tables", path(&folder)]);
        assert_eq!(ran.code, 3, "{}", ran.stderr);
        assert!(ran.stderr.contains(why), "{}", ran.stderr);
        let command = format!("retrograde generate {game} {material} --metric {metric}");
        assert!(ran.stderr.contains(&command), "{}", ran.stderr);
        let make = ["generate", game, material, "--metric", metric];
        assert_eq!(run(&[&make[..], &out].concat()).code, 0);
        let ran = run(&["verify", game, "--tables", path(&folder)]);
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    }
}
