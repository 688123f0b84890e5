//! `retrograde export`, by what stands in the contract.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader};
use std::process::Command;

use serde_json::Value;

use crate::common::{self, Ran, copies, fails, run, running, tables};

/// The folder of the tables that ship.
fn shipped() -> &'static str {
    common::shipped().to_str().unwrap()
}

fn export(game: &str, material: &str, more: &[&str]) -> Ran {
    let shipped = shipped();
    let command = ["export", game, material, "--tables", shipped];
    let ran = run(&[&command[..], more].concat());
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    ran
}

/// Every position once, as many with each value as the statistics count, and the same
/// values as a probe.
#[test]
fn rows_are_the_positions_that_are_counted() {
    for (game, material) in [
        ("orthodox", "KPvK"),
        ("orthodox", "KvK"),
        // Equal leaders, with and without symmetry.
        ("extinction", "KKvK"),
        ("kings", "KKvK"),
        ("king-of-the-hill", "KvK"),
    ] {
        let rows = export(game, material, &[]);
        let mut lines = rows.stdout.lines();
        assert_eq!(lines.next(), Some("fen,side,wdl,dtm,dtz"));
        let (mut fens, mut counts) = (BTreeSet::new(), BTreeMap::new());
        for line in lines {
            let [fen, side, wdl, ..] = line.split(',').collect::<Vec<_>>()[..] else {
                panic!("{line}");
            };
            assert!(fens.insert(fen), "{fen} twice");
            *counts.entry((side, wdl)).or_insert(0) += 1;
        }
        let shipped = shipped();
        let stats = run(&["stats", game, material, "--json", "--tables", shipped]).json();
        for side in ["white", "black"] {
            let of = |words: &[&str]| -> u64 {
                let found = words.iter().filter_map(|&word| counts.get(&(side, word)));
                found.sum()
            };
            assert_eq!(stats["win"][side], of(&["win", "cursed-win"]), "{material}");
            assert_eq!(stats["draw"][side], of(&["draw"]), "{material}");
            assert_eq!(stats["loss"][side], of(&["loss", "blessed-loss"]));
        }
    }
}

#[test]
fn rows_say_what_a_probe_says() {
    let shipped = shipped();
    for (game, material, some) in [
        ("orthodox", "KPvK", 997),
        ("chess99", "KPvK", 4999),
        ("wild9", "KPvK", 997),
        ("extinction-mating", "KPvK", 997),
    ] {
        let rows = export(game, material, &["--format", "jsonl"]);
        let rows: Vec<Value> = rows
            .lines()
            .into_iter()
            .step_by(some)
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let fens: Vec<&str> = rows
            .iter()
            .map(|row| row["fen"].as_str().unwrap())
            .collect();
        let command = ["probe", game, "--json", "--tables", shipped];
        let answers = run(&[&command[..], &fens].concat());
        assert!(rows.len() > 100, "{game}: {}", rows.len());
        for (row, answer) in rows.iter().zip(answers.lines()) {
            let answer: Value = serde_json::from_str(answer).unwrap();
            assert_eq!(row["fen"], answer["fen"]);
            let turn = if answer["fen"].as_str().unwrap().contains(" w ") {
                "white"
            } else {
                "black"
            };
            assert_eq!(row["side"], turn);
            assert_eq!(row["wdl"], answer["category"], "{row}");
            assert_eq!(row["dtm"], answer["depth_plies"], "{row}");
            let dtz = answer.get("dtz_plies").cloned().unwrap_or(Value::Null);
            assert_eq!(row["dtz"], dtz, "{row}");
        }
    }
}

/// High Chess has a column for every vitality of Black.
#[test]
fn high_chess_has_thresholds() {
    let rows = export("high-chess", "KRvK", &[]);
    let mut lines = rows.stdout.lines();
    let names: Vec<&str> = lines.next().unwrap().split(',').collect();
    assert_eq!(names.len(), 54);
    assert_eq!(names[..3], ["fen", "side", "t1"]);
    assert_eq!(names[51..], ["t50", "white_mates", "black_mates"]);
    let shipped = shipped();
    for line in lines.step_by(39_916) {
        let cells: Vec<&str> = line.split(',').collect();
        let answer = run(&[
            "probe",
            "high-chess",
            cells[0],
            "--json",
            "--tables",
            shipped,
        ]);
        let vitality = &answer.json()["vitality"];
        let points = |cell: &str| -> Value { cell.parse::<u64>().unwrap().into() };
        let curve: Vec<Value> = cells[2..52].iter().map(|cell| points(cell)).collect();
        assert_eq!(vitality["thresholds"], Value::Array(curve));
        assert_eq!(vitality["white_mates"], points(cells[52]));
        assert_eq!(vitality["black_mates"], points(cells[53]));
    }
    let some = export(
        "high-chess",
        "KRvK",
        &["--where", "t1=51", "--where", "side=black"],
    );
    assert!(some.lines().len() > 100);
    assert!(
        some.lines()[1..]
            .iter()
            .all(|line| line.contains(",black,51,"))
    );
}

#[test]
fn conditions_choose_rows() {
    let all = export("orthodox", "KRvK", &[]);
    let wanted: Vec<&str> = all
        .lines()
        .into_iter()
        .filter(|line| line.ends_with(",black,loss,32,32"))
        .collect();
    let conditions = ["--where", "dtm=32", "--where", "side=black"];
    let some = export("orthodox", "KRvK", &conditions);
    assert!(wanted.len() > 10);
    assert_eq!(some.lines()[1..], wanted);
    let draws = export("orthodox", "KRvK", &["--where", "dtz="]);
    assert!(
        draws.lines()[1..]
            .iter()
            .all(|line| line.ends_with(",draw,,"))
    );
    let one = export(
        "orthodox",
        "KRvK",
        &["--where", "fen=8/8/8/8/8/1k6/8/K6R w - -"],
    );
    assert_eq!(one.lines().len(), 2);
    fails(
        &["export", "orthodox", "KRvK", "--where", "depth=3"],
        2,
        "there is no column \"depth\"; the columns of orthodox are: fen, side, wdl, dtm, dtz",
    );
    fails(
        &["export", "orthodox", "KRvK", "--where", "wdl"],
        2,
        "write COLUMN=VALUE, such as wdl=win",
    );
}

/// A missing WDL table is an error; without another table its column is empty.
#[test]
fn missing_tables() {
    let make = "make it with: retrograde generate orthodox KRvK";
    fails(&["export", "orthodox", "KRvK"], 3, make);
    let folder = copies(&["KRvK.dtm"]);
    let tables = ["--tables", folder.path().to_str().unwrap()];
    let command = [&["export", "orthodox", "KRvK"][..], &tables].concat();
    fails(&command, 3, "the wdl table of KRvK of orthodox is missing");
    let folder = copies(&["KRvK.wdl"]);
    let tables = ["--tables", folder.path().to_str().unwrap()];
    let command = [&["export", "orthodox", "KRvK"][..], &tables].concat();
    let ran = run(&command);
    assert_eq!(ran.code, 0);
    assert!(
        ran.stderr.contains("no table of dtm and dtz for KRvK"),
        "{}",
        ran.stderr
    );
    assert!(ran.lines()[1].ends_with(",win,,"));
    let command = [&command[..], &["--where", "dtm=3"]].concat();
    fails(&command, 3, "the dtm table of KRvK of orthodox is missing");
}

/// Nobody reads on: no error. Ctrl-C: exit code 75, and whole lines.
#[test]
fn ends_early() {
    let start = || {
        let mut command: Command = running();
        command.args(["export", "orthodox", "KPvK", "--tables"]);
        command.arg(tables());
        command.spawn().unwrap()
    };
    let mut child = start();
    let mut line = String::new();
    let mut reader = BufReader::new(child.stdout.take().unwrap());
    reader.read_line(&mut line).unwrap();
    assert_eq!(line, "fen,side,wdl,dtm,dtz\n");
    drop(reader);
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(String::from_utf8(ended.stderr).unwrap(), "");

    #[cfg(unix)]
    {
        let mut child = start();
        let mut reader = BufReader::new(child.stdout.take().unwrap());
        // The pipe fills, and the program waits.
        reader.read_line(&mut line).unwrap();
        crate::common::interrupt(&child);
        std::thread::sleep(std::time::Duration::from_millis(200));
        let rest: Vec<String> = reader.lines().map(Result::unwrap).collect();
        assert_eq!(child.wait().unwrap().code(), Some(75));
        assert_eq!(rest.last().unwrap().split(',').count(), 5);
    }
}
